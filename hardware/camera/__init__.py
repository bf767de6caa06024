"""Cameras, each behind one Protocol."""
