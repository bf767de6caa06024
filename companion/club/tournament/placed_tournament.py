"""A tournament placed at the club's tables: who plays where, and what a table's record means for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from msgspec.structs import replace

from companion.club.tournament.commands import EnterResult, TakeBackResult
from companion.club.tournament.knock_out import round_name
from companion.club.tournament.tournament import DrawnRound, Tournament
from companion.member.payloads import Assignment, RecordEvent
from companion.table.past.games import Ending

FEWEST_DRAWN: Final = 2
"""With fewer of the players drawn there, it was another game."""


@dataclass(frozen=True)
class PlacedTournament:
    """A tournament, with the ids of the club's tables."""

    tournament: Tournament
    placement: tuple[str, ...] = ()
    """The club's tables with the numbers 1, 2 and so on; may be shorter than a draw."""
    ended: Mapping[str, tuple[int, RecordEvent]] = field(default_factory=dict)
    """Table -> the last game that ended there without giving a result, and its round."""

    def table(self, number: int) -> str | None:
        """The table with this number, from 1."""
        return self.placement[number - 1] if number <= len(self.placement) else None

    def assignments(self) -> dict[str, Assignment]:
        """Table -> its players in the last round, unless it has a result."""
        last = self.tournament.last_round
        if last is None or self.tournament.closed:
            return {}
        seats = round_assignments(self.tournament, last.number)
        placed = {table: seats[n] for n, table in enumerate(self.placement, start=1) if n in last.missing}
        return {table: each for table, each in placed.items() if each.players}

    def waits_for(self, table: str) -> tuple[DrawnRound, int] | None:
        """The last round and the table's number in it, if its result is missing."""
        last = self.tournament.last_round
        if last is None or self.tournament.closed or table not in self.placement:
            return None
        number = self.placement.index(table) + 1
        return (last, number) if number in last.missing else None

    def command(self, table: str, record: RecordEvent) -> EnterResult | TakeBackResult | None:
        """The command that a table's record leads to; None if it is not a game of this tournament."""
        for drawn in reversed(self.tournament.rounds):
            for number, result in drawn.results.items():
                if result.game == record.game:
                    if record.ending is Ending.PLAYING:
                        return TakeBackResult(drawn.number, number)
                    return replace(result_of_record(drawn, number, record, result.names), absent=result.absent)
        waiting = self.waits_for(table)
        if waiting is None or record.ending is not Ending.WON:
            return None
        last, number = waiting
        theirs = {player.name for player in record.players}.intersection(last.seats[number])
        return result_of_record(last, number, record) if len(theirs) >= FEWEST_DRAWN else None

    def ended_at(self, drawn: DrawnRound, number: int) -> RecordEvent | None:
        """The game that ended at a table of a round and may be of this tournament."""
        of_round, record = self.ended.get(self.table(number) or "", (0, None))
        return record if of_round == drawn.number and number not in drawn.results else None


def round_assignments(tournament: Tournament, number: int) -> dict[int, Assignment]:
    """Table number -> what the table shows for round `number`.

    At a table without a result, players who have left since the draw are omitted.
    """
    drawn = tournament.rounds[number - 1]
    return {
        table: Assignment(
            tournament=tournament.opened.title,
            round=round_name(tournament, number),
            players=tuple(name for name in names if table in drawn.results or tournament.entrants[name]),
        )
        for table, names in drawn.seats.items()
    }


def result_of_record(
    drawn: DrawnRound, table: int, record: RecordEvent, names: Mapping[str, str] = MappingProxyType({})
) -> EnterResult:
    """The command that enters a table's record. Players drawn there who did not start the game were absent.

    `names`: an entrant's name in the record -> the entrant; empty for somebody who does not take part. A game without a
    winner has no places: `decide_tournament` refuses it, and the players say who has won.
    """
    played = {names.get(player.name, player.name) for player in record.players}
    groups = ([names.get(name, name) for name in group] for group in record.places)
    places = tuple(tuple(filter(None, group)) for group in groups if any(group))
    absent = tuple(name for name in drawn.tables[table - 1] if name not in played)
    return EnterResult(drawn.number, table, places, absent if places else (), record.game, dict(names))
