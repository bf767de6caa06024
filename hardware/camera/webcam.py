"""A USB camera through cv2.VideoCapture."""

from __future__ import annotations

import logging
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from companion.messages.message import Message
from hardware.camera import v4l2
from hardware.camera.flicker import flash_period
from hardware.camera.protocol import FRAME_TIMEOUT, CameraError, Frame, small_picture
from hardware.camera.settings import CameraSettings

log = logging.getLogger(__name__)

FIRST_FRAME_TIMEOUT: Final = 6.0
"""Seconds a newly opened camera may take for its first frame."""

COMMON_SIZES: Final = ((2048, 1536), (1920, 1080), (1600, 1200), (1280, 960), (1280, 720), (1024, 768), (640, 480))
"""The sizes to ask for in turn when none is configured. A driver that lacks one answers with another."""

MOST_PIXELS: Final = 2048 * 1536
"""The most pixels of a picture: larger ones cost a Pi time and are read no better."""

LATENCY: Final = 0.1
"""Seconds from exposure to frame. USB cameras do not say when they exposed."""

BRIGHTNESS_LEEWAY: Final = 1.5
"""How many times brighter or darker a picture may get when the exposure is locked."""

EXPOSURE_UNIT: Final = 100.0
"""Microseconds in V4L2's unit of exposure (V4L2_CID_EXPOSURE_ABSOLUTE)."""

LEAST_WAIT: Final = 0.005
"""Seconds that the driver keeps one waiting, at least, for a frame that was not in its queue."""

OLDEST_FRAME: Final = 10.0
"""Seconds. A time that the driver gives and that is longer ago is on another clock."""

MANUAL_EXPOSURE: Final = 1
AUTOMATIC_EXPOSURE: Final = (3, 0)
"""V4L2_EXPOSURE_MANUAL; V4L2_EXPOSURE_APERTURE_PRIORITY, which most USB cameras have, and V4L2_EXPOSURE_AUTO."""


def _absent(number: int) -> CameraError:
    return CameraError(
        Message(
            "There is no USB camera number {number}. Plug it in, or see that no other program uses it.", number=number
        )
    )


def open_capture(number: int) -> cv2.VideoCapture:
    """Open video device `number` with cv2. Raises `CameraError` if Linux shows no such device."""
    if sys.platform == "linux":
        if not Path(f"/dev/video{number}").exists():
            raise _absent(number)  # checked first, because cv2 complains on standard error
        return cv2.VideoCapture(number, cv2.CAP_V4L2)
    return cv2.VideoCapture(number)


def capture_stamps(capture: cv2.VideoCapture) -> bool:
    """Whether `cv2.CAP_PROP_POS_MSEC` is when a frame came off the bus, on the clock of `time.monotonic`.

    Linux's uvcvideo stamps its buffers so, and of cv2's backends only V4L2 passes the stamp on.
    """
    return bool(capture.getBackendName() == "V4L2")


@dataclass(eq=False, slots=True)
class _Request:
    """Somebody waits for a frame that was exposed after `after`."""

    after: float
    frame: Frame | None = None


class Webcam:
    """A USB camera. Safe to use from several threads.

    A thread drains the driver's queue, for two reasons: a frame left in the queue may be seconds old, and cv2's read
    blocks for up to ten seconds when the plug is pulled. Only that thread uses the `cv2.VideoCapture`. It decodes only
    the frames that somebody waits for: to decode all of them takes a Raspberry Pi 4 a core.
    """

    sensor = True

    def __init__(
        self,
        number: int | None = None,
        settings: CameraSettings = CameraSettings(),  # noqa: B008 - a frozen value
        opener: Callable[[int], cv2.VideoCapture] = open_capture,
    ) -> None:
        """Open video device `number`, or with None the first USB camera that Linux shows.

        The size is the configured one, else the largest within `MOST_PIXELS`; the camera may choose another.

        Raises `CameraError` when there is no such device.
        """
        if number is None:
            found = v4l2.usb_cameras()
            if not found and sys.platform == "linux":
                raise _absent(0)  # no other device is tried: it may be a Pi's own module
            number = found[0] if found else 0
        self.name = Message("USB camera {number}", number=number)
        self._settings = settings
        if not v4l2.set_mains(number, settings.mains):
            log.info("%s does not say whether it avoids flicker", self.name)
        self._capture = opener(number)
        if not self._capture.isOpened():
            self._capture.release()
            raise _absent(number)
        _unlock_controls(self._capture)  # a USB camera keeps what an earlier run of the program locked
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        _ask_for_mjpg(self._capture)
        size = _set_size(self._capture, COMMON_SIZES if settings.still is None else (settings.still,))
        log.info("%s: %s x %s", self.name, *size)
        self.size = (0, 0)
        self._stamps = capture_stamps(self._capture)
        self._news = threading.Condition()
        self._asked: list[_Request] = []
        self._grabbed = 0.0
        """When the latest frame was taken; 0 before the first."""
        self._failed = False
        self._closed = False
        self._orders: queue.SimpleQueue[tuple[Callable[[], Mapping[str, float]], Future[Mapping[str, float]]]]
        self._orders = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._drain, name="webcam", daemon=True)
        self._thread.start()

    def frame(self, after: float = 0.0) -> Frame:
        """The next frame exposed after the monotonic time `after`, in seconds.

        A frame counts as taken `LATENCY` before it arrived, and as newer than `after` when the frame before it was
        newer too: exposures overlap by less than a frame.

        Raises `CameraError` when none comes in time.
        """
        request = _Request(after)
        with self._news:
            if self._closed:
                raise CameraError(f"{self.name} is closed.")
            self._asked.append(request)
            timeout = FRAME_TIMEOUT if self._grabbed else FIRST_FRAME_TIMEOUT
            self._news.wait_for(lambda: self._failed or self._closed or request.frame is not None, timeout)
            if request in self._asked:
                self._asked.remove(request)
            if self._closed:
                raise CameraError(f"{self.name} is closed.")
            if request.frame is None:
                raise self._unplugged()
            return request.frame

    def _unplugged(self) -> CameraError:
        return CameraError(Message("{camera} gives no frames. Is it still plugged in?", camera=self.name))

    def lock(self, values: Mapping[str, float] | None = None) -> Mapping[str, float]:
        """Lock exposure, white balance and focus, as they are now or at `values` that an earlier lock returned.

        Names: exposure (microseconds), white_balance (kelvin) and focus (the camera's own unit), each only if the
        camera accepted it. The exposure is rounded to whole periods of the mains, unless it is much shorter. An
        exposure that makes the picture much brighter or darker is not locked: some cameras do not report what their
        automatic exposure chose.

        Raises `CameraError` when the camera does not answer.
        """
        if values is not None:
            return self._ask(lambda: _lock_controls(self._capture, values, self._settings.mains))
        before = _brightness(self.frame())
        locked = self._ask(lambda: _lock_controls(self._capture, None, self._settings.mains))
        if "exposure" not in locked:
            return locked
        after = time.monotonic()
        for _ in range(2):  # drivers obey a frame or two late
            frame = self.frame(after)
            after = frame.at
        if 1 / BRIGHTNESS_LEEWAY <= _brightness(frame) / before <= BRIGHTNESS_LEEWAY:
            return locked
        log.warning("%s does not tell its exposure, and goes on choosing it", self.name)
        self._ask(lambda: _unlock_exposure(self._capture))
        return {name: value for name, value in locked.items() if name != "exposure"}

    def unlock(self) -> None:
        """Let the camera choose exposure and white balance again. Raises `CameraError`."""
        self._ask(lambda: _unlock_controls(self._capture))

    def _ask(self, order: Callable[[], Mapping[str, float]]) -> Mapping[str, float]:
        answer: Future[Mapping[str, float]] = Future()
        self._orders.put((order, answer))
        try:
            return answer.result(timeout=FRAME_TIMEOUT)
        except TimeoutError as error:
            raise self._unplugged() from error

    def close(self) -> None:
        """Give the device back, waiting at most `FRAME_TIMEOUT` for a stuck read. Safe to call twice."""
        with self._news:
            self._closed = True
            self._news.notify_all()
        self._thread.join(timeout=FRAME_TIMEOUT)

    def _drain(self) -> None:
        try:
            while not self._closed:
                self._obey()
                before = time.monotonic()
                if not self._capture.grab():
                    return
                at = self._time_of_frame(before, time.monotonic())
                with self._news:
                    previous, self._grabbed = self._grabbed, at
                    asked = [request for request in self._asked if request.after < previous]
                if asked:
                    self._give(asked, at)
        except cv2.error:
            log.exception("%s broke", self.name)
        finally:
            with self._news:
                self._failed = True
                self._news.notify_all()
            self._capture.release()

    def _time_of_frame(self, before: float, arrived: float) -> float:
        """When the frame was taken for which the driver was asked at `before` and that it gave at `arrived`."""
        if self._stamps:
            stamp = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
            if 0.0 < arrived - stamp < OLDEST_FRAME:
                return stamp - LATENCY
        # Without a wait it lay in the queue while another was decoded: it may be hardly newer than the one before it.
        return arrived - LATENCY if arrived - before >= LEAST_WAIT else self._grabbed

    def _give(self, asked: Iterable[_Request], at: float) -> None:
        """Decode the grabbed frame, taken at `at`, for those who asked."""
        good, image = self._capture.retrieve()
        if not good:
            log.warning("%s gave a frame that is damaged", self.name)
            return
        frame = Frame(image.astype(np.uint8, copy=False), at)
        with self._news:
            self.size = image.shape[1], image.shape[0]
            for request in asked:
                request.frame = frame
                if request in self._asked:
                    self._asked.remove(request)
            self._news.notify_all()

    def _obey(self) -> None:
        while not self._orders.empty():
            order, answer = self._orders.get()
            try:
                answer.set_result(order())
            except cv2.error as error:
                answer.set_exception(
                    CameraError(Message("{camera} gave no frame: {reason}.", camera=self.name, reason=str(error)))
                )


def _ask_for_mjpg(capture: cv2.VideoCapture) -> None:
    """Ask for MJPG: USB 2 carries only a few uncompressed large pictures a second."""
    wanted = float(cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FOURCC, wanted)
    if capture.get(cv2.CAP_PROP_FOURCC) != wanted:
        log.info("the USB camera does not give MJPG; frames may be slow")


def _set_size(capture: cv2.VideoCapture, sizes: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """Ask for one size after another until the camera gives one of a usual shape within `MOST_PIXELS`; return it."""
    got = (0, 0)
    for size in sizes:
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        got = (round(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), round(capture.get(cv2.CAP_PROP_FRAME_HEIGHT)))
        usual = got[0] * 3 == got[1] * 4 or got[0] * 9 == got[1] * 16
        if got == size or (usual and got[0] * got[1] <= MOST_PIXELS):
            break
    return got


def _lock_controls(capture: cv2.VideoCapture, values: Mapping[str, float] | None, mains: int) -> dict[str, float]:
    """Lock one control after another, and unlock those that the camera does not accept. Returns the locked values."""
    locked = {}
    now = capture.get(cv2.CAP_PROP_EXPOSURE)
    wanted = now if values is None else values.get("exposure", 0.0) / EXPOSURE_UNIT
    if wanted > 0:
        steps = flash_period(mains) / EXPOSURE_UNIT
        # If the camera chose so short an exposure, a period would be far too bright: this is sunlight, which is steady.
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
    """The mean brightness, from 1 to 256."""
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
