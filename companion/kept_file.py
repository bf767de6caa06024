"""Sets aside a file in the state folder that a worn card has damaged, so that the box works without it.

Such files are read with `read_kept`, or opened with `companion.kept_database.connect`. The damaged file stays in its
folder, unchanged, under another name, which the doctor reports.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Final, TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")

_ASIDE: Final = ".damaged-"

DAMAGES: Final = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""Errors of a reader that cannot decode the content. A failing disk raises `OSError`."""


def read_kept(path: Path, read: Callable[[bytes], T], loss: str) -> T | None:
    """The result of `read` for the file's content; None if the file is missing, or damaged and now set aside.

    `loss`: what the box lacks without it, as a sentence for the log. Raises `OSError` if the file cannot be read now;
    it is then left alone.
    """
    try:
        return read(path.read_bytes())
    except FileNotFoundError:
        return None
    except DAMAGES as error:
        set_aside(path, error, loss)
    return None


def set_aside(path: Path, why: Exception, loss: str) -> None:
    """Rename a damaged file and SQLite's files beside it, and log this."""
    *_, aside = asides(path)
    try:
        for end in ("-wal", "-journal", "-shm", ""):
            beside = path.with_name(f"{path.name}{end}")
            if beside.exists():
                beside.rename(f"{aside}{end}")
    except OSError as error:
        log.warning("%s is damaged (%s), and cannot be set aside: %s. %s", path, why, error.strerror, loss)
    else:
        log.warning("%s is damaged (%s), and is now %s. %s", path, why, aside.name, loss)


def asides(path: Path) -> Iterator[Path]:
    """The names of damaged files that were once `path`, up to the first unused one."""
    for number in count(1):
        aside = path.with_name(f"{path.stem}{_ASIDE}{number}{path.suffix}")
        yield aside
        if not aside.exists():
            return


def is_aside(path: Path) -> bool:
    """True if the file was set aside."""
    return _ASIDE in path.name
