"""The networks and the code that runs them."""
