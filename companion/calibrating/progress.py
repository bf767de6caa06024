"""A calibration under way, as a value: a look at a frame, or a choice of the users', gives the next one. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

from calibration.quality.aim import Aim
from calibration.quality.throw_check import ThrowCheck, check_throw
from calibration.sheet.board import BoardError, check_square, square_from_ruler
from calibration.sheet.sighting import Sighting
from calibration.sheet.view_guide import Guidance, guide
from calibration.solve.draft import ProfileDraft
from calibration.solve.table_palette import ColourSample
from companion.calibrating.changes import (
    CalibrationStep,
    Capture,
    Change,
    DropView,
    ExpectDice,
    MarkDie,
    SetRuler,
    SetSquare,
)
from companion.calibrating.picture_overlay import ColourMark, Point, colours, nearest, outline, points, target
from companion.messages.message import Message
from companion.table.commands import WIDEST_PICTURE
from companion.table.errors import NotAllowedNowError, UnreadableCommandError
from hardware.camera.protocol import Frame, Image
from vision.reading import Reading

LENS_FIRST: Final = Message("The lens comes first: take the pictures of the sheet.")
BAD_RULER: Final = Message("The line on the sheet is 80 to 120 mm long: measure it once more.")
BAD_SQUARE: Final = Message("A square on a screen is 5 to 100 mm wide: measure it once more.")


@dataclass(frozen=True, slots=True)
class Look:
    """What one frame showed."""

    step: CalibrationStep
    """The step it was looked at for."""
    frame: Frame
    picture: Image
    """The frame, small."""
    aim: Aim | None = None
    sheet: Sighting | None = None
    """In the small picture."""
    held: float = 0.0
    """0 to 1: how long the sheet was held still, of what is wanted."""
    note: str | None = None
    """What came of it; None where there is nothing new to say."""
    captured: bool = False
    """Whether the users asked for this picture."""
    view: tuple[Sighting, Sighting] | None = None
    """A new view of the sheet: in the frame, and in the small picture."""
    flat: Sighting | None = None
    """The sheet lying on the table, in the frame."""
    reading: Reading | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """The latest small picture, and what is drawn over it, in its pixels."""

    number: int
    width: int
    height: int
    outline: tuple[Point, ...] = ()
    corners: tuple[Point, ...] = ()
    target: tuple[Point, ...] = ()
    """Where to hold the sheet."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a calibration is."""

    draft: ProfileDraft
    after: float
    """Only frames exposed after this count, in monotonic seconds."""
    step: CalibrationStep = CalibrationStep.AIM
    image: Image | None = None
    """The latest frame."""
    preview: Preview | None = None
    aim: Aim | None = None
    small_views: tuple[Sighting, ...] = ()
    """The draft's views, found in small pictures: what is held now is compared with these."""
    sheet_in_view: bool = False
    held: float = 0.0
    """0 to 1: how long the sheet was held still, of what is wanted."""
    capture: bool = False
    """Whether the next picture of the sheet is taken, held still or not."""
    note: str = ""
    """What came of the last picture of the sheet."""
    trouble: str = ""
    """Why nothing is looked at."""
    failure: str = ""
    """Why lens or table could not be worked out, until something was done about it."""
    solving: bool = False
    flat: Sighting | None = None
    """The sheet lying on the table, while the lens is still being worked out."""
    reading: Reading | None = None
    read_image: Image | None = None
    """The frame that `reading` is of."""
    marks: tuple[ColourMark, ...] = ()
    expected: int | None = None
    """How many dice lie there; None: as many as are seen."""
    check: ThrowCheck | None = None
    guidance: Guidance = field(default_factory=lambda: guide(()))

    # What a frame showed

    def after_look(self, look: Look, number: int, playing: Sequence[str]) -> Self:
        """`number` is the picture's; `playing` are the players' colours. A look made for another step changes nothing.

        Raises `ValueError` for a die outside of the picture.
        """
        if look.step is not self.step:
            return self
        height, width = look.picture.shape[:2]
        drawn = self.preview or Preview(0, 0, 0)
        now = replace(self, after=look.frame.at, image=look.frame.image, trouble="")
        now = replace(now, preview=replace(drawn, number=number, width=width, height=height))
        match look.step:
            case CalibrationStep.AIM:
                return replace(now, aim=look.aim or self.aim)
            case CalibrationStep.VIEWS | CalibrationStep.FLAT:
                return now._after_sheet(look)
            case CalibrationStep.COLOURS | CalibrationStep.CHECK if look.reading is not None:
                now = replace(now, reading=look.reading, read_image=look.frame.image)
                return now._learned(playing) if self.step is CalibrationStep.COLOURS else now._checked()
            case _:
                return now

    def _after_sheet(self, look: Look) -> Self:
        now = replace(
            self,
            sheet_in_view=look.sheet is not None,
            note=self.note if look.note is None else look.note,
            capture=self.capture and not look.captured,  # one that came while the frame was looked at is for the next
            flat=look.flat if look.captured and look.step is CalibrationStep.FLAT else self.flat,
            held=look.held,
        )
        if look.view is not None:
            large, small = look.view
            now = replace(now._with_views((*now.draft.views, large), (*now.small_views, small)), failure="")
        assert now.preview is not None
        wish = now.guidance.next
        wanted = target(wish, now.preview.width, now.preview.height) if look.step is CalibrationStep.VIEWS else ()
        drawn = (outline(look.sheet), points(look.sheet.points)) if look.sheet is not None else ((), ())
        return replace(now, preview=replace(now.preview, outline=drawn[0], corners=drawn[1], target=wanted))

    def _with_views(self, views: tuple[Sighting, ...], small: tuple[Sighting, ...]) -> Self:
        return replace(self, draft=replace(self.draft, views=views), small_views=small, guidance=guide(views))

    def _learned(self, playing: Sequence[str]) -> Self:
        """The colours of the dice that were read last."""
        if self.reading is None or self.read_image is None or not self.reading.dice:
            return replace(self, draft=replace(self.draft, palette=None))
        named = zip(self.reading.dice, colours(self.reading, self.marks), strict=True)
        samples = [ColourSample(die.box, colour) for die, colour in named]
        return replace(self, draft=self.draft.with_palette(self.read_image, samples, playing))

    def _checked(self) -> Self:
        """How well the dice were read that were read last."""
        if self.reading is None or self.read_image is None:
            return replace(self, check=None)
        return replace(self, check=check_throw(self.reading.dice, self.expected, self.read_image))

    # What the users chose

    def to_step(self, step: str, without_colours: bool = False) -> Self:
        """At another step, forwards or back. Raises `UnreadableCommandError`, `NotAllowedNowError`."""
        if step not in tuple(CalibrationStep):
            raise UnreadableCommandError("bad-step", f"There is no step {step!r}.")
        to = CalibrationStep(step)
        if (to is CalibrationStep.FLAT and self.draft.lens is None and not self.solving) or (
            to is CalibrationStep.LENS and self.draft.table is None
        ):
            raise NotAllowedNowError("wrong-step", LENS_FIRST)
        return (self._without_colours() if without_colours else self).at(to)

    def at(self, step: CalibrationStep) -> Self:
        """At this step, which begins anew."""
        now = replace(self, step=step, capture=False, held=0.0, note="", failure="", reading=None)
        if now.preview is not None:
            now = replace(now, preview=replace(now.preview, outline=(), corners=(), target=()))
        match step:
            case CalibrationStep.FLAT:
                return replace(now, flat=None, draft=replace(now.draft, table=None))
            case CalibrationStep.COLOURS:
                return now._without_colours()
            case CalibrationStep.CHECK:
                return replace(now, check=None)
            case _:
                return now

    def _without_colours(self) -> Self:
        return replace(self, draft=replace(self.draft, palette=None), marks=())

    def after_change(self, change: Change, playing: Sequence[str]) -> Self:
        """`playing` are the players' colours. Raises `UnreadableCommandError`, `NotAllowedNowError`."""
        match change:
            case SetRuler(mm):
                return self._with_square(lambda: square_from_ruler(mm), BAD_RULER)
            case SetSquare(mm):
                return self._with_square(lambda: check_square(mm), BAD_SQUARE)
            case Capture():
                return replace(self, capture=True, failure="")
            case DropView() if self.draft.views:
                fewer = self._with_views(self.draft.views[:-1], self.small_views[:-1])
                return replace(fewer, note="", failure="")
            case MarkDie(at, colour):
                x, y = (min(max(each, 0.0), WIDEST_PICTURE) / self.scale for each in at)
                if self.reading is None or nearest(self.reading, (x, y)) is None:
                    raise UnreadableCommandError("unknown-die", "There is no die in that place of the picture.")
                return replace(self, marks=(*self.marks, ColourMark((x, y), colour)))._learned(playing)
            case ExpectDice(dice):
                return replace(self, expected=dice)._checked()
            case _:
                return self

    def _with_square(self, square_mm: Callable[[], float], refusal: Message) -> Self:
        try:
            return replace(self, draft=self.draft.with_square(square_mm()))
        except BoardError as error:
            raise NotAllowedNowError("bad-length", refusal) from error

    @property
    def scale(self) -> float:
        """From pixels of the reading to pixels of the small picture."""
        if self.preview is None or self.read_image is None:
            return 1.0
        return self.preview.width / int(self.read_image.shape[1])
