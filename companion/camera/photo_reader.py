"""Reads photographs from phones. Unlike the camera's frames, they are read at once, or refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from statistics import median
from typing import Final, NamedTuple

import cv2
import numpy as np

from calibration.image import Grey, grey_of, shrunk
from calibration.image_decoder import ImageError
from calibration.quality.picture_quality import is_dark, lacks_colour
from companion.messages.message import Message
from companion.table.game import sentences
from companion.table.state.state import Place
from vision.handheld.mosaic import Seen, join, lost_dice, without
from vision.image_file import decode_photo
from vision.pipeline.expected_dice import miscount, questions, reconcile, with_likely_places
from vision.reader import Reader

BLURRED: Final = 5.0
"""Grey levels of curvature (the Laplacian) at the sharpest places, below which a picture is blurred."""
BARE: Final = 10.0
"""The same at an eighth of the picture's size, below which it shows nothing that could be sharp."""
_COMPARED_WIDTH: Final = 1152
SMALL_DIE: Final = 18.0
"""Width in pixels below which dice would be read better in a closer picture."""
CUT_OFF: Final = 0.02
"""Distance from the edge, as a share of the picture's width, at which a doubtful die is cut off."""
_OTHER: Final = 0.5
"""If more than this share of the dice in play is missing or surplus, it is another table, or half of this one."""
_FEW_QUESTIONS: Final = 3
"""Up to this many missing or surplus dice are asked about one by one, however few are in play."""


class Refusal(NamedTuple):
    """Why photographs were refused, with advice."""

    message: Message
    found: tuple[Place, ...] = ()
    """The dice that were found, if there was only one photograph."""


def read_before(reader: Reader, photos: Sequence[bytes]) -> tuple[Seen, ...]:
    """Read those JPEG files of the table before the cups went up that can be decoded."""
    shots = []
    for data in photos:
        with suppress(ImageError):
            image = decode_photo(data)
            shots.append(Seen(image, reader.read(image)))
    return tuple(shots)


def read_photos(
    reader: Reader, photos: Sequence[bytes], before: Sequence[Seen], expected: Mapping[str, int]
) -> Seen | Refusal:
    """Read JPEG files of one table. What `before` shows lay there before the cups went up.

    Returns the picture (several are joined) and its reading. It is refused only if the reading leaves questions: a dark
    picture with all dice read is good enough.
    """
    try:
        images = [decode_photo(data) for data in photos]
    except ImageError:
        return Refusal(sentences.PHOTO_UNREADABLE)
    shots = [Seen(image, reader.read_cautiously(image)) for image in images]
    table = join(shots)
    if table is None:
        faults = (_fault(shot, expected) for shot in shots)
        return Refusal(next((fault for fault in faults if fault is not None), sentences.PHOTOS_APART))
    lost = lost_dice(before, table)
    reading = reconcile(replace(without(table.reading, lost or ()), unseen=lost is None), expected)
    table = replace(table, reading=reading)
    fault = _fault(table, expected) if questions(reading, expected) else None
    if fault is None and miscount(reading, expected) > max(_FEW_QUESTIONS, _OTHER * sum(expected.values())):
        fault = sentences.PHOTO_OTHER
    if fault is None:
        return replace(table, reading=with_likely_places(reading, expected))
    return Refusal(fault, _places(table) if len(images) == 1 else ())


def _places(shot: Seen) -> tuple[Place, ...]:
    """The places of the dice, in shares of the picture."""
    height, width = shot.image.shape[:2]
    size = np.array([width, height, width, height])
    return tuple(tuple(np.clip(die.box / size, 0, 1).round(4).tolist()) for die in shot.reading.dice)


def _fault(shot: Seen, expected: Mapping[str, int]) -> Message | None:
    """Advice, if the picture itself causes the questions that its reading leaves.

    Dice that are hard to read in a sharp picture are no reason: the next picture would not be better.
    """
    reading, grey = shot.reading, grey_of(shot.image)
    if is_dark(grey):
        return sentences.PHOTO_DARK
    if lacks_colour(shot.image, expected):
        return sentences.NO_COLOUR
    if _is_blurred(grey):
        return sentences.PHOTO_BLURRED
    if not reading.dice:
        return sentences.PHOTO_BARE if any(expected.values()) else None
    if median(die.width for die in reading.dice) < SMALL_DIE:
        return sentences.PHOTO_SMALL
    height, width = grey.shape
    edge = CUT_OFF * width
    for die in reading.dice:
        x, y, w, h = die.box
        if die.uncertain and min(x, y, width - x - w, height - y - h) < edge:
            return sentences.PHOTO_CUT
    return None


def _is_blurred(grey: Grey) -> bool:
    """True if the picture shows objects but no sharp edge, whether dice were found or not.

    `calibration.sharpness` measures edges, and finds none in so blurred a picture.
    """
    fine = shrunk(grey, _COMPARED_WIDTH).astype(np.float32)
    coarse = cv2.resize(fine, None, fx=1 / 8, fy=1 / 8, interpolation=cv2.INTER_AREA)
    sharp, contrast = (np.percentile(np.abs(cv2.Laplacian(each, cv2.CV_32F)), 99.5) for each in (fine, coarse))
    return bool(sharp < BLURRED and contrast > BARE)
