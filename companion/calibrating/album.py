"""A calibration from picture files: what `perudo calibrate from` and `perudo calibrate check` do.

The steps are those of the page (`ProfileDraft`), without a camera: each says what it found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from calibration.image import Grey, Image
from calibration.profile import Profile
from calibration.quality.aim import Aim, aim
from calibration.quality.camera_shift import reference_picture
from calibration.quality.throw_check import ThrowVerdict, check_throw
from calibration.sheet.board import CORNERS, SQUARE_MM, BoardError, check_square, square_from_ruler
from calibration.sheet.sighting import Sighting, find_sheet
from calibration.sheet.view_guide import FEWEST_VIEWS, MOST_VIEWS, guide
from calibration.solve.draft import ProfileDraft
from calibration.solve.lens_fit import LENS_MODELS, LensFit, SolveError, fit_lens, maker_lens
from calibration.solve.table_palette import ColourSample
from vision.image_file import ImageError, read_image
from vision.models.networks import ModelError
from vision.pipeline.rectify import RectifyError
from vision.reader import Reader

Say = Callable[..., None]

LEARNING_CONFIDENCE: Final = 0.5
"""Dice that the reader is less sure of teach no colour."""


class AlbumError(ValueError):
    """These pictures give no profile. The message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Album:
    """The pictures, and what was measured by hand."""

    pictures: tuple[Path, ...]
    name: str
    flat: Path | None = None
    colours: Path | None = None
    square: float | None = None
    ruler: float | None = None
    camera: str = ""
    die: float = 16.0


def profile_from(album: Album, before: Profile | None, say: Say) -> tuple[Profile, Grey | None]:
    """The profile, and the small picture of the table that goes with it. Raises `AlbumError`, `ProfileError`."""
    made = datetime.now().astimezone().isoformat(timespec="seconds")
    reference = None
    try:
        draft = ProfileDraft(before, album.camera, album.die, _square(album))
        draft = _with_lens(draft, album.pictures, say)
        if album.flat is not None:
            draft, reference = _with_table(draft, album.flat, say)
        else:
            say("No table: --flat names the picture in which the sheet lies flat on it.")
        if album.colours is None:
            return draft.profile(album.name, made), reference
        draft = _with_palette(draft, album.colours, draft.profile(album.name, made), say)
    except (BoardError, SolveError) as error:
        raise AlbumError(str(error)) from error
    # What the camera is held at belongs to the colours; nobody knows what it was at in these pictures.
    return draft.profile(album.name, made, lock={}), reference


def are_usable(photos: Sequence[Path], profile: Profile | None, dice: int | None, say: Say) -> bool:
    """Read each photo without the profile and with it; whether all are at least usable with it. Raises `AlbumError`."""
    readers = {"without": _reader(None)}
    if profile is not None:
        readers[f"with {profile.name}"] = _reader(profile)
    good = True
    for photo in photos:
        image = _picture(photo)
        say(f"{photo}:")
        for how, reader in readers.items():
            try:
                reading = reader.read(image)
            except RectifyError as error:
                raise AlbumError(f"{photo}: {error}") from error
            found = check_throw(reading.dice, dice, image)
            say(f"  {how}: {found.figure} of 100. {found.sentence}", *(f"    {reason}" for reason in found.reasons))
        good &= found.verdict is not ThrowVerdict.MOVE_THE_LAMP
        say(*(f"  {sentence}" for sentence in _faults(aim(image, dice=[die.box for die in reading.dice]))))
    return good


def _square(album: Album) -> float:
    if album.square is not None and album.ruler is not None:
        raise AlbumError("--square and --ruler say the same: give one of them.")
    if album.ruler is not None:
        return square_from_ruler(album.ruler)
    return check_square(album.square if album.square is not None else SQUARE_MM)


def _with_lens(draft: ProfileDraft, pictures: Sequence[Path], say: Say) -> ProfileDraft:
    """The lens from the pictures; from one picture alone, the one that the camera's maker describes."""
    paths: list[Path] = []
    for path in pictures:
        view = find_sheet(_picture(path))
        if view is None:
            say(f"{path}: I do not see the sheet.")
            continue
        say(f"{path}: {len(view.ids)} of {CORNERS} corners, blurred by {view.blur:.1f} pixels")
        draft = draft.with_view(view)
        paths.append(path)
    if draft.camera and len(paths) == 1:
        lens = maker_lens(draft.camera, draft.views[0].width, draft.views[0].height)
        if lens is None:
            raise AlbumError(f"The lens of a camera {draft.camera} is not known: {', '.join(LENS_MODELS)} are.")
        say(
            f"The lens is taken as its maker describes it: what it bends at the picture's edges stays bent. "
            f"{FEWEST_VIEWS} to {MOST_VIEWS} pictures of the sheet would tell."
        )
        return draft.with_lens(lens)
    fit = fit_lens(draft.views)
    _say_lens(fit, paths, draft.views, say)
    return draft.with_lens(fit)


def _say_lens(fit: LensFit, paths: Sequence[Path], views: Sequence[Sighting], say: Say) -> None:
    say(fit.sentence)
    (focal, _, _), *_ = fit.lens.matrix
    say(
        f"Focal length {focal:.0f} pixels, known to {100 * fit.focal_error:.1f} %; "
        f"it sees {fit.degrees:.0f} degrees across."
    )
    for n in fit.left_out:
        say(f"{paths[n]} does not fit the others ({fit.per_view[n]:.1f} pixels) and was left out.")
    guidance = guide(views)
    if not guidance.enough:
        say(f"It would be better known with one more. {guidance.sentence}")


def _with_table(draft: ProfileDraft, path: Path, say: Say) -> tuple[ProfileDraft, Grey]:
    image = _picture(path)
    view = find_sheet(image)
    if view is None:
        raise AlbumError(f"{path}: I do not see the sheet.")
    draft = draft.with_table(view)
    assert draft.table is not None
    assert draft.die_mm is not None
    say(draft.table.sentence)
    say(
        f"A die of {draft.die_mm:g} mm is {draft.table.die_px(draft.die_mm):.0f} pixels wide in the middle of the "
        f"picture; lengths on the table are right to {100 * draft.table.scale_error:.1f} %."
    )
    say(*_faults(aim(image, view)))
    return draft, reference_picture(image)


def _with_palette(draft: ProfileDraft, path: Path, profile: Profile, say: Say) -> ProfileDraft:
    """The colours of the dice in a picture, as the reader names them without a palette."""
    image = _picture(path)
    try:
        dice = _reader(replace(profile, palette={})).read(image).dice
    except RectifyError as error:
        raise AlbumError(f"{path}: {error}") from error
    sure = [ColourSample(die.box, die.colour) for die in dice if die.confidence >= LEARNING_CONFIDENCE]
    if not sure:
        raise AlbumError(f"{path}: I see no dice that I am sure of.")
    draft = draft.with_palette(image, sure)
    assert draft.palette is not None
    say("Colours: " + ", ".join(f"{colour} from {count}" for colour, count in draft.palette.counts.items()) + ".")
    say(*(finding.sentence for finding in draft.palette.findings))
    return draft


def _faults(found: Aim) -> list[str]:
    return [finding.sentence for finding in found.findings if finding.grade != "good"]


def _reader(profile: Profile | None) -> Reader:
    try:
        return Reader.load(profile)
    except ModelError as error:
        raise AlbumError(str(error)) from error


def _picture(path: Path) -> Image:
    try:
        return read_image(path)
    except ImageError as error:
        raise AlbumError(f"{path}: {error}") from error
