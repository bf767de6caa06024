"""Checks that Debian's mirror can be reached, and sets the clock by it.

apt rejects lists signed in its future (`Check-Date` does not change that in Debian 13), and a Pi has no clock of its
own. If the time servers are blocked, the clock is set from the mirror's answer.
"""

from __future__ import annotations

import re
import time
import urllib.request
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from pathlib import Path
from typing import Final
from urllib.error import HTTPError

from companion.bootstrap import apt
from companion.box.first_start_report import Hindrance

SYNCHRONIZED: Final = Path("/run/systemd/timesync/synchronized")
"""Exists once systemd-timesyncd has set the clock."""
CLOCK_PATIENCE: Final = 60
"""Seconds to wait for the time servers."""
LATE: Final = 60.0
"""Seconds that the clock may be slow."""
SIGNED: Final = b"-----BEGIN PGP SIGNED MESSAGE-----"
"""The beginning of a list of packages."""
ANSWER_TIMEOUT: Final = 20.0
"""In seconds."""


def lists() -> list[str]:
    """The addresses of the signed lists that apt fetches over http.

    Lists over https are useless to a Pi whose clock is slow: their certificates are not valid yet.
    """
    _, output = apt.quietly(["apt-get", "update", "--print-uris"])
    return re.findall(r"'(http://[^' ]+/InRelease)'", output)


def ask(address: str) -> float | Hindrance:
    """The time by the mirror's clock, in seconds since 1970, or why it has not answered."""
    try:
        with urllib.request.urlopen(address, timeout=ANSWER_TIMEOUT) as answer:
            if answer.read(len(SIGNED)) != SIGNED:
                return Hindrance.LOGIN
            return parsedate_to_datetime(answer.headers["Date"]).timestamp()
    except HTTPError:
        return Hindrance.LOGIN
    except (OSError, HTTPException, ValueError, TypeError):
        return Hindrance.OFFLINE


def set_clock(addresses: list[str], say: Callable[[str], None], sleep: Callable[[float], None]) -> Hindrance | None:
    """If the clock is slow, wait until the time servers have set it, else set it from a mirror's answer.

    Returns why no mirror answers, or None. Without addresses nothing is asked.
    """
    answers = []
    for address in addresses:
        there = ask(address)
        answers.append(there)
        if isinstance(there, Hindrance):
            continue
        if there - time.time() > LATE:
            say("the clock is late: waiting for the time servers ...")
            begun = time.monotonic()
            for _ in range(CLOCK_PATIENCE):
                if SYNCHRONIZED.exists():
                    return None
                sleep(1)
            there += time.monotonic() - begun
            late = there - time.time()
            if late > LATE:
                time.clock_settime(time.CLOCK_REALTIME, there)
                say(
                    f"no time server answers: the clock was {late / 3600:.1f} hours late and has the mirror's time now."
                )
        return None
    if not answers:
        return None
    return Hindrance.LOGIN if Hindrance.LOGIN in answers else Hindrance.OFFLINE
