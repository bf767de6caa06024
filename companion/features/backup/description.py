"""The description of a backup, `backup.json`, and the names of all other files in the zip file.

The errors of backups. Each has a sentence for the host, and means that nothing has changed:

    BackupError (RuntimeError)
    ├── BackupFileError         the file is not a backup, is damaged, or comes from a newer program
    └── BackupNotNowError       it is not possible now: something else is under way, or space is short
"""

from __future__ import annotations

import re
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from companion.camera.example_file import EXAMPLE_FILE
from companion.messages.message import Message
from companion.messages.sentence import Value, read_json
from companion.state_folder import CLUB_FILE, CONSENT_FILE, KEYS_FILE, PHONES_FILE

BACKUP_FORMAT: Final = 1
"""Increased by any change that an older program would misread."""

DESCRIPTION_FILE: Final = "backup.json"
GAMES_FILE: Final = "games.sqlite3"
"""The journal with its pictures, written by `companion.table.journal.backup`."""
SETTINGS_FILE: Final = "perudo.toml"
PROFILES_FOLDER: Final = "profiles"
EXAMPLES_FILE: Final = str(EXAMPLE_FILE)
"""Names in the zip file. `SECRET_FILES` are the secrets."""
SECRET_FILES: Final = (KEYS_FILE, PHONES_FILE, CLUB_FILE, CONSENT_FILE)

PROFILE_NAME: Final = re.compile(rf"{PROFILES_FOLDER}/(?:[a-z0-9][a-z0-9.-]{{0,90}}\.(?:json|jpg)|in-use)")

_NAME = Annotated[str, Meta(max_length=64)]
_MOMENT = Annotated[str, Meta(max_length=40, description="ISO 8601, by a clock that may have been wrong.")]
Number = Annotated[int, Meta(ge=0)]


class BackupError(RuntimeError):
    """An operation on a backup failed. The message is a sentence."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class BackupFileError(BackupError):
    """The file is not a backup that this box can restore."""


class BackupNotNowError(BackupError):
    """The operation is not possible now."""


class BackupDescription(Value, frozen=True, kw_only=True):
    """The origin and content of a backup."""

    format: Number
    program: Annotated[str, Meta(max_length=40)]
    """The version of the program that made it."""
    name: _NAME
    """The machine's name."""
    made: _MOMENT
    games: Number
    """Played and imported games."""
    last: _MOMENT | None
    """The time of the last event."""
    pictures: Number
    profiles: Number
    """Calibrations."""
    configuration: bool
    examples: bool
    """True if it contains dice that the box has learned from."""
    secrets: bool
    """True if it contains the table's code, the phones that have joined and the place in a club."""
    shortened: tuple[str, ...] = ()
    """Addresses in its configuration, such as the camera's, whose path and password were removed."""


class _Format(msgspec.Struct):
    format: int


NOT_ONE: Final = Message("This file is not a backup of a Perudo box.")
DAMAGED_BACKUP: Final = Message("This backup is damaged, and nothing was changed. Take another one.")
NEWER_BACKUP: Final = Message("This backup was made by a newer program. Update this box first.")


def description_of(content: bytes) -> BackupDescription:
    """Parse `backup.json`. Raises `BackupFileError`."""
    try:
        version = read_json(content, _Format).format
        if version > BACKUP_FORMAT:
            raise BackupFileError(NEWER_BACKUP)
        return read_json(content, BackupDescription)
    except ValueError as error:
        raise BackupFileError(NOT_ONE) from error
