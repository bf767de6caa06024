"""The errors of a club.

ClubError (RuntimeError)
├── BadInvitationError (ValueError)   this is no invitation
├── BrokerError                       see companion.club.broker.errors
├── NotAllowedInClubError             the hub refuses
└── HubUnreachableError               the hub does not answer, or not as a hub does
"""

from __future__ import annotations


class ClubError(RuntimeError):
    """Something in the club is wrong."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        """For people: a `Message` where they can meet it on a page, plain text where only the command line says it."""


class BadInvitationError(ClubError, ValueError):
    """This cannot be read as an invitation."""


class NotAllowedInClubError(ClubError):
    """It could be read, and is not allowed: an invitation that is used up, for example."""


class HubUnreachableError(ClubError):
    """The hub does not answer, or something else answers there."""
