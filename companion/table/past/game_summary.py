"""What a game comes to: its row in the list of past games, and its part of the statistics. Pure.

It is kept in the database, and made again from the events when `VERSION` is another one: whoever changes what it says,
or reckons it in another way, raises that.
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
    """What a game comes to."""

    number: int
    imported: bool
    """Imported games have numbers of their own."""
    at: str
    """When it was opened or imported: ISO 8601, UTC, by a clock that may have been wrong."""
    clock_set: bool
    """Whether the box's clock had been set when it was opened, so that `at` is a date."""
    players: tuple[str, ...]
    """Clockwise."""
    ruleset: str
    """The id of the book."""
    rounds: int
    ending: Ending
    winner: str | None
    abandoned: bool
    named: GameOpened | None
    """Its opening, if its house rules have a name."""
    figures: GameFigures

    @property
    def key(self) -> str:
        return game_key(self.number, imported=self.imported)


def game_key(number: int, *, imported: bool) -> str:
    """Its name in addresses and on the command line: "3" is the third game played here, "r1" the first imported one."""
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
    """Those to be listed and counted: the games that have ended, without `hidden` ones and those of no bid."""
    return [
        each
        for each in found
        if not each.abandoned and each.ending is not Ending.PLAYING and (each.imported or each.number not in hidden)
    ]


def of_company(games: Iterable[GameSummary], names: Iterable[str]) -> list[GameSummary]:
    """The games played by exactly these players, in any order."""
    company = set(names)
    return [game for game in games if set(game.players) == company]
