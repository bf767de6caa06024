"""Replays a journal's events game by game, from its beginning or from that of a later game. Pure.

An undo reaches back to the previous game and no further. So a game is final once the second game after it is opened,
and all that matters from before a game that can still be undone fits into a few numbers: `GameBeginning`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec import Struct

from companion.table.game.events import Events, GameOpened
from companion.table.game.history import History, Step
from companion.table.game.table_position import Series, TablePosition
from companion.table.past.games import Game, game_of_steps, games_back


class GameBeginning(Struct, frozen=True):
    """Where the replay of a game begins, and the table's counters before it."""

    row: int = 1
    """The number of the first event. If the game's opening was undone and redone, that of the previous game."""
    steps: int = 0
    """See `History.steps`."""
    games: int = 0
    readings: int = 0
    reveals: int = 0
    first_to: int = 0
    """The length of the series that the game may continue; 0 if there is none."""
    wins: dict[str, int] = {}

    @classmethod
    def after(cls, history: History, row: int) -> GameBeginning:
        """The beginning of a game opened after `history`, by event `row`."""
        now = history.position.before_next_game()
        series = now.resumed
        first_to, wins = (0, {}) if series is None else (series.first_to, series.wins)
        return cls(row, history.steps, now.games, now.readings, now.reveals, first_to, wins)

    @property
    def history(self) -> History:
        series = Series(self.first_to, self.wins) if self.first_to else None
        position = TablePosition(games=self.games, readings=self.readings, reveals=self.reveals, resumed=series)
        return History(position, steps=self.steps)


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    opening: Step
    steps: list[Events] = field(repr=False)
    at: str
    """When it was opened, according to the journal."""
    beginning: GameBeginning
    last: bool
    """False if another game follows."""

    @property
    def number(self) -> int:
        return self.opening.before.games + 1

    @property
    def game(self) -> Game:
        return game_of_steps(self.steps, self.opening.before, last=self.last)


class GameReplay:
    """Replays one command at a time."""

    def __init__(self, since: GameBeginning | None = None) -> None:
        """`since`: None for the beginning of the journal."""
        self.since = since or GameBeginning()
        self.history = self.since.history
        self._begun: dict[int, tuple[str, GameBeginning]] = {}
        """Step of a game's opening -> when it was opened, and its beginning."""

    def step(self, row: int, at: str, line: Events) -> ReplayedGame | None:
        """Replay the events of a command, the first of which is in `row`. Returns the game that becomes final with it.

        Raises the same errors as `History.after`.
        """
        before, self.history = self.history, self.history.after(line)
        opening = self.history.last
        if opening is None or not isinstance(opening.events[0], GameOpened):
            return None
        if not isinstance(line[0], GameOpened):
            if opening.number in self._begun and self.history.position.games > before.position.games:  # redone
                earlier = next((self._begun[step.number][1] for step, _ in games_back(before)), self.since)
                self._begun[opening.number] = self._begun[opening.number][0], earlier
            return None
        self._begun[opening.number] = at, GameBeginning.after(before, row)
        games = self._games(before, last=False)
        if len(games) < 2:
            return None
        self._begun = {number: begun for number, begun in self._begun.items() if number > games[0].opening.number}
        return games[0]

    def games(self) -> list[ReplayedGame]:
        """The games that are not final, oldest first."""
        return self._games(self.history, last=True)

    def _games(self, history: History, *, last: bool) -> list[ReplayedGame]:
        found: list[ReplayedGame] = []
        for opening, steps in games_back(history):
            at, beginning = self._begun[opening.number]
            found.insert(0, ReplayedGame(opening, steps, at, beginning, last and not found))
        return found
