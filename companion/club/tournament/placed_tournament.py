"""A tournament at the club's tables: who is to play where, and what a record from there means for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from msgspec.structs import replace

from companion.club.payloads import Assignment, RecordEvent
from companion.club.tournament.assignments import assignments, result_of_record
from companion.club.tournament.commands import EnterResult, TakeBackResult
from companion.club.tournament.tournament import DrawnRound, Tournament
from companion.table.past.games import Ending

FEWEST_DRAWN: Final = 2
"""A game in which fewer of those drawn there played is another one."""


@dataclass(frozen=True)
class PlacedTournament:
    """A tournament, and the club's tables by their ids."""

    tournament: Tournament
    placement: tuple[str, ...] = ()
    """The tables with the numbers 1, 2 and so on. It may be shorter than a draw."""
    ended: Mapping[str, tuple[int, RecordEvent]] = field(default_factory=lambda: MappingProxyType({}))
    """Table -> the last game that ended there and gave no result, and in which round that was."""

    def table(self, number: int) -> str | None:
        """The table with a number, which is from 1."""
        return self.placement[number - 1] if number <= len(self.placement) else None

    def assignments(self) -> dict[str, Assignment]:
        """Table -> who is to play there, in the last round, unless that table has a result."""
        last = self.tournament.last_round
        if last is None or self.tournament.closed:
            return {}
        seats = {
            self.table(number): each
            for number, each in assignments(self.tournament, last.number).items()
            if number in last.missing and each.players
        }
        return {table: each for table, each in seats.items() if table is not None}

    def waits_for(self, table: str) -> tuple[DrawnRound, int] | None:
        """The last round, and the number of the table in it, if its result is missing."""
        last = self.tournament.last_round
        if last is None or self.tournament.closed or table not in self.placement:
            return None
        number = self.placement.index(table) + 1
        return (last, number) if number in last.missing else None

    def command(self, table: str, record: RecordEvent) -> EnterResult | TakeBackResult | None:
        """What follows from a table's record; None if that is no game of this tournament's."""
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
        players = {player.name for player in record.players}
        return (
            result_of_record(last, number, record) if len(players & set(last.seats[number])) >= FEWEST_DRAWN else None
        )

    def ended_at(self, drawn: DrawnRound, number: int) -> RecordEvent | None:
        """The game that ended at a table of a round and may be theirs."""
        of_round, record = self.ended.get(self.table(number) or "", (0, None))
        return record if of_round == drawn.number and number not in drawn.results else None
