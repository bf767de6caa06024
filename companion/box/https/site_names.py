"""The names and addresses that the box's certificates may be for. They mean something only inside a house."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

PERMITTED_DOMAINS: Final = ("local", "lan", "home", "home.arpa", "internal", "localhost")
"""Nobody can register a name under these."""

PERMITTED_NETWORKS: Final = tuple(
    map(
        ipaddress.ip_network,
        (
            *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"),
            *("fc00::/7", "fe80::/10", "::1/128"),
        ),
    )
)
"""Addresses that belong to nobody outside the house."""

ALWAYS: Final = ("localhost", "127.0.0.1", "::1")


def site_names(urls: Iterable[str], names: Iterable[str]) -> tuple[str, ...]:
    """The hosts of the page's addresses, the machine's `names` and localhost, as far as a certificate may name them."""
    hosts = {*(urlsplit(url).hostname or "" for url in urls), *names, *ALWAYS}
    return tuple(sorted({normal(host) for host in hosts if may_be_certified(host)}))


def may_be_certified(host: str) -> bool:
    """Whether a name or an address is within the limits of the box's authority."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        labels = host.lower().split(".")
        plain = host.isascii() and all(each and set(each) <= _LETTERS for each in labels) and len(host) <= 253
        return plain and any(f".{host.lower()}".endswith(f".{domain}") for domain in PERMITTED_DOMAINS)
    return any(address in network for network in PERMITTED_NETWORKS)


def is_address(host: str) -> bool:
    """Whether it is a number and not a name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def normal(host: str) -> str:
    """A name or an address in its one usual form: openssl writes ::1 as 0:0:0:0:0:0:0:1."""
    return str(ipaddress.ip_address(host)) if is_address(host) else host.lower()


_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
