"""What a card's first start has not installed yet. Root writes this report into the state folder; the doctor reads it.

Standard library only: the first start runs before anything is installed.
"""

from __future__ import annotations

import json
import os
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

REPORT_FILE: Final = "first-start.json"
FIRST_START_DONE: Final = "/var/lib/perudo-first-start"
"""Exists once the first start has finished: perudo-first-start.service then does not start it again."""


class Hindrance(StrEnum):
    """Why Debian's packages are missing."""

    OFFLINE = "offline"
    """The box is not on the internet."""
    LOGIN = "login"
    """The network answers in place of the internet: it requires a login on its own page."""
    APT = "apt"
    """apt-get could not install them."""


class FirstStartReport(NamedTuple):
    """What is missing, and why."""

    missing: tuple[str, ...]
    """Names as in `companion.bootstrap.apt.Need`."""
    hindrance: Hindrance
    said: str = ""
    """apt-get's output."""


def write_report(state: Path, report: FirstStartReport) -> None:
    """Write the report into the state folder. Raises `OSError`."""
    new = state / f".{REPORT_FILE}.new"
    new.write_text(json.dumps(report._asdict()), encoding="utf-8")
    new.chmod(0o644)
    new.replace(state / REPORT_FILE)
    os.sync()


def parse_report(content: bytes) -> FirstStartReport:
    """Parse the report. Raises `ValueError`, `LookupError` or `TypeError` if it is damaged."""
    found = json.loads(content)
    return FirstStartReport(tuple(map(str, found["missing"])), Hindrance(found["hindrance"]), str(found["said"]))
