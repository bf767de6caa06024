"""What a page is told of the calibration under way: values in, JSON out."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from calibration.grade import Grade
from calibration.palette import SRGB
from calibration.profile import ProfileError
from calibration.profiles import Profiles
from calibration.quality.throw_check import ThrowVerdict
from calibration.sheet.view_guide import Guidance, guide
from calibration.solve.lens_fit import LensFit
from calibration.solve.table_palette import TablePalette
from companion.calibrating import sentences as says
from companion.calibrating.work import Step, Work, hex_of, named, worth_keeping
from companion.messages.message import Message
from companion.messages.sentence import spoken

log = logging.getLogger(__name__)

_GRADES: Final = {
    ThrowVerdict.GOOD: Grade.GOOD,
    ThrowVerdict.USABLE: Grade.USABLE,
    ThrowVerdict.MOVE_THE_LAMP: Grade.BAD,
}


@dataclass(frozen=True, slots=True)
class Told:
    """What it is told of."""

    work: Work | None
    phone: str | None
    """Who asks."""
    kept: str | None
    """The profile that was kept last, where that can be taken back."""
    profiles: Sequence[Mapping[str, Any]]
    compared: Sequence[str]
    """The pictures there are, of "before" and "after"."""
    camera: str
    size: tuple[int, int]
    assumes: bool
    """Whether the maker's figures of this camera's lens are known."""


def told(now: Told) -> dict[str, Any]:
    """The whole of it, as docs/reference/api.md has it."""
    work = now.work
    guidance = None if work is None else guide(work.views)
    return {
        "step": None if work is None else work.step.value,
        "yours": work is not None and work.by == now.phone,
        "by": None if work is None else {"phone": work.by, "player": work.player},
        "camera": {"name": now.camera, "width": now.size[0], "height": now.size[1]},
        "picture": None if work is None else _picture(work),
        "says": None if work is None or guidance is None else _says(work, guidance),
        "hint": _hint(work),
        "trouble": None if work is None or not work.trouble else spoken(work.trouble),
        "lost": _lost(work, now.assumes),
        "findings": [
            {"what": each.what, "grade": each.grade.value, **spoken(each.sentence)}
            for each in (work.aimed.findings if work is not None and work.aimed is not None else ())
        ],
        "views": None if work is None or guidance is None else _views(work, guidance),
        "working": work is not None and work.solving,
        "lens": _lens(work),
        "compared": list(now.compared),
        "colours": None if work is None or work.learned is None else _colours(work.learned),
        "check": _check(work),
        "keeps": work is not None and worth_keeping(work),
        "kept": None if now.kept is None else {"name": now.kept, **spoken(says.saved(now.kept))},
        "profiles": list(now.profiles),
    }


def _picture(work: Work) -> dict[str, Any] | None:
    shown = work.shown
    if not shown.number:
        return None
    return {
        "number": shown.number,
        "width": shown.width,
        "height": shown.height,
        "outline": [list(point) for point in shown.outline],
        "corners": [list(point) for point in shown.corners],
        "target": [list(point) for point in shown.target],
        "dice": _dice(work),
    }


def _dice(work: Work) -> list[dict[str, Any]]:
    reading = work.shown.reading
    if reading is None or work.step not in (Step.COLOURS, Step.CHECK):
        return []
    colours = named(reading, work.marks) if work.step is Step.COLOURS else [die.colour for die in reading.dice]
    return [
        {
            "box": [round(side * work.shown.scale, 1) for side in die.box],
            "face": die.face,
            "colour": colour,
            "uncertain": die.uncertain,
        }
        for die, colour in zip(reading.dice, colours, strict=True)
    ]


def _graded(sentence: str, grade: Grade | None = None) -> dict[str, Any]:
    return {"grade": None if grade is None else grade.value, **spoken(sentence)}


def _says(work: Work, guidance: Guidance) -> dict[str, Any] | None:
    """The one sentence that matters now."""
    match work.step:
        case Step.AIM:
            return None if work.aimed is None else _graded(work.aimed.sentence, work.aimed.grade)
        case Step.SHEET:
            return _graded(says.GET_SHEET)
        case Step.VIEWS:
            return _graded(guidance.sentence)
        case Step.FLAT:
            return _graded(says.FLAT_SEEN if work.seen else says.FLAT)
        case Step.LENS:
            solved = work.solved
            if isinstance(solved, LensFit) and (solved.grade is Grade.BAD or not _looks_along(work)):
                return _graded(solved.sentence, solved.grade)
            return None if work.laid is None else _graded(work.laid.sentence, Grade.USABLE)
        case Step.COLOURS:
            if work.shown.reading is not None and not work.shown.reading.dice:
                return _graded(says.NO_DICE)
            if work.learned is None:
                return _graded(says.SOME_DICE)
            return _graded(work.learned.sentence, work.learned.grade)
        case Step.CHECK:
            if work.check is None or not work.check.seen:
                return _graded(says.THROW)
            return _graded(work.check.sentence, _GRADES[work.check.verdict])


def _looks_along(work: Work) -> bool:
    """Whether the camera looks too far along the table: that matters more than a lens that is well known."""
    return work.laid is not None and work.laid.finding.grade is not Grade.GOOD


def _hint(work: Work | None) -> dict[str, Any] | None:
    """What came of the last look, beside what is to be done."""
    if work is None:
        return None
    if work.failure:
        return spoken(work.failure)
    if work.step is Step.FLAT and work.solving and not work.said:
        return spoken(says.WORKING)
    if work.step in (Step.VIEWS, Step.FLAT) and work.said:
        return spoken(work.said)
    if work.step is Step.LENS and isinstance(work.solved, LensFit) and work.laid is not None:
        first = work.solved.grade is Grade.BAD or not _looks_along(work)
        return spoken(work.laid.sentence if first else work.solved.sentence)
    if work.step is Step.CHECK and work.check is not None and work.check.reasons:
        return spoken(Message.joined(*work.check.reasons))
    return None


def _lost(work: Work | None, assumes: bool) -> dict[str, Any] | None:
    """What is lost where this step is left out."""
    if work is None:
        return None
    if work.step in (Step.SHEET, Step.VIEWS):
        how = "assume" if assumes else "sheet"
        return {"how": how, **spoken(says.LOST[how])}
    if work.step is Step.COLOURS:
        return {"how": "colours", **spoken(says.LOST["colours"])}
    return None


def _views(work: Work, now: Guidance) -> dict[str, Any]:
    return {
        "have": now.views,
        "share": now.share,
        "covered": list(now.covered),
        "sideways": now.sideways,
        "lengthways": now.lengthways,
        "next": now.next.value,
        "enough": now.enough,
        "held": round(work.held, 2),
        "seen": work.seen,
        "square_mm": round(work.square_mm, 3),
    }


def _lens(work: Work | None) -> dict[str, Any] | None:
    if work is None or work.laid is None:
        return None
    solved = work.solved if isinstance(work.solved, LensFit) else None
    return {
        "error_px": None if solved is None else round(solved.error_px, 3),
        "views": 0 if solved is None else solved.views,
        "height_mm": round(work.laid.height_mm),
        "tilt": round(work.laid.tilt, 1),
    }


def _colours(learned: TablePalette) -> list[dict[str, Any]]:
    """Before and after: how a colour usually looks, and how it looks here."""
    return [
        {
            "colour": colour,
            "usual": "#{:02x}{:02x}{:02x}".format(*SRGB[colour]),
            "here": hex_of(lab),
            "dice": learned.seen.get(colour, 0),
        }
        for colour, lab in learned.palette.items()
    ]


def _check(work: Work | None) -> dict[str, Any] | None:
    if work is None or work.step is not Step.CHECK or work.check is None:
        return None
    now = work.check
    return {
        "figure": now.figure,
        "verdict": now.verdict.value,
        "seen": now.seen,
        "sure": now.sure,
        "expected": work.expected,
        "reasons": [spoken(each) for each in now.reasons],
    }


def listed(profiles: Profiles) -> list[dict[str, Any]]:
    """The profiles there are, as a page is told of them."""
    try:
        now = profiles.in_use
    except ProfileError as error:
        log.warning("%s", error)
        now = None
    return [
        {
            "name": profile.name,
            "made": profile.made,
            "in_use": now is not None and profile.name == now.name,
            "undo": profiles.can_undo(profile.name),
            "camera": profile.camera,
            "lens": profile.lens is not None,
            "colours": list(profile.palette),
            "error_px": None if profile.measured is None else profile.measured.error_px,
        }
        for profile in profiles.all()
    ]
