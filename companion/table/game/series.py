"""A series: several games of the same players, until one has won enough of them. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from companion.table.commands import Count


@dataclass(frozen=True, slots=True)
class Series:
    """A series, after the games won so far."""

    first_to: Count
    """How many games win it."""
    wins: dict[str, Count]
    """Each player's games won in this series."""
    winner: str | None = field(init=False)

    def __post_init__(self) -> None:
        won = [player for player, games in self.wins.items() if games >= self.first_to]
        object.__setattr__(self, "winner", won[0] if won else None)

    def after(self, players: Iterable[str], winner: str | None) -> Series:
        """The series with a game of these players that `winner` won; None if nobody did."""
        wins = {player: self.wins.get(player, 0) + (player == winner) for player in players}
        return Series(self.first_to, wins)


def next_series(before: Series | None, players: Iterable[str], first_to: int) -> Series | None:
    """The series of a new game. It goes on if the players and its length are the same, and nobody has won it."""
    wins = dict.fromkeys(players, 0)
    if first_to == 0:
        return None
    if before is not None and before.winner is None and before.first_to == first_to and set(before.wins) == set(wins):
        return Series(first_to, {player: before.wins[player] for player in wins})
    return Series(first_to, wins)
