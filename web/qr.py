"""The page's address as a QR code, with the table's code in it for those who know it already."""

from __future__ import annotations

import io
import ipaddress
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

import segno
from flask import Blueprint, Response, request

from web.access.access import Access
from web.headers import unkept

Addresses = Callable[[], Sequence[str]]


def invitation(address: str, code: str | None) -> str:
    """The address that joins. The code stands behind a #: browsers keep that to themselves, so it is in no log."""
    return address if code is None else f"{address}#join={code}"


def drawn(text: str) -> bytes:
    """`text` as a QR code, an SVG picture: black on white whatever the page's colours are, as cameras want it."""
    picture = io.BytesIO()
    segno.make(text, micro=False, error="m").save(
        picture, kind="svg", border=4, dark="#000", light="#fff", svgclass=None, lineclass=None, omitsize=True
    )
    return picture.getvalue()


def reached_by(host_url: str, addresses: Sequence[str]) -> str:
    """The address to hand on: the one by which the page was reached, where that is a number other phones can use.

    Old Androids know no names that end in .local, so a number is better than a name.
    """
    try:
        usable = not ipaddress.ip_address(urlsplit(host_url).hostname or "").is_loopback
    except ValueError:
        usable = False
    return host_url if usable or not addresses else addresses[0]


def register(api: Blueprint, access: Access, addresses: Addresses) -> None:
    """Add `/qr.svg` to `api`."""

    @api.get("/qr.svg")
    def qr() -> Response:
        joined = access.visitor(request).phone is not None
        code = access.code if joined and request.args.get("code") == "1" else None
        address = reached_by(request.host_url, addresses())
        return unkept(Response(drawn(invitation(address, code)), mimetype="image/svg+xml"))
