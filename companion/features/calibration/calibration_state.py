"""The calibration in progress, as the page sees it. docs/reference/api.md lists the fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, Literal

from msgspec import Meta
from msgspec.structs import replace

from calibration.grade import Grade, summary
from calibration.palette import SRGB
from calibration.quality.throw_check import ThrowVerdict
from calibration.sheet.view_guide import Wish
from calibration.solve.draft import ProfileDraft
from calibration.solve.table_palette import TablePalette
from companion.features.calibration.changes import CalibrationStep, ProfileName
from companion.features.calibration.picture_overlay import DrawnDie, DrawnPicture, colours, web_colour
from companion.features.calibration.progress import Calibrator, Progress
from companion.messages.message import Message
from companion.messages.sentence import TEXT_END, Sentence, Value
from companion.table.commands import Count, DieColour, Share

GET_SHEET: Final = Message("Print the sheet, or show it on a tablet.")
LAY_FLAT: Final = Message("Lay the sheet flat in the middle of the table, and take the hands away.")
FLAT_SEEN: Final = Message("I see the sheet. Does it lie flat on the table?")
WORKING: Final = Message("Working out the lens. The sheet can go down on the table.")
NO_DICE: Final = Message("I see no dice. Put them into the picture, without cups.")
SOME_DICE: Final = Message(
    "Put one die of each player into the picture, about 10 cm apart, or leave a roll as it lies."
)
COLOURS_APART: Final = Message("The colours are told apart well.")
GOOD_PICTURE: Final = Message("The picture is good.")
THROW: Final = Message("Throw all the dice and take the hands away.")

_CHECK_GRADES: Final = dict(zip(ThrowVerdict, Grade, strict=True))
_NINE: Final = {"minItems": 9, "maxItems": 9}
Percent = Annotated[int, Meta(ge=0, le=100)]
WebColour = Annotated[str, Meta(pattern=f"^#[0-9a-f]{{6}}{TEXT_END}")]


class CameraInfo(Value, frozen=True):
    """The camera, and the size of its pictures in pixels."""

    name: str
    width: Count
    height: Count


class Instruction(Sentence, frozen=True):
    """The one sentence that matters now, and its grade."""

    grade: Grade | None = None


class AimFinding(Sentence, frozen=True):
    """One finding about the picture, such as its light."""

    what: str
    grade: Grade


class Loss(Sentence, frozen=True):
    """What skipping the step costs, and how to skip it."""

    how: Literal["sheet", "assume", "colours"]


class SavedSentence(Sentence, frozen=True):
    """The last saved profile, if the save can be undone."""

    name: ProfileName


class SheetViews(Value, frozen=True):
    """The pictures of the sheet."""

    have: Count
    share: Percent
    covered: Annotated[tuple[bool, ...], Meta(description="The picture's ninths, by row.", extra_json_schema=_NINE)]
    sideways: bool
    lengthways: bool
    next: Wish
    enough: bool
    held: Annotated[Share, Meta(description="How long the sheet was held still, as a share of the time needed.")]
    seen: bool
    square_mm: float


class LensInfo(Value, frozen=True):
    """The lens and the table, once both are known."""

    error_px: float | None
    views: Count
    height_mm: float
    tilt: float


class LearnedColour(Value, frozen=True):
    """How a colour usually looks, and how it looks here."""

    colour: DieColour
    usual: WebColour
    here: WebColour
    dice: Count


class CheckResult(Value, frozen=True):
    """How well a throw is read."""

    figure: Percent
    verdict: ThrowVerdict
    seen: Count
    sure: Count
    expected: Count | None
    reasons: tuple[Sentence, ...]


class ProfileEntry(Value, frozen=True):
    """A saved profile."""

    name: ProfileName
    made: str
    in_use: bool
    undo: bool
    camera: str
    lens: bool
    colours: tuple[DieColour, ...]
    error_px: float | None


class CalibrationState(Value, frozen=True, kw_only=True):
    """The state of the calibration."""

    step: Annotated[CalibrationStep | None, Meta(description="Null while nobody calibrates.")] = None
    yours: bool = False
    by: Calibrator | None = None
    camera: CameraInfo
    picture: Annotated[DrawnPicture | None, Meta(description="The latest, `picture.jpg?number=`.")] = None
    says: Annotated[Instruction | None, Meta(description="The one sentence that matters now.")] = None
    hint: Annotated[Sentence | None, Meta(description="The result of the last look at a frame.")] = None
    trouble: Annotated[Sentence | None, Meta(description="Why no frames are looked at.")] = None
    lost: Loss | None = None
    findings: tuple[AimFinding, ...] = ()
    views: SheetViews | None = None
    working: bool = False
    lens: LensInfo | None = None
    compared: tuple[Literal["before", "after"], ...] = ()
    colours: tuple[LearnedColour, ...] | None = None
    check: CheckResult | None = None
    keeps: Annotated[bool, Meta(description="Whether anything was found that can be saved.")] = False
    kept: SavedSentence | None = None
    profiles: tuple[ProfileEntry, ...] = ()


def calibration_state(
    progress: Progress | None,
    asker: str | None,
    camera: CameraInfo,
    *,
    assumes: bool = False,
    compared: bool = False,
    saved: str | None = None,
    profiles: Sequence[ProfileEntry] = (),
) -> CalibrationState:
    """The state of the calibration, as seen by the phone `asker`.

    `assumes`: the manufacturer's data of the camera's lens are known. `compared`: pictures before and after exist.
    `saved`: the profile that was saved last, if that can be undone.
    """
    idle = CalibrationState(
        camera=camera,
        compared=("before", "after") if compared else (),
        kept=None if saved is None else _saved(saved),
        profiles=tuple(profiles),
    )
    if progress is None:
        return idle
    hint, draft, picture = _hint(progress), progress.draft, progress.preview
    return replace(
        idle,
        step=progress.step,
        yours=progress.by.phone == asker,
        by=progress.by,
        picture=None if picture is None else replace(picture, dice=_dice(progress)),
        says=_instruction(progress),
        hint=Sentence(sentence=hint) if hint else None,
        trouble=Sentence(sentence=progress.trouble) if progress.trouble else None,
        lost=_loss(progress.step, assumes),
        findings=tuple(AimFinding(what=each.what, grade=each.grade, sentence=each.sentence) for each in progress.aim),
        views=_views(progress),
        working=progress.solving is not None,
        lens=_lens(progress),
        colours=None if draft.palette is None else _learned(draft.palette),
        check=_check(progress),
        keeps=draft.is_new,
    )


def _saved(profile: str) -> SavedSentence:
    text = Message("{profile} is saved, and in use from now on.", profile=profile)
    return SavedSentence(name=profile, sentence=text)


def _dice(progress: Progress) -> tuple[DrawnDie, ...]:
    reading = progress.reading
    if reading is None or progress.step not in (CalibrationStep.COLOURS, CalibrationStep.CHECK):
        return ()
    names = colours(reading, progress.marks if progress.step is CalibrationStep.COLOURS else ())
    drawn = []
    for die, colour in zip(reading.dice, names, strict=True):
        x, y, width, height = (round(side * progress.scale, 1) for side in die.box)
        drawn.append(DrawnDie((x, y, width, height), die.face, colour, die.uncertain))
    return tuple(drawn)


def _instruction(progress: Progress) -> Instruction | None:
    """The one sentence that matters now."""
    draft = progress.draft
    match progress.step:
        case CalibrationStep.AIM:
            return _graded(*summary(progress.aim, GOOD_PICTURE)) if progress.aim else None
        case CalibrationStep.SHEET:
            return _graded(GET_SHEET)
        case CalibrationStep.VIEWS:
            return _graded(progress.guidance.sentence)
        case CalibrationStep.FLAT:
            return _graded(FLAT_SEEN if progress.sheet_in_view else LAY_FLAT)
        case CalibrationStep.LENS:
            if draft.lens_fit is not None and _lens_first(draft):
                return _graded(draft.lens_fit.sentence, draft.lens_fit.grade)
            return None if draft.table is None else _graded(draft.table.sentence, Grade.USABLE)
        case CalibrationStep.COLOURS:
            if progress.reading is not None and not progress.reading.dice:
                return _graded(NO_DICE)
            if draft.palette is None:
                return _graded(SOME_DICE)
            return _graded(*summary(draft.palette.findings, COLOURS_APART))
        case CalibrationStep.CHECK:
            check = progress.check
            if check is None or not check.seen:
                return _graded(THROW)
            return _graded(check.sentence, _CHECK_GRADES[check.verdict])


def _graded(sentence: str, grade: Grade | None = None) -> Instruction:
    return Instruction(sentence=sentence, grade=grade)


def _lens_first(draft: ProfileDraft) -> bool:
    """True if a poor lens matters more than how steeply the camera looks down."""
    lens, table = draft.lens_fit, draft.table
    if lens is None or not lens.views:
        return False
    return lens.grade is Grade.BAD or table is None or table.grade is Grade.GOOD


def _hint(progress: Progress) -> str:
    """The result of the last look."""
    draft, step = progress.draft, progress.step
    if progress.failure:
        return progress.failure
    if step is CalibrationStep.FLAT and progress.solving is not None and not progress.note:
        return WORKING
    if step in (CalibrationStep.VIEWS, CalibrationStep.FLAT):
        return progress.note
    if step is CalibrationStep.LENS and draft.lens_fit is not None and draft.lens_fit.views and draft.table is not None:
        return draft.table.sentence if _lens_first(draft) else draft.lens_fit.sentence
    if step is CalibrationStep.CHECK and progress.check is not None:
        return Message.sequence(*progress.check.reasons)
    return ""


def _loss(step: CalibrationStep, assumes: bool) -> Loss | None:
    """What skipping this step costs."""
    match step:
        case CalibrationStep.SHEET | CalibrationStep.VIEWS if assumes:
            text = Message("The manufacturer's lens data is used then. Your lens may differ slightly.")
            return Loss(how="assume", sentence=text)
        case CalibrationStep.SHEET | CalibrationStep.VIEWS:
            text = Message("Without the sheet, dice near the edge of the picture are read less reliably.")
            return Loss(how="sheet", sentence=text)
        case CalibrationStep.COLOURS:
            text = Message("Without this step, similar colours are mixed up more easily under a warm lamp.")
            return Loss(how="colours", sentence=text)
        case _:
            return None


def _views(progress: Progress) -> SheetViews:
    now = progress.guidance
    return SheetViews(
        have=now.views,
        share=now.share,
        covered=now.covered,
        sideways=now.sideways,
        lengthways=now.lengthways,
        next=now.next,
        enough=now.enough,
        held=round(progress.stillness, 2),
        seen=progress.sheet_in_view,
        square_mm=round(progress.draft.square_mm, 3),
    )


def _lens(progress: Progress) -> LensInfo | None:
    table, fit = progress.draft.table, progress.draft.lens_fit
    if table is None or fit is None:
        return None
    error = round(fit.error_px, 3) if fit.views else None
    return LensInfo(error, fit.views, round(table.height_mm), round(table.tilt, 1))


def _learned(palette: TablePalette) -> tuple[LearnedColour, ...]:
    return tuple(
        LearnedColour(
            colour, "#{:02x}{:02x}{:02x}".format(*SRGB[colour]), web_colour(lab), palette.counts.get(colour, 0)
        )
        for colour, lab in palette.palette.items()
    )


def _check(progress: Progress) -> CheckResult | None:
    now = progress.check
    if progress.step is not CalibrationStep.CHECK or now is None:
        return None
    reasons = tuple(Sentence(sentence=each) for each in now.reasons)
    return CheckResult(now.figure, now.verdict, now.seen, now.sure, progress.expected, reasons)
