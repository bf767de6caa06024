"""Robots at the demo's table."""
