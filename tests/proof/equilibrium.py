"""The robots in the last duel, one die each, against whoever knows best how to beat them.

A game so small has an equilibrium that can be computed: `companion.robots.duel` does. Whoever plays it is sure of its
value, whatever the other does; by how much less a robot is sure of is its distance from it. The reckoning is held
against the published value of Dudo with one die each, -7/258 for the opener (Neller and Lanctot, *An Introduction to
Counterfactual Regret Minimization*, 2013).
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import click
import numpy as np

from companion.engine import FACES, PACO, RULESETS, Bid, Dudo, GameStarted, Position
from companion.review.bid_probabilities import Numbers
from companion.robots import ROBOTS, PlayerView, Robot
from companion.robots.duel import EVEN, CountAndFace, Strategy, Tree, duel, solve, tree
from tests.proof.report import Report
from vision.evaluation.document_section import write_between

PUBLISHED: Final = -7 / 258
"""The opener's value of Dudo with one die each: +1 for a win, -1 for a loss."""
DRAWS: Final = 60
"""How often a robot is asked in each position."""
MARKS = "<!-- equilibrium -->", "<!-- /equilibrium -->"


def published() -> Tree:
    """Dudo: any higher claim, first by count, then by face with the paco highest; no calza."""
    claims = [(count, face) for count in (1, 2) for face in (*FACES[1:], PACO)]

    def expand(last: int) -> tuple[dict[CountAndFace, int], list[Numbers | None]]:
        following = {claims[place]: place for place in range(last + 1, len(claims))}
        if last < 0:
            return following, [None, None]
        bid = Bid("", *claims[last])
        matches = np.array([bid.matches(die, wild=True) for die in FACES], dtype=int)
        return following, [np.where(matches[:, None] + matches < bid.count, 1.0, -1.0), None]

    return tree(-1, expand)


def sure(game: Tree, strategy: Strategy, *, opener: bool) -> float:
    """What `strategy` is sure of for the opener or the other, from -1 to 1: its value against the best reply."""
    size = len(game.parents)
    levels = [slice(*ends) for ends in zip(game.depths, game.depths[1:], strict=False)]
    reach = np.tile(EVEN, (size, 1))
    for depth, here in enumerate(levels[1:]):
        reach[here] = reach[game.parents[here]] * (strategy.bids[here] if (depth % 2 == 0) == opener else 1)
    worth = np.zeros((size, 6))
    """What each die of who replies is worth, weighed by `reach`."""
    for depth in reversed(range(len(levels))):
        for place in range(game.depths[depth], game.depths[depth + 1]):
            raised = worth[game.following(place)]
            if (depth % 2 == 0) == opener:
                said = reach[place] * strategy.calls[place]
                worth[place] = raised.sum(axis=0) - sum(game.worths[place, n].T @ said[n] for n in (0, 1))
            else:
                called = [game.worths[place, n] @ reach[place] for n in np.flatnonzero(game.able[place])]
                worth[place] = np.max([*raised, *called], axis=0)
    return -float(worth[0] @ EVEN)


def strategy_of(robot: Robot, start: Position, game: Tree) -> Strategy:
    """How `robot` plays, by asking it. A bid of more dice than there are counts as dudo, which is no worse."""
    asked = Strategy(np.zeros_like(game.worths[:, 0, 0]), np.zeros_like(game.worths[:, :, 0]))

    def ask(place: int, position: Position, bids: tuple[Bid, ...]) -> None:
        following = {game.bids[n]: n for n in game.following(place)}
        for column, die in enumerate(FACES):
            view = PlayerView(str(position.turn), (die,), position, bids)
            for draw in range(DRAWS):
                call = robot.decide(view, random.Random(draw))
                if isinstance(call, Bid) and (call.count, call.face) in following:
                    asked.bids[following[call.count, call.face], column] += 1
                else:
                    asked.calls[place, int(not isinstance(call, Bid | Dudo)), column] += 1
        for made, n in following.items():
            assert made is not None  # only the start has no bid
            bid = Bid(view.player, *made)
            ask(n, position.apply(bid), (*bids, bid))

    ask(0, start, ())
    return game.chances(asked)


@click.command()
@click.option("--figures", type=click.Path(path_type=Path), help="Write the figures into this document.")
def attack(figures: Path | None) -> None:
    """Compare the robots in the last duel with the equilibrium."""
    report = Report()
    game = published()
    found = solve(game)
    low, high = sure(game, found, opener=True), -sure(game, found, opener=False)
    report.check(
        "the published value", low < PUBLISHED < high < low + 0.02, f"{low:.5f} < {PUBLISHED:.5f} < {high:.5f}"
    )
    lines = ["| duel of one die each | equilibrium | easy | medium | hard |", "|---|---|---|---|---|"]
    for name, palifico in (("a palifico round", "A"), ("pacos wild", None)):
        start = Position.start(GameStarted(RULESETS["asmodee-fr"], ("A", "B"), "A", False, {"A": 1, "B": 1}, palifico))
        game = duel(start)
        found = solve(game)
        gap = -sum(sure(game, found, opener=opener) for opener in (True, False))
        report.check(f"{name}: the equilibrium", gap < 2e-3, f"within {gap:.5f}")
        cells = [percent(sure(game, found, opener=opener) for opener in (True, False))]
        for strength, robot in ROBOTS.items():
            strategy = strategy_of(robot, start, game)
            cells.append(percent(sure(game, strategy, opener=opener) for opener in (True, False)))
            click.echo(f"     {name}, {strength}: sure of {cells[-1]}")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    if figures is not None:
        write_between(figures, *MARKS, "\n".join(lines))
    report.end()


def percent(values: Iterable[float]) -> str:
    """The chances of winning as opener and as the other."""
    return " / ".join(f"{(1 + value) / 2:.1%}" for value in values)
