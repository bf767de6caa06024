"""How one call of an evening was judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from calibration.image import Image
from companion.evaluation.stage import TrueDie
from companion.table.state.state import State
from vision.evaluation.scores import Conditions

NEVER, IN_THE_BIDDING, WITH_THE_CUPS = "no", "while they bid", "as the cups go up"
"""When something happens in a round."""


@dataclass(frozen=True, slots=True)
class RevealResult:
    """How one call was judged."""

    evening: int
    round: int
    conditions: Conditions
    codes: tuple[str, ...]
    """What the table asked about; empty if it judged by itself."""
    question: tuple[str, ...]
    """The same in words."""
    taps: int | None
    """Dice that people tapped to put the reading right; None if they had to count by hand."""
    wrong: bool
    """Whether the dice that were judged are not those on the table."""
    lost_counted: int
    """Lost dice that were judged as dice in play, with nobody asked about them."""
    seconds: float
    """From the moment the table lies still to the verdict or the question."""
    readings: int
    """In this time."""
    processor: float
    """Seconds of processor time in this time, without drawing the table."""

    @property
    def asked(self) -> bool:
        return bool(self.codes)

    @property
    def silent(self) -> bool:
        """Whether the verdict is wrong, and nobody would notice."""
        return self.wrong and not self.asked


@dataclass(frozen=True, slots=True)
class JudgedPicture:
    """A reveal with its picture, to look at."""

    result: RevealResult
    image: Image
    state: State
    """When the table judged or asked."""
    dice: tuple[TrueDie, ...]
    found: Mapping[int, TrueDie]
    """The id of each die that was read -> the die that lies there."""
