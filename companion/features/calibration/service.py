"""Calibrating on the page: one calibration at a time, with the camera, in a separate thread.

It does not disturb the game: it pauses while dice are read, and its profile is used only once it is saved.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

import cv2
from msgspec import structs

from calibration.image import jpeg, shrunk
from calibration.profile import Profile
from calibration.profiles import Profiles
from calibration.quality.camera_shift import reference_picture
from calibration.sheet.sighting import Sighting
from calibration.sheet.view_guide import Wish
from calibration.solve.draft import ProfileDraft
from calibration.solve.lens_fit import LensFit, SolveError, fit_lens, maker_lens
from companion.camera.profile_in_use import ProfileInUse
from companion.features.calibration import changes
from companion.features.calibration.calibration_state import CalibrationState, CameraInfo, calibration_state
from companion.features.calibration.changes import CalibrationStep, Change
from companion.features.calibration.exposure_lock import ExposureLock
from companion.features.calibration.look import Eye
from companion.features.calibration.profile_edits import NOTHING_FOUND, ProfileEdits
from companion.features.calibration.progress import LENS_FIRST, Calibrator, Look, Progress
from companion.messages.message import Message
from companion.table.errors import NotAllowedNowError
from companion.table.game.table_position import Phase
from companion.table.state.state import State
from hardware.camera.protocol import Camera, CameraError, Image
from vision.pipeline.rectify import Rectifier, RectifyError
from vision.reader import Reader

log = logging.getLogger(__name__)

WATCHED_FOR: Final = 60.0
"""Seconds after a page's last request during which frames are looked at: a phone's screen turns off while both hands
hold the sheet.
"""
FORGOTTEN_AFTER: Final = 1800.0
"""Seconds after a page's last request until a calibration ends by itself."""
LOOK_PAUSE: Final = 0.15
"""Seconds between two looks."""
IDLE_PAUSE: Final = 0.5
"""Seconds between two looks while nobody calibrates."""
PREVIEWS: Final = 4
"""Pictures kept in memory: a page learns a picture's number first, and asks for the picture a little later."""
PREVIEW_WIDTH: Final = 960
"""The maximum width of a picture for a page, in pixels."""
PREVIEW_QUALITY: Final = 78
"""JPEG quality, 0 to 100."""

NOT_ON: Final = Message("Nobody is calibrating now.")
DICE_READ: Final = Message("The dice are being read. Calibrate when that is done.")
WAITS: Final = Message("The dice are being read. Calibrating goes on after that.")
NO_LENS: Final = Message("No lens fits these pictures: take new ones.")


class CalibrationSession:
    """A camera's calibration. Thread-safe. Refusals raise the errors of `companion.table.errors`."""

    def __init__(
        self,
        camera: Camera,
        profiles: Profiles,
        in_use: ProfileInUse,
        table: Callable[[], State],
        reader: Callable[[Profile | None], Reader],
        *,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        spawn: Callable[[Callable[[], None]], None] | None = None,
    ) -> None:
        """`reader` returns a reader for a profile, `clock` monotonic seconds; `spawn` runs a long job."""
        self._camera = camera
        self._in_use = in_use
        self._table = table
        self._reader = reader
        self._clock = clock
        self._now = now
        self._spawn = spawn or _in_a_thread
        self._lock = threading.RLock()
        self._progress: Progress | None = None
        self._watched_at = float("-inf")
        self._pictures: deque[tuple[int, bytes]] = deque(maxlen=PREVIEWS)
        self._numbers = 0
        self._compared: dict[str, bytes] = {}
        """The pictures "before" and "after", as JPEG."""
        self._edits = ProfileEdits(profiles, in_use)
        self._exposure = ExposureLock(camera, in_use, clock)
        self._eye = Eye(clock)
        """Replaced for each calibration, so that a look begun for an earlier one is dropped."""
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    # The thread

    def start(self) -> None:
        """Run in a thread until `stop`."""
        self._thread = threading.Thread(target=self.run, name="calibrating", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread, and wait up to five seconds for it."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=5.0)

    def run(self) -> None:
        """Look at frames until `stop`."""
        while not self._stop.is_set():
            try:
                looked = self.look()
            except Exception:
                log.exception("calibrating went wrong")  # a bug must not end the thread
                looked = False
            self._stop.wait(LOOK_PAUSE if looked else IDLE_PAUSE)

    def look(self) -> bool:
        """Take one frame and look at it as the step requires. False if nobody calibrates or no page is open."""
        with self._lock:
            progress, eye, idle = self._progress, self._eye, self._clock() - self._watched_at
        if progress is None:
            if self._in_use.is_due(self._clock()) and not self._reading():
                self._in_use.look(self._clock())
            return False
        reading = self._reading()
        with self._lock:
            progress = self._progress_of(eye)
            if progress is None:
                return False
            if idle > FORGOTTEN_AFTER:
                self._end()
                return False
            self._exposure.update(reading)
            if reading:
                self._progress = replace(progress, trouble=WAITS)
            settling = self._exposure.settling
        if reading or idle > WATCHED_FOR:
            return False
        try:
            frame = self._camera.frame(after=progress.after)
        except CameraError as error:
            with self._lock:
                if (now := self._progress_of(eye)) is not None:
                    self._progress = replace(now, trouble=error.message)
            return False
        look, playing = eye.see(progress, frame, settling), self._playing()
        with self._lock:
            if (now := self._progress_of(eye)) is not None and now.step is look.step:
                self._take(now, look, playing)
        return True

    def _progress_of(self, eye: Eye) -> Progress | None:
        """The progress of the calibration that uses `eye`; None if it has ended."""
        return self._progress if self._eye is eye else None

    def _take(self, progress: Progress, look: Look, playing: tuple[str, ...]) -> None:
        """Update the progress with the result of a look."""
        self._numbers += 1
        self._pictures.append((self._numbers, _jpeg(look.picture)))
        progress = self._progress = progress.after_look(look, self._numbers, playing)
        if progress.step is CalibrationStep.VIEWS:
            if look.view is not None and progress.guidance.enough and progress.solving is None:
                self._solve(progress)
        elif progress.step is CalibrationStep.FLAT and progress.flat is not None and progress.draft.lens is not None:
            self._lay(progress, progress.flat)

    # State

    def state(self, phone: str | None) -> CalibrationState:
        """The state for the phone with that id. None: a phone that has not joined, which keeps no calibration alive."""
        with self._lock:
            if self._progress is not None and phone is not None:
                self._watched_at = self._clock()
            return calibration_state(
                self._progress,
                phone,
                CameraInfo(self._camera.name, *self._camera.size),
                assumes=maker_lens(self._camera.name, *self._camera.size) is not None,
                compared=bool(self._compared),
                saved=None if self._edits.saved is None else self._edits.saved.name,
                profiles=self._edits.entries(),
            )

    def picture(self, number: int) -> bytes | None:
        """The picture with that number as JPEG, or the latest if it is gone; None if there is none yet."""
        with self._lock:
            latest = self._pictures[-1][1] if self._pictures else None
            return next((data for n, data in self._pictures if n == number), latest)

    def compared(self, which: str) -> bytes | None:
        """The picture "before" or "after" as JPEG; None if there is none."""
        return self._compared.get(which)

    def wanted(self) -> tuple[CalibrationStep, Wish, int] | None:
        """The step, where to hold the sheet and the number of views, for the virtual table's hand.

        None if the hand has nothing to do.
        """
        progress = self._progress  # not locked: the lock's owner may be waiting for the frame that needs this
        if progress is None or progress.step in (CalibrationStep.AIM, CalibrationStep.SHEET):
            return None
        return progress.step, progress.guidance.next, progress.guidance.views

    # Changes

    def do(self, change: Change, by: Calibrator) -> None:
        """Carry out a change for a phone. A refused change has no effect."""
        match change:
            case changes.Begin():
                self._begin(by)
            case changes.TakeOver():
                with self._lock:
                    if self._progress is None:
                        raise NotAllowedNowError("not-calibrating", NOT_ON)
                    self._progress = replace(self._progress, by=by)
            case changes.SaveProfile(name):
                self._save(name, by)
            case changes.IgnoreNotice():
                self._in_use.ignore()
            case (
                changes.RevertProfile()
                | changes.UseProfile()
                | changes.UndoProfile()
                | changes.RenameProfile()
                | changes.RemoveProfile()
            ):
                self._edit(change)
            case changes.Cancel():
                with self._mine(by):
                    self._end()
            case _:
                with self._mine(by) as progress:
                    self._change(progress, change)

    def _change(self, progress: Progress, change: Change) -> None:
        match change:
            case changes.GoToStep(step, without):
                self._enter(progress.to_step(step, without))
            case changes.SolveLens():
                self._solve(progress)
            case changes.AssumeLens():
                self._assume(progress)
            case _:
                self._progress = progress.after_change(change, self._playing())

    def _begin(self, by: Calibrator) -> None:
        self._refuse_while_reading()
        with self._lock:
            if self._progress is not None and self._progress.by.phone != by.phone:
                raise NotAllowedNowError("calibrating", _another(self._progress.by.player))
            self._progress = Progress(by, ProfileDraft(), self._clock())
            self._watched_at = self._clock()
            self._edits.saved = None
            self._pictures.clear()
            self._compared = {}
            self._eye = Eye(self._clock)
            self._exposure.begin()

    def _end(self) -> None:
        self._progress = None
        self._exposure.end()

    def _enter(self, progress: Progress) -> None:
        self._progress = progress
        if progress.step is CalibrationStep.COLOURS:
            self._eye.read_with(self._reader(structs.replace(self._draft(progress), palette={})))
        elif progress.step is CalibrationStep.CHECK:
            self._eye.read_with(self._reader(self._draft(progress)))
        self._exposure.enter(progress)

    def _assume(self, progress: Progress) -> None:
        lens = maker_lens(self._camera.name, *self._camera.size)
        if lens is None:
            raise NotAllowedNowError("wrong-step", LENS_FIRST)
        self._enter(_with_lens(progress, LensFit(lens)).at(CalibrationStep.FLAT))

    def _solve(self, progress: Progress) -> None:
        """Solve the lens in a thread: it takes seconds."""
        views = progress.draft.views
        self._enter(replace(_with_lens(progress, None), solving=views).at(CalibrationStep.FLAT))

        def job() -> None:
            fit, failure = _lens_of(views)
            with self._lock:
                if self._progress is not None and self._progress.solving is views:
                    self._solved(self._progress, fit, failure)

        self._spawn(job)

    def _solved(self, progress: Progress, fit: LensFit | None, failure: str) -> None:
        progress = self._progress = _with_lens(progress, fit)
        if fit is None and progress.step in (CalibrationStep.VIEWS, CalibrationStep.FLAT):
            self._enter(progress.at(CalibrationStep.VIEWS))
            self._progress = replace(self._progress, failure=failure)
        elif progress.step is CalibrationStep.FLAT and progress.flat is not None:
            self._lay(progress, progress.flat)

    def _lay(self, progress: Progress, flat: Sighting) -> None:
        """Solve the table, once the lens is known and the sheet was seen lying flat."""
        assert progress.image is not None
        try:
            laid = replace(progress, draft=progress.draft.with_table(flat))
            rectifier = Rectifier(self._draft(laid), progress.image.shape[1], progress.image.shape[0])
        except (SolveError, RectifyError) as error:
            failure = error.message if isinstance(error, SolveError) else str(error)
            self._progress = replace(progress, flat=None, failure=failure)
            return
        self._compared = {"before": _jpeg(progress.image), "after": _jpeg(rectifier.frame(progress.image))}
        self._enter(laid.at(CalibrationStep.LENS))

    def _draft(self, progress: Progress, name: str = "-") -> Profile:
        """The profile as it would be saved now."""
        draft = replace(progress.draft, before=self._in_use.fitting, camera=self._camera.name)
        return draft.profile(name, self._now().isoformat(timespec="seconds"), self._exposure.values)

    # The profiles

    def _save(self, name: str, by: Calibrator) -> None:
        self._refuse_while_reading()
        with self._mine(by) as progress:
            if not progress.draft.is_new:
                raise NotAllowedNowError("nothing-found", NOTHING_FOUND)
            reference = None if progress.image is None else reference_picture(progress.image)
            self._edits.save(lambda: self._draft(progress, name), reference)
            self._progress = None

    def _edit(self, change: Change) -> None:
        self._refuse_while_reading()
        with self._lock:
            self._edits.do(change)
            if self._progress is not None:  # another profile may be in use now, and the camera locked to it
                self._exposure.restore()

    # Guards

    def _refuse_while_reading(self) -> None:
        """Raise `NotAllowedNowError` while dice are read: the profile in use must not change then."""
        if self._reading():
            raise NotAllowedNowError("dice-read", DICE_READ)

    def _reading(self) -> bool:
        state = self._table()
        return state.phase is Phase.READING and not state.paused

    def _playing(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(player.colour for player in self._table().players))

    @contextlib.contextmanager
    def _mine(self, by: Calibrator) -> Iterator[Progress]:
        """Lock and return the calibration's progress, if this phone runs it."""
        with self._lock:
            if self._progress is None:
                raise NotAllowedNowError("not-calibrating", NOT_ON)
            if self._progress.by.phone != by.phone:
                raise NotAllowedNowError("calibrating", _another(self._progress.by.player))
            yield self._progress


def _another(player: str | None) -> Message:
    if player is None:
        return Message("Another phone is calibrating. Watch, or take over.")
    return Message("{player} is calibrating. Watch, or take over.", player=player)


def _with_lens(progress: Progress, fit: LensFit | None) -> Progress:
    """The progress with this lens or None, and no solving under way."""
    return replace(progress, draft=replace(progress.draft, lens_fit=fit), solving=None)


def _lens_of(views: tuple[Sighting, ...]) -> tuple[LensFit | None, str]:
    """The lens solved from these views, or the reason why there is none."""
    try:
        return fit_lens(views), ""
    except SolveError as error:
        return None, error.message
    except cv2.error:
        log.exception("the lens could not be worked out")
        return None, NO_LENS


def _jpeg(image: Image) -> bytes:
    return jpeg(shrunk(image, PREVIEW_WIDTH), PREVIEW_QUALITY)


def _in_a_thread(job: Callable[[], None]) -> None:
    threading.Thread(target=job, name="calibrating-solve", daemon=True).start()
