"""The errors of a club.

ClubError (RuntimeError)
├── UnreadableInClubError (ValueError)   not an invitation, a broker's address, a result
└── NotAllowedInClubError                the hub refuses
"""

from __future__ import annotations


class ClubError(RuntimeError):
    """Something in the club is wrong or does not answer."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        """For people: a `Message` if they can see it on a page, plain text if only the command line prints it."""


class UnreadableInClubError(ClubError, ValueError):
    """The input cannot be read."""


class NotAllowedInClubError(ClubError):
    """The input can be read, but is not allowed, such as a used invitation."""
