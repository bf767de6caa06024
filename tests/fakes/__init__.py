"""Fakes that stand in for the real parts."""
