"""Dice and tables as pictures: the virtual table of the demo."""
