"""Examines the box. Each check looks at one part and returns a diagnosis: one line of the report."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from companion.messages.message import Message

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
    sentence: str
    """What was found, and what to do about it."""
    host: Message | None = None
    """What the host's phone says instead of `sentence`, which is for a terminal."""
    remedy: Remedy | None = None

    def __str__(self) -> str:
        return f"{self.severity.value:>3}  {self.part:<11} {self.sentence}"


def good(part: str, sentence: str, host: Message | None = None) -> Diagnosis:
    return Diagnosis(part, Severity.GOOD, sentence, host)


def absent(part: str, sentence: str, host: Message | None = None) -> Diagnosis:
    return Diagnosis(part, Severity.ABSENT, sentence, host)


def poor(part: str, sentence: str, host: Message | None = None) -> Diagnosis:
    return Diagnosis(part, Severity.POOR, sentence, host)


def bad(part: str, sentence: str, host: Message | None = None, remedy: Remedy | None = None) -> Diagnosis:
    return Diagnosis(part, Severity.BAD, sentence, host, remedy)
