"""A USB camera, through cv2.VideoCapture."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

import cv2

from companion.messages.message import Message
from hardware.camera import v4l2
from hardware.camera.capture import CaptureCamera
from hardware.camera.flicker import flash_period
from hardware.camera.protocol import CameraError, Frame, small_picture
from hardware.camera.settings import CameraSettings

log = logging.getLogger(__name__)

COMMON_SIZES: Final = ((2048, 1536), (1920, 1080), (1600, 1200), (1280, 960), (1280, 720), (1024, 768), (640, 480))
"""The sizes to try in this order if none is configured. A driver without a size answers with another one."""

MOST_PIXELS: Final = 2048 * 1536
"""The most pixels of a picture: larger ones cost a Pi time and are read no better."""

LARGE_SIZES: Final = ((3840, 2160), (2560, 1440), (3264, 2448), (2592, 1944))
"""The sizes to try if all pixels are wanted."""

LATENCY: Final = 0.1
"""Seconds from exposure to frame, at most; USB cameras do not report when they exposed."""

BRIGHTNESS_LEEWAY: Final = 1.5
"""The most by which locking the exposure may brighten or darken a picture, as a factor."""

EXPOSURE_UNIT: Final = 100.0
"""Microseconds in V4L2's unit of exposure (V4L2_CID_EXPOSURE_ABSOLUTE)."""

MANUAL_EXPOSURE: Final = 1
AUTOMATIC_EXPOSURE: Final = (3, 0)
"""V4L2_EXPOSURE_APERTURE_PRIORITY, which most USB cameras have, and V4L2_EXPOSURE_AUTO; the one above is
V4L2_EXPOSURE_MANUAL."""


def _absent(number: int) -> CameraError:
    return CameraError(
        Message(
            "There is no USB camera number {number}. Plug it in, or see that no other program uses it.", number=number
        )
    )


def open_capture(number: int) -> cv2.VideoCapture:
    """Open video device `number` with cv2. Raises `CameraError` if Linux lists no such device."""
    if sys.platform == "linux":
        if not Path(f"/dev/video{number}").exists():
            raise _absent(number)  # checked first, because cv2 prints to standard error
        return cv2.VideoCapture(number, cv2.CAP_V4L2)
    return cv2.VideoCapture(number)


class Webcam(CaptureCamera):
    """A USB camera. Safe to use from several threads."""

    noise = True

    def __init__(
        self,
        number: int | None = None,
        settings: CameraSettings = CameraSettings(),  # noqa: B008 - a frozen value
        opener: Callable[[int], cv2.VideoCapture] = open_capture,
    ) -> None:
        """Open video device `number`; None means the first USB camera that Linux lists.

        The size is the configured one, else the largest within `MOST_PIXELS`; the camera may choose another.

        Raises `CameraError` if there is no such device.
        """
        if number is None:
            found = v4l2.usb_cameras()
            if not found and sys.platform == "linux":
                raise _absent(0)  # do not try other devices: one may be a Pi's own module
            number = found[0] if found else 0
        name = Message("USB camera {number}", number=number)
        self._settings = settings
        if not v4l2.set_mains(number, settings.mains):
            log.info("%s does not say whether it avoids flicker", name)
        capture = opener(number)
        if not capture.isOpened():
            capture.release()
            raise _absent(number)
        _unlock_controls(capture)  # a USB camera keeps what an earlier run locked
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        _ask_for_mjpg(capture)
        size = _set_size(capture, COMMON_SIZES if settings.still is None else (settings.still,))
        log.info("%s: %s x %s", name, *size)
        self._device = capture
        super().__init__(
            name,
            capture,
            LATENCY,
            Message("{camera} gives no frames. Is it still plugged in?", camera=name),
            # Linux's uvcvideo stamps its buffers, and of cv2's backends only V4L2 passes the stamps on.
            stamp=(lambda: capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0) if capture.getBackendName() == "V4L2" else None,
        )

    def lock(self, values: Mapping[str, float] | None = None) -> Mapping[str, float]:
        """Lock exposure, white balance and focus, as they are now or at the `values` of an earlier lock.

        Names: exposure (microseconds), white_balance (kelvin) and focus (the camera's own unit), each only if the
        camera accepted it. The exposure is rounded to whole periods of the mains, unless it is much shorter. An
        exposure that makes the picture much brighter or darker is not locked: some cameras do not report what their
        automatic exposure chose.

        Raises `CameraError` if the camera does not answer.
        """
        if values is not None:
            return self.ask(lambda: _lock_controls(self._device, values, self._settings.mains))
        before = _brightness(self.frame())
        locked = self.ask(lambda: _lock_controls(self._device, None, self._settings.mains))
        if "exposure" not in locked:
            return locked
        after = time.monotonic()
        for _ in range(2):  # drivers apply controls a frame or two late
            frame = self.frame(after)
            after = frame.at
        if 1 / BRIGHTNESS_LEEWAY <= _brightness(frame) / before <= BRIGHTNESS_LEEWAY:
            return locked
        log.warning("%s does not tell its exposure, and goes on choosing it", self.name)
        self.ask(lambda: _unlock_exposure(self._device))
        return {name: value for name, value in locked.items() if name != "exposure"}

    def show_whole(self, whole: bool) -> None:
        """Switch `Frame.whole` on or off: the largest pictures of the same shape. The stream restarts."""
        size = self.size
        larger = [each for each in LARGE_SIZES if each[0] * size[1] == each[1] * size[0] and each[0] > size[0]]
        if whole != self._whole and larger:
            self.ask(lambda: self._resize(size, larger if whole else []))

    def _resize(self, size: tuple[int, int], larger: Iterable[tuple[int, int]]) -> Mapping[str, float]:
        """Set the first of the `larger` sizes that the camera has, else `size`."""
        self._whole = any(_ask_for_size(self._device, each) == each for each in larger)
        if not self._whole:
            _ask_for_size(self._device, size)
        return {}

    def unlock(self) -> None:
        """Make exposure and white balance automatic again. Raises `CameraError`."""
        self.ask(lambda: _unlock_controls(self._device))


def _ask_for_mjpg(capture: cv2.VideoCapture) -> None:
    """Select MJPG: USB 2 carries only a few uncompressed large pictures a second."""
    wanted = float(cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FOURCC, wanted)
    if capture.get(cv2.CAP_PROP_FOURCC) != wanted:
        log.info("the USB camera does not give MJPG; frames may be slow")


def _set_size(capture: cv2.VideoCapture, sizes: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """Try sizes until the camera gives a usual shape within `MOST_PIXELS`; return the size it gives."""
    got = (0, 0)
    for size in sizes:
        got = _ask_for_size(capture, size)
        usual = got[0] * 3 == got[1] * 4 or got[0] * 9 == got[1] * 16
        if got == size or (usual and got[0] * got[1] <= MOST_PIXELS):
            break
    return got


def _ask_for_size(capture: cv2.VideoCapture, size: tuple[int, int]) -> tuple[int, int]:
    """Request a size; return what the camera gives."""
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    return round(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), round(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))


def _lock_controls(capture: cv2.VideoCapture, values: Mapping[str, float] | None, mains: int) -> dict[str, float]:
    """Lock each control, and unlock those that the camera does not accept. Returns the locked values."""
    locked = {}
    now = capture.get(cv2.CAP_PROP_EXPOSURE)
    wanted = now if values is None else values.get("exposure", 0.0) / EXPOSURE_UNIT
    if wanted > 0:
        steps = flash_period(mains) / EXPOSURE_UNIT
        # If a whole period would be far too bright, the light is sunlight, which does not flicker.
        exact = values is not None or wanted * BRIGHTNESS_LEEWAY < steps
        whole = round(wanted if exact else max(1, round(wanted / steps)) * steps)
        got = _set(capture, cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL_EXPOSURE, cv2.CAP_PROP_EXPOSURE, whole, 1)
        if got is not None:
            locked["exposure"] = got * EXPOSURE_UNIT
        else:
            _unlock_exposure(capture)
    now = capture.get(cv2.CAP_PROP_WB_TEMPERATURE)
    wanted = now if values is None else values.get("white_balance", 0.0)
    if wanted > 0:
        got = _set(capture, cv2.CAP_PROP_AUTO_WB, 0, cv2.CAP_PROP_WB_TEMPERATURE, wanted, 0.02 * wanted)
        if got is not None:
            locked["white_balance"] = got
        else:
            capture.set(cv2.CAP_PROP_AUTO_WB, 1)
    if (values is None and capture.get(cv2.CAP_PROP_AUTOFOCUS) > 0) or (values is not None and "focus" in values):
        wanted = capture.get(cv2.CAP_PROP_FOCUS) if values is None else values["focus"]
        got = _set(capture, cv2.CAP_PROP_AUTOFOCUS, 0, cv2.CAP_PROP_FOCUS, wanted, 0)
        if got is not None:
            locked["focus"] = got
        else:
            capture.set(cv2.CAP_PROP_AUTOFOCUS, 1)
    return locked


def _set(
    capture: cv2.VideoCapture, automatic: int, off: int, control: int, wanted: float, leeway: float
) -> float | None:
    """Switch `automatic` off and set `control`. Returns its value; None if the camera does not accept it."""
    capture.set(automatic, off)
    capture.set(control, wanted)
    got = capture.get(control)
    return got if capture.get(automatic) == off and abs(got - wanted) <= leeway else None


def _brightness(frame: Frame) -> float:
    """Mean brightness, 1 to 256."""
    return 1.0 + float(small_picture(frame).mean())


def _unlock_exposure(capture: cv2.VideoCapture) -> dict[str, float]:
    for automatic in AUTOMATIC_EXPOSURE:
        capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, automatic)
        if capture.get(cv2.CAP_PROP_AUTO_EXPOSURE) != MANUAL_EXPOSURE:
            break
    return {}


def _unlock_controls(capture: cv2.VideoCapture) -> dict[str, float]:
    _unlock_exposure(capture)
    capture.set(cv2.CAP_PROP_AUTO_WB, 1)
    capture.set(cv2.CAP_PROP_AUTOFOCUS, 1)
    return {}
