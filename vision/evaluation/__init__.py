"""Evaluates the reader on labelled pictures."""
