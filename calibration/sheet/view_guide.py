"""Says which views of the sheet are still needed, so that five to twelve are enough.

A lens is only known where the sheet was seen: it has to appear in every part of the picture, close enough to fill much
of it (mrcal's documentation, "optimal choreography": close-ups tell by far the most), and tipped, because otherwise
focal length and distance cannot be told apart.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import cv2
import numpy as np

from calibration.image import Doubles
from calibration.sheet.board import corners
from calibration.sheet.sighting import Sighting
from companion.messages.message import Message

FEWEST_VIEWS: Final = 5
"""The least number of views that a lens can be fitted to."""
MOST_VIEWS: Final = 12
"""The number of views after which no more are requested."""
_BLUR_LIMIT: Final = 3.0
"""Blur (`Sighting.blur`), in pixels of a picture 2304 wide, from which a view is rejected."""
_FEWEST_CORNERS: Final = 14
"""The least number of corners, of 24, in a view."""
_IN_CELL: Final = 8
"""The number of corners that covers a ninth of the picture."""
_NEAR: Final = 0.03
"""The least share of the picture that the corners of a view must span."""
_TIPPED: Final = 18.0
"""Degrees from facing the camera at which the sheet counts as tipped."""
_LEAST_SHIFT: Final = 0.04
"""As a share of the picture's width; a view whose corners moved less on average is not a new one."""
_LEAST_TILT: Final = 10.0
"""Degrees of additional tilt that make a new view in the same place."""
_GUESS: Final = 0.75
"""Assumed focal length over the picture's width: 67 degrees, the standard Camera Module 3."""


class Wish(StrEnum):
    """The next view to take."""

    UPPER_LEFT = "upper left"
    TOP = "top"
    UPPER_RIGHT = "upper right"
    LEFT = "left"
    MIDDLE = "middle"
    RIGHT = "right"
    LOWER_LEFT = "lower left"
    BOTTOM = "bottom"
    LOWER_RIGHT = "lower right"
    TIP_SIDEWAYS = "tip sideways"
    """Its left or right edge raised."""
    TIP_LENGTHWAYS = "tip lengthways"
    """Its upper or lower edge raised."""
    ANY = "any"
    """Any view unlike the others."""
    NOTHING = "nothing"


CELLS: Final = tuple(Wish)[:9]
"""The ninths of the picture, row by row."""


@dataclass(frozen=True, slots=True)
class Guidance:
    """How complete the views are, and what comes next."""

    covered: tuple[bool, ...]
    """For each ninth of the picture, row by row, whether enough corners were seen there."""
    sideways: bool
    """The sheet was tipped with its left or right edge raised."""
    lengthways: bool
    views: int
    share: int
    """Percent done."""
    enough: bool
    """A lens can be fitted well."""
    next: Wish
    sentence: Message


def guide(views: Sequence[Sighting]) -> Guidance:
    """What the views cover so far, and which one to take next."""
    corners_in = Counter(n for view in views for n in _cells(view))
    covered = tuple(corners_in[n] >= _IN_CELL for n in range(len(CELLS)))
    tips = [_tip(view) for view in views]
    sideways = any(abs(x) >= _TIPPED for x, _ in tips)
    lengthways = any(abs(y) >= _TIPPED for _, y in tips)
    got = sum(covered) + sideways + lengthways
    done = 0.8 * got / 11 + 0.2 * min(len(views), FEWEST_VIEWS) / FEWEST_VIEWS
    wish = _next(covered, sideways, lengthways, len(views))
    enough = wish is Wish.NOTHING
    return Guidance(
        covered=covered,
        sideways=sideways,
        lengthways=lengthways,
        views=len(views),
        share=100 if enough else min(99, math.floor(100 * done)),
        enough=enough,
        next=wish,
        sentence=Message(_WISH_SENTENCES[wish]),
    )


def view_fault(sighting: Sighting | None, views: Sequence[Sighting]) -> Message | None:
    """Why this sighting adds nothing to the views, with advice; None if it is a new view."""
    if sighting is None:
        return Message("I do not see the sheet. Hold it under the camera, printed side up.")
    if len(sighting.ids) < _FEWEST_CORNERS:
        return Message("I see only part of the sheet. Take your fingers off the pattern, or move it in.")
    if views and (sighting.width, sighting.height) != (views[0].width, views[0].height):
        return Message("This picture has another size than the ones before. Begin again.")
    if sighting.blur > _BLUR_LIMIT * max(0.5, sighting.width / 2304):
        return Message("The sheet is blurred. Hold it still, or put it down.")
    hull = cv2.contourArea(sighting.hull.astype(np.float32))
    if hull < _NEAR * sighting.width * sighting.height:
        return Message("The sheet is too far away. Bring it nearer to the camera.")
    if any(_alike(sighting, view) for view in views):
        return Message.sequence(Message("I have this view already."), guide(views).sentence)
    return None


def guess_camera(width: int, height: int) -> Doubles:
    """3 x 3: a camera matrix for pictures of this size, before the lens is known."""
    focal = _GUESS * width
    return np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])


def tip_degrees(view: Sighting) -> float:
    """The angle between the sheet and facing the camera; approximate, because the lens is only guessed."""
    return math.hypot(*_tip(view))


def _next(covered: Sequence[bool], sideways: bool, lengthways: bool, views: int) -> Wish:
    if views >= MOST_VIEWS:  # some part of the picture may be out of reach: do not keep asking for it
        return Wish.NOTHING if sideways or lengthways else Wish.TIP_SIDEWAYS
    order = (4, 0, 2, 8, 6, 1, 7, 3, 5)  # corners before sides: on the way to them the sheet covers the sides
    missing = [n for n in order if not covered[n]]
    if missing and (missing[0] == 4 or views > 1):
        if not sideways and views == 2:
            return Wish.TIP_SIDEWAYS
        return CELLS[missing[0]]
    if not sideways:
        return Wish.TIP_SIDEWAYS
    if not lengthways:
        return Wish.TIP_LENGTHWAYS
    if missing:
        return CELLS[missing[0]]
    return Wish.NOTHING if views >= FEWEST_VIEWS else Wish.ANY


_WISH_SENTENCES: Final = {
    Wish.UPPER_LEFT: "Hold the sheet in the upper left of the picture, as near to the camera as it fits in whole.",
    Wish.TOP: "Hold the sheet at the upper edge of the picture.",
    Wish.UPPER_RIGHT: "Hold the sheet in the upper right of the picture, as near to the camera as it fits in whole.",
    Wish.LEFT: "Hold the sheet at the left edge of the picture.",
    Wish.MIDDLE: "Hold the sheet in the middle of the picture, facing the camera.",
    Wish.RIGHT: "Hold the sheet at the right edge of the picture.",
    Wish.LOWER_LEFT: "Hold the sheet in the lower left of the picture, as near to the camera as it fits in whole.",
    Wish.BOTTOM: "Hold the sheet at the lower edge of the picture.",
    Wish.LOWER_RIGHT: "Hold the sheet in the lower right of the picture, as near to the camera as it fits in whole.",
    Wish.TIP_SIDEWAYS: "Tilt the sheet sideways: raise its left or right edge by about 10 cm.",
    Wish.TIP_LENGTHWAYS: "Tilt the sheet forwards or backwards: raise its upper or lower edge by about 10 cm.",
    Wish.ANY: "One more, anywhere, held in another way.",
    Wish.NOTHING: "That is enough.",
}


def _cells(view: Sighting) -> list[int]:
    across = np.clip((3 * view.points[:, 0] / view.width).astype(int), 0, 2)
    down = np.clip((3 * view.points[:, 1] / view.height).astype(int), 0, 2)
    return [int(n) for n in 3 * down + across]


def _tip(view: Sighting) -> tuple[float, float]:
    """Degrees by which the sheet leans left or right, and up or down, in the picture."""
    camera = guess_camera(view.width, view.height)
    done, turn, _ = cv2.solvePnP(corners(1.0)[view.ids], view.points, camera, None, flags=cv2.SOLVEPNP_IPPE)
    if not done:
        return 0.0, 0.0
    normal = cv2.Rodrigues(turn)[0][:, 2]
    x, y, z = (normal * np.sign(normal[2] or 1.0)).tolist()
    return math.degrees(math.atan2(x, z)), math.degrees(math.atan2(y, z))


def _alike(one: Sighting, other: Sighting) -> bool:
    """True if two views show the sheet in the same place with the same tilt."""
    if one.shift(other) >= _LEAST_SHIFT:
        return False
    return all(abs(ours - theirs) < _LEAST_TILT for ours, theirs in zip(_tip(one), _tip(other), strict=True))
