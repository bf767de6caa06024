"""The games in a state folder: played there or imported. Of a damaged journal, the readable ones.

The journal is read and written through short connections beside `Journal`'s, so this works while `perudo run` has the
folder locked. Reading does not change the file, whatever its version.

In a damaged journal, an event that cannot be decoded or does not fit the previous ones ends its game, because nobody
knows what happened there. The games before and after it are kept.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.engine import EngineError
from companion.engine.record import canonical, replay, to_line
from companion.kept_database import connect
from companion.table.errors import DamagedJournalError, JournalError, RecordFileError
from companion.table.game.events import Event, GameOpened
from companion.table.game.history import History, by_command, standing_steps
from companion.table.journal.event_rows import EventRow, commands, event_of_row, event_rows
from companion.table.journal.journal import FILE, Journal, utc_now
from companion.table.journal.schema import APPLICATION_ID, SCHEMA_VERSION, check_plain, in_memory
from companion.table.past.game_summary import GameSummary, game_key, game_summary
from companion.table.past.games import Game, game_of_record, games

log = logging.getLogger(__name__)


def rows_in(database: sqlite3.Connection) -> list[EventRow]:
    """Every row of an event that SQLite can still read, oldest first."""
    found: dict[int, EventRow] = {}
    with suppress(sqlite3.Error):
        forward = event_rows(database)
        for statement in (forward, f"{forward} DESC"):  # from both ends up to the damage
            with suppress(sqlite3.Error):
                for row in map(EventRow._make, database.execute(statement)):
                    if _is_row(row):
                        found.setdefault(row.seq, row)
    return [found[seq] for seq in sorted(found)]


def readable(rows: Iterable[EventRow], where: str) -> tuple[list[EventRow], list[str]]:
    """The rows of complete games, and of games up to the damage, and a sentence for each damage.

    `where` names the journal. The rows can be replayed without an error.
    """
    kept: list[EventRow] = []
    damage: list[str] = []
    history, lost, last = History(), False, 0
    first = 0
    """The first step of the games that are known without a gap."""
    for command in commands(rows):
        at = f"Line {command[0].seq} of {where}"
        gap, last = command[0].seq != last + 1, command[-1].seq
        try:
            events = _events(command, where)
            opens = isinstance(events[0], GameOpened)
            if not opens and (lost or gap):
                if not lost:
                    damage.append(f"What was before line {command[0].seq} of {where} is gone.")
                lost = True
                continue
            after = history.after(events)
            assert (after.last.number if after.last else 0) >= first, "it goes back to a game that cannot be read"
        except (DamagedJournalError, AssertionError, EngineError, LookupError, ValueError) as error:
            if not lost:
                damage.append(
                    error.what
                    if isinstance(error, DamagedJournalError)
                    else f"{at} does not fit what was before: {error}."
                )
            lost = True
            continue
        if opens and (lost or gap):
            first = after.steps
        lost, history = False, after
        kept += command
    return kept, damage


def _events(command: Sequence[EventRow], where: str) -> tuple[Event, ...]:
    return tuple(event_of_row(f"Line {row.seq} of {where}", row.kind, row.body) for row in command)


def _is_row(row: EventRow) -> bool:
    """True if every value has the right type: SQLite returns whatever a damaged byte turned it into."""
    return all(type(value) is int for value in (row.seq, row.start)) and (
        all(type(value) is str for value in (row.at, row.kind, row.body)) and isinstance(row.step, int | None)
    )


LARGEST_RECORD: Final = 16 * 1024 * 1024
"""The largest record file, in bytes. A game of many hours takes a hundredth of it."""

_PATIENCE: Final = 10.0
"""Seconds to wait while the table writes."""

RecordRow = tuple[int, str, str, str]
"""An imported record: number, time, name, lines."""


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game in a state folder."""

    game: Game
    at: str
    """When it was opened or imported: ISO 8601, UTC, from a clock that may have been wrong."""
    name: str | None
    """The name of the imported file; None if the game was played here."""

    @property
    def key(self) -> str:
        return game_key(self.game.number, imported=self.name is not None)


def summary_of(saved: SavedGame) -> GameSummary:
    return game_summary(saved.game, saved.at, imported=saved.name is not None)


@dataclass(frozen=True, slots=True)
class ImportedRecord:
    """The result of importing a record."""

    key: str
    """The game's `SavedGame.key`."""
    new: bool
    """False if it already existed."""


def journal_file(folder: Path) -> Path:
    """The journal of a state folder."""
    return folder / FILE


def saved_games(folder: Path, damaged: Callable[[str], None] | None = None) -> list[SavedGame]:
    """The games played in `folder`, then the imported ones, each oldest first; none without a journal.

    Games that ended before the first bid are left out, without renumbering the others.

    `damaged` is called with a sentence for each part that cannot be read; a game that is cut off there ends there.
    Raises `JournalError` if the journal was written by a newer program or cannot be read, and `DamagedJournalError` if
    a part of it cannot be read and `damaged` is None.
    """
    path = journal_file(folder)
    if not exists(path):
        return []
    with open_for_reading(path) as database:
        return games_in(database, path, damaged)


def number_imported(folder: Path) -> int:
    """The number of records imported so far. Raises `JournalError`."""
    path = journal_file(folder)
    if not exists(path):
        return 0
    with open_for_reading(path) as database:
        try:
            return int(database.execute("SELECT COUNT(*) FROM record").fetchone()[0])
        except sqlite3.Error as error:
            raise JournalError(f"{path} cannot be read: {error}.") from error


@contextmanager
def open_for_reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a snapshot of a journal, while others may write to it.

    Raises `JournalError` if it cannot be read, or belongs to another program or a newer version.
    """
    try:
        database = _connect(path)
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"{path} cannot be read: {error}.") from error
    with closing(database):
        _check_version(database, path)
        yield database


def games_in(database: sqlite3.Connection, path: Path, damaged: Callable[[str], None] | None = None) -> list[SavedGame]:
    """The games in a journal, like `saved_games`; `path` names it in errors. Raises `JournalError`."""
    try:
        played = _played(map(EventRow._make, database.execute(event_rows(database)).fetchall()), path)
    except (DamagedJournalError, sqlite3.DatabaseError) as error:
        if damaged is None:
            if isinstance(error, sqlite3.Error):
                raise JournalError(f"{path} cannot be read: {error}.") from error
            raise
        rows, damage = readable(rows_in(database), str(path))
        for each in damage or [f"{path} cannot be read to its end: {error}."]:
            damaged(each)
        played = _played(rows, path)
    records, damage = readable_records(database, path)
    for each in damage:
        if damaged is None:
            raise DamagedJournalError(each)
        damaged(each)
    return [*played, *map(imported_game, records)]


def imported_game(record: RecordRow) -> SavedGame:
    number, at, name, lines = record
    return SavedGame(game_of_record(number, lines.split("\n")), at, name)


def _played(rows: Iterable[EventRow], path: Path) -> list[SavedGame]:
    read: list[tuple[int | None, Event]] = []
    times: dict[int, str] = {}
    for row in rows:
        event = event_of_row(f"Line {row.seq} of {path}", row.kind, row.body)
        read.append((row.step, event))
        if isinstance(event, GameOpened):
            times[id(event)] = row.at  # `games` keeps these same objects
    try:
        found = games(standing_steps(by_command(read)))
    except (AssertionError, EngineError, LookupError, ValueError) as error:
        raise DamagedJournalError(f"{path} does not fit together: {error}.") from error
    return [SavedGame(game, times[id(game.steps[0][0])], None) for game in found if not game.abandoned]


def readable_records(
    database: sqlite3.Connection, path: Path, which: str = "TRUE"
) -> tuple[list[RecordRow], list[str]]:
    """The rows of imported records, and a sentence for each unreadable one. `which`: an SQL condition."""
    found: list[RecordRow] = []
    damage: list[str] = []
    try:
        (version,) = database.execute("PRAGMA user_version").fetchone()
        if version < SCHEMA_VERSION and not database.execute("PRAGMA table_info(record)").fetchall():
            return [], []
        for number, at, name, lines in database.execute(
            f"SELECT id, at, name, lines FROM record WHERE {which} ORDER BY id"
        ):
            try:
                if list(map(type, (number, at, name, lines))) != [int, str, str, str]:
                    raise ValueError("its row is spoilt")  # noqa: TRY301 - one of several kinds of damage
                game_of_record(number, lines.split("\n"))
                found.append((number, _plain(at), _plain(name), lines))
            except (EngineError, ValueError) as error:
                damage.append(f"Record {number} in {path} cannot be replayed: {error}.")
    except sqlite3.Error as error:
        damage.append(f"The imported records in {path} cannot be read: {error}.")
    return found, damage


@dataclass(frozen=True, slots=True)
class ReadableRows:
    """The readable rows of a journal, and a sentence for each part that is lost."""

    starts: list[tuple[int, str]]
    events: list[EventRow]
    records: list[RecordRow]
    damage: list[str]


def readable_rows(database: sqlite3.Connection, path: Path) -> ReadableRows:
    """The readable rows, without rows after the damage in a game. A journal of these rows opens without an error.

    `path` names the journal in sentences.
    """
    events, lost = readable(rows_in(database), str(path))
    events = [row._replace(at=_plain(row.at)) for row in events]
    records, unreadable = readable_records(database, path)
    starts: list[tuple[int, str]] = []
    with suppress(sqlite3.Error):
        rows = database.execute("SELECT id, at FROM start ORDER BY id")
        starts = [(number, _plain(at)) for number, at in rows if type(number) is int and type(at) is str]
    starts = starts or [(number, "") for number in sorted({row.start for row in events})]
    return ReadableRows(starts, events, records, [*lost, *unreadable])


def _plain(text: str) -> str:
    """The text with invalid characters replaced."""
    return text.encode(errors="replace").decode()


def record_lines(content: bytes) -> tuple[str, ...]:
    """The lines of a record as this program writes them, so that the same game gives the same text.

    Raises `RecordFileError`, naming the line, if the record does not replay to its end.
    """
    if len(content) > LARGEST_RECORD:
        raise RecordFileError(f"This is too large to be the record of a game: over {LARGEST_RECORD // 2**20} MiB.")
    parts = content.split(b"\n")
    if not parts[-1]:  # a final line break starts no line
        parts.pop()
    if not parts:
        raise RecordFileError("The file is empty: a record begins with a game line.")
    lines = []
    for step in replay(parts):
        if step.error is not None or step.event is None:
            raise RecordFileError(f"Line {step.line}: {step.error}.")
        lines.append(to_line(step.event))
    return tuple(lines)


def import_record(folder: Path, name: str, content: bytes, now: Callable[[], str] = utc_now) -> ImportedRecord:
    """Import a record, unless its game already exists. `name` says where it is from.

    Raises `RecordFileError` if it is not a record, and `JournalError` if the journal cannot be read or written.
    """
    lines = record_lines(content)
    path = journal_file(folder)
    _prepare(folder)
    same = canonical(lines)
    for each in saved_games(folder, log.warning):
        if any(len(part) == len(same) and canonical(map(to_line, part)) == same for part in each.game.parts):
            return ImportedRecord(each.key, new=False)
    try:
        # mode=rw: a journal that has been removed must not be replaced by an empty one.
        uri = f"{path.absolute().as_uri()}?mode=rw"
        with closing(connect(uri, uri=True, isolation_level=None, timeout=_PATIENCE)) as database:
            database.execute("PRAGMA synchronous=FULL")
            row = database.execute(
                "INSERT INTO record (at, name, lines) VALUES (?, ?, ?)", (now(), name, "\n".join(lines))
            )
            return ImportedRecord(f"r{row.lastrowid}", new=True)
    except sqlite3.Error as error:
        raise JournalError(f"The record could not be written to {path}: {error}.") from error


def exists(path: Path) -> bool:
    """True if there is a journal; an empty file does not count. Raises `JournalError`."""
    try:
        return path.stat().st_size > 0
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise JournalError(f"{path} cannot be read: {error.strerror}.") from error


def _prepare(folder: Path) -> None:
    """Create or upgrade the journal. One that a running program has open already has this version."""
    path = journal_file(folder)
    if exists(path):
        with open_for_reading(path) as database:
            (version,) = database.execute("PRAGMA user_version").fetchone()
        if version == SCHEMA_VERSION:
            return
    Journal(folder).close()


def _connect(path: Path) -> sqlite3.Connection:
    """Open `path` for reading as a snapshot: later writes are not visible."""
    database = connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=_PATIENCE)
    try:
        database.execute("BEGIN")
        database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        # SQLite cannot create its own files beside a journal that nobody has open.
        database.close()
        if not path.is_file():
            raise
        return in_memory(path)
    except BaseException:
        database.close()
        raise
    return database


def _check_version(database: sqlite3.Connection, path: Path) -> None:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    (owner,) = database.execute("PRAGMA application_id").fetchone()
    if owner != APPLICATION_ID:
        raise JournalError(f"{path} is not a journal of perudo's.")
    if version < 1:
        raise JournalError(f"{path} is a journal of no version of perudo's ({version}).")
    check_plain(database, path)
    if version > SCHEMA_VERSION:
        raise JournalError(
            f"{path} was written by a newer perudo (its version is {version}, this program knows {SCHEMA_VERSION}). "
            "Update the program."
        )
