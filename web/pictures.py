"""Pictures for the page: what the camera sees now, and what was judged."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import cv2
import numpy.typing as npt

from hardware.camera import Camera, CameraError, Image
from web.errors import RequestError

MAX_WIDTH = 960
"""Pixels; a phone shows no more, and a Pi's radio carries no more five times a second."""
KEPT_FOR = 0.1
"""Seconds for which a frame is handed to everybody who asks: forty phones cost the camera as much as one."""
QUALITY = 80


def jpeg(image: Image, width: int = MAX_WIDTH) -> bytes:
    """`image` (height x width x 3, BGR) as a JPEG file no wider than `width` pixels."""
    small: npt.NDArray[Any] = image
    high, wide = image.shape[:2]
    if wide > width:
        small = cv2.resize(image, (width, max(1, round(high * width / wide))), interpolation=cv2.INTER_AREA)
    done, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not done:
        raise CameraError("The camera's picture could not be written as a JPEG file.")
    return data.tobytes()


class LiveFrame:
    """The camera's latest frame as a JPEG file, taken once for everybody who asks at the same time."""

    def __init__(self, camera: Camera | None, clock: Callable[[], float]) -> None:
        self._camera = camera
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: tuple[float, bytes] | None = None

    def get(self) -> bytes:
        """The JPEG file. Raises `RequestError` (503) with a sentence where there is no frame to be had."""
        if self._camera is None:
            raise RequestError("This table has no camera.", code="no_camera", status=503)
        with self._lock:
            if self._kept is not None and 0 <= self._clock() - self._kept[0] < KEPT_FOR:
                return self._kept[1]
            try:
                data = jpeg(self._camera.frame().image)
            except CameraError as error:
                raise RequestError(str(error), code="camera", status=503) from error
            self._kept = (self._clock(), data)
            return data
