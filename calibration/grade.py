"""How good something is, with the figure it was judged by and the sentence that says what to do."""

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
    """It will work; what the sentence says would make it better."""
    BAD = "bad"
    """Dice will be read wrongly, or not at all: do what the sentence says."""


_ORDER: Final = tuple(Grade)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    what: str
    """A key for programs: "sharp", "light", "glare", "even" and others; each module names its own."""
    grade: Grade
    figure: float
    """What it was judged by; the unit stands where `what` is described."""
    sentence: Message
    """What was seen and, unless it is good, what to do."""


def first(findings: Sequence[Finding], good: Message) -> Message:
    """What to do first: the first of the worst findings says it; `good` where there is nothing to do."""
    bad = [each for each in findings if each.grade is not Grade.GOOD]
    return max(bad, key=lambda each: _ORDER.index(each.grade)).sentence if bad else good


def worst(grades: Iterable[Grade]) -> Grade:
    """The worst of them; good where there are none."""
    return max(grades, key=_ORDER.index, default=Grade.GOOD)
