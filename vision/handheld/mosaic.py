"""Joins several hand-held pictures of one table, and their readings, into one.

The table is a plane, so two pictures of it differ by a homography, which is estimated from matching keypoints (SIFT,
Lowe 2004). Dice stand above that plane, so a die may be off by half its width from one picture to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import dist, hypot
from typing import Final

import cv2
import numpy as np

from calibration.image import Doubles, Floats, Image, grey_of, shrunk
from vision.patch import patch
from vision.reading import Die, Reading

_REGISTER_WIDTH: Final = 1200
"""The width in pixels of the pictures that are registered."""
_MOST_DETAILS: Final = 4000
_LOWE_RATIO: Final = 0.75
"""The best match's distance must be less than this share of the second best's (Lowe's ratio test)."""
_REPROJECTION: Final = 4.0
"""RANSAC's tolerance in pixels of the registered pictures."""
_LEAST_MATCHES: Final = 16
_LEAST_SHARE: Final = 0.25
"""The least share of the matches that must agree on one homography; less is chance."""
_MOST_STRETCH: Final = 3.0
"""The most that a picture may be enlarged or reduced anywhere to fit another."""
_MOST_SIDE: Final = 6000
"""Longest side of the joined picture in pixels."""
_SAME_DIE: Final = 0.75
"""The most, in die widths, between two views of one die."""
_LOST_DIE: Final = 0.7
"""The same for a die that nobody has touched between two pictures."""
_MARGIN: Final = 0.3
"""Width, in die widths, of the border round a die that is copied with it."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A picture and its reading."""

    image: Image
    reading: Reading


def register(image: Image, other: Image) -> Doubles | None:
    """The homography, 3 x 3, from `image` to `other`; None if they do not show the same table."""
    (points, details), (others, other_details) = _details(image), _details(other)
    if min(len(points), len(others)) < _LEAST_MATCHES:
        return None
    pairs = cv2.BFMatcher().knnMatch(details, other_details, k=2)
    good = [pair[0] for pair in pairs if len(pair) == 2 and pair[0].distance < _LOWE_RATIO * pair[1].distance]
    if len(good) < _LEAST_MATCHES:
        return None
    here = np.array([points[match.queryIdx] for match in good], np.float32)
    there = np.array([others[match.trainIdx] for match in good], np.float32)
    threshold = _REPROJECTION * other.shape[1] / min(other.shape[1], _REGISTER_WIDTH)
    cv2.setRNGSeed(1)
    move, inliers = cv2.findHomography(here, there, cv2.RANSAC, threshold)
    if move is None or inliers.sum() < max(_LEAST_MATCHES, _LEAST_SHARE * len(good)):
        return None
    found = np.asarray(move, np.float64)
    return found if _is_plausible(found, image) else None


def join(shots: Sequence[Seen]) -> Seen | None:
    """Join the pictures into one of the whole table, seen as in the first of `shots`, with the readings merged.

    None if the pictures cannot be registered with each other, in any order.
    """
    if len(shots) == 1:
        return shots[0]
    moves: dict[int, Doubles] = {0: np.eye(3)}
    while len(moves) < len(shots):
        found = _next(shots, moves)
        if found is None:
            return None
        moves.update([found])
    corners = np.vstack([_moved(moves[n], _corners(shot.image)) for n, shot in enumerate(shots)])
    left, top = np.floor(corners.min(axis=0))
    right, bottom = np.ceil(corners.max(axis=0))
    size = int(right - left), int(bottom - top)
    if max(size) > _MOST_SIDE:
        return None
    shift = np.array([[1.0, 0.0, -left], [0.0, 1.0, -top], [0.0, 0.0, 1.0]])
    placed = [shift @ moves[n] for n in range(len(shots))]
    moved = [[_in_table(die, move) for die in shot.reading.dice] for shot, move in zip(shots, placed, strict=True)]
    groups = _same_dice(moved)
    best = [max(group, key=lambda each: each[1].confidence) for group in groups]
    image = _paint([shot.image for shot in shots], placed, size, best)
    dice = tuple(_agreed(die, [each for _, each in group]) for (_, die), group in zip(best, groups, strict=True))
    blurred = all(shot.reading.blurred for shot in shots)
    return Seen(image, Reading(dice, *size, sum(shot.reading.ms for shot in shots), blurred))


LostDie = tuple[float, float, int]
"""The centre of a die out of play, x and y in pixels, and its face."""


def lost_dice(before: Iterable[Seen], table: Seen) -> list[LostDie] | None:
    """The dice of earlier pictures, located in a later one; None if none of the pictures can be registered with it."""
    moves = [(shot, register(shot.image, table.image)) for shot in before]
    known = [(shot, move) for shot, move in moves if move is not None]
    dice = [_in_table(die, move) for shot, move in known for die in shot.reading.dice if not die.uncertain]
    return [(*die.centre, die.face) for die in dice] if known else None


def without(reading: Reading, lost: Iterable[LostDie]) -> Reading:
    """The reading without dice that lie at these places and show the same face."""
    dice = list(reading.dice)
    for x, y, face in lost:
        near = [(dist(die.centre, (x, y)) / die.width, n) for n, die in enumerate(dice) if die.face == face]
        if near and min(near)[0] < _LOST_DIE:
            del dice[min(near)[1]]
    return replace(reading, dice=tuple(dice))


def _details(image: Image) -> tuple[list[tuple[float, float]], Floats]:
    """SIFT keypoints and their descriptors."""
    small = shrunk(grey_of(image), _REGISTER_WIDTH)
    scale = image.shape[1] / small.shape[1]
    points, details = cv2.SIFT_create(_MOST_DETAILS, contrastThreshold=0.02).detectAndCompute(small, None)  # type: ignore[attr-defined]
    if details is None:
        return [], np.zeros((0, 128), np.float32)
    return [(point.pt[0] * scale, point.pt[1] * scale) for point in points], np.asarray(details, np.float32)


def _next(shots: Sequence[Seen], moves: dict[int, Doubles]) -> tuple[int, Doubles] | None:
    """The next picture that can be registered with one already placed, and its homography to the first."""
    for n, shot in enumerate(shots):
        for m in sorted(moves) if n not in moves else ():
            move = register(shot.image, shots[m].image)
            if move is not None and _is_plausible(moves[m] @ move, shot.image):
                return n, moves[m] @ move
    return None


def _corners(image: Image) -> Doubles:
    height, width = image.shape[:2]
    return np.array([(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)])


def _moved(move: Doubles, points: Doubles) -> Doubles:
    return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2), move).reshape(-1, 2), np.float64)


def _is_plausible(move: Doubles, image: Image) -> bool:
    """True if the homography turns no part of the picture over and stretches none by much."""
    corners = _corners(image)
    if ((move[2] @ np.vstack([corners.T, np.ones(4)])) <= 0).any():
        return False
    after = _moved(move, corners)
    stretches = np.linalg.norm(after - np.roll(after, 1, axis=0), axis=1)
    stretches /= np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    area = cv2.contourArea(after.astype(np.float32), oriented=True)
    return area > 0 and bool((stretches > 1 / _MOST_STRETCH).all() and (stretches < _MOST_STRETCH).all())


def _in_table(die: Die, move: Doubles) -> Die:
    """The die, moved by the homography."""
    (x, y), (w, h) = die.centre, die.box[2:]
    centre, right, below = _moved(move, np.array([(x, y), (x + w / 2, y), (x, y + h / 2)]))
    side = hypot(*(right - centre)) + hypot(*(below - centre))
    return replace(die, box=(float(centre[0]) - side / 2, float(centre[1]) - side / 2, side, side))


def _same_dice(readings: Sequence[Sequence[Die]]) -> list[list[tuple[int, Die]]]:
    """The dice of several pictures grouped by die, as (picture, die); no group has two from one picture."""
    groups: list[list[tuple[int, Die]]] = []
    for n, dice in enumerate(readings):
        before = len(groups)
        near = sorted(
            (distance, d, g)
            for d, die in enumerate(dice)
            for g, group in enumerate(groups[:before])
            for distance in [min(dist(die.centre, other.centre) / other.width for _, other in group)]
            if distance < _SAME_DIE
        )
        of: dict[int, int] = {}
        for _, d, g in near:
            if d not in of and g not in of.values():
                of[d] = g
        for d, die in enumerate(dice):
            if d in of:
                groups[of[d]].append((n, die))
            else:
                groups.append([(n, die)])
    return groups


def _agreed(best: Die, group: Sequence[Die]) -> Die:
    """The die, uncertain if another picture is sure of another face or colour."""
    differs = any(not die.uncertain and (die.face, die.colour) != (best.face, best.colour) for die in group)
    return best.as_uncertain() if differs else best


def _paint(
    images: Sequence[Image], moves: Sequence[Doubles], size: tuple[int, int], dice: Sequence[tuple[int, Die]]
) -> Image:
    """The pictures laid over one another, each die from the picture in which it was read."""
    canvas = np.zeros((size[1], size[0], 3), np.uint8)
    free = np.full((size[1], size[0]), 255, np.uint8)
    for n, (image, move) in enumerate(zip(images, moves, strict=True)):
        warped = np.asarray(cv2.warpPerspective(image, move, size), np.uint8)
        there = cv2.warpPerspective(np.full(image.shape[:2], 255, np.uint8), move, size, flags=cv2.INTER_NEAREST)
        cv2.copyTo(warped, cv2.bitwise_and(there, free), canvas)
        free[there > 0] = 0
        for of, die in dice:
            if of == n:
                place = patch(canvas, die.box, round(_MARGIN * die.width))
                canvas[place][there[place] > 0] = warped[place][there[place] > 0]
    return canvas
