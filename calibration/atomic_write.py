"""Files on a box that is switched off at the plug: whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def write_atomically(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file, whole or not at all; it is on the disk when this returns.

    `mode` is what its permissions are, less the umask, from the first byte on. Raises `OSError`; then what was there
    is there still.
    """
    draft = path.with_name(f"{path.name}.part")
    try:
        draft.unlink(missing_ok=True)  # one that a power cut left has the permissions of then
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """A new name in a folder outlives a power cut only once the folder itself is on disk. Raises `OSError`."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
