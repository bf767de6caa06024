"""Protects the box: checks the Host header and the origin of changes, and sets the headers of every answer.

The box has no public DNS name, and most phones reach it over plain http, so two attacks matter on a home network: a
page of another site that posts to the box from a player's browser, and DNS rebinding, in which that site's host name
is made to point at the box. Neither can forge `Host`, `Origin` or `Sec-Fetch-Site`.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Iterable, Sequence
from urllib.parse import urlsplit

from flask import Flask, Response, render_template, request

from companion.messages.message import Message
from web.errors import RequestError, no_store

OWN_SUFFIXES = ("lan", "home", "home.arpa", "internal", "localdomain", "fritz.box", "speedport.ip")
"""Suffixes that home routers add to host names. Only makers of routers can register names under them."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def own_names() -> frozenset[str]:
    """This machine's names, in lower case."""
    name = socket.gethostname().lower().rstrip(".")
    short = name.split(".")[0]
    return frozenset({name, short, *(f"{short}.{suffix}" for suffix in OWN_SUFFIXES)} - {""})


def host_allowed(host: str, names: Iterable[str]) -> bool:
    """True if a `Host` header (with or without a port) can only mean this box.

    IP addresses, localhost, names under .local (multicast DNS never leaves the network) and `names` are allowed.
    """
    try:
        address = urlsplit(f"//{host}")
        name, _ = address.hostname, address.port  # either may be malformed
    except ValueError:
        return False
    if not name or "@" in host or "/" in host:
        return False
    name = name.rstrip(".")
    if name in {"localhost", *names} or name.endswith(".local"):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def same_origin(origin: str | None, fetch_site: str | None, scheme: str, host: str) -> bool:
    """True if a change comes from our own page, or from a program, which sends neither header.

    Browsers send `Sec-Fetch-Site` only over https or to localhost, but `Origin` with every POST.
    """
    if fetch_site is not None and fetch_site not in {"same-origin", "none"}:
        return False
    return origin is None or origin.lower() == f"{scheme}://{host}".lower()


def register(
    app: Flask,
    lead: Callable[[], str | None] = lambda: None,
    addresses: Callable[[], Sequence[str]] = tuple,
    more_names: Iterable[str] = (),
) -> None:
    """Check every request to `app`, and set the headers of every answer.

    `lead`: the path to which a phone looking for another host is redirected, as on the box's own Wi-Fi; None refuses
    it. `addresses`: the page's, for a browser that uses another name. `more_names`: other names of the box.
    """
    names = own_names().union(more_names)

    @app.before_request
    def _check() -> Response | None:
        host = request.environ.get("HTTP_HOST", "")
        if not host_allowed(host, names):
            if request.method == "GET" and (address := lead()) is not None:
                return no_store(Response(status=302, headers={"Location": address}))
            here = [each for each in addresses() if host_allowed(urlsplit(each).netloc, names)]
            if here and request.method == "GET" and "text/html" in request.headers.get("Accept", ""):
                return no_store(Response(render_template("wrong-name.html", addresses=here), status=403))
            raise RequestError(
                Message("This box does not go by that name. Use the address that its screen or terminal shows."),
                code="host",
            )
        if request.method in {"GET", "HEAD", "OPTIONS"}:
            return None
        headers = request.headers
        if not same_origin(headers.get("Origin"), headers.get("Sec-Fetch-Site"), request.scheme, host):
            raise RequestError("Only this table's own page may do that.", code="origin")
        return None

    @app.after_request
    def _headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response
