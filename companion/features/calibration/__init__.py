"""Calibrating the camera step by step, for the page and for the command."""
