"""The phones that may run a club's tournaments: those that know the code that the hub prints at its start.

A change with an idempotency key counts once: a phone without an answer sends it again with the same key.
"""

from __future__ import annotations

from flask import Response, request

from companion.messages.message import Message
from web.access.access import Access
from web.access.idempotency import Once
from web.access.join import check_code
from web.access.phones import Phone
from web.endpoints import JSON, Endpoint, Who
from web.errors import CSRF, IDEMPOTENCY_KEY, RequestError, no_store


class Managers:
    """The phones that run the tournaments."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self.once = Once()

    def check(self, endpoint: Endpoint) -> Response | None:
        """Raise `RequestError` unless this request's phone may ask. Returns the earlier answer if the request is
        repeated."""
        if endpoint.who is Who.ANYBODY:
            return None
        visitor = self._access.visitor(request)
        phone = visitor.phone
        if phone is None:
            raise RequestError(Message("Enter the club's code first."), code="not-host")
        if endpoint.method == "GET":
            return None
        if not visitor.bearer and not self._access.shows_csrf(request, phone):
            raise RequestError(
                f"A change needs the header {CSRF}, with the csrf of {request.root_path}/api/v1/club.", code="csrf"
            )
        if IDEMPOTENCY_KEY not in request.headers:
            return None
        return self.once.begin(phone, Message("The club is still busy with that tap."))

    def admit(self, code: str) -> Phone:
        """The phone, now a manager's. Raises `RequestError` for a wrong code, or after too many of them."""
        access = self._access
        check_code(
            access,
            access.opens(code) or access.invites(code),
            Message("Wrong code. The hub prints the right one when it starts."),
        )
        return access.visitor(request).phone or access.phones.join()

    def phone(self) -> Phone | None:
        """The manager's phone of this request; None for any other."""
        return self._access.visitor(request).phone

    def csrf(self, phone: Phone) -> str:
        return self._access.csrf(phone)

    def remember(self, answer: bytes, phone: Phone) -> Response:
        """The answer, with the phone's cookie renewed for a year."""
        response = no_store(Response(answer, mimetype=JSON))
        self._access.remember(request, response, phone)
        return response
