"""The judged pictures in their folder, as many as there may be: the oldest go first."""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from calibration.atomic_write import sync_folder

log = logging.getLogger(__name__)

MEGABYTE: Final = 1_000_000

MOST: Final = 500
"""Megabytes of pictures that are kept when nothing else is asked for."""

RESERVE: Final = 8 * MEGABYTE
"""Bytes of the disk that no picture takes: what happens at the table must go on being written."""


class Pictures:
    """The pictures in one folder, each named by its reading's number. Called from one thread at a time."""

    def __init__(self, folder: Path, most: int = MOST, reserve: int = RESERVE) -> None:
        """`folder` is made with its first picture. `most` megabytes of pictures are kept, and in any case the last one.

        `reserve` bytes of the disk stay free.
        """
        self.folder = folder
        self._most = most * MEGABYTE
        self._reserve = reserve

    def path(self, number: int) -> Path:
        """Where the picture of a reading is, or would be."""
        return self.folder / f"{number}.jpg"

    def has(self, number: int) -> bool:
        """Whether there is a picture of this reading (still), on a disk that answers."""
        try:
            return self.path(number).is_file()
        except OSError as error:
            log.debug("no picture of reading %d: %s", number, error)
            return False

    def keep(self, number: int, jpeg: bytes, spare: Collection[int] = ()) -> None:
        """Put a reading's picture on the disk, whole or not at all; it is there when this returns.

        Then the oldest are removed as long as there are too many, but not this one and none of the readings `spare`.
        Raises `OSError` when the picture could not be written; then none is removed.
        """
        with self._draft(jpeg) as draft:
            draft.replace(self.path(number))
        sync_folder(self.folder)
        try:
            self._make_room({number, *spare})
        except OSError:
            log.exception("old pictures could not be removed")

    def try_out(self, size: int) -> None:
        """See whether a picture of `size` bytes could be kept now. Raises `OSError` when not."""
        with self._draft(bytes(size)):
            pass

    @contextmanager
    def _draft(self, content: bytes) -> Iterator[Path]:
        """A file with `content`, on the disk, that nobody takes for a picture. It is removed where it still is."""
        self.folder.mkdir(exist_ok=True)
        disk = os.statvfs(self.folder)
        if disk.f_bavail * disk.f_frsize < self._reserve + len(content):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        draft = self.folder / "draft.part"
        try:
            with draft.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            yield draft
        finally:
            with suppress(OSError):
                draft.unlink(missing_ok=True)

    def _make_room(self, spare: Collection[int]) -> None:
        """By number and not by time: a clock may be wrong."""
        kept = sorted(self._kept())
        total = sum(size for _, size, _ in kept)
        for number, size, path in kept:
            if total <= self._most:
                return
            if number not in spare:
                path.unlink(missing_ok=True)
                total -= size

    def _kept(self) -> Iterator[tuple[int, int, Path]]:
        """Number, bytes and place of every picture. What else lies in the folder is none of ours."""
        for path in self.folder.glob("*.jpg"):
            if path.stem.isdecimal() and path.stem.isascii():
                yield int(path.stem), path.stat().st_size, path
