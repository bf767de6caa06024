"""Checks a camera: how well it is aimed, how well dice are read, and if it has moved."""
