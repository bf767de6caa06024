"""The result of reading a frame, as the rest of the program passes it on.

Correcting a die makes a new `Reading`; the frame never changes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum

Box = tuple[float, float, float, float]
"""x, y, width, height in pixels of the frame; x, y is the upper left corner."""

Lab = tuple[float, float, float]
"""CIE Lab, L 0 to 100."""

UNCERTAIN_BELOW = 0.5
"""Players are asked about a die with a lower confidence; it is never counted silently."""


@dataclass(frozen=True, slots=True)
class Die:
    """One die as read."""

    face: int
    """The likeliest value of the top face, 1 to 6; the paco is 1."""
    colour: str
    """The body's colour, one of `calibration.palette.COLOURS`."""
    box: Box
    confidence: float
    """0 to 1: that this is a die, that this is its face, and that it is counted once."""
    likeliest: tuple[tuple[int, float], ...] = ()
    """(face, probability), likeliest first, to offer when the players are asked."""
    colours: tuple[tuple[str, float], ...] = ()
    """(colour, probability), likeliest first."""
    there: float = 1.0
    """0 to 1: the probability that this is a die."""
    if_there: float = 0.0
    """The confidence if this is certainly a die; 0 if unknown."""
    body: Lab | None = None
    """The colour of the body in the picture, if measured."""
    flagged: bool = False
    """The players are asked whatever the confidence: readings differ, or the die is cut off."""

    @property
    def centre(self) -> tuple[float, float]:
        """x, y in pixels of the frame."""
        x, y, w, h = self.box
        return x + w / 2, y + h / 2

    @property
    def width(self) -> float:
        """The longer side in pixels."""
        return max(self.box[2:])

    @property
    def uncertain(self) -> bool:
        """True if the players should be asked about this die."""
        return self.confidence < UNCERTAIN_BELOW

    def as_uncertain(self) -> Die:
        """The same die with a confidence so low that the players are asked, whatever dice are expected."""
        most = UNCERTAIN_BELOW - 0.01
        return replace(self, confidence=min(self.confidence, most), if_there=min(self.if_there, most), flagged=True)


@dataclass(frozen=True, slots=True)
class Reading:
    """The dice of one frame, or fused from several frames."""

    dice: tuple[Die, ...]
    width: int
    """Width of the frame in pixels."""
    height: int
    ms: float = 0.0
    """Time that the reading took in milliseconds, without decoding the picture."""
    blurred: bool = False
    """The camera shook or was out of focus: take another frame, or ask (`cautious`)."""
    unseen: bool = False
    """The table was not seen before the cups went up, so lost dice in the middle are among the dice."""
    faint: tuple[Die, ...] = ()
    """Candidates that are hardly dice, unless one is missing (`vision.pipeline.expected_dice`)."""

    def cautious(self) -> Reading:
        """The reading to judge by if there is no other frame: every die of a blurred frame is uncertain."""
        return replace(self, dice=tuple(die.as_uncertain() for die in self.dice)) if self.blurred else self

    def counts(self) -> dict[int, int]:
        """How many dice show each face, 1 to 6."""
        counted = Counter(die.face for die in self.dice)
        return {face: counted[face] for face in range(1, 7)}

    @property
    def uncertain(self) -> bool:
        return any(die.uncertain for die in self.dice)


class Stillness(StrEnum):
    """The state of `vision.stillness.StillnessCheck` after the frames so far."""

    WAITING = "waiting"
    """Too few frames to tell."""
    MOVING = "moving"
    """Something moves: a hand, a cup, a rolling die."""
    STILL = "still"
    """Nothing has moved for long enough; this frame may be read."""
