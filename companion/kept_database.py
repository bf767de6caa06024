"""An SQLite file in the state folder that a worn card may have damaged."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, Final

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
"""SQLite's result codes for trouble with the disk or another program rather than with the file's content."""


class KeptDatabase(sqlite3.Connection):
    """A connection to a file that may be damaged: it raises only `sqlite3.Error`.

    SQLite quotes the file in its errors, and Python cannot decode text that is not UTF-8. Bytes that are not UTF-8
    become lone surrogates, which our texts never contain.
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
    """Like `sqlite3.connect`."""
    return sqlite3.connect(path, factory=KeptDatabase, **options)


def check_header(path: Path) -> None:
    """Raise `sqlite3.DatabaseError` if the header says that only a later SQLite may write this file.

    SQLite would read such a file, but never write it. Also raises `OSError`.
    """
    with path.open("rb") as file:
        if (version := file.read(19)[18:]) > b"\2":
            damage = sqlite3.DatabaseError(f"its header names the format {version[0]}, which is none")
            damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise damage


def _any_text(value: bytes) -> str:
    return value.decode("utf-8", "surrogateescape")


def primary_code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 if there is none."""
    return int(getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF


def tells_of_damage(error: sqlite3.Error) -> bool:
    """True if the error concerns the file's content rather than the disk or another program."""
    return primary_code(error) not in _OF_THE_MOMENT
