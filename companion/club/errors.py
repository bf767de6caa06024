"""The errors of a club.

ClubError (RuntimeError)
├── BadInvitationError (ValueError)   this is no invitation
├── BrokerError                       see companion.club.broker.errors
├── NotAllowedInClubError             the hub refuses
└── HubUnreachableError               the hub does not answer, or not as a hub does
"""

from __future__ import annotations


class ClubError(RuntimeError):
    """Something in the club is wrong. The message is a sentence for people."""


class BadInvitationError(ClubError, ValueError):
    """This cannot be read as an invitation."""


class NotAllowedInClubError(ClubError):
    """It could be read, and is not allowed: an invitation that is used up, for example."""


class HubUnreachableError(ClubError):
    """The hub does not answer, or something else answers there."""
