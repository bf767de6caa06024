"""Joining the table, taking a seat, and handing a seat or the role of host to another phone."""

from __future__ import annotations

import math
import re
import threading
from typing import Annotated, Final

from flask import Response, g, request
from msgspec import UNSET, Meta, Struct, UnsetType

from companion.messages.message import Message
from companion.messages.sentence import Value, json_bytes
from companion.table.commands import Count, PlayerName, ShortText
from web.access.access import Access, Visitor
from web.access.invitation import address_for, http_url, invitation, qr_svg
from web.access.phones import PLAYER, ROLES, HeldError, Phone, PhoneId, PhonePresence, Role, Seats, SeatTakenError
from web.access.wrong_codes import slow_down
from web.endpoints import JSON, TEXT, Who, get, header, one_of, post, query, read
from web.errors import IDEMPOTENCY_KEY, KEY_PATTERN, RequestError, no_store
from web.parts import Parts

RECENT_JOINS: Final = 64
"""The number of recent joins that are remembered by their keys."""
JOIN_MEMORY: Final = 60.0
"""Seconds for which a recent join is remembered."""


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
    """A request to take a seat or another role."""

    role: ShortText
    player: PlayerName | UnsetType = UNSET
    """The player's name; only for the role "player"."""

    def __post_init__(self) -> None:
        if self.role not in ROLES or (self.role == PLAYER) != (self.player is not UNSET):
            raise ValueError('"role" is "player" with a "player", "table" or "watching"')


class Hand(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to hand a seat to another phone."""

    player: PlayerName
    phone: PhoneId


class NamedPhone(Struct, frozen=True, forbid_unknown_fields=True):
    """A request about another phone."""

    phone: PhoneId


class Hold(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to restrict another phone to watching, or to lift that."""

    phone: PhoneId
    held: bool = True


class Host(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to make another phone the host."""

    host: PhoneId


class Me(Value, frozen=True, kw_only=True):
    """A phone's identity and role, and the other phones."""

    phone: PhoneId | None
    joined: bool
    role: Role | None
    player: str | None
    host: bool
    dice: Annotated[
        Count | None, Meta(description="How many dice its player has, told to no other phone where they are hidden.")
    ]
    csrf: str | None
    code: str | None
    seats: Seats
    phones: Annotated[tuple[PhonePresence, ...], Meta(description="Empty before joining.")]
    addresses: Annotated[tuple[str, ...], Meta(description="Where other phones reach the page, the best first.")]
    token: Annotated[
        str | UnsetType, Meta(description="Only in the answer to `join`: what a program sends as a bearer.")
    ] = UNSET


class JoinEndpoints:
    """The endpoints for joining, seats and the host."""

    def __init__(self, parts: Parts) -> None:
        self._table, self._access, self._addresses = parts.table, parts.access, parts.addresses
        self._phones = parts.access.phones
        self._answers = parts.answers
        self._lock = threading.Lock()
        self._turned_out: set[str] = set()
        """The addresses of phones that were turned out: no new phone can join from there until the program restarts."""
        self._recent: dict[str, tuple[Phone, float]] = {}
        """Key of a request -> the phone that joined with it, and when. A phone has several addresses, and may repeat
        the request from another one.
        """

    @get("me", answers=Me)
    def me(self) -> Response:
        """This phone's identity and role, and who sits where."""
        return self._me(self._access.visitor(request))

    @get(
        "qr.svg",
        answers="image/svg+xml",
        parameters=(query("code", one_of("1"), "1 puts the table's invitation into it, for phones that have joined."),),
        refuses=(503,),
    )
    def qr(self) -> bytes:
        """The page's address as a QR code."""
        joined = self._access.visitor(request).phone is not None
        code = self._access.invitation if joined and request.args.get("code") == "1" else None
        text = invitation(address_for(http_url(), self._addresses()), code)
        return self._answers.get(("qr.svg", text), lambda: qr_svg(text), joined=joined)

    @post(
        "join",
        topic="join",
        who=Who.ANYBODY,
        answers=Me,
        parameters=(
            header(
                IDEMPOTENCY_KEY, TEXT, "Requests with the same key within a minute join as one phone.", required=False
            ),
        ),
        headers={"Set-Cookie": {"schema": TEXT}},
        refuses=(413, 415, 429),
    )
    def join(self, body: Join) -> Response:
        """Join with the table's code or QR code. Each wrong code makes the next wait longer."""
        key = request.headers.get(IDEMPOTENCY_KEY, "")
        if key and not re.fullmatch(KEY_PATTERN, key):
            raise RequestError(f"{IDEMPOTENCY_KEY} has 8 to 64 letters, digits or signs.", code="idempotency-key")
        visitor = self._access.visitor(request)
        if visitor.phone is None and request.remote_addr in self._turned_out:
            raise RequestError(Message("The host has removed this phone."), code="turned-out")
        # Nobody can guess the invitation, so it is not limited: others' wrong codes cannot keep out somebody who has
        # it.
        invited = self._access.invites(body.code)
        if not invited:
            check_code(
                self._access,
                self._access.opens(body.code),
                Message("Wrong code. The right one is on the box's screen, its printed card and every joined phone."),
            )
        if visitor.phone is None:
            visitor = Visitor(self._new_phone(key, limited=not invited))
        return self._me(visitor, joining=True)

    @post("seat", topic="join", who=Who.JOINED, answers=Me)
    def seat(self, body: Seat) -> Response:
        """Say whose phone this is."""
        player = None if body.player is UNSET else body.player
        if player is not None:
            self._check_player(player)
        try:
            self._phones.sit(g.tap.phone, body.role, player)
        except SeatTakenError:
            raise RequestError(
                Message("Another phone is {player}'s already. The host can hand the seat over.", player=player or ""),
                code="seat-taken",
            ) from None
        except HeldError:
            raise _held() from None
        return self.me()

    @post("phones/hold", topic="join", who=Who.HOST, answers=Me)
    def hold(self, body: Hold) -> Response:
        """As the host, restrict a phone to watching, or lift that."""
        if not self._phones.hold(body.phone, body.held):
            raise _unknown_phone()
        return self.me()

    @post("phones/out", topic="join", who=Who.HOST, answers=Me)
    def turn_out(self, body: NamedPhone) -> Response:
        """As the host, turn a phone out: it has to join again, but not from the same address until the box restarts."""
        address = self._phones.turn_out(body.phone)
        if address is None:
            raise _unknown_phone()
        if address and address != request.remote_addr:
            self._turned_out.add(address)
        return self.me()

    @post("seat/hand", topic="join", who=Who.JOINED, takes=Hand, answers=Me)
    def hand(self) -> Response:
        """As the host, hand a seat to another phone."""
        if not self._phones.is_host(g.tap.phone):
            raise RequestError(Message("Only the host's phone hands seats over."), code="not-host")
        seat = read(Hand)
        self._check_player(seat.player)
        if not self._phones.hand(seat.player, seat.phone):
            raise _unknown_phone()
        return self.me()

    @post("host", topic="join", who=Who.JOINED, takes=Host, answers=Me)
    def host(self) -> Response:
        """Make another phone the host; any phone can claim that once the host's has been away for two minutes."""
        phone = g.tap.phone
        is_host = self._phones.is_host(phone)
        refused = RequestError(
            Message("Only the host's phone can make another one the host, unless it has been away for two minutes."),
            code="not-host",
        )
        # If the host goes home, the others need a new one.
        if not is_host and not self._phones.is_host_absent():
            raise refused
        to = read(Host).host
        if not is_host and to != phone.id:
            raise refused
        if phone.held:
            raise _held()
        if not self._phones.hand_host(to):
            raise _unknown_phone()
        return self.me()

    def _me(self, visitor: Visitor, *, joining: bool = False) -> Response:
        """The identity of `visitor`, and the other phones."""
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
            dice=self._dice(phone) if phone else None,
            csrf=access.csrf(phone) if phone else None,
            code=access.code if phone else None,
            seats=presence.seats,
            phones=presence.phones if phone else (),
            addresses=tuple(self._addresses()),
            # A page has its cookie, which no script can read, and must not see the token.
            token=access.token(phone) if phone is not None and joining and not _by_a_page() else UNSET,
        )
        response = no_store(Response(json_bytes(me), mimetype=JSON))
        if phone is not None and not visitor.bearer:
            access.remember(request, response, phone)
        return response

    def _dice(self, phone: Phone) -> int | None:
        """The number of dice of the player in whose seat `phone` is; None without a seat."""
        player = self._phones.player_of(phone)
        dice = {each.name: each.dice for each in self._table.state_with_all_dice().players}
        return None if player is None else dice.get(player)

    def _new_phone(self, key: str, *, limited: bool) -> Phone:
        """A new phone, or the one that joined a moment ago with the same request, whose answer was lost.

        Otherwise the first, lost phone would be the host. `key` is the request's, "" without one. Raises `RequestError`
        (429) if too many join and it is `limited`.
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
                raise slow_down(message, wait)
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


def check_code(access: Access, right: bool, wrong: Message) -> None:
    """Count an entered code. Raises `RequestError` if it was not `right` (403, `wrong`), or has to wait (429)."""
    if wait := math.ceil(access.wrong_codes.wait(request.remote_addr or "", right)):
        raise slow_down(Message("Too many wrong codes. Wait {seconds} s, then try again.", seconds=wait), wait)
    if not right:
        raise RequestError(wrong, code="wrong-code")


def _by_a_page() -> bool:
    """True if a page sent this request: browsers send `Origin` with every POST."""
    return "Origin" in request.headers or "Sec-Fetch-Site" in request.headers


def _held() -> RequestError:
    return RequestError(Message("The host lets this phone only watch."), code="held")


def _unknown_phone() -> RequestError:
    return RequestError(Message("There is no such phone at this table."), code="unknown-phone")
