"""Training pictures composed of sprites."""
