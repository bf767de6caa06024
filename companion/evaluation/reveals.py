"""Summarises how the calls of evenings were judged: each one, in total, by condition, and as an HTML report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from statistics import median
from typing import Final

import cv2

from calibration.image import Image
from companion.table.state.state import PublicDie, State
from vision.evaluation.document_section import risk
from vision.evaluation.pairs import TrueDie
from vision.evaluation.report import INDEX_FILE, PICTURE_FOLDER, html_page, html_table
from vision.evaluation.scores import Conditions, percent
from vision.evaluation.scores_by_condition import grouping
from vision.image_file import write_image
from vision.overlay import draw_overlay
from vision.reading import Box, Die, Reading

NEVER, IN_THE_BIDDING, WITH_THE_CUPS = "no", "while they bid", "as the cups go up"
"""When something happened in a round."""


@dataclass(frozen=True, slots=True)
class RevealResult:
    """How one call was judged."""

    evening: int
    round: int
    conditions: Conditions
    codes: tuple[str, ...]
    """What the table asked about, and "uncertain" for each uncertain die that it did not ask about because the verdict
    did not depend on it: that is luck, and counts as a question here. Empty if it judged by itself."""
    question: tuple[str, ...]
    """The same in words."""
    taps: int | None
    """The number of dice that people tapped to correct the reading; None if they had to count by hand."""
    needed: int | None
    """The same, only until there was a verdict, which may not depend on the rest."""
    wrong: bool
    """The judged dice are not those on the table."""
    lost_counted: int
    """The number of lost dice that were judged as in play without a question."""
    seconds: float
    """From when the table lay still to the verdict or the question."""
    readings: int
    """The number of readings in this time."""
    processor: float
    """Seconds of processor time in this time, without drawing."""

    @property
    def asked(self) -> bool:
        return bool(self.codes)

    @property
    def silent(self) -> bool:
        """True if the verdict is wrong and nobody would notice."""
        return self.wrong and not self.asked


@dataclass(frozen=True, slots=True)
class JudgedPicture:
    """A reveal with its picture, for the report."""

    result: RevealResult
    image: Image
    state: State
    """When the table judged or asked."""
    dice: tuple[TrueDie, ...]
    found: Mapping[int, TrueDie]
    """Id of each die read -> the true die there."""


FEW_TAPS: Final = 2
"""The number of taps that people accept now and then."""


@dataclass(frozen=True, slots=True)
class EveningScore:
    """The total of some reveals."""

    reveals: int
    judged: int
    """Judged without a question."""
    few_taps: int
    """Judged without a question, or with at most `FEW_TAPS` taps."""
    spared: int
    """Counted as asked, but judged before any tap, because the verdict did not depend on the uncertain dice."""
    by_hand: int
    """Reveals for which people had to count by hand."""
    silent: int
    """Judged wrongly without a question."""
    wrong_answers: int
    """Judged wrongly although people answered the table's questions."""
    lost_counted: int
    """Lost dice judged as dice in play."""
    seconds: float
    """Median time from the table lying still to the verdict or the question."""
    most_seconds: float
    readings: float
    """Mean number of readings per verdict in this time."""
    processor: float
    """Mean seconds of processor time per verdict in this time, without drawing."""


def evening_score(results: Sequence[RevealResult]) -> EveningScore:
    """The score of the reveals, of which there is at least one."""
    return EveningScore(
        reveals=len(results),
        judged=sum(not result.asked for result in results),
        few_taps=sum(result.taps is not None and result.taps <= FEW_TAPS for result in results),
        spared=sum(result.asked and result.needed == 0 for result in results),
        by_hand=sum(result.taps is None for result in results),
        silent=sum(result.silent for result in results),
        wrong_answers=sum(result.wrong and result.asked for result in results),
        lost_counted=sum(result.lost_counted for result in results),
        seconds=round(median(result.seconds for result in results), 3),
        most_seconds=round(max(result.seconds for result in results), 3),
        readings=round(sum(result.readings for result in results) / len(results), 3),
        processor=round(sum(result.processor for result in results) / len(results), 4),
    )


def evening_tables(results: Sequence[RevealResult]) -> dict[str, dict[str, EveningScore]]:
    """For each condition, the score of each of its groups. Every reveal has all conditions."""
    tables = {}
    for name in results[0].conditions:
        group, order = grouping([result.conditions[name] for result in results])
        groups: dict[str, list[RevealResult]] = defaultdict(list)
        for result in results:
            groups[group(result.conditions[name])].append(result)
        tables[name] = {each: evening_score(groups[each]) for each in order if each in groups}
    return tables


def score_line(score: EveningScore) -> str:
    """The score in words."""
    line = (
        f"{score.reveals} reveals, {percent(score.judged, score.reveals)} judged without a question, "
        f"{percent(score.few_taps, score.reveals)} within {FEW_TAPS} taps, {score.silent} silently wrong, "
        f"{score.lost_counted} lost dice counted; {score.seconds:.1f} s, {score.readings:.1f} readings and "
        f"{score.processor:.2f} s of processor time a verdict"
    )
    if score.spared:
        line += f"; {score.spared} of those asked about had a verdict before any tap"
    if score.by_hand:
        line += f"; {score.by_hand} counted by hand"
    return line + (f"; {score.wrong_answers} wrong after all answers" if score.wrong_answers else "")


def result_line(result: RevealResult) -> str:
    """One reveal in words, if there is something to report."""
    name = f"evening {result.evening}, round {result.round}"
    if not result.asked:
        return f"{name}: {'silently wrong' if result.wrong else 'judged'}"
    taps = "counted by hand" if result.taps is None else f"{result.taps} taps"
    return f"{name}: {taps}, {'wrong all the same: ' if result.wrong else ''}{' '.join(result.question)}"


_ROWS: Final[tuple[tuple[str, Callable[[RevealResult], bool]], ...]] = (
    ("all", lambda _: True),
    ("lost dice in the middle", lambda result: bool(result.conditions["lost dice on the table"])),
    ("a lost die pushed in the round", lambda result: result.conditions["lost dice pushed"] != NEVER),
    ("the mast nudged in the round", lambda result: result.conditions["nudged mast"] != NEVER),
    ("cloth with a pattern", lambda result: result.conditions["cloth"] not in ("felt", "wood")),
    ("dim light", lambda result: result.conditions["light"] == "dim"),
)


def evening_figures(results: Iterable[RevealResult]) -> str:
    """The table for docs/why/figures.md."""
    results = list(results)
    lines = [
        "| reveals | number | judged without a question | within two taps | silently wrong | lost dice counted "
        "| table still to verdict | readings | processor time |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, belongs in _ROWS:
        if some := [result for result in results if belongs(result)]:
            s = evening_score(some)
            lines.append(
                f"| {name} | {s.reveals} | {percent(s.judged, s.reveals)} | {percent(s.few_taps, s.reveals)} "
                f"| {s.silent + s.wrong_answers} | {s.lost_counted} | {s.seconds:.1f} s | {s.readings:.1f} "
                f"| {1000 * s.processor:.0f} ms |"
            )
    everything = evening_score(results)
    return "\n".join([*lines, "", risk(everything.silent, everything.judged)])


_RING: Final = (200, 40, 230)


class EveningReport:
    """The report, written as the evenings are played."""

    def __init__(self, folder: Path) -> None:
        """Write into this folder, which is created if missing. Raises `OSError`."""
        self._folder = folder
        self._failures: list[str] = []
        (folder / PICTURE_FOLDER).mkdir(parents=True, exist_ok=True)

    def add(self, judged: JudgedPicture) -> None:
        """Add this reveal if there was a question or a mistake. Raises `OSError`."""
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
        body = [_table("In all", {"all": evening_score(results)})]
        for name, groups in evening_tables(results).items():
            body.append(_table(f"By condition: {escape(name)}", groups))
        body += [f"<h2>Asked or wrong: {len(self._failures)} of {len(results)}</h2>", *self._failures]
        index = self._folder / INDEX_FILE
        index.write_text(html_page("How well evenings were judged", body), encoding="utf-8")
        return index


def _table(caption: str, rows: Mapping[str, EveningScore]) -> str:
    head = ["", "reveals", "judged without a question", "within two taps", "by hand", "silently wrong",
            "wrong after answers", "lost dice counted", "seconds", "most", "readings", "processor time"]  # fmt: skip
    cells = [
        [escape(name), f"{s.reveals}", percent(s.judged, s.reveals), percent(s.few_taps, s.reveals), f"{s.by_hand}",
         f"{s.silent}", f"{s.wrong_answers}", f"{s.lost_counted}", f"{s.seconds:.1f}", f"{s.most_seconds:.1f}",
         f"{s.readings:.1f}", f"{s.processor:.2f} s"]
        for name, s in rows.items()
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
    """Boxes of dice that are uncertain or misread, and of dice in play that were not read."""
    boxes = []
    for die in read:
        true = judged.found.get(die.id)
        if die.uncertain or true is None or true.lost or (true.face, true.colour) != (die.face, die.colour):
            boxes.append(die.box)
    found = {true.box for true in judged.found.values()}
    return boxes + [die.box for die in judged.dice if not die.lost and die.box not in found]


def _word(value: str | float | bool) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else f"{value}"
