"""The club that a table has joined, in the file club.json of its state folder."""

from __future__ import annotations

import random
import re
import socket
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from calibration.atomic_write import write_atomically
from companion.club.admission import LONGEST_CLUB_TITLE
from companion.club.errors import ClubError
from companion.club.payloads import Slug
from companion.club.topics import SLUG
from companion.messages.message import Message
from companion.messages.sentence import read_json
from companion.state_folder import CLUB_FILE, CONSENT_FILE, TABLE_ID_FILE
from companion.table.commands import Count

HOME_CLUB: Final = "home"
"""The club's id of a table that is in none, and tells a broker at home what it does."""


class Membership(Struct, frozen=True, kw_only=True):
    """A table's place in a club."""

    club: Slug
    title: str
    """What people call the club; empty where it is none."""
    table: Slug
    name: Annotated[str, Meta(max_length=40)]
    """What people call the table."""
    broker: str
    """`mqtt://HOST:PORT` or `mqtts://HOST:PORT`."""
    authority: str = ""
    """As `companion.club.admission.Admission`."""
    username: str = ""
    password: str = ""
    consent: tuple[str, ...] = ()
    """The players who may be named from now on; `companion.club.member.consent` has the history."""
    since: Count = 0
    """The journal's last row when the table joined: games that began before are not told. 0 in files that were written
    before there was this: all are.
    """

    @property
    def in_club(self) -> bool:
        """Whether it is in a club, and not only at home."""
        return self.club != HOME_CLUB


def read_membership(folder: Path) -> Membership | None:
    """The membership of the table in `folder`; None if it is in no club. Raises `ClubError` for a spoilt file."""
    path = folder / CLUB_FILE
    try:
        found = read_json(path.read_bytes(), Membership)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise _unreadable(path, str(error)) from error
    if not found.in_club:
        raise _unreadable(path, "it names no club")
    # Before titles had a bound, a hub could send any.
    return replace(found, title=found.title.strip()[:LONGEST_CLUB_TITLE] or found.club)


def write_membership(folder: Path, membership: Membership) -> None:
    """Keep the membership. Raises `ClubError`."""
    path = folder / CLUB_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(path, msgspec.json.format(msgspec.json.encode(membership)), mode=0o600)
    except OSError as error:
        raise unwritten(path, error) from error


def home_membership(folder: Path, broker: str, rng: random.Random) -> Membership:
    """The membership of a table that is in no club, and tells its own broker what it does; its id is kept."""
    table = table_id(folder, rng)
    return Membership(club=HOME_CLUB, title="", table=table, name=socket.gethostname()[:40], broker=broker)


def table_id(folder: Path, rng: random.Random) -> str:
    """The id of the table in `folder`, drawn the first time and kept. Raises `ClubError`."""
    path = folder / TABLE_ID_FILE
    try:
        table = path.read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        table = ""
    if not re.fullmatch(SLUG, table):
        table = f"t-{rng.getrandbits(32):08x}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_atomically(path, table.encode())
        except OSError as error:
            raise unwritten(path, error) from error
    return table


def forget_membership(folder: Path) -> None:
    """Leave the club. Raises `ClubError`."""
    for path in (folder / CLUB_FILE, folder / CONSENT_FILE):
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise ClubError(
                Message("{file} cannot be removed: {reason}.", file=str(path), reason=error.strerror or str(error))
            ) from error


def unwritten(path: Path, error: OSError) -> ClubError:
    """That a file of the membership could not be written."""
    return ClubError(
        Message("{file} cannot be written: {reason}.", file=str(path), reason=error.strerror or str(error))
    )


def _unreadable(path: Path, reason: str) -> ClubError:
    return ClubError(
        Message("{file} cannot be read ({reason}). Leave the club and join again.", file=str(path), reason=reason)
    )
