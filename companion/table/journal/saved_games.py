"""What is kept in a state folder: the games played there, and records brought in from elsewhere.

Read and written past `Journal`, through short connections of its own, so that all of it works while `perudo run` holds
the folder. Reading opens the file for reading only and leaves it as it is, whatever its version.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.engine import EngineError
from companion.engine.record import replay, to_line
from companion.table.errors import JournalError, RecordFileError
from companion.table.game.events import Event, GameOpened, from_json
from companion.table.game.history import by_command, standing
from companion.table.journal.event_file import FILE
from companion.table.journal.journal import Journal, utc_now
from companion.table.journal.schema import APPLICATION_ID, SCHEMA, image
from companion.table.past.games import Game, games, of_record

LARGEST: Final = 16 * 1024 * 1024
"""Bytes of a file with a record. A game of many hours takes a hundredth of it."""

_PATIENCE: Final = 10.0
"""Seconds to wait for a table that writes. Nobody else waits meanwhile."""

_RECORDS_SINCE: Final = 2
"""The version of the journal that first had a place for records, and knew which events one command did."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A game in a state folder."""

    game: Game
    at: str
    """When it was opened, or brought in: ISO 8601, UTC, by the clock of then, which may have been wrong."""
    name: str | None
    """The name of the file it was brought in from; None when it was played here."""

    @property
    def key(self) -> str:
        """What it is called on the command line: "3" is the third game played here, "r1" the first brought in."""
        return str(self.game.number) if self.name is None else f"r{self.game.number}"


@dataclass(frozen=True, slots=True)
class BroughtIn:
    """What became of a record that was to be brought in."""

    key: str
    """The game's `Kept.key`."""
    new: bool
    """Whether it was not there before."""


def journal_file(folder: Path) -> Path:
    """Where the journal of a state folder is."""
    return folder / FILE


def kept(folder: Path) -> list[Kept]:
    """The games played in `folder`, then those brought in, each oldest first; none where there is no journal.

    Raises `JournalError` when the journal cannot be read or understood, or is a newer program's.
    """
    path = journal_file(folder)
    if not _there(path):
        return []
    with reading(path) as database:
        return kept_in(database, path)


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A journal opened for reading, as it is at this moment, while others may write to it.

    Raises `JournalError` when it cannot be read, is another program's or a newer version's.
    """
    try:
        database = _opened(path)
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"{path} cannot be read: {error}.") from error
    with closing(database):
        _check(database, path)
        yield database


def kept_in(database: sqlite3.Connection, path: Path) -> list[Kept]:
    """The games in a journal opened by `reading`; `path` is what its errors call it. Raises `JournalError`."""
    try:
        (version,) = database.execute("PRAGMA user_version").fetchone()
        step = "step" if version >= _RECORDS_SINCE else "NULL"
        rows = database.execute(f"SELECT seq, {step}, at, kind, body FROM event ORDER BY seq").fetchall()
        records = []
        if version >= _RECORDS_SINCE:
            records = database.execute("SELECT id, at, name, lines FROM record ORDER BY id").fetchall()
    except sqlite3.Error as error:
        raise JournalError(f"{path} cannot be read: {error}.") from error
    return [*_played(rows, path), *_brought_in(records, path)]


def _played(rows: Iterable[tuple[int, int | None, str, str, str]], path: Path) -> Iterator[Kept]:
    """The games in the rows of events: (seq, step, at, kind, body)."""
    read: list[tuple[int | None, Event]] = []
    times: dict[int, str] = {}
    for seq, step, at, kind, body in rows:
        event = _event(f"Line {seq} of {path}", kind, body)
        read.append((step, event))
        if isinstance(event, GameOpened):
            times[id(event)] = at  # what stands are these very objects, and `read` keeps them
    try:
        found = games(standing(by_command(read)))
    except (AssertionError, EngineError, LookupError, ValueError) as error:
        raise JournalError(f"{path} does not fit together: {error}.") from error
    for game in found:
        yield Kept(game, times[id(game.opened)], None)


def _brought_in(rows: Iterable[tuple[int, str, str, str]], path: Path) -> Iterator[Kept]:
    """The games in the rows of records: (id, at, name, lines)."""
    for number, at, name, lines in rows:
        try:
            yield Kept(of_record(number, lines.split("\n")), at, name)
        except EngineError as error:
            raise JournalError(f"Record {number} in {path} cannot be replayed: {error}.") from error


def record_lines(content: bytes) -> tuple[str, ...]:
    """The lines of a record, without line ends and as this program writes them, so that the same game is the same text.

    Raises `RecordFileError`, with the line, when it is no record that replays from its first line to its last.
    """
    if len(content) > LARGEST:
        raise RecordFileError(f"This is too large to be the record of a game: over {LARGEST // 2**20} MiB.")
    given = content.split(b"\n")
    if not given[-1]:  # a line end at the end starts no line
        given.pop()
    if not given:
        raise RecordFileError("The file is empty: a record begins with a game line.")
    lines = []
    for step in replay(given):
        if step.error is not None or step.event is None:
            raise RecordFileError(f"Line {step.line}: {step.error}.")
        lines.append(to_line(step.event))
    return tuple(lines)


def bring_in(folder: Path, name: str, content: bytes, now: Callable[[], str] = utc_now) -> BroughtIn:
    """Keep the record of a game from elsewhere; `name` tells where it is from.

    Nothing is kept twice: neither a record that was brought in before, nor one of a game played here.

    Raises `RecordFileError` when it is no record, and `JournalError` when the journal cannot be read or written.
    """
    lines = record_lines(content)
    path = journal_file(folder)
    _made_ready(folder)
    for each in kept(folder):
        if lines in each.game.record:
            return BroughtIn(each.key, new=False)
    try:
        # Not made anew: a journal that was taken away meanwhile is not to be replaced by an empty one.
        uri = f"{path.absolute().as_uri()}?mode=rw"
        with closing(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_PATIENCE)) as database:
            database.execute("PRAGMA synchronous=FULL")
            row = database.execute(
                "INSERT INTO record (at, name, lines) VALUES (?, ?, ?)", (now(), name, "\n".join(lines))
            )
            return BroughtIn(f"r{row.lastrowid}", new=True)
    except sqlite3.Error as error:
        raise JournalError(f"The record could not be written to {path}: {error}.") from error


def _event(where: str, kind: str, body: str) -> Event:
    try:
        return from_json(kind, json.loads(body))
    except ValueError as error:
        raise JournalError(f"{where} cannot be understood: {error}.") from error


def _there(path: Path) -> bool:
    """Whether there is a journal. A file without anything in it is none yet."""
    try:
        return path.stat().st_size > 0
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise JournalError(f"{path} cannot be read: {error.strerror}.") from error


def _made_ready(folder: Path) -> None:
    """A journal of this version in `folder`. One that is held by a running program is of this version already."""
    path = journal_file(folder)
    if _there(path):
        with reading(path) as database:
            (version,) = database.execute("PRAGMA user_version").fetchone()
        if version == SCHEMA:
            return
    Journal(folder).close()


def _opened(path: Path) -> sqlite3.Connection:
    """`path` for reading only, at one moment: what is written from now on is not seen."""
    database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=_PATIENCE)
    try:
        database.execute("BEGIN")
        database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        # SQLite wants to make files of its own beside a journal that nobody has open; here it may not.
        database.close()
        if not path.is_file():
            raise
        return image(path)
    except BaseException:
        database.close()
        raise
    return database


def _check(database: sqlite3.Connection, path: Path) -> None:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    (owner,) = database.execute("PRAGMA application_id").fetchone()
    if owner != APPLICATION_ID:
        raise JournalError(f"{path} is not a journal of perudo's.")
    if version > SCHEMA:
        raise JournalError(
            f"{path} was written by a newer perudo (its version is {version}, this program knows {SCHEMA}). "
            "Update the program."
        )
