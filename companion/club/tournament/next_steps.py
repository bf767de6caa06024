"""The next steps of a tournament, as short sentences for a phone."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Literal

from companion.club.tournament.draw import all_drawn, draw_refusal, missing_results
from companion.club.tournament.knock_out import (
    knock_out_winner,
    next_round_in_a_sentence,
    qualifier_count,
    round_in_a_sentence,
    unclear_qualifiers,
)
from companion.club.tournament.standings import standings
from companion.club.tournament.tournament import DrawnRound, Tournament, table_sizes
from companion.messages.message import Message, Names
from companion.messages.sentence import Sentence

TournamentAction = Literal["join", "draw", "draw-again", "draw-despite-missing", "enter-results", "close", "reopen", ""]
"""The action that a sentence offers; empty if it only informs."""


class NextStep(Sentence, frozen=True, kw_only=True):
    """Something that can be done, or that people should know."""

    action: TournamentAction


def next_steps(tournament: Tournament) -> tuple[NextStep, ...]:
    """What can be done now, the most likely first."""
    missing = [_step("enter-results", missing_results(tournament, each)) for each in tournament.rounds if each.missing]
    last = tournament.last_round
    if tournament.closed:
        return (_step("reopen", Message("The tournament is closed."), _leaders(tournament)), *missing)
    if last is None:
        return _before_the_first_round(tournament)
    if last.missing:
        return (*reversed(missing), *_during_a_round(tournament, last), *_late(tournament, last))
    return (*_after_a_round(tournament), *missing)


def _step(action: TournamentAction, *sentences: str) -> NextStep:
    return NextStep(action=action, sentence=Message.sequence(*sentences))


def _before_the_first_round(tournament: Tournament) -> tuple[NextStep, ...]:
    players = len(tournament.active)
    refusal = draw_refusal(tournament)
    if refusal is not None:
        return (_step("join", _joined(players), refusal),)
    return (_step("draw", _can_be_drawn(tournament, players)), _step("join", Message("More can join.")))


def _joined(players: int) -> Message:
    if players == 0:
        return Message("No players have joined.")
    if players == 1:
        return Message("1 player has joined.")
    return Message("{players} players have joined.", players=players)


def _during_a_round(tournament: Tournament, last: DrawnRound) -> tuple[NextStep, ...]:
    if not last.results:
        name = round_in_a_sentence(tournament, last.number)
        return (_step("draw-again", Message("{round} can be drawn again until its first result.", round=name)),)
    if draw_refusal(tournament, despite_missing=True) is not None:
        return ()
    return (_step("draw-despite-missing", _without_the_missing(last)),)


def _without_the_missing(last: DrawnRound) -> Message:
    if len(last.missing) == 1:
        return Message(
            "Round {round} can be drawn without the missing result; it can be entered later.", round=last.number + 1
        )
    return Message(
        "Round {round} can be drawn without the missing results; they can be entered later.", round=last.number + 1
    )


def _after_a_round(tournament: Tournament) -> tuple[NextStep, ...]:
    refusal = draw_refusal(tournament)
    if refusal is None:
        if not tournament.is_knock_out:
            return (_step("draw", _can_be_drawn(tournament, len(tournament.active))),)
        drawn = _step("draw", _can_be_drawn(tournament, qualifier_count(tournament)))
        shared = [
            Message("The last place that goes on is shared by {players}.", players=Names(group))
            for group in unclear_qualifiers(tournament)
        ]
        lot = Message("The score so far decides, then the lot.")
        return (drawn, _step("", *shared, lot)) if shared else (drawn,)
    why: str = refusal
    if all_drawn(tournament):
        why = _all_played(len(tournament.rounds))
    elif tournament.is_knock_out and knock_out_winner(tournament) is not None:
        why = ""
    return (_step("close", why, _leaders(tournament), Message("The tournament can be closed.")),)


def _all_played(rounds: int) -> Message:
    if rounds == 1:
        return Message("The only round is played.")
    return Message("All {rounds} rounds are played.", rounds=rounds)


def _can_be_drawn(tournament: Tournament, players: int) -> Message:
    """ "Round 3 can be drawn: 47 players at 2 tables of 6 and 7 tables of 5." """
    sizes = table_sizes(players, tournament.opened.table_size)
    name = next_round_in_a_sentence(tournament, len(sizes))
    tables: Message | Names
    if len(sizes) == 1:
        tables = Message("one table")
    else:
        tables = Names(tuple(_tables(count, size) for size, count in Counter(sizes).items()))
    if tournament.is_knock_out and tournament.rounds:
        return Message(
            "{round} can be drawn: {players} players go on, at {tables}.", round=name, players=players, tables=tables
        )
    return Message("{round} can be drawn: {players} players at {tables}.", round=name, players=players, tables=tables)


def _tables(count: int, size: int) -> Message:
    if count == 1:
        return Message("1 table of {size}", size=size)
    return Message("{tables} tables of {size}", tables=count, size=size)


def _leaders(tournament: Tournament) -> str:
    """ "Ana has won." or "The first place is shared by Ana and Ben."; empty without a result."""
    if not any(each.results for each in tournament.rounds):
        return ""
    first = [each.name for each in standings(tournament) if each.place == 1]
    if len(first) > 1:
        return Message("The first place is shared by {players}.", players=Names(first))
    if _is_decided(tournament):
        return Message("{player} has won.", player=first[0])
    return Message("{player} is in the lead.", player=first[0])


def _is_decided(tournament: Tournament) -> bool:
    """True if no outstanding result can change the first place."""
    if tournament.is_knock_out:
        return knock_out_winner(tournament) is not None
    over = tournament.closed or len(tournament.rounds) == tournament.opened.rounds
    return over and not any(each.missing for each in tournament.rounds)


def _late(tournament: Tournament, last: DrawnRound) -> tuple[NextStep, ...]:
    """Players who are present, sit out the last round, and can play in the next one."""
    if tournament.is_knock_out or len(tournament.rounds) == tournament.opened.rounds:
        return ()
    playing = set(chain.from_iterable(last.seats.values()))
    names = [name for name in tournament.active if name not in playing]
    return (_step("", Message("Waiting for the next draw: {players}.", players=Names(names))),) if names else ()
