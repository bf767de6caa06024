"""Evaluates the program on labelled photographs and on evenings at a drawn table. In the clone, not in the wheel."""
