"""The refusals of a tournament. Each has a code for programs and a sentence for people; nothing has changed.

The sentence is a `Message` where the lobby's page can send the command that is refused.

TournamentError (ClubError)
├── UnreadableTournamentError (ValueError)             the command never makes sense
└── NotAllowedInTournamentError (NotAllowedInClubError)   the command makes sense, but not now
"""

from __future__ import annotations

from companion.club.errors import ClubError, NotAllowedInClubError


class TournamentError(ClubError):
    """A command was refused."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        """A short name for programs."""


class UnreadableTournamentError(TournamentError, ValueError):
    """The command could not be read."""


class NotAllowedInTournamentError(TournamentError, NotAllowedInClubError):
    """The command is not allowed now."""
