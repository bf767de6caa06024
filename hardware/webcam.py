"""A USB camera through cv2.VideoCapture."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

import cv2
import numpy as np

from companion.engine.said import Said
from hardware.camera import UNKNOWN, CameraError, Frame, Image, NothingToLock, Sizes

TIMEOUT: Final = 2.0
"""Seconds without a frame before the camera counts as gone."""


def _absent(number: int) -> CameraError:
    return CameraError(
        Said("There is no USB camera number {number}. Plug it in, or see that no other program uses it.", number=number)
    )


class Capture(Protocol):
    """The part of `cv2.VideoCapture` that is used here."""

    def isOpened(self) -> bool: ...  # noqa: N802 - cv2's name

    def read(self) -> tuple[bool, object]: ...

    def set(self, prop: int, value: float, /) -> bool: ...

    def release(self) -> None: ...


def open_capture(number: int) -> Capture:
    """Open video device `number` with cv2. Raises `CameraError` where Linux shows no such device."""
    if sys.platform == "linux" and not Path(f"/dev/video{number}").exists():
        raise _absent(number)  # asked first, because cv2 complains on standard error
    return cv2.VideoCapture(number)


class Webcam(NothingToLock):
    """A USB camera. Safe to use from several threads.

    A thread of its own drains the driver's queue, for two reasons: a frame taken from the queue only when
    it is wanted may be seconds old, and cv2's read blocks for up to ten seconds when the plug is pulled.
    """

    def __init__(
        self,
        number: int = 0,
        size: tuple[int, int] = (1280, 960),
        opener: Callable[[int], Capture] = open_capture,
    ) -> None:
        """Open video device `number` and ask for `size` (width, height in pixels; the camera may give another).

        Raises `CameraError` when there is no such device.
        """
        self._name = Said("USB camera {number}", number=number)
        self._capture = opener(number)
        if not self._capture.isOpened():
            self._capture.release()
            raise _absent(number)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        self._news = threading.Condition()
        self._latest: Frame | None = None
        self._previous = 0.0
        self._failed = False
        self._closed = False
        self._thread = threading.Thread(target=self._drain, name="webcam", daemon=True)
        self._thread.start()

    @property
    def name(self) -> str:
        """What to call this camera in a sentence to the players."""
        return self._name

    @property
    def sensor(self) -> bool:
        """Whether a sensor is behind it: then a black picture, or one twice the same, is a fault."""
        return True

    def frame(self, after: float = 0.0) -> Frame:
        """The next frame exposed after the monotonic time `after`, in seconds.

        USB cameras do not say when they exposed. A frame is taken as newer than `after` when the frame
        before it came in after `after` too: its exposure cannot have begun earlier than that.
        Raises `CameraError` when none comes within two seconds.
        """
        with self._news:
            arrived = self._news.wait_for(
                lambda: self._failed or self._closed or (self._latest is not None and self._previous > after),
                timeout=TIMEOUT,
            )
            if self._closed:
                raise CameraError(f"{self._name} is closed.")
            if self._failed or not arrived or self._latest is None:
                raise CameraError(Said("{camera} gives no frames. Is it still plugged in?", camera=self._name))
            return self._latest

    @property
    def sizes(self) -> Sizes:
        """How large the image and the preview of its frames are; unknown before the first."""
        latest = self._latest
        return UNKNOWN if latest is None else Sizes.of(latest.image.shape[1], latest.image.shape[0])

    def close(self) -> None:
        """Give the device back. Safe to call twice."""
        with self._news:
            self._closed = True
            self._news.notify_all()
        self._thread.join(timeout=TIMEOUT)

    def _drain(self) -> None:
        try:
            while not self._closed:
                good, image = self._capture.read()
                with self._news:
                    if not good or not isinstance(image, np.ndarray):
                        self._failed = True
                        self._news.notify_all()
                        return
                    picture: Image = image.astype(np.uint8, copy=False)
                    self._previous = self._latest.at if self._latest is not None else 0.0
                    self._latest = Frame(picture, time.monotonic())
                    self._news.notify_all()
        finally:
            self._capture.release()
