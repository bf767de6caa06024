"""Who a request comes from: the table's code, and the signed token that a phone gets for it.

A token is the phone's name and key with a signature of both. The page has it as a cookie that scripts cannot read, and
sends a second signature, the CSRF token, with every change; a program sends the token itself, as a bearer.
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
from companion.table.game.position import Phase
from web.access import keys
from web.access.keys import Keys
from web.access.phones import Phone, Phones
from web.access.wrong_codes import WrongCodes

YEAR: Final = 365 * 24 * 3600
_LONGEST_TOKEN: Final = 200


def cookie(port: str) -> str:
    """The name of the cookie at this port: a browser has the cookies of one host for all its ports."""
    return f"perudo_phone_{port}"


@dataclass(frozen=True, slots=True)
class Visitor:
    """Whoever sent a request."""

    phone: Phone | None
    """None while it has not joined."""
    bearer: bool = False
    """Whether it is a program, that sent its token itself: no other page can have made it do that."""


def company(state: State) -> tuple[str, ...]:
    """Everybody who has a seat in this state, clockwise: who plays, who has left and may come back, who played last."""
    names = [player.name for player in state.players] + [player.name for player in state.away]
    if state.company is not None:
        names += [seat.name for seat in state.company.players]
    return tuple(dict.fromkeys(names))


def begun(state: State) -> bool:
    """Whether anything was bid or counted in this game yet."""
    if state.phase in (Phase.SEATING, Phase.ROLLING):
        return False
    return state.phase is not Phase.BIDDING or state.bid is not None or (state.round or 0) > 1


class Access:
    """The keys, the phones, and the wrong codes of one table."""

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
        self._following = threading.Lock()
        self._followed = 0
        """The version of the newest state that was followed."""
        self._played: dict[str, object] = {}
        """Player -> the last game in whose company that player was."""

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

        `code` is four digits, or `RANDOM_CODE`. `rng` draws the code, the secret and the names of phones: the
        system's own randomness where none is given. `clock` gives monotonic seconds.
        """
        rng = rng or random.SystemRandom()
        table_keys = keys.draw(rng, code) if folder is None else keys.load(folder, code, rng)
        phones = Phones(folder, rng=rng, clock=clock)
        if table_keys.drawn:
            phones.clear()  # with their tokens gone, they would be hosts and have seats for ever
        return cls(table_keys, phones, WrongCodes(clock), clock)

    def follow(self, state: State) -> None:
        """The table has come to `state`: claims of players who are no longer in the company end.

        They end when a game without them has begun, not before: a new game that is taken back costs nobody a seat.
        Streams tell states late and out of order, so one that is older than the newest followed is passed over.
        """
        with self._following:
            if state.version < self._followed:
                return
            self._followed = state.version
            game, names = state.game, company(state)
            self._played |= dict.fromkeys(names, game)
            if begun(state):
                self._played = {name: last for name, last in self._played.items() if last == game}
                ended = self.phones.follow(names, stay=self._played)
            else:
                ended = self.phones.follow(names, stay=None)
        self.phones.look()
        if ended:
            self.phones.save()  # with no lock that a tap waits for

    def opens(self, guess: str) -> bool:
        """Whether this is the table's code."""
        return hmac.compare_digest(guess.encode(), self.code.encode())

    def token(self, phone: Phone) -> str:
        """What this phone is known by from now on."""
        return self._token.sign(f"{phone.id}.{phone.key}").decode()

    def whose(self, token: str) -> Phone | None:
        """Whose token this is, None where it is nobody's (any more) or not one of ours."""
        if len(token) > _LONGEST_TOKEN:
            return None
        try:
            signed = self._token.unsign(token.encode("utf-8", "replace"))
        except BadSignature:
            return None
        # Base64 has more than one spelling of the same bytes; only ours will do.
        if not hmac.compare_digest(self._token.sign(signed), token.encode("utf-8", "replace")):
            return None
        name, _, key = signed.decode().partition(".")
        return self.phones.get(name, key)

    def csrf(self, phone: Phone) -> str:
        """What this phone's page has to send with every change."""
        return self._csrf.get_signature(f"{phone.id}.{phone.key}").decode()

    def visitor(self, request: Request) -> Visitor:
        """Who sent `request`."""
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return Visitor(self.whose(token.strip()), bearer=True)
        return Visitor(self.whose(request.cookies.get(cookie(_port(request)), "")))

    def remember(self, request: Request, response: Response, phone: Phone) -> None:
        """Give the phone its cookie, for another year."""
        response.set_cookie(
            cookie(_port(request)), self.token(phone), max_age=YEAR, httponly=True, samesite="Lax", path="/"
        )


def _port(request: Request) -> str:
    return str(request.environ["SERVER_PORT"])


def _signer(table_keys: Keys, purpose: str) -> Signer:
    return Signer(
        table_keys.secret, salt=f"perudo.{purpose}", sep=".", key_derivation="hmac", digest_method=hashlib.sha256
    )
