"""A camera through cv2.VideoCapture: one thread takes all frames from the driver, and decodes those that are wanted."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from companion.messages.message import Message
from hardware.camera.protocol import FRAME_TIMEOUT, CameraError, Frame, shrunk

log = logging.getLogger(__name__)

FIRST_FRAME_TIMEOUT: Final = 6.0
"""Seconds a newly opened camera may take for its first frame."""

LEAST_WAIT: Final = 0.005
"""Seconds that the driver keeps one waiting, at least, for a frame that was not in its queue."""

OLDEST_FRAME: Final = 10.0
"""Seconds. A time that the driver gives and that is longer ago is on another clock."""


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


class CaptureCamera:
    """A camera that is read through a `cv2.VideoCapture`. Safe to use from several threads.

    A thread drains the driver's queue, for two reasons: a frame left in the queue may be seconds old, and cv2's read
    blocks for up to ten seconds when the plug is pulled. Only that thread uses the `cv2.VideoCapture`. It decodes only
    the frames that somebody waits for: to decode all of them takes a Raspberry Pi 4 a core.
    """

    sensor = True

    def __init__(self, name: str, capture: cv2.VideoCapture, latency: float, silence: Message) -> None:
        """Read `capture`, which is open, from now on.

        latency: seconds from exposure to frame, at most. silence: what to say and to do when no frame comes.
        """
        self.name = name
        self.size = (0, 0)
        self._whole = False
        """Whether its pictures have more pixels than `size`."""
        self._capture = capture
        self._latency = latency
        self._silence = silence
        self._stamps = capture_stamps(capture)
        self._news = threading.Condition()
        self._asked: list[_Request] = []
        self._grabbed = 0.0
        """When the latest frame was taken; 0 before the first."""
        self._failed = False
        self._closed = False
        self._orders: queue.SimpleQueue[tuple[Callable[[], Mapping[str, float]], Future[Mapping[str, float]]]]
        self._orders = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._drain, name="capture", daemon=True)
        self._thread.start()

    def frame(self, after: float = 0.0) -> Frame:
        """The next frame exposed after the monotonic time `after`, in seconds.

        A frame counts as taken the latency before it arrived, and as newer than `after` when the frame before it was
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
            self._asked.remove(request)
            if self._closed:
                raise CameraError(f"{self.name} is closed.")
            if request.frame is None:
                raise CameraError(self._silence)
            return request.frame

    def ask(self, order: Callable[[], Mapping[str, float]]) -> Mapping[str, float]:
        """Have the thread that owns the capture do something between two frames. Raises `CameraError`."""
        answer: Future[Mapping[str, float]] = Future()
        self._orders.put((order, answer))
        try:
            return answer.result(timeout=FRAME_TIMEOUT)
        except TimeoutError as error:
            raise CameraError(self._silence) from error

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
                    asked = [each for each in self._asked if each.frame is None and each.after < previous]
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
                return stamp - self._latency
        # Without a wait it lay in the queue while another was decoded: it may be hardly newer than the one before it.
        return arrived - self._latency if arrived - before >= LEAST_WAIT else self._grabbed

    def _give(self, asked: Iterable[_Request], at: float) -> None:
        """Decode the grabbed frame, taken at `at`, for those who asked."""
        good, image = self._capture.retrieve()
        if not good:
            log.warning("%s gave a frame that is damaged", self.name)
            return
        picture = image.astype(np.uint8, copy=False)
        if self._whole and picture.shape[1] > self.size[0]:
            frame = Frame(shrunk(picture, self.size), at, whole=picture)
        else:
            frame = Frame(picture, at)
        with self._news:
            self.size = frame.image.shape[1], frame.image.shape[0]
            for request in asked:
                request.frame = frame
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
