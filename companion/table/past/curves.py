"""How a company's players did from game to game. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

from companion.messages.sentence import Value
from companion.table.commands import Count
from companion.table.past.games import Game
from companion.table.past.statistics import DIGITS, statistics

LONGEST_CURVE: Final = 200
"""Points of a curve at most, the latest."""


class CurvePoint(Value, frozen=True):
    """A player's totals after a game."""

    number: Count
    """Which game of those counted, from 1."""
    won: Count
    luck: float
    """Dice above expectation under the player's bids that were called."""
    calls: float
    """Right dudos and calzas above expectation."""


class Curve(Value, frozen=True):
    """A player's totals, game by game. Only the games that the player was in have a point."""

    name: str
    points: tuple[CurvePoint, ...]


def curves(games: Sequence[Game]) -> tuple[Curve, ...]:
    """A curve for each player of `games`, which are in order, oldest first; the players as `statistics` has them."""
    won: Counter[str] = Counter()
    luck: defaultdict[str, float] = defaultdict(float)
    calls: defaultdict[str, float] = defaultdict(float)
    points: defaultdict[str, list[CurvePoint]] = defaultdict(list)
    for number, game in enumerate(games, start=1):
        for player in statistics([game]).players:
            name, said = player.name, (player.dudos, player.calzas)
            won[name] += player.won
            luck[name] += player.called.luck
            calls[name] += sum(each.right - each.expected for each in said)
            points[name].append(CurvePoint(number, won[name], round(luck[name], DIGITS), round(calls[name], DIGITS)))
    return tuple(Curve(each.name, tuple(points[each.name][-LONGEST_CURVE:])) for each in statistics(games).players)
