"""A diagnosis: one line of the doctor's report."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How serious a diagnosis is."""

    GOOD = "ok"
    ABSENT = "--"
    """Missing, but not needed."""
    POOR = "!!"
    """It works, but not well."""
    BAD = "BAD"
    """The program cannot work like this."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The result of checking one part."""

    part: str
    severity: Severity
    sentence: str
    """What was found, and what to do."""

    def __str__(self) -> str:
        return f"{self.severity.value:>3}  {self.part:<11} {self.sentence}"


def good(part: str, sentence: str) -> Diagnosis:
    return Diagnosis(part, Severity.GOOD, sentence)


def absent(part: str, sentence: str) -> Diagnosis:
    return Diagnosis(part, Severity.ABSENT, sentence)


def poor(part: str, sentence: str) -> Diagnosis:
    return Diagnosis(part, Severity.POOR, sentence)


def bad(part: str, sentence: str) -> Diagnosis:
    return Diagnosis(part, Severity.BAD, sentence)
