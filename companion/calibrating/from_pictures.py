"""A profile from picture files: what `perudo calibrate from` and `check` do. Pictures in, lines and a profile out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from calibration.image import Grey, Image
from calibration.profile import Lens, Profile
from calibration.quality.aim import aim
from calibration.quality.camera_shift import reference_picture
from calibration.quality.throw_check import ThrowDie, ThrowVerdict, check_throw
from calibration.sheet import board
from calibration.sheet.sighting import Sighting, find_sheet
from calibration.sheet.view_guide import FEWEST_VIEWS, MOST_VIEWS, guide
from calibration.solve import assemble as together
from calibration.solve import lens_fit as lenses
from calibration.solve.table_palette import ColourSample, TablePalette, learn_palette
from vision.image_file import ImageError, read_image
from vision.models.networks import ModelError
from vision.pipeline.rectify import RectifyError
from vision.reader import Reader

Say = Callable[..., None]

_SURE: Final = 0.5
"""Dice that the reader is less sure of teach no colour."""


class Refused(ValueError):
    """No profile can be made of these pictures. The message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for on the command line."""

    pictures: tuple[Path, ...]
    name: str
    flat: Path | None = None
    colours: Path | None = None
    square: float | None = None
    ruler: float | None = None
    camera: str = ""
    die: float = 16.0


@dataclass(frozen=True, slots=True)
class Made:
    """The profile, and the small picture of the table that goes with it."""

    profile: Profile
    reference: Grey | None


def make(asked: Asked, before: Profile | None, say: Say) -> Made:
    """Do it, saying what is found on the way. Raises `Refused`, `ProfileError`."""
    try:
        square = _square(asked)
        lens = _lens(asked, say)
        laid, kept = None, None
        if asked.flat is not None:
            laid, kept = _laid(asked, lens.lens if isinstance(lens, lenses.LensFit) else lens, square, say)
        else:
            say("No table: --flat names the picture in which the sheet lies flat on it.")
        made = datetime.now().astimezone().isoformat(timespec="seconds")
        profile = together.profile(
            asked.name, made, lens, laid, square_mm=square, camera=asked.camera, die_mm=asked.die, instead_of=before
        )
        if asked.colours is not None:
            learned = _learned(asked.colours, profile, say)
            # What the camera is held at belongs to the colours; nobody knows what it was at in these pictures.
            profile = replace(profile, palette=learned.palette, lock={})
    except (board.BoardError, lenses.SolveError) as error:
        raise Refused(str(error)) from error
    return Made(profile, kept)


def checked(photos: Sequence[Path], profile: Profile | None, dice: int | None, say: Say) -> bool:
    """Read each photo without the profile and with it; whether all were at least usable with it. Raises `Refused`."""
    readers = [("without", _reader(None))] if profile is None else [
        ("without", _reader(None)), (f"with {profile.name}", _reader(profile))]  # fmt: skip
    good = True
    for photo in photos:
        image = _picture(photo)
        say(f"{photo}:")
        for what, reader in readers:
            try:
                seen = reader.read(image).dice
            except RectifyError as error:
                raise Refused(f"{photo}: {error}") from error
            found = check_throw([ThrowDie(die.face, die.colour, die.confidence, die.box) for die in seen], dice, image)
            say(f"  {what}: {found.figure} of 100. {found.sentence}", *(f"    {reason}" for reason in found.reasons))
        good &= found.verdict is not ThrowVerdict.MOVE_THE_LAMP
        for finding in aim(image, dice=[die.box for die in seen]).findings:
            if finding.grade != "good":
                say(f"  {finding.sentence}")
    return good


def _square(asked: Asked) -> float:
    if asked.square is not None and asked.ruler is not None:
        raise Refused("--square and --ruler say the same: give one of them.")
    if asked.ruler is not None:
        return board.square_from_ruler(asked.ruler)
    return board.check_square(asked.square if asked.square is not None else board.SQUARE_MM)


def _lens(asked: Asked, say: Say) -> lenses.LensFit | Lens:
    """The lens from the pictures; with one picture alone, the one that the camera's maker describes."""
    views: list[Sighting] = []
    names: list[Path] = []
    for path in asked.pictures:
        view = find_sheet(_picture(path))
        if view is None:
            say(f"{path}: I do not see the sheet.")
            continue
        say(f"{path}: {len(view.ids)} of {board.CORNERS} corners, blurred by {view.blur:.1f} pixels")
        views.append(view)
        names.append(path)
    if asked.camera and len(views) == 1:
        lens = lenses.maker_lens(asked.camera, views[0].width, views[0].height)
        if lens is None:
            raise Refused(f"The lens of a camera {asked.camera} is not known: {', '.join(lenses.LENS_MODELS)} are.")
        say(f"The lens is taken as its maker describes it: what it bends at the picture's edges stays bent. "
            f"{FEWEST_VIEWS} to {MOST_VIEWS} pictures of the sheet would tell.")  # fmt: skip
        return lens
    solved = lenses.fit_lens(views)
    say(solved.sentence)
    (focal, _, _), *_ = solved.lens.matrix
    say(f"Focal length {focal:.0f} pixels, known to {100 * solved.focal_error:.1f} %; "
        f"it sees {solved.degrees:.0f} degrees across.")  # fmt: skip
    for n in solved.left_out:
        say(f"{names[n]} does not fit the others ({solved.per_view[n]:.1f} pixels) and was left out.")
    missing = guide(views)
    if not missing.enough:
        say(f"It would be better known with one more. {missing.sentence}")
    return solved


def _laid(asked: Asked, lens: Lens, square: float, say: Say) -> tuple[lenses.TableFit, Grey]:
    assert asked.flat is not None
    image = _picture(asked.flat)
    view = find_sheet(image)
    if view is None:
        raise Refused(f"{asked.flat}: I do not see the sheet.")
    laid = lenses.fit_table(view, lens, square)
    say(laid.sentence)
    say(f"A die of {asked.die:g} mm is {laid.die_px(asked.die):.0f} pixels wide in the middle of the picture; "
        f"lengths on the table are right to {100 * laid.scale_error:.1f} %.")  # fmt: skip
    for finding in aim(image, view).findings:
        if finding.grade != "good":
            say(finding.sentence)
    return laid, reference_picture(image)


def _learned(path: Path, profile: Profile, say: Say) -> TablePalette:
    """The colours of the dice in a picture, as the reader names them without a palette."""
    image = _picture(path)
    try:
        dice = _reader(replace(profile, palette={})).read(image).dice
    except RectifyError as error:
        raise Refused(f"{path}: {error}") from error
    sure = [ColourSample(die.box, die.colour) for die in dice if die.confidence >= _SURE]
    if not sure:
        raise Refused(f"{path}: I see no dice that I am sure of.")
    learned = learn_palette(image, sure)
    say("Colours: " + ", ".join(f"{colour} from {count}" for colour, count in learned.seen.items()) + ".")
    say(*(finding.sentence for finding in learned.findings))
    return learned


def _reader(profile: Profile | None) -> Reader:
    try:
        return Reader.load(profile)
    except ModelError as error:
        raise Refused(str(error)) from error


def _picture(path: Path) -> Image:
    try:
        return read_image(path)
    except ImageError as error:
        raise Refused(f"{path}: {error}") from error
