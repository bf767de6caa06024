"""The networks, and how they are run."""
