"""Connects the panel's pins with the table."""
