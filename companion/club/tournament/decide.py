"""What a command does to a tournament. Pure: a tournament and a command in, events or a refusal out."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from random import Random
from typing import assert_never

from companion.club.tournament import commands, events
from companion.club.tournament.commands import AnyTournamentCommand
from companion.club.tournament.draw import draw_refusal, drawn_tables
from companion.club.tournament.events import AnyTournamentEvent
from companion.club.tournament.tournament import (
    LARGEST_TABLE,
    SMALLEST_TABLE,
    DrawnRound,
    Tournament,
    evolve_tournament,
)
from companion.member.errors import NotAllowedInClubError, UnreadableInClubError
from companion.messages.message import Message
from companion.table.commands import LONGEST_NAME

TournamentEvents = tuple[AnyTournamentEvent, ...]


def decide_tournament(tournament: Tournament | None, command: AnyTournamentCommand, random: Random) -> TournamentEvents:
    """The events that execute `command`; none if it changes nothing.

    Raises `UnreadableInClubError` if the command never makes sense, `NotAllowedInClubError` if it does not now. Only
    draws use `random`.
    """
    if isinstance(command, commands.OpenTournament):
        if tournament is not None:
            raise NotAllowedInClubError("This tournament has been opened already.")
        return (_open(command),)
    if tournament is None or tournament.removed:
        raise NotAllowedInClubError("Open the tournament first.")
    match command:
        case commands.JoinTournament(names):
            return _join(tournament, names)
        case commands.TakeBackJoin(name):
            _entrant(tournament, name)
            if tournament.was_drawn(name):
                raise NotAllowedInClubError(
                    Message("{player} has been drawn already, and can only leave.", player=name)
                )
            return (events.JoinTakenBack(name),)
        case commands.LeaveTournament(name):
            if not _entrant(tournament, name):
                raise NotAllowedInClubError(Message("{player} has left already.", player=name))
            return (events.EntrantLeft(name),)
        case commands.ReturnToTournament(name):
            if _entrant(tournament, name):
                raise NotAllowedInClubError(Message("{player} has not left.", player=name))
            _require_open(tournament)
            return (events.EntrantReturned(name),)
        case commands.DrawRound():
            return _draw(tournament, command, random)
        case commands.TakeBackDraw(number):
            return (_take_back_draw(tournament, number),)
        case commands.EnterResult():
            return _enter_result(tournament, command)
        case commands.TakeBackResult(number, table):
            if table not in _drawn_round(tournament, number, table).results:
                raise NotAllowedInClubError(
                    Message("Table {table} has no result in round {round}.", table=table, round=number)
                )
            return (events.ResultTakenBack(number, table),)
        case commands.CloseTournament():
            _require_open(tournament)
            return (events.TournamentClosed(),)
        case commands.ReopenTournament():
            if not tournament.closed:
                raise NotAllowedInClubError(Message("The tournament is not closed."))
            return (events.TournamentReopened(),)
        case commands.RemoveTournament():
            if tournament.rounds:
                raise NotAllowedInClubError(Message("A round has been drawn: the tournament can only be closed."))
            return (events.TournamentRemoved(),)
    assert_never(command)


def _open(command: commands.OpenTournament) -> events.TournamentOpened:
    title = command.title.strip()
    if not (title and title.isprintable() and len(title) <= commands.LONGEST_TITLE):
        raise UnreadableInClubError(
            Message("A title has 1 to {most} characters, in one line.", most=commands.LONGEST_TITLE)
        )
    _check_bounds("rounds", command.rounds, 1, commands.MOST_TOURNAMENT_ROUNDS)
    _check_bounds("players at a table", command.table_size, SMALLEST_TABLE, LARGEST_TABLE)
    _check_bounds("players of each table who go on", command.qualifiers, 1, commands.MOST_QUALIFIERS)
    return events.TournamentOpened(
        title=title,
        format=command.format,
        rounds=command.rounds,
        table_size=command.table_size,
        qualifiers=command.qualifiers,
    )


def _check_bounds(what: str, value: int, fewest: int, most: int) -> None:
    if not fewest <= value <= most:
        raise UnreadableInClubError(f"The number of {what} can be {fewest} to {most}.")


def _join(tournament: Tournament, names: Sequence[str]) -> TournamentEvents:
    _require_open(tournament)
    if not names:
        raise UnreadableInClubError("Say who joins.")
    looks = {_look(name): name for name in tournament.entrants}
    for name in names:
        if name != name.strip() or not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise UnreadableInClubError(
                Message(
                    "{name} is not a name for a player: one to {longest} letters, no space at its ends.",
                    name=repr(name),
                    longest=LONGEST_NAME,
                ),
            )
        known = looks.get(_look(name))
        if known is not None and known in tournament.entrants:
            raise NotAllowedInClubError(
                Message("{player} is in this tournament already.", player=known)
                if tournament.entrants[known]
                else Message("{player} is in this tournament already, and has left: let them return.", player=known),
            )
        if known is not None:
            raise UnreadableInClubError(Message("{player} is named twice.", player=name))
        looks[_look(name)] = name
    if len(looks) > commands.MOST_ENTRANTS:
        raise NotAllowedInClubError(
            Message("A tournament has room for {players} players.", players=commands.MOST_ENTRANTS)
        )
    rounds = tournament.rounds
    if tournament.is_knock_out and rounds and (len(rounds) > 1 or not rounds[0].missing):
        raise NotAllowedInClubError(Message("The first round of the knock-out is over: nobody can join now."))
    return tuple(events.EntrantJoined(name) for name in names)


def _look(name: str) -> str:
    """A form that is the same for names that look alike."""
    return unicodedata.normalize("NFKC", name).casefold()


def _draw(tournament: Tournament, command: commands.DrawRound, random: Random) -> TournamentEvents:
    _require_open(tournament)
    taken_back: TournamentEvents = ()
    if command.again:
        taken_back = (_take_back_draw(tournament, command.round),)
        tournament = evolve_tournament(tournament, *taken_back)
    number = len(tournament.rounds) + 1
    if command.round < number:
        raise NotAllowedInClubError(Message("Round {round} has been drawn already.", round=command.round))
    if command.round > number:
        raise NotAllowedInClubError(Message("Round {round} comes first.", round=number))
    refusal = draw_refusal(tournament, despite_missing=command.despite_missing or command.again)
    if refusal is not None:
        raise NotAllowedInClubError(refusal)
    return (*taken_back, events.RoundDrawn(number, drawn_tables(tournament, random)))


def _take_back_draw(tournament: Tournament, number: int) -> events.DrawTakenBack:
    _require_open(tournament)
    last = tournament.last_round
    if last is None or last.number != number:
        raise NotAllowedInClubError(Message("Round {round} is not the last that was drawn.", round=number))
    if last.results:
        raise NotAllowedInClubError(Message("Round {round} has a result already, and stays as drawn.", round=number))
    return events.DrawTakenBack(number)


def _enter_result(tournament: Tournament, command: commands.EnterResult) -> TournamentEvents:
    drawn = _drawn_round(tournament, command.round, command.table)
    named = Counter(chain(*command.places, command.absent))
    if not command.places or not all(command.places):
        raise UnreadableInClubError("A result names at least the winner, and somebody at each place.")
    twice = [name for name, times in named.items() if times > 1]
    if twice:
        raise UnreadableInClubError(Message("{player} is named twice.", player=twice[0]))
    for name in chain(*command.places):
        _check_player(tournament, drawn, command.table, name)
    for name in command.absent:
        if name not in drawn.tables[command.table - 1]:
            raise UnreadableInClubError(
                Message("{player} was not drawn at table {table}.", player=name, table=command.table),
            )
    for name in command.names.values():
        if name:
            _entrant(tournament, name)
    event = events.ResultEntered(
        command.round, command.table, command.places, command.absent, command.game, command.names
    )
    return () if drawn.results.get(command.table) == event else (event,)


def _check_player(tournament: Tournament, drawn: DrawnRound, table: int, name: str) -> None:
    """Refuse a player who cannot have played at this table."""
    _entrant(tournament, name)
    for other, result in drawn.results.items():
        if other != table and name in chain(*result.places):
            raise NotAllowedInClubError(
                Message(
                    "{player} is in the result of table {table}. Correct that one first.", player=name, table=other
                ),
            )
    if tournament.is_knock_out and drawn.number > 1 and name not in chain(*drawn.tables):
        raise NotAllowedInClubError(
            Message("{player} does not play round {round} of the knock-out.", player=name, round=drawn.number),
        )


def _entrant(tournament: Tournament, name: str) -> bool:
    """True if this entrant is still present."""
    if name not in tournament.entrants:
        raise NotAllowedInClubError(Message("{player} is not in this tournament: let them join first.", player=name))
    return tournament.entrants[name]


def _drawn_round(tournament: Tournament, number: int, table: int) -> DrawnRound:
    if not 1 <= number <= len(tournament.rounds):
        raise NotAllowedInClubError(Message("Round {round} has not been drawn.", round=number))
    drawn = tournament.rounds[number - 1]
    if table not in drawn.seats:
        raise UnreadableInClubError(
            Message(
                "There is no table {table} in round {round}: it has {tables}.",
                table=table,
                round=number,
                tables=len(drawn.tables),
            ),
        )
    return drawn


def _require_open(tournament: Tournament) -> None:
    if tournament.closed:
        raise NotAllowedInClubError(Message("The tournament is closed. Reopen it first."))
