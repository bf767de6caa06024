"""Signed releases, and versions installed side by side.

Standard library only: a card's first start runs this before anything is installed.
"""
