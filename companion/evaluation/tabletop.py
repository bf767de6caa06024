"""Actions of people at a drawn table: they throw, peek, lift cups, push objects, and lose dice."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import numpy as np

from companion.evaluation.layout import CUP_RADIUS, Layout, Point, TableSeat
from companion.evaluation.props import CupLook, DiceSet, DieLook, HandLook, View, draw_cup, draw_hand, draw_thing
from companion.evaluation.stage import Cutout, Item, Lamp, Motion, Placed, Stage, nothing
from vision.evaluation.pairs import TrueDie

FLAT, DICE, TALL = range(3)
"""Layers."""
THING_SECONDS: Final = 1.5
"""Duration of pushing an object or putting it down."""
_HAND_TALL: Final = 1.5
"""Height of a hand above the table, in die edges."""
_CUP_ASIDE: Final = (5.2, 6.6)
"""Die edges from the dice to where their cup is put down."""
_TURN: Final = math.radians(15)
"""Step between the directions in which hands are drawn."""
_MOST_HANDS: Final = 16
"""The number of drawn hands in the cache."""

Rng = np.random.Generator
Keys = tuple[tuple[float, float, float], ...]
"""Times from 0 to 1, and the position at each."""


@dataclass(slots=True)
class Guest:
    """A player at the table."""

    name: str
    colour: str
    seat: TableSeat
    cup: CupLook
    hand: HandLook
    cup_at: Point
    cup_up: bool = False
    """The cup stands with its mouth upwards."""
    in_picture: bool = True
    """True if the cup is in the picture."""
    dice: tuple[str, ...] = ()
    """Names of the dice on the table."""

    @property
    def cup_name(self) -> str:
        """The cup's name on the stage."""
        return f"cup {self.name}"


@dataclass(slots=True)
class LostDie:
    """A die out of the game, in the middle."""

    name: str
    face: int
    colour: str
    at: Point
    yaw: float
    seed: int


@dataclass(slots=True)
class LooseThing:
    """Another object on the table."""

    name: str
    cutout: Cutout
    at: Point
    radius: float
    layer: float


@dataclass(slots=True)
class Tabletop:
    """The table and everything on it. Times are seconds of the evening."""

    stage: Stage
    layout: Layout
    view: View
    lamp: Lamp
    dice_set: DiceSet
    rng: Rng
    guests: dict[str, Guest]
    lost: list[LostDie] = field(default_factory=list)
    things: list[LooseThing] = field(default_factory=list)
    _numbers: int = 0
    _hands: dict[tuple[str, int, int], Cutout] = field(default_factory=dict)

    @property
    def edge(self) -> float:
        """Edge of a die in pixels."""
        return self.layout.edge

    # Dice and cups

    def throw(self, faces: Mapping[str, Sequence[int]]) -> None:
        """Put dice under cups at once; players who are not named have left with theirs."""
        self.stage.take_all([die for guest in self.guests.values() for die in guest.dice])
        for guest in self.guests.values():
            guest.dice = ()
            if guest.name not in faces:
                self.stage.take(guest.cup_name)
                guest.in_picture = False
        laid: dict[str, Item] = {}
        for name, shown in faces.items():
            guest, items, cup_at = self._thrown(name, shown)
            guest.cup_at, guest.cup_up, guest.in_picture = cup_at, False, True
            laid |= items | {guest.cup_name: self._cup_item(guest)}
        self.stage.put_all(laid)

    def collect(self, name: str, faces: Sequence[int], begin: float) -> float:
        """Move the player's cup over the open dice, take them away, and return with a new throw. Returns the end
        time."""
        guest, items, cup_at = self._thrown(name, faces, keep=True)
        old, aside, up, there = guest.dice, guest.cup_at, guest.cup_up, guest.in_picture
        guest.dice, guest.cup_at, guest.cup_up, guest.in_picture = tuple(items), cup_at, False, True
        over, outside = (guest.seat.x, guest.seat.y), guest.seat.away(self._beyond(guest.seat) + 8 * self.edge)
        if not there:
            aside, up = outside, False
        lengths = self.rng.uniform((0.5, 0.4, 0.6, 0.5, 0.4), (0.9, 0.6, 1.4, 0.8, 0.6))
        times = [begin, *(begin + float(t) for t in np.cumsum(lengths))]
        angle = guest.seat.out + math.pi
        cover = self._carry(guest, ((0, *outside), (0.5, *aside), (1, *over)), angle, grip=0.5, up=up, cup=aside)
        leave = self._carry(guest, ((0, *over), (1, *outside)), angle, cup=over)
        bring = self._carry(guest, ((0, *outside), (1, *cup_at)), angle, cup=outside)
        go = self._hand_motion(guest, ((0, *cup_at), (1, *outside)), angle)

        def put() -> None:
            self.stage.put_all(items | {guest.cup_name: self._cup_item(guest)})

        take = partial(self.stage.take, guest.cup_name) if there else nothing
        self.stage.motions += [
            Motion(times[0], times[1], cover, take, partial(self.stage.take_all, old)),
            Motion(times[1], times[2], leave),
            Motion(times[3], times[4], bring, done=put),
            Motion(times[4], times[5], go),
        ]
        return times[5]

    def lift(self, name: str, begin: float, seconds: float) -> float:
        """Lift the player's cup and put it aside. Returns the end time."""
        guest = self.guests[name]
        start = guest.cup_at
        aside, up = self._aside(guest), bool(self.rng.uniform() < 0.3)
        outside = guest.seat.away(self._beyond(guest.seat) + 8 * self.edge)
        gone = aside is None
        guest.cup_at, guest.cup_up, guest.in_picture = aside or outside, up and not gone, not gone
        angle = guest.seat.out + math.pi + float(self.rng.normal(0, 0.2))
        first, second = begin + 0.3 * seconds, begin + 0.75 * seconds
        reach = self._hand_motion(guest, ((0, *outside), (1, *start)), angle)
        carry = self._carry(guest, ((0, *start), (1, *guest.cup_at)), angle, cup=start, high=2.5)
        leave = self._hand_motion(guest, ((0, *guest.cup_at), (1, *outside)), angle)
        take = partial(self.stage.take, guest.cup_name)
        self.stage.motions += [
            Motion(begin, first, reach),
            Motion(first, second, carry, take, nothing if gone else partial(self._stand, guest)),
            Motion(second, begin + seconds, leave),
        ]
        return begin + seconds

    def peek(self, name: str, begin: float, seconds: float) -> None:
        """Tilt the player's cup to look at the dice."""
        guest = self.guests[name]
        shift = -float(self.rng.uniform(0.5, 1.3)) * CUP_RADIUS * self.edge
        turn = float(self.rng.normal(0, 0.4))
        x, y = guest.cup_at
        there = x + shift * math.cos(guest.seat.out + turn), y + shift * math.sin(guest.seat.out + turn)
        hand = there[0] - self.edge * math.cos(guest.seat.out), there[1] - self.edge * math.sin(guest.seat.out)
        outside = guest.seat.away(self._beyond(guest.seat) + 8 * self.edge)
        angle = guest.seat.out + math.pi + turn
        reach = self._hand_motion(guest, ((0, *outside), (1, *guest.cup_at)), angle)
        tilt = self._carry(guest, ((0, x, y), (0.15, *hand), (0.85, *hand), (1, x, y)), angle, cup=(x, y), high=1.0,
                           flat=True)  # fmt: skip
        leave = self._hand_motion(guest, ((0, *guest.cup_at), (1, *outside)), angle)
        first, second = begin + 0.4, begin + seconds - 0.4
        take = partial(self.stage.take, guest.cup_name)
        self.stage.motions += [
            Motion(begin, first, reach),
            Motion(first, second, tilt, take, partial(self._stand, guest)),
            Motion(second, begin + seconds, leave),
        ]

    # Lost dice

    def lose(self, colour: str, face: int) -> LostDie | None:
        """Lay a die of this colour in the middle; None if there is no room left."""
        place = self.layout.lost_place(self._taken_in_the_middle(), self.rng)
        if place is None:
            return None
        die = LostDie(self._name("lost"), face, colour, place, self._angle(), int(self.rng.integers(2**31)))
        self.lost.append(die)
        self._lay_lost(die)
        return die

    def lose_by_hand(self, name: str, die: LostDie, begin: float) -> None:
        """Let a hand lay down a lost die that is not visible yet."""
        self.stage.take(die.name)
        self._visit(self.guests[name], die.at, begin, 1.4, die)

    def regain(self, colour: str) -> None:
        """Give back a lost die of this colour."""
        for die in [die for die in self.lost if die.colour == colour][:1]:
            self.lost.remove(die)
            self.stage.take(die.name)

    def push_lost(self, begin: float | None) -> int:
        """Push one or several lost dice by 1 to 4 cm, at once without `begin`. Returns their number."""
        if not self.lost:
            return 0
        one = self.lost[int(self.rng.integers(len(self.lost)))]
        near = sorted(self.lost, key=lambda die: math.dist(die.at, one.at))
        some = near[: int(self.rng.integers(1, min(4, len(near)) + 1))]
        far, turn = self.edge * float(self.rng.uniform(0.65, 2.5)), self._angle()
        dx, dy = far * math.cos(turn), far * math.sin(turn)
        others = [die.at for die in self.lost if die not in some] + self._thing_points()
        moved = {die.name: (die.at[0] + dx, die.at[1] + dy) for die in some}
        if not all(self.layout.is_lost_place(place, others) for place in moved.values()):
            return 0
        guest = self._anybody()
        at = one.at
        before = [self._die_placed(die) for die in some]
        for die in some:
            die.at, die.yaw = moved[die.name], die.yaw + float(self.rng.normal(0, 0.4))
        if begin is None:
            for die in some:
                self._lay_lost(die)
            return len(some)
        motion = self._hand_motion(
            guest, self._there_and_back(guest, at, (at[0] + dx, at[1] + dy)), self._towards(guest, at)
        )

        def draw(progress: float) -> list[Placed]:
            share = float(np.interp(progress, (0.4, 0.6), (0, 1)))
            slid = [Placed(each.cutout, each.left + round(share * dx), each.top + round(share * dy)) for each in before]
            return [*slid, *motion(progress)]

        def put() -> None:
            for die in some:
                self._lay_lost(die)

        names = [die.name for die in some]
        self.stage.motions.append(Motion(begin, begin + THING_SECONDS, draw, lambda: self.stage.take_all(names), put))
        return len(some)

    # Objects and hands

    def lay_thing(self, kind: str, *, begin: float | None = None) -> bool:
        """Put an object down, by hand at `begin` or at once. Returns True if there is room."""
        cutout, long = draw_thing(kind, self.edge, self._angle(), (0.0, 0.0), self.lamp, self.rng)
        place = self.layout.thing_place(long / 2, self._obstacles(), self.rng)
        if place is None:
            return False
        layer = TALL if kind in ("glass", "mug") else FLAT
        thing = LooseThing(self._name(kind), cutout, place, long / 2, layer)
        self.things.append(thing)
        if begin is None:
            self.stage.put(thing.name, Item(Placed.at(cutout, *place), layer))
            return True
        guest = self._anybody()
        outside = guest.seat.away(self._beyond(guest.seat) + 10 * self.edge)
        self._move_thing(thing, guest, outside, place, begin)
        return True

    def push_thing(self, begin: float) -> bool:
        """Push an object by 1 to 4 cm. Returns True if there is one with room."""
        if not self.things:
            return False
        thing = self.things[int(self.rng.integers(len(self.things)))]
        far, turn = self.edge * float(self.rng.uniform(0.65, 2.5)), self._angle()
        place = thing.at[0] + far * math.cos(turn), thing.at[1] + far * math.sin(turn)
        obstacles = [each for each in self._obstacles() if each[0] != thing.at]
        seats = [((guest.seat.x, guest.seat.y), (CUP_RADIUS + 0.9) * self.edge) for guest in self.guests.values()]
        if any(math.dist(place, other) < thing.radius + reach for other, reach in [*obstacles, *seats]):
            return False
        was = thing.at
        thing.at = place
        self._move_thing(thing, self._anybody(), was, place, begin)
        return True

    def visit(self, begin: float, seconds: float, at: Point | None = None) -> None:
        """Move a hand in, keep it there for a while, and move it out."""
        guest = self._anybody()
        if at is None:
            x, y = (side * float(self.rng.uniform(0.2, 0.8)) for side in self.layout.size)
            at = (0.5 * x + 0.5 * guest.seat.x, 0.5 * y + 0.5 * guest.seat.y)
        self._visit(guest, at, begin, seconds)

    def rest(self, begin: float, seconds: float) -> bool:
        """Rest a hand on the edge of the table for a while, where it hides no die. Returns True if there is room."""
        dice = [item.die.box for item in self.stage.items.values() if item.die is not None]
        for _ in range(30):
            x, y = (float(self.rng.uniform(0, side)) for side in self.layout.size)
            across, down = (v / side - 0.5 for v, side in zip((x, y), self.layout.size, strict=True))
            angle = math.pi * round(math.atan2(-down, -across) / math.pi * 2) / 2 + float(self.rng.normal(0, 0.3))
            tip = x + 4.5 * self.edge * math.cos(angle), y + 4.5 * self.edge * math.sin(angle)
            arm = self._until_edge((x, y), angle + math.pi)
            root = x - arm * math.cos(angle), y - arm * math.sin(angle)
            middles = [(left + width / 2, top + height / 2) for left, top, width, height in dice]
            if arm < 5 * self.edge and all(_beside(middle, tip, root) > 4 * self.edge for middle in middles):
                outside = root[0] - 6 * self.edge * math.cos(angle), root[1] - 6 * self.edge * math.sin(angle)
                share = 0.4 / seconds
                keys = ((0.0, *outside), (share, x, y), (1 - share, x, y), (1.0, *outside))
                motion = self._hand_motion(self._anybody(), keys, angle)
                self.stage.motions.append(Motion(begin, begin + seconds, motion))
                return True
        return False

    # Internal

    def _thrown(self, name: str, faces: Sequence[int], *, keep: bool = False) -> tuple[Guest, dict[str, Item], Point]:
        guest = self.guests[name]
        poses, cup_at = self.layout.throw(guest.seat, len(faces), self.rng)
        items = {}
        for face, (x, y, turn) in zip(faces, poses, strict=True):
            seed = int(self.rng.integers(2**31))
            items[self._name("die")] = self._die_item(guest.colour, face, (x, y), turn, seed, lost=False)
        if not keep:
            guest.dice = tuple(items)
        return guest, items, cup_at

    def _die_item(self, colour: str, face: int, at: Point, yaw: float, seed: int, *, lost: bool) -> Item:
        look: DieLook = self.dice_set.draw(colour, face, yaw, self.view.away(*at), self.edge, self.lamp, seed)
        x, y, width, height = look.box
        die = TrueDie(face, colour, (at[0] + x, at[1] + y, width, height), lost)
        # Lower layers farther from the camera: a die leans over the one behind it.
        return Item(Placed.at(look.cutout, *at), DICE - 0.1 * math.hypot(*self.view.away(*at)), die)

    def _lost_item(self, die: LostDie) -> Item:
        return self._die_item(die.colour, die.face, die.at, die.yaw, die.seed, lost=True)

    def _lay_lost(self, die: LostDie) -> None:
        self.stage.put(die.name, self._lost_item(die))

    def _die_placed(self, die: LostDie) -> Placed:
        item = self.stage.items.get(die.name)
        return item.placed if item is not None else self._lost_item(die).placed

    def _cup_item(self, guest: Guest) -> Item:
        return Item(draw_cup(guest.cup, self.view, self.lamp, *guest.cup_at, up=guest.cup_up), TALL)

    def _stand(self, guest: Guest) -> None:
        """Put the player's cup where it is now."""
        self.stage.put(guest.cup_name, self._cup_item(guest))

    def _aside(self, guest: Guest) -> Point | None:
        """Where to put the cup so that it hides no die; None for outside the picture."""
        dice = [item.die for item in self.stage.items.values() if item.die is not None]
        centres = [(die.box[0] + die.box[2] / 2, die.box[1] + die.box[3] / 2) for die in dice]
        centres += [die.at for die in self.lost]  # including the target of one being pushed
        others = [(other.cup_at, CUP_RADIUS * self.edge) for other in self.guests.values()
                  if other is not guest and other.in_picture]  # fmt: skip
        things = [(thing.at, thing.radius) for thing in self.things]
        for _ in range(12):
            far = self.edge * float(self.rng.uniform(*_CUP_ASIDE))
            place = guest.seat.away(far, float(self.rng.uniform(-2.0, 2.0)))
            x, y, nearer = self.view.seen(*place, guest.cup.top(0.0))
            room = (CUP_RADIUS * nearer + 1.1) * self.edge
            # Between its mouth and its foot, which the camera sees farther out, the wall hides the table.
            free = all(_beside(die, place, (x, y)) > room for die in centres)
            seats = ((other.seat.x, other.seat.y) for other in self.guests.values() if other is not guest)
            if (
                free
                and all(math.dist(place, seat) > 2 * CUP_RADIUS * self.edge for seat in seats)
                and all(math.dist(place, other) > CUP_RADIUS * self.edge + reach for other, reach in [*others, *things])
            ):
                return place
        return None

    def _obstacles(self) -> list[tuple[Point, float]]:
        dice = [(die.at, 0.9 * self.edge) for die in self.lost]
        cups = [(guest.cup_at, CUP_RADIUS * 1.5 * self.edge) for guest in self.guests.values() if guest.in_picture]
        return [*dice, *cups, *((thing.at, thing.radius) for thing in self.things)]

    def _taken_in_the_middle(self) -> list[Point]:
        return [die.at for die in self.lost] + self._thing_points()

    def _thing_points(self) -> list[Point]:
        """Points covered by objects, about a die apart."""
        points = []
        for thing in self.things:
            steps = np.arange(-thing.radius, thing.radius + 1, self.edge)
            points += [(thing.at[0] + float(u), thing.at[1] + float(v)) for u in steps for v in steps]
        return points

    def _move_thing(self, thing: LooseThing, guest: Guest, start: Point, end: Point, begin: float) -> None:
        keys = self._there_and_back(guest, start, end)
        motion = self._hand_motion(guest, keys, self._towards(guest, end), below=0.5)

        def draw(progress: float) -> list[Placed]:
            share = float(np.interp(progress, (0.4, 0.6), (0, 1)))
            x, y = (a + share * (b - a) for a, b in zip(start, end, strict=True))
            return [Placed.at(thing.cutout, x, y, exact=False), *motion(progress)]

        put = Item(Placed.at(thing.cutout, *end), thing.layer)
        self.stage.motions.append(
            Motion(
                begin,
                begin + THING_SECONDS,
                draw,
                lambda: self.stage.take(thing.name),
                lambda: self.stage.put(thing.name, put),
            )
        )

    def _visit(self, guest: Guest, at: Point, begin: float, seconds: float, die: LostDie | None = None) -> None:
        """Move a hand in, let it stay, and move it out; it leaves `die` there, if given."""
        outside = self._outside(guest, at)
        move = min(0.45, seconds / 3)
        angle = self._towards(guest, at)
        come = self._hand_motion(guest, ((0, *outside), (1, *at)), angle)
        stay = self._hand_motion(guest, ((0, *at), (1, *at)), angle)
        go = self._hand_motion(guest, ((0, *at), (1, *outside)), angle)
        lay = nothing if die is None else partial(self._lay_lost, die)
        first, second = begin + move, begin + seconds - move
        self.stage.motions += [
            Motion(begin, first, come),
            Motion(first, second, stay, done=lay),
            Motion(second, begin + seconds, go),
        ]

    def _carry(
        self, guest: Guest, keys: Keys, angle: float, *, cup: Point, grip: float = 0.0, high: float = 2.0,
        up: bool = False, flat: bool = False,
    ) -> Callable[[float], list[Placed]]:  # fmt: skip
        """A hand that moves along `keys` with the cup, which it picks up at the time `grip`."""
        hand = self._hand_motion(guest, keys, angle, below=0.6 * guest.cup.tall / self.edge)

        def draw(progress: float) -> list[Placed]:
            share = float(np.interp(progress, (grip, 1), (0, 1)))
            x, y = _along(keys, progress) if progress >= grip else cup
            shape = (0, 0.15, 0.85, 1) if flat else (0, 0.4, 0.6, 1)
            lift = high * self.edge * float(np.interp(share, shape, (0, 1, 1, 0)))
            return [draw_cup(guest.cup, self.view, self.lamp, x, y, lift, up=up and share < 0.4), *hand(progress)]

        return draw

    def _hand_motion(
        self, guest: Guest, keys: Keys, angle: float, below: float = 0.0
    ) -> Callable[[float], list[Placed]]:
        """A hand that moves along `keys`; `below`: the height of what it holds, in die edges."""
        places = [key[1:] for key in keys]
        inner = [place for place in places if self._inside(place)] or places
        arm = max(self._until_edge(place, angle + math.pi) for place in inner) + 4 * self.edge

        def draw(progress: float) -> list[Placed]:
            x, y, _ = self.view.seen(*_along(keys, progress), (_HAND_TALL + below) * self.edge)
            return [Placed.at(self._hand(guest, angle, arm), x, y, exact=False)]

        return draw

    def _hand(self, guest: Guest, angle: float, arm: float) -> Cutout:
        """The hand in one of a few directions, because drawing it is slow."""
        key = guest.name, round(angle / _TURN), math.ceil(arm / (4 * self.edge))
        if key not in self._hands:
            while len(self._hands) >= _MOST_HANDS:
                del self._hands[next(iter(self._hands))]
            self._hands[key] = draw_hand(guest.hand, self.edge, key[1] * _TURN, key[2] * 4 * self.edge, self.lamp)
        return self._hands[key]

    def _there_and_back(self, guest: Guest, start: Point, end: Point) -> Keys:
        outside = self._outside(guest, end)
        begin = start if self._inside(start) else outside
        return (0, *outside), (0.4, *begin), (0.6, *end), (1, *outside)

    def _outside(self, guest: Guest, at: Point) -> Point:
        angle = self._towards(guest, at) + math.pi
        far = self._until_edge(at, angle) + 8 * self.edge
        return at[0] + far * math.cos(angle), at[1] + far * math.sin(angle)

    def _towards(self, guest: Guest, at: Point) -> float:
        """The direction in which the player's hand reaches for a point."""
        x, y = guest.seat.away(9 * self.edge)
        return math.atan2(at[1] - y, at[0] - x)

    def _beyond(self, seat: TableSeat) -> float:
        return self._until_edge((seat.x, seat.y), seat.out)

    def _inside(self, at: Point) -> bool:
        return all(0 <= v <= side for v, side in zip(at, self.layout.size, strict=True))

    def _until_edge(self, at: Point, angle: float) -> float:
        """The distance from a point to the edge of the picture."""
        way = math.cos(angle), math.sin(angle)
        far = [((side if step > 0 else 0) - v) / step
               for v, step, side in zip(at, way, self.layout.size, strict=True) if abs(step) > 1e-6]  # fmt: skip
        return max(0.0, min(far))

    def _anybody(self) -> Guest:
        guests = list(self.guests.values())
        return guests[int(self.rng.integers(len(guests)))]

    def _angle(self) -> float:
        return float(self.rng.uniform(0, 2 * math.pi))

    def _name(self, kind: str) -> str:
        self._numbers += 1
        return f"{kind} {self._numbers}"


def _along(keys: Keys, progress: float) -> Point:
    times = [key[0] for key in keys]
    x, y = (float(np.interp(progress, times, [key[k] for key in keys])) for k in (1, 2))
    return x, y


def _beside(point: Point, one: Point, other: Point) -> float:
    """The distance of a point from the line between two others."""
    return min(
        math.dist(point, (one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1])))
        for share in np.linspace(0, 1, 9).tolist()
    )
