"""Grades and findings: how good something is, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from companion.messages.message import Message


class Grade(StrEnum):
    """From best to worst."""

    GOOD = "good"
    """Nothing to do."""
    USABLE = "usable"
    """It works; the sentence says what would make it better."""
    BAD = "bad"
    """Dice are read wrongly or not at all until the advice is followed."""


def graded(figure: float, limits: tuple[float, float]) -> Grade:
    """GOOD up to the first limit, USABLE up to the second, BAD beyond."""
    good, usable = limits
    return Grade.GOOD if figure <= good else Grade.USABLE if figure <= usable else Grade.BAD


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    what: str
    """A key for programs, such as "sharp" or "light"."""
    grade: Grade
    sentence: Message
    """What was found and, unless it is good, what to do about it."""


def summary(findings: Sequence[Finding], good: Message) -> tuple[Message, Grade]:
    """The sentence and the grade of the first of the worst findings; `good` if nothing is wrong."""
    worst = max(findings, key=lambda each: tuple(Grade).index(each.grade), default=None)
    if worst is None or worst.grade is Grade.GOOD:
        return good, Grade.GOOD
    return worst.sentence, worst.grade
