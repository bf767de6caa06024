"""Measuring the reader on labelled pictures."""
