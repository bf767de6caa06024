"""A calibration in progress, as an immutable value: looking at a frame or a user's request returns the next one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from msgspec import structs

from calibration.grade import Finding
from calibration.quality.throw_check import ThrowCheck, check_throw
from calibration.sheet.board import BoardError, check_square, square_from_ruler
from calibration.sheet.sighting import Sighting
from calibration.sheet.view_guide import Guidance, guide
from calibration.solve.draft import ProfileDraft
from calibration.solve.table_palette import ColourSample, learn_palette
from companion.features.calibration.changes import (
    CalibrationStep,
    Capture,
    Change,
    DropView,
    ExpectDice,
    MarkDie,
    SetRuler,
    SetSquare,
)
from companion.features.calibration.picture_overlay import (
    ColourMark,
    DrawnPicture,
    colours,
    nearest,
    outline,
    points,
    target,
)
from companion.messages.message import Message
from companion.messages.sentence import Value
from companion.table.commands import WIDEST_PICTURE
from companion.table.errors import NotAllowedNowError, UnreadableCommandError
from hardware.camera.protocol import Frame, Image
from vision.reading import Reading

LENS_FIRST: Final = Message("The lens comes first: take the pictures of the sheet.")
BAD_RULER: Final = Message("The line on the sheet is 80 to 120 mm long: measure it again.")
BAD_SQUARE: Final = Message("A square on a screen is 5 to 100 mm wide: measure it again.")


class Calibrator(Value, frozen=True):
    """The phone that calibrates, and its player."""

    phone: str
    player: str | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """The result of looking at one frame."""

    step: CalibrationStep
    """The step for which the frame was looked at."""
    frame: Frame
    picture: Image
    """The frame, scaled down."""
    aim: tuple[Finding, ...] = ()
    """Empty if there is nothing new to report."""
    sheet: Sighting | None = None
    """In pixels of the small picture."""
    stillness: float = 0.0
    """How long the sheet has been held still, as a share of the time needed, 0 to 1."""
    note: str | None = None
    """The result of the look; None if there is nothing new to report."""
    captured: bool = False
    """True if the users asked for this picture."""
    view: Sighting | None = None
    """The sheet in the frame: a new view, or lying flat."""
    reading: Reading | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    by: Calibrator
    draft: ProfileDraft
    after: float
    """Only frames exposed after this time count, in monotonic seconds."""
    step: CalibrationStep = CalibrationStep.AIM
    image: Image | None = None
    """The latest frame."""
    preview: DrawnPicture | None = None
    """The latest frame, scaled down, without its dice: users may rename their colours meanwhile."""
    aim: tuple[Finding, ...] = ()
    sheet_in_view: bool = False
    stillness: float = 0.0
    """How long the sheet has been held still, as a share of the time needed, 0 to 1."""
    capture: bool = False
    """True if the next picture of the sheet is taken even when it is not held still."""
    note: str = ""
    """The result of the last picture of the sheet."""
    trouble: str = ""
    """Why no frames are looked at."""
    failure: str = ""
    """Why solving the lens or the table failed, until the users try again."""
    solving: tuple[Sighting, ...] | None = None
    """The views from which the lens is being solved; None if it is not."""
    flat: Sighting | None = None
    """The sheet lying on the table, while the lens is still being solved."""
    reading: Reading | None = None
    read_image: Image | None = None
    """The frame of `reading`."""
    marks: tuple[ColourMark, ...] = ()
    expected: int | None = None
    """The number of dice on the table; None for any number."""
    check: ThrowCheck | None = None

    @property
    def guidance(self) -> Guidance:
        """How complete the views of the sheet are, and which to take next."""
        return guide(self.draft.views)

    # Looks

    def after_look(self, look: Look, number: int, playing: Sequence[str]) -> Self:
        """The progress after a look at this step. `number` is the picture's number; `playing`, the players' colours.

        Raises `ValueError` for a die outside the picture.
        """
        height, width = look.picture.shape[:2]
        preview = DrawnPicture(number, width, height, (), (), (), ())
        now = replace(self, after=look.frame.at, image=look.frame.image, trouble="", preview=preview)
        match look.step:
            case CalibrationStep.AIM:
                return replace(now, aim=look.aim or self.aim)
            case CalibrationStep.VIEWS | CalibrationStep.FLAT:
                return now._after_sheet(look, preview)
            case CalibrationStep.COLOURS | CalibrationStep.CHECK if look.reading is not None:
                now = replace(now, reading=look.reading, read_image=look.frame.image)
                return now._with_palette(playing) if self.step is CalibrationStep.COLOURS else now._with_check()
            case _:
                return now

    def _after_sheet(self, look: Look, preview: DrawnPicture) -> Self:
        now = replace(
            self,
            sheet_in_view=look.sheet is not None,
            note=self.note if look.note is None else look.note,
            capture=self.capture and not look.captured,  # a request during the look is for the next frame
            stillness=look.stillness,
        )
        if look.sheet is not None:
            preview = structs.replace(preview, outline=outline(look.sheet), corners=points(look.sheet.points))
        if look.step is CalibrationStep.FLAT:
            return replace(now, preview=preview, flat=look.view if look.captured else self.flat)
        if look.view is not None:
            now = replace(now, draft=replace(now.draft, views=(*now.draft.views, look.view)), failure="")
        wanted = target(now.guidance.next, preview.width, preview.height)
        return replace(now, preview=structs.replace(preview, target=wanted))

    def _with_palette(self, playing: Sequence[str]) -> Self:
        """Learn the palette from the dice that were read last."""
        if self.reading is None or self.read_image is None or not self.reading.dice:
            return replace(self, draft=replace(self.draft, palette=None))
        named = zip(self.reading.dice, colours(self.reading, self.marks), strict=True)
        samples = [ColourSample(die.box, colour) for die, colour in named]
        return replace(self, draft=replace(self.draft, palette=learn_palette(self.read_image, samples, playing)))

    def _with_check(self) -> Self:
        """Check the dice that were read last."""
        if self.reading is None or self.read_image is None:
            return replace(self, check=None)
        seen = self.reading
        return replace(self, check=check_throw(seen.dice, self.read_image, self.expected, blurred=seen.blurred))

    # Changes

    def to_step(self, step: str, without_colours: bool = False) -> Self:
        """Go to another step, forward or back. Raises `UnreadableCommandError`, `NotAllowedNowError`."""
        if step not in tuple(CalibrationStep):
            raise UnreadableCommandError("bad-step", f"There is no step {step!r}.")
        to = CalibrationStep(step)
        if (to is CalibrationStep.FLAT and self.draft.lens is None and self.solving is None) or (
            to is CalibrationStep.LENS and self.draft.table is None
        ):
            raise NotAllowedNowError("wrong-step", LENS_FIRST)
        return (self._without_colours() if without_colours else self).at(to)

    def at(self, step: CalibrationStep) -> Self:
        """Restart at this step."""
        now = replace(self, step=step, capture=False, stillness=0.0, note="", failure="", reading=None)
        if now.preview is not None:
            now = replace(now, preview=structs.replace(now.preview, outline=(), corners=(), target=()))
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
        """The progress after a change. `playing` are the players' colours.

        Raises `UnreadableCommandError`, `NotAllowedNowError`.
        """
        match change:
            case SetRuler(mm):
                return self._with_square(lambda: square_from_ruler(mm), BAD_RULER)
            case SetSquare(mm):
                return self._with_square(lambda: check_square(mm), BAD_SQUARE)
            case Capture():
                return replace(self, capture=True, failure="")
            case DropView() if self.draft.views:
                return replace(self, draft=replace(self.draft, views=self.draft.views[:-1]), note="", failure="")
            case MarkDie(at, colour):
                x, y = (min(max(each, 0.0), WIDEST_PICTURE) / self.scale for each in at)
                if self.reading is None or nearest(self.reading, (x, y)) is None:
                    raise UnreadableCommandError("unknown-die", "There is no die in that place of the picture.")
                return replace(self, marks=(*self.marks, ColourMark((x, y), colour)))._with_palette(playing)
            case ExpectDice(dice):
                return replace(self, expected=dice)._with_check()
            case _:
                return self

    def _with_square(self, square_mm: Callable[[], float], refusal: Message) -> Self:
        try:
            return replace(self, draft=self.draft.with_square(square_mm()))
        except BoardError as error:
            raise NotAllowedNowError("bad-length", refusal) from error

    @property
    def scale(self) -> float:
        """The factor from pixels of the reading to pixels of the small picture."""
        if self.preview is None or self.read_image is None:
            return 1.0
        return self.preview.width / int(self.read_image.shape[1])
