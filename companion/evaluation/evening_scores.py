"""How well reveals were judged, in all and by condition."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from companion.evaluation.reveal_result import NEVER, RevealResult
from vision.evaluation.conditions import grouping
from vision.evaluation.figures import risk
from vision.evaluation.scores import percent

FEW_TAPS: Final = 2
"""What people put up with, now and then."""


@dataclass(frozen=True, slots=True)
class EveningScore:
    """The sum of some reveals."""

    reveals: int
    judged: int
    """Judged without a question."""
    few_taps: int
    """Judged without a question, or asked about with `FEW_TAPS` taps at most."""
    by_hand: int
    """Reveals for which people had to count by hand."""
    silent: int
    """Judged wrongly without a question."""
    wrong_answers: int
    """Judged wrongly although people answered what the table asked."""
    lost_counted: int
    """Lost dice judged as dice in play."""
    seconds: float
    """From the table lying still to the verdict or the question: the median."""
    most_seconds: float
    readings: float
    """Readings a verdict in this time: the mean."""
    processor: float
    """Seconds of processor time a verdict in this time, without drawing: the mean."""


def evening_score(results: Sequence[RevealResult]) -> EveningScore:
    """The score of at least one reveal."""
    return EveningScore(
        reveals=len(results),
        judged=sum(not result.asked for result in results),
        few_taps=sum(result.taps is not None and result.taps <= FEW_TAPS for result in results),
        by_hand=sum(result.taps is None for result in results),
        silent=sum(result.silent for result in results),
        wrong_answers=sum(result.wrong and result.asked for result in results),
        lost_counted=sum(result.lost_counted for result in results),
        seconds=round(median(result.seconds for result in results), 3),
        most_seconds=round(max(result.seconds for result in results), 3),
        readings=round(sum(result.readings for result in results) / len(results), 3),
        processor=round(sum(result.processor for result in results) / len(results), 4),
    )


@dataclass(frozen=True, slots=True)
class EveningRow:
    group: str
    score: EveningScore


@dataclass(frozen=True, slots=True)
class EveningTable:
    """The reveals by one condition."""

    name: str
    rows: tuple[EveningRow, ...]


def evening_tables(results: Sequence[RevealResult]) -> tuple[EveningTable, ...]:
    """A table for each condition. Every reveal has all of them."""
    tables = []
    for name in results[0].conditions:
        group, order = grouping([result.conditions[name] for result in results])
        groups: dict[str, list[RevealResult]] = defaultdict(list)
        for result in results:
            groups[group(result.conditions[name])].append(result)
        rows = tuple(EveningRow(each, evening_score(groups[each])) for each in order if each in groups)
        tables.append(EveningTable(name, rows))
    return tuple(tables)


def score_line(score: EveningScore) -> str:
    """The score in words."""
    line = (
        f"{score.reveals} reveals, {percent(score.judged, score.reveals)} judged without a question, "
        f"{percent(score.few_taps, score.reveals)} within {FEW_TAPS} taps, {score.silent} silently wrong, "
        f"{score.lost_counted} lost dice counted; {score.seconds:.1f} s, {score.readings:.1f} readings and "
        f"{score.processor:.2f} s of processor time a verdict"
    )
    if score.by_hand:
        line += f"; {score.by_hand} counted by hand"
    return line + (f"; {score.wrong_answers} wrong after all answers" if score.wrong_answers else "")


def result_line(result: RevealResult) -> str:
    """One reveal in words, if there is something to say of it."""
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
