"""A backup as one zip file: written while the table plays, and unpacked into a separate state folder.

    backup.json                the description
    games.sqlite3              a snapshot of the journal, with the judged pictures
    profiles/                  calibrations
    examples/dice.sqlite3      dice that the box has learned from
    perudo.toml                the configuration
    access.json, phones.sqlite3    optional: whoever has them can join
    club.json, consent.json        included with those, if the table is in a club

No file is read into memory as a whole.
"""

from __future__ import annotations

import io
import json
import logging
import os
import re
import shutil
import sqlite3
import zipfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final

import msgspec

from calibration import profile_file
from calibration.profile import ProfileError
from companion.camera.example_file import MOST_EXAMPLES, ExampleFile, ExampleFileError
from companion.config.secrets import configuration_of, shortened_addresses, without_secrets
from companion.features.backup.description import (
    BACKUP_FORMAT,
    DAMAGED_BACKUP,
    DESCRIPTION_FILE,
    EXAMPLES_FILE,
    GAMES_FILE,
    NEWER_BACKUP,
    NOT_ONE,
    PROFILE_NAME,
    PROFILES_FOLDER,
    SECRET_FILES,
    SETTINGS_FILE,
    BackupDescription,
    BackupError,
    BackupFileError,
    BackupNotNowError,
    description_of,
)
from companion.messages.message import Message
from companion.state_folder import CLUB_FILE, CONSENT_FILE, KEYS_FILE, PHONES_FILE
from companion.table import Journal, Table
from companion.table.errors import JournalError, TableError
from companion.table.journal.backup import restore_backup, write_backup
from companion.table.journal.picture_folder import DISK_RESERVE, MEGABYTE
from companion.table.journal.schema import SCHEMA_VERSION, check_plain

log = logging.getLogger(__name__)

LARGEST_BACKUP: Final = 4_000 * MEGABYTE
"""Bytes of a backup, packed or unpacked. FAT takes no larger file."""
MOST_ENTRIES: Final = 300
"""Files in a backup; 50 calibrations have four each."""
PACKED_AGAIN: Final = 3
"""The factor allowed for an archive that was repacked: a Mac adds an entry for each file, and for folders."""
LARGEST_DIRECTORY: Final = 2 * MEGABYTE
"""Bytes of a zip file's directory. One with millions of entries would fill the memory before they could be counted."""

_FOREIGN: Final = re.compile(r"^__MACOSX/|(^|/)(\.DS_Store|\._[^/]*|Thumbs\.db|desktop\.ini)$")
"""Files that macOS and Windows leave in folders."""
_PIECE: Final = 1 << 20
_PATIENCE: Final = 10.0
"""Seconds to wait for another writer of a database."""
_LARGEST: Final = {
    DESCRIPTION_FILE: 64 * 1024,
    GAMES_FILE: LARGEST_BACKUP,
    EXAMPLES_FILE: 2 * MOST_EXAMPLES,
    SETTINGS_FILE: 32 * 1024,
    KEYS_FILE: 4 * 1024,
    PHONES_FILE: 4 * MEGABYTE,
    CLUB_FILE: 64 * 1024,
    CONSENT_FILE: 16 * MEGABYTE,
}
"""Name -> maximum size in bytes."""
_SECRET_TEXTS: Final = (KEYS_FILE, CLUB_FILE, CONSENT_FILE)
"""The secrets stored as JSON; only the first always exists."""
_LARGEST_PROFILE: Final = MEGABYTE
_PACKINGS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ENCRYPTED: Final = 0x1


# Writing


def write_archive(
    state: Path, file: Path, *, program: str, name: str, made: datetime, settings: str | None, secrets: bool
) -> BackupDescription:
    """Write a backup of the state folder `state` to `file` atomically, even during a game.

    It temporarily needs twice the backup's size beside `file`. program, name: the program's version and the machine's
    name. settings: the text of the configuration. Raises `BackupError`.
    """
    size = _size(state)
    if size > LARGEST_BACKUP:
        raise BackupNotNowError(Message("There are too many pictures on this box for one file."))
    check_room(file.parent, 2 * size)
    draft, copies = file.with_name(f"{file.name}.part"), file.with_name(f"{file.name}.copies")
    try:
        shutil.rmtree(copies, ignore_errors=True)
        copies.mkdir(parents=True)
        games = copies / GAMES_FILE
        content = write_backup(state, games)
        profiles = _profiles(state / PROFILES_FOLDER)
        configured = settings if secrets or settings is None else without_secrets(settings)
        described = BackupDescription(
            format=BACKUP_FORMAT,
            program=program,
            name=name,
            made=made.astimezone(UTC).isoformat(timespec="seconds"),
            games=content.games,
            last=_last_event(games),
            pictures=content.pictures,
            profiles=sum(each.suffix == ".json" and not each.stem.endswith(".before") for each in profiles),
            configuration=configured is not None,
            examples=(state / EXAMPLES_FILE).exists(),
            secrets=secrets,
            shortened=shortened_addresses(settings or "", configured or ""),
        )
        with zipfile.ZipFile(draft, "w", allowZip64=True) as archive:
            _add_text(archive, DESCRIPTION_FILE, msgspec.json.format(msgspec.json.encode(described)), made)
            for each in profiles:
                _add_text(archive, f"{PROFILES_FOLDER}/{each.name}", each.read_bytes(), made)
            if configured is not None:
                _add_text(archive, SETTINGS_FILE, configured.encode(), made)
            if secrets:
                for place in _SECRET_TEXTS:
                    if place == KEYS_FILE or (state / place).exists():
                        _add_text(archive, place, (state / place).read_bytes(), made)
            for place, wanted in ((PHONES_FILE, secrets), (EXAMPLES_FILE, described.examples)):
                if wanted and (state / place).exists():
                    copy = copies / Path(place).name
                    _copy_database(state / place, copy)
                    _add_file(archive, place, copy, made)
            _add_file(archive, GAMES_FILE, games, made)
        draft.replace(file)
    except JournalError as error:
        raise BackupError(error.message) from error
    except (OSError, sqlite3.Error, TableError) as error:
        log.warning("a backup could not be written: %s", error)
        raise BackupError(Message("The backup could not be written ({reason}).", reason=_reason(error))) from error
    finally:
        draft.unlink(missing_ok=True)
        shutil.rmtree(copies, ignore_errors=True)
    return described


def check_room(folder: Path, size: int) -> None:
    """Raise `BackupNotNowError` unless the disk of `folder` has `size` bytes to spare."""
    disk = os.statvfs(folder)
    missing = size + DISK_RESERVE - disk.f_bavail * disk.f_frsize
    if missing > 0:
        raise BackupNotNowError(
            Message(
                "The box's memory card needs {megabytes} MB more room.",
                megabytes=-(-missing // MEGABYTE),
            )
        )


def _size(state: Path) -> int:
    """The size of a backup of `state` in bytes, estimated high."""
    parts = (*state.glob("journal.sqlite3*"), *(state / "pictures").glob("*.jpg"), state / EXAMPLES_FILE)
    sizes = 0
    for each in parts:
        try:
            sizes += each.stat().st_size
        except FileNotFoundError:
            continue  # pictures are deleted while others are added
    return sizes + MEGABYTE


def _profiles(folder: Path) -> list[Path]:
    """The calibration files that can be read, and their previous versions."""
    found = [each for each in sorted(folder.glob("*")) if PROFILE_NAME.fullmatch(f"{PROFILES_FOLDER}/{each.name}")]
    unreadable = set()
    for each in found:
        if each.suffix == ".json":
            try:
                profile_file.load(each)
            except ProfileError as error:
                log.warning("%s", error)
                unreadable.add(each.stem)
    return [each for each in found if each.is_file() and each.stem not in unreadable]


def _last_event(games: Path) -> str | None:
    with closing(sqlite3.connect(games)) as database:
        row = database.execute("SELECT at FROM event ORDER BY seq DESC LIMIT 1").fetchone()
    return None if row is None else str(row[0])


def _copy_database(source: Path, copy: Path) -> None:
    """Copy a snapshot of a database, while others may write to it."""
    uri = f"{source.absolute().as_uri()}?mode=ro"
    with (
        closing(sqlite3.connect(uri, uri=True, timeout=_PATIENCE)) as database,
        closing(sqlite3.connect(copy)) as into,
    ):
        database.backup(into)


def _entry(name: str, made: datetime, packing: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, (max(1980, made.year), *made.timetuple()[1:6]))
    entry.compress_type = packing
    entry.external_attr = 0o600 << 16
    return entry


def _add_text(archive: zipfile.ZipFile, name: str, content: bytes, made: datetime) -> None:
    archive.writestr(_entry(name, made, zipfile.ZIP_DEFLATED), content)


def _add_file(archive: zipfile.ZipFile, name: str, file: Path, made: datetime) -> None:
    """Add a file uncompressed: pictures are compressed already."""
    with file.open("rb") as source, archive.open(_entry(name, made, zipfile.ZIP_STORED), "w", force_zip64=True) as into:
        shutil.copyfileobj(source, into, _PIECE)


def _reason(error: Exception) -> str:
    text = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return text.rstrip(".")


# Reading


def unpack_archive(file: Path, folder: Path) -> BackupDescription:
    """Check a backup and unpack it into `folder`, which is recreated. The games are still one file.

    Raises `BackupFileError` if the file is not a backup, is damaged or comes from a newer program, and
    `BackupNotNowError` without enough space. The content of `folder` is then undefined.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        with _BoundedReads(io.FileIO(file)) as source, zipfile.ZipFile(source) as archive:
            entries = _checked(archive)
            described = _described(archive, entries)
            check_room(folder, 2 * sum(entry.file_size for entry in entries.values()))
            for name, entry in entries.items():
                place = folder / name
                place.parent.mkdir(exist_ok=True)
                with archive.open(entry) as unpacked, _private(place) as into:
                    shutil.copyfileobj(unpacked, into, _PIECE)
    except (zipfile.BadZipFile, EOFError, NotImplementedError, ValueError) as error:
        log.warning("what was put back is no backup: %s", error)
        raise BackupFileError(DAMAGED_BACKUP if _is_ours(folder) else NOT_ONE) from error
    except OSError as error:
        raise BackupNotNowError(
            Message("The backup could not be unpacked ({reason}).", reason=_reason(error))
        ) from error
    return described


class _BoundedReads(io.BufferedReader):
    """A file that refuses large reads: `zipfile` reads a directory at once, of whatever size the file claims."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > LARGEST_DIRECTORY:
            raise zipfile.BadZipFile(f"a directory of {size} bytes")
        return super().read(size)


def lay_out_state(folder: Path) -> tuple[str, ...]:
    """Make `folder/state` from what `unpack_archive` put into `folder`, and check all of it.

    Returns the names of its parts: "games", "profiles", "examples", "secrets". Raises `BackupFileError` and
    `BackupNotNowError`.
    """
    state = folder / "state"
    games = folder / GAMES_FILE
    try:
        _check_games(games)
        restore_backup(games, state)
        Table(Journal(state)).close()  # the way the program will open it
        games.unlink()
        parts = ["games"]
        for part, names in (
            ("profiles", (PROFILES_FOLDER,)),
            ("examples", (EXAMPLES_FILE,)),
            ("secrets", SECRET_FILES),
        ):
            there = [name for name in names if (folder / name).exists()]
            for name in there:
                (state / name).parent.mkdir(exist_ok=True)
                (folder / name).rename(state / name)
            parts += [part] if there else []
        for each in sorted((state / PROFILES_FOLDER).glob("*.json")):
            profile_file.load(each)
        if (state / EXAMPLES_FILE).exists():
            _check_database(state / EXAMPLES_FILE)
            ExampleFile(state / EXAMPLES_FILE).summary()
        if (state / PHONES_FILE).exists():
            _check_database(state / PHONES_FILE)
        for place in _SECRET_TEXTS:
            if (state / place).exists():
                json.loads((state / place).read_bytes())
    except (TableError, ProfileError, ExampleFileError, sqlite3.Error, ValueError, RecursionError) as error:
        log.warning("the backup is damaged: %s", error)
        raise BackupFileError(DAMAGED_BACKUP) from error
    except OSError as error:
        raise BackupNotNowError(
            Message("The backup could not be unpacked ({reason}).", reason=_reason(error))
        ) from error
    return tuple(parts)


def settings_in(folder: Path) -> str | None:
    """The configuration in an unpacked backup; None if it is missing, or this program cannot read it."""
    try:
        text = (folder / SETTINGS_FILE).read_text(encoding="utf-8")
    except (FileNotFoundError, UnicodeDecodeError):
        return None
    return text if configuration_of(text) is not None else None


def _is_ours(folder: Path) -> bool:
    return (folder / DESCRIPTION_FILE).exists()


def _private(place: Path) -> IO[bytes]:
    """Create a file that only this program's user may read."""
    return os.fdopen(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _checked(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The entries by name: those of a backup, each once, none too large.

    Repacking an unpacked backup with a Mac or a file manager adds the folder around it, and extra files.
    """
    entries = archive.infolist()
    if len(entries) > PACKED_AGAIN * MOST_ENTRIES:
        raise BackupFileError(NOT_ONE)
    entries = [each for each in entries if (each.file_size or not each.is_dir()) and not _FOREIGN.search(each.filename)]
    described = [each.filename for each in entries if each.filename.rpartition("/")[2] == DESCRIPTION_FILE]
    folder = described[0].removesuffix(DESCRIPTION_FILE) if len(described) == 1 else ""
    found: dict[str, zipfile.ZipInfo] = {}
    for entry in entries[: MOST_ENTRIES + 1]:
        name = entry.filename.removeprefix(folder)
        largest = _LARGEST.get(name, _LARGEST_PROFILE if PROFILE_NAME.fullmatch(name) else -1)
        if largest < 0 or name in found or entry.flag_bits & _ENCRYPTED:
            raise BackupFileError(NOT_ONE)
        if entry.file_size > largest or entry.compress_type not in _PACKINGS:
            raise BackupFileError(NOT_ONE)
        found[name] = entry
    if len(entries) > MOST_ENTRIES or DESCRIPTION_FILE not in found or GAMES_FILE not in found:
        raise BackupFileError(NOT_ONE)
    return found


def _described(archive: zipfile.ZipFile, entries: dict[str, zipfile.ZipInfo]) -> BackupDescription:
    described = description_of(archive.read(entries[DESCRIPTION_FILE]))
    if described.secrets != (KEYS_FILE in entries):
        raise BackupFileError(NOT_ONE)
    return described


def _check_games(games: Path) -> None:
    with closing(sqlite3.connect(f"{games.absolute().as_uri()}?mode=ro", uri=True)) as database:
        (version,) = database.execute("PRAGMA user_version").fetchone()
    if version > SCHEMA_VERSION:
        raise BackupFileError(NEWER_BACKUP)


def _check_database(file: Path) -> None:
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as database:
        (result,) = database.execute("PRAGMA integrity_check(1)").fetchone()
        check_plain(database, file)
    if result != "ok":
        raise BackupFileError(DAMAGED_BACKUP)
