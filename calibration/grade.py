"""Grades and findings: how good something is, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from companion.messages.message import Message


class Grade(StrEnum):
    """From best to worst."""

    GOOD = "good"
    """Nothing to do."""
    USABLE = "usable"
    """It works; the sentence says what would make it better."""
    BAD = "bad"
    """Dice are read wrongly or not at all until the sentence is followed."""


_ORDER: Final = tuple(Grade)


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    what: str
    """A key for programs, such as "sharp" or "light"."""
    grade: Grade
    figure: float
    """The measured value it was judged by."""
    sentence: Message
    """What was found and, unless it is good, what to do."""


def first(findings: Sequence[Finding], good: Message) -> Message:
    """What to do first: the sentence of the worst finding, or `good` when there is nothing to do."""
    bad = [each for each in findings if each.grade is not Grade.GOOD]
    return max(bad, key=lambda each: _ORDER.index(each.grade)).sentence if bad else good


def worst(grades: Iterable[Grade]) -> Grade:
    """The worst grade; GOOD if there are none."""
    return max(grades, key=_ORDER.index, default=Grade.GOOD)
