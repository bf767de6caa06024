"""What is true of a rendered picture, in the form that `perudo evaluate` reads. numpy alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.blender.colours import Floats
from vision.training.blender.layout import Die
from vision.training.blender.view import View

TOO_HIDDEN: Final = 1 / 3
"""A die of which more is covered or cut off by the frame is not asked for."""
BURNT: Final = 246
"""Of 255; what is brighter and no white die is a lamp's mirror image."""
TOO_BURNT: Final = 0.1
"""Nor is one of which that has wiped out more than this share."""
TOO_DARK: Final = 45
"""Of 255; nor is one in whose picture next to nothing is brighter than this."""
TOO_FAINT: Final = 5.0
"""Of 255; nor is one whose ink differs by less from what is round it: nobody could say what it shows."""

Mask = npt.NDArray[np.bool_]
Frame = npt.NDArray[np.uint8]


def _faint(die: Die, view: View, seen: Mask, ink: Floats, grey: Frame) -> bool:
    """Whether any of the drawing on the top does not stand out: in deep shadow, glare or blur."""
    points = die.points()
    top = points[points[:, 2] > die.size * 0.93]
    if len(top) < 3:
        return False
    outline = cv2.convexHull(view.project(top).astype(np.float32))
    drawn = np.zeros(grey.shape, np.uint8)
    cv2.fillConvexPoly(drawn, np.round(outline).astype(np.int32), 1)
    mask = (drawn > 0) & seen
    ys, xs = np.nonzero(mask)
    if not len(ys):
        return False
    part = np.s_[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    mask, ink, shade = mask[part], ink[part], grey[part].astype(float)
    on, off = (ink > 0.6) & mask, (ink < 0.15) & mask
    if die.value == 1 and die.maker.ace != "pip":
        return bool(on.sum() > 5 and off.sum() > 5 and abs(shade[on].mean() - shade[off].mean()) < TOO_FAINT)
    count, pips = cv2.connectedComponents(on.astype(np.uint8))
    for k in range(1, count):
        pip = pips == k
        if pip.sum() < 4:
            continue
        ring = (cv2.dilate(pip.astype(np.uint8), np.ones((5, 5))) > 0) & off
        if ring.sum() >= 4 and abs(shade[pip].mean() - shade[ring].mean()) < TOO_FAINT:
            return True
    return False


def _why(die: Die, view: View, hidden: float, seen: Mask, ink: Floats, frame: Frame, grey: Frame) -> list[str]:
    """What keeps a die from being asked for."""
    why = ["hidden"] if hidden > TOO_HIDDEN else []
    count = int(seen.sum())
    if not count:
        return why
    if die.maker.colour != "white":
        burnt = (frame[seen].min(1) >= BURNT) & (ink[seen] < 0.3)
        if burnt.sum() > TOO_BURNT * count:
            why.append("glare")
    if np.quantile(grey[seen], 0.9) < TOO_DARK:
        why.append("dark")
    if not why and _faint(die, view, seen, ink, grey):
        why.append("faint")
    return why


def dice_labels(
    dice: Sequence[Die], view: View, shown: npt.NDArray[np.int_], ink: Floats, frame: Frame
) -> list[dict[str, Any]]:
    """The dice in the picture.

    shown: height x width, which die each pixel shows, counted from 1, or 0; ink: how much of it is drawing; frame: the
    picture as it was saved, red first.
    """
    labels = []
    grey = cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY).astype(np.uint8)
    for number, die in enumerate(dice, 1):
        outline = cv2.convexHull(view.project(die.points()).astype(np.float32))[:, 0]
        (x0, y0), (x1, y1) = outline.min(0), outline.max(0)
        if x1 <= 0 or y1 <= 0 or x0 >= view.width or y0 >= view.height:
            continue
        seen = shown == number
        hidden = float(np.clip(1 - int(seen.sum()) / cv2.contourArea(outline), 0, 1))
        hidden = 0.0 if hidden < 0.025 else round(hidden, 3)
        x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, view.width), min(y1, view.height)
        label: dict[str, Any] = {
            "box": [round(float(v), 1) for v in (x0, y0, x1 - x0, y1 - y0)],
            "value": int(die.value),
            "colour": die.maker.colour,
            "hidden": hidden,
            "make": die.maker.kind,
            "ace": die.maker.ace,
            "edge": die.maker.shape.kind,
            "size_mm": round(die.size * 10, 1),
        }
        why = _why(die, view, hidden, seen, ink, frame, grey)
        if why:
            label["ignore"] = True
            label["why"] = "+".join(why)
        labels.append(label)
    return labels
