"""One line of the doctor's report."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How bad what was found is."""

    GOOD = "ok"
    ABSENT = "--"
    """Not there; the program runs without it."""
    POOR = "!!"
    """It works, and should be seen to all the same."""
    BAD = "BAD"
    """The program cannot work like this."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was looked at, and what was found."""

    part: str
    severity: Severity
    sentence: str
    """What was found, and what to do about it."""

    def __str__(self) -> str:
        return f"{self.severity.value:>3}  {self.part:<11} {self.sentence}"


def good(part: str, sentence: str) -> Diagnosis:
    """All is well."""
    return Diagnosis(part, Severity.GOOD, sentence)


def absent(part: str, sentence: str) -> Diagnosis:
    """It is not there, and need not be."""
    return Diagnosis(part, Severity.ABSENT, sentence)


def poor(part: str, sentence: str) -> Diagnosis:
    """To be seen to."""
    return Diagnosis(part, Severity.POOR, sentence)


def bad(part: str, sentence: str) -> Diagnosis:
    """The program cannot work like this."""
    return Diagnosis(part, Severity.BAD, sentence)
