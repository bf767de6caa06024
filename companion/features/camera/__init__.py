"""The camera that the host chooses."""
