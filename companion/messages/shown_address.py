"""An address as it may be shown: of what else stands in it, any part may be a password."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

_ADDRESS: Final = re.compile(r"\b([A-Za-z][A-Za-z0-9+.-]*)://([^\s\"\\]+(?:\\.[^\s\"\\]*)*)")
"""Scheme and the rest, up to a space or the quotation mark that ends it."""
_BARE: Final = re.compile(r"([\w.-]+|\[[0-9A-Fa-f:.]+\])(:\d+)?/?[\W_]{0,3}")
"""A host, perhaps its port, and the signs of the sentence after it."""


def shown_address(address: str) -> str:
    """Scheme and host of an address; what has no scheme stays."""
    scheme, colon, _ = address.partition("://")
    if not colon:
        return address
    try:
        parts = urlsplit(address)
        host = "" if parts.port == 0 else parts.hostname or ""
    except ValueError:  # what stands in the port's place is none
        host = ""
    if not re.fullmatch(r"[\w.:-]+", host):
        host = ""
    return f"{scheme}://{f'[{host}]' if ':' in host else host}"


def holds_more_than_host(address: str) -> bool:
    """True if an address has more than a scheme, a host and a port."""
    found = _ADDRESS.fullmatch(address)
    return "://" in address and (found is None or not _BARE.fullmatch(found[2]))


def without_addresses(text: str, mark: str = "") -> str:
    """A text in which every address is as it may be shown, with `mark` after it.

    One that is no more than a host and its port stays.
    """
    return _ADDRESS.sub(
        lambda found: found[0] if _BARE.fullmatch(found[2]) else f"{shown_address(found[0])}{mark}", text
    )
