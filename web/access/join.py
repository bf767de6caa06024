"""Joining the table, taking a seat, and handing a seat or the role of host to another phone."""

from __future__ import annotations

import math
import re
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
from web.access.phones import PLAYER, ROLES, Phone, PhoneId, PhonePresence, Role, Seats, SeatTakenError
from web.errors import RequestError
from web.headers import IDEMPOTENCY_KEY, KEY_PATTERN, no_store

RECENT_JOINS: Final = 64
"""How many joins are remembered by their keys."""
JOIN_MEMORY: Final = 60.0
"""Seconds for which they are remembered."""


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to join."""

    code: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=64,
            description="The table's four digits; or the secret in its QR code, which never has to wait.",
        ),
    ]


class Seat(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to say whose phone it is."""

    role: ShortText
    player: Any = UNSET
    """The player's name; only for the role "player"."""


class Hand(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to give a seat to another phone."""

    player: PlayerName
    phone: PhoneId


class Host(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to make another phone the host."""

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
    phones: Annotated[tuple[PhonePresence, ...], Meta(description="Empty before joining.")]
    addresses: Annotated[tuple[str, ...], Meta(description="Where other phones reach the page, the best first.")]
    token: Annotated[
        str | UnsetType, Meta(description="Only in the answer to `join`: what a program sends as a bearer.")
    ] = UNSET


class JoinDesk:
    """The addresses `/me`, `/join`, `/seat`, `/seat/hand` and `/host`."""

    def __init__(self, table: Table, access: Access, addresses: Addresses) -> None:
        self._table = table
        self._access = access
        self._phones = access.phones
        self._addresses = addresses
        self._lock = threading.Lock()
        self._recent: dict[str, tuple[Phone, float]] = {}
        """Key of a request -> the phone that joined by it, and when. A phone has several addresses, and may send it
        again from another one.
        """

    def register(self, api: Blueprint) -> None:
        """Add the addresses to `api`."""
        api.get("/me", endpoint="me")(lambda: self._me(self._access.visitor(request)))
        api.post("/join", endpoint="join")(self._join)
        api.post("/seat", endpoint="seat")(self._sit)
        api.post("/seat/hand", endpoint="hand")(self._hand)
        api.post("/host", endpoint="host")(self._host)

    def _join(self) -> Response:
        code = body.read(request, Join).code
        key = request.headers.get(IDEMPOTENCY_KEY, "")
        if key and not re.fullmatch(KEY_PATTERN, key):
            raise RequestError(f"{IDEMPOTENCY_KEY} has 8 to 64 letters, digits or signs.", code="idempotency-key")
        # Nobody can guess the invitation, so nothing limits it: no guests' wrong codes keep out who has it.
        invited = self._access.invites(code)
        if not invited:
            self._check_code(code)
        visitor = self._access.visitor(request)
        if visitor.phone is None:
            visitor = Visitor(self._new_phone(key, limited=not invited))
        return self._me(visitor, joining=True)

    def _check_code(self, code: str) -> None:
        """Raise `RequestError` if this is not the table's code (403), or has to wait (429)."""
        right = self._access.opens(code)
        if wait := math.ceil(self._access.wrong_codes.wait(request.remote_addr or "", right)):
            raise _slow_down(Message("Too many wrong codes. Wait {seconds} s, then try again.", seconds=wait), wait)
        if not right:
            raise RequestError(
                Message(
                    "That is not this table's code. It stands on the box's screen, and on every phone that has joined."
                ),
                code="wrong-code",
            )

    def _sit(self) -> Response:
        seat = body.read(request, Seat)
        if seat.role not in ROLES or (seat.role == PLAYER) != (seat.player is not UNSET):
            raise RequestError('"role" is "player" with a "player", "table" or "watching".')
        player = None
        if seat.role == PLAYER:
            player = body.field(seat.player, PlayerName, "player")
            self._check_player(player)
        try:
            self._phones.sit(g.tap.phone, seat.role, player)
        except SeatTakenError:
            raise RequestError(
                Message("Another phone is {player}'s already. The host can hand the seat over.", player=player or ""),
                code="seat-taken",
            ) from None
        return self._me(self._access.visitor(request))

    def _hand(self) -> Response:
        if not self._phones.is_host(g.tap.phone):
            raise RequestError(Message("Only the host's phone hands seats over."), code="not-host")
        seat = body.read(request, Hand)
        self._check_player(seat.player)
        if not self._phones.hand(seat.player, seat.phone):
            raise _unknown_phone()
        return self._me(self._access.visitor(request))

    def _host(self) -> Response:
        phone = g.tap.phone
        is_host = self._phones.is_host(phone)
        refused = RequestError(
            Message("Only the host's phone can make another one the host, unless it has been away for two minutes."),
            code="not-host",
        )
        # If the host goes home, the others must not be without one.
        if not is_host and not self._phones.is_host_absent():
            raise refused
        to = body.read(request, Host).host
        if not is_host and to != phone.id:
            raise refused
        if not self._phones.hand_host(to):
            raise _unknown_phone()
        return self._me(self._access.visitor(request))

    def _me(self, visitor: Visitor, *, joining: bool = False) -> Response:
        """Who `visitor` is, and who else is there."""
        access, phone = self._access, visitor.phone
        self._phones.follow(self._table.state())
        presence = self._phones.presence()
        own = next((each for each in presence.phones if phone is not None and each.phone == phone.id), None)
        me = Me(
            phone=phone.id if phone else None,
            joined=phone is not None,
            role=own.role if own else None,
            player=own.player if own else None,
            host=own is not None and own.host,
            csrf=access.csrf(phone) if phone else None,
            code=access.code if phone else None,
            seats=presence.seats,
            phones=presence.phones if phone else (),
            addresses=tuple(self._addresses()),
            # A page has its cookie, which no script can read, and must not see the token.
            token=access.token(phone) if phone is not None and joining and not _by_a_page() else UNSET,
        )
        response = no_store(jsonify(me))
        if phone is not None and not visitor.bearer:
            access.remember(request, response, phone)
        return response

    def _new_phone(self, key: str, *, limited: bool) -> Phone:
        """A new phone, or the one that joined a moment ago with the same request, whose answer was lost.

        Without this the first, lost phone would be the host. `key` is the request's, "" without one. Raises
        `RequestError` (429) if too many join and it is `limited`.
        """
        with self._lock:
            now = self._access.clock()
            self._recent = {each: (who, at) for each, (who, at) in self._recent.items() if now - at < JOIN_MEMORY}
            before, _ = self._recent.get(key, (None, now))
            phone = None if before is None else self._phones.get(before.id, before.key)
            if phone is not None:
                return phone
            if limited and (wait := math.ceil(self._access.wrong_codes.join(request.remote_addr or ""))):
                message = Message(
                    "Too many phones have joined from here. Wait {seconds} s, then try again.", seconds=wait
                )
                raise _slow_down(message, wait)
            phone = self._phones.join()
            if key:
                self._recent[key] = (phone, now)
                if len(self._recent) > RECENT_JOINS:
                    del self._recent[next(iter(self._recent))]
            return phone

    def _check_player(self, player: str) -> None:
        """Raise `RequestError` (409) if `player` has no seat."""
        self._phones.follow(self._table.state())
        if player not in self._phones.seats():
            raise RequestError(
                Message("Nobody called {player} plays at this table.", player=player), code="unknown-player"
            )


def _by_a_page() -> bool:
    """Whether a page sent this request: a browser names the page's origin with every POST."""
    return "Origin" in request.headers or "Sec-Fetch-Site" in request.headers


def _slow_down(message: Message, seconds: int) -> RequestError:
    return RequestError(message, code="slow-down", headers={"Retry-After": str(seconds)})


def _unknown_phone() -> RequestError:
    return RequestError(Message("There is no such phone at this table."), code="unknown-phone")
