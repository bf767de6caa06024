"""An HTML report on evenings: the tables, and a picture of every reveal that was asked about or judged wrongly."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final

import cv2

from calibration.image import Image
from companion.evaluation.evening_scores import EveningScore, evening_score, evening_tables, result_line
from companion.evaluation.reveal_result import JudgedPicture, RevealResult
from companion.table.state.state import PublicDie
from vision.evaluation.report import INDEX_FILE, PICTURE_FOLDER, html_page, html_table
from vision.evaluation.scores import percent
from vision.image_file import write_image
from vision.overlay import draw_overlay
from vision.reading import Box, Die, Reading

_RING: Final = (200, 40, 230)


class EveningReport:
    """The report, written as the evenings are played."""

    def __init__(self, folder: Path) -> None:
        """Into this folder, which is made if need be. Raises `OSError`."""
        self._folder = folder
        self._failures: list[str] = []
        (folder / PICTURE_FOLDER).mkdir(parents=True, exist_ok=True)

    def add(self, judged: JudgedPicture) -> None:
        """Show this reveal if something was asked or wrong. Raises `OSError`."""
        result = judged.result
        if not (result.asked or result.wrong):
            return
        name = f"{PICTURE_FOLDER}/{result.evening:04d}-{result.round:02d}.jpg"
        write_image(self._folder / name, _overlay(judged), 88)
        conditions = ", ".join(f"{key}: {_word(value)}" for key, value in result.conditions.items())
        self._failures.append(
            f"<article><h3>{escape(result_line(result))}</h3>"
            f'<p class="soft">{escape(conditions)}</p>'
            f'<img src="{name}" loading="lazy" alt="the judged picture"></article>'
        )

    def write(self, results: Sequence[RevealResult]) -> Path:
        """Write the page and return its file. Raises `OSError`."""
        body = [_table("In all", [("all", evening_score(results))])]
        for table in evening_tables(results):
            body.append(_table(f"By condition: {escape(table.name)}", [(row.group, row.score) for row in table.rows]))
        body += [f"<h2>Asked or wrong: {len(self._failures)} of {len(results)}</h2>", *self._failures]
        index = self._folder / INDEX_FILE
        index.write_text(html_page("How well evenings were judged", body), encoding="utf-8")
        return index


def _table(caption: str, rows: Sequence[tuple[str, EveningScore]]) -> str:
    head = ["", "reveals", "judged without a question", "within two taps", "by hand", "silently wrong",
            "wrong after answers", "lost dice counted", "seconds", "most", "readings", "processor time"]  # fmt: skip
    cells = [
        [escape(name), f"{s.reveals}", percent(s.judged, s.reveals), percent(s.few_taps, s.reveals), f"{s.by_hand}",
         f"{s.silent}", f"{s.wrong_answers}", f"{s.lost_counted}", f"{s.seconds:.1f}", f"{s.most_seconds:.1f}",
         f"{s.readings:.1f}", f"{s.processor:.2f} s"]
        for name, s in rows
    ]  # fmt: skip
    return html_table(caption, head, cells)


def _overlay(judged: JudgedPicture) -> Image:
    """The picture with the reading, and a ring round each die in question."""
    read = judged.state.reading.dice if judged.state.reading is not None else ()
    picture = judged.image
    height, width = picture.shape[:2]
    dice = tuple(Die(die.face, die.colour, die.box, 0.0 if die.uncertain else 1.0) for die in read)
    overlay = draw_overlay(picture, Reading(dice, width, height))
    for x, y, w, h in _at_fault(judged, read):
        middle = round(x + w / 2), round(y + h / 2)
        cv2.circle(overlay, middle, round(0.9 * max(w, h)) + 3, _RING, 3, cv2.LINE_AA)
    return overlay


def _at_fault(judged: JudgedPicture, read: Sequence[PublicDie]) -> list[Box]:
    """Boxes of dice that are uncertain or not as they lie, and of dice in play that were not read."""
    boxes = []
    for die in read:
        true = judged.found.get(die.id)
        if die.uncertain or true is None or true.lost or (true.face, true.colour) != (die.face, die.colour):
            boxes.append(die.box)
    found = {true.box for true in judged.found.values()}
    return boxes + [die.box for die in judged.dice if not die.lost and die.box not in found]


def _word(value: str | float | bool) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else f"{value}"
