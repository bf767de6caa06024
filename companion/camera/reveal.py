"""From a call to a reading: frames taken after the press, until the table lies still, read until two readings agree.

The reveal only looks and hands over. What a reading means, and whether it may be judged, the `Table` decides.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from calibration.image import jpeg
from companion.table.errors import NotAllowedNowError
from companion.table.game import sentences
from companion.table.game.plausibility import check, under_cover
from companion.table.game.table_reading import SeenReading
from companion.table.state.state import Waiting
from companion.table.table import RevealWanted, Table
from hardware.camera.protocol import Camera, CameraError, Frame, Image, small
from vision.pipeline.expected_dice import weigh
from vision.reading import Die, Reading, Stillness

log = logging.getLogger(__name__)

PATIENCE: Final = 20.0
"""Seconds the table may lie still with dice missing before the players are asked about them."""

GIVE_UP: Final = 120.0
"""Seconds after a call before the camera stops looking: somebody went for drinks, or counts by hand."""

FRAMES: Final = 2
"""Frames fused into one reading."""

DISAGREEMENTS: Final = 3
"""How many times two readings in a row may differ before the players are asked about what they differ in."""

LOOK_AGAIN: Final = 1.0
"""Seconds before a table that lies still with dice missing is read again: under a cup nothing changes."""

IDLE_LOOK: Final = 0.3
"""Seconds between two frames taken only to see that the camera is there: what is wrong is to be told within two."""

STUCK: Final = 60.0
"""Seconds after which a worker that has not come round is taken for dead: a camera's driver may never return."""

RETRY: Final = 0.2
"""Seconds to wait after something failed."""

QUALITY: Final = 92
"""Of the judged picture's JPEG, 0 to 100: pips must stay pips when players zoom in."""


class Reads(Protocol):
    """`vision.reader.Reader` is the real one."""

    def read(self, image: Image) -> Reading:
        """Every die in one frame."""


class Settles(Protocol):
    """`vision.stillness.Settle` is the real one."""

    def see(self, image: Image, at: float) -> Stillness:
        """Look at the next frame, taken at `at` seconds."""

    def reset(self) -> None:
        """Forget the frames seen so far."""


@dataclass(slots=True)
class Progress:
    """How far the reading of one request is."""

    reveal: int
    after: float
    """Only frames exposed after this count, in monotonic seconds: the press at first, then the frame before."""
    burst: list[Reading] = field(default_factory=list)
    first: Reading | None = None
    """A reading that waits for a second one to agree."""
    still_since: float | None = None
    not_before: float = float("-inf")
    disagreements: int = 0
    since: float = 0.0
    """When the reading was asked for."""
    given_up: bool = False

    def moved(self) -> None:
        """Something moved: whatever was read before does not count."""
        self.burst.clear()
        self.first = None
        self.still_since = None
        self.not_before = float("-inf")
        self.disagreements = 0


class Reveal:
    """The worker that reads the dice whenever the table wants them read."""

    def __init__(
        self,
        table: Table,
        camera: Camera,
        reader: Reads,
        settle: Settles,
        fuse: Callable[[Sequence[Reading]], Reading],
        *,
        patience: float = PATIENCE,
        give_up: float = GIVE_UP,
        frames: int = FRAMES,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`patience` and `give_up` in seconds, `frames` read for one reading; `clock` gives monotonic seconds, `sleep`
        waits."""
        self._table = table
        self._camera = camera
        self._reader = reader
        self._settle = settle
        self._fuse = fuse
        self._patience = patience
        self._give_up = give_up
        self._frames = frames
        self._clock = clock
        self._sleep = sleep
        self._progress: Progress | None = None
        self._looked = float("-inf")
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._came_round = float("-inf")

    @property
    def alive(self) -> bool:
        """Whether the thread that `start` began is at work, and not stuck."""
        return self._thread is not None and self._thread.is_alive() and self._clock() - self._came_round < STUCK

    def start(self) -> None:
        """Work in a thread of its own until `stop`."""
        self._came_round = self._clock()
        self._thread = threading.Thread(target=self.run, name="reveal", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop working. Returns when the thread has ended, or after five seconds."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=5.0)

    def read_with(self, reader: Reads) -> None:
        """Read by another reader from the next frame on."""
        self._reader = reader

    def run(self) -> None:
        """Work until `stop`."""
        while not self._stop.is_set():
            self._came_round = self._clock()
            try:
                if not self.step():
                    self._table.wait_for_reveal(timeout=RETRY)
            except Exception:
                # A fault of the program must not leave a table that waits for ever: say so, and go on.
                log.exception("the reveal went wrong")
                self._say(Waiting("reader", sentences.reader_failed()))
                self._progress = None
                self._stop.wait(1.0)

    def step(self) -> bool:
        """Take one frame and do what is to be done with it. False when nothing is to be read."""
        wanted = self._table.reveal_wanted()
        if wanted is None:
            self._progress = None
            self._look()
            return False
        if self._progress is None or self._progress.reveal != wanted.reveal:
            self._progress = Progress(wanted.reveal, after=self._clock(), since=self._clock())
            self._settle.reset()
        progress = self._progress
        if progress.given_up or self._clock() - progress.since >= self._give_up:
            progress.given_up = True
            self._say(Waiting("given-up", sentences.GIVEN_UP))
            self._look()
            self._sleep(RETRY)
            return True
        try:
            frame = self._camera.frame(after=progress.after)
        except CameraError as error:
            self._say(Waiting("camera", error.message))
            progress.since = self._clock()  # it is not the table that keeps it waiting
            progress.moved()
            self._settle.reset()
            self._sleep(RETRY)
            return True
        progress.after = frame.at
        stillness = self._settle.see(small(frame), frame.at)
        if stillness is Stillness.MOVING:
            progress.moved()
            self._say(Waiting("moving", sentences.MOVING))
        elif stillness is Stillness.STILL:
            self._read(wanted, progress, frame)
        return True

    def _read(self, wanted: RevealWanted, progress: Progress, frame: Frame) -> None:
        """The table lies still: read this frame, and with enough of them make a reading."""
        now = self._clock()
        if progress.still_since is None:
            progress.still_since = now
            self._say(Waiting("reading", sentences.READING))
        if now < progress.not_before:
            return
        progress.burst.append(self._reader.read(frame.image))
        if len(progress.burst) < self._frames:
            return
        reading = weigh(self._fuse(progress.burst), {player.colour: player.dice for player in wanted.players})
        progress.burst.clear()
        seen = SeenReading.of(reading)
        if under_cover(seen, wanted.players) and now - progress.still_since < self._patience:
            missing = [p.sentence for p in check(seen, wanted.players) if p.code == "missing"]
            have = sum(player.dice for player in wanted.players)
            shown = {die.colour for die in seen.dice}
            covered = [player.name for player in wanted.players if player.dice and player.colour not in shown]
            self._say(Waiting("missing", sentences.waiting(missing, len(seen.dice), have, covered)))
            progress.first = None
            progress.not_before = now + LOOK_AGAIN
            return
        self._confirm(wanted, progress, reading, frame)

    def _confirm(self, wanted: RevealWanted, progress: Progress, reading: Reading, frame: Frame) -> None:
        """Hand over a reading once a second one, from other frames, says the same.

        Frames of one burst lie a tenth of a second apart, so what fools one (a glint, a sleeve that hides a die for a
        moment, a die that rocks on its edge) can fool them all; a second burst at another moment is not fooled alike.
        When they go on differing the players are asked: fused, what they differ in is uncertain.
        """
        first, progress.first = progress.first, reading
        if first is None:
            return
        if not agree(first, reading):
            progress.disagreements += 1
            if progress.disagreements < DISAGREEMENTS:
                self._say(Waiting("again", sentences.AGAIN))
                return
        try:
            self._table.take_reading(wanted.reveal, self._fuse((first, reading)), jpeg(frame.image, QUALITY))
        except NotAllowedNowError as error:
            log.info("reading %d is dropped: %s", wanted.reveal, error)
        self._progress = None

    def _look(self) -> None:
        """While nothing is to be read: see now and then whether the camera is there, so that players hear in time."""
        if self._clock() - self._looked < IDLE_LOOK:
            return
        self._looked = self._clock()
        try:
            self._camera.frame()
        except CameraError as error:
            log.debug("no frame while idle: %s", error)  # the camera itself has told the table

    def _say(self, waiting: Waiting) -> None:
        if self._progress is not None:
            self._table.wait_says(self._progress.reveal, waiting)


def agree(one: Reading, other: Reading) -> bool:
    """Whether two readings say the same of what a verdict is made of: so many dice of each colour and face, and which
    of them are uncertain. Where they lie is not compared: a verdict does not depend on it."""
    return Counter(map(_judged_by, one.dice)) == Counter(map(_judged_by, other.dice))


def _judged_by(die: Die) -> tuple[str, int, bool]:
    return die.colour, die.face, die.uncertain
