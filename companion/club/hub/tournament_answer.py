"""What the lobby's API says of a tournament."""

from __future__ import annotations

from companion.club.tournament.events import TournamentFormat
from companion.club.tournament.knock_out import round_name
from companion.club.tournament.next_steps import NextStep, next_steps
from companion.club.tournament.placed_tournament import PlacedTournament
from companion.club.tournament.standings import Standing, standings
from companion.club.tournament.tournament import DrawnRound, Places
from companion.member.payloads import ClubPlayers, GameId
from companion.messages.message import Message, Names
from companion.messages.sentence import Sentence, Value
from companion.table.commands import Count, ShortText


class EndedGame(Sentence, frozen=True, kw_only=True):
    """A game that ended at a table while its result was missing, and gave none: was it theirs?"""

    game: GameId
    """In the books."""
    players: ClubPlayers
    """As they were called at the table."""
    places: Places
    """The winner first; players who share a place together."""


class TournamentTable(Value, frozen=True, kw_only=True):
    """A table of a round."""

    number: Count
    table: str | None
    """The club's table; None if there are more tables in the draw than in the club."""
    players: tuple[ShortText, ...]
    places: Places | None
    """The winner first; players who share a place together. None until there is a result."""
    game: str
    """The game that gave the result; empty if somebody entered it. It may have been removed from the books since."""
    absent: tuple[ShortText, ...] = ()
    """Who was drawn here and did not play at all."""
    ended: EndedGame | None = None
    """The last game that ended here, if there is no result and the names do not say whether it is theirs."""


class TournamentRound(Value, frozen=True, kw_only=True):
    """A round that was drawn."""

    number: Count
    name: str
    """As people say it: "Round 2", "Final"."""
    tables: tuple[TournamentTable, ...]


class TournamentAnswer(Value, frozen=True, kw_only=True):
    """A tournament."""

    tournament: Count
    """Its number."""
    title: str
    format: TournamentFormat
    planned: Count
    """How many rounds are played; a knock-out ends by itself."""
    closed: bool
    entrants: dict[str, bool]
    """Name -> whether still here."""
    rounds: tuple[TournamentRound, ...]
    standings: tuple[Standing, ...]
    next: tuple[NextStep, ...]
    """What can be done, the likeliest first."""


def tournament_answer(number: int, placed: PlacedTournament) -> TournamentAnswer:
    """The answer about tournament `number`."""
    tournament = placed.tournament
    return TournamentAnswer(
        tournament=number,
        title=tournament.opened.title,
        format=tournament.opened.format,
        planned=tournament.opened.rounds,
        closed=tournament.closed,
        entrants=dict(tournament.entrants),
        rounds=tuple(
            TournamentRound(
                number=each.number,
                name=round_name(tournament, each.number),
                tables=tuple(_table(placed, each, n, players) for n, players in each.seats.items()),
            )
            for each in tournament.rounds
        ),
        standings=standings(tournament),
        next=next_steps(tournament),
    )


def _table(placed: PlacedTournament, drawn: DrawnRound, number: int, players: tuple[str, ...]) -> TournamentTable:
    result = drawn.results.get(number)
    return TournamentTable(
        number=number,
        table=placed.table(number),
        players=players,
        places=drawn.places.get(number),
        game=result.game if result else "",
        absent=result.absent if result else (),
        ended=_ended(placed, drawn, number),
    )


def _ended(placed: PlacedTournament, drawn: DrawnRound, number: int) -> EndedGame | None:
    record = placed.ended_at(drawn, number)
    if record is None:
        return None
    players = Names(tuple(player.name for player in record.players))
    return EndedGame(
        sentence=Message(
            "A game of {players} has ended at table {table}. Is it theirs?", players=players, table=number
        ),
        game=record.game,
        players=record.players,
        places=record.places,
    )
