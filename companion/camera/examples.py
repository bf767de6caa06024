"""Turns judged dice into examples: a picture of each, its reading, and what the players said. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Final

import msgspec

from calibration.image import Image
from companion.table.game.events import TableDie
from companion.table.game.judged_dice import Feedback, JudgedDie, JudgedReading
from vision.doubt_threshold import DieEvidence
from vision.pipeline.confidence import expected_share
from vision.reading import Box

CROP_WIDTHS: Final = 3.3
"""Side of an example's picture in die widths, as training crops it (`vision.training.pictures`)."""


class DieNearby(msgspec.Struct, frozen=True):
    """Another die, or part of one, in the picture of an example."""

    face: int
    colour: str
    box: Box


class DieExample(msgspec.Struct, frozen=True, kw_only=True):
    """A die of a final verdict. Boxes are in pixels of its picture."""

    word: Feedback
    face: int
    """As judged; for a die that was struck, as read."""
    colour: str
    box: Box
    read: TableDie | None
    """As the camera read it, with its box in the frame; None if the camera missed it."""
    share: float | None
    """The reader's probability of being right."""
    nearby: tuple[DieNearby, ...] = ()

    @property
    def evidence(self) -> DieEvidence | None:
        """The evidence for the doubt threshold; None if there is none.

        That is so for a die that was missed, one that any threshold asks about, and one that was struck although the
        camera was sure of it: the number of dice shows that, or it is a die out of play.
        """
        if self.read is None or self.share is None or self.read.flagged:
            return None
        asked = self.read.uncertain
        if self.word is Feedback.STRUCK and not asked:
            return None
        return DieEvidence(self.share, self.word in (Feedback.CORRECTED, Feedback.STRUCK), asked)

    @property
    def labels(self) -> list[dict[str, object]]:
        """The picture's entry in a labels file (`vision.evaluation.scores.load_labels`).

        Only the die itself is scored, and not if it was struck, because it may have been a die out of play.
        """
        others: list[dict[str, object]] = [
            {"value": each.face, "box": each.box, "colour": each.colour, "ignore": True} for each in self.nearby
        ]
        itself = {"value": self.face, "box": self.box, "colour": self.colour, "word": self.word.value}
        if self.word is Feedback.STRUCK:
            itself["ignore"] = True
        return [itself, *others]


def examples_of(reading: JudgedReading, frame: Image, ask_below: float) -> Iterator[tuple[DieExample, Image]]:
    """Make an example of each known die of `reading` from `frame`, the judged picture.

    ask_below: the probability below which the reader asked.
    """
    for die in filter(lambda die: die.is_known, reading.dice):
        left, top, right, bottom = _place(die.box, reading.width, reading.height)

        def here(box: Box, left: int = left, top: int = top) -> Box:
            return round(box[0] - left, 1), round(box[1] - top, 1), box[2], box[3]

        yield (
            DieExample(
                word=die.feedback,
                face=die.face,
                colour=die.colour,
                box=here(die.box),
                read=die.read,
                share=None if die.read is None else expected_share(die.read.confidence, ask_below),
                nearby=tuple(
                    DieNearby(other.face, other.colour, here(other.box))
                    for other in reading.dice
                    if other is not die and _overlaps(other, (left, top, right, bottom))
                ),
            ),
            frame[top:bottom, left:right],
        )


def _place(box: Box, width: int, height: int) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the example's picture, within the frame."""
    x, y, w, h = box
    side = ceil(CROP_WIDTHS * max(w, h))
    left, top = round(x + (w - side) / 2), round(y + (h - side) / 2)
    return max(0, left), max(0, top), min(width, left + side), min(height, top + side)


def _overlaps(die: JudgedDie, place: tuple[int, int, int, int]) -> bool:
    x, y, w, h = die.box
    left, top, right, bottom = place
    return x < right and x + w > left and y < bottom and y + h > top
