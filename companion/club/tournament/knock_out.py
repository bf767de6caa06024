"""Decides who advances in a knock-out, and who has won it. Pure.

The best of each table advance: as many as the tournament says, or more if needed for a table of four, but never
everybody who was drawn there. Players who have left do not advance; the next one of the same table does. If the last
place that advances is shared, the score so far decides, and then chance. A round of one table is the final; if its
first place is shared, those who share it play on.

It ends because each round is smaller than the one before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from companion.club.tournament.tournament import SMALLEST_TABLE, Places, Tournament
from companion.messages.message import Message


def qualifiers(tournament: Tournament, order: Sequence[str]) -> tuple[str, ...]:
    """The players of the next round, after a complete one. `order`: everybody, in the order that breaks ties."""
    rank = {name: number for number, name in enumerate(order)}
    chosen = [sorted(group, key=rank.__getitem__)[:wanted] for group, wanted in _groups_wanted(tournament)]
    return tuple(chain(*chosen))


def qualifier_count(tournament: Tournament) -> int:
    """The number of players in the next round, after a complete one."""
    return sum(min(len(group), wanted) for group, wanted in _groups_wanted(tournament))


def unclear_qualifiers(tournament: Tournament) -> tuple[tuple[str, ...], ...]:
    """For each table, those who share the last place that advances."""
    return tuple(group for group, wanted in _groups_wanted(tournament) if 0 < wanted < len(group))


def knock_out_winner(tournament: Tournament) -> str | None:
    """The winner of the knock-out; None if there is none yet."""
    last = tournament.last_round
    if last is None or last.missing:
        return None
    if len(last.tables) == 1 and len(last.places[1][0]) == 1:
        return last.places[1][0][0]
    left = tuple(chain(*(group for group, wanted in _groups_wanted(tournament) if wanted)))
    return left[0] if len(left) == 1 else None


def round_name(tournament: Tournament, number: int) -> str:
    """A round as people call it: "Round 2", and in a knock-out "Final" and "Play-off"."""
    before = replace(tournament, rounds=tournament.rounds[: number - 1])
    return next_round_name(before, len(tournament.rounds[number - 1].tables))


def next_round_name(tournament: Tournament, tables: int) -> str:
    """The next round as people will call it, with this many tables."""
    if not tournament.is_knock_out or tables > 1:
        return f"Round {len(tournament.rounds) + 1}"
    return "Play-off" if any(len(each.tables) == 1 for each in tournament.rounds) else "Final"


def round_in_a_sentence(tournament: Tournament, number: int) -> Message:
    """A round as part of a sentence: "round 2", "the final"."""
    return _in_a_sentence(round_name(tournament, number), number)


def next_round_in_a_sentence(tournament: Tournament, tables: int) -> Message:
    """The next round as part of a sentence, with this many tables."""
    return _in_a_sentence(next_round_name(tournament, tables), len(tournament.rounds) + 1)


def _in_a_sentence(name: str, number: int) -> Message:
    match name:
        case "Final":
            return Message("the final")
        case "Play-off":
            return Message("the play-off")
        case _:
            return Message("round {number}", number=number)


def _groups_wanted(tournament: Tournament) -> list[tuple[tuple[str, ...], int]]:
    """The places of the last round without those who have left, and how many of each place advance."""
    last = tournament.last_round
    if last is None or last.missing:
        return []
    here = set(tournament.active)
    tables: list[Places] = [
        tuple(tuple(name for name in group if name in here) for group in places) for places in last.places.values()
    ]
    if len(tables) == 1:
        return [(tables[0][0], len(tables[0][0]))]
    best = tournament.opened.qualifiers
    most = [min(sum(map(len, each)), len(drawn) - 1) for each, drawn in zip(tables, last.tables, strict=True)]
    while sum(min(each, best) for each in most) < SMALLEST_TABLE and best < max(most):
        best += 1
    wanted = []
    for places, at_most in zip(tables, most, strict=True):
        left = min(at_most, best)
        for group in places:
            wanted.append((group, min(left, len(group))))
            left -= min(left, len(group))
    return wanted
