"""The folder of judged pictures and of the latest clips. The oldest are deleted first, each clip with its picture."""

from __future__ import annotations

import errno
import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from calibration.atomic_write import sync_folder
from companion.config import TableConfig

log = logging.getLogger(__name__)

MEGABYTE: Final = 1_000_000

PICTURE_MEGABYTES: Final = TableConfig().pictures
"""Default limit of all pictures in megabytes."""

MOST_CLIPS: Final = 30
"""The number of clips that are kept, always the latest: some 10 MB."""

DISK_RESERVE: Final = 8 * MEGABYTE
"""Bytes of disk space that pictures leave free for the journal."""


def check_free(folder: Path, size: int) -> None:
    """Raise `OSError` if the disk of `folder` has fewer than `size` bytes free."""
    disk = os.statvfs(folder)
    if disk.f_bavail * disk.f_frsize < size:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class PictureFolder:
    """The pictures in one folder, each named by its reading's number. Not thread-safe."""

    def __init__(self, folder: Path, most: int = PICTURE_MEGABYTES, reserve: int = DISK_RESERVE) -> None:
        """Keep at most `most` megabytes of pictures, and always the last one; leave `reserve` bytes of the disk free.

        `folder` is created with its first picture.
        """
        self.folder = folder
        self._most = most * MEGABYTE
        self._reserve = reserve
        self._sizes: dict[tuple[int, bool], int] = {}
        """(reading, True for its picture, False for its clip) -> file size in bytes. Filled with the first picture."""

    def path(self, number: int) -> Path:
        """The path of a reading's picture."""
        return self.folder / f"{number}.jpg"

    def clip_path(self, number: int) -> Path:
        """The path of a reading's clip."""
        return self.folder / f"{number}-clip.jpg"

    def has(self, number: int) -> bool:
        """True if the picture of a reading exists."""
        try:
            return self.path(number).is_file()
        except OSError as error:
            log.debug("no picture of reading %d: %s", number, error)
            return False

    def keep(self, number: int, jpeg: bytes) -> None:
        """Write a reading's picture, completely or not at all, then delete the oldest others while there are too many.

        Raises `OSError` if it could not be written; nothing is deleted then.
        """
        with self._draft(jpeg) as draft:
            draft.replace(self.path(number))
        sync_folder(self.folder)
        try:
            self._make_room((number, True), jpeg)
        except OSError:
            log.exception("old pictures could not be removed")

    def keep_clip(self, number: int, jpeg: bytes) -> None:
        """Write the clip of a reading whose picture is kept, completely or not at all, then delete the oldest, like
        `keep`.

        Raises `OSError` if it could not be written.
        """
        with self._draft(jpeg) as draft:
            draft.replace(self.clip_path(number))
        try:
            self._make_room((number, False), jpeg)
        except OSError:
            log.exception("old clips could not be removed")

    def check_room(self, size: int) -> None:
        """Raise `OSError` if a picture of `size` bytes could not be written now."""
        with self._draft(bytes(size)):
            pass

    @contextmanager
    def _draft(self, content: bytes) -> Iterator[Path]:
        """A temporary file with `content`, synced to disk; removed if it is still there."""
        self.folder.mkdir(exist_ok=True)
        check_free(self.folder, self._reserve + len(content))
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

    def _make_room(self, newest: tuple[int, bool], jpeg: bytes) -> None:
        """Delete the oldest files, by number because the clock may be wrong. Other files are left alone."""
        if not self._sizes:
            named = ((path, _NAME.fullmatch(path.name)) for path in self.folder.glob("*.jpg"))
            self._sizes = {(int(name[1]), not name[2]): path.stat().st_size for path, name in named if name}
        self._sizes[newest] = len(jpeg)
        for each in sorted(each for each in self._sizes if not each[1])[:-MOST_CLIPS]:
            self._remove(each)
        total = sum(self._sizes.values())
        for each in sorted(self._sizes) if total > self._most else ():
            if each[0] != newest[0] and total > self._most:
                total -= self._remove(each)

    def _remove(self, which: tuple[int, bool]) -> int:
        """Delete a picture or a clip. Returns its size in bytes."""
        number, picture = which
        (self.path(number) if picture else self.clip_path(number)).unlink(missing_ok=True)
        return self._sizes.pop(which)


_NAME: Final = re.compile(r"([0-9]+)(-clip)?\.jpg")
