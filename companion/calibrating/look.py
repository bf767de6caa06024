"""What each step of a calibration makes of one frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import cv2
import numpy as np

from calibration.grade import Grade
from calibration.image import Doubles, shrunk
from calibration.image import jpeg as encoded
from calibration.quality.aim import Aim, aim
from calibration.quality.throw_check import ThrowCheck, ThrowDie, check_throw
from calibration.sheet.board import COLUMNS, ROWS, corners
from calibration.sheet.sighting import Sighting, find_sheet
from calibration.sheet.view_guide import guide, judge_view
from calibration.solve.table_palette import ColourSample as MarkedDie
from calibration.solve.table_palette import TablePalette, learn_palette
from companion.calibrating import sentences as says
from companion.calibrating.work import Holding, Step, Work, in_rows, named, points, target
from hardware.camera.protocol import Frame, Image, small_picture
from vision.reading import Reading

AIM_EVERY: Final = 0.6
"""Seconds between two judgements of the light: a sentence has to stay long enough to be read."""
AIM_WIDTH: Final = 1280
"""Pixels across of what is judged: a die is 21 of them wide."""
READ_EVERY: Final = 0.8
"""Seconds between two readings."""
WIDE: Final = 960
"""Pixels across, at most, of what is sent to a page."""
QUALITY: Final = 78
"""Of its JPEG, 0 to 100."""


class Reads(Protocol):
    """`vision.reader.Reader` is the real one."""

    def read(self, image: Image) -> Reading:
        """Every die in one frame."""


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen, to become so if the step is still the same."""

    step: Step
    picture: Image | None
    changes: dict[str, Any] = field(default_factory=dict)
    """Of the work."""
    shown: dict[str, Any] = field(default_factory=dict)
    """Of what the picture shows."""
    view: tuple[Sighting, Sighting] | None = None
    """A new picture of the sheet: in the frame, and in its small picture."""

    def into(self, work: Work) -> None:
        """Make it so."""
        for name, value in self.changes.items():
            setattr(work, name, value)
        for name, value in self.shown.items():
            setattr(work.shown, name, value)
        if self.view is not None:
            work.views.append(self.view[0])
            work.previews.append(self.view[1])


class Eye:
    """Looks at frames, one after the other. For one thread at a time."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` gives monotonic seconds."""
        self._clock = clock
        self._holding = Holding()
        self._judged = float("-inf")
        self._aim_seen: Aim | None = None
        self._reader: Reads | None = None
        self._read = float("-inf")

    def read_with(self, reader: Reads) -> None:
        """Read by another reader from now on."""
        self._reader, self._read = reader, float("-inf")

    def see(self, work: Work, frame: Frame, playing: Sequence[str]) -> Look:
        """Look at one frame as the step wants it; `playing` are the colours of the players."""
        picture = small_picture(frame)
        height, width = picture.shape[:2]
        size: dict[str, Any] = {"width": width, "height": height}
        match work.step:
            case Step.AIM:
                return Look(work.step, picture, self._aim(work, frame), size)
            case Step.VIEWS:
                return self._hold(work, frame, picture, size)
            case Step.FLAT:
                return self._lie(work, frame, picture, size)
            case Step.COLOURS | Step.CHECK:
                size["scale"] = width / frame.image.shape[1]
                return Look(work.step, picture, self._dice(work, frame, playing, size), size)
            case _:
                return Look(work.step, picture, {}, size)

    def _aim(self, work: Work, frame: Frame) -> dict[str, Any]:
        if self._clock() - self._judged < AIM_EVERY:
            return {}
        self._judged = self._clock()
        before, self._aim_seen = self._aim_seen, aim(np.asarray(shrunk(frame.image, AIM_WIDTH), np.uint8))
        if work.aimed is not None and (before is None or _grades(before) != _grades(self._aim_seen)):
            return {}  # what lies at a limit must not flicker: only two looks in a row change what is said
        return {"aimed": self._aim_seen}

    def _hold(self, work: Work, frame: Frame, picture: Image, shown: dict[str, Any]) -> Look:
        """The sheet is taken once it is held still, wherever that tells something new."""
        sighting = find_sheet(picture)
        held = self._holding.see(sighting, frame.at)
        judged = judge_view(sighting, work.previews)
        said: str = says.HOLD if judged.accepted else judged.sentence
        view, tapped = None, work.capture
        if tapped or (judged.accepted and held >= 1.0):
            large = sighting if picture is frame.image else find_sheet(frame.image)
            closer = judge_view(large, work.views)
            said = closer.sentence
            if closer.accepted and large is not None:
                view = (large, sighting or large.at_size(shown["width"], shown["height"]))
            self._holding.taken(frame.at)
            held = 0.0
        elif sighting is not None and self._holding.lingers(frame.at):
            said = work.said
        views = [*work.views, view[0]] if view else work.views
        shown |= _outlined(sighting) | {"target": target(guide(views).next, shown["width"], shown["height"])}
        changes = _heard(tapped) | {"said": said, "held": held, "seen": sighting is not None}
        return Look(work.step, picture, changes, shown, view)

    def _lie(self, work: Work, frame: Frame, picture: Image, shown: dict[str, Any]) -> Look:
        """The sheet is taken when the users say that it lies flat."""
        tapped = work.capture
        sighting = find_sheet(picture)
        changes = _heard(tapped) | {"seen": sighting is not None}
        if tapped:
            flat = sighting if picture is frame.image else find_sheet(frame.image)
            changes |= {"flat": flat, "said": "" if flat is not None else says.NO_SHEET}
        elif sighting is not None:
            changes["said"] = ""
        return Look(work.step, picture, changes, shown | _outlined(sighting))

    def _dice(self, work: Work, frame: Frame, playing: Sequence[str], shown: dict[str, Any]) -> dict[str, Any]:
        if self._reader is None or work.hold_from is not None or self._clock() - self._read < READ_EVERY:
            return {}
        reading = in_rows(self._reader.read(frame.image))
        self._read = self._clock()
        shown["reading"] = reading
        changes: dict[str, Any] = {"read": frame.image}
        if work.step is Step.COLOURS:
            changes["learned"] = _learned(frame.image, reading, named(reading, work.marks), playing)
        else:
            changes["check"] = _checked(frame.image, reading, work.expected)
        return changes


def _heard(tapped: bool) -> dict[str, Any]:
    """A tap is done with; one that came while the frame was looked at is for the next frame."""
    return {"capture": False} if tapped else {}


def _grades(aimed: Aim) -> list[Grade]:
    return [each.grade for each in aimed.findings]


def learned(work: Work, reading: Reading, playing: Sequence[str]) -> TablePalette | None:
    """The colours of the dice that were read last; None where there are none."""
    return None if work.read is None else _learned(work.read, reading, named(reading, work.marks), playing)


def _learned(image: Image, reading: Reading, colours: Sequence[str], playing: Sequence[str]) -> TablePalette | None:
    if not reading.dice:
        return None
    marked = [MarkedDie(die.box, colour) for die, colour in zip(reading.dice, colours, strict=True)]
    return learn_palette(image, marked, playing)


def checked(work: Work) -> ThrowCheck | None:
    """How well the dice were read that were read last."""
    reading = work.shown.reading
    return None if reading is None or work.read is None else _checked(work.read, reading, work.expected)


def _checked(image: Image, reading: Reading, expected: int | None) -> ThrowCheck:
    thrown = [ThrowDie(die.face, die.colour, die.confidence, die.box) for die in reading.dice]
    return check_throw(thrown, expected, image)


def jpeg(image: Image) -> bytes:
    """The picture as a JPEG file no wider than `WIDE`. Raises `ValueError` when it cannot be written as one."""
    return encoded(shrunk(image, WIDE), QUALITY)


def _outlined(sighting: Sighting | None) -> dict[str, Any]:
    if sighting is None:
        return {"outline": (), "corners": ()}
    return {"outline": points(_board(sighting)), "corners": points(sighting.points)}


def _board(sighting: Sighting) -> Doubles:
    """4 x 2: the board's own corners, as far as a plane tells: a lens bends their sides a little."""
    plane, _ = cv2.findHomography(corners(1.0)[sighting.ids, :2], sighting.points)
    if plane is None:
        return sighting.hull
    edge = np.array([(0, 0), (COLUMNS, 0), (COLUMNS, ROWS), (0, ROWS)], np.float64)
    return np.asarray(cv2.perspectiveTransform(edge[None], plane)[0], np.float64)
