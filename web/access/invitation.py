"""The page's address for other phones, as a link and a QR code, also with the table's invitation."""

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
    """The link that joins with `code`: the table's code, or the secret of its QR code.

    Browsers do not send the part after #, so it appears in no log.
    """
    return address if code is None else f"{address}#join={code}"


def qr_svg(text: str) -> bytes:
    """`text` as a QR code in SVG: black on white, the way cameras need it."""
    picture = io.BytesIO()
    segno.make(text, micro=False, error="m").save(
        picture, kind="svg", border=4, dark="#000", light="#fff", svgclass=None, lineclass=None, omitsize=True
    )
    return picture.getvalue()


def address_for(host_url: str, addresses: Sequence[str]) -> str:
    """The address for other phones: the one used for this request if it is an IP address they can use.

    Old Android phones do not resolve .local names, so an IP address is better than a name.
    """
    try:
        address = ipaddress.ip_address(urlsplit(host_url).hostname or "")
        usable = not (address.is_loopback or (address.version == 6 and address.is_link_local))
    except ValueError:
        usable = False
    return host_url if usable or not addresses else addresses[0]


def http_url() -> str:
    """The http address of this request's page: new phones should not see a certificate warning."""
    if not request.is_secure or HTTP_PORT not in request.environ:
        return request.host_url
    host = urlsplit(request.host_url).hostname or ""
    return f"http://{f'[{host}]' if ':' in host else host}:{request.environ[HTTP_PORT]}/"


def own_address() -> Sequence[str]:
    """The addresses of the page, if only this request shows them."""
    return [http_url()]
