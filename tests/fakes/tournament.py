"""A tournament played in memory: commands in, and every event through its JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from companion.club.tournament import commands
from companion.club.tournament.commands import AnyTournamentCommand
from companion.club.tournament.decide import decide_tournament
from companion.club.tournament.events import AnyTournamentEvent, TournamentFormat, event_json, event_of
from companion.club.tournament.standings import Standing, standings
from companion.club.tournament.tournament import DrawnRound, Tournament, evolve_tournament

Ranking = Callable[[Sequence[str]], Sequence[str]]
"""A table's players -> the same, the winner first."""


class PlayedTournament:
    """Holds the events, and the tournament they amount to."""

    def __init__(
        self,
        names: Sequence[str] = (),
        kind: TournamentFormat = TournamentFormat.SWISS,
        *,
        rounds: int = 5,
        table_size: int = 4,
        qualifiers: int = 2,
        seed: int = 1,
    ) -> None:
        self.random = Random(seed)
        self.events: list[AnyTournamentEvent] = []
        self._now: Tournament | None = None
        self.do(commands.OpenTournament("Club evening", kind, rounds, table_size, qualifiers))
        if names:
            self.do(commands.JoinTournament(tuple(names)))

    @property
    def now(self) -> Tournament:
        assert self._now is not None
        return self._now

    @property
    def last(self) -> DrawnRound:
        assert self.now.last_round is not None
        return self.now.last_round

    @property
    def standings(self) -> tuple[Standing, ...]:
        return standings(self.now)

    def do(self, *asked: AnyTournamentCommand) -> None:
        """Carry the commands out. Raises `ClubError` as they do."""
        for command in asked:
            for event in decide_tournament(self._now, command, self.random):
                stored = event_of(event_json(event))
                assert stored == event
                self.events.append(stored)
                self._now = evolve_tournament(self._now, stored)

    def draw(self, **how: bool) -> DrawnRound:
        self.do(commands.DrawRound(len(self.now.rounds) + (not how.get("again")), **how))
        return self.last

    def enter(
        self, table: int, *places: str | Sequence[str], of_round: int | None = None, absent: Sequence[str] = ()
    ) -> None:
        """Enter a result of the last round, or of another. A place is a name, or several that share it."""
        groups = tuple((place,) if isinstance(place, str) else tuple(place) for place in places)
        self.do(commands.EnterResult(of_round or self.last.number, table, groups, tuple(absent)))

    def finish_round(self, ranking: Ranking = sorted) -> None:
        """Enter all results of the last round that are missing."""
        for table in self.last.missing:
            self.enter(table, *ranking(self.last.seats[table]))

    def play_round(self, ranking: Ranking = sorted) -> DrawnRound:
        """Draw a round and enter all its results."""
        self.draw()
        self.finish_round(ranking)
        return self.last


def numbered(players: int) -> tuple[str, ...]:
    """ "P00", "P01", ..."""
    return tuple(f"P{number:02}" for number in range(players))
