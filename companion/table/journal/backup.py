"""Writes a state folder to one SQLite file, and restores it.

The file is a snapshot of the journal, with the judged pictures in a table `picture(reading, jpeg)`. When run by root,
as in `sudo perudo import`, the folder is accessed as its owner, and the file as root.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from calibration.atomic_write import check_plain
from companion.state_folder import as_owner_of
from companion.table.errors import JournalError, NotAllowedNowError, RecordFileError
from companion.table.journal.disk import hold_folder
from companion.table.journal.saved_games import games_in, journal_file, open_for_reading, readable_rows
from companion.table.journal.schema import write_new

log = logging.getLogger(__name__)

SQLITE_HEADER: Final = b"SQLite format 3\x00"
"""The first bytes of every SQLite file."""

_PICTURES: Final = "CREATE TABLE picture (reading INTEGER PRIMARY KEY, jpeg BLOB NOT NULL) STRICT"


@dataclass(frozen=True, slots=True)
class BackupContent:
    games: int
    """Played and imported games."""
    pictures: int
    missing: int
    """The number of pictures named in the journal that are missing or cannot be read."""


def write_backup(folder: Path, file: Path, *, pictures: bool = True, overwrite: bool = False) -> BackupContent:
    """Write everything in `folder` to `file`, completely or not at all, even during a game.

    Raises `JournalError` if there is no journal, it cannot be read, or `file` cannot be written, and
    `NotAllowedNowError` if `file` exists and may not be overwritten, or is the journal itself.
    """
    path = journal_file(folder)
    if not path.exists():
        raise JournalError(f"There is no journal in {folder}: nothing has been played there yet.")
    draft = file.with_name(f"{file.name}.part")
    try:
        check_plain(file)
        if file.exists():
            if file.samefile(path):
                raise NotAllowedNowError("file-there", f"{file} is the journal itself. Name another file.")
            if not overwrite:
                raise NotAllowedNowError(
                    "file-there", f"{file} is there already, and was left as it is. Name another file, or say --force."
                )
        _remove_draft(draft)
        try:
            content = _copy(path, draft, folder / "pictures" if pictures else None)
            draft.replace(file)
        finally:
            _remove_draft(draft)
    except (OSError, sqlite3.Error) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise JournalError(f"{file} cannot be written: {why}.") from error
    return content


def restore_backup(file: Path, folder: Path) -> BackupContent:
    """Restore `folder` from `file`. The folder must have no journal.

    Raises `RecordFileError` if this program cannot read the file, `NotAllowedNowError` if the folder has a journal, and
    `JournalError` if it cannot be written.
    """
    try:
        with open_for_reading(file) as source:
            games = len(games_in(source, file, log.warning))
            _check_whole(source, file)
    except JournalError as error:
        raise RecordFileError(error.message) from error
    with open_for_reading(file) as source, hold_folder(folder):
        if _occupied(folder):
            raise NotAllowedNowError(
                "folder-taken",
                f"There is a journal in {folder} already, or something of one, and nothing was changed. Name another "
                f"folder with --state, or move the files {journal_file(folder).name}* and the folder pictures away "
                "first.",
            )
        return _restore(source, file, folder, games)


def _copy(path: Path, draft: Path, pictures: Path | None) -> BackupContent:
    with ExitStack() as opened:
        with as_owner_of(path.parent):
            source = opened.enter_context(open_for_reading(path))
            games = len(games_in(source, path, log.warning))
        copy = opened.enter_context(closing(sqlite3.connect(draft, isolation_level=None)))
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # no files beside it
        there = missing = 0
        if pictures is not None:
            copy.execute("BEGIN")
            copy.execute("DROP TABLE IF EXISTS picture")
            copy.execute(_PICTURES)
            for number in _picture_numbers(copy):
                try:
                    with as_owner_of(path.parent):
                        jpeg = (pictures / f"{number}.jpg").read_bytes()
                except OSError as error:
                    missing += 1
                    if not isinstance(error, FileNotFoundError):
                        log.warning("the picture %d.jpg cannot be read: %s", number, error)
                else:
                    copy.execute("INSERT INTO picture (reading, jpeg) VALUES (?, ?)", (number, jpeg))
                    there += 1
            copy.execute("COMMIT")
    return BackupContent(games, there, missing)


def _picture_numbers(database: sqlite3.Connection) -> Iterator[int]:
    """The readings with a picture, including undone ones, which may be redone."""
    for (body,) in database.execute("SELECT body FROM event WHERE kind = 'reading' ORDER BY seq").fetchall():
        try:
            values = json.loads(body)
            if values.get("picture", True):
                yield values["id"]
        except (ValueError, AttributeError, LookupError, RecursionError):
            log.warning("a line of a reading cannot be understood, so its picture is not taken: %r", body[:100])


def _check_whole(source: sqlite3.Connection, file: Path) -> None:
    """Raise `RecordFileError` if the file is damaged."""
    try:
        (result,) = source.execute("PRAGMA integrity_check(1)").fetchone()
        sound = all((type(number), type(jpeg)) == (int, bytes) for number, jpeg in _pictures(source))
    except sqlite3.Error as error:
        raise RecordFileError(f"{file} is damaged: {error}.") from error
    if result != "ok" or not sound:
        raise RecordFileError(f"{file} is damaged: {result if sound else 'some of its pictures are none'}.")


def _pictures(database: sqlite3.Connection) -> Iterable[tuple[int, bytes]]:
    """Reading -> picture, in a backup; a copy of the journal alone has none."""
    if database.execute("SELECT 1 FROM sqlite_master WHERE name = 'picture'").fetchone() is None:
        return ()
    return database.execute("SELECT reading, jpeg FROM picture")


def _restore(source: sqlite3.Connection, file: Path, folder: Path, games: int) -> BackupContent:
    path = journal_file(folder)
    draft, pictures = path.with_suffix(".restored"), folder / "pictures"
    # Not yet in their final place: if the program is killed here, the folder can be restored again.
    arriving = folder / "pictures.restored"
    try:
        shutil.rmtree(arriving, ignore_errors=True)
        arriving.mkdir()
        there = 0
        for number, jpeg in _pictures(source):
            (arriving / f"{number}.jpg").write_bytes(jpeg)
            there += 1
        missing = sum(not (arriving / f"{number}.jpg").exists() for number in _picture_numbers(source))
        _remove_draft(draft)
        rows = readable_rows(source, file)
        write_new(draft, rows.starts, rows.events, rows.records)
        pictures.mkdir(exist_ok=True)
        for each in arriving.iterdir():
            each.rename(pictures / each.name)
        arriving.rmdir()
        os.sync()  # the pictures must be on disk before the journal that names them
        draft.rename(path)
        os.sync()
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"The folder {folder} cannot be written: {error}.") from error
    return BackupContent(games, there, missing)


def _remove_draft(draft: Path) -> None:
    """Delete what a killed program left of a database."""
    for end in ("", "-journal"):
        Path(f"{draft}{end}").unlink(missing_ok=True)


def _occupied(folder: Path) -> bool:
    """True if there is a journal, or a file that would be mistaken for part of the restored one."""
    path = journal_file(folder)
    # SQLite would play back a left-over log into the new file.
    log = path.with_name(f"{path.name}-wal")
    return path.exists() or log.exists() or any((folder / "pictures").glob("*.jpg"))
