"""Signed releases, the versions installed side by side, and the first start of a new card.

Standard library only: this also runs from the release's own wheel, before anything is installed.
"""
