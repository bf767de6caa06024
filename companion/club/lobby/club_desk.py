"""The addresses by which managers look after the club: its tables, the names in its books, Home Assistant."""

from __future__ import annotations

from flask import Blueprint, Response, request

from companion.club.books.names import SetBookName
from companion.club.hub.hub import Hub
from companion.club.lobby.answers import (
    BookNamesAnswer,
    ClubAnswer,
    CountGame,
    InvitationAnswer,
    RemoveTable,
    TablesAnswer,
)
from companion.club.lobby.managers import ManageClub, Managers
from companion.club.lobby.refusals import answer_of, club_refusals
from web import body
from web.access.invitation import qr_svg
from web.access.phones import Phone


def register(api: Blueprint, hub: Hub, managers: Managers) -> None:
    """Add the addresses to `api`."""

    @api.post("/invitations")
    def invite() -> Response:
        body.read(request, body.Nothing)
        with club_refusals():
            address = str(hub.invite(request.host_url.rstrip("/")))
        return answer_of(InvitationAnswer(address, qr_svg(address).decode()))

    @api.post("/tables/<table>/remove")
    def remove(table: str) -> Response:
        asked = body.read(request, RemoveTable)
        with club_refusals():
            hub.remove(table, games=asked.games)
        return answer_of(TablesAnswer(tuple(hub.tables())))

    @api.post("/tables/<table>/count")
    def count_table(table: str) -> Response:
        asked = body.read(request, CountGame)
        with club_refusals():
            hub.set_table_counts(table, counts=asked.counts)
        return answer_of(club_answer(hub, managers, managers.phone()))

    @api.get("/names")
    def names() -> Response:
        managers.check_phone()
        return answer_of(BookNamesAnswer(dict(hub.books.names())))

    @api.post("/names")
    def set_name() -> Response:
        asked = body.read(request, SetBookName)
        with club_refusals():
            hub.books.set_name(asked.name, asked.wanted)
        hub.tell()
        return answer_of(BookNamesAnswer(dict(hub.books.names())))

    @api.post("/home-assistant")
    def home_assistant() -> Response:
        body.read(request, body.Nothing)
        with club_refusals():
            return answer_of(hub.admit_home())

    @api.post("/manage")
    def manage() -> Response:
        phone = managers.admit(body.read(request, ManageClub).code)
        response = answer_of(club_answer(hub, managers, phone))
        managers.remember(response, phone)
        return response


def club_answer(hub: Hub, managers: Managers, phone: Phone | None) -> ClubAnswer:
    """The club, as `phone` sees it: a manager's, or None for everybody else's."""
    return ClubAnswer(
        club=hub.club,
        title=hub.title,
        connected=hub.connected,
        manager=phone is not None,
        csrf=None if phone is None else managers.csrf(phone),
        left_out=hub.books.tables_left_out,
    )
