"""Cameras and the panel, each behind one small Protocol."""
