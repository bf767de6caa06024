"""Pictures for the page: what the camera sees now, and what was judged."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from flask import Response, send_from_directory
from werkzeug.exceptions import NotFound

from calibration.image import jpeg as encoded
from calibration.image import shrunk
from hardware.camera.protocol import Camera, CameraError, Image
from web.errors import RequestError

MAX_WIDTH = 960
"""Pixels; a phone shows no more, and a Pi's radio carries no more five times a second."""
KEPT_FOR = 0.1
"""Seconds for which a frame is handed to everybody who asks: forty phones cost the camera as much as one."""
FAILED_FOR = 1.0
"""Seconds for which a failure is handed to everybody who asks."""
STALE = 1.0
"""Seconds for which a frame is good enough for those who would have to wait for the one that is being taken."""
LONGEST_WAIT = 4.0
"""Seconds to wait for somebody else's look where there is nothing to show; a camera may take two to fail."""
QUALITY = 80


def jpeg(image: Image, width: int = MAX_WIDTH) -> bytes:
    """`image` (height x width x 3, BGR) as a JPEG file no wider than `width` pixels."""
    try:
        return encoded(shrunk(image, width), QUALITY)
    except ValueError as error:
        raise CameraError("The camera's picture could not be written as a JPEG file.") from error


def judged(folder: Path | None, name: str, *, hidden: bool) -> Response:
    """The picture that was judged, from the folder of those that are kept.

    Raises `RequestError` with a sentence where it is not there (404), and while the dice are `hidden` (403).
    """
    if hidden:
        raise RequestError("How many dice lie under the cups is hidden now.", code="hidden", status=403)
    if folder is not None:
        try:
            return send_from_directory(folder.resolve(), f"{name}.jpg", mimetype="image/jpeg", conditional=True)
        except NotFound:
            pass  # removed to make room for newer ones, never kept, or no reading has this number
    raise RequestError("This picture is not kept, or not any more.", code="not_found", status=404)


@dataclass(frozen=True, slots=True)
class Kept:
    """What the last look at the camera gave: a JPEG file, or why there is none."""

    at: float
    data: bytes = b""
    failure: str = ""


class LiveFrame:
    """The camera's latest frame as a JPEG file, taken once for everybody who asks at the same time.

    A camera that fails makes each look wait for seconds. So a failure is kept too, and nobody queues for a second
    look: threads that wait here are missing at the DUDO button.
    """

    def __init__(self, camera: Camera | None, clock: Callable[[], float]) -> None:
        """`clock` gives monotonic seconds."""
        self._camera = camera
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: Kept | None = None

    def get(self) -> bytes:
        """The JPEG file. Raises `RequestError` (503) with a sentence where there is no frame to be had."""
        if self._camera is None:
            raise RequestError("This table has no camera.", code="no_camera", status=503)
        before = self._younger(STALE)
        if self._lock.acquire(blocking=False) if before else self._lock.acquire(timeout=LONGEST_WAIT):
            try:
                kept = self._younger(KEPT_FOR, FAILED_FOR) or self._look(self._camera)
            finally:
                self._lock.release()
        elif before:
            kept = before  # somebody is looking just now; the picture before is good enough to watch hands by
        else:
            raise RequestError("The camera has not answered yet.", code="camera", status=503)
        if kept.failure:
            raise RequestError(kept.failure, code="camera", status=503)
        return kept.data

    def _younger(self, seconds: float, failed: float = 0.0) -> Kept | None:
        """The last look where it is younger than `seconds`, or `failed` seconds where it failed."""
        kept = self._kept
        if kept is not None and self._clock() - kept.at < (failed if kept.failure else seconds):
            return kept
        return None

    def _look(self, camera: Camera) -> Kept:
        try:
            data = jpeg(camera.frame().image)
        except CameraError as error:
            self._kept = Kept(self._clock(), failure=str(error))
        else:
            self._kept = Kept(self._clock(), data)
        return self._kept
