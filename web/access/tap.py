"""The checks on every change, and who may make it.

Every POST except `/join` comes from a phone that has joined. It has the CSRF token (a program sends its own token
instead), a key under which it counts once and, if it changes the game, the version of the state it is based on. A
player's bids and calls come from that player's own phone, if there is one, or the host's.

Locks are taken in this order: phones, feed; or table, feed. The phones' lock may wait for the disk, so nobody
calls the table while holding it, and nothing that the table calls takes it: seats are read before the table is called.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Final

from flask import Blueprint, Response, g, request

from companion.messages.message import Message
from companion.table import Table
from companion.table.actor import SOMEBODY, Actor
from companion.table.commands import COMMANDS, Command
from web.access.access import Access
from web.access.idempotency import Answer, Answers, KeyReusedError, UnderWayError
from web.access.phones import Phone
from web.errors import RequestError
from web.headers import CSRF, IDEMPOTENCY_KEY, KEY_PATTERN, REPEATED, VERSION, VERSION_PATTERN

_SEATING: Final = frozenset({"api.seat", "api.hand", "api.host"})
"""Endpoints that are open to phones that only watch: they do not change the game."""
_UNJOINED: Final = frozenset({"api.join", "api.choose_wifi"})
"""Endpoints that are open to phones that have not joined; they check for themselves who asks."""
_VERSIONED: Final = frozenset(f"api.{kind.at.operation}" for kind in COMMANDS if kind.at is not None)
"""Endpoints that need the version of the state."""
_REPEATED: Final = ("Content-Type", "Cache-Control", "Retry-After", "WWW-Authenticate")
"""Headers that are repeated with a repeated answer."""


@dataclass(frozen=True, slots=True)
class _Tap:
    phone: Phone
    key: str
    version: int | None


class Taps:
    """The checks on changes."""

    def __init__(self, access: Access, table: Table) -> None:
        self._access = access
        self._phones = access.phones
        self._table = table
        self._answers = Answers()

    def register(self, api: Blueprint) -> None:
        """Check every change that comes to `api`, and remember its answer."""
        api.before_request(self._check)
        api.after_request(self._remember)

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
        key = request.headers.get(IDEMPOTENCY_KEY, "")
        if not re.fullmatch(KEY_PATTERN, key):
            raise RequestError(
                f"A change needs the header {IDEMPOTENCY_KEY}: 8 to 64 letters, digits or signs, other ones for every "
                "tap.",
                code="idempotency-key",
            )
        version = _version(request.headers.get(VERSION, "")) if request.endpoint in _VERSIONED else None
        answer = self._earlier_answer(phone, key)
        if answer is not None:
            return Response(answer.body, answer.status, headers=[*answer.headers, (REPEATED, "1")])
        g.tap = _Tap(phone, key, version)
        if phone.watching and request.endpoint not in _SEATING:
            raise RequestError(Message("This phone only watches. Say first whose phone it is."), code="watching")
        return None

    def _earlier_answer(self, phone: Phone, key: str) -> Answer | None:
        digest = hashlib.sha256(request.get_data()).hexdigest()
        try:
            return self._answers.begin(phone.id, key, f"{request.path} {digest}")
        except KeyReusedError:
            raise RequestError(
                f"This {IDEMPOTENCY_KEY} was sent with another change before.", code="idempotency-key"
            ) from None
        except UnderWayError:
            raise RequestError(
                Message("The box is still busy with that tap."), code="under-way", headers={"Retry-After": "1"}
            ) from None

    def _remember(self, response: Response) -> Response:
        tap: _Tap | None = g.pop("tap", None)
        if tap is not None:
            headers = tuple((name, value) for name, value in response.headers if name in _REPEATED)
            self._answers.finish(tap.phone.id, tap.key, Answer(response.status_code, response.get_data(), headers))
        return response


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
