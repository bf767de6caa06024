"""What the first start of a card has not installed yet. Root writes it into the state folder, and the doctor reads it.

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
"""The first start has come to its end: perudo-first-start.service starts it no more."""


class Hindrance(StrEnum):
    """Why Debian's packages are not there."""

    OFFLINE = "offline"
    """The box is not on the internet."""
    LOGIN = "login"
    """The network answers in the internet's place: it wants a login on a page of its own."""
    APT = "apt"
    """apt-get could not install them."""


class FirstStartReport(NamedTuple):
    """What lacks, and why."""

    missing: tuple[str, ...]
    """As `companion.bootstrap.apt.Need` calls it."""
    hindrance: Hindrance
    said: str = ""
    """What apt-get said."""


def write_report(state: Path, report: FirstStartReport) -> None:
    """Write it into the state folder. Raises `OSError`."""
    new = state / f".{REPORT_FILE}.new"
    new.write_text(json.dumps(report._asdict()), encoding="utf-8")
    new.chmod(0o644)
    new.replace(state / REPORT_FILE)
    os.sync()


def parse_report(content: bytes) -> FirstStartReport:
    """The report in a file's content. Raises `ValueError`, `LookupError` or `TypeError` if it is damaged."""
    found = json.loads(content)
    return FirstStartReport(tuple(map(str, found["missing"])), Hindrance(found["hindrance"]), str(found["said"]))
