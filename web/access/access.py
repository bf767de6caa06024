"""Identifies the sender of a request: by the table's code or invitation, then by the phone's signed token.

A token contains the phone's id and key, and is signed. A page stores it in a cookie that scripts cannot read, and sends
a second signature, the CSRF token, with every change. A program sends the token itself as a bearer token.
"""

from __future__ import annotations

import hashlib
import hmac
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from flask import Request, Response
from itsdangerous import Signer

from companion.config import RANDOM_CODE
from web.access import keys
from web.access.phones import Phone, Phones
from web.access.wrong_codes import WrongCodes
from web.errors import CSRF
from web.stream.wsgi import HTTP_PORT

YEAR: Final = 365 * 24 * 3600


def cookie(port: str) -> str:
    """The name of the cookie for this port. A browser shares a host's cookies between all ports."""
    return f"perudo_phone_{port}"


@dataclass(frozen=True, slots=True)
class Visitor:
    """The sender of a request."""

    phone: Phone | None
    """None before it joins."""
    bearer: bool = False
    """True if a program sent its token itself, which a page of another site cannot cause."""


class Access:
    """The keys, the phones and the wrong codes of one table."""

    def __init__(
        self,
        folder: Path | None = None,
        code: str = RANDOM_CODE,
        *,
        rng: random.Random | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """The access to the table whose state is in `folder`; None keeps it in memory only.

        `code` is four digits or `RANDOM_CODE`. `rng` draws the keys and the phones' names; by default it is the
        system's. `clock` returns monotonic seconds.
        """
        rng = rng or random.SystemRandom()
        table_keys = keys.draw(rng) if folder is None else keys.load(folder, rng)
        self.code = code if keys.is_code(code) else table_keys.code
        self.invitation = table_keys.invitation
        self.clock = clock
        self.phones = Phones(folder, rng=rng, clock=clock)
        self.wrong_codes = WrongCodes(clock)
        self._token = _signer(table_keys.secret, "phone")
        self._csrf = _signer(table_keys.secret, "csrf")
        if table_keys.drawn:
            self.phones.clear()  # their tokens are no longer valid, so nobody could ever give up their seats

    def opens(self, guess: str) -> bool:
        """True if this is the table's code."""
        return hmac.compare_digest(guess.encode(), self.code.encode())

    def invites(self, guess: str) -> bool:
        """True if this is the secret in the table's QR code."""
        return hmac.compare_digest(guess.encode(), self.invitation.encode())

    def token(self, phone: Phone) -> str:
        return self._token.sign(f"{phone.id}.{phone.key}").decode()

    def whose(self, token: str) -> Phone | None:
        """The phone with this token; None if it is unknown, forged or no longer valid."""
        signed = token.encode("utf-8", "replace")
        name_and_key, _, _ = signed.rpartition(b".")
        # Not `unsign`: base64 can spell the same signature in several ways, and only ours is accepted.
        if not hmac.compare_digest(self._token.sign(name_and_key), signed):
            return None
        name, _, key = name_and_key.decode().partition(".")
        return self.phones.get(name, key)

    def csrf(self, phone: Phone) -> str:
        """The CSRF token of a phone, which its page sends with every change."""
        return self._csrf.get_signature(f"{phone.id}.{phone.key}").decode()

    def shows_csrf(self, request: Request, phone: Phone) -> bool:
        """True if `request` has the CSRF token of `phone`."""
        given = request.headers.get(CSRF, "").encode("utf-8", "replace")
        return hmac.compare_digest(given, self.csrf(phone).encode())

    def visitor(self, request: Request) -> Visitor:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return Visitor(self.whose(token.strip()), bearer=True)
        # A phone that changes from http to https keeps its identity: a browser shares the cookies of a host.
        ports = dict.fromkeys((_port(request), str(request.environ.get(HTTP_PORT, ""))))
        found = (self.whose(request.cookies.get(cookie(port), "")) for port in ports)
        return Visitor(next((phone for phone in found if phone is not None), None))

    def remember(self, request: Request, response: Response, phone: Phone) -> None:
        """Renew the phone's cookie for another year."""
        response.set_cookie(
            cookie(_port(request)),
            self.token(phone),
            max_age=YEAR,
            secure=request.is_secure,
            httponly=True,
            samesite="Lax",
            path="/",
        )


def _port(request: Request) -> str:
    return str(request.environ["SERVER_PORT"])


def _signer(secret: bytes, purpose: str) -> Signer:
    return Signer(secret, salt=f"perudo.{purpose}", sep=".", key_derivation="hmac", digest_method=hashlib.sha256)
