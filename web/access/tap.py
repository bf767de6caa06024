"""The checks on every change, and who may make it.

Every POST except `/join` comes from a phone that has joined. It has the CSRF token (a program sends its own token
instead), a key under which it counts once and, if it changes the game, the version of the state it is based on. A
player's bids and calls come from that player's own phone, if there is one, or the host's.

Locks are taken in this order: phones, feed; or table, feed. The phones' lock may wait for the disk, so nobody
calls the table while holding it, and nothing that the table calls takes it: seats are read before the table is called.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from flask import Blueprint, Response, g, request

from companion.messages.message import Message
from companion.table import Table
from companion.table.commands import COMMANDS, SOMEBODY, Actor, Command
from web.access.access import Access
from web.access.once import Once
from web.access.phones import Phone
from web.errors import RequestError
from web.headers import CSRF, VERSION, VERSION_PATTERN

_SEATING: Final = frozenset({"api.seat", "api.hand", "api.host"})
"""Endpoints that are open to phones that only watch: they do not change the game."""
_UNJOINED: Final = frozenset({"api.join", "api.choose_wifi"})
"""Endpoints that are open to phones that have not joined; they check for themselves who asks."""
_VERSIONED: Final = frozenset(f"api.{kind.at.operation}" for kind in COMMANDS if kind.at is not None)
"""Endpoints that need the version of the state."""


@dataclass(frozen=True, slots=True)
class _Tap:
    phone: Phone
    version: int | None


class Taps:
    """The checks on changes."""

    def __init__(self, access: Access, table: Table) -> None:
        self._access = access
        self._phones = access.phones
        self._table = table
        self._once = Once()

    def register(self, api: Blueprint) -> None:
        """Check every change that comes to `api`, and remember its answer."""
        api.before_request(self._check)
        api.after_request(self._once.remember)

    def do(self, command: Command) -> None:
        """Have the table do `command` for this request's phone, based on the version that the phone saw."""
        tap: _Tap = g.tap
        phone = tap.phone
        self._phones.follow(self._table.state())
        others = {} if self._phones.is_host(phone) else self._phones.seats()
        players = frozenset(player for player, its in others.items() if its not in (None, phone.id))
        by = Actor(phone.id, phone.player or SOMEBODY.name, tap.version, players)
        self._phones.follow(self._table.do(command, by))

    def _check(self) -> Response | None:
        if request.method != "POST" or request.endpoint in _UNJOINED:
            return None
        visitor = self._access.visitor(request)
        phone = visitor.phone
        if phone is None:
            raise join_first()
        if not visitor.bearer and not self._access.shows_csrf(request, phone):
            raise RequestError(f"A change needs the header {CSRF}, with the csrf of /api/v1/me.", code="csrf")
        version = _version(request.headers.get(VERSION, "")) if request.endpoint in _VERSIONED else None
        answer = self._once.begin(phone, Message("The box is still busy with that tap."))
        if answer is not None:
            return answer
        g.tap = _Tap(phone, version)
        if phone.watching and request.endpoint not in _SEATING:
            raise RequestError(Message("This phone only watches. Say first whose phone it is."), code="watching")
        return None


def join_first() -> RequestError:
    """The refusal of a request from a phone that has not joined."""
    return RequestError(
        Message("Join the table first: it takes the table's code."),
        code="join-first",
        headers={"WWW-Authenticate": 'Bearer realm="perudo"'},
    )


def _version(text: str) -> int:
    if not re.fullmatch(VERSION_PATTERN, text):
        raise RequestError(
            f"A change needs the header {VERSION}: the version of the state that it was made on.", code="version"
        )
    return int(text)
