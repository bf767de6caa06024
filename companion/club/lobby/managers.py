"""Who may run a club's tournaments: phones that know the code which the hub prints at its start.

A change that is sent with an idempotency key counts once: who got no answer sends it again with the same key.
"""

from __future__ import annotations

import math
from typing import Annotated, Final

from flask import Blueprint, Response, request
from msgspec import Meta, Struct

from companion.messages.message import Message
from web.access.access import Access
from web.access.once import Once
from web.access.phones import Phone
from web.errors import RequestError
from web.headers import CSRF, IDEMPOTENCY_KEY

_OF_STRANGERS: Final = frozenset({"lobby.join", "lobby.manage"})
"""Endpoints that are open to who is no manager; the same request twice does the same as once."""


class ManageClub(Struct, frozen=True, forbid_unknown_fields=True):
    """A phone wants to run the tournaments."""

    code: Annotated[str, Meta(min_length=1, max_length=64, description="Four digits, which the hub prints.")]


class Managers:
    """The phones that run the tournaments."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._once = Once()

    def register(self, api: Blueprint) -> None:
        """Check that every change that comes to `api` is a manager's; with a key it counts once."""
        api.before_request(self._check)
        api.after_request(self._once.remember)

    def _check(self) -> Response | None:
        if request.method != "POST" or request.endpoint in _OF_STRANGERS:
            return None
        visitor = self._access.visitor(request)
        phone = _manager(visitor.phone)
        if not visitor.bearer and not self._access.shows_csrf(request, phone):
            raise RequestError(
                f"A change needs the header {CSRF}, with the csrf of {request.root_path}/api/v1/club.", code="csrf"
            )
        if IDEMPOTENCY_KEY not in request.headers:
            return None
        return self._once.begin(phone, Message("The club is still busy with that tap."))

    def admit(self, code: str) -> Phone:
        """The phone, which now is a manager's. Raises `RequestError` for a wrong code, or too many of them."""
        access, right = self._access, self._access.opens(code) or self._access.invites(code)
        if wait := math.ceil(access.wrong_codes.wait(request.remote_addr or "", right)):
            raise RequestError(
                Message("Too many wrong codes. Wait {seconds} s, then try again.", seconds=wait),
                code="slow-down",
                headers={"Retry-After": str(wait)},
            )
        if not right:
            raise RequestError(
                Message("That is not the club's code. The hub prints it at its start."), code="wrong-code"
            )
        return access.visitor(request).phone or access.phones.join()

    def phone(self) -> Phone | None:
        """The manager who asks; None for everybody else."""
        return self._access.visitor(request).phone

    def csrf(self, phone: Phone) -> str:
        return self._access.csrf(phone)

    def remember(self, response: Response, phone: Phone) -> None:
        """Set the phone's cookie for another year."""
        self._access.remember(request, response, phone)

    def check_phone(self) -> None:
        """Raise `RequestError` unless a manager asks."""
        _manager(self.phone())


def _manager(phone: Phone | None) -> Phone:
    """The manager's phone. Raises `RequestError` for anybody else's."""
    if phone is None:
        raise RequestError(Message("Only who knows the club's code does that."), code="not-host")
    return phone
