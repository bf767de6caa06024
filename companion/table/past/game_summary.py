"""The summary of a game: its row in the list of past games, and its part of the statistics. Pure.

It is kept in the database, and made again from the events if its `VERSION` is not the current one: increase that
whenever a summary's meaning or computation changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from companion.table.game.events import GameOpened
from companion.table.past.games import Ending, Game
from companion.table.past.statistics import GameFigures, game_figures

VERSION: Final = 2


class GameSummary(Struct, frozen=True, kw_only=True):
    number: int
    imported: bool
    """True for an imported game; imported games are numbered separately."""
    at: str
    """When it was opened or imported: ISO 8601, UTC, from a clock that may have been wrong."""
    clock_set: bool
    """True if the box's clock had been set when it was opened; otherwise `at` is meaningless."""
    players: tuple[str, ...]
    """Clockwise."""
    ruleset: str
    """The id of the book."""
    rounds: int
    ending: Ending
    winner: str | None
    abandoned: bool
    named: GameOpened | None
    """Its opening if its house rules have a name, else None."""
    figures: GameFigures

    @property
    def key(self) -> str:
        return game_key(self.number, imported=self.imported)


def game_key(number: int, *, imported: bool) -> str:
    """The key in addresses and on the command line: "3" is the third game played here, "r1" the first imported one."""
    return f"r{number}" if imported else str(number)


def game_summary(game: Game, at: str, *, imported: bool = False) -> GameSummary:
    opened = game.opened
    return GameSummary(
        number=game.number,
        imported=imported,
        at=at,
        clock_set=game.clock_set,
        players=game.players,
        ruleset=game.ruleset.id,
        rounds=game.round_count,
        ending=game.ending,
        winner=game.winner,
        abandoned=game.abandoned,
        named=opened if opened is not None and opened.rules_name else None,
        figures=game_figures(game),
    )


def past_games(found: Iterable[GameSummary], hidden: Mapping[int, int]) -> list[GameSummary]:
    """The games to list and count: those that have ended, without `hidden` ones and those without a bid."""
    return [
        each
        for each in found
        if not each.abandoned and each.ending is not Ending.PLAYING and (each.imported or each.number not in hidden)
    ]


def of_company(games: Iterable[GameSummary], names: Iterable[str]) -> list[GameSummary]:
    """The games played by exactly these players, in any order."""
    company = set(names)
    return [game for game in games if set(game.players) == company]
