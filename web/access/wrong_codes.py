"""Rate limits for wrong codes, for each address and for all together.

There are ten thousand codes. An address has three wrong guesses free and then waits, twice as long after each, up to
ten minutes; meanwhile a right code waits too. Wrong codes of all addresses share two allowances: addresses that were
wrong before have twenty and one more a minute, newcomers 380 and one more every ten seconds. So `CODES_AN_HOUR` (820)
codes can be tried in an hour, no matter from how many addresses: one who tries as many finds the code with a chance of
8.2 %, and after the first hour of 4.2 % in each.

The newcomers' allowance is one large stock because an address is a newcomer once. A home network has 253 addresses
beside the box's: whoever takes them all has 253 guesses as a newcomer, which leave 127 for others, and nobody who was
never wrong waits. (In an hour such a guesser tries 333 codes: a chance of 3.3 %.) Of `n` addresses, more than 380,
newcomers wait for (n - 380) times ten seconds at most. No order of those who wait would change that for more: among
thousands of addresses that were never wrong nothing tells the one with the right code, but the answer to a guess.

Who has the QR code never gets here: its secret cannot be guessed, so nothing limits it. That is the only way in for a
newcomer while somebody with hundreds of fresh addresses takes every guess, or while a proxy gives all phones one
address.

All guests of a house may share one /64 of IPv6, and one guest has any number of its addresses. So each counts for
itself, and those that were never wrong share an allowance of their /64: 120 wrong codes, and one more every ten
seconds. So a guest's wrong codes keep nobody else waiting, and a guesser who takes a new address each time delays only
the newcomers of the same /64.

New phones are limited too: an address has `FREE_JOINS` at once, then one every ten seconds.
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
"""Wrong codes of one address before it waits."""
FIRST_WAIT: Final = 2.0
"""Seconds to wait after the first wrong code beyond those; doubled after each further one."""
LONGEST_CODE_WAIT: Final = 600.0
SHARED_CODES: Final = 20
"""Wrong codes that all addresses share which were wrong before."""
SHARED_WAIT: Final = 60.0
"""Seconds until they get one more guess."""
NEWCOMER_CODES: Final = 380
"""Wrong codes that all newcomers share: more than a home network has addresses."""
NETWORK_CODES: Final = 120
"""Wrong codes of the newcomers in one /64 of IPv6."""
NEWCOMER_WAIT: Final = 10.0
"""Seconds until newcomers get one more guess."""
CODES_AN_HOUR: Final = SHARED_CODES + round(3600 / SHARED_WAIT) + NEWCOMER_CODES + round(3600 / NEWCOMER_WAIT)
"""Codes that can be tried in an hour from all addresses."""
FREE_JOINS: Final = 48
"""How many phones may join from one address at once."""
JOIN_WAIT: Final = 10.0
"""Seconds until one more phone may join."""
REMEMBERED_ADDRESSES: Final = 1024
"""The most addresses that are remembered; the one that guessed longest ago is forgotten first."""


def address_of(address: str) -> str:
    """`address` as it is written shortest, without the name of an interface; IPv4 in IPv6 as IPv4."""
    found = _parsed(address)
    return address if found is None else str(found)


def network_of(address: str) -> str:
    """The key that an address is counted by: itself, or its /64 network for IPv6."""
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
    """When it may guess again."""


class WrongCodes:
    """The wrong codes so far. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._addresses: dict[str, _Address] = {}
        self._networks: dict[str, Allowance] = {}
        """IPv6 /64 -> what its newcomers share."""
        self._joins = Allowances(FREE_JOINS, JOIN_WAIT, clock)
        self._repeaters = Allowance(SHARED_CODES, SHARED_WAIT, clock())
        self._newcomers = Allowance(NEWCOMER_CODES, NEWCOMER_WAIT, clock())

    def __len__(self) -> int:
        return max(len(self._addresses), len(self._joins))

    def wait(self, address: str, right: bool) -> float:
        """Count a guess from `address`: 0.0 if it counts, and the answer may say whether it was `right`.

        Otherwise the seconds until this address may guess again; the guess then has no effect, right or wrong.
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
        """Count one more phone from `address`: 0.0 if it may join, otherwise the seconds until it may."""
        return self._joins.spend(network_of(address))


def slow_down(message: Message, seconds: int) -> RequestError:
    """The refusal (429) of what is allowed again in `seconds`."""
    return RequestError(message, code="slow-down", headers={"Retry-After": str(seconds)})


def _remember(addresses: dict[str, Entry], name: str, entry: Entry) -> None:
    addresses[name] = entry
    if len(addresses) > REMEMBERED_ADDRESSES:
        del addresses[next(iter(addresses))]
