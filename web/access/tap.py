"""The checks on every change, and who may make it.

A change comes from a phone that has joined. It carries the CSRF token (a program sends its own token instead), an
idempotency key and, if it changes the game, the version of the state it is based on. A player's bids and calls come
from that player's own phone, if there is one, or the host's.

Locks are acquired in this order: phones, feed; or table, feed. The phones' lock may wait for the disk, so nobody calls
the table while holding it, and nothing that the table calls acquires it: seats are read before the table is called.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

from flask import Response, g, request

from companion.messages.message import Message
from companion.table.commands import SOMEBODY, TABLET, Actor, Command
from web.access.allowance import Allowances
from web.access.idempotency import Once
from web.access.phones import SHARED, Phone
from web.access.wrong_codes import network_of, slow_down
from web.endpoints import Endpoint, Who
from web.errors import CSRF, VERSION, VERSION_PATTERN, RequestError
from web.parts import Parts

CHANGES_AT_ONCE: Final = 60
"""Changes that a phone may make in a burst: more than anybody taps in half a minute."""
CHANGE_WAIT: Final = 0.5
"""Seconds until one more change is allowed."""
PHONES_OF_ONE_ADDRESS: Final = 5
"""An address has the allowance of this many phones, because one guest may join with many."""


@dataclass(frozen=True, slots=True)
class _Tap:
    phone: Phone
    version: int | None


def do(command: Command, parts: Parts) -> None:
    """Carry out `command` for this request's phone, based on the version that the phone saw."""
    tap: _Tap = g.tap
    phone, phones = tap.phone, parts.access.phones
    phones.follow(parts.table.state())
    host = phones.is_host(phone)
    players = frozenset() if host else phones.players_elsewhere(phone)
    name = phone.player or (TABLET if phone.role == SHARED else SOMEBODY.name)
    by = Actor(phone.id, name, tap.version, players, host=host)
    parts.table.do(command, by)


class Taps:
    def __init__(self, parts: Parts) -> None:
        self._access, self._table, self._lead = parts.access, parts.table, parts.lead
        self._phones = parts.access.phones
        self.once = Once()
        self._of_phone = Allowances(CHANGES_AT_ONCE, CHANGE_WAIT, parts.clock)
        many = PHONES_OF_ONE_ADDRESS
        self._of_address = Allowances(CHANGES_AT_ONCE * many, CHANGE_WAIT / many, parts.clock)

    def check(self, endpoint: Endpoint) -> Response | None:
        """Raise `RequestError` unless this request's phone is allowed. Returns the answer if it repeats an earlier
        request.
        """
        if endpoint.who is Who.ANYBODY or (endpoint.who is Who.SETUP and self._setting_up()):
            return None
        visitor = self._access.visitor(request)
        phone = visitor.phone
        if phone is None:
            raise join_first()
        if endpoint.method == "POST" and endpoint.who is not Who.SETUP:
            if not visitor.bearer and not self._access.shows_csrf(request, phone):
                raise RequestError(f"A change needs the header {CSRF}, with the csrf of /api/v1/me.", code="csrf")
            self._check_pace(phone)
            self._phones.note_address(phone.id, request.remote_addr or "")
            version = _version(request.headers.get(VERSION, "")) if endpoint.versioned else None
            answer = self.once.begin(phone, Message("The box is still busy with that tap."))
            if answer is not None:
                return answer
            g.tap = _Tap(phone, version)
            if phone.watching and endpoint.who is not Who.JOINED:
                raise RequestError(Message("This phone only watches. Say first whose phone it is."), code="watching")
        if endpoint.who in (Who.HOST, Who.SETUP) and not self._phones.is_host(phone):
            raise RequestError(Message("Only the host's phone can manage the box."), code="not-host")
        return None

    def _check_pace(self, phone: Phone) -> None:
        """Raise `RequestError` (429) if a phone makes more changes than a person taps. The host's phone is exempt."""
        if self._phones.is_host(phone):
            return
        wait = self._of_phone.spend(phone.id) or self._of_address.spend(network_of(request.remote_addr or ""))
        if wait:
            seconds = math.ceil(wait)
            raise slow_down(Message("Too much at once. Wait {seconds} s, then try again.", seconds=seconds), seconds)

    def _setting_up(self) -> bool:
        """True if any phone may choose a Wi-Fi: whoever is on the box's own network knows its password."""
        return self._lead() is not None and not self._table.state().playing


def join_first() -> RequestError:
    """The refusal of a request from a phone that has not joined."""
    return RequestError(
        Message("Join with the table's code first."),
        code="join-first",
        headers={"WWW-Authenticate": 'Bearer realm="perudo"'},
    )


def _version(text: str) -> int:
    if not re.fullmatch(VERSION_PATTERN, text):
        raise RequestError(
            f"A change needs the header {VERSION}: the version of the state that it was made on.", code="version"
        )
    return int(text)
