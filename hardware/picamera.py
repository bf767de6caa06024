"""A Raspberry Pi camera module through picamera2, which comes from the Pi's own apt and is imported only here."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Any, Final

import numpy as np

from companion.engine.said import Said
from hardware.camera import CameraError, Frame, Image, NothingToLock, Sizes

TIMEOUT: Final = 2.0
"""Seconds to wait for a frame before the camera counts as gone."""

CONTROLS: Final[dict[str, object]] = {
    "AfMode": 0,  # manual: an autofocus that hunts while the dice are read blurs the very frames that count
    "AeFlickerMode": 1,  # manual, with the period below
    "AeFlickerPeriod": 10_000,  # microseconds: lamps on 50 Hz mains flicker at 100 Hz
}
"""Asked for only where the camera advertises them: no two modules know the same ones."""


class PiCamera(NothingToLock):
    """A camera module on the ribbon cable. Safe to use from several threads as picamera2 itself is."""

    def __init__(self, number: int = 0, size: tuple[int, int] = (1280, 960)) -> None:
        """Open camera `number` at `size` (width, height in pixels).

        Raises `CameraError` when picamera2 is not installed or there is no such camera.
        """
        try:
            from picamera2 import Picamera2  # noqa: PLC0415 - absent everywhere but on a Pi
        except ImportError as error:
            raise CameraError(
                Said(
                    "The Raspberry Pi camera needs picamera2: `sudo apt install python3-picamera2`, and a virtual "
                    "environment made with --system-site-packages. (Python says: {reason})",
                    reason=str(error),
                )
            ) from error
        try:
            found = Picamera2.global_camera_info()
        except Exception as error:  # libcamera raises whatever its pipeline did
            raise CameraError(Said("libcamera could not list the cameras: {reason}", reason=str(error))) from error
        if number >= len(found):
            raise CameraError(
                Said(
                    "There is no Raspberry Pi camera number {number} ({found} found). Switch the Pi off, "
                    "check that the ribbon cable sits straight at both ends, and start again.",
                    number=number,
                    found=len(found),
                )
            )
        self._name = Said("Raspberry Pi camera {model}", model=str(found[number].get("Model", number)))
        self._camera: Any = None
        self._sizes = Sizes.of(*size)
        try:
            self._camera = Picamera2(number)
            # "RGB888" is libcamera's name for bytes in the order blue, green, red: what cv2 calls BGR.
            main = {"format": "RGB888", "size": size}
            self._camera.configure(self._camera.create_video_configuration(main=main, buffer_count=4))
            known = self._camera.camera_controls
            self._camera.set_controls({name: value for name, value in CONTROLS.items() if name in known})
            self._camera.start()
        except Exception as error:
            self.close()
            raise CameraError(
                Said("{camera} is there but did not start: {reason}", camera=self._name, reason=str(error))
            ) from error

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

        `flush=True` throws away what the pipeline had exposed before this call, so the frame is newer than any
        `after` in the past. Raises `CameraError` when none comes within two seconds.
        """
        if self._camera is None:
            raise CameraError(f"{self._name} is closed.")
        until = time.monotonic() + TIMEOUT
        while True:
            left = until - time.monotonic()
            if left <= 0:
                raise CameraError(
                    Said("{camera} gave no frame for {seconds} seconds.", camera=self._name, seconds=round(TIMEOUT))
                )
            try:
                with self._camera.captured_request(wait=left, flush=True) as request:
                    image: Image = np.ascontiguousarray(request.make_array("main")[:, :, :3])
                    metadata = request.get_metadata()
            except Exception as error:
                reason = Said("no frame in time") if isinstance(error, TimeoutError) else str(error)
                raise CameraError(
                    Said("{camera} gave no frame: {reason}.", camera=self._name, reason=reason)
                ) from error
            begin = metadata.get("SensorTimestamp")
            if begin is None:
                return Frame(image, time.monotonic())
            if begin / 1e9 > after:
                return Frame(image, begin / 1e9 + metadata.get("ExposureTime", 0) / 1e6)

    @property
    def sizes(self) -> Sizes:
        """How large the image and the preview of its frames are."""
        return self._sizes

    def close(self) -> None:
        """Give the device back. Safe to call twice."""
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.close()

    def __enter__(self) -> PiCamera:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
