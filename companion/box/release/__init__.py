"""Signed releases, and the versions installed side by side.

Standard library only: the first start of a card runs this before anything is installed.
"""
