"""Cameras that do not exist."""
