"""Gets from a call to a reading: wait until the table is still, read a frame, and confirm the reading with a later one.

Before the players are asked, the camera is: many frames are averaged into one and read again, and the readings are
fused. The reveal only looks. The `Table` decides what a reading means and if it may be judged.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from statistics import median
from typing import Final

import cv2
import numpy as np

from calibration.image import Image, jpeg
from calibration.profile import Profile
from calibration.quality.picture_quality import lacks_colour
from companion.camera.clip import CLIP_EVERY, ClipRecorder
from companion.camera.photo_reader import Refusal, read_before, read_photos
from companion.camera.photos import Photos
from companion.messages.message import Message
from companion.table.errors import NotAllowedNowError
from companion.table.game import sentences
from companion.table.game.table_reading import under_cover
from companion.table.state.state import Round, State, Waiting
from companion.table.table import RevealRequest, Table
from hardware.camera.protocol import Camera, CameraError, Frame, small_picture
from vision.exposure import exposure_wanted
from vision.fuse import fuse
from vision.handheld.mosaic import LostDie, Seen, lost_dice, without
from vision.in_play import read_in_play
from vision.models.network import trim_memory
from vision.patch import patch
from vision.pipeline.die_colour import palette_of
from vision.pipeline.expected_dice import lacks, questions, reconcile, with_likely_places
from vision.quiet_table import QuietPicture, QuietTable
from vision.reader import Reader
from vision.reading import Lab, Reading, Stillness
from vision.stack import Stack
from vision.stillness import Mask, StillnessCheck

log = logging.getLogger(__name__)

CONFIRM_AFTER: Final = 0.4
"""Seconds from a reading to the frame that confirms it: a glint, a sleeve or a rocking die can deceive the frames of
one moment.
"""

PLAIN_DIE: Final = 0.7
"""If every die is at least this sure, one confirmed reading is enough; otherwise a second one must agree."""

STACKED: Final = 8
"""Frames averaged into one after a doubtful reading, if they arrive within twice `CONFIRM_AFTER`."""

MOST_READINGS: Final = 3
"""Readings before the players are asked."""

ASK_AFTER: Final = 1.5
"""Seconds, and at least one more frame, from a doubtful reading to the question to the players."""

DISAGREEMENTS: Final = 3
"""After this many unconfirmed readings the players are asked."""

BLURRED_FRAMES: Final = 5
"""After this many blurred frames of a still table the light counts as the cause, and they are read."""

LOOK_AGAIN: Final = (1.0, 2.0, 4.0, 8.0)
"""Seconds before a still table with missing dice is read again; the last value repeats. Under a cup nothing changes,
and lifting it is movement."""

WAIT_LOOK: Final = 0.25
"""Seconds between the frames that are checked for that movement."""

CLOSE_LOOKS: Final = 2
"""Readings that look closely for a die that a cup may hide: two, because two must be sure of a die."""

SHOW_MOVING_AFTER: Final = 5.0
"""Seconds from a call until the players are shown where something still moves."""

SHOW_MOVING_EVERY: Final = 1.0
"""Seconds between two such places."""

AGREE_AFTER: Final = 3.0
"""Seconds over which readings of dice with movement over them must agree."""

AGREE_EVERY: Final = 1.0
"""Seconds between these readings."""

IDLE_LOOK: Final = 0.5
"""Seconds between two frames while nothing is read: a failed camera must be reported within 2 s."""

STUCK_AFTER: Final = 60.0
"""Seconds without a step after which the worker counts as stuck; a camera driver may never return."""

RETRY_PAUSE: Final = 0.2
"""Seconds to wait after a failure."""

SETTLING_FRAMES: Final = 3
"""Frames until a camera has applied a new exposure."""

SMALL_DIE: Final = 45.0
"""Side of a die in pixels below which the reveal uses all pixels of the sensor."""

PICTURE_QUALITY: Final = 92
"""JPEG quality of the judged picture, 0 to 100: players zoom in on pips."""

_BOX_PER_SIDE: Final = 1.27
"""Mean width of the bounding box of a die at a random angle, in sides of the die: 4 / pi."""
_READER_FAILED: Final = Message("Reading the dice went wrong (see the log). I try again; you can also count by hand.")


@dataclass(slots=True)
class QuietSpell:
    """The readings since the table came to rest. Any movement discards them."""

    since: float
    readings: list[Reading] = field(default_factory=list)
    """Readings with questions, to be fused."""
    plain: tuple[Reading, Frame] | None = None
    """A reading without questions, reconciled and waiting to be confirmed, and its frame."""
    unconfirmed: list[Reading] = field(default_factory=list)
    """Readings that a later frame did not confirm."""
    doubtful_since: float | None = None
    """When a reading of all dice first left questions."""
    stack: Stack | None = None
    """The frames since that reading."""
    exposed: bool = False
    """Frames with another exposure were read."""
    not_before: float = float("-inf")
    """When to look again."""
    lacking: int = 0
    """How many times dice were missing."""
    blurred: int = 0
    """The number of frames skipped because the camera shook."""
    closely: bool = False
    """The next reading looks closely for a missing die."""
    close_looks: int = 0
    """The number of close looks while cups may hide dice."""


@dataclass(slots=True)
class RevealProgress:
    """The progress of one reveal."""

    reveal: int
    since: float
    """When the wait began: at the request, or at the camera's last failure."""
    after: float
    """Only frames exposed after this time count: first the request's time, then the last frame's."""
    before: tuple[QuietTable, ...] = ()
    """The table before the cups went up, if the camera saw it."""
    photos_before: tuple[Seen, ...] = ()
    """The same, in photographs from phones."""
    lost: list[LostDie] | None = None
    """The dice of `photos_before` located in the camera's picture, if known."""
    quiet: QuietSpell | None = None
    still: bool = False
    """The last look saw a still table, so the next frame is to be read."""
    photo_fault: Message | None = None
    """What was wrong with the last photograph from a phone."""
    seen: Reading | None = None
    """The last reading of a single frame; none is added while something stays over its dice and hides them."""
    place_shown: float = float("-inf")
    """When the players were last shown where something moves."""


class RevealWorker:
    """Reads the dice whenever the table asks for it."""

    def __init__(
        self,
        table: Table,
        camera: Camera,
        reader: Reader,
        stillness: StillnessCheck,
        *,
        patience: float,
        give_up: float,
        photos: Photos | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`patience` and `give_up` come from `[table]` in the configuration; `clock` returns monotonic seconds."""
        self._table = table
        self._camera = camera
        self._reader = reader
        self._stillness = stillness
        self._patience = patience
        self._give_up = give_up
        self._photos = photos or Photos()
        self._clock = clock
        self._sleep = sleep
        self._progress: RevealProgress | None = None
        self._covered: Round | None = None
        """The round whose quiet table is in `_picture`."""
        self._uncovered: Round | None = None
        """The last round whose cups went up; its dice lie open, even if the call is undone."""
        self._picture = QuietPicture()
        self._seen_at: float | None = None
        """When its last frame was taken."""
        self._recorder = ClipRecorder()
        self._die_width: float | None = None
        """Width of the dice, in pixels, in the last reading that the players did not correct."""
        self._given: tuple[int, Reading] | None = None
        """The last reading accepted by the table, with its number there."""
        self._palette: dict[str, Lab] = {}
        """The colours of the dice in the last judged reading."""
        self._profile: Profile | None = None
        self._whole = False
        """The camera gives all its pixels."""
        self._last_look = float("-inf")
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._last_step = float("-inf")

    @property
    def alive(self) -> bool:
        """True if the worker's thread runs and is not stuck."""
        return self._thread is not None and self._thread.is_alive() and self._clock() - self._last_step < STUCK_AFTER

    def start(self) -> None:
        """Start a thread that works until `stop`."""
        self._last_step = self._clock()
        self._thread = threading.Thread(target=self.run, name="reveal", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop, waiting up to five seconds for the thread."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=5.0)

    def read_with(self, reader: Reader, profile: Profile | None = None) -> None:
        """Use another reader from the next frame on, and the dice's size and colours from its profile."""
        self._reader, self._profile, self._palette = reader, profile, {}

    def run(self) -> None:
        """Work until `stop`."""
        while not self._stop.is_set():
            self._last_step = self._clock()
            try:
                if not self.step():
                    self._table.wait_for_reveal(timeout=RETRY_PAUSE)
            except Exception:
                # A bug must not leave the table waiting forever: report it, and go on.
                log.exception("the reveal went wrong")
                self._say(Waiting(code="reader", sentence=_READER_FAILED))
                self._progress = None
                self._stop.wait(1.0)

    def step(self) -> bool:
        """Take and process one frame. Returns False if nothing is to be read."""
        request = self._table.reveal_wanted()
        if request is None:
            self._progress = None
            self._show_whole(False)
            self._photos.forget()
            self._look()
            return False
        now = self._clock()
        if self._progress is None or self._progress.reveal != request.reveal:
            self._uncovered = request.round
            self._progress = RevealProgress(request.reveal, now, now)
            if photos := self._photos.before(request.round):
                self._progress.photos_before = read_before(self._reader.with_profile(None), photos)
            self._stillness.reset()
            self._recorder.forget()
            width = self._width(self._camera.size[0])
            self._show_whole(width is not None and width < _BOX_PER_SIDE * SMALL_DIE)
            if request.round == self._covered:
                self._progress.before = self._picture.tables(
                    lambda image: self._reader.read(image, self._width(image.shape[1]))
                )
        progress = self._progress
        if photos := self._photos.take(request.round):
            self._read_photos(request, progress, photos)
            return True
        if now - progress.since >= self._give_up:
            self._say(Waiting(code="given-up", sentence=sentences.GIVEN_UP))
            self._look()
            self._sleep(RETRY_PAUSE)
            return True
        quiet = progress.quiet
        doubtful = quiet is not None and quiet.doubtful_since is not None
        after = progress.after + (WAIT_LOOK if quiet is not None and quiet.lacking and not doubtful else 0)
        # Movement of hands shows in the small picture, so the large one need not be copied.
        wanted = progress.still if quiet is None else doubtful or now >= quiet.not_before
        whole = wanted or not self._camera.looks
        try:
            frame = (self._camera.frame if whole else self._camera.look)(after=after)
        except CameraError as error:
            if progress.photo_fault is None:
                self._say(Waiting(code="camera", sentence=error.message))
            progress.since, progress.quiet, progress.still = self._clock(), None, False
            self._stillness.reset()
            self._sleep(RETRY_PAUSE)
            return True
        progress.after = frame.at
        self._see(request, progress, frame, whole=whole)
        return True

    def _see(self, request: RevealRequest, progress: RevealProgress, frame: Frame, *, whole: bool) -> None:
        """Read the frame if the table is still; without `whole`, wait for a frame with all pixels."""
        small = small_picture(frame)
        self._recorder.see(small, frame.at)
        match self._stillness.see(small, frame.at):
            case Stillness.MOVING:
                progress.quiet, progress.still = None, False
                self._say_moving(progress)
            case Stillness.STILL if _among(self._stillness.hiding, progress.seen):
                self._say_moving(progress)
            case Stillness.STILL if not whole and frame.preview is not None:
                progress.still = True
            case Stillness.STILL:
                self._read(request, progress, frame)

    def _read_photos(self, request: RevealRequest, progress: RevealProgress, photos: tuple[bytes, ...]) -> None:
        """Read photographs from a phone instead of the camera's frames. No profile belongs to a phone's camera."""
        self._say(Waiting(code="reading", sentence=sentences.PHOTO_READ))
        quiet = (Seen(table.image, Reading(table.dice, *table.image.shape[1::-1])) for table in progress.before[-1:])
        before = (*progress.photos_before, *quiet)
        seen = read_photos(self._reader.with_profile(None), photos, before, request.expected)
        if isinstance(seen, Refusal):
            progress.photo_fault = seen.message
            self._say(Waiting(code="photo", sentence=seen.message, found=seen.found, photo=self._photos.taken))
        else:
            self._take(request, seen.reading, seen.image)

    def _read(self, request: RevealRequest, progress: RevealProgress, frame: Frame) -> None:
        """Read a frame of a still table, or use it to confirm the last reading."""
        now = self._clock()
        if progress.quiet is None:
            progress.quiet = QuietSpell(now)
            self._say(Waiting(code="reading", sentence=sentences.READING))
        quiet = progress.quiet
        if quiet.doubtful_since is not None:
            stacked = _stacked(quiet, frame, now)
            if stacked is None:
                return
            frame = stacked
        elif now < quiet.not_before:
            return
        expected = request.expected
        if quiet.plain is not None:
            read, before = quiet.plain
            reading = reconcile(read, expected)
            if self._reader.confirms(reading, before.image, frame.image):
                if frame.at - before.at >= AGREE_AFTER or not _among(self._stillness.left_out, reading):
                    self._give(request, reading, before)
                else:
                    quiet.not_before = now + AGREE_EVERY
                return
            quiet.plain = None
            quiet.unconfirmed.append(read)
            self._say(Waiting(code="again", sentence=sentences.AGAIN))
        reading = self._in_play(request, progress, frame)
        if reading.blurred and quiet.blurred < BLURRED_FRAMES:
            quiet.blurred += 1
            self._say(Waiting(code="again", sentence=sentences.AGAIN))
            return
        progress.seen = reconcile(reading, expected)
        if quiet.unconfirmed and not quiet.readings:
            if self._settles(request, quiet, fuse([quiet.unconfirmed[-1], reading]), frame):
                return
            if len(quiet.unconfirmed) >= DISAGREEMENTS:
                self._give(request, reconcile(fuse([*quiet.unconfirmed, reading]), expected), frame)
                return
        quiet.readings = [*quiet.readings, reading][-MOST_READINGS:]
        fused = fuse(quiet.readings)
        if len(quiet.readings) > 1 and self._settles(request, quiet, fused, frame):
            return
        # After a doubtful reading, the last one is of many frames and counts twice.
        last = fuse([*quiet.readings, quiet.readings[-1]])
        plain = reconcile(last, expected)
        if not questions(plain, expected) and all(die.confidence >= PLAIN_DIE for die in plain.dice):
            quiet.plain, quiet.readings = (last, frame), []
            quiet.not_before = now + CONFIRM_AFTER
        else:
            self._ask(request, progress, reconcile(fused, expected), frame)

    def _settles(self, request: RevealRequest, quiet: QuietSpell, read: Reading, frame: Frame) -> bool:
        """Pass on a reading if it leaves no questions; if something moves over the dice, once later frames confirm it.

        Returns False if it leaves questions.
        """
        reading = reconcile(read, request.expected)
        if questions(reading, request.expected):
            return False
        if _among(self._stillness.left_out, reading):
            quiet.plain, quiet.readings = (read, frame), []
            quiet.not_before = self._clock() + AGREE_EVERY
        else:
            self._give(request, reading, frame)
        return True

    def _show_whole(self, whole: bool) -> None:
        if whole != self._whole:
            self._camera.show_whole(whole)
            self._whole = whole

    def _in_play(self, request: RevealRequest, progress: RevealProgress, frame: Frame) -> Reading:
        """Read the dice in play."""
        image = frame.image
        read = self._reader.read if frame.whole is None else partial(self._reader.read, whole=frame.whole)
        closely = progress.quiet is not None and progress.quiet.closely
        reading = read_in_play(
            read, image, progress.before, request.expected, self._width(image.shape[1]), closely=closely
        ).reading
        if progress.before:
            return reading
        if progress.photos_before and progress.lost is None:
            progress.lost = lost_dice(progress.photos_before, Seen(image, reading))
        return replace(without(reading, progress.lost or ()), unseen=progress.lost is None)

    def _width(self, across: int) -> float | None:
        """The width of the dice in pixels of frames `across` pixels wide, if known."""
        side = self._profile.die_px(across) if self._profile else None
        return self._die_width or (side and _BOX_PER_SIDE * side)

    def _ask(self, request: RevealRequest, progress: RevealProgress, reading: Reading, frame: Frame) -> None:
        """Ask for another frame or, failing that, the players."""
        now, quiet = self._clock(), progress.quiet
        assert quiet is not None
        # A washed-out or dark die may not even be detected; then it is not missing because of a cup.
        doubtful = [die for die in reading.dice if die.uncertain]
        if lacks(reading, request.expected):
            doubtful += reading.faint
        times = 1.0 if quiet.exposed else exposure_wanted(frame.image, doubtful)
        if times != 1:
            quiet.exposed = True
            self._say(Waiting(code="again", sentence=sentences.AGAIN))
            exposed = self._exposed(request, progress, times)
            if exposed is not None and self._settles(request, quiet, exposed, frame):
                return
        patient = now - quiet.since < self._patience or bool(self._stillness.hiding.any())
        if patient and lacks_colour(frame.image, request.expected):
            self._say(Waiting(code="camera", sentence=sentences.NO_COLOUR))
            quiet.readings, quiet.not_before = [], now + LOOK_AGAIN[-1]
            return
        covered = under_cover(Counter(die.colour for die in reading.dice), request.players)
        waits = covered is not None and patient
        quiet.closely = lacks(reading, request.expected) and not (waits and quiet.close_looks == CLOSE_LOOKS)
        if covered is not None and waits:
            quiet.close_looks += quiet.closely
            self._say(Waiting(code="missing", sentence=covered))
            pause, left = LOOK_AGAIN[min(quiet.lacking, len(LOOK_AGAIN) - 1)], quiet.since + self._patience - now
            quiet.not_before, quiet.doubtful_since = now + (min(pause, left) if left > 0 else pause), None
            quiet.lacking += 1
            return
        self._say(Waiting(code="again", sentence=sentences.AGAIN))
        if quiet.doubtful_since is None:
            quiet.doubtful_since = now
        if len(quiet.readings) < 2 or (len(quiet.readings) < MOST_READINGS and now - quiet.doubtful_since < ASK_AFTER):
            quiet.not_before = now + CONFIRM_AFTER
        else:
            self._give(request, with_likely_places(reading, request.expected), frame)

    def _exposed(self, request: RevealRequest, progress: RevealProgress, times: float) -> Reading | None:
        """Fuse the readings so far with frames exposed `times` as much; None if the camera cannot."""
        assert progress.quiet is not None
        try:
            if not self._camera.expose(times):
                return None
            for _ in range(SETTLING_FRAMES + 1):
                frame = self._camera.frame(after=progress.after)
                progress.after = frame.at
            stack = Stack(frame.image)
            for _ in range(STACKED - 1):
                frame = self._camera.frame(after=progress.after)
                progress.after = frame.at
                stack.add(frame.image)
            self._camera.expose(1)
        except CameraError as error:
            log.warning("no frame with another exposure: %s", error)
            return None
        seen = self._in_play(request, progress, replace(frame, image=stack.mean(), whole=None))
        return fuse([*progress.quiet.readings, seen, seen])

    def _give(self, request: RevealRequest, reading: Reading, frame: Frame) -> None:
        """Pass the reading and its frame to the table."""
        if reading.dice and not reading.uncertain:
            self._die_width = median(die.width for die in reading.dice)
        taken = self._take(request, reading, frame.image)
        if taken is not None and taken.reading is not None:
            self._given = taken.reading.id, reading
            self._recorder.judge(taken.reading.id, frame.at)

    def _take(self, request: RevealRequest, reading: Reading, image: Image) -> State | None:
        self._progress = None
        try:
            return self._table.take_reading(request.reveal, reading, jpeg(image, PICTURE_QUALITY))
        except NotAllowedNowError as error:
            log.info("reading %d is dropped: %s", request.reveal, error)
            return None
        finally:
            trim_memory()

    def _learn_colours(self) -> None:
        """Learn the dice's colours from the last reading once it is judged, with the players' corrections."""
        state = self._table.state()
        if self._given is None or state.verdict is None or state.reading is None or state.reading.id != self._given[0]:
            return
        dice = self._given[1].dice  # numbered by the table; dice that it added have no picture
        counted = (die for die in state.reading.dice if die.player is not None and not die.uncertain)
        owned = (die for die in counted if die.id < len(dice))
        palette = palette_of(replace(dice[die.id], colour=die.colour) for die in owned)
        if palette != self._palette:
            self._reader, self._palette = self._reader.with_palette(palette), palette

    def _look(self) -> None:
        """Check the camera now and then while nothing is read, so that players soon hear of a failure.

        While the cups are down, the frames show what is not in play.
        """
        if self._clock() - self._last_look < (CLIP_EVERY if self._recorder.waits else IDLE_LOOK):
            return
        self._last_look = self._clock()
        self._learn_colours()
        whole = not self._camera.looks or self._table.covered_round() is not None
        try:
            frame = self._camera.frame() if whole else self._camera.look()
        except CameraError as error:
            log.debug("no frame while idle: %s", error)  # the camera has already told the table
            return
        covered = self._table.covered_round()
        self._record(frame, covered)
        if covered is None or covered == self._uncovered or not whole:
            return
        if covered != self._covered:
            self._covered, self._picture, self._seen_at = covered, QuietPicture(), None
        if frame.at != self._seen_at:  # a stream repeats its frame for a second
            small = small_picture(frame)
            self._picture.see(frame.image, small, frame.at)
            self._stillness.see(small, frame.at)  # what moves now will move after the call, too
            self._seen_at = frame.at

    def _record(self, frame: Frame, covered: Round | None) -> None:
        """Record the seconds after a judged frame until a cup goes down again: no clip may show what players peek
        at."""
        if covered is not None:
            self._recorder.forget()
        if not self._recorder.waits:
            return
        self._recorder.see(small_picture(frame), frame.at)
        film = self._recorder.film(frame.at)
        if film is not None:
            self._table.keep_clip(film.reading, film.clip, film.data)

    def _say_moving(self, progress: RevealProgress) -> None:
        """Report that something moves, and after a while where."""
        now = self._clock()
        place = self._stillness.place if now - progress.since >= SHOW_MOVING_AFTER else None
        if place is None:
            self._say(Waiting(code="moving", sentence=sentences.MOVING))
        elif now - progress.place_shown >= SHOW_MOVING_EVERY:
            progress.place_shown = now
            self._say(Waiting(code="moving", sentence=sentences.KEEPS_MOVING, place=place))

    def _say(self, waiting: Waiting) -> None:
        if self._progress is not None:
            self._table.set_waiting(self._progress.reveal, waiting)


def _among(tiles: Mask, reading: Reading | None) -> bool:
    """True if any of the tiles, which divide the picture, is within a die's width of a die."""
    if reading is None or not tiles.any():
        return False
    size = (reading.width, reading.height)
    pixels = np.asarray(cv2.resize(tiles.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST), np.uint8)
    return any(pixels[patch(pixels, die.box, die.width)].any() for die in reading.dice)


def _stacked(quiet: QuietSpell, frame: Frame, now: float) -> Frame | None:
    """Average this frame with those since the last reading; None while more are to come."""
    if quiet.stack is None:
        quiet.stack = Stack(frame.image)
    elif quiet.stack.frames < STACKED:
        quiet.stack.add(frame.image)
    if now < quiet.not_before + (0 if quiet.stack.frames >= STACKED else CONFIRM_AFTER):
        return None
    stack, quiet.stack = quiet.stack, None
    return replace(frame, image=stack.mean(), whole=None)
