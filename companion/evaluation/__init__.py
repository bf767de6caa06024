"""Measuring the program: labelled photographs, and whole evenings at a drawn table. In the clone, not in the wheel."""
