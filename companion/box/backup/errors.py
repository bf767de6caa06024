"""The errors of backups. Each has a sentence for the host, and nothing has changed.

BackupError (RuntimeError)
├── BackupFileError         a file is no backup, or a damaged one, or a newer program's
├── BackupNotNowError       it is not possible now: something else is under way, or there is no room
└── StickError              there is no USB stick, or it cannot be used
"""

from __future__ import annotations


class BackupError(RuntimeError):
    """Something about a backup could not be done. The message is a sentence."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class BackupFileError(BackupError):
    """The file is no backup that this box can take."""


class BackupNotNowError(BackupError):
    """It cannot be done now."""


class StickError(BackupError):
    """The USB stick cannot be used."""
