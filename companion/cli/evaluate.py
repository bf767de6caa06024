"""`perudo evaluate`: how well the reader reads labelled photographs."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from vision.measure import Score

START, END = "<!-- figures -->", "<!-- /figures -->"


@click.command()
@click.argument("labels", metavar="LABELS.json...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a labels file, one a line.")
@click.option("--list", "list_photos", is_flag=True, help="Name every photo that is not exactly right.")
@click.option("--figures", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help=f"Write the table of figures between {START} and {END} of FILE.")  # fmt: skip
@click.pass_context
def evaluate(
    ctx: click.Context, labels: tuple[Path, ...], as_json: bool, list_photos: bool, figures: Path | None
) -> None:
    """Read the photos beside each LABELS.json and compare.

    A labels file is {"photo.jpg": [{"value": 5, "box": [x, y, w, h]}]} or {"photo.jpg": {"counts": {"5": 2}}}.
    """
    from vision.files import ImageError, read_image
    from vision.measure import LabelsError, Score, load_labels, score_photo
    from vision.networks import ModelError
    from vision.reader import Reader

    try:
        reader = Reader.load()
    except ModelError as error:
        raise click.ClickException(str(error)) from error
    unread = False
    rows = []
    for path in labels:
        try:
            truths = load_labels(path)
        except LabelsError as error:
            click.echo(str(error), err=True)
            unread = True
            continue
        total = Score()
        for name, truth in truths.items():
            try:
                dice = reader.read(read_image(path.parent / name)).dice
            except ImageError as error:
                click.echo(f"{path.parent / name}: {error}", err=True)
                unread, dice = True, ()
            score = score_photo(truth, dice)
            total += score
            if list_photos and not score.exact:
                click.echo(f"{name}: {_line(score)}{' SILENT' if score.silent else ''}", err=as_json)
        rows.append((path, total))
        click.echo(json.dumps(_json(path, total)) if as_json else _table(path, total))
    if figures is not None and rows:
        _write_figures(figures, rows)
    ctx.exit(1 if unread else 0)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _line(score: Score) -> str:
    return f"{score.right} right, {score.wrong} wrong, {score.missed} missed, {score.false} false"


def _per_value(score: Score) -> list[tuple[int, int, int, int, int, int]]:
    """For each value: dice, right, wrong, missed, false."""
    rows = []
    for value in range(1, 7):
        of = {read: n for (face, read), n in score.confusion.items() if face == value}
        right, missed = of.get(value, 0), of.get(0, 0)
        rows.append((value, sum(of.values()), right, sum(of.values()) - right - missed, missed,
                     score.confusion[0, value]))  # fmt: skip
    return rows


def _table(path: Path, score: Score) -> str:
    lines = [
        f"{path}",
        f"  {score.photos} photos, {score.dice} dice",
        f"  dice right {score.right} ({_percent(score.right, score.dice)}), wrong {score.wrong}, "
        f"missed {score.missed}, false {score.false}",
        f"  photos exactly right {score.exact} ({_percent(score.exact, score.photos)})",
        f"  silent errors {score.silent} photos, flagged for nothing {score.flagged} photos",
        "  value   dice  right  wrong missed  false",
    ]
    lines += [
        f"  {value:>5} {dice:>6} {right:>6} {wrong:>6} {missed:>6} {false:>6}  {_percent(right, dice)}"
        for value, dice, right, wrong, missed, false in _per_value(score)
    ]
    return "\n".join(lines)


def _json(path: Path, score: Score) -> dict[str, object]:
    record = {key: value for key, value in asdict(score).items() if key != "confusion"}
    names = ("value", "dice", "right", "wrong", "missed", "false")
    per_value = [dict(zip(names, row, strict=True)) for row in _per_value(score)]
    return {"labels": str(path), **record, "per_value": per_value}


def _write_figures(path: Path, rows: list[tuple[Path, Score]]) -> None:
    lines = [
        "| photographs | dice right | wrong | missed | false | photos exactly right | silent errors |",
        "|---|---|---|---|---|---|---|",
    ]
    for labels, s in rows:
        lines.append(
            f"| `{labels.parent.name}/{labels.name}`: {s.photos} photos, {s.dice} dice | {_percent(s.right, s.dice)} "
            f"| {s.wrong} | {s.missed} | {s.false} | {_percent(s.exact, s.photos)} | {s.silent} |"
        )
    try:
        text = path.read_text(encoding="utf-8")
        before, rest = text.split(START, 1)
        _, after = rest.split(END, 1)
    except (OSError, ValueError) as error:
        raise click.ClickException(f"{path} must hold the marks {START} and {END}: {error}") from error
    path.write_text(before + START + "\n" + "\n".join(lines) + "\n" + END + after, encoding="utf-8")
