"""Rate limits for wrong codes, per address and for all addresses together.

There are ten thousand codes. Each address has three wrong guesses free and then has to wait, twice as long after each
further one, up to ten minutes; a right code has to wait too. Wrong codes of all addresses share two allowances: 20 and
one more per minute for addresses that were wrong before, and 380 and one more every ten seconds for new ones. So at
most `CODES_AN_HOUR` (820) codes can be tried in the first hour, from however many addresses, with a chance of 8.2 % to
find the right one, and of 4.2 % in each further hour.

The allowance of new addresses is one large stock because an address is new only once. A home network has 253 addresses
besides the box's: an attacker who takes them all has 253 guesses as a new address, which leaves 127 for others, so that
nobody who was never wrong has to wait. (In an hour such an attacker tries 333 codes: a chance of 3.3 %.) With `n` new
addresses, more than 380, a new one waits at most (n - 380) times ten seconds. No other order of waiting would help:
among thousands of addresses that were never wrong, only the answer to a guess reveals the one with the right code.

A phone with the QR code is never limited, because its secret cannot be guessed. That is the only way in for a new phone
while somebody with hundreds of fresh addresses uses up every guess, or while a proxy gives all phones one address.

All guests of a house may share one IPv6 /64, and one guest has any number of its addresses. So each address is counted
separately, and those that were never wrong share an allowance of their /64: 120 wrong codes, and one more every ten
seconds. A guest's wrong codes therefore keep nobody else waiting, and an attacker who uses a new address each time
delays only new phones in the same /64.

New phones are limited too: `FREE_JOINS` per address at once, then one every ten seconds.
"""

from __future__ import annotations

import ipaddress
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from companion.messages.message import Message
from web.access.allowance import Allowance, Allowances
from web.errors import RequestError

FREE_CODES: Final = 3
"""Wrong codes of one address before it has to wait."""
FIRST_WAIT: Final = 2.0
"""Seconds to wait after the first wrong code beyond those; doubled after each further one."""
LONGEST_CODE_WAIT: Final = 600.0
SHARED_CODES: Final = 20
"""Wrong codes shared by all addresses that were wrong before."""
SHARED_WAIT: Final = 60.0
"""Seconds until these addresses get one more guess."""
NEWCOMER_CODES: Final = 380
"""Wrong codes shared by all new addresses: more than a home network has."""
NETWORK_CODES: Final = 120
"""Wrong codes shared by the new addresses of one IPv6 /64."""
NEWCOMER_WAIT: Final = 10.0
"""Seconds until new addresses get one more guess."""
CODES_AN_HOUR: Final = SHARED_CODES + round(3600 / SHARED_WAIT) + NEWCOMER_CODES + round(3600 / NEWCOMER_WAIT)
"""Codes that can be tried from all addresses in the first hour."""
FREE_JOINS: Final = 48
"""The number of phones that may join from one address at once."""
JOIN_WAIT: Final = 10.0
"""Seconds until one more phone may join."""
REMEMBERED_ADDRESSES: Final = 1024
"""The most addresses that are remembered; the one that guessed longest ago is forgotten first."""


def address_of(address: str) -> str:
    """The shortest form of `address`, without an interface name; IPv4 mapped into IPv6 as IPv4."""
    found = _parsed(address)
    return address if found is None else str(found)


def network_of(address: str) -> str:
    """The key under which an address is counted: itself, or its /64 network for IPv6."""
    found = _parsed(address)
    if isinstance(found, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((int(found), 64), strict=False))
    return address_of(address)


def _parsed(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return (found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None) or found


Entry = TypeVar("Entry")


@dataclass(slots=True)
class _Address:
    wrong: int
    until: float
    """The time from which it may guess again."""


class WrongCodes:
    """The wrong codes so far. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._addresses: dict[str, _Address] = {}
        self._networks: dict[str, Allowance] = {}
        """IPv6 /64 -> the allowance shared by its new addresses."""
        self._joins = Allowances(FREE_JOINS, JOIN_WAIT, clock)
        self._repeaters = Allowance(SHARED_CODES, SHARED_WAIT, clock())
        self._newcomers = Allowance(NEWCOMER_CODES, NEWCOMER_WAIT, clock())

    def __len__(self) -> int:
        return max(len(self._addresses), len(self._joins))

    def wait(self, address: str, right: bool) -> float:
        """Count a guess from `address`: 0.0 if it counts, and the answer may reveal whether it was `right`.

        Otherwise returns the seconds until this address may guess again; the guess then has no effect, right or wrong.
        """
        with self._lock:
            name, network, now = address_of(address), network_of(address), self._clock()
            before = self._addresses.get(name)
            if before is not None and now < before.until:
                return before.until - now
            allowances = [self._newcomers if before is None else self._repeaters]
            if before is None and network != name:
                ours = self._networks.pop(network, None) or Allowance(NETWORK_CODES, NEWCOMER_WAIT, now)
                _remember(self._networks, network, ours)
                allowances.append(ours)
            if wait := max(each.wait(now) for each in allowances):
                return wait
            self._addresses.pop(name, None)
            if not right:
                for each in allowances:
                    each.take()
                wrong = 1 if before is None else before.wrong + 1
                pause = FIRST_WAIT * 2.0 ** min(wrong - FREE_CODES, 20) if wrong >= FREE_CODES else 0.0
                _remember(self._addresses, name, _Address(wrong, now + min(LONGEST_CODE_WAIT, pause)))
            return 0.0

    def join(self, address: str) -> float:
        """Count a new phone from `address`: 0.0 if it may join, otherwise the seconds until it may."""
        return self._joins.spend(network_of(address))


def slow_down(message: Message, seconds: int) -> RequestError:
    """A refusal (429) that says after how many `seconds` to try again."""
    return RequestError(message, code="slow-down", headers={"Retry-After": str(seconds)})


def _remember(addresses: dict[str, Entry], name: str, entry: Entry) -> None:
    addresses[name] = entry
    if len(addresses) > REMEMBERED_ADDRESSES:
        del addresses[next(iter(addresses))]
