"""The page's address for other phones, and with the table's invitation, as a QR code."""

from __future__ import annotations

import io
import ipaddress
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

import segno
from flask import request

from web.stream.wsgi import HTTP_PORT

Addresses = Callable[[], Sequence[str]]


def invitation(address: str, code: str | None) -> str:
    """The address that joins by `code`: the table's code, or the secret of its QR code.

    Browsers do not send what follows #, so it is in no log.
    """
    return address if code is None else f"{address}#join={code}"


def qr_svg(text: str) -> bytes:
    """`text` as a QR code in SVG, black on white, as cameras want it."""
    picture = io.BytesIO()
    segno.make(text, micro=False, error="m").save(
        picture, kind="svg", border=4, dark="#000", light="#fff", svgclass=None, lineclass=None, omitsize=True
    )
    return picture.getvalue()


def address_for(host_url: str, addresses: Sequence[str]) -> str:
    """The address for other phones: the one the page was reached by, if it is an IP address they can use.

    Old Androids do not resolve .local names, so a number is better than a name.
    """
    try:
        address = ipaddress.ip_address(urlsplit(host_url).hostname or "")
        usable = not (address.is_loopback or (address.version == 6 and address.is_link_local))
    except ValueError:
        usable = False
    return host_url if usable or not addresses else addresses[0]


def http_url() -> str:
    """The address of this request's page over http: whoever joins is not to be met by a warning."""
    if not request.is_secure or HTTP_PORT not in request.environ:
        return request.host_url
    host = urlsplit(request.host_url).hostname or ""
    return f"http://{f'[{host}]' if ':' in host else host}:{request.environ[HTTP_PORT]}/"


def own_address() -> Sequence[str]:
    """Where phones reach the page, where nobody knows better than this request."""
    return [http_url()]
