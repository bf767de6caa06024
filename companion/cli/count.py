"""`perudo count`: reads the dice in photographs."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import msgspec

from calibration.palette import COLOURS
from companion.cli.options import FOLDER_PATH, INPUT_PATH
from companion.cli.output import answer
from companion.messages.english import dice
from vision.reading import UNCERTAIN_BELOW

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vision.quiet_table import QuietTable
    from vision.reader import Reader
    from vision.reading import Die, Reading

log = logging.getLogger(__name__)

MOST_OF_A_COLOUR: Final = 30
"""The most dice of any table."""


class DiceOfColours(click.ParamType):  # type: ignore[type-arg]  # click 8.1 has no generic one
    """`red=5,blue=4` as a mapping."""

    name = "dice"

    def convert(
        self, value: str | dict[str, int], param: click.Parameter | None, ctx: click.Context | None
    ) -> dict[str, int]:
        if isinstance(value, dict):
            return value
        expected: dict[str, int] = {}
        for part in value.split(","):
            colour, _, number = part.strip().partition("=")
            if colour not in COLOURS:
                self.fail(f"{colour!r} is no colour of dice: they are {', '.join(COLOURS)}.", param, ctx)
            if colour in expected:
                self.fail(f"{colour} is there twice.", param, ctx)
            if not (number.isascii() and number.isdigit() and int(number) <= MOST_OF_A_COLOUR):
                self.fail(f"{part!r} does not say how many dice: write {colour}=5.", param, ctx)
            expected[colour] = int(number)
        return expected


@click.command()
@click.argument("photos", metavar="PHOTO...", nargs=-1, required=True, type=INPUT_PATH)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a photo, one a line.")
@click.option("--before", type=INPUT_PATH, metavar="PICTURE", multiple=True,
              help="The table before the cups went up: what lay there is out of play. Oldest first.")  # fmt: skip
@click.option("--expect", "expected", type=DiceOfColours(), metavar="COLOUR=DICE,...",
              help="The dice in play, as red=5,blue=4: says what players would be asked.")  # fmt: skip
@click.option("--save-overlay", type=FOLDER_PATH, metavar="DIR",
              help="Save each photo with its boxes drawn into DIR.")  # fmt: skip
@click.option("--profile", type=INPUT_PATH, metavar="FILE",
              help="What calibrating the camera found: its lens, its table, its dice's colours.")  # fmt: skip
@click.pass_context
def count(
    ctx: click.Context, photos: tuple[Path, ...], as_json: bool, before: tuple[Path, ...],
    expected: dict[str, int] | None, save_overlay: Path | None, profile: Path | None,
) -> None:  # fmt: skip
    """Read the dice in each PHOTO: where they lie, what they show, their colour, and how sure that is.

    With --before only the dice that the cups uncovered are counted; --json lists the others as out of play.

    The exit status is 1 when a photo could not be read or shows no dice.
    """
    from calibration import profile_file
    from calibration.image_decoder import ImageError
    from calibration.profile import ProfileError
    from vision.image_file import read_image, write_image
    from vision.in_play import OtherTableError, check_same_table, read_in_play
    from vision.models.network import ModelError
    from vision.overlay import draw_overlay
    from vision.pipeline.expected_dice import reconcile, with_likely_places
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
    quiet = [_quiet_table(path, reader) for path in before]
    names = _overlay_names(photos)
    failed = False
    for photo in photos:
        try:
            image = read_image(photo)
            for path, table in zip(before, quiet, strict=True):
                check_same_table(table.image, image, path.name)
            play = read_in_play(reader.read_cautiously, image, quiet, expected)
        except (ImageError, RectifyError, OtherTableError) as error:
            failed = True
            answer({"file": str(photo), "error": str(error)}, f"{photo}: {error}", as_json=as_json)
            continue
        reading = play.reading if expected is None else with_likely_places(reconcile(play.reading, expected), expected)
        failed |= not reading.dice
        record = _record(photo, reading)
        if before:
            record["out_of_play"] = [_die(die) for die in play.out_of_play]
        sentence = _sentence(photo, reading, len(play.out_of_play))
        if expected is not None:
            asks = _asks(reading, expected)
            record["asks"] = [msgspec.to_builtins(ask) for ask in asks]
            sentence += "".join(f"; {ask.colour} {ask.code}" for ask in asks)
        answer(record, sentence, as_json=as_json)
        if save_overlay is not None:
            try:
                write_image(save_overlay / names[photo], draw_overlay(image, reading))
            except OSError:
                log.exception("The overlay %s could not be saved", save_overlay / names[photo])
                failed = True
    ctx.exit(1 if failed else 0)


def _quiet_table(path: Path, reader: Reader) -> QuietTable:
    from calibration.image_decoder import ImageError
    from vision.image_file import read_image
    from vision.pipeline.rectify import RectifyError
    from vision.quiet_table import QuietTable

    try:
        image = read_image(path)
        return QuietTable.of(image, reader.read(image))
    except (ImageError, RectifyError) as error:
        raise click.ClickException(f"{path}: {error}") from error


class Ask(msgspec.Struct, frozen=True):
    """One question to the players."""

    code: str
    colour: str
    dice: tuple[int, ...]
    """Indices into the record's dice."""


def _asks(reading: Reading, expected: Mapping[str, int]) -> list[Ask]:
    """What the players would be asked."""
    from companion.table.game.table_reading import PlayerDice, TableReading, check, reading_taken

    players = [PlayerDice(colour, colour, number) for colour, number in expected.items()]
    return [
        Ask(each.code, each.player or reading.dice[each.dice[0]].colour, each.dice)
        for each in check(TableReading.of(reading_taken(0, reading, picture=False)), players)
    ]


def _overlay_names(photos: tuple[Path, ...]) -> dict[Path, str]:
    """A file name for each photo; photos with the same name from two folders get different ones."""
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
    if die.uncertain:  # never round up to the threshold below which players are asked
        confidence = min(confidence, UNCERTAIN_BELOW - 0.001)
    return {
        "value": die.face,
        "colour": die.colour,
        "box": [round(v, 1) for v in die.box],
        "confidence": confidence,
        "uncertain": die.uncertain,
    }


def _sentence(photo: Path, reading: Reading, out_of_play: int) -> str:
    out = f"; {out_of_play} more lay there before" if out_of_play else ""
    if not reading.dice:
        return f"{photo}: no dice{out}"
    faces = " ".join(f"{face}×{n}" for face, n in reading.counts().items() if n)  # noqa: RUF001
    uncertain = sum(die.uncertain for die in reading.dice)
    sentence = f"{photo}: {dice(len(reading.dice))}: {faces} ({reading.ms:.0f} ms){out}"
    return sentence + (f"; {uncertain} uncertain: look at the picture" if uncertain else "")
