"""Who a request comes from: the table's code, and the signed token that a phone gets for it.

A token is the phone's name and key, signed. A page has it as a cookie that scripts cannot read, and sends a second
signature, the CSRF token, with every change. A program sends the token itself, as a bearer.
"""

from __future__ import annotations

import hashlib
import hmac
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from flask import Request, Response
from itsdangerous import BadSignature, Signer

from companion.config import RANDOM_CODE
from companion.table import State
from companion.table.game.table_position import Phase
from web.access import keys
from web.access.keys import Keys
from web.access.phones import Phone, Phones
from web.access.wrong_codes import WrongCodes

YEAR: Final = 365 * 24 * 3600
_LONGEST_TOKEN: Final = 200


def cookie(port: str) -> str:
    """The name of the cookie at this port. A browser shares the cookies of a host between all its ports."""
    return f"perudo_phone_{port}"


@dataclass(frozen=True, slots=True)
class Visitor:
    """The sender of a request."""

    phone: Phone | None
    """None before it joins."""
    bearer: bool = False
    """Whether a program sent its token itself, which no other page can cause."""


def company(state: State) -> tuple[str, ...]:
    """Everybody with a seat, clockwise: who plays, who is away, who played last."""
    names = [player.name for player in state.players] + [player.name for player in state.away]
    if state.company is not None:
        names += [seat.name for seat in state.company.players]
    return tuple(dict.fromkeys(names))


def begun(state: State) -> bool:
    """Whether the game has begun: something was bid or counted."""
    if state.phase in (Phase.SEATING, Phase.ROLLING):
        return False
    return state.phase is not Phase.BIDDING or state.bid is not None or (state.round or 0) > 1


class Access:
    """The keys, the phones and the wrong codes of one table."""

    def __init__(
        self, table_keys: Keys, phones: Phones, guesses: WrongCodes, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.code = table_keys.code
        self.clock = clock
        """Monotonic seconds."""
        self.phones = phones
        self.guesses = guesses
        self._token = _signer(table_keys, "phone")
        self._csrf = _signer(table_keys, "csrf")
        self._follow_lock = threading.Lock()
        self._version = 0
        """The version of the newest state."""
        self._last_games: dict[str, object] = {}
        """Player -> the last game with this player in its company."""

    @classmethod
    def of(
        cls,
        folder: Path | None = None,
        code: str = RANDOM_CODE,
        *,
        rng: random.Random | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> Self:
        """The access of the table whose state is in `folder`; None keeps it in memory only.

        `code` is four digits or `RANDOM_CODE`. `rng` draws the code, the secret and the phones' names; by default it is
        the system's.
        """
        rng = rng or random.SystemRandom()
        table_keys = keys.draw(rng, code) if folder is None else keys.load(folder, code, rng)
        phones = Phones(folder, rng=rng, clock=clock)
        if table_keys.drawn:
            phones.clear()  # their tokens are no longer valid: nobody could ever give up their seats
        return cls(table_keys, phones, WrongCodes(clock), clock)

    def follow(self, state: State) -> None:
        """End the claims to seats of players who are no longer in the company at `state`.

        They end once a game without them has begun, so that undoing a new game costs nobody a seat. States may come
        late and out of order: an older one is ignored.
        """
        with self._follow_lock:
            if state.version < self._version:
                return
            self._version = state.version
            game, names = state.game, company(state)
            self._last_games |= dict.fromkeys(names, game)
            if begun(state):
                self._last_games = {name: last for name, last in self._last_games.items() if last == game}
                ended = self.phones.follow(names, stay=self._last_games)
            else:
                ended = self.phones.follow(names, stay=None)
        self.phones.look()
        if ended:
            self.phones.save()  # outside the lock, which taps wait for

    def opens(self, guess: str) -> bool:
        """Whether this is the table's code."""
        return hmac.compare_digest(guess.encode(), self.code.encode())

    def token(self, phone: Phone) -> str:
        """This phone's token."""
        return self._token.sign(f"{phone.id}.{phone.key}").decode()

    def whose(self, token: str) -> Phone | None:
        """The phone with this token; None if it is unknown, forged or no longer valid."""
        if len(token) > _LONGEST_TOKEN:
            return None
        try:
            signed = self._token.unsign(token.encode("utf-8", "replace"))
        except BadSignature:
            return None
        # Base64 can spell the same bytes in several ways; only ours is accepted.
        if not hmac.compare_digest(self._token.sign(signed), token.encode("utf-8", "replace")):
            return None
        name, _, key = signed.decode().partition(".")
        return self.phones.get(name, key)

    def csrf(self, phone: Phone) -> str:
        """The token that this phone's page sends with every change."""
        return self._csrf.get_signature(f"{phone.id}.{phone.key}").decode()

    def visitor(self, request: Request) -> Visitor:
        """The sender of `request`."""
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return Visitor(self.whose(token.strip()), bearer=True)
        return Visitor(self.whose(request.cookies.get(cookie(_port(request)), "")))

    def remember(self, request: Request, response: Response, phone: Phone) -> None:
        """Set the phone's cookie for another year."""
        response.set_cookie(
            cookie(_port(request)), self.token(phone), max_age=YEAR, httponly=True, samesite="Lax", path="/"
        )


def _port(request: Request) -> str:
    return str(request.environ["SERVER_PORT"])


def _signer(table_keys: Keys, purpose: str) -> Signer:
    return Signer(
        table_keys.secret, salt=f"perudo.{purpose}", sep=".", key_derivation="hmac", digest_method=hashlib.sha256
    )
