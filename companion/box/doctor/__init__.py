"""Examines the box. Each check looks at one part and returns a diagnosis: one line of the report."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

Remedy = Literal["camera", "journal"]
"""What the box can do about it itself: search for the camera again, or set a damaged journal aside."""


class Severity(StrEnum):
    """How serious a diagnosis is."""

    GOOD = "ok"
    ABSENT = "--"
    """Missing, but not needed."""
    POOR = "!!"
    """It works, but badly."""
    BAD = "BAD"
    """The program cannot work like this."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The result of checking one part."""

    part: str
    severity: Severity
    said: str
    """What was found, and what to do about it: a `Message` if the host's phone may show it."""
    hint: str = ""
    """More for whoever sits at a terminal."""
    remedy: Remedy | None = None

    @property
    def sentence(self) -> str:
        """What a terminal shows."""
        return f"{self.said} {self.hint}".rstrip()

    def __str__(self) -> str:
        return f"{self.severity.value:>3}  {self.part:<11} {self.sentence}"


def good(part: str, said: str, hint: str = "") -> Diagnosis:
    return Diagnosis(part, Severity.GOOD, said, hint)


def absent(part: str, said: str, hint: str = "") -> Diagnosis:
    return Diagnosis(part, Severity.ABSENT, said, hint)


def poor(part: str, said: str, hint: str = "") -> Diagnosis:
    return Diagnosis(part, Severity.POOR, said, hint)


def bad(part: str, said: str, hint: str = "", remedy: Remedy | None = None) -> Diagnosis:
    return Diagnosis(part, Severity.BAD, said, hint, remedy)
