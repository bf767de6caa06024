"""The event stream, and the server that holds it."""
