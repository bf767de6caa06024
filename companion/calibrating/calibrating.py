"""The calibration under way: one at a time, for whoever does it in a browser. It looks at frames in its own thread.

Nothing of a game is touched: while dice are being read it looks at nothing, and what it found is used only once it is
kept. It goes `Step` by `Step` (`calibrating_steps`); what a step makes of a frame is in `calibrating_look`, what a page
is told of it in `calibrating_state`.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from calibration.palette import COLOURS
from calibration.profile import Profile
from calibration.profiles import Profiles
from calibration.quality import camera_shift
from calibration.sheet import view_guide
from calibration.sheet.board import BoardError, check_square, square_from_ruler
from companion.calibrating import sentences as says
from companion.calibrating.lens import assumed, measured, worked_out
from companion.calibrating.look import Look, Reads, checked, jpeg, learned
from companion.calibrating.saving import Keep
from companion.calibrating.state import Told, told
from companion.calibrating.steps import Steps
from companion.calibrating.work import Marked, Step, Work, nearest, worth_keeping
from companion.camera.profile_in_use import LOOK_EVERY, ProfileInUse
from companion.table.errors import NotAllowedNowError, UnreadableCommandError
from companion.table.game.position import Phase
from companion.table.state.state import State
from hardware.camera.protocol import Camera, CameraError, Frame

log = logging.getLogger(__name__)

WATCHED_FOR: Final = 60.0
"""Seconds without a page that asks after which it looks no more: a phone goes dark while both hands hold the sheet."""
FORGOTTEN_AFTER: Final = 1800.0
"""Seconds without a page that asks after which a calibration has ended by itself."""
PAUSE: Final = 0.15
"""Seconds between two looks."""
IDLE: Final = 0.5
PICTURES: Final = 4
"""Pictures that are kept: a page asks for one after it was told of it."""


@dataclass(frozen=True, slots=True)
class Phone:
    """Who calibrates."""

    id: str
    player: str | None = None
    """Whose phone it is."""


class Calibrating:
    """Any method may be called from any thread. Refusals are `companion.table.errors`, and nothing has changed then."""

    def __init__(
        self,
        camera: Camera,
        profiles: Profiles,
        in_use: ProfileInUse,
        table: Callable[[], State],
        reader: Callable[[Profile | None], Reads],
        *,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        spawn: Callable[[Callable[[], None]], None] | None = None,
    ) -> None:
        """`table` gives the public state; `reader` makes a reader by a profile. `clock` gives monotonic seconds, `now`
        the date. `spawn` does what takes long, in a thread of its own unless told otherwise.
        """
        self._camera = camera
        self._profiles = profiles
        self._in_use = in_use
        self._table = table
        self._clock = clock
        self._spawn = spawn or _in_a_thread
        self._lock = threading.RLock()
        self._work: Work | None = None
        self._watched = float("-inf")
        self._pictures: deque[tuple[int, bytes]] = deque(maxlen=PICTURES)
        self._numbers = 0
        self._keep = Keep(profiles, in_use)
        self._steps = Steps(camera, in_use, reader, clock, now)
        self._quiet_look = float("-inf")
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    # The thread

    def start(self) -> None:
        """Look in a thread of its own until `stop`."""
        self._thread = threading.Thread(target=self.run, name="calibrating", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop looking. Returns when the thread has ended, or after five seconds."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=5.0)

    def run(self) -> None:
        """Look until `stop`."""
        while not self._stop.is_set():
            try:
                looked = self.look()
            except Exception:
                log.exception("calibrating went wrong")  # a fault of the program must not end it for good
                looked = False
            self._stop.wait(PAUSE if looked else IDLE)

    def look(self) -> bool:
        """Take one frame and do with it what the step asks for. False where nobody calibrates, or looks on."""
        with self._lock:
            work, idle = self._work, self._clock() - self._watched
        if work is None:
            self._look_whether_moved()
            return False
        if idle > FORGOTTEN_AFTER:
            self._end(work)
            return False
        reading = self._reading()
        with self._lock:
            if self._work is not work:
                return False
            self._steps.exposure.look(work, reading)
        if reading:
            work.trouble = says.WAITS
        if reading or idle > WATCHED_FOR:
            return False
        try:
            frame = self._camera.frame(after=work.after)
        except CameraError as error:
            work.trouble = error.message
            return False
        seen = self._steps.eye.see(work, frame, self._playing())
        with self._lock:
            if self._work is work:
                self._found(work, frame, seen)
        return True

    def _found(self, work: Work, frame: Frame, seen: Look) -> None:
        """What was seen in a frame becomes so, unless the step was left meanwhile."""
        if work.step is not seen.step:
            return
        work.after, work.image, work.trouble = frame.at, frame.image, ""
        seen.into(work)
        if seen.view is not None:
            work.failure = ""
        if seen.picture is not None:
            self._numbers += 1
            self._pictures.append((self._numbers, jpeg(seen.picture)))
            work.shown.number = self._numbers
        if seen.view is not None and view_guide.guide(work.views).enough and not work.solving:
            self._solve(work)
        elif work.step is Step.FLAT and work.flat is not None and work.lens is not None:
            self._steps.lay(work)

    def _look_whether_moved(self) -> None:
        """Now and then, while the table is quiet."""
        if self._clock() - self._quiet_look < LOOK_EVERY or self._in_use.profile is None or self._reading():
            return
        self._quiet_look = self._clock()
        try:
            self._in_use.see(self._camera.frame())
        except CameraError as error:
            log.debug("no frame while idle: %s", error)

    # What is so

    def state(self, phone: str | None) -> dict[str, Any]:
        """What the phone of that id is told; None is a stranger. Whoever asks looks on."""
        with self._lock:
            now = self._clock()
            if self._work is not None:
                self._watched = now
            return told(
                Told(
                    work=self._work,
                    phone=phone,
                    kept=None if self._keep.kept is None else self._keep.kept.name,
                    profiles=self._keep.listed(),
                    compared=tuple(self._steps.compared),
                    camera=self._camera.name,
                    size=self._camera.sizes.still,
                    assumes=assumed(self._camera) is not None,
                )
            )

    def picture(self, number: int) -> bytes | None:
        """The picture of that number as JPEG, or the latest where it is gone; None where there is none."""
        with self._lock:
            latest = self._pictures[-1][1] if self._pictures else None
            return next((data for n, data in self._pictures if n == number), latest)

    def compared(self, which: str) -> bytes | None:
        """The picture "before" or "after" as JPEG; None where there is none."""
        return self._steps.compared.get(which)

    def wanted(self) -> tuple[Step, view_guide.Wish, int] | None:
        """What a helping hand would do now, and how many pictures of the sheet there are: the virtual table has one."""
        work = self._work  # without the lock: who paints a frame may be waited for by who has it
        if work is None or work.step in (Step.AIM, Step.SHEET):
            return None
        views = tuple(work.views)
        return work.step, view_guide.guide(views).next, len(views)

    # Who does it

    def begin(self, phone: Phone) -> None:
        """Begin anew. Raises `NotAllowedNowError` where another phone calibrates, or dice are being read."""
        self._free()
        with self._lock:
            if self._work is not None and self._work.by != phone.id:
                raise NotAllowedNowError("calibrating", says.another(self._work.player))
            self._work = Work(phone.id, phone.player, after=self._clock())
            self._watched = self._clock()
            self._keep.kept = None
            self._pictures.clear()
            self._steps.begin()

    def take_over(self, phone: Phone) -> None:
        """Go on with what another phone began."""
        with self._lock:
            if self._work is None:
                raise NotAllowedNowError("not-calibrating", says.NOT_ON)
            self._work.by, self._work.player = phone.id, phone.player

    def cancel(self, phone: Phone) -> None:
        """End it; nothing is kept."""
        with self._mine(phone) as work:
            self._end(work)

    def _end(self, work: Work) -> None:
        with self._lock:
            if self._work is work:
                self._work = None
                self._steps.exposure.end()

    # Step by step

    def go(self, phone: Phone, step: str, *, without: bool = False) -> None:
        """Go to a step, forwards or back. What was found stays, but for the colours where it goes on `without` them."""
        with self._mine(phone) as work:
            self._steps.go(work, step, without)

    def ruler(self, phone: Phone, mm: float) -> None:
        """The line of 100 mm on the printed sheet is `mm` long."""
        with self._mine(phone) as work:
            try:
                measured(work, square_from_ruler(mm))
            except BoardError as error:
                raise NotAllowedNowError("bad-length", says.RULER) from error

    def square(self, phone: Phone, mm: float) -> None:
        """A square of the sheet on a screen is `mm` wide."""
        with self._mine(phone) as work:
            try:
                measured(work, check_square(mm))
            except BoardError as error:
                raise NotAllowedNowError("bad-length", says.SQUARE) from error

    def capture(self, phone: Phone) -> None:
        """Take the next picture of the sheet, held still or not."""
        with self._mine(phone) as work:
            work.capture, work.failure = True, ""

    def drop(self, phone: Phone) -> None:
        """Take back the last picture of the sheet."""
        with self._mine(phone) as work:
            if work.views:
                work.views.pop()
                work.previews.pop()
                work.said = work.failure = ""

    def solve(self, phone: Phone) -> None:
        """Work out the lens from the pictures there are."""
        with self._mine(phone) as work:
            self._solve(work)

    def assume(self, phone: Phone) -> None:
        """Take the maker's figures for the lens instead of measuring it."""
        with self._mine(phone) as work:
            lens = assumed(self._camera)
            if lens is None:
                raise NotAllowedNowError("wrong-step", says.LENS_FIRST)
            work.solved, work.solving = lens, False
            work.asked += 1
            self._steps.enter(work, Step.FLAT)

    def _solve(self, work: Work) -> None:
        """In a thread: the table and its page wait for nothing."""
        work.solving, work.solved, views = True, None, tuple(work.views)
        work.asked += 1
        asked = work.asked
        self._steps.enter(work, Step.FLAT)

        def job() -> None:
            solved, failure = worked_out(views)
            with self._lock:
                if self._work is not work or work.asked != asked:
                    return
                work.solving, work.solved = False, solved
                if solved is None and work.step in (Step.VIEWS, Step.FLAT):
                    self._steps.enter(work, Step.VIEWS)
                    work.failure = failure
                elif work.step is Step.FLAT and work.flat is not None:
                    self._steps.lay(work)

        self._spawn(job)

    def mark(self, phone: Phone, at: tuple[float, float], colour: str) -> None:
        """Say of which colour the die is that lies at a place, in pixels of the picture that is shown."""
        if colour not in COLOURS:
            raise UnreadableCommandError("bad-colour", f"Dice have no colour {colour!r}.")
        with self._mine(phone) as work:
            reading, scale = work.shown.reading, work.shown.scale
            place = (at[0] / scale, at[1] / scale)
            if reading is None or nearest(reading, place) is None:
                raise UnreadableCommandError("unknown-die", "There is no die in that place of the picture.")
            work.marks.append(Marked(place, colour))
            work.learned = learned(work, reading, self._playing())

    def expect(self, phone: Phone, dice: int | None) -> None:
        """So many dice lie there; None: as many as are seen."""
        with self._mine(phone) as work:
            work.expected = dice
            work.check = checked(work)

    # Keeping

    def save(self, phone: Phone, name: str) -> None:
        """Keep it as the profile `name`, and read by it from now on."""
        self._free()
        with self._mine(phone) as work:
            if not worth_keeping(work):
                raise NotAllowedNowError("nothing-found", says.NOTHING_FOUND)
            self._keep.save(lambda: self._steps.draft(work, name), _reference(work))
            self._work = None

    def revert(self, phone: Phone) -> None:
        """Read by what was in use before the profile that was kept last."""
        del phone
        self._free()
        with self._lock:
            self._keep.revert()
            self._go_on()

    def use(self, name: str | None) -> None:
        """Read by the profile `name`, or by none."""
        self._edit(lambda: self._profiles.use(name))

    def undo(self, name: str) -> None:
        """What the profile `name` was before is so again; once more, and it is as it was."""
        self._edit(lambda: self._profiles.undo(name))

    def rename(self, name: str, to: str) -> None:
        """Give the profile `name` another one."""
        self._edit(lambda: self._profiles.rename(name, to))

    def remove(self, name: str) -> None:
        """Forget the profile `name`."""
        self._edit(lambda: self._profiles.remove(name))

    def ignore(self) -> None:
        """Go on although the camera was moved, or is another one."""
        self._in_use.ignore()

    def _edit(self, change: Callable[[], object]) -> None:
        self._free()
        with self._lock:
            self._keep.edit(change)
            self._go_on()

    def _go_on(self) -> None:
        """Another profile may be in use now, and the camera be held by it: a calibration under way keeps its own."""
        if self._work is not None:
            self._steps.exposure.put(self._work)

    # Guards

    def _free(self) -> None:
        """Nothing that the dice are read by changes while they are."""
        if self._reading():
            raise NotAllowedNowError("dice-read", says.DICE_READ)

    def _reading(self) -> bool:
        state = self._table()
        return state.phase is Phase.READING and not state.paused

    def _playing(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(player.colour for player in self._table().players))

    @contextlib.contextmanager
    def _mine(self, phone: Phone) -> Iterator[Work]:
        """The calibration under way, for the phone that does it, while nobody else can come in between."""
        with self._lock:
            if self._work is None:
                raise NotAllowedNowError("not-calibrating", says.NOT_ON)
            if self._work.by != phone.id:
                raise NotAllowedNowError("calibrating", says.another(self._work.player))
            yield self._work


def _reference(work: Work) -> Any:
    return None if work.image is None else camera_shift.reference_picture(work.image)


def _in_a_thread(job: Callable[[], None]) -> None:
    threading.Thread(target=job, name="calibrating-solve", daemon=True).start()
