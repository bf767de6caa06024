"""The steps from a frame to its dice."""
