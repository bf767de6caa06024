"""A table twice: with the cups down, and after they went up; deterministic for a seed.

In both, lost dice lie in the middle. Between the pictures hands and cups move, objects are pushed by 1 to 4 cm, the
mast sways by two pixels and the camera changes its exposure. Patterned cloths are frequent.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.training.traced import game_table, layout
from vision.training.traced.camera import CameraResponse
from vision.training.traced.objects import clutter, surfaces
from vision.training.traced.objects.clutter import Rng, Thing
from vision.training.traced.objects.mesh import Floats

MOST_LOST = 7
PUSHED_SHARE = 0.2
"""How often an object or a lost die is pushed between the pictures."""
CUP_ROOM = 62.0
"""Least distance in millimetres between a player's die and a lost one, so that no cup stood on a lost die."""
SWAY = 2.0
"""The most pixels that the mast sways."""


@dataclass(frozen=True, slots=True)
class TracedPair:
    before: game_table.TracedScene
    """With the cups down: only lost dice are visible."""
    after: game_table.TracedScene
    sway: tuple[float, float, float]
    """The shift of the earlier picture: right and down in pixels, and a rotation in radians."""

    @property
    def expected(self) -> dict[str, int]:
        """Colour -> the number of dice in play."""
        return dict(Counter(die.colour for die in self.after.dice if not die.lost))


def swayed(light: Floats, sway: tuple[float, float, float]) -> Floats:
    """A picture's light as the camera sees it after the mast has swayed."""
    height, width = light.shape[:2]
    move = cv2.getRotationMatrix2D((width / 2, height / 2), float(np.rad2deg(sway[2])), 1.0)
    move[:, 2] += sway[:2]
    return np.asarray(
        cv2.warpAffine(light, move, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)
    )


def _push(rng: Rng) -> tuple[float, float]:
    """Ten to forty millimetres in any direction."""
    away, angle = rng.uniform(10, 40), rng.uniform(0, 2 * np.pi)
    return float(away * np.cos(angle)), float(away * np.sin(angle))


def _pushed_die(die: game_table.TracedDie, rng: Rng) -> game_table.TracedDie:
    x, y = _push(rng)
    return replace(die, mesh=die.mesh.moved(np.eye(3), (x, y, 0)))


def _apart(die: game_table.TracedDie, others: list[game_table.TracedDie], distance: float) -> bool:
    here = die.mesh.points[:, :2].mean(0)
    return all(float(np.linalg.norm(here - other.mesh.points[:, :2].mean(0))) > distance for other in others)


def _exposed_anew(response: CameraResponse, rng: Rng) -> CameraResponse:
    gains = tuple(float(g * np.exp(rng.normal(0, 0.03))) for g in response.gains)
    return replace(
        response,
        key=float(response.key * np.exp(rng.normal(0, 0.2))),
        gains=(gains[0], gains[1], gains[2]),
        quality=int(rng.integers(72, 96)),
        seed=int(rng.integers(2**31)),
    )


def _cups(
    dice: list[game_table.TracedDie], colours: list[str], table_layout: layout.TableLayout, rng: Rng
) -> tuple[list[Thing], list[Thing]]:
    """The cups over the players' dice, and the same cups where they stand or lie afterwards."""
    down, up = [], []
    plain, own_colour = clutter.random_colour(rng), rng.uniform() < 0.4
    for player, colour in enumerate(colours):
        seat = np.mean([d.mesh.points[:, :2].mean(0) for d in dice if d.player == player and not d.lost], axis=0)
        shade = game_table.random_body_colour(colour, rng) if own_colour else plain
        state = rng.bit_generator.state
        cup = clutter.cup(shade, rng, lying=False)
        down.append(cup.moved(rng.uniform(0, 2 * np.pi), float(seat[0]), float(seat[1])))
        if rng.uniform() < 0.35:
            rng.bit_generator.state = state
            cup = clutter.cup(shade, rng, lying=True)
        at = layout.standing_place(cup.reach, (float(seat[0]), float(seat[1])), 75, table_layout, rng)
        if at and rng.uniform() < 0.85:
            up.append(cup.moved(rng.uniform(0, 2 * np.pi), *at))
    return down, up


def _hand(seat: layout.Point, rng: Rng) -> Thing:
    place = np.array(seat)
    out = place / max(float(np.linalg.norm(place)), 1.0)
    tip = place + out * rng.uniform(-10, 90) + rng.normal(0, 12, 2)
    angle = float(np.arctan2(-out[1], -out[0]) + rng.normal(0, 0.3))
    return clutter.hand(rng).moved(angle, float(tip[0]), float(tip[1]), rng.uniform(40, 90))


def make_pair(seed: int, index: int) -> TracedPair:
    """Pair number `index` of this seed."""
    rng = np.random.default_rng([seed, index, 0x9A12])
    edge = float(rng.uniform(14, 17))
    view = game_table.random_view(rng, edge)
    table_layout = layout.TableLayout(view.corners().astype(np.float64))
    lost = int(rng.integers(0, MOST_LOST + 1)) if rng.uniform() < 0.7 else 0
    dice, places, colours = game_table.throw_all(view, edge, table_layout, rng, lost)
    colours = [colour for k, colour in enumerate(colours) if any(d.player == k and not d.lost for d in dice)]
    playing = sorted({d.player for d in dice if not d.lost})
    numbers = {player: k for k, player in enumerate(playing)}
    dice = [replace(d, player=numbers.get(d.player, -1)) for d in dice]
    dice = [d for d in dice if not d.lost or _apart(d, [o for o in dice if not o.lost], CUP_ROOM)]
    down, up = _cups(dice, colours, table_layout, rng)
    makers = (clutter.phone, clutter.cards, clutter.glass, clutter.snack, clutter.snack)
    before_things, after_things = [], []
    for _ in range(int(rng.integers(0, 6))):
        thing = makers[int(rng.integers(len(makers)))](rng)
        at = layout.standing_place(thing.reach, None, 0, table_layout, rng)
        if at:
            turn = rng.uniform(0, 2 * np.pi)
            push = _push(rng) if rng.uniform() < PUSHED_SHARE else (0.0, 0.0)
            before_things.append(thing.moved(turn, at[0] + push[0], at[1] + push[1]))
            after_things.append(thing.moved(turn, *at))
    before_dice = []
    for die in (d for d in dice if d.lost):
        other = _pushed_die(die, rng) if rng.uniform() < PUSHED_SHARE else die
        before_dice.append(
            other if other is die or _apart(other, [d for d in dice if d is not die], 1.5 * edge) else die
        )
    hands = [_hand(places[k], rng) for k in range(len(places)) if rng.uniform() < 0.3]
    names = list(surfaces.TABLE_SURFACES)
    weights = np.array([share for _, share in surfaces.TABLE_SURFACES.values()])
    weights[names.index("patterned")] += 0.4
    kind = str(rng.choice(names, p=weights / weights.sum()))
    top, same = game_table.table_top(view, kind, colours, rng)
    pushed = sum(a is not b for a, b in zip((d for d in dice if d.lost), before_dice, strict=True))
    more: dict[str, str | float] = {"lost dice": len(before_dice), "pushed": pushed}
    parts = (top, *game_table.parts_of(after_things, up))
    after = game_table.lit_scene(view, edge, dice, parts, kind, rng, players=len(places), same=same, more=more)
    parts = (top, *game_table.parts_of(before_things, down, hands))
    before = replace(after, dice=tuple(before_dice), parts=parts, response=_exposed_anew(after.response, rng))
    sway = (float(rng.uniform(-SWAY, SWAY)), float(rng.uniform(-SWAY, SWAY)), float(rng.normal(0, 0.0004)))
    return TracedPair(before, after, sway)
