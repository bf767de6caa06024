"""The club on the page `/box`: joining by an invitation, who may be named there, leaving."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from flask import Blueprint, Response, jsonify, request
from msgspec import Meta, Struct

from companion.member.errors import ClubError
from companion.member.table_club import TableClub
from companion.messages.message import Message
from companion.table.commands import MOST_PLAYERS_SENT, PlayerName
from web import body
from web.access.access import Access
from web.box.box import BoxState, check_host
from web.errors import RequestError
from web.headers import no_store


class JoinByInvitation(Struct, frozen=True, forbid_unknown_fields=True):
    """Join a club."""

    address: Annotated[str, Meta(min_length=1, max_length=300, description="The invitation.")]
    name: Annotated[str, Meta(min_length=1, max_length=40, description="What the club is to call this table.")]


class ClubNames(Struct, frozen=True, forbid_unknown_fields=True):
    """Who may be named."""

    names: Annotated[
        list[PlayerName],
        Meta(max_length=10 * MOST_PLAYERS_SENT, extra={"must": "be a list of names", "each": "Each name"}),
    ]


def register(api: Blueprint, access: Access, club: TableClub | None, now: Callable[[], BoxState]) -> None:
    """Add `/box/club`, `/box/club/leave` and `/box/club/names`. `club`: None where the program has no such part."""

    def do(act: Callable[[TableClub], None]) -> Response:
        check_host(access)
        if club is None:
            raise RequestError(Message("This program was installed without the part for clubs."), code="club")
        try:
            act(club)
        except ClubError as error:
            raise RequestError(error.sentence, code="club") from error
        return no_store(jsonify(now()))

    @api.post("/box/club")
    def join_club() -> Response:
        wanted = body.read(request, JoinByInvitation)
        return do(lambda club: club.join(wanted.address, wanted.name))

    @api.post("/box/club/leave")
    def leave_club() -> Response:
        body.read(request, body.Nothing)
        return do(lambda club: club.leave())

    @api.post("/box/club/names")
    def club_names() -> Response:
        wanted = body.read(request, ClubNames)
        return do(lambda club: club.set_names(tuple(wanted.names)))
