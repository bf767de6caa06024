"""The errors of a club.

ClubError (RuntimeError)
├── UnreadableInClubError (ValueError)   this is no invitation, no broker's address, no result
└── NotAllowedInClubError                the hub refuses
"""

from __future__ import annotations


class ClubError(RuntimeError):
    """Something in the club is wrong, or does not answer."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        """For people: a `Message` where they can meet it on a page, plain text where only the command line says it."""


class UnreadableInClubError(ClubError, ValueError):
    """What was given cannot be read."""


class NotAllowedInClubError(ClubError):
    """It could be read, and is not allowed: an invitation that is used up, for example."""
