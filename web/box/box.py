"""`/api/v1/box`: the box itself, for the page `/box`. Everybody may see what it is; the host's phone keeps it going."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from typing import Final

from flask import Blueprint, Response, jsonify, request

from companion.box.backup.backup_state import BackupState
from companion.box.backup.desk import BackupDesk
from companion.box.network_name import network_name
from companion.box.updates import Updates, UpdateState
from companion.box.wifi.wifi import Wifi, WifiState
from companion.member.table_club import ClubState, TableClub
from companion.messages.message import Message
from companion.messages.sentence import Value
from companion.table import Table
from web import body
from web.access.access import Access
from web.access.tap import join_first
from web.box.https import HttpsDesk, HttpsState, make_certificate
from web.errors import RequestError
from web.headers import no_store

PROGRAM_VERSION: Final = version("perudo-companion")


class BoxState(Value, frozen=True, kw_only=True):
    """What everybody may know of the box. It answers every change, too."""

    version: str
    name: str
    """Phones on the network find the machine as `name.local`."""
    playing: bool
    """Whether a game is going on. The box is not updated or restored meanwhile."""
    backup: BackupState | None
    """None where nothing is kept."""
    https: HttpsState | None
    """None where there is no such thing."""
    wifi: WifiState | None
    """None where the box does not look after it."""
    club: ClubState | None
    """None where the program was installed without the part for clubs."""
    update: UpdateState | None
    """None where it is not updated from the page."""


def box_state(
    table: Table,
    backups: BackupDesk | None = None,
    https: HttpsDesk | None = None,
    wifi: Wifi | None = None,
    updates: Updates | None = None,
    club: TableClub | None = None,
) -> BoxState:
    """The box at this moment."""
    return BoxState(
        version=PROGRAM_VERSION,
        name=network_name(),
        playing=table.state().playing,
        backup=None if backups is None else backups.state(),
        https=None if https is None else https.state(),
        wifi=None if wifi is None else wifi.state(),
        club=None if club is None else club.state(),
        update=None if updates is None else updates.state(),
    )


def check_host(access: Access) -> None:
    """Raise `RequestError` unless the host's phone asks."""
    phone = access.visitor(request).phone
    if phone is None:
        raise join_first()
    if not access.phones.is_host(phone):
        raise RequestError(Message("Only the host's phone looks after the box."), code="not-host")


def check_no_game(table: Table) -> None:
    """Raise `RequestError` while a game is going on."""
    if table.state().playing:
        raise RequestError(Message("A game is going on: end it first, or wait for its end."), code="wrong-phase")


def register(api: Blueprint, access: Access, https: HttpsDesk | None, now: Callable[[], BoxState]) -> None:
    """Add `/box` and `/box/certificate`. `now` gives the box at this moment."""

    @api.get("/box")
    def box() -> Response:
        return no_store(jsonify(now()))

    @api.post("/box/certificate")
    def certificate() -> Response:
        body.read(request, body.Nothing)
        check_host(access)
        make_certificate(https)
        return box()
