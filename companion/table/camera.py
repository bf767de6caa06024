"""A camera that may fail: it is opened again with back-off, and how it is, is told in words."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Final

from companion.engine.said import Said
from companion.table import sentences
from companion.table.public import CameraStatus
from hardware.camera import UNKNOWN, Camera, CameraError, Frame, Sizes
from hardware.watch import PictureWatch

log = logging.getLogger(__name__)

FIRST_PAUSE: Final = 0.5
"""Seconds after the first failure before the camera is tried again. Doubles with each further failure."""

LONGEST_PAUSE: Final = 30.0

STEADY: Final = 3.0
"""Seconds a camera must have worked before its next failure counts as a first one again."""


class WatchedCamera:
    """Stands before a camera, is one itself, and keeps it alive. Safe to use from several threads."""

    def __init__(
        self,
        opener: Callable[[], Camera],
        clock: Callable[[], float],
        tell: Callable[[CameraStatus], None],
    ) -> None:
        """`opener` opens the camera, and raises `CameraError` when it does not answer; it is opened at the first frame.

        `clock` gives monotonic seconds. `tell` is called with the status whenever it may have changed.
        """
        self._opener = opener
        self._clock = clock
        self._tell = tell
        self._lock = threading.Lock()
        self._camera: Camera | None = None
        self._watch: PictureWatch | None = None
        self._opened = float("-inf")
        self._name = ""
        self._closed = False
        self._pause = FIRST_PAUSE
        self._not_before = float("-inf")
        self._status = CameraStatus(False, "", "")
        self._sizes = UNKNOWN
        self._held: Mapping[str, float] | None = None

    @property
    def name(self) -> str:
        """What to call this camera in a sentence to the players; empty before it answered once."""
        return self._status.name

    @property
    def sensor(self) -> bool:
        """Whether a sensor is behind it."""
        return self._camera is not None and self._camera.sensor

    @property
    def status(self) -> CameraStatus:
        """How the camera is."""
        return self._status

    def frame(self, after: float = 0.0) -> Frame:
        """The next frame exposed after the monotonic time `after`, in seconds.

        Raises `CameraError`, with a sentence for the players, when there is none, and at once while it is too early to
        try again.
        """
        with self._lock:
            if self._closed:
                raise CameraError(Said("The camera is closed."))
            if self._clock() < self._not_before:
                raise CameraError(self._status.sentence)
            try:
                frame = self._next(after)
            except CameraError as error:
                self._failed(error.message)
                raise CameraError(self._status.sentence) from error
            except Exception as error:
                # An adapter or driver that breaks in a way of its own must not end the reveal.
                log.exception("the camera broke")
                self._failed(Said("The camera broke: {reason}.", reason=str(error)))
                raise CameraError(self._status.sentence) from error
            if self._clock() - self._opened >= STEADY:
                self._pause = FIRST_PAUSE
            self._now(CameraStatus(True, self._name))
            return frame

    def _next(self, after: float) -> Frame:
        if self._camera is None:
            self._camera = self._opener()
            self._opened = self._clock()
            self._name = self._camera.name
            if self._held:
                self._camera.lock(self._held)
            if self._camera.sensor and self._watch is None:
                self._watch = PictureWatch()  # and kept: opened again, a camera may give the same black picture
        frame = self._camera.frame(after)
        self._sizes = self._camera.sizes
        fault = None if self._watch is None else self._watch.see(frame)
        if fault is not None:
            raise CameraError(fault)
        return frame

    @property
    def sizes(self) -> Sizes:
        """How large the image and the preview of its frames are; unknown before the first."""
        return self._sizes

    def lock(self, values: Mapping[str, float] | None = None) -> Mapping[str, float]:
        """As `hardware.camera.Camera.lock`; a camera that is opened again after a failure gets the values again.

        Raises `CameraError` when no values are given and there is no camera to take them from.
        """
        with self._lock:
            self._held = values
            if self._camera is not None:
                self._held = self._camera.lock(values)
            elif values is None:
                raise CameraError(self._status.sentence or Said("The camera has not answered yet."))
            return self._held or {}

    def unlock(self) -> None:
        """As `hardware.camera.Camera.unlock`."""
        with self._lock:
            self._held = None
            if self._camera is not None:
                self._camera.unlock()

    def close(self) -> None:
        """Give the device back. Safe to call twice."""
        with self._lock:
            self._closed = True
            if self._camera is not None:
                self._camera.close()
                self._camera = None

    def _failed(self, reason: str) -> None:
        first = self._pause == FIRST_PAUSE
        log.log(logging.WARNING if first else logging.INFO, "camera: %s Trying again in %.1f s.", reason, self._pause)
        camera, self._camera = self._camera, None
        if camera is not None:
            try:
                camera.close()
            except Exception:
                log.exception("the camera could not be closed after it failed")
        self._not_before = self._clock() + self._pause
        self._pause = min(2 * self._pause, LONGEST_PAUSE)
        self._now(CameraStatus(False, self._status.name, sentences.camera_failed(reason)))

    def _now(self, status: CameraStatus) -> None:
        self._status = status
        self._tell(status)
