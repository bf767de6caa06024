"""Where dice lie, alone, in rows, chains and heaps: none in another. Centimetres and radians. numpy alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from vision.training.blender.colours import Floats, Rng
from vision.training.blender.faces import AXES, DieBody, Shape
from vision.training.blender.palms import Capsule

Disc = tuple[Floats, float, float]
"""Where something stands, its radius and its height."""


@dataclass(slots=True)
class Maker:
    """What dice of one player, or of one maker, share."""

    colour: str
    kind: str
    """`solid`, `marbled`, `pearl`, `translucent` or `speckled`."""
    ace: str
    size: float
    """Of its edge."""
    shape: Shape
    body: DieBody
    data: Any = None
    """Blender's mesh."""


def _upright() -> dict[int, Floats]:
    turns = {}
    for axis, (out, _, _) in enumerate(AXES):
        n = out.astype(float)
        if axis == 4:
            turns[axis] = np.eye(3)
        elif axis == 5:
            turns[axis] = np.diag([1.0, -1, -1])
        else:
            about = np.cross(n, np.array([0, 0, 1.0]))
            cross = np.array([[0, -about[2], about[1]], [about[2], 0, -about[0]], [-about[1], about[0], 0]])
            turns[axis] = np.eye(3) + cross + cross @ cross
    return turns


UPRIGHT: Final = _upright()
"""The turn that brings each face up."""


class Die:
    """A die on the table."""

    def __init__(self, rng: Rng, maker: Maker, yaw: float) -> None:
        self.maker, self.yaw, self.size = maker, yaw, maker.size
        self.place: Floats = np.zeros(2)
        self.axis = int(rng.integers(6))
        self.value = maker.body.values[self.axis]

    def corners(self) -> Floats:
        """4 x 2, anticlockwise, seen from above."""
        c, s, h = math.cos(self.yaw), math.sin(self.yaw), self.size / 2
        x0, y0 = self.place
        return np.array([(x0 + c * x - s * y, y0 + s * x + c * y) for x, y in ((h, h), (-h, h), (-h, -h), (h, -h))])

    def matrix(self) -> Floats:
        """4 x 4: where the body lies and how it is turned; a hair above the table."""
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        whole = np.eye(4)
        whole[:3, :3] = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ UPRIGHT[self.axis]
        whole[:3, 3] = [*self.place, self.size / 2 + 0.002]
        return whole

    def points(self) -> Floats:
        """Enough of its surface for its outline."""
        matrix = self.matrix()
        body = self.maker.body.points[::7] * self.size / 2
        return np.asarray(body @ matrix[:3, :3].T + matrix[:3, 3])


def gap(a: Floats, b: Floats) -> float:
    """How far two rectangles lie apart, or less; negative when they overlap."""
    best = -1e9
    for corners in (a, b):
        for i in range(2):
            axis = corners[i + 1] - corners[i]
            axis = axis / np.hypot(*axis)
            p, q = a @ axis, b @ axis
            best = max(best, q.min() - p.max(), p.min() - q.max())
    return best


def free(die: Die, others: Sequence[Die], margin: float = 0.0) -> bool:
    """Whether it lies in none of the others."""
    corners = die.corners()
    for other in others:
        near = np.hypot(*(other.place - die.place)) < (other.size + die.size) * 0.72 + margin + 0.1
        if near and gap(corners, other.corners()) < margin:
            return False
    return True


def touch(rng: Rng, die: Die, base: Die, others: Sequence[Die], tries: int) -> bool:
    """Slide a die towards `base` till they all but touch; false if it would lie in another."""
    for _ in range(tries):
        askew = 0 if rng.random() < 0.35 else rng.uniform(-0.8, 0.8)
        die.yaw = base.yaw + askew + rng.integers(4) * math.pi / 2
        side: Any = 0
        if rng.random() < 0.45:
            a = base.yaw + rng.integers(4) * math.pi / 2
            side = np.array([-math.sin(a), math.cos(a)]) * rng.normal(0, 0.25) * die.size
        else:
            a = rng.uniform(0, 6.283)
        way = np.array([math.cos(a), math.sin(a)])
        low, high = 0.0, (die.size + base.size) * 0.8
        slit = rng.uniform(0.002, 0.02)
        for _ in range(18):
            middle = (low + high) / 2
            die.place = base.place + side + way * middle
            if gap(die.corners(), base.corners()) < slit:
                low = middle
            else:
                high = middle
        die.place = base.place + side + way * high
        if gap(die.corners(), base.corners()) >= 0 and free(die, others):
            return True
    return False


def _anywhere(_: Floats) -> bool:
    return True


def group(
    rng: Rng,
    dice: list[Die],
    pick: Callable[[], Maker],
    centre: Floats,
    count: int,
    mode: str,
    spread: float,
    allowed: Callable[[Floats], bool] = _anywhere,
) -> None:
    """Add `count` dice about a centre, as a `row`, `chain`, `heap` or `loose`; fewer where there is no room."""
    new: list[Die] = []
    yaw = rng.uniform(0, 6.283)
    for i in range(count):
        for t in range(60):
            die = Die(rng, pick(), rng.uniform(0, 6.283))
            if mode == "row":
                rng.random(2)  # drawn for nothing: without it the same seed would give other pictures than it gave
                along = np.array([math.cos(yaw), math.sin(yaw)])
                step = (i - (count - 1) / 2) * (die.size + spread * 0.12 + 0.02)
                die.place = centre + along * step + rng.normal(0, 0.06, 2)
                die.yaw = yaw + rng.normal(0, 0.08)
            elif mode == "chain" and new and t < 40:
                if not touch(rng, die, new[rng.integers(len(new))], dice + new, 4):
                    continue
            else:
                r = spread * math.sqrt(rng.uniform(0, 1)) * (1 + t / 40)
                a = rng.uniform(0, 6.283)
                die.place = centre + r * np.array([math.cos(a), math.sin(a)])
                leans = mode == "heap" and new and rng.random() < 0.35 and t < 30
                if leans and not touch(rng, die, new[rng.integers(len(new))], dice + new, 4):
                    continue
            if allowed(die.place) and free(die, dice + new, 0.004 if mode == "heap" else 0.0):
                new.append(die)
                break
    dice += new


def carried(capsules: Sequence[Capsule], where: Floats, yaw: float) -> list[Capsule]:
    """Capsules built about the origin, turned and carried there."""
    c, s = math.cos(yaw), math.sin(yaw)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    shift = np.array([*where, 0])
    return [(turn @ p + shift, turn @ q + shift, a, b) for p, q, a, b in capsules]


@dataclass(slots=True)
class Taken:
    """What of the table is taken."""

    dice: list[Die] = field(default_factory=list)
    discs: list[Disc] = field(default_factory=list)

    def hit(self, where: Floats, radius: float) -> bool:
        """Whether something that stands there would stand in another."""
        if any(np.hypot(*(die.place - where)) < radius + die.size * 0.71 + 0.1 for die in self.dice):
            return True
        return any(np.hypot(*(place - where)) < radius + other + 0.2 for place, other, _ in self.discs)

    def reached(self, capsules: Sequence[Capsule], but: Floats | None = None) -> bool:
        """Whether a hand would go through a die or a thing, other than the one that stands at `but`."""
        discs = [d for d in self.discs if but is None or np.hypot(*(d[0] - but)) > 0.1]
        for p, q, start, end in capsules:
            way = q - p
            square = way[:2] @ way[:2] + 1e-9
            for die in self.dice:
                t = np.clip((die.place - p[:2]) @ way[:2] / square, 0, 1)
                middle, radius = p + way * t, start + (end - start) * t
                wide = math.sqrt(max(radius * radius - max(middle[2] - die.size, 0) ** 2, 0))
                above = np.hypot(*(die.place - middle[:2]))
                if middle[2] - radius < die.size + 0.05 and above < wide + die.size * 0.72:
                    return True
            for place, other, height in discs:
                t = np.clip((place - p[:2]) @ way[:2] / square, 0, 1)
                middle, radius = p + way * t, start + (end - start) * t
                if middle[2] - radius < height and np.hypot(*(place - middle[:2])) < other + radius:
                    return True
        return False
