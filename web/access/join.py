"""Joining the table, taking a seat, and the host's rights: to hand a seat, and the host's part itself, to others."""

from __future__ import annotations

import math
import threading
from typing import Annotated, Any, Final

from flask import Blueprint, Response, g, jsonify, request
from msgspec import UNSET, Meta, Struct, UnsetType

from companion.messages.message import Message
from companion.messages.sentence import Value
from companion.table import Table
from companion.table.commands import PlayerName, ShortText
from web import body
from web.access.access import Access, Visitor
from web.access.invitation import Addresses
from web.access.phones import (
    PLAYER,
    ROLES,
    Phone,
    PhoneId,
    PhonePresence,
    Presence,
    Role,
    Seats,
    SeatTakenError,
)
from web.errors import RequestError
from web.headers import IDEMPOTENCY_KEY, is_idempotency_key, no_store

LATELY: Final = 64
"""Joins that are remembered by their keys."""
LATELY_FOR: Final = 60.0
"""Seconds for which they are."""


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """A phone joins."""

    code: ShortText


class Seat(Struct, frozen=True, forbid_unknown_fields=True):
    """Whose phone it is."""

    role: ShortText
    player: Any = UNSET
    """Of a player's phone alone; only then it has to be a name."""


class Hand(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat is given to another phone."""

    player: PlayerName
    phone: PhoneId


class Host(Struct, frozen=True, forbid_unknown_fields=True):
    """Another phone is made the host."""

    host: PhoneId


class Me(Value, frozen=True, kw_only=True):
    """Who a phone is, and who else is there."""

    phone: PhoneId | None
    joined: bool
    role: Role | None
    player: str | None
    host: bool
    csrf: str | None
    code: str | None
    seats: Seats
    phones: Annotated[tuple[PhonePresence, ...], Meta(description="Empty for who has not joined.")]
    addresses: Annotated[tuple[str, ...], Meta(description="Where other phones reach the page, the best first.")]
    token: Annotated[
        str | UnsetType, Meta(description="Only in the answer to `join`: what a program sends as a bearer.")
    ] = UNSET


def presence(access: Access) -> Presence:
    """Who sits where, as the stream's `seats` tells it to everybody."""
    return Presence(access.phones.seats(), access.phones.listed())


def register(api: Blueprint, table: Table, access: Access, addresses: Addresses) -> None:
    """Add `/me`, `/join`, `/seat`, `/seat/hand` and `/host` to `api`."""
    here = _Here(table, access, addresses)
    _joining(api, here)
    _hosting(api, here)


class _Here:
    """What all of these need: who asks, who is there, and the answer."""

    def __init__(self, table: Table, access: Access, addresses: Addresses) -> None:
        self.access = access
        self.phones = access.phones
        self._table = table
        self._addresses = addresses
        self._lock = threading.Lock()
        self._lately: dict[tuple[str, str], tuple[Phone, float]] = {}
        """Who joined last and when, by the address and the key of the request."""

    def me(self, visitor: Visitor | None = None, *, joining: bool = False) -> Response:
        """Who `visitor` is, and who else is there; None is whoever sent this request."""
        access, visitor = self.access, visitor or self.access.visitor(request)
        phone = visitor.phone
        self._follow()
        there = presence(access)
        now = next((each for each in there.phones if phone is not None and each.phone == phone.id), None)
        me = Me(
            phone=phone.id if phone else None,
            joined=phone is not None,
            role=now.role if now else None,
            player=now.player if now else None,
            host=now is not None and now.host,
            csrf=access.csrf(phone) if phone else None,
            code=access.code if phone else None,
            seats=there.seats,
            phones=there.phones if phone else (),
            addresses=tuple(self._addresses()),
            # A page has its cookie, that no script can read; the token in its hands would be what that is to prevent.
            token=access.token(phone) if phone is not None and joining and not _by_a_page() else UNSET,
        )
        response = no_store(jsonify(me))
        if phone is not None and not visitor.bearer:
            access.remember(request, response, phone)
        return response

    def joined(self, key: str) -> Phone:
        """A new phone; or the one that joined just now by this request, sent again because nobody heard the answer.

        Otherwise a phone that was never there would be the host. `key` is the request's, "" without one. Raises
        `RequestError` (429) where too many join.
        """
        address = request.remote_addr or ""
        sent = (address, key)
        with self._lock:
            now = self.access.clock()
            self._lately = {each: (who, at) for each, (who, at) in self._lately.items() if now - at < LATELY_FOR}
            before, _ = self._lately.get(sent, (None, now))
            phone = None if before is None else self.phones.get(before.id, before.key)
            if phone is not None:
                return phone
            if wait := self.access.guesses.join(address):
                raise RequestError(
                    Message(
                        "Too many phones have joined from here. Wait {seconds} s, then try again.",
                        seconds=math.ceil(wait),
                    ),
                    code="slow-down",
                    status=429,
                    headers=_after(wait),
                )
            phone = self.phones.join()
            if key:
                self._lately[sent] = (phone, now)
                if len(self._lately) > LATELY:
                    del self._lately[next(iter(self._lately))]
            return phone

    def mine(self) -> Phone:
        """The phone that sent this change: `web.access.tap` has let in no other."""
        phone: Phone = g.tap.phone
        return phone

    def check_player(self, player: str) -> None:
        """Raise `RequestError` (409) where `player` has no seat."""
        self._follow()
        if player not in self.phones.seats():
            raise RequestError(
                Message("Nobody called {player} plays at this table.", player=player), code="unknown-player", status=409
            )

    def _follow(self) -> None:
        self.access.follow(self._table.state())


def _by_a_page() -> bool:
    """Whether a browser's page sent this request: every browser names the page's origin with a POST."""
    return "Origin" in request.headers or "Sec-Fetch-Site" in request.headers


def _key() -> str:
    """The key of this join, "" without one. Raises `RequestError` (400) where it is none."""
    key = request.headers.get(IDEMPOTENCY_KEY, "")
    if key and not is_idempotency_key(key):
        raise RequestError(f"{IDEMPOTENCY_KEY} has 8 to 64 letters, digits or signs.", code="idempotency-key")
    return key


def _after(wait: float) -> dict[str, str]:
    """When to try again, in seconds from now."""
    return {"Retry-After": str(math.ceil(wait))}


def _joining(api: Blueprint, here: _Here) -> None:
    access, phones = here.access, here.phones

    @api.get("/me")
    def who_am_i() -> Response:
        return here.me()

    @api.post("/join")
    def join() -> Response:
        code = body.read(request, Join).code
        key = _key()
        right = access.opens(code)
        if wait := access.guesses.wait(request.remote_addr or "", right):
            raise RequestError(
                Message("Too many wrong codes. Wait {seconds} s, then try again.", seconds=math.ceil(wait)),
                code="slow-down",
                status=429,
                headers=_after(wait),
            )
        if not right:
            raise RequestError(
                Message(
                    "That is not this table's code. It stands on the box's screen, and on every phone that has joined."
                ),
                code="wrong-code",
                status=403,
            )
        visitor = access.visitor(request)
        return here.me(visitor if visitor.phone is not None else Visitor(here.joined(key)), joining=True)

    @api.post("/seat", endpoint="seat")
    def sit() -> Response:
        phone = here.mine()
        seat = body.read(request, Seat)
        if seat.role not in ROLES or (seat.role == PLAYER) != (seat.player is not UNSET):
            raise RequestError('"role" is "player" with a "player", "table" or "watching".')
        player = None
        if seat.role == PLAYER:
            player = body.field(seat.player, PlayerName, "player")
            here.check_player(player)
        try:
            phones.sit(phone, seat.role, player)
        except SeatTakenError:
            raise RequestError(
                Message("Another phone is {player}'s already. The host can hand the seat over.", player=player or ""),
                code="seat-taken",
                status=409,
            ) from None
        return here.me()


def _hosting(api: Blueprint, here: _Here) -> None:
    phones = here.phones

    @api.post("/seat/hand")
    def hand() -> Response:
        phone = here.mine()
        seat = body.read(request, Hand)
        if not phones.is_host(phone):
            raise RequestError(Message("Only the host's phone hands seats over."), code="not-host", status=403)
        here.check_player(seat.player)
        if not phones.hand(seat.player, seat.phone):
            raise RequestError(Message("There is no such phone at this table."), code="unknown-phone", status=409)
        return here.me()

    @api.post("/host")
    def host() -> Response:
        phone = here.mine()
        to = body.read(request, Host).host
        # A host who went home must not leave the others without one.
        if not (phones.is_host(phone) or (to == phone.id and phones.host_gone())):
            raise RequestError(
                Message(
                    "Only the host's phone can make another one the host, unless it has been away for two minutes."
                ),
                code="not-host",
                status=403,
            )
        if not phones.hand_host(to):
            raise RequestError(Message("There is no such phone at this table."), code="unknown-phone", status=409)
        return here.me()
