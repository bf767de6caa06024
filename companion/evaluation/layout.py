"""The places of players, dice and objects on the table. Lengths are pixels, y downwards."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.training.traced.layout import DieSquare, overlap

SEAT_MARGIN: Final = 3.0
"""Die edges from the middle of a player's dice to the edge of the picture."""
CUP_RADIUS: Final = 2.4
"""Radius of a cup's mouth in die edges."""
_UNDER_CUP: Final = 1.65
"""Greatest distance, in die edges, from a cup's centre to a die under it."""
_DIE_ROOM: Final = 1.06
"""Side, in die edges, of the square that a die occupies: dice touch but do not overlap."""
_SEATS_APART: Final = 5.4
"""Least distance, in die edges, between the middles of two players' dice."""
_LOST_ROOM: Final = 3.4
"""Least distance, in die edges, of a lost die from the middle of a player's dice, so that no cup covers it."""
_MIDDLE: Final = 0.8
"""Lost dice lie within this share of the oval's area."""

Point = tuple[float, float]
Pose = tuple[float, float, float]
"""The centre of a die and its rotation in radians."""
Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class TableSeat:
    """The middle of a player's dice, and the direction away from the table."""

    x: float
    y: float
    out: float
    """Radians, clockwise from the right."""

    def away(self, distance: float, turn: float = 0.0) -> Point:
        """The point at this distance; `turn` radians off the outward direction."""
        return self.x + distance * math.cos(self.out + turn), self.y + distance * math.sin(self.out + turn)


@dataclass(frozen=True, slots=True)
class Layout:
    """The places on a table for dice of one size."""

    size: tuple[int, int]
    """Width and height of the picture."""
    edge: float
    """Of a die."""
    seats: tuple[TableSeat, ...]
    """Clockwise."""

    @classmethod
    def of(cls, size: tuple[int, int], edge: float, players: int, turn: float) -> Layout:
        """Seats on an oval as wide as the picture allows; the first at the angle `turn`."""
        width, height = size
        half_x, half_y = (side / 2 - SEAT_MARGIN * edge for side in size)
        seats = []
        for n in range(players):
            angle = turn + 2 * math.pi * n / players
            x, y = half_x * math.cos(angle), half_y * math.sin(angle)
            seats.append(TableSeat(width / 2 + x, height / 2 + y, math.atan2(y, x)))
        return cls(size, edge, tuple(seats))

    @property
    def fits(self) -> bool:
        """True if the cups fit beside one another."""
        half_x, half_y = (side / 2 - SEAT_MARGIN * self.edge for side in self.size)
        return min(half_x, half_y) >= CUP_RADIUS * self.edge and all(
            math.dist((one.x, one.y), (other.x, other.y)) >= _SEATS_APART * self.edge
            for n, one in enumerate(self.seats)
            for other in self.seats[:n]
        )

    @property
    def has_middle(self) -> bool:
        """True if there is room for lost dice in the middle."""
        middle = self.size[0] / 2, self.size[1] / 2
        return all(math.dist((seat.x, seat.y), middle) > (_LOST_ROOM + 1.5) * self.edge for seat in self.seats)

    def throw(self, seat: TableSeat, count: int, rng: Rng) -> tuple[list[Pose], Point]:
        """Dice under a cup near the seat, and the cup's place."""
        jitter = 0.3 * self.edge
        x, y = seat.x + float(rng.normal(0, jitter)), seat.y + float(rng.normal(0, jitter))
        x, y = (min(max(v, SEAT_MARGIN * self.edge), side - SEAT_MARGIN * self.edge)
                for v, side in zip((x, y), self.size, strict=True))  # fmt: skip
        room = _DIE_ROOM * self.edge
        while True:  # start again if no room is left for a die
            dice: list[Pose] = []
            for _ in range(60):
                if len(dice) == count:
                    return dice, (x, y)
                radius, turn = _UNDER_CUP * self.edge * math.sqrt(rng.uniform()), rng.uniform(0, 2 * math.pi)
                die = x + radius * math.cos(turn), y + radius * math.sin(turn), float(rng.uniform(0, 2 * math.pi))
                if not any(overlap(DieSquare(*die, room), DieSquare(*other, room)) for other in dice):
                    dice.append(die)

    def lost_place(self, taken: Iterable[Point], rng: Rng) -> Point | None:
        """A free place in the middle for a lost die, often beside others; None if there is none."""
        taken = list(taken)
        for place in self._middle(taken, rng):
            if self.is_lost_place(place, taken):
                return place
        return None

    def is_lost_place(self, place: Point, taken: Iterable[Point]) -> bool:
        """True if a lost die can lie there: where no cup stands, and beside the others."""
        seats = ((seat.x, seat.y) for seat in self.seats)
        # inside the oval of the seats: outside it, cups lean over the table
        inside = sum(self._from_middle(place)) < _MIDDLE
        return inside and _apart(place, seats, _LOST_ROOM * self.edge) and _apart(place, taken, 1.2 * self.edge)

    def _from_middle(self, place: Point) -> tuple[float, float]:
        """The squared distance from the middle, across and down, relative to the seats' half axes."""
        (x, y), (width, height), margin = place, self.size, SEAT_MARGIN * self.edge
        return ((x - width / 2) / (width / 2 - margin)) ** 2, ((y - height / 2) / (height / 2 - margin)) ** 2

    def thing_place(self, reach: float, taken: Iterable[tuple[Point, float]], rng: Rng) -> Point | None:
        """A free place for an object with this radius. taken: what lies there, each with its radius."""
        taken = list(taken)
        for _ in range(60):
            place = float(rng.uniform(0, self.size[0])), float(rng.uniform(0, self.size[1]))
            seats = ((seat.x, seat.y) for seat in self.seats)
            if _apart(place, seats, (CUP_RADIUS + 0.9) * self.edge + reach) and all(
                math.dist(place, other) > reach + far + 0.3 * self.edge for other, far in taken
            ):
                return place
        return None

    def _middle(self, taken: list[Point], rng: Rng) -> Iterator[Point]:
        for _ in range(80):
            if taken and rng.uniform() < 0.6:
                x, y = taken[int(rng.integers(len(taken)))]
                far, turn = self.edge * rng.uniform(1.25, 2.0), rng.uniform(0, 2 * math.pi)
                yield x + far * math.cos(turn), y + far * math.sin(turn)
            else:
                x, y = (side / 2 + float(rng.normal(0, 0.16 * side)) for side in self.size)
                yield x, y


def _apart(place: Point, others: Iterable[Point], distance: float) -> bool:
    return all(math.dist(place, other) >= distance for other in others)
