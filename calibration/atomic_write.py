"""Atomic writes, for a box that is switched off at the plug."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path


def write_atomically(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file atomically; when this returns, it is on disk.

    The file has the permissions `mode`, minus the umask, from the first byte on. Raises `OSError`; the old file is then
    kept.
    """
    draft = path.with_name(f"{path.name}.part")
    try:
        draft.unlink(missing_ok=True)  # a draft left by a power cut may have other permissions
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def check_plain(path: Path) -> None:
    """Raise `OSError` if `path` exists and is not a regular file: a device, a folder, a pipe, a link."""
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(path.lstat().st_mode):
            raise OSError(errno.EEXIST, "it is not a plain file, and was left as it is", str(path))


def sync_folder(folder: Path) -> None:
    """Flush a folder to disk, so that a new name in it survives a power cut. Raises `OSError`.

    Windows cannot open a folder, so nothing is done there.
    """
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
