"""What can be done next in a tournament, in short sentences for a phone."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from companion.club.tournament.draw import draw_refusal, missing_results
from companion.club.tournament.knock_out import (
    in_a_sentence,
    knock_out_winner,
    next_round_name,
    qualifier_count,
    round_name,
    unclear_qualifiers,
)
from companion.club.tournament.standings import standings
from companion.club.tournament.table_sizes import table_sizes
from companion.club.tournament.tournament import DrawnRound, Tournament
from companion.messages.english import listed, number

TournamentAction = Literal["join", "draw", "draw-again", "draw-despite-missing", "enter-results", "close", "reopen", ""]
"""What a sentence offers; empty where it only tells."""


@dataclass(frozen=True, slots=True)
class NextStep:
    """Something that can be done, or should be known."""

    action: TournamentAction
    sentence: str


def next_steps(tournament: Tournament) -> tuple[NextStep, ...]:
    """What can be done now, the likeliest first."""
    missing = [
        NextStep("enter-results", missing_results(tournament, each)) for each in tournament.rounds if each.missing
    ]
    last = tournament.last_round
    if tournament.closed:
        return (NextStep("reopen", f"The tournament is closed. {_leaders(tournament)}".strip()), *missing)
    if last is None:
        return _before_the_first_round(tournament)
    if last.missing:
        return (*reversed(missing), *_during_a_round(tournament, last), *_late(tournament, last))
    return (*_after_a_round(tournament), *missing)


def _before_the_first_round(tournament: Tournament) -> tuple[NextStep, ...]:
    players = len(tournament.active)
    refusal = draw_refusal(tournament)
    if refusal is not None:
        have = f"{players or 'No'} player{'s have' if players != 1 else ' has'} joined."
        return (NextStep("join", f"{have} {refusal.sentence}"),)
    return (NextStep("draw", _can_be_drawn(tournament, players)), NextStep("join", "More can join."))


def _during_a_round(tournament: Tournament, last: DrawnRound) -> tuple[NextStep, ...]:
    if not last.results:
        name = in_a_sentence(round_name(tournament, last.number))
        return (NextStep("draw-again", f"{name} can be drawn again until its first result."),)
    if draw_refusal(tournament, despite_missing=True) is not None:
        return ()
    following = f"Round {last.number + 1} can be drawn without them; they can be entered later."
    return (NextStep("draw-despite-missing", following),)


def _after_a_round(tournament: Tournament) -> tuple[NextStep, ...]:
    refusal = draw_refusal(tournament)
    if refusal is None:
        if not tournament.is_knock_out:
            return (NextStep("draw", _can_be_drawn(tournament, len(tournament.active))),)
        drawn = NextStep("draw", _can_be_drawn(tournament, qualifier_count(tournament)))
        shared = [f"{listed(group)} share the last place that goes on" for group in unclear_qualifiers(tournament)]
        doubt = f"{'; '.join(shared)}: the score so far decides, then the lot."
        return (drawn, NextStep("", doubt)) if shared else (drawn,)
    match refusal.code:
        case "all-drawn":
            why = f"All {len(tournament.rounds)} rounds are played. "
        case "won":
            why = ""
        case _:
            why = f"{refusal.sentence} "
    return (NextStep("close", f"{why}{_leaders(tournament)} The tournament can be closed."),)


def _can_be_drawn(tournament: Tournament, players: int) -> str:
    """ "Round 3 can be drawn: 47 players at 9 tables, 2 of six and 7 of five." """
    sizes = table_sizes(players, tournament.opened.table_size)
    counts = Counter(sizes)
    if len(sizes) == 1:
        tables = "one table"
    elif len(counts) == 1:
        tables = f"{len(sizes)} tables of {number(sizes[0])}"
    else:
        tables = f"{len(sizes)} tables, {listed([f'{count} of {number(size)}' for size, count in counts.items()])}"
    name = in_a_sentence(next_round_name(tournament, len(sizes)))
    go_on = " go on," if tournament.is_knock_out and tournament.rounds else ""
    return f"{name} can be drawn: {players} players{go_on} at {tables}."


def _leaders(tournament: Tournament) -> str:
    """ "Ana has won." or "Ana and Ben share the first place."; empty without a result."""
    if not any(each.results for each in tournament.rounds):
        return ""
    first = [each.name for each in standings(tournament) if each.place == 1]
    if len(first) > 1:
        return f"{listed(first)} share the first place."
    return f"{first[0]} has won." if _is_decided(tournament) else f"{first[0]} is in the lead."


def _is_decided(tournament: Tournament) -> bool:
    """Whether no result that is still to come can change the first place."""
    if tournament.is_knock_out:
        return knock_out_winner(tournament) is not None
    over = tournament.closed or len(tournament.rounds) == tournament.opened.rounds
    return over and not any(each.missing for each in tournament.rounds)


def _late(tournament: Tournament, last: DrawnRound) -> tuple[NextStep, ...]:
    """Who is here, plays no game of the last round, and can play the next one."""
    if tournament.is_knock_out or len(tournament.rounds) == tournament.opened.rounds:
        return ()
    playing = set(chain.from_iterable(last.seats.values()))
    names = [name for name in tournament.active if name not in playing]
    wait = "wait" if len(names) > 1 else "waits"
    return (NextStep("", f"{listed(names)} {wait} for the next draw."),) if names else ()
