"""An HTML report: the tables, and a picture of every mistake.

One folder, opened from the disk: no scripts, no other host.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from calibration.image import Image
from calibration.image_decoder import ImageError
from vision.evaluation.reliability import reliability_bins, reliability_svg
from vision.evaluation.scores import Match, PhotoResult, Score, percent, scores_per_value, total_score
from vision.evaluation.scores_by_condition import ConditionTable, condition_tables
from vision.image_file import read_image, write_image
from vision.overlay import draw_overlay
from vision.reading import Box, Reading

INDEX_FILE: Final = "index.html"
PICTURE_FOLDER: Final = "pictures"
_FRAME: Final = 900
"""Longer side of a photo in the report in pixels."""
_CROP: Final = 168
"""Side of a die's picture in the report in pixels."""
_ROUND: Final = 1.9
"""Side of a die's picture in die widths, including its surroundings."""
_RING: Final = (200, 40, 230)

_STYLE: Final = """
:root { color-scheme: light dark; --line: #d5d9dd; --soft: #5b6167; --good: #e4f3e6; --bad: #fbe3e0; --card: #f6f7f8; }
@media (prefers-color-scheme: dark) {
  :root { --line: #3a3f45; --soft: #a4abb2; --good: #1f3a26; --bad: #4a2422; --card: #1e2125; }
}
body { font: 15px/1.45 system-ui, sans-serif; max-width: 1100px; margin: 0 auto; padding: 1rem; }
table { border-collapse: collapse; margin: .6rem 0 1.4rem; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
thead th { font-weight: 600; }
.scroll { overflow-x: auto; }
.good { background: var(--good); } .bad { background: var(--bad); } .soft { color: var(--soft); }
article { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .8rem; margin: 1rem 0; }
article h3 { margin: 0 0 .5rem; overflow-wrap: anywhere; }
img { max-width: 100%; height: auto; border-radius: 4px; }
.dice { display: flex; flex-wrap: wrap; gap: .8rem; margin-top: .6rem; }
figure { margin: 0; width: 190px; } figcaption { font-size: 13px; }
svg { max-width: 760px; width: 100%; height: auto; display: block; }
"""


@dataclass(frozen=True, slots=True)
class LabelsResult:
    """One labels file and the results of its photos."""

    labels: Path
    photos: tuple[PhotoResult, ...]


def write_report(folder: Path, results: Sequence[LabelsResult], ask_below: float) -> Path:
    """Write the report into `folder` and return its index file.

    The photos are read again from the folder of their labels file. Players are asked below the share `ask_below` of
    right readings. Raises `OSError` if something cannot be written.
    """
    (folder / PICTURE_FOLDER).mkdir(parents=True, exist_ok=True)
    body = [_summary(results)]
    for n, result in enumerate(results, 1):
        score = total_score(result.photos)
        bins = reliability_bins(result.photos)
        body += [
            f"<h2>{_name(result.labels)}</h2>",
            _values(score),
            _confusion(score),
            *map(_condition, condition_tables(result.photos)),
        ]
        if any(each.dice for each in bins):
            body.append(reliability_svg(bins, ask_below, f"Confidence in {_name(result.labels)}"))
        body += _failures(folder, f"{n}", result)
    index = folder / INDEX_FILE
    # A file name may contain bytes that are not text.
    index.write_text(html_page("How well the dice were read", body), encoding="utf-8", errors="replace")
    return index


def html_page(title: str, body: Iterable[str]) -> str:
    """A page with this heading; `body` is HTML."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE}</style></head><body>\n<h1>{title}</h1>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def _name(labels: Path) -> str:
    return escape(f"{labels.absolute().parent.name}/{labels.name}")


def html_table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells are HTML; one that begins with `<td` is not wrapped."""
    heads = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    lines = (
        "<tr>" + "".join(cell if cell.startswith("<td") else f"<td>{cell}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return (
        f'<div class="scroll"><table><caption>{caption}</caption><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def _share(part: int, whole: int) -> str:
    return f'{part} <span class="soft">({percent(part, whole)})</span>'


def _summary(results: Sequence[LabelsResult]) -> str:
    coloured = any(total_score(result.photos).coloured for result in results)
    rows = []
    for result in results:
        s = total_score(result.photos)
        row = [_name(result.labels), f"{s.photos}", f"{s.dice}", _share(s.right, s.dice), f"{s.wrong}", f"{s.missed}",
               f"{s.false}", _share(s.exact, s.photos), _share(s.silent, s.photos),
               _share(s.flagged, s.photos)]  # fmt: skip
        rows.append(row + ([_share(s.colour_right, s.coloured)] if coloured else []))
    head = ["photographs", "photos", "dice", "dice right", "wrong", "missed", "false", "photos exactly right",
            "silent errors", "flagged for nothing"]  # fmt: skip
    note = (
        '<p class="soft">A silent error is a photo whose tally for some bid is wrong while none of its dice was '
        "flagged uncertain. Flagged for nothing is a photo exactly right in which a die was flagged all the same.</p>"
    )
    return html_table("In all", head + (["colour right"] if coloured else []), rows) + note


def _values(score: Score) -> str:
    rows = [
        [f"{of.value}", f"{of.dice}", _share(of.right, of.dice), f"{of.wrong}", f"{of.missed}", f"{of.false}"]
        for of in scores_per_value(score)
    ]
    return html_table("By value", ["value", "dice", "right", "wrong", "missed", "false"], rows)


def _confusion(score: Score) -> str:
    def cell(true: int, read: int) -> str:
        n = score.confusion[true, read]
        if not true and not read:
            return "<td></td>"
        if not n:
            return '<td class="soft">·</td>'
        return f'<td class="{"good" if true == read else "bad"}">{n}</td>'

    rows = [
        [f"{true}" if true else "no die", *(cell(true, read) for read in (*range(1, 7), 0))]
        for true in (*range(1, 7), 0)
    ]
    head = ["true", *(f"read {face}" for face in range(1, 7)), "missed"]
    return html_table("What was read for what; the last row are false dice", head, rows)


def _condition(table: ConditionTable) -> str:
    caption = f"By condition: {escape(table.name)}"
    coloured = any(score.coloured for score in table.rows.values())
    head = [escape(table.name), "dice", "right", "wrong", "missed"]
    if table.of == "photos":
        head = [head[0], "photos", *head[1:], "false", "photos exactly right", "silent errors", "flagged for nothing"]
    rows = []
    for group, s in table.rows.items():
        cells = [f"{s.dice}", _share(s.right, s.dice), f"{s.wrong}", f"{s.missed}"]
        if table.of == "photos":
            cells = [f"{s.photos}", *cells, f"{s.false}", _share(s.exact, s.photos), _share(s.silent, s.photos),
                     _share(s.flagged, s.photos)]  # fmt: skip
        if coloured:
            cells.append(_share(s.colour_right, s.coloured))
        rows.append([escape(group), *cells])
    return html_table(caption, head + (["colour right"] if coloured else []), rows)


def _at_fault(photo: PhotoResult) -> list[Match]:
    """The dice to show: mistakes, or flagged dice of a photo that was read exactly."""
    wrong = [match for match in photo.matches if match.kind != "right" or match.other_colour]
    if not photo.score.exact:
        return wrong
    return [match for match in photo.matches if match in wrong or (match.die and match.die.uncertain)]


def _rank(photo: PhotoResult) -> tuple[int, str]:
    return 0 if photo.score.silent else 1 if not photo.score.exact else 2 if photo.score.flagged else 3, photo.name


def _failures(folder: Path, prefix: str, result: LabelsResult) -> Iterator[str]:
    failed = sorted((photo for photo in result.photos if _at_fault(photo)), key=_rank)
    yield f"<h3>Photos with something to see: {len(failed)} of {len(result.photos)}</h3>"
    for k, photo in enumerate(failed, 1):
        yield _photo(folder, f"{prefix}-{k:04d}", result.labels.parent / photo.name, photo)


def _photo(folder: Path, stem: str, path: Path, photo: PhotoResult) -> str:
    score = photo.score
    verdict = (
        "silent error" if score.silent
        else "not exactly right" if not score.exact
        else "flagged for nothing" if score.flagged else "another colour read"
    )  # fmt: skip
    lines = [
        f"<article><h3>{escape(photo.name)}: {verdict}</h3>",
        f"<p>{score.right} of {score.dice} dice right, {score.wrong} wrong, {score.missed} missed, {score.false} false",
    ]
    if photo.truth.labels is None:
        lines.append("; only counts are known here, so which die is the wrong one is a guess")
    conditions = ", ".join(f"{escape(str(k))}: {escape(str(v))}" for k, v in photo.truth.conditions.items())
    lines.append(f' <span class="soft">({conditions})</span></p>' if conditions else "</p>")
    faults = _at_fault(photo)
    try:
        image = read_image(path)
    except ImageError as error:
        lines.append(f"<p>The photo could not be read: {escape(str(error))}.</p></article>")
        return "\n".join(lines)
    source = f"{PICTURE_FOLDER}/{stem}.jpg"
    shown = _overlay(image, photo, faults)
    write_image(folder / source, shown, 85)
    height, width = shown.shape[:2]
    lines.append(
        f'<img src="{source}" width="{width}" height="{height}" loading="lazy" alt="the photo with its boxes">'
    )
    lines.append('<div class="dice">')
    for n, match in enumerate(faults, 1):
        box = _box(match)
        picture = ""
        if box is not None:
            name = f"{PICTURE_FOLDER}/{stem}-{n:02d}.jpg"
            write_image(folder / name, _crop(image, box), 90)
            picture = f'<img src="{name}" width="{_CROP}" height="{_CROP}" loading="lazy" alt="the die">'
        lines.append(f"<figure>{picture}<figcaption>{_caption(match)}</figcaption></figure>")
    lines.append("</div></article>")
    return "\n".join(lines)


def _box(match: Match) -> Box | None:
    return match.die.box if match.die else match.label.box if match.label else None


def _caption(match: Match) -> str:
    true = f"true {match.face}" if match.face else "no die"
    if match.label and match.label.colour:
        true += f" {escape(match.label.colour)}"
    if match.die is None:
        return f"<strong>{match.kind}</strong>: {true}, not seen"
    die = match.die
    kind = "uncertain" if match.kind == "right" and die.uncertain else match.kind
    kind = "other colour" if kind == "right" and match.other_colour else kind
    likeliest = ", ".join(f"{face}: {p:.2f}" for face, p in die.likeliest)
    return (
        f"<strong>{kind}</strong>: {true}, read {die.face} {escape(die.colour)}, confidence {die.confidence:.3f}"
        + (", players are asked" if die.uncertain else "")
        + (f'<br><span class="soft">{likeliest}</span>' if likeliest else "")
    )


def _overlay(image: Image, photo: PhotoResult, faults: Sequence[Match]) -> Image:
    """The photo with the reader's boxes, and a ring round each die in question."""
    height, width = image.shape[:2]
    scale = min(1.0, _FRAME / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    overlay = draw_overlay(image, Reading(photo.dice, width, height))
    small = np.asarray(cv2.resize(overlay, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    for match in faults:
        box = _box(match)
        if box is not None:
            x, y = round((box[0] + box[2] / 2) * scale), round((box[1] + box[3] / 2) * scale)
            cv2.circle(small, (x, y), round(0.85 * max(box[2:]) * scale) + 3, _RING, 2, cv2.LINE_AA)
    return small


def _crop(image: Image, box: Box) -> Image:
    """The die and its surroundings, enlarged; grey outside the photo."""
    side = max(4.0, *box[2:]) * _ROUND
    scale = _CROP / side
    x, y = box[0] + box[2] / 2 - side / 2, box[1] + box[3] / 2 - side / 2
    move = np.array([[scale, 0, -x * scale], [0, scale, -y * scale]], np.float64)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    out = cv2.warpAffine(image, move, (_CROP, _CROP), flags=how, borderValue=(128, 128, 128))
    return np.asarray(out, dtype=np.uint8)
