"""Places of players, dice and objects, none inside another."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Point = tuple[float, float]
Rng = np.random.Generator
Points = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DieSquare:
    """A die seen from above, as a square."""

    x: float
    y: float
    yaw: float
    """Radians, anticlockwise."""
    edge: float
    """Millimetres."""

    def corners(self) -> Points:
        """4 x 2, anticlockwise."""
        h = self.edge / 2
        c, s = np.cos(self.yaw), np.sin(self.yaw)
        square = np.array([[-h, -h], [h, -h], [h, h], [-h, h]])
        return np.asarray(square @ np.array([[c, s], [-s, c]]) + (self.x, self.y))


def overlap(a: DieSquare, b: DieSquare) -> bool:
    """True if two squares overlap: no axis of either separates them."""
    if np.hypot(a.x - b.x, a.y - b.y) > (a.edge + b.edge) * 0.7072:
        return False
    pa, pb = a.corners(), b.corners()
    for yaw in (a.yaw, a.yaw + np.pi / 2, b.yaw, b.yaw + np.pi / 2):
        axis = np.array([np.cos(yaw), np.sin(yaw)])
        qa, qb = pa @ axis, pb @ axis
        if qa.max() <= qb.min() + 1e-6 or qb.max() <= qa.min() + 1e-6:
            return False
    return True


@dataclass(slots=True)
class TableLayout:
    """The occupied places on the table."""

    corners: Points
    """The visible part of the table, 4 x 2, in order round it."""
    dice: list[DieSquare] = field(default_factory=list)
    discs: list[tuple[float, float, float]] = field(default_factory=list)
    """x, y, radius of the other objects."""

    def inside(self, x: float, y: float, margin: float) -> bool:
        """True if a point is visible, at least `margin` millimetres inside the frame (or outside, if negative)."""
        a, b = self.corners, np.roll(self.corners, -1, 0)
        cross = (b[:, 0] - a[:, 0]) * (y - a[:, 1]) - (b[:, 1] - a[:, 1]) * (x - a[:, 0])
        away = cross / np.hypot(*(b - a).T)
        sign = np.sign(np.median(away))
        return bool((away * sign).min() >= margin)

    def free(self, x: float, y: float, radius: float) -> bool:
        """True if there is room for a disc."""
        return all(np.hypot(x - d.x, y - d.y) > radius + 0.71 * d.edge for d in self.dice) and all(
            np.hypot(x - u, y - v) > radius + r for u, v, r in self.discs
        )

    def lay(self, spot: DieSquare, margin: float) -> bool:
        """Lay a die if there is room, and return True."""
        if not self.inside(spot.x, spot.y, margin):
            return False
        if any(np.hypot(spot.x - u, spot.y - v) < r + 0.6 * spot.edge for u, v, r in self.discs):
            return False
        if any(overlap(spot, other) for other in self.dice):
            return False
        self.dice.append(spot)
        return True


def seat_places(players: int, ground: TableLayout, rng: Rng) -> list[Point]:
    """The middle of each player's dice, in order round the table."""
    middle = ground.corners.mean(0)
    half = (ground.corners.max(0) - ground.corners.min(0)) / 2
    start = rng.uniform(0, 2 * np.pi)
    places = []
    for k in range(players):
        angle = start + (k + rng.uniform(-0.22, 0.22)) * 2 * np.pi / players
        share = rng.uniform(0.45, 0.68)
        x = middle[0] + half[0] * share * np.cos(angle)
        y = middle[1] + half[1] * share * np.sin(angle)
        places.append((float(x), float(y)))
    return places


def throw_dice(count: int, seat: Point, edge: float, ground: TableLayout, rng: Rng) -> list[DieSquare]:
    """Up to `count` dice of one player: scattered, in a heap that touches, or in a row."""
    way = rng.choice(["strewn", "heap", "row"], p=[0.55, 0.25, 0.2])
    margin = edge * (0.75 if rng.uniform() < 0.9 else -0.3)
    laid: list[DieSquare] = []
    yaw = rng.uniform(0, np.pi / 2)
    along = np.array([np.cos(yaw), np.sin(yaw)])
    spread = edge * rng.uniform(1.2, 2.6)
    for k in range(count):
        for attempt in range(60):
            spot = _strewn(seat, edge, spread * (1 + attempt / 30), rng)
            if attempt < 30 and laid and way == "heap":
                spot = _beside(laid[int(rng.integers(len(laid)))], rng)
            elif attempt == 0 and way == "row":
                gap = float(rng.choice([0.0, rng.uniform(0, 0.25)]))
                shift = along * (k - (count - 1) / 2) * edge * (1 + gap)
                spot = DieSquare(
                    seat[0] + float(shift[0]), seat[1] + float(shift[1]), yaw + rng.normal(0, 0.03) * gap, edge
                )
            if ground.lay(spot, margin):
                laid.append(spot)
                break
    return laid


def _strewn(seat: Point, edge: float, spread: float, rng: Rng) -> DieSquare:
    x, y = rng.normal(0, spread, 2)
    return DieSquare(seat[0] + float(x), seat[1] + float(y), float(rng.uniform(0, 2 * np.pi)), edge)


def _beside(other: DieSquare, rng: Rng) -> DieSquare:
    """Face to face with another die, shifted along it; or rotated, a hair away."""
    side = other.yaw + rng.integers(4) * np.pi / 2
    out = np.array([np.cos(side), np.sin(side)])
    slide = np.array([-out[1], out[0]]) * rng.uniform(-0.6, 0.6) * other.edge
    if rng.uniform() < 0.6:
        reach, yaw = other.edge * 1.0005, other.yaw
    else:
        yaw = other.yaw + rng.uniform(-0.7, 0.7)
        turn = abs(yaw - other.yaw)
        reach = other.edge * (0.5 + 0.5 * (np.cos(turn) + np.sin(turn))) * 1.001
    x, y = np.array([other.x, other.y]) + out * reach + slide
    return DieSquare(float(x), float(y), float(yaw), other.edge)


def standing_place(radius: float, near: Point | None, spread: float, ground: TableLayout, rng: Rng) -> Point | None:
    """Room for a disc, near a point or anywhere visible; None if there is none."""
    low, high = ground.corners.min(0), ground.corners.max(0)
    for _ in range(40):
        if near is None:
            x, y = (float(v) for v in rng.uniform(low, high))
        else:
            x, y = (float(v) for v in np.add(near, rng.normal(0, spread, 2)))
        if ground.inside(x, y, -0.7 * radius) and ground.free(x, y, radius):
            ground.discs.append((x, y, radius))
            return x, y
    return None
