"""The broker: its address, connections to it, credentials on it, and one of our own."""
