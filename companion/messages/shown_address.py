"""Shows addresses without passwords, which any part but scheme and host may contain."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

_ADDRESS: Final = re.compile(r"\b([A-Za-z][A-Za-z0-9+.-]*)://([^\s\"\\]+(?:\\.[^\s\"\\]*)*)")
"""The scheme and the rest, up to a space or the closing quotation mark."""
_BARE: Final = re.compile(r"([\w.-]+|\[[0-9A-Fa-f:.]+\])(:\d+)?/?[\W_]{0,3}")
"""A host, possibly its port, and the punctuation after it."""


def shown_address(address: str) -> str:
    """Scheme and host of an address; text without a scheme is unchanged."""
    scheme, colon, _ = address.partition("://")
    if not colon:
        return address
    try:
        parts = urlsplit(address)
        host = "" if parts.port == 0 else parts.hostname or ""
    except ValueError:  # the port is not a number
        host = ""
    if not re.fullmatch(r"[\w.:-]+", host):
        host = ""
    return f"{scheme}://{f'[{host}]' if ':' in host else host}"


def holds_more_than_host(address: str) -> bool:
    """True if an address has more than a scheme, a host and a port."""
    found = _ADDRESS.fullmatch(address)
    return "://" in address and (found is None or not _BARE.fullmatch(found[2]))


def without_addresses(text: str, mark: str = "") -> str:
    """Replace every address in a text by its shown form, followed by `mark`.

    An address that is only a host and a port is unchanged.
    """
    return _ADDRESS.sub(
        lambda found: found[0] if _BARE.fullmatch(found[2]) else f"{shown_address(found[0])}{mark}", text
    )
