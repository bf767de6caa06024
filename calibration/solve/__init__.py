"""Computes the lens, the table and the colours from pictures."""
