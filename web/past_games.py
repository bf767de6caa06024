"""The past games, for everybody: a list, the story and review of each, and statistics.

The current game is not included, nor is a game with hidden dice as long as an undo can reopen it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from flask import request
from werkzeug.exceptions import NotFound

from companion.engine import RULESETS
from companion.messages.message import Message, Part, parts_of
from companion.messages.sentence import Value, json_bytes
from companion.table import Table
from companion.table.commands import Count
from companion.table.journal.saved_games import summary_of
from companion.table.past.game_review import GameReview, game_review
from companion.table.past.game_summary import GameSummary, of_company, past_games
from companion.table.past.games import Ending, Game
from companion.table.past.highlights import Highlights, highlights
from companion.table.past.statistics import Curve, Statistics, curves, totals
from companion.table.past.story import story
from web.access.wrong_codes import network_of
from web.endpoints import TEXT, Schema, get, query
from web.errors import RequestError
from web.parts import Parts

GAMES_PER_PAGE = 20


class PastGame(Value, frozen=True, kw_only=True):
    """A game that has ended."""

    game: str
    """Its number; `r1` is the first imported one."""
    begun: str
    """ISO 8601, UTC, from the box's clock, which may have been wrong. For an imported game, the time of the import."""
    clock_set: bool
    """True if the box's clock had been set when it began; otherwise `begun` is meaningless."""
    players: tuple[str, ...]
    """Clockwise."""
    ruleset: str
    book: str
    """The title of the rulebook."""
    said: tuple[Part, ...]
    """The parts of the title."""
    rounds: Count
    ending: Ending
    winner: str | None
    imported: bool


class PastGames(Value, frozen=True, kw_only=True):
    """A page of the list of past games, newest first."""

    games: tuple[PastGame, ...]
    page: Count
    pages: Count
    """The number of pages, at least 1."""


class PastGameStory(Value, frozen=True, kw_only=True):
    """A past game: its story, highlights, statistics and record."""

    game: PastGame
    story: tuple[str, ...]
    said: tuple[tuple[Part, ...], ...]
    """The parts of each line of the story."""
    highlights: Highlights
    statistics: Statistics
    record: tuple[tuple[str, ...], ...]
    """The lines of each part of the record."""


class PastCompany(Value, frozen=True, kw_only=True):
    """A group of people who played together, without others."""

    players: tuple[str, ...]
    games: Count
    game: str
    """Their latest game, which identifies them in `/statistics`."""


class PastStatistics(Value, frozen=True, kw_only=True):
    """The players' results in past games, compared with chance."""

    company: tuple[str, ...] | None
    """The players whose games these are; None for all games."""
    statistics: Statistics
    curves: tuple[Curve, ...]
    """In the order of the statistics' players."""
    companies: tuple[PastCompany, ...]
    """Every company whose statistics can be requested, latest first."""


class PastGamesArchive:
    """The past games of `table`."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def version(self) -> int:
        return self._table.past_version()

    def games(self) -> list[GameSummary]:
        """Oldest first: imported games, then those played here.

        Raises `JournalError`, and `RequestError` while many are being summarized again.
        """
        hidden = self._table.hidden_games()  # read first, because older games never become hidden
        found = self._table.past.ready()
        if found is None:
            raise RequestError(
                Message("All games are being counted again, as after an update. Try again in a few minutes."),
                code="busy",
                headers={"Retry-After": "10"},
            )
        return past_games(found, hidden)

    def game(self, key: str) -> tuple[GameSummary, Game]:
        """The game with that key. Raises `NotFound`."""
        hidden = self._table.hidden_games()
        found = self._table.past.game(key)
        if found is None or not past_games([summary := summary_of(found)], hidden):
            raise NotFound
        return summary, found.game

    def page(self, page: int) -> PastGames:
        """A page of the list. Raises `NotFound` if it does not exist."""
        games = self.games()[::-1]
        pages = max(1, -(-len(games) // GAMES_PER_PAGE))
        if page > pages:
            raise NotFound
        shown = games[(page - 1) * GAMES_PER_PAGE : page * GAMES_PER_PAGE]
        return PastGames(games=tuple(map(_past_game, shown)), page=page, pages=pages)

    def story(self, key: str) -> PastGameStory:
        """The story of a game. Raises `NotFound`."""
        summary, game = self.game(key)
        paragraphs = story(game)
        return PastGameStory(
            game=_past_game(summary),
            story=tuple(map(str, paragraphs)),
            said=tuple(paragraph.parts for paragraph in paragraphs),
            highlights=highlights(game),
            statistics=totals([summary.figures]),
            record=game.record,
        )

    def review(self, key: str) -> GameReview:
        """The review of a game. Raises `NotFound`."""
        return game_review(self.game(key)[1])

    def statistics(self, key: str | None) -> PastStatistics:
        """The statistics of the company that played the game `key`; None for all games. Raises `NotFound`."""
        every = self.games()
        company = None if key is None else next((each.players for each in every if each.key == key), None)
        if key is not None and company is None:
            raise NotFound
        figures = [each.figures for each in (every if company is None else of_company(every, company))]
        found, lines = totals(figures), {curve.name: curve for curve in curves(figures)}
        return PastStatistics(
            company=company,
            statistics=found,
            curves=tuple(lines[player.name] for player in found.players),
            companies=tuple(_companies(every)),
        )


def _past_game(game: GameSummary) -> PastGame:
    book = RULESETS[game.ruleset].name
    return PastGame(
        game=game.key,
        begun=game.at,
        clock_set=game.clock_set,
        players=game.players,
        ruleset=game.ruleset,
        book=book,
        said=parts_of(book),
        rounds=game.rounds,
        ending=game.ending,
        winner=game.winner,
        imported=game.imported,
    )


def _companies(games: Sequence[GameSummary]) -> Iterable[PastCompany]:
    together: dict[frozenset[str], list[GameSummary]] = {}
    for each in reversed(games):
        together.setdefault(frozenset(each.players), []).append(each)
    for played in together.values():
        yield PastCompany(players=played[0].players, games=len(played), game=played[0].key)


_NUMBER_OF_PAGE: Final[Schema] = {"type": "integer", "minimum": 1}


class PastGamesEndpoints:
    def __init__(self, parts: Parts) -> None:
        self._table, self._access, self._answers = parts.table, parts.access, parts.answers
        self._archive = PastGamesArchive(parts.table)

    @get(
        "games",
        answers=PastGames,
        parameters=(
            query(
                "page", {"type": "integer", "minimum": 1}, f"The page of the list; {GAMES_PER_PAGE} games are on each."
            ),
        ),
        refuses=(404, 503),
    )
    def games(self) -> bytes:
        """The past games, newest first, without the current one."""
        page = _page(request.args.get("page", "1"))
        return self._answer(("games", page), lambda: self._archive.page(page))

    @get("games/{game}", answers=PastGameStory, refuses=(404, 503))
    def past_game(self, game: str) -> bytes:
        """A past game: its story, statistics and record."""
        return self._answer(("game", game), lambda: self._archive.story(game))

    @get("games/{game}/review", answers=GameReview, refuses=(404, 409, 503))
    def review(self, game: str) -> bytes:
        """What could have been known and done in a past game. Not while a game is being played."""
        if self._table.state().playing:  # it must not help in the current game
            raise RequestError(
                Message("Games are reviewed when the game that is being played is over."), code="wrong-phase"
            )
        return self._answer(("review", game), lambda: self._archive.review(game))

    @get(
        "statistics",
        answers=PastStatistics,
        parameters=(query("company", TEXT, "A past game: only games of exactly its players. Without it, all."),),
        refuses=(404, 503),
    )
    def statistics(self) -> bytes:
        """The players' results in past games, compared with chance, and their totals from game to game."""
        key = request.args.get("company")
        return self._answer(("statistics", key), lambda: self._archive.statistics(key))

    def _answer(self, name: tuple[str, object], work_out: Callable[[], Value]) -> bytes:
        phone = self._access.visitor(request).phone
        by = network_of(request.remote_addr or "") if phone is None else phone.id
        version = self._archive.version
        return self._answers.get(name, lambda: json_bytes(work_out()), version, by=by, joined=phone is not None)


def _page(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 7 and int(text) > 0:
        return int(text)
    raise RequestError("A page is a number, from 1.")
