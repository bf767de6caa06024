"""A file of the state folder that a worn card may have damaged: it is set aside, and the box goes on without it.

Whatever is kept is read by `read_kept`, or opened by `connect`. The damaged file stays in its folder, byte for byte,
under another name, and the doctor names it.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")

_ASIDE: Final = ".damaged-"

DAMAGES: Final = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""What a reader raises for content that it cannot understand. A failing disk raises `OSError`."""

_OF_THE_MOMENT: Final = frozenset(
    {
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_ABORT,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_MISUSE,
    }
)
"""SQLite's result codes for trouble with the disk, or with another program, and not with what is in the file."""


def read_kept(path: Path, read: Callable[[bytes], T], loss: str) -> T | None:
    """What `read` makes of the file; None if there is none, or a damaged one, which is set aside.

    `loss`: what the box does without it, as a sentence for the log. Raises `OSError` if it cannot be read now; then it
    stays.
    """
    try:
        return read(path.read_bytes())
    except FileNotFoundError:
        return None
    except DAMAGES as error:
        set_aside(path, error, loss)
    return None


def set_aside(path: Path, why: Exception, loss: str) -> None:
    """Rename a damaged file, with SQLite's files beside it, and log it."""
    *_, aside = asides(path)
    try:
        for end in ("-wal", "-journal", "-shm", ""):
            beside = path.with_name(f"{path.name}{end}")
            if beside.exists():
                beside.rename(f"{aside}{end}")
    except OSError as error:
        log.warning("%s is damaged (%s), and cannot be set aside: %s. %s", path, why, error.strerror, loss)
    else:
        log.warning("%s is damaged (%s), and is now %s. %s", path, why, aside.name, loss)


def asides(path: Path) -> Iterator[Path]:
    """The names of the damaged files that were once `path`, up to the first that is free."""
    for number in count(1):
        aside = path.with_name(f"{path.stem}{_ASIDE}{number}{path.suffix}")
        yield aside
        if not aside.exists():
            return


def is_aside(path: Path) -> bool:
    """True for the name of a file that was set aside."""
    return _ASIDE in path.name


# SQLite


class KeptDatabase(sqlite3.Connection):
    """A connection to a file that may be damaged: it raises `sqlite3.Error` and nothing else.

    SQLite quotes the file in its errors, and Python fails to decode what is no UTF-8. A byte of a text that is none
    becomes a lone surrogate, which no text of ours has.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.text_factory = _any_text

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        try:
            return super().execute(*arguments)
        except UnicodeDecodeError as error:
            damage = sqlite3.DatabaseError(f"its tables are not text: {error.reason}")
            damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise damage from error


def connect(path: Path | str, **options: Any) -> KeptDatabase:
    """As `sqlite3.connect`."""
    return sqlite3.connect(path, factory=KeptDatabase, **options)


def _any_text(value: bytes) -> str:
    return value.decode("utf-8", "surrogateescape")


def primary_code(error: sqlite3.Error) -> int:
    """SQLite's primary result code, 0 if there is none."""
    return int(getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF


def tells_of_damage(error: sqlite3.Error) -> bool:
    """True if an error is about what is in the file, and not about the disk or another program."""
    return primary_code(error) not in _OF_THE_MOMENT
