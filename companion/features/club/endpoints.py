"""The club of this table, from the host's phone."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from companion.features.club.service import ClubState, TableClub, has_club_part
from companion.member.errors import ClubError
from companion.messages.message import Message
from companion.table import Table
from companion.table.commands import MOST_PLAYERS_SENT, PlayerName
from web.errors import RequestError
from web.feature import Feature, change


class JoinByInvitation(Struct, frozen=True, forbid_unknown_fields=True):
    address: Annotated[str, Meta(min_length=1, max_length=300, description="The invitation.")]
    name: Annotated[str, Meta(min_length=1, max_length=40, description="What the club is to call this table.")]


class ClubNames(Struct, frozen=True, forbid_unknown_fields=True):
    """The players who may be named."""

    names: Annotated[list[PlayerName], Meta(max_length=10 * MOST_PLAYERS_SENT)]


class ClubFeature(Feature[TableClub]):
    key, shows = "club", ClubState
    refuses = ClubError, "club"

    def absence(self) -> RequestError:
        return RequestError(Message("This program was installed without the part for clubs."), code="club")

    def __init__(self, club: TableClub | None, table: Table) -> None:
        super().__init__(club if has_club_part() else None, table)
        self._club = club

    def step(self) -> None:
        if self._club is not None:
            self._club.follow()

    def stop(self) -> None:
        if self._club is not None:
            self._club.close()

    @change("box/club")
    def join_club(self, body: JoinByInvitation) -> None:
        """Join a club with an invitation from its hub."""
        self.there.join(body.address, body.name)

    @change("box/club/leave")
    def leave_club(self) -> None:
        """Leave the club. Its books are kept."""
        self.there.leave()

    @change("box/club/names")
    def club_names(self, body: ClubNames) -> None:
        """Set who may be named in the club from now on."""
        self.there.set_names(tuple(body.names))
