"""Registers pictures taken by hand with each other, so that a die seen in two of them counts once."""
