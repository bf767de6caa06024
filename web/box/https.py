"""https on the page `/box`: the box's own certificate, for who wants a screen kept awake."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Final
from urllib.parse import urlsplit

from flask import Flask, Response, request
from msgspec import Meta
from werkzeug.exceptions import NotFound

from companion.messages.sentence import Value
from companion.table.commands import Count
from web.access.guard import HEADERS

if TYPE_CHECKING:
    from companion.secure_page import SecurePage

CERTIFICATE_PATH: Final = "/perudo-ca.crt"


class HttpsState(Value, frozen=True, kw_only=True):
    """Whether the page is there over https, too."""

    openssl: Annotated[bool, Meta(description="Whether the command is installed that makes certificates.")]
    fingerprint: Annotated[
        str | None, Meta(description="SHA-256 of the authority's certificate, which /perudo-ca.crt is; null without.")
    ]
    port: Annotated[Count | None, Meta(description="Where the page is over https; null while it is not.")]
    names: Annotated[tuple[str, ...], Meta(description="The names and addresses that its certificate is for.")]


def register(app: Flask, https: SecurePage | None) -> None:
    """Add the authority's certificate, and let `/box` ask at https whether this device trusts it."""

    @app.after_request
    def _checks_trust(response: Response) -> Response:
        host = urlsplit(f"//{request.host}").hostname or ""
        if request.path == "/box" and re.fullmatch(r"[a-z0-9.-]+", host):
            policy = HEADERS["Content-Security-Policy"]
            response.headers["Content-Security-Policy"] = policy.replace(
                "connect-src 'self'", f"connect-src 'self' https://{host}:*"
            )
        return response

    @app.get(CERTIFICATE_PATH, endpoint="authority")
    def authority() -> Response:
        found = None if https is None else https.certificate()
        if found is None:
            raise NotFound
        response = Response(found, mimetype="application/x-x509-ca-cert")
        response.headers["Cache-Control"] = "no-store"
        # The page asks for it over https from http, which is another origin.
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        return response
