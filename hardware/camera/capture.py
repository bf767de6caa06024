"""A camera read through cv2.VideoCapture, or anything with its interface.

One thread takes all frames from the driver, and decodes those that are wanted.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Final, Protocol

import cv2
import numpy as np

from companion.messages.message import Message
from hardware.camera.protocol import FRAME_TIMEOUT, BaseCamera, CameraError, Frame, shrunk

log = logging.getLogger(__name__)

FIRST_FRAME_TIMEOUT: Final = 6.0
"""Seconds a newly opened camera may take for its first frame."""

LEAST_WAIT: Final = 0.005
"""If the driver waited less than this many seconds, the frame had been in its queue."""

OLDEST_FRAME: Final = 10.0
"""In seconds; an older time stamp of the driver is from another clock."""

ARRIVALS: Final = 15
"""The number of latest frames whose arrival times are kept."""


class Capture(Protocol):
    """The part of `cv2.VideoCapture` that is used."""

    def grab(self) -> bool:
        """Wait for the next frame. Returns False once there are no more."""

    def retrieve(self) -> tuple[bool, Any]:
        """Decode the grabbed frame."""

    def release(self) -> None:
        """Release the device."""


@dataclass(eq=False, slots=True)
class Request:
    """A request for a frame exposed after `after`."""

    after: float = 0.0
    frame: Frame | None = None


class CaptureCamera(BaseCamera):
    """A camera read through `cv2.VideoCapture`. Safe to use from several threads.

    A thread drains the driver's queue, for two reasons: a frame left in the queue may be seconds old, and cv2's read
    blocks for up to ten seconds when the plug is pulled. Only that thread uses the `cv2.VideoCapture`. It decodes only
    frames that were requested: decoding all of them takes a whole core of a Raspberry Pi 4.
    """

    sensor = True
    noise = False
    """`hardware.camera.protocol.Frame.noise` of its frames."""

    def __init__(
        self,
        name: str,
        capture: Capture,
        latency: float,
        silence: Message,
        *,
        stamp: Callable[[], float] | None = None,
        first_frame: float = FIRST_FRAME_TIMEOUT,
    ) -> None:
        """Start reading `capture`, which is open.

        latency: the most seconds from exposure to frame. silence: the message, with advice, if no frame comes. stamp:
        when the grabbed frame came off the bus, in seconds on the clock of `time.monotonic`. first_frame: seconds that
        the first frame may take.
        """
        self.name = name
        self.size = (0, 0)
        self._whole = False
        """The pictures have more pixels than `size`."""
        self._capture = capture
        self._latency = latency
        self._silence = silence
        self._stamp = stamp
        self._first_frame = first_frame
        self._news = threading.Condition()
        self._asked: list[Request] = []
        self._grabbed = 0.0
        """Time of the latest frame; 0 before the first."""
        self._arrivals: deque[float] = deque(maxlen=ARRIVALS)
        """Arrival times of the latest frames."""
        self._count = 0
        """The number of frames so far."""
        self._failure: str | None = None
        """Why there will be no more frames, if known."""
        self._failed = False
        self._closed = False
        self._damaged = False
        self._orders: queue.SimpleQueue[tuple[Callable[[], Mapping[str, float]], Future[Mapping[str, float]]]]
        self._orders = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._drain, name="capture", daemon=True)
        self._thread.start()

    def frame(self, after: float = 0.0) -> Frame:
        """Return the next frame exposed after the monotonic time `after`, in seconds.

        A frame counts as exposed `latency` seconds before it arrived, and as newer than `after` only if the previous
        frame was newer too, because exposures overlap by less than a frame.

        Raises `CameraError` if none comes in time.
        """
        request = Request(after)
        with self._news:
            self._asked.append(request)
            try:
                self._wait_for(lambda: request.frame is not None)
            finally:
                self._asked.remove(request)
            assert request.frame is not None
            return request.frame

    def wait_for_arrival(self) -> None:
        """Wait for the next frame without decoding it. Raises `CameraError` if none comes in time."""
        with self._news:
            before = self._count
            self._wait_for(lambda: self._count > before)

    def _wait_for(self, there: Callable[[], bool]) -> None:
        """Wait until `there` returns True, with `_news` held. Raises `CameraError` if that takes too long."""
        if self._closed:
            raise CameraError(f"{self.name} is closed.")
        timeout = FRAME_TIMEOUT if self._grabbed else self._first_frame
        self._news.wait_for(lambda: self._failed or self._closed or there(), timeout)
        if self._closed:
            raise CameraError(f"{self.name} is closed.")
        if not there():
            raise self._silent()

    def _silent(self) -> CameraError:
        """The error of a camera that gives no frame."""
        return CameraError(self._failure or self._silence)

    def ask(self, order: Callable[[], Mapping[str, float]]) -> Mapping[str, float]:
        """Run `order` between two frames in the thread that owns the capture. Raises `CameraError`."""
        answer: Future[Mapping[str, float]] = Future()
        self._orders.put((order, answer))
        try:
            return answer.result(timeout=FRAME_TIMEOUT)
        except TimeoutError as error:
            raise CameraError(self._silence) from error

    def close(self) -> None:
        """Release the device, waiting at most `FRAME_TIMEOUT` for a stuck read. Safe to call twice."""
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
                    self._failure = self._why()
                    return
                at = self._time_of_frame(before, time.monotonic())
                with self._news:
                    previous, self._grabbed = self._grabbed, at
                    self._arrivals.append(time.monotonic())
                    self._count += 1
                    self._news.notify_all()
                    asked = [each for each in self._asked if each.frame is None and each.after < previous]
                if asked:
                    self._give(asked, at)
        except CameraError as error:
            self._failure = error.message
        except cv2.error:
            log.exception("%s broke", self.name)
        finally:
            with self._news:
                self._failed = True
                self._news.notify_all()
            self._capture.release()

    def _time_of_frame(self, before: float, arrived: float) -> float:
        """When a frame was taken that the driver was asked for at `before` and returned at `arrived`."""
        if self._stamp is not None:
            stamp = self._stamp()
            if 0.0 < arrived - stamp < OLDEST_FRAME:
                return stamp - self._latency
        # Without a wait the frame lay in the queue while another was decoded, and may be hardly newer than the one
        # before.
        return arrived - self._latency if arrived - before >= LEAST_WAIT else self._grabbed

    def _give(self, asked: Iterable[Request], at: float) -> None:
        """Decode the grabbed frame, taken at `at`, for those requests. Raises `CameraError` if it cannot be used."""
        good, image = self._retrieve()
        if not good:
            log.log(logging.INFO if self._damaged else logging.WARNING, "%s gave a damaged frame", self.name)
            self._damaged = True
            return
        picture = np.asarray(image, np.uint8)
        if self._whole and picture.shape[1] > self.size[0]:
            frame = Frame(shrunk(picture, self.size), at, whole=picture, noise=self.noise)
        else:
            frame = Frame(picture, at, noise=self.noise)
        with self._news:
            self.size = frame.image.shape[1], frame.image.shape[0]
            for request in asked:
                request.frame = frame
            self._news.notify_all()

    def _retrieve(self) -> tuple[bool, Any]:
        """The grabbed frame; (False, None) if it is damaged."""
        return self._capture.retrieve()

    def _why(self) -> str | None:
        """Why no more frames come, if known."""
        return None

    def _obey(self) -> None:
        while not self._orders.empty():
            order, answer = self._orders.get()
            try:
                answer.set_result(order())
            except cv2.error as error:
                answer.set_exception(
                    CameraError(Message("{camera} gave no frame: {reason}.", camera=self.name, reason=str(error)))
                )
