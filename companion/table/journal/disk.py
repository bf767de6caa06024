"""A state folder on its disk: locking it, and why it cannot be written."""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from companion.kept_database import primary_code
from companion.messages.message import Message
from companion.state_folder import as_owner_of
from companion.table.errors import JournalError, NotAllowedNowError
from companion.table.game import sentences

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
_UNWRITABLE: Final = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_PERM,
    }
)
"""Result codes of a disk that is full, broken or read-only, but may still be readable."""

FileIdentity = tuple[int, int] | None
"""Device and inode of a file; None if there is none."""


def identity(file: Path | int) -> FileIdentity:
    """The identity of the file at a path, or of an open descriptor."""
    try:
        found = os.stat(file)  # noqa: PTH116 (a descriptor is no path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino


def lock_folder(folder: Path) -> int:
    """Open `folder` and lock it for this process, until the descriptor is closed or the process ends.

    Raises `BlockingIOError` if another process has locked it, and another `OSError` if it cannot be opened.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


@contextmanager
def hold_folder(folder: Path) -> Iterator[None]:
    """Create the folder if needed, and lock it as a running table does. Meanwhile root acts as its owner."""
    with ExitStack() as held:
        try:
            held.enter_context(as_owner_of(folder))
            folder.mkdir(parents=True, exist_ok=True)
            held.callback(os.close, lock_folder(folder))
        except BlockingIOError as error:
            raise NotAllowedNowError(
                "folder-taken",
                Message(
                    "Another perudo is using the folder {folder}. Stop it, or name another folder (--state).",
                    folder=str(folder),
                ),
            ) from error
        except OSError as error:
            raise JournalError(f"The folder {folder} cannot be written: {error.strerror}.") from error
        yield


def may_be_readable(error: OSError | sqlite3.Error) -> bool:
    """True if `error` means that a file cannot be written but may still be readable."""
    if isinstance(error, OSError):
        return error.errno in {*_FULL, errno.EROFS}
    return primary_code(error) in _UNWRITABLE


def reason(error: Exception, folder: Path) -> str:
    """What went wrong with a file in `folder`, as part of a sentence."""
    if isinstance(error, JournalError):
        message = error.message
        return message if isinstance(message, Message) else f"{message[0].lower()}{message[1:].removesuffix('.')}"
    number = error.errno if isinstance(error, OSError) else None
    code = primary_code(error) if isinstance(error, sqlite3.Error) else None
    if number in _FULL or code == sqlite3.SQLITE_FULL:
        return sentences.DISK_FULL
    # SQLite often says only that it cannot open or write a file.
    disk = _disk(folder) if code in _UNWRITABLE else None
    if number == errno.EROFS or (disk is not None and disk.f_flag & os.ST_RDONLY):
        return sentences.DISK_READ_ONLY
    if disk is not None and disk.f_bavail == 0:
        return sentences.DISK_FULL
    if number in (errno.EACCES, errno.EPERM) or (
        disk is not None and not os.access(folder, os.W_OK, effective_ids=True)
    ):
        return sentences.NOT_ALLOWED
    return str(error)


def _disk(folder: Path) -> os.statvfs_result | None:
    """The file system on which `folder` is or would be; None if unknown."""
    for place in (folder, *folder.parents):
        try:
            return os.statvfs(place)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:
            break
    return None
