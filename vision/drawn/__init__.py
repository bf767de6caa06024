"""Draws dice and tables, for the virtual table of the demo."""
