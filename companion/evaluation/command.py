"""`perudo evaluate`: measures how well dice are read in labelled photographs, and reveals judged at drawn tables."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import cache
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import click

from calibration.image_decoder import ImageError
from companion.evaluation.play import play_evening
from companion.evaluation.reveals import (
    EveningReport,
    JudgedPicture,
    RevealResult,
    evening_figures,
    evening_score,
    evening_tables,
    result_line,
    score_line,
)
from vision.evaluation.corruptions import judge_tables
from vision.evaluation.document_section import risk, write_between
from vision.evaluation.pairs import PairScore, summary
from vision.evaluation.reliability import face_bins, reliability_bins, reliability_svg, stacked, there_bins
from vision.evaluation.report import LabelsResult, write_report
from vision.evaluation.scores import (
    LabelsError,
    PhotoResult,
    Score,
    Truth,
    evaluate_photo,
    load_labels,
    percent,
    scores_per_value,
    total_score,
)
from vision.evaluation.scores_by_condition import ConditionTable, condition_tables
from vision.image_file import read_image, write_image
from vision.models.network import ModelError
from vision.overlay import draw_overlay
from vision.pipeline.confidence import Confidence
from vision.reader import Reader

START, END = "<!-- figures -->", "<!-- /figures -->"
EVENINGS_A_PROCESS: Final = 5
"""The least number of evenings per process, because a process loads everything again; but it grows with every evening,
because the allocator cannot reuse the gaps between live pictures.
"""
EVENINGS_START, EVENINGS_END = "<!-- evenings -->", "<!-- /evenings -->"
CONDITIONS_START, CONDITIONS_END = "<!-- conditions -->", "<!-- /conditions -->"


@click.command()
@click.argument("labels", metavar="[LABELS.json...]", nargs=-1, type=click.Path(path_type=Path))
@click.option("--evenings", type=click.IntRange(min=1), metavar="N",
              help="Instead of photographs, play N evenings at drawn tables through the whole reveal.")  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), help="Of the evenings; the same seed plays the same.  [default: 1]")
@click.option(
    "--json", "as_json", is_flag=True, help="One JSON object a labels file, one a line; one for all evenings."
)
@click.option("--list", "list_photos", is_flag=True,
              help="Name every photo that is not exactly right, or every reveal asked about or wrong.")  # fmt: skip
@click.option("--conditions", is_flag=True,
              help="Show the figures for each condition, what was read for what, and, if labels name every colour, "
                   "how tables are judged in worse light, by worse cameras and with things in the way.")  # fmt: skip
@click.option("--report", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
              help="Write an HTML report into DIR, with a picture of everything that went wrong.")  # fmt: skip
@click.option("--reliability", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.svg",
              help="Draw how many dice were right for each confidence.")  # fmt: skip
@click.option("--figures", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help=f"Write the figures into FILE: after {START}, those of the evenings after {EVENINGS_START}, or with "
                   f"--conditions theirs after {CONDITIONS_START}.")  # fmt: skip
@click.pass_context
def evaluate(
    ctx: click.Context, labels: tuple[Path, ...], evenings: int | None, seed: int | None, as_json: bool,
    list_photos: bool, conditions: bool, report: Path | None, reliability: Path | None, figures: Path | None,
) -> None:  # fmt: skip
    """Read the photos beside each LABELS.json and compare, or play evenings and compare.

    A labels file is {"photo.jpg": [{"value": 5, "box": [x, y, w, h]}]} or {"photo.jpg": {"counts": {"5": 2}}}. Whatever
    else a die or a photo's {"dice": [...], "conditions": {...}} says of it becomes a table.

    An evening is a game of 2 to 6 players by one of the rulebooks, drawn frame by frame.
    """
    _check_together(labels, evenings, seed, reliability)
    _writable(report, reliability)
    try:
        reader = Reader.load()
    except ModelError as error:
        raise click.ClickException(str(error)) from error
    if evenings is not None:
        _evenings(
            reader, evenings, 1 if seed is None else seed, as_json=as_json, list_reveals=list_photos,
            conditions=conditions, report=report, figures=figures,
        )  # fmt: skip
        return
    unread = False
    results = []
    corrupted: dict[str, list[PairScore]] = {}
    for path in labels:
        try:
            truths = load_labels(path)
        except LabelsError as error:
            click.echo(str(error), err=True)
            unread = True
            continue
        photos, all_read = _judge(reader, path.parent, truths)
        unread |= not all_read
        for photo in photos:
            if list_photos and not photo.score.exact:
                silent = " SILENT" if photo.score.silent else ""
                click.echo(f"{photo.name}: {_line(photo.score)}{silent}", err=as_json)
        results.append(LabelsResult(path, photos))
        judged = _corrupted(reader, path, report) if conditions and all_read else {}
        for name, scores in judged.items():
            corrupted.setdefault(name, []).extend(scores)
        if as_json:
            click.echo(json.dumps(_json(path, photos) | {"corrupted": {k: _judged(v) for k, v in judged.items()}}))
            continue
        click.echo(_table(path, total_score(photos)))
        if conditions:
            click.echo(_conditions(photos))
        for name, scores in judged.items():
            click.echo(f"    {name:<30} {summary(scores)}")
    if results:
        _write(results, report, reliability, None if corrupted else figures)
    if corrupted and figures is not None:
        write_between(figures, CONDITIONS_START, CONDITIONS_END, _condition_figures(corrupted))
    ctx.exit(1 if unread else 0)


def _check_together(labels: tuple[Path, ...], evenings: int | None, seed: int | None, reliability: Path | None) -> None:
    """Refuse options that exclude each other."""
    if evenings is None:
        if not labels:
            raise click.UsageError("Name a LABELS.json, or say how many --evenings to play.")
        if seed is not None:
            raise click.UsageError("--seed is for --evenings; photographs are read as they are.")
        return
    if labels:
        raise click.UsageError("Give either a LABELS.json or --evenings, not both.")
    if reliability is not None:
        raise click.UsageError("--reliability is drawn from photographs, not from --evenings.")


Played = tuple[list[RevealResult], list[JudgedPicture]]
"""The reveals of an evening, and the pictures of those with a question or a wrong verdict."""


def _play(reader: Reader, seed: int, evenings: int) -> Iterator[Played]:
    """Play the evenings, in several processes if there are many."""
    processes = min(os.cpu_count() or 1, evenings // EVENINGS_A_PROCESS)
    if processes < 2:
        yield from (_played(reader, seed, number) for number in range(evenings))
        return
    batch = processes * EVENINGS_A_PROCESS
    for first in range(0, evenings, batch):
        # `max_tasks_per_child` would do the same, but makes the pool of Python 3.11 wait forever.
        with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
            yield from pool.map(_play_alone, repeat(seed), range(first, min(first + batch, evenings)))


@cache
def _reader() -> Reader:
    return Reader.load()


def _play_alone(seed: int, number: int) -> Played:
    """Play an evening in this worker process."""
    return _played(_reader(), seed, number)


def _played(reader: Reader, seed: int, number: int) -> Played:
    pictures: list[JudgedPicture] = []

    def look(judged: JudgedPicture) -> None:
        if judged.result.asked or judged.result.wrong:
            pictures.append(judged)

    return list(play_evening(seed, number, lambda _: reader, look)), pictures


def _evenings(
    reader: Reader, evenings: int, seed: int, *, as_json: bool, list_reveals: bool, conditions: bool,
    report: Path | None, figures: Path | None,
) -> None:  # fmt: skip
    """Play, and report how well the reveals were judged."""
    results: list[RevealResult] = []
    try:
        written = None if report is None else EveningReport(report)
        for played, pictures in _play(reader, seed, evenings):
            results += played
            for judged in pictures:
                if written is not None:
                    written.add(judged)
                if list_reveals:
                    click.echo(result_line(judged.result), err=as_json)
        if written is not None:
            click.echo(f"The report is {written.write(results)}", err=True)
    except OSError as error:
        raise click.ClickException(f"it could not be written: {error}") from error
    score = evening_score(results)
    if as_json:
        tables = [
            {"name": name, "rows": [{"group": group, **asdict(score)} for group, score in groups.items()]}
            for name, groups in evening_tables(results).items()
        ]
        each = [asdict(result) for result in results]
        click.echo(
            json.dumps({"evenings": evenings, "seed": seed, **asdict(score), "conditions": tables, "each": each})
        )
    else:
        click.echo(score_line(score))
        for name, groups in evening_tables(results).items() if conditions else ():
            click.echo(f"  {name}")
            for group, some in groups.items():
                click.echo(f"    {group:<16} {score_line(some)}")
    if figures is not None:
        write_between(figures, EVENINGS_START, EVENINGS_END, evening_figures(results))


def _writable(report: Path | None, reliability: Path | None) -> None:
    """Fail now, rather than after an hour of reading, if an output cannot be written."""
    try:
        if report is not None:
            report.mkdir(parents=True, exist_ok=True)
        if reliability is not None:
            reliability.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"nothing can be written there: {error}") from error


def _judge(reader: Reader, folder: Path, truths: dict[str, Truth]) -> tuple[tuple[PhotoResult, ...], bool]:
    """Read and compare every photo; return also if all could be read. A photo that could not counts as empty."""
    photos, all_read = [], True
    for name, truth in truths.items():
        try:
            dice = reader.read(read_image(folder / name)).cautious().dice
        except ImageError as error:
            click.echo(f"{folder / name}: {error}", err=True)
            all_read, dice = False, ()
        photos.append(evaluate_photo(name, truth, dice))
    return tuple(photos), all_read


def _corrupted(reader: Reader, labels: Path, report: Path | None) -> dict[str, list[PairScore]]:
    """How a file's tables are judged, by condition. Pictures of silent errors go into the report."""
    judged: dict[str, list[PairScore]] = {}
    for table in judge_tables(reader, labels):
        judged.setdefault(table.condition, []).append(table.score)
        if report is not None and table.score.silent:
            kept = report / "silent" / f"{Path(table.name).stem}, {table.condition}.jpg"
            kept.parent.mkdir(exist_ok=True)
            write_image(kept, draw_overlay(table.image, table.reading))
    return judged


def _judged(scores: Sequence[PairScore]) -> dict[str, int]:
    return {
        "tables": len(scores),
        "judged": sum(not score.taps for score in scores),
        "asked": sum(bool(score.taps) for score in scores),
        "silent": sum(score.silent for score in scores),
    }


def _condition_figures(corrupted: dict[str, list[PairScore]]) -> str:
    lines = ["| condition | tables | judged | asked about | silently wrong |", "|---|---|---|---|---|"]
    everything = [score for scores in corrupted.values() for score in scores]
    lines += [
        "| " + " | ".join([name, *map(str, _judged(scores).values())]) + " |"
        for name, scores in [*corrupted.items(), ("all", everything)]
    ]
    counted = _judged(everything)
    return "\n".join([*lines, "", risk(counted["silent"], counted["judged"])])


def _write(results: list[LabelsResult], report: Path | None, reliability: Path | None, figures: Path | None) -> None:
    try:
        if report is not None:
            click.echo(f"The report is {write_report(report, results, Confidence.load().ask_below)}", err=True)
        if reliability is not None:
            reliability.write_text(_diagrams([photo for each in results for photo in each.photos]), encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"it could not be written: {error}") from error
    if figures is not None:
        write_between(figures, START, END, _figures(results))


def _diagrams(photos: Sequence[PhotoResult]) -> str:
    """Reliability diagrams of the confidence, and of the two probabilities it is made from."""
    confidence = Confidence.load()
    return stacked([
        reliability_svg(reliability_bins(photos), confidence.ask_below),
        reliability_svg(there_bins(photos), None, "Whether it is a die"),
        reliability_svg(face_bins(photos), confidence.ask_face_below, "Whether that is its face"),
    ])  # fmt: skip


def _pct(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 2) if whole else None


def _line(score: Score) -> str:
    return f"{score.right} right, {score.wrong} wrong, {score.missed} missed, {score.false} false"


def _table(path: Path, score: Score) -> str:
    lines = [
        f"{path}",
        f"  {score.photos} photos, {score.dice} dice",
        f"  dice right {score.right} ({percent(score.right, score.dice)}), wrong {score.wrong}, "
        f"missed {score.missed}, false {score.false}, of which {score.sure_false} sure",
        f"  photos exactly right {score.exact} ({percent(score.exact, score.photos)})",
        f"  silent errors {score.silent} photos ({percent(score.silent, score.photos)}), "
        f"flagged for nothing {score.flagged} photos ({percent(score.flagged, score.photos)})",
    ]
    if score.coloured:
        lines.append(f"  colour right {score.colour_right} of {score.coloured} dice found "
                     f"({percent(score.colour_right, score.coloured)})")  # fmt: skip
    lines.append("  value   dice  right  wrong missed  false")
    lines += [
        f"  {of.value:>5} {of.dice:>6} {of.right:>6} {of.wrong:>6} {of.missed:>6} {of.false:>6}  "
        f"{percent(of.right, of.dice)}"
        for of in scores_per_value(score)
    ]
    return "\n".join(lines)


def _conditions(photos: Sequence[PhotoResult]) -> str:
    confusion = total_score(photos).confusion
    lines = ["  true      " + "".join(f"{f'read {face}':>8}" for face in range(1, 7)) + "  missed"]
    for true in (*range(1, 7), 0):
        cells = "".join(f"{confusion[true, read] or '.':>8}" for read in (*range(1, 7), 0))
        lines.append(f"  {true or 'no die':<10}{cells}")
    for table in condition_tables(photos):
        lines += [f"  {table.name}", *(_condition_line(table, *row) for row in table.rows.items())]
    return "\n".join(lines)


def _condition_line(table: ConditionTable, group: str, s: Score) -> str:
    line = f"    {group:<16} {s.dice:>5} dice, {percent(s.right, s.dice)} right, {s.wrong} wrong, {s.missed} missed"
    if table.of == "photos":
        line += f", {s.false} false; {s.exact} of {s.photos} photos exactly right, {s.silent} silent, "
        line += f"{s.flagged} flagged for nothing"
    return line


def _json(path: Path, photos: Sequence[PhotoResult]) -> dict[str, object]:
    score = total_score(photos)
    return {
        "labels": str(path),
        **_counts(score),
        "right_pct": _pct(score.right, score.dice),
        "exact_pct": _pct(score.exact, score.photos),
        "silent_pct": _pct(score.silent, score.photos),
        "flagged_pct": _pct(score.flagged, score.photos),
        "flagged_of_exact_pct": _pct(score.flagged, score.exact),
        "per_value": [asdict(of) for of in scores_per_value(score)],
        "confusion": [
            {"true": true or None, "read": read or None, "dice": n}
            for (true, read), n in sorted(score.confusion.items())
        ],
        "conditions": [
            {"name": t.name, "of": t.of, "rows": [{"group": group, **_counts(s)} for group, s in t.rows.items()]}
            for t in condition_tables(photos)
        ],
        "reliability": [asdict(each) for each in reliability_bins(photos)],
    }


def _counts(score: Score) -> dict[str, object]:
    return {key: value for key, value in asdict(score).items() if key != "confusion"}


def _figures(results: Sequence[LabelsResult]) -> str:
    lines = [
        "| photographs | dice right | wrong | missed | false | photos exactly right | silent errors "
        "| flagged for nothing |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for result in results:
        s = total_score(result.photos)
        name = f"{result.labels.absolute().parent.name}/{result.labels.name}"
        lines.append(
            f"| `{name}`: {s.photos} photos, {s.dice} dice | {percent(s.right, s.dice)} "
            f"| {s.wrong} | {s.missed} | {s.false} | {percent(s.exact, s.photos)} "
            f"| {s.silent} ({percent(s.silent, s.photos)}) | {s.flagged} ({percent(s.flagged, s.photos)}) |"
        )
    return "\n".join(lines)
