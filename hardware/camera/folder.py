"""Shows the pictures of a folder, or a video, in place of a camera."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from calibration.image_decoder import ImageError, decode
from hardware.camera.fixed_rate_camera import FixedRateCamera
from hardware.camera.protocol import CameraError, Image

PICTURE_SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp"})
VIDEO_SUFFIXES: Final = frozenset({".mp4", ".avi", ".mkv", ".mov", ".webm"})
"""Suffixes of the files taken from a folder. A single file may have any suffix."""


class FolderCamera(FixedRateCamera):
    """Repeats the pictures and videos of a folder in the order of their names, or one picture or video.

    Each frame counts as taken at the moment it is requested.
    """

    sensor = False

    def __init__(
        self,
        path: Path,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`clock` and `sleep` as for `FixedRateCamera`. Raises `CameraError` if there is nothing to show."""
        if path.is_dir():
            self._files = sorted(
                file for file in path.iterdir() if file.suffix.lower() in PICTURE_SUFFIXES | VIDEO_SUFFIXES
            )
            if not self._files:
                kinds = ", ".join(sorted(PICTURE_SUFFIXES | VIDEO_SUFFIXES))
                raise CameraError(f"There are no pictures or videos ({kinds}) in the folder {path}.")
        elif path.is_file():
            self._files = [path]
        else:
            raise CameraError(f"There is no folder, picture or video at {path}.")
        super().__init__(clock, sleep)
        self.name = f"pictures from {path.name}"
        self._images = self._play()
        self._decoded: tuple[tuple[Path, int, int], Image] | None = None
        """The last decoded picture, by its file, modification time and size."""

    def picture(self, at: float) -> Image:  # noqa: ARG002 - it does not change with time
        """The next picture. Raises `CameraError` if its file cannot be read as a picture or a video."""
        try:
            return next(self._images)
        except CameraError:
            self._images = self._play()  # a generator that raised is used up; the file may be fixed by now
            raise

    def close(self) -> None:
        """Do nothing, because there is no device."""

    def _play(self) -> Iterator[Image]:
        while True:
            for file in self._files:
                if file.suffix.lower() in PICTURE_SUFFIXES:
                    yield self._read_picture(file)
                else:
                    yield from self._read_video(file)

    def _read_picture(self, file: Path) -> Image:
        """The picture in `file`, decoded again only if the file has changed."""
        try:
            status = file.stat()
            key = (file, status.st_mtime_ns, status.st_size)
            if self._decoded is None or self._decoded[0] != key:
                self._decoded = key, decode(file.read_bytes())
        except ImageError as error:
            raise CameraError(f"{file} is not a picture that can be read: {error}.") from error
        except OSError as error:
            raise CameraError(f"{file} is not a picture that can be read ({error.strerror}).") from error
        return self._decoded[1].copy()

    def _read_video(self, file: Path) -> Iterator[Image]:
        video = cv2.VideoCapture(str(file))
        try:
            good, image = video.read()
            if not good:
                raise CameraError(f"{file} is not a video that can be read.")
            while good:
                yield image.astype(np.uint8, copy=False)
                good, image = video.read()
        finally:
            video.release()
