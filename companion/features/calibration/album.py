"""Calibrating from picture files: `perudo calibrate from` and `perudo calibrate check`.

A `ProfileDraft` is filled as on the page, without a camera. Each step reports its result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from msgspec import structs

from calibration.grade import Finding, Grade
from calibration.image import Grey, Image
from calibration.image_decoder import ImageError
from calibration.profile import Profile
from calibration.quality.camera_shift import reference_picture
from calibration.quality.picture_quality import picture_findings
from calibration.quality.throw_check import ThrowVerdict, check_throw
from calibration.sheet.board import CORNERS, SQUARE_MM, BoardError, check_square, square_from_ruler
from calibration.sheet.sighting import Sighting, find_sheet
from calibration.sheet.view_guide import FEWEST_VIEWS, MOST_VIEWS, guide
from calibration.solve.draft import ProfileDraft
from calibration.solve.lens_fit import LENS_MODELS, LensFit, SolveError, fit_lens, maker_lens
from calibration.solve.table_palette import ColourSample, learn_palette
from vision.image_file import read_image
from vision.models.network import ModelError
from vision.pipeline.rectify import RectifyError
from vision.reader import Reader
from vision.reading import Reading

Say = Callable[..., None]

LEARNING_CONFIDENCE: Final = 0.5
"""Colours are learned only from dice read with at least this confidence."""


class AlbumError(ValueError):
    """The pictures give no profile. The message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Album:
    """The pictures, and the lengths measured by hand, in millimetres."""

    pictures: tuple[Path, ...]
    """Pictures of the sheet held under the camera."""
    name: str
    """The profile's name."""
    flat: Path | None = None
    """A picture of the sheet lying flat on the table."""
    colours: Path | None = None
    """A picture of dice."""
    square: float | None = None
    ruler: float | None = None
    camera: str = ""
    """One of `LENS_MODELS`, or empty."""
    die: float = 16.0


def profile_from(album: Album, before: Profile | None, say: Say) -> tuple[Profile, Grey | None]:
    """The profile, and the small reference picture of the table. Raises `AlbumError`, `ProfileError`."""
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
    # The exposure belongs to the colours, and is not known for these pictures.
    return draft.profile(album.name, made, lock={}), reference


def are_usable(photos: Sequence[Path], profile: Profile | None, dice: int | None, say: Say) -> bool:
    """Read each photo with and without the profile; True if all are at least usable with it. Raises `AlbumError`.

    `dice` is the number of dice in each photo, or None for any number.
    """
    readers = {"without": _reader(None)}
    if profile is not None:
        readers[f"with {profile.name}"] = _reader(profile)
    good = True
    for photo in photos:
        image = _picture(photo)
        say(f"{photo}:")
        for how, reader in readers.items():
            read = _reading(reader, image, photo)
            check = check_throw(read.dice, image, dice, blurred=read.blurred)
            say(f"  {how}: {check.figure} of 100. {check.sentence}", *(f"    {reason}" for reason in check.reasons))
        good &= check.verdict is not ThrowVerdict.MOVE_THE_LAMP
        say(*(f"  {sentence}" for sentence in _faults(picture_findings(image, dice=[die.box for die in read.dice]))))
    return good


def _square(album: Album) -> float:
    if album.square is not None and album.ruler is not None:
        raise AlbumError("--square and --ruler say the same: give one of them.")
    if album.ruler is not None:
        return square_from_ruler(album.ruler)
    return check_square(album.square if album.square is not None else SQUARE_MM)


def _with_lens(draft: ProfileDraft, pictures: Sequence[Path], say: Say) -> ProfileDraft:
    """Add the lens, solved from the pictures; from a single picture, the manufacturer's data."""
    paths: list[Path] = []
    for path in pictures:
        view = find_sheet(_picture(path))
        if view is None:
            say(f"{path}: I do not see the sheet.")
            continue
        say(f"{path}: {len(view.ids)} of {CORNERS} corners, blurred by {view.blur:.1f} pixels")
        draft = replace(draft, views=(*draft.views, view))
        paths.append(path)
    if draft.camera and len(paths) == 1:
        lens = maker_lens(draft.camera, draft.views[0].width, draft.views[0].height)
        if lens is None or draft.camera not in LENS_MODELS:
            raise AlbumError(f"The lens of a camera {draft.camera} is not known: {', '.join(LENS_MODELS)} are.")
        say(
            f"The lens is taken as its maker describes it: what it bends at the picture's edges stays bent. "
            f"{FEWEST_VIEWS} to {MOST_VIEWS} pictures of the sheet would tell."
        )
        return replace(draft, lens_fit=LensFit(lens))
    fit = fit_lens(draft.views)
    _say_lens(fit, paths, draft.views, say)
    return replace(draft, lens_fit=fit)


def _say_lens(fit: LensFit, paths: Sequence[Path], views: Sequence[Sighting], say: Say) -> None:
    say(fit.sentence)
    (focal, _, _), *_ = fit.lens.matrix
    say(
        f"Focal length {focal:.0f} pixels, known to {100 * fit.focal_error:.1f} %; "
        f"it sees {fit.degrees:.0f} degrees across."
    )
    for n, error in fit.left_out.items():
        say(f"{paths[n]} does not fit the others ({error:.1f} pixels) and was left out.")
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
    say(*_faults(picture_findings(image, view)))
    return draft, reference_picture(image)


def _with_palette(draft: ProfileDraft, path: Path, profile: Profile, say: Say) -> ProfileDraft:
    """Add the colours of the dice in a picture, named by the reader without a palette."""
    image = _picture(path)
    dice = _reading(_reader(structs.replace(profile, palette={})), image, path).dice
    sure = [ColourSample(die.box, die.colour) for die in dice if die.confidence >= LEARNING_CONFIDENCE]
    if not sure:
        raise AlbumError(f"{path}: I see no dice that I am sure of.")
    palette = learn_palette(image, sure)
    say("Colours: " + ", ".join(f"{colour} from {count}" for colour, count in palette.counts.items()) + ".")
    say(*(finding.sentence for finding in palette.findings))
    return replace(draft, palette=palette)


def _faults(findings: Sequence[Finding]) -> list[str]:
    return [finding.sentence for finding in findings if finding.grade is not Grade.GOOD]


def _reading(reader: Reader, image: Image, path: Path) -> Reading:
    """The reader's result for the picture at `path`. Raises `AlbumError`."""
    try:
        return reader.read(image)
    except RectifyError as error:
        raise AlbumError(f"{path}: {error}") from error


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
