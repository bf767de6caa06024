"""Between a tournament and its tables: who sits where, and what a table's record says."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from companion.club.payloads import Assignment, RecordEvent
from companion.club.tournament.commands import EnterResult
from companion.club.tournament.knock_out import round_name
from companion.club.tournament.tournament import DrawnRound, Tournament


def assignments(tournament: Tournament, number: int) -> dict[int, Assignment]:
    """Table number -> what the table shows of round `number`.

    A table without a result leaves out who has left since the draw.
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


def table_by_name(tournament: Tournament, number: int) -> dict[str, int]:
    """Everybody who plays round `number`, by name -> the number of their table."""
    seats = assignments(tournament, number)
    return dict(sorted((name, table) for table, each in seats.items() for name in each.players))


def result_of_record(
    drawn: DrawnRound, table: int, record: RecordEvent, names: Mapping[str, str] = MappingProxyType({})
) -> EnterResult:
    """The command that enters a table's record. Who was drawn there and did not begin the game was absent.

    `names`: what an entrant is called in the record -> the entrant; empty for somebody who does not take part.
    A game that nobody has won has no places: `decide_tournament` refuses it, and the players say who has won.
    """
    played = {names.get(player.name, player.name) for player in record.players}
    groups = ([names.get(name, name) for name in group] for group in record.places)
    places = tuple(tuple(filter(None, group)) for group in groups if any(group))
    absent = tuple(name for name in drawn.tables[table - 1] if name not in played)
    return EnterResult(drawn.number, table, places, absent if places else (), record.game, dict(names))
