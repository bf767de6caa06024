"""`perudo count`: read the dice in photographs."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.options import FILE_PATH, FOLDER_PATH
from companion.cli.output import answer
from companion.messages.english import dice
from vision.reading import UNCERTAIN_BELOW

if TYPE_CHECKING:
    from vision.reading import Die, Reading

log = logging.getLogger(__name__)


@click.command()
@click.argument("photos", metavar="PHOTO...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a photo, one a line.")
@click.option("--save-overlay", type=FOLDER_PATH, metavar="DIR",
              help="Save each photo with its boxes drawn into DIR.")  # fmt: skip
@click.option("--profile", type=FILE_PATH, metavar="FILE",
              help="What calibrating the camera found: its lens, its table, its dice's colours.")  # fmt: skip
@click.pass_context
def count(
    ctx: click.Context, photos: tuple[Path, ...], as_json: bool, save_overlay: Path | None, profile: Path | None
) -> None:
    """Read the dice in each PHOTO: where they lie, what they show, their colour, and how sure that is.

    The exit status is 1 when a photo could not be read or shows no dice.
    """
    from calibration import profile_file
    from calibration.profile import ProfileError
    from vision.image_file import ImageError, read_image, write_image
    from vision.models.network import ModelError
    from vision.overlay import draw_overlay
    from vision.pipeline.rectify import RectifyError
    from vision.reader import Reader

    if save_overlay is not None:
        try:
            save_overlay.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise click.ClickException(f"the overlays cannot be saved in {save_overlay}: {error}") from error
    try:
        reader = Reader.load(profile_file.load(profile) if profile else None)
    except (ModelError, ProfileError) as error:
        raise click.ClickException(str(error)) from error
    names = _overlay_names(photos)
    failed = False
    for photo in photos:
        try:
            image = read_image(photo)
            reading = reader.read(image)
        except (ImageError, RectifyError) as error:
            failed = True
            answer({"file": str(photo), "error": str(error)}, f"{photo}: {error}", as_json=as_json)
            continue
        failed |= not reading.dice
        answer(_record(photo, reading), _sentence(photo, reading), as_json=as_json)
        if save_overlay is not None:
            try:
                write_image(save_overlay / names[photo], draw_overlay(image, reading))
            except OSError:
                log.exception("The overlay %s could not be saved", save_overlay / names[photo])
                failed = True
    ctx.exit(1 if failed else 0)


def _overlay_names(photos: tuple[Path, ...]) -> dict[Path, str]:
    """A file name for each photo; photos of one name from two folders get different ones."""
    names: dict[Path, str] = {}
    for photo in photos:
        name, n = f"{photo.stem}.png", 2
        while name in names.values() and photo not in names:
            name, n = f"{photo.stem}-{n}.png", n + 1
        names.setdefault(photo, name)
    return names


def _record(photo: Path, reading: Reading) -> dict[str, object]:
    return {
        "file": str(photo),
        "dice": [_die(die) for die in reading.dice],
        "counts": reading.counts(),
        "ms": round(reading.ms, 1),
    }


def _die(die: Die) -> dict[str, object]:
    confidence = round(die.confidence, 3)
    if die.uncertain:  # never rounded up to the threshold below which players are asked
        confidence = min(confidence, UNCERTAIN_BELOW - 0.001)
    return {
        "value": die.face,
        "colour": die.colour,
        "box": [round(v, 1) for v in die.box],
        "confidence": confidence,
        "uncertain": die.uncertain,
    }


def _sentence(photo: Path, reading: Reading) -> str:
    if not reading.dice:
        return f"{photo}: no dice"
    faces = " ".join(f"{face}×{n}" for face, n in reading.counts().items() if n)  # noqa: RUF001
    uncertain = sum(die.uncertain for die in reading.dice)
    sentence = f"{photo}: {dice(len(reading.dice))}: {faces} ({reading.ms:.0f} ms)"
    return sentence + (f"; {uncertain} uncertain: look at the picture" if uncertain else "")
