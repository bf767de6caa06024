"""Draws a reading over its frame."""

from __future__ import annotations

import cv2

from calibration.image import Image
from vision.reading import Reading

_SURE = (120, 230, 120)
_UNSURE = (60, 140, 255)
_FONT = cv2.FONT_HERSHEY_SIMPLEX


def draw_overlay(image: Image, reading: Reading) -> Image:
    """A copy of the frame (BGR) with a box and a face on every die; an uncertain die is orange with a question mark."""
    out = image.copy()
    unit = max(1.0, max(image.shape[:2]) / 1000)
    thick = max(1, round(1.6 * unit))
    for die in reading.dice:
        x, y, w, h = (round(v) for v in die.box)
        colour = _UNSURE if die.uncertain else _SURE
        cv2.rectangle(out, (x, y), (x + w, y + h), colour, thick, cv2.LINE_AA)
        text = f"{die.face}?" if die.uncertain else str(die.face)
        size = 0.55 * unit
        (tw, th), base = cv2.getTextSize(text, _FONT, size, thick)
        top = y - th - base - 2 if y - th - base - 2 >= 0 else y + h
        cv2.rectangle(out, (x, top), (x + tw + 6, top + th + base + 2), colour, -1)
        cv2.putText(out, text, (x + 3, top + th + 1), _FONT, size, (20, 20, 20), thick, cv2.LINE_AA)
    return out
