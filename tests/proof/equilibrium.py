"""The robots in the last duel, one die each, against whoever knows best how to beat them.

A game so small has an equilibrium that can be computed. Whoever plays it is sure of its value, whatever the other does;
by how much less a robot is sure of is its distance from it. It is found by CFR+ (Tammelin, *Solving Large Imperfect
Information Games Using CFR+*, 2014), and held against the published value of Dudo with one die each, -7/258 for the
opener (Neller and Lanctot, *An Introduction to Counterfactual Regret Minimization*, 2013).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Final

import click
import numpy as np

from companion.engine import FACES, PACO, RULESETS, Bid, GameStarted, Position
from companion.review.chances import Numbers
from companion.robots import ROBOTS, PlayerView, Robot
from tests.proof.report import Report
from vision.evaluation.figures import write_between

MOST: Final = 2
"""Dice of both together: no bid is weighed that needs more."""
PUBLISHED: Final = -7 / 258
"""The opener's value of Dudo with one die each: +1 for a win, -1 for a loss."""
STEPS: Final = 500
"""Of CFR+."""
DRAWS: Final = 20
"""How often a robot is asked in each position."""
EVEN: Final = np.full(6, 1 / 6)
"""The chances of a die."""
MARKS = "<!-- equilibrium -->", "<!-- /equilibrium -->"


@dataclass(eq=False)
class Node:
    """A position of the bidding. The choices are the bids `after` it and then dudo, but at the start."""

    bids: tuple[Bid, ...]
    held: Numbers | None
    """1 where the bid holds; own die x other die. None at the start."""
    after: list[Node]
    regrets: Numbers = field(init=False)
    """Own die x choices."""
    chosen: Numbers = field(init=False)
    """The same: how often, over all steps."""

    def __post_init__(self) -> None:
        choices = len(self.after) + (self.held is not None)
        self.regrets, self.chosen = np.zeros((6, choices)), np.zeros((6, choices))


def tree(bids_after: Callable[[tuple[Bid, ...]], Iterable[Bid]], *, wild: bool, bids: tuple[Bid, ...] = ()) -> Node:
    """The positions from `bids` on."""
    held = None
    if bids:
        last = bids[-1]
        pairs = product(FACES, repeat=2)
        held = np.array([sum(last.matches(die, wild=wild) for die in pair) >= last.count for pair in pairs], float)
        held = held.reshape(6, 6)
    return Node(bids, held, [tree(bids_after, wild=wild, bids=(*bids, bid)) for bid in bids_after(bids)])


def shares(found: Numbers) -> Numbers:
    """Each row as chances; even ones where there is nothing."""
    sums = found.sum(axis=1, keepdims=True)
    return np.asarray(np.where(sums > 0, found / np.where(sums > 0, sums, 1), 1 / found.shape[1]))


def solve(root: Node) -> None:
    """Leave the equilibrium in what is `chosen`."""

    def learn(node: Node, own: Numbers, other: Numbers, *, turn: bool, step: int) -> Numbers:
        """What each die of the player who learns is worth, weighed by `other`."""
        now = shares(node.regrets)
        if turn:
            found = [learn(child, own * now[:, n], other, turn=False, step=step) for n, child in enumerate(node.after)]
        else:
            found = [learn(child, own, other * now[:, n], turn=True, step=step) for n, child in enumerate(node.after)]
        if node.held is not None:
            wins = 1 - 2 * node.held
            found.append(wins @ other if turn else -wins @ (other * now[:, -1]))
        if not turn:
            return np.sum(found, axis=0)
        worths = np.stack(found, axis=1)
        worth = (now * worths).sum(axis=1)
        node.regrets = np.maximum(node.regrets + worths - worth[:, None], 0)
        node.chosen += step * own[:, None] * now
        return np.asarray(worth)

    for step in range(1, STEPS + 1):
        for opener in (True, False):
            learn(root, EVEN, EVEN, turn=opener, step=step)


def sure(root: Node, strategy: Callable[[Node], Numbers], *, opener: bool) -> float:
    """What `strategy` is sure of for the opener or the other: its value against the best reply."""

    def reply(node: Node, other: Numbers, *, turn: bool) -> Numbers:
        chances = None if turn else strategy(node)
        found = [
            reply(child, other if chances is None else other * chances[:, n], turn=not turn)
            for n, child in enumerate(node.after)
        ]
        if node.held is not None:
            wins = 1 - 2 * node.held
            found.append(wins @ other if chances is None else -wins @ (other * chances[:, -1]))
        return np.asarray(np.max(found, axis=0) if turn else np.sum(found, axis=0))

    return -float(reply(root, EVEN, turn=not opener) @ EVEN)


def average(node: Node) -> Numbers:
    """The equilibrium's chances."""
    return shares(node.chosen)


def published() -> Node:
    """Dudo: any higher claim, first by count, then by face with the paco highest."""
    claims = [Bid("", count, face) for count in (1, 2) for face in (*FACES[1:], PACO)]

    def higher(bids: tuple[Bid, ...]) -> list[Bid]:
        return claims[claims.index(bids[-1]) + 1 :] if bids else claims

    return tree(higher, wild=True)


def position_after(start: Position, bids: tuple[Bid, ...]) -> Position:
    for bid in bids:
        start = start.apply(bid)
    return start


def duel(start: Position) -> Node:
    """The last two dice by the rules of `start`."""

    def legal(bids: tuple[Bid, ...]) -> list[Bid]:
        position = position_after(start, bids)
        able = [Bid(str(position.turn), count, face) for face in FACES for count in range(1, MOST + 1)]
        return [bid for bid in able if position.is_legal(bid)]

    return tree(legal, wild=start.wild)


def strategy_of(robot: Robot, start: Position) -> Callable[[Node], Numbers]:
    """How `robot` plays, by asking it. A bid of more dice than there are counts as dudo, which is no worse."""
    known: dict[tuple[Bid, ...], Numbers] = {}

    def strategy(node: Node) -> Numbers:
        if node.bids not in known:
            position = position_after(start, node.bids)
            places = {(child.bids[-1].count, child.bids[-1].face): n for n, child in enumerate(node.after)}
            found = np.zeros_like(node.chosen)
            for row, die in enumerate(FACES):
                view = PlayerView(str(position.turn), (die,), position, node.bids)
                for draw in range(DRAWS):
                    call = robot.decide(view, random.Random(draw))
                    place = places.get((call.count, call.face), -1) if isinstance(call, Bid) else -1
                    found[row, place] += 1
            known[node.bids] = shares(found)
        return known[node.bids]

    return strategy


@click.command()
@click.option("--figures", type=click.Path(path_type=Path), help="Write the figures into this document.")
def attack(figures: Path | None) -> None:
    """Compare the robots in the last duel with the equilibrium."""
    report = Report()
    root = published()
    solve(root)
    value = sure(root, average, opener=True)
    report.check("the published value", abs(value - PUBLISHED) < 1e-3, f"{value:.5f}, {PUBLISHED:.5f}")
    lines = ["| duel of one die each | equilibrium | easy | medium | hard |", "|---|---|---|---|---|"]
    for name, palifico in (("a palifico round", "A"), ("pacos wild", None)):
        start = Position.start(GameStarted(RULESETS["asmodee-fr"], ("A", "B"), "A", False, {"A": 1, "B": 1}, palifico))
        root = duel(start)
        solve(root)
        gap = -sum(sure(root, average, opener=opener) for opener in (True, False))
        report.check(f"{name}: the equilibrium", gap < 2e-3, f"within {gap:.5f}")
        cells = [percent(sure(root, average, opener=opener) for opener in (True, False))]
        for strength, robot in ROBOTS.items():
            strategy = strategy_of(robot, start)
            cells.append(percent(sure(root, strategy, opener=opener) for opener in (True, False)))
            click.echo(f"     {name}, {strength}: sure of {cells[-1]}")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    if figures is not None:
        write_between(figures, *MARKS, "\n".join(lines))
    report.end()


def percent(values: Iterable[float]) -> str:
    """The chances of winning as opener and as the other."""
    return " / ".join(f"{(1 + value) / 2:.1%}" for value in values)
