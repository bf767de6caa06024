"""A camera that may fail: it is opened again with back-off, and how it is, is told in words."""

from __future__ import annotations

import concurrent.futures
import functools
import logging
import queue
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any, Final, TypeVar

from companion.messages.message import Message
from companion.table.game import sentences
from companion.table.state.state import CameraStatus
from hardware.camera.faults import PictureWatch
from hardware.camera.protocol import UNKNOWN, Camera, CameraError, Frame, Sizes

log = logging.getLogger(__name__)

FIRST_PAUSE: Final = 0.5
"""Seconds after the first failure before the camera is tried again. Doubles with each further failure."""

LONGEST_PAUSE: Final = 30.0

STEADY: Final = 3.0
"""Seconds a camera must have worked before its next failure counts as a first one again."""

HANGS: Final = 1.5
"""Seconds after which a camera that was asked for a frame, and neither gave one nor failed, hangs."""

OPENING: Final = 20.0
"""Seconds a camera may take to open: libcamera is slow to load, and some USB cameras to give their first frame."""

STUCK: Final = 2
"""So many threads that never came back from a driver, and no further one is sent after them."""

T = TypeVar("T")
Wait = Callable[["Future[Any]", float], bool]


def wait_for(answer: Future[Any], seconds: float) -> bool:
    """Wait so many seconds at most. Whether the answer is there."""
    return bool(concurrent.futures.wait([answer], seconds).done)


class Keeper:
    """A thread that has one camera and does with it what it is asked: who asks need not wait for a stuck driver."""

    def __init__(self, opener: Callable[[], Camera]) -> None:
        """`opener` is called in the thread, which begins at once."""
        self._opener = opener
        self._asked: queue.SimpleQueue[tuple[Callable[[Camera], Any], Future[Any]] | None] = queue.SimpleQueue()
        self.opened: Future[Camera] = Future()
        self.gone: Future[None] = Future()
        """Done when the camera is closed and the thread at its end."""
        threading.Thread(target=self._run, name="camera", daemon=True).start()

    def ask(self, do: Callable[[Camera], T]) -> Future[T]:
        """Have it done in the thread, after what was asked before."""
        answer: Future[T] = Future()
        self._asked.put((do, answer))
        return answer

    def leave(self) -> None:
        """Nothing more is asked: have the camera closed as soon as the driver comes back."""
        self._asked.put(None)

    def _run(self) -> None:
        try:
            _answer(self.opened, self._opener)
            if self.opened.exception() is None:
                camera = self.opened.result()
                while (asked := self._asked.get()) is not None:
                    do, answer = asked
                    _answer(answer, functools.partial(do, camera))
                camera.close()
        except Exception:
            log.exception("the camera could not be closed")
        finally:
            self.gone.set_result(None)


def _answer(answer: Future[T], do: Callable[[], T]) -> None:
    try:
        result = do()
    except Exception as error:  # noqa: BLE001 - it is raised where the answer is asked for
        answer.set_exception(error)
    else:
        answer.set_result(result)


class WatchedCamera:
    """Stands before a camera, is one itself, and keeps it alive. Safe to use from several threads."""

    def __init__(
        self,
        opener: Callable[[], Camera],
        clock: Callable[[], float],
        tell: Callable[[CameraStatus], None],
        *,
        hangs: float = HANGS,
        wait: Wait = wait_for,
    ) -> None:
        """`opener` opens the camera, and raises `CameraError` when it does not answer; it is opened at the first frame.

        `clock` gives monotonic seconds. `tell` is called with the status whenever it may have changed. A camera that
        does not come back for `hangs` seconds hangs; `wait` waits for an answer so long.
        """
        self._opener = opener
        self._clock = clock
        self._tell = tell
        self._hangs = hangs
        self._wait = wait
        self._lock = threading.Lock()
        self._keeper: Keeper | None = None
        self._left: list[Keeper] = []
        self._watch: PictureWatch | None = None
        self._begun = self._opened = float("-inf")
        self._met = False
        self._sensor = False
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
        return self._sensor

    @property
    def status(self) -> CameraStatus:
        """How the camera is."""
        return self._status

    @property
    def sizes(self) -> Sizes:
        """How large the image and the preview of its frames are; unknown before the first."""
        return self._sizes

    def frame(self, after: float = 0.0) -> Frame:
        """The next frame exposed after the monotonic time `after`, in seconds.

        Raises `CameraError`, with a sentence for the players, when there is none, and at once while it is too early to
        try again.
        """
        with self._lock:
            frame, _ = self._with_camera(functools.partial(_look, after=after), self._see)
            if self._clock() - self._opened >= STEADY:
                self._pause = FIRST_PAUSE
            self._now(CameraStatus(True, self._name))
            return frame

    def lock(self, values: Mapping[str, float] | None = None) -> Mapping[str, float]:
        """As `hardware.camera.protocol.Camera.lock`; a camera that is opened again after a failure gets the values
        again.

        Raises `CameraError` when the camera does not answer; given values are held when it does again.
        """
        with self._lock:
            if values is not None:
                self._held = dict(values)
            held = self._with_camera(lambda camera: camera.lock(values))
            self._held = held
            return held

    def unlock(self) -> None:
        """As `hardware.camera.protocol.Camera.unlock`."""
        with self._lock:
            self._held = None
            self._with_camera(lambda camera: camera.unlock())

    def close(self) -> None:
        """Give the device back. Safe to call twice. A driver that hangs is waited for no longer than any frame."""
        with self._lock:
            self._closed = True
            keeper, self._keeper = self._keeper, None
            if keeper is not None:
                keeper.leave()
                if not self._wait(keeper.gone, self._hangs):
                    log.warning("the camera does not close")

    def _with_camera(self, do: Callable[[Camera], T], check: Callable[[T], None] | None = None) -> T:
        """Do it with the camera, opened first where it is not. Raises `CameraError` with the status's sentence."""
        if self._closed:
            raise CameraError(Message("The camera is closed."))
        if self._clock() < self._not_before:
            raise CameraError(self._status.sentence)
        try:
            keeper = self._ready()
            if keeper is not None:
                result = self._answered(keeper.ask(do))
                if check is not None:
                    check(result)
                return result
        except CameraError as error:
            self._failed(error.message)
            raise CameraError(self._status.sentence) from error
        except Exception as error:
            # An adapter or driver that breaks in a way of its own must not end the reveal.
            log.exception("the camera broke")
            self._failed(Message("The camera broke: {reason}.", reason=str(error)))
            raise CameraError(self._status.sentence) from error
        if not self._status.sentence:
            self._now(CameraStatus(False, self._status.name, sentences.CAMERA_STARTS))
        raise CameraError(self._status.sentence)

    def _ready(self) -> Keeper | None:
        """Who has the opened camera; None while it opens. Raises whatever opening does."""
        if self._keeper is None:
            self._left = [keeper for keeper in self._left if not keeper.gone.done()]
            if len(self._left) >= STUCK:
                raise CameraError(sentences.CAMERA_STUCK)
            self._keeper = Keeper(self._opener)
            self._begun = self._clock()
            self._met = False
        keeper = self._keeper
        if not self._wait(keeper.opened, self._hangs):
            if self._clock() - self._begun >= OPENING:
                raise CameraError(sentences.CAMERA_HANGS)
            return None
        camera = keeper.opened.result()
        if not self._met:
            self._met = True
            self._opened = self._clock()
            self._name, self._sensor = camera.name, camera.sensor
            if camera.sensor and self._watch is None:
                self._watch = PictureWatch()  # and kept: opened again, a camera may give the same black picture
            if self._held:
                self._answered(keeper.ask(functools.partial(_hold, values=self._held)))
        return keeper

    def _answered(self, answer: Future[T]) -> T:
        if not self._wait(answer, self._hangs):
            raise CameraError(sentences.CAMERA_HANGS)
        return answer.result()

    def _see(self, frame_and_sizes: tuple[Frame, Sizes]) -> None:
        frame, self._sizes = frame_and_sizes
        fault = None if self._watch is None else self._watch.see(frame)
        if fault is not None:
            raise CameraError(fault)

    def _failed(self, reason: str) -> None:
        first = self._pause == FIRST_PAUSE
        log.log(logging.WARNING if first else logging.INFO, "camera: %s Trying again in %.1f s.", reason, self._pause)
        self._not_before = self._clock() + self._pause
        self._pause = min(2 * self._pause, LONGEST_PAUSE)
        self._now(CameraStatus(False, self._status.name, sentences.camera_failed(reason)))
        keeper, self._keeper = self._keeper, None
        if keeper is not None:
            keeper.leave()
            # One that hangs has been waited for; any other needs a moment to give the device back.
            if reason == sentences.CAMERA_HANGS or not self._wait(keeper.gone, self._hangs):
                self._left.append(keeper)

    def _now(self, status: CameraStatus) -> None:
        self._status = status
        self._tell(status)


def _look(camera: Camera, after: float) -> tuple[Frame, Sizes]:
    return camera.frame(after), camera.sizes


def _hold(camera: Camera, values: Mapping[str, float]) -> Mapping[str, float]:
    return camera.lock(values)
