"""Reopens a camera when it fails, at growing intervals, and reports its status to the table."""

from __future__ import annotations

import concurrent.futures
import logging
import queue
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from companion.messages.message import Message
from companion.table.game import sentences
from companion.table.state.state import CameraStatus
from hardware.camera.dead_frames import DeadFrameDetector
from hardware.camera.protocol import BaseCamera, Camera, CameraBusyError, CameraError, Frame

log = logging.getLogger(__name__)

FIRST_PAUSE: Final = 0.5
"""Seconds until the camera is tried again after a first failure. Doubles with each further failure."""

LONGEST_PAUSE: Final = 30.0

STEADY_TIME: Final = 3.0
"""Seconds that a camera must have worked for its next failure to count as a first one."""

HANG_TIMEOUT: Final = 1.5
"""Seconds without a frame or an error after which a camera counts as hanging."""

OPENING_TIMEOUT: Final = 20.0
"""Seconds that a camera may take to open: libcamera and the first frames of some USB cameras are slow."""

LATEST_SHARED_FOR: Final = 1.0
"""How old (s) a shared frame may be."""

SHARED_EVERY: Final = 0.5
"""In a series of looks, a whole frame is taken after this many seconds; everybody else gets the last one."""

HURRY_TIME: Final = 5.0
"""Seconds that a camera runs fast after somebody has waited for a frame."""

REST_AFTER: Final = 60.0
"""Seconds after which an unused stream is closed, until somebody needs a frame."""

NEEDED: Final = 5.0
"""In seconds; a caller who asks again sooner needs the frames. `ProfileInUse` asks less often."""

LOOK_IN_EVERY: Final = 300.0
"""Seconds after which a closed stream is opened for one frame, to check that it still works."""

MOST_FRUITLESS: Final = 3
"""A camera that was opened this many times in a row without giving a frame counts as hanging."""

_T = TypeVar("_T")
Wait = Callable[["Future[Any]", float], bool]


def wait_for(answer: Future[Any], seconds: float) -> bool:
    """Wait up to `seconds`; return True if the answer is there."""
    return bool(concurrent.futures.wait([answer], seconds).done)


class CameraThread:
    """A thread that owns a camera, so that no other thread can get stuck in its driver."""

    def __init__(self, opener: Callable[[], Camera]) -> None:
        """Start the thread; it first calls `opener`."""
        self._requests: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = queue.SimpleQueue()
        self.opened = self.ask(opener)
        self.end: Future[None] = Future()
        """Done when the thread has ended, with the error if the camera could not be closed."""
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    @property
    def holds_camera(self) -> bool:
        """True while the camera is not released."""
        return not self.end.done() or self.end.exception() is not None

    @property
    def unkillable(self) -> bool:
        """True if the thread is in uninterruptible sleep in the kernel, so that the process cannot end either."""
        try:
            stat = Path(f"/proc/self/task/{self._thread.native_id}/stat").read_text(encoding="utf-8")
        except OSError:
            return False
        return stat.rpartition(")")[2].split()[0] == "D"

    def ask(self, do: Callable[[], _T]) -> Future[_T]:
        """Run `do` in the thread, after all earlier requests."""
        answer: Future[_T] = Future()
        self._requests.put((do, answer))
        return answer

    def leave(self) -> None:
        """Close the camera as soon as the driver returns. No requests may follow."""
        self._requests.put(None)

    def _run(self) -> None:
        try:
            while (request := self._requests.get()) is not None:
                do, answer = request
                try:
                    answer.set_result(do())
                except Exception as error:  # noqa: BLE001 - raised again where the answer is used
                    answer.set_exception(error)
            if self.opened.exception() is None:
                self.opened.result().close()
        except Exception as error:
            log.exception("the camera could not be closed")
            self.end.set_exception(error)
        else:
            self.end.set_result(None)


class SupervisedCamera(BaseCamera):
    """Opens a camera, and opens it again after a failure. Thread-safe."""

    def __init__(
        self,
        opener: Callable[[], Camera],
        clock: Callable[[], float],
        tell: Callable[[CameraStatus], None],
        *,
        hangs: float = HANG_TIMEOUT,
        wait: Wait = wait_for,
    ) -> None:
        """`opener` opens the camera, at the first frame, and raises `CameraError` if it does not answer.

        `clock` returns monotonic seconds. `tell` is called with the status whenever it may have changed. A camera that
        does not answer within `hangs` seconds, waited by `wait`, counts as hanging.
        """
        self._opener = opener
        self._clock = clock
        self._tell = tell
        self._hangs = hangs
        self._wait = wait
        self._lock = threading.Lock()
        self._worker: CameraThread | None = None
        self._holder: CameraThread | None = None
        """An earlier thread that has not released the camera."""
        self._hung_since: float | None = None
        self._fruitless = 0
        """How many times in a row the camera was opened and gave no frame."""
        self._power_advised = False
        self._faults: DeadFrameDetector | None = None
        self._opening_since = self._open_since = float("-inf")
        self._knows_camera = False
        self.sensor = self.looks = self.rests = False
        self._name = ""
        self._closed = False
        self._pause = FIRST_PAUSE
        self._not_before = float("-inf")
        self._status = CameraStatus(ok=False, name="")
        self.size = (0, 0)
        self._latest: Frame | None = None
        self._settings: Mapping[str, float] | None = None
        self._hurried = float("-inf")
        """When somebody last waited for a frame after a certain time."""
        self._asked = self._needed = float("-inf")
        """When somebody last asked for a frame, and when somebody last needed one."""
        self._fast = True
        """The camera's pace; a new camera starts fast."""
        self._no_whole = False
        """It has failed to give all its pixels, and is not asked again."""

    @property
    def name(self) -> str:
        """The camera's name for sentences to the players; empty before its first frame."""
        return self._status.name

    @property
    def status(self) -> CameraStatus:
        return self._status

    @property
    def hung_since(self) -> float | None:
        """The time, by the clock, since when only ending this process may help; None otherwise."""
        return self._hung_since

    @property
    def unkillable(self) -> bool:
        """True if this process cannot end, so that only cutting the power helps."""
        return self._holder is not None and self._holder.unkillable

    def advise_power(self) -> None:
        """From now on, tell players at every failure to switch the box off and on, until a frame comes."""
        with self._lock:
            if self._power_advised:
                return
            self._power_advised = True
            if self._status.sentence and self._clock() < self._not_before:
                self._now_failed(sentences.CAMERA_STUCK)

    def frame(self, after: float = 0.0) -> Frame:
        """Return the next frame exposed after the monotonic time `after`, in seconds.

        A camera with two paces runs fast for some seconds after a call with `after`, and slowly otherwise.

        Without `after`, while another thread is taking a frame, the previous frame is returned: a thread that takes
        frame after frame, such as the reveal's, would make everybody else wait for seconds. Raises `CameraError`, with
        a sentence for the players, if there is no frame, and at once while it is too early to try again.
        """
        latest = self._latest
        if not after and latest is not None and self._lock.locked() and self._clock() - latest.at < LATEST_SHARED_FOR:
            return latest
        with self._lock:
            now = self._clock()
            if after or self._worker is None or now - self._asked < NEEDED:
                self._needed = now
            self._asked = now
            frame = self._latest = self._taken(after, lambda camera: camera.frame(after))
            self.size = frame.image.shape[1], frame.image.shape[0]
            return frame

    def look(self, after: float = 0.0) -> Frame:
        """Like `frame`, but only the small picture is guaranteed: see `Camera.look`.

        Without `after` it counts as unneeded, and returns the last frame of a resting stream.
        """
        latest = self._latest
        if not self.looks or (after and (latest is None or self._clock() - latest.at >= SHARED_EVERY)):
            return self.frame(after)

        with self._lock:
            if not after and (last := self._resting()) is not None:
                return last
            frame = self._taken(after, lambda camera: camera.look(after))
            if self.rests:
                self._latest = frame
            return frame

    @property
    def asleep(self) -> bool:
        """True if it is closed because nobody needs its frames. Calling `frame` opens it."""
        return self.rests and self._worker is None and self._latest is not None

    def _resting(self) -> Frame | None:
        """Close a stream that may rest, and return its last frame; None if another frame must be taken."""
        latest, worker = self._latest, self._worker
        if not self.rests or latest is None or self._needs_frames():
            return None
        if worker is None:
            return latest if self._clock() - latest.at < LOOK_IN_EVERY else None
        if latest.at < self._opening_since:
            return None
        log.info("nobody needs %s: it is closed", self._name)
        worker.leave()
        self._worker = None
        return latest

    def _needs_frames(self) -> bool:
        return self._clock() - self._needed < REST_AFTER

    def _taken(self, after: float, take: Callable[[Camera], Frame]) -> Frame:
        def paced(camera: Camera) -> Frame:
            self._pace(camera, waits=bool(after))
            return take(camera)

        frame = self._with_camera(paced, self._see)
        if self._clock() - self._open_since >= STEADY_TIME:
            self._pause = FIRST_PAUSE
        self._holder = self._hung_since = None
        self._power_advised = False
        self._now(CameraStatus(ok=True, name=self._name))
        return frame

    def _pace(self, camera: Camera, *, waits: bool) -> None:
        """Set the pace needed now. A new camera stays fast until its exposure has settled."""
        now = self._clock()
        if waits:
            self._hurried = now
        fast = now - max(self._hurried, self._open_since) < HURRY_TIME
        if fast != self._fast:
            camera.set_pace(fast)
            self._fast = fast

    def lock(self, values: Mapping[str, float] | None = None) -> Mapping[str, float]:
        """As `hardware.camera.protocol.Camera.lock`. If the camera is reopened, it is locked to the same values.

        Raises `CameraError` if the camera does not answer; `values` are then locked once it does.
        """
        with self._lock:
            if values is not None:
                self._settings = dict(values)
            self._settings = self._with_camera(lambda camera: camera.lock(values))
            return self._settings

    def unlock(self) -> None:
        """As `hardware.camera.protocol.Camera.unlock`."""
        with self._lock:
            self._settings = None
            self._with_camera(lambda camera: camera.unlock())

    def show_whole(self, whole: bool) -> None:
        """Switch all pixels of the sensor on or off.

        A reopened camera starts without them. A camera that fails to give them is not asked again.
        """

        asked = False

        def show(camera: Camera) -> None:
            nonlocal asked
            asked = True
            camera.show_whole(whole)

        with self._lock:
            if whole and self._no_whole:
                return
            try:
                self._with_camera(show)
            except CameraError as error:
                if whole and asked:  # otherwise there was no camera to ask
                    log.warning("the camera does not give all its pixels: %s", error)
                    self._no_whole = True

    def expose(self, times: float) -> bool:
        """Expose the next frames `times` as much as the locked or automatic exposure; 1 ends that.

        Returns False if the exposure cannot be set. Cameras apply it a few frames late. Raises `CameraError`.
        """
        with self._lock:
            settings = self._settings
            if times == 1 and settings is None:
                self._with_camera(lambda camera: camera.unlock())
                return True
            base = dict(settings or self._with_camera(lambda camera: camera.lock()))
            # A change of the gain does not flicker, but no sensor has a gain below 1.
            name = "gain" if base.get("gain", 0.0) * times >= 1 else "exposure"
            if name in base:
                base[name] *= times
            self._with_camera(lambda camera: camera.lock(base) if name in base or settings else camera.unlock())
            return name in base

    def retry(self) -> None:
        """Try a failed camera at the next frame, as after a first failure."""
        with self._lock:
            self._pause, self._not_before = FIRST_PAUSE, float("-inf")

    def close(self) -> None:
        """Release the device, waiting for a stuck driver no longer than for a frame. Safe to call twice."""
        with self._lock:
            self._closed = True
            worker, self._worker = self._worker, None
            if worker is not None:
                worker.leave()
                if not self._wait(worker.end, self._hangs):
                    log.warning("the camera does not close")

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Release the device meanwhile, so that it can be tested. There are no frames during that time."""
        self.close()
        try:
            yield
        finally:
            self._closed = False
            self.retry()

    def _with_camera(self, do: Callable[[Camera], _T], check: Callable[[_T], None] | None = None) -> _T:
        """Call `do` with the camera, opened if necessary. Raises `CameraError` with the status's sentence."""
        if self._closed:
            raise CameraError(Message("The camera is closed."))
        if self._clock() < self._not_before:
            raise CameraError(self._status.sentence)
        try:
            worker = self._ready()
            if worker is not None:
                camera = worker.opened.result()
                result = self._answered(worker.ask(lambda: do(camera)))
                if check is not None:
                    check(result)
                return result
        except CameraError as error:
            ours = isinstance(error, CameraBusyError) and self._holder is not None
            self._failed(sentences.CAMERA_HANGS if ours else error.message)
            raise CameraError(self._status.sentence) from error
        except Exception as error:
            # Whatever an adapter or driver raises must not end the reveal.
            log.exception("the camera broke")
            self._failed(Message("The camera broke: {reason}.", reason=str(error)))
            raise CameraError(self._status.sentence) from error
        if not self._status.sentence and self._needs_frames():
            self._now(CameraStatus(ok=False, name=self._status.name, sentence=sentences.CAMERA_STARTS))
        raise CameraError(self._status.sentence or sentences.CAMERA_STARTS)

    def _ready(self) -> CameraThread | None:
        """The thread with the opened camera; None while it is opening. Raises whatever opening raises."""
        if self._worker is None:
            if self._holder is not None and not self._holder.end.done():
                raise CameraError(sentences.CAMERA_HANGS)
            self._worker = CameraThread(self._opener)
            self._opening_since = self._clock()
            self._knows_camera = False
        worker = self._worker
        if not self._wait(worker.opened, self._hangs):
            if self._clock() - self._opening_since >= OPENING_TIMEOUT:
                raise CameraError(sentences.CAMERA_HANGS)
            return None
        camera = worker.opened.result()
        if not self._knows_camera:
            self._knows_camera = True
            self._open_since = self._clock()
            self._name, self._fast = camera.name, True
            self.sensor, self.looks, self.rests = camera.sensor, camera.looks, camera.rests
            if camera.sensor and self._faults is None:
                # Kept when the camera is reopened: it may give the same black picture.
                self._faults = DeadFrameDetector()
            if values := self._settings:
                self._answered(worker.ask(lambda: camera.lock(values)))
        return worker

    def _answered(self, answer: Future[_T]) -> _T:
        if not self._wait(answer, self._hangs):
            raise CameraError(sentences.CAMERA_HANGS)
        return answer.result()

    def _see(self, frame: Frame) -> None:
        self._fruitless = 0
        fault = None if self._faults is None else self._faults.see(frame)
        if fault is not None:
            raise CameraError(fault)

    def _failed(self, reason: str) -> None:
        self._latest = None
        first = self._pause == FIRST_PAUSE
        log.log(logging.WARNING if first else logging.INFO, "camera: %s Trying again in %.1f s.", reason, self._pause)
        self._not_before = self._clock() + self._pause
        self._pause = min(2 * self._pause, LONGEST_PAUSE)
        self._now_failed(sentences.CAMERA_STUCK if self._power_advised else reason)
        hangs = reason == sentences.CAMERA_HANGS
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.leave()
            self._fruitless += self._knows_camera
            # A hanging camera has already been waited for; others need a moment to release the device.
            waited = hangs and self._holder is None
            if waited or not self._wait(worker.end, self._hangs) or worker.holds_camera:
                self._holder = worker
        if self._hung_since is None and (hangs or self._fruitless >= MOST_FRUITLESS):
            self._hung_since = self._clock()

    def _now_failed(self, reason: str) -> None:
        self._now(CameraStatus(ok=False, name=self._status.name, sentence=sentences.camera_failed(reason)))

    def _now(self, status: CameraStatus) -> None:
        self._status = status
        self._tell(status)
