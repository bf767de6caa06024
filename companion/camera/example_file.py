"""The examples on disk: an SQLite file of limited size with the data and pictures of dice.

When it is full, pictures are deleted first: the oldest of undisputed dice, then the oldest of the others. The data
stays as long as there is room.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from companion.camera.examples import DieExample
from companion.kept_database import check_header, connect, tells_of_damage
from companion.kept_file import set_aside
from companion.messages.sentence import read_json
from companion.table.game.judged_dice import Feedback
from companion.table.journal.picture_folder import DISK_RESERVE, MEGABYTE, check_free
from vision.doubt_threshold import DieEvidence

log = logging.getLogger(__name__)

EXAMPLE_FILE: Final = Path("examples") / "dice.sqlite3"
"""In the state folder."""

MOST_EXAMPLES: Final = 200 * MEGABYTE
"""In bytes."""

_VERSION: Final = 1
_APPLICATION: Final = 0x50445845
"""SQLite's application id: "PDXE"."""
_SCHEMA: Final = f"""
BEGIN IMMEDIATE;
CREATE TABLE example (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    reading INTEGER NOT NULL,
    networks TEXT NOT NULL,
    undisputed INTEGER NOT NULL,
    die TEXT NOT NULL
) STRICT;
CREATE TABLE picture (example INTEGER PRIMARY KEY, jpeg BLOB NOT NULL) STRICT;
PRAGMA user_version = {_VERSION};
PRAGMA application_id = {_APPLICATION};
COMMIT;
"""
_PATIENCE: Final = 1.0
"""Seconds to wait for another program that reads the file."""
_ROW: Final = 2048
"""An upper bound, in bytes, of a die's row without its picture and of what a picture wastes in its last page."""
_AT_ONCE: Final = 20
"""The number of examples deleted together to make room."""
_LEAST_NEEDED: Final = (
    "DELETE FROM picture WHERE example IN "
    "(SELECT id FROM example JOIN picture ON example = id WHERE undisputed ORDER BY id LIMIT ?)",
    "DELETE FROM picture WHERE example IN (SELECT example FROM picture ORDER BY example LIMIT ?)",
    "DELETE FROM example WHERE id IN (SELECT id FROM example ORDER BY id LIMIT ?)",
)
"""The statements that make room; each is used only when those before it change nothing."""


class ExampleFileError(RuntimeError):
    """The examples cannot be read or written. The message says why."""


@dataclass(frozen=True, slots=True)
class ExampleSummary:
    """What is in the file."""

    dice: int
    said: int
    """The number of dice that players said something about."""
    bytes: int


class ExampleFile:
    """The examples of one box. Every method raises `ExampleFileError`. The file is open only while a method runs."""

    def __init__(self, path: Path, most: int = MOST_EXAMPLES, reserve: int = DISK_RESERVE) -> None:
        """Keep at most `most` bytes, and leave `reserve` bytes of the disk free. `keep` creates the file."""
        self.path = path
        self._most = most
        self._reserve = reserve

    def keep(self, examples: Sequence[tuple[DieExample, bytes]], networks: str, instead_of: int | None = None) -> int:
        """Write the dice of one reading, each with its JPEG picture, all or none. Returns the reading's number in the
        file.

        networks: the id of the networks that read them (`vision.models.integrity.networks_id`). instead_of: the reading
        to replace.
        """
        size = sum(len(picture) + _ROW for _, picture in examples)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            check_free(self.path.parent, self._reserve + size)
        except OSError as error:
            raise ExampleFileError(f"{self.path} cannot be written: {error.strerror or error}.") from error
        with self._open("rwc") as database, database:
            database.execute("BEGIN IMMEDIATE")
            database.execute(
                "DELETE FROM picture WHERE example IN (SELECT id FROM example WHERE reading = ?)", (instead_of,)
            )
            database.execute("DELETE FROM example WHERE reading = ?", (instead_of,))
            self._make_room(database, size)
            (last,) = database.execute("SELECT COALESCE(MAX(reading), 0) FROM example").fetchone()
            number = instead_of or int(last) + 1
            for die, picture in examples:
                row = database.execute(
                    "INSERT INTO example (reading, networks, undisputed, die) VALUES (?, ?, ?, ?)",
                    (number, networks, die.word is Feedback.UNDISPUTED, msgspec.json.encode(die).decode()),
                ).lastrowid
                database.execute("INSERT INTO picture (example, jpeg) VALUES (?, ?)", (row, picture))
        return number

    def evidence(self, networks: str) -> list[DieEvidence]:
        """What the dice read by these networks say about the doubt threshold; empty without a file."""
        with self._read() as database:
            rows = database.execute("SELECT die FROM example WHERE networks = ? ORDER BY id", (networks,)).fetchall()
        dice = (self._die(die) for (die,) in rows)
        return [die.evidence for die in dice if die is not None and die.evidence is not None]

    def pictures(self) -> list[tuple[str, DieExample, bytes]]:
        """The examples whose pictures are left, oldest first, each with a file name."""
        with self._read() as database:
            rows = database.execute(
                "SELECT id, reading, die, jpeg FROM example JOIN picture ON example = id ORDER BY id"
            ).fetchall()
        found = ((f"{reading}-{number}.jpg", self._die(die), picture) for number, reading, die, picture in rows)
        return [(name, die, picture) for name, die, picture in found if die is not None and type(picture) is bytes]

    def summary(self) -> ExampleSummary:
        with self._read() as database:
            dice, said = database.execute("SELECT COUNT(*), COUNT(*) - TOTAL(undisputed) FROM example").fetchone()
            (size,) = database.execute(
                "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
            ).fetchone()
        return ExampleSummary(int(dice), int(said), int(size))

    def _die(self, text: object) -> DieExample | None:
        """The example; None if it is damaged."""
        try:
            return read_json(str(text).encode(), DieExample)
        except ValueError as error:
            log.warning("%s has an example that cannot be read: %s", self.path, error)
            return None

    def _make_room(self, database: sqlite3.Connection, size: int) -> None:
        """Make room for `size` bytes."""
        (page,) = database.execute("PRAGMA page_size").fetchone()
        database.execute(f"PRAGMA max_page_count = {self._most // page}")
        while True:
            (pages,) = database.execute("PRAGMA page_count").fetchone()
            (free,) = database.execute("PRAGMA freelist_count").fetchone()
            if (pages - free) * page + size <= self._most:
                return
            gone = any(database.execute(statement, (_AT_ONCE,)).rowcount for statement in _LEAST_NEEDED)
            if not gone:
                return

    @contextmanager
    def _read(self) -> Iterator[sqlite3.Connection]:
        """Open the file for reading; an empty database if there is none."""
        if self.path.exists():
            with self._open("ro") as database:
                yield database
        else:
            with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
                database.executescript(_SCHEMA)
                yield database

    @contextmanager
    def _open(self, mode: str) -> Iterator[sqlite3.Connection]:
        try:
            uri = f"{self.path.absolute().as_uri()}?mode={mode}"
            with closing(connect(uri, uri=True, isolation_level=None, timeout=_PATIENCE)) as database:
                (version,) = database.execute("PRAGMA user_version").fetchone()
                (owner,) = database.execute("PRAGMA application_id").fetchone()
                (tables,) = database.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
                check_header(self.path)
                if (version, owner, tables) == (0, 0, 0) and mode == "rwc":
                    database.executescript(_SCHEMA)
                elif (version, owner) != (_VERSION, _APPLICATION):
                    raise ExampleFileError(f"{self.path} is another program's, or a newer version's.")
                yield database
        except sqlite3.Error as error:
            if tells_of_damage(error):
                set_aside(self.path, error, "Others are kept from now on.")
            raise ExampleFileError(f"{self.path} cannot be used: {error}.") from error
