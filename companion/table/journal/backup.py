"""All that is kept in a state folder as one SQLite file, and a state folder made from it again.

The file is the journal as it is at one moment, with the judged pictures in a table `picture(reading, jpeg)`.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.table.errors import JournalError, NotAllowedNowError, RecordFileError
from companion.table.journal.event_file import locked
from companion.table.journal.saved_games import journal_file, kept_in, reading

BEGINS: Final = b"SQLite format 3\x00"
"""How every SQLite file begins."""

_PICTURES: Final = "CREATE TABLE picture (reading INTEGER PRIMARY KEY, jpeg BLOB NOT NULL) STRICT"


@dataclass(frozen=True, slots=True)
class Archived:
    """What was put into a file, or taken out of one."""

    games: int
    """Those played there and those brought in."""
    pictures: int
    missing: int
    """Pictures that the journal tells of, and that are not there."""


def export_all(folder: Path, file: Path, *, pictures: bool = True, overwrite: bool = False) -> Archived:
    """Write everything in `folder` to `file`, whole or not at all. The table may be playing meanwhile.

    Raises `JournalError` when there is no journal or it cannot be read, or when `file` cannot be written, and
    `NotAllowedNowError` when `file` is there already and is not to be overwritten, or is the journal itself.
    """
    path = journal_file(folder)
    if not path.exists():
        raise JournalError(f"There is no journal in {folder}: nothing has been played there yet.")
    try:
        there = file.exists()
    except OSError as error:
        raise JournalError(f"{file} cannot be written: {error}.") from error
    if there:
        if file.samefile(path):
            raise NotAllowedNowError("file-there", f"{file} is the journal itself. Name another file.")
        if not overwrite:
            raise NotAllowedNowError(
                "file-there", f"{file} is there already, and was left as it is. Name another file, or say --force."
            )
    draft = file.with_name(f"{file.name}.part")
    try:
        draft.unlink(missing_ok=True)
        try:
            done = _copied(path, draft, folder / "pictures" if pictures else None)
            draft.replace(file)
        finally:
            draft.unlink(missing_ok=True)
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"{file} cannot be written: {error}.") from error
    return done


def restore(file: Path, folder: Path) -> Archived:
    """Make `folder` what it was when `file` was exported. The folder may be there, but must have no journal.

    Raises `RecordFileError` when the file is no journal, or none this program can read; `NotAllowedNowError` when the
    folder has a journal; `JournalError` when it cannot be written.
    """
    try:
        with reading(file) as source:
            games = len(kept_in(source, file))
            _check_whole(source, file)
    except JournalError as error:
        raise RecordFileError(error.message) from error
    with _held(folder), reading(file) as source:
        if _taken(folder):
            raise NotAllowedNowError(
                "folder-taken",
                f"There is a journal in {folder} already, or something of one, and nothing was changed. Name another "
                f"folder with --state, or move the files {journal_file(folder).name}* and the folder pictures away "
                "first.",
            )
        return _restored(source, folder, games)


def _copied(path: Path, draft: Path, pictures: Path | None) -> Archived:
    with reading(path) as source, closing(sqlite3.connect(draft, isolation_level=None)) as copy:
        games = len(kept_in(source, path))
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, with nothing beside it
        there = missing = 0
        if pictures is not None:
            copy.execute("BEGIN")
            copy.execute("DROP TABLE IF EXISTS picture")
            copy.execute(_PICTURES)
            for number in _pictured(copy):
                try:
                    jpeg = (pictures / f"{number}.jpg").read_bytes()
                except FileNotFoundError:
                    missing += 1
                else:
                    copy.execute("INSERT INTO picture (reading, jpeg) VALUES (?, ?)", (number, jpeg))
                    there += 1
            copy.execute("COMMIT")
    return Archived(games, there, missing)


def _pictured(database: sqlite3.Connection) -> Iterator[int]:
    """The readings that have a picture, those of what was taken back included: it may be done again."""
    for (body,) in database.execute("SELECT body FROM event WHERE kind = 'reading' ORDER BY seq").fetchall():
        values = json.loads(body)
        if values.get("picture", True):
            yield values["id"]


def _check_whole(source: sqlite3.Connection, file: Path) -> None:
    try:
        (said,) = source.execute("PRAGMA integrity_check(1)").fetchone()
        kinds = source.execute("SELECT typeof(reading), typeof(jpeg) FROM picture") if _has_pictures(source) else ()
        sound = all(each == ("integer", "blob") for each in kinds)
    except sqlite3.Error as error:
        raise RecordFileError(f"{file} is damaged: {error}.") from error
    if said != "ok" or not sound:
        raise RecordFileError(f"{file} is damaged: {said if sound else 'some of its pictures are none'}.")


def _has_pictures(database: sqlite3.Connection) -> bool:
    return database.execute("SELECT 1 FROM sqlite_master WHERE name = 'picture'").fetchone() is not None


def _restored(source: sqlite3.Connection, folder: Path, games: int) -> Archived:
    path = journal_file(folder)
    draft = path.with_suffix(".restored")
    try:
        (folder / "pictures").mkdir(exist_ok=True)
        there = 0
        if _has_pictures(source):
            for number, jpeg in source.execute("SELECT reading, jpeg FROM picture"):
                (folder / "pictures" / f"{number}.jpg").write_bytes(jpeg)
                there += 1
        missing = sum(not (folder / "pictures" / f"{number}.jpg").exists() for number in _pictured(source))
        draft.unlink(missing_ok=True)
        with closing(sqlite3.connect(draft, isolation_level=None)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
            copy.execute("DROP TABLE IF EXISTS picture")
            copy.execute("VACUUM")
        os.sync()  # the pictures are on the disk before the journal that names them
        draft.rename(path)
        os.sync()
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"The folder {folder} cannot be written: {error}.") from error
    return Archived(games, there, missing)


def _taken(folder: Path) -> bool:
    """Whether there is a journal, or what would be mistaken for a part of the restored one."""
    path = journal_file(folder)
    # SQLite would play a log that was left behind into the new file.
    log = path.with_name(f"{path.name}-wal")
    return path.exists() or log.exists() or any((folder / "pictures").glob("*.jpg"))


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """The folder, made where it is not, and held as a running table holds it (`companion.table.journal.event_file`)."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = locked(folder)
    except BlockingIOError as error:
        raise NotAllowedNowError(
            "folder-taken", f"Another perudo is using the folder {folder}. Stop it, or name another folder."
        ) from error
    except OSError as error:
        raise JournalError(f"The folder {folder} cannot be written: {error.strerror}.") from error
    try:
        yield
    finally:
        os.close(lock)
