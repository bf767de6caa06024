"""From step to step of a calibration: what has to be there before a step, and what begins with it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from calibration.profile import Profile
from companion.calibrating import sentences as says
from companion.calibrating.exposure import Exposure
from companion.calibrating.lens import draft, laid_down
from companion.calibrating.look import Eye, Reads
from companion.calibrating.work import Step, Work, lens_only
from companion.camera.profile_in_use import ProfileInUse
from companion.table.errors import NotAllowedNowError, UnreadableCommandError
from hardware.camera.protocol import Camera


class Steps:
    """Takes a calibration from step to step. For one thread at a time."""

    def __init__(
        self,
        camera: Camera,
        in_use: ProfileInUse,
        reader: Callable[[Profile | None], Reads],
        clock: Callable[[], float],
        now: Callable[[], datetime],
    ) -> None:
        """`reader` makes a reader by a profile, `clock` gives monotonic seconds, `now` the date."""
        self._camera = camera
        self._in_use = in_use
        self._reader = reader
        self._clock = clock
        self._now = now
        self.exposure = Exposure(camera, in_use, clock)
        self.eye = Eye(clock)
        self.compared: dict[str, bytes] = {}
        """The pictures "before" and "after" as JPEG, once the table is known."""

    def begin(self) -> None:
        """A calibration begins."""
        self.eye = Eye(self._clock)
        self.compared = {}
        self.exposure.begin()

    def go(self, work: Work, step: str, without: bool) -> None:
        """Go to a step, where what it needs is there; `without` the colours that were found."""
        if step not in tuple(Step):
            raise UnreadableCommandError("bad-step", f"There is no step {step!r}.")
        to = Step(step)
        if to is Step.FLAT and work.lens is None and not work.solving:
            raise NotAllowedNowError("wrong-step", says.LENS_FIRST)
        if to is Step.LENS and work.laid is None:
            raise NotAllowedNowError("wrong-step", says.LENS_FIRST)
        if without:
            work.learned, work.marks = None, []
        self.enter(work, to)

    def enter(self, work: Work, step: Step) -> None:
        """Be at a step."""
        work.step, work.capture, work.held, work.said, work.failure = step, False, 0.0, "", ""
        work.shown.outline = work.shown.corners = work.shown.target = ()
        work.shown.reading = None
        if step is Step.FLAT:
            work.flat = work.laid = None
        elif step is Step.COLOURS:
            work.learned, work.marks = None, []
            self.eye.read_with(self._reader(lens_only(self.draft(work))))
        elif step is Step.CHECK:
            work.check = None
            self.eye.read_with(self._reader(self.draft(work)))
        self.exposure.enter(work)

    def lay(self, work: Work) -> None:
        """The sheet was seen lying flat, and the lens is known."""
        compared, failure = laid_down(work, self._in_use.fitting, self._camera.name, self._now())
        if failure:
            work.flat, work.failure = None, failure
            return
        self.compared = compared
        self.enter(work, Step.LENS)

    def draft(self, work: Work, name: str = "-") -> Profile:
        """The profile as it would be now."""
        return draft(work, self._in_use.fitting, self._camera.name, self._now(), name)
