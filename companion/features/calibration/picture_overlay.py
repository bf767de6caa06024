"""The latest picture, and what is drawn over it: the sheet, where to hold it, and the dice. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import cv2
import numpy as np
from msgspec import Meta

from calibration.image import Doubles
from calibration.profile import Row
from calibration.sheet.board import COLUMNS, ROWS, corners
from calibration.sheet.sighting import Sighting
from calibration.sheet.view_guide import CELLS, Wish
from companion.messages.sentence import Value
from companion.table.commands import Count, DieColour, DieFace
from vision.reading import Die, Reading

Point = tuple[float, float]


class DrawnDie(Value, frozen=True):
    """A die in the picture."""

    box: tuple[float, float, float, float]
    face: DieFace
    colour: DieColour
    uncertain: bool


class DrawnPicture(Value, frozen=True):
    """The latest picture and its overlay, in the picture's pixels."""

    number: Count
    width: Count
    height: Count
    outline: tuple[Point, ...]
    corners: tuple[Point, ...]
    target: Annotated[tuple[Point, ...], Meta(description="Where to hold the sheet.")]
    dice: tuple[DrawnDie, ...]


@dataclass(frozen=True, slots=True)
class ColourMark:
    """The colour that the users gave a die."""

    at: Point
    """In pixels of the frame."""
    colour: str


def points(array: Doubles) -> tuple[Point, ...]:
    """An n x 2 array as pairs, rounded to 0.1 pixels."""
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in array)


def outline(sighting: Sighting) -> tuple[Point, ...]:
    """The board's four corners, ignoring the lens distortion."""
    plane, _ = cv2.findHomography(corners(1.0)[sighting.ids, :2], sighting.points)
    if plane is None:
        return points(sighting.hull)
    edge = np.array([(0, 0), (COLUMNS, 0), (COLUMNS, ROWS), (0, ROWS)], np.float64)
    return points(np.asarray(cv2.perspectiveTransform(edge[None], plane)[0], np.float64))


def target(wish: Wish, width: int, height: int) -> tuple[Point, ...]:
    """Where to hold the sheet in a picture of this size: four corners, or none if it does not matter."""
    high = 0.54 * height
    wide = min(high * 7 / 5, 0.62 * width)
    left, top = (width - wide) / 2, (height - high) / 2
    if wish in CELLS:
        column, row = CELLS.index(wish) % 3, CELLS.index(wish) // 3
        left = (0.0, left, width - wide)[column]
        top = (0.0, top, height - high)[row]
    elif wish not in (Wish.TIP_SIDEWAYS, Wish.TIP_LENGTHWAYS):
        return ()
    right, bottom = left + wide, top + high
    frame = [(left, top), (right, top), (right, bottom), (left, bottom)]
    if wish is Wish.TIP_SIDEWAYS:  # the raised edge is nearer, and looks longer
        lean = 0.12 * high
        frame = [(left, top + lean), (right, top - lean / 2), (right, bottom + lean / 2), (left, bottom - lean)]
    elif wish is Wish.TIP_LENGTHWAYS:
        lean = 0.12 * wide
        frame = [(left + lean, top), (right - lean, top), (right + lean / 2, bottom), (left - lean / 2, bottom)]
    return tuple((round(x, 1), round(y, 1)) for x, y in frame)


def in_rows(reading: Reading) -> Reading:
    """The reading with its dice in reading order, so that a die keeps its number from one reading to the next.

    A row starts with its topmost die, and includes all dice less than a die's height below it.
    """
    if not reading.dice:
        return reading
    tall = float(np.median([die.box[3] for die in reading.dice]))
    rows: list[list[Die]] = []
    for die in sorted(reading.dice, key=lambda die: die.box[1]):
        if rows and die.box[1] - rows[-1][0].box[1] < tall:
            rows[-1].append(die)
        else:
            rows.append([die])
    return replace(reading, dice=tuple(die for row in rows for die in sorted(row, key=lambda die: die.box[0])))


def nearest(reading: Reading, at: Point) -> int | None:
    """The index of the die at a point in pixels of the frame; None if there is none."""
    away = [
        (abs(x + w / 2 - at[0]) + abs(y + h / 2 - at[1]), n, max(w, h))
        for n, (x, y, w, h) in enumerate(die.box for die in reading.dice)
    ]
    if not away:
        return None
    distance, n, size = min(away)
    return n if distance < size else None


def colours(reading: Reading, marks: Sequence[ColourMark]) -> list[str]:
    """The colour of each die: as the users named it, else as it was read."""
    names = [die.colour for die in reading.dice]
    for mark in marks:
        if (n := nearest(reading, mark.at)) is not None:
            names[n] = mark.colour
    return names


def web_colour(lab: Row) -> str:
    """CIE Lab as a CSS colour, such as "#c4282d"."""
    pixel = np.array([[lab]], np.float32)
    blue, green, red = (np.clip(cv2.cvtColor(pixel, cv2.COLOR_LAB2BGR)[0, 0], 0, 1) * 255).round().astype(int).tolist()
    return f"#{red:02x}{green:02x}{blue:02x}"
