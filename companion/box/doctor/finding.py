"""One line of the doctor's report."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Finding(StrEnum):
    """What became of a check."""

    GOOD = "ok"
    ABSENT = "--"
    """Not there; the program runs without it."""
    POOR = "!!"
    """It works, and should be seen to all the same."""
    BAD = "BAD"
    """The program cannot work like this."""


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at, and what was found."""

    part: str
    finding: Finding
    sentence: str
    """What was found, and what to do about it."""

    def __str__(self) -> str:
        return f"{self.finding.value:>3}  {self.part:<11} {self.sentence}"


def good(part: str, sentence: str) -> Check:
    """All is well."""
    return Check(part, Finding.GOOD, sentence)


def absent(part: str, sentence: str) -> Check:
    """It is not there, and need not be."""
    return Check(part, Finding.ABSENT, sentence)


def poor(part: str, sentence: str) -> Check:
    """To be seen to."""
    return Check(part, Finding.POOR, sentence)


def bad(part: str, sentence: str) -> Check:
    """The program cannot work like this."""
    return Check(part, Finding.BAD, sentence)
