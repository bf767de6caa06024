"""Buttons that the box learns from keys."""
