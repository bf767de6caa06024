"""Who goes on in a knock-out, and who has won it. Pure.

The best of each table go on: as many as the tournament says, or as many more as make a table of four, but never all who
were drawn there. Whoever has left does not go on; the next of the same table does. If the last place that goes on is
shared, the score so far decides, and then the lot. A round of one table is the final; if its first place is shared,
those who share it play on.

So it ends: each round is smaller than the one before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from companion.club.tournament.tournament import SMALLEST_TABLE, Places, Tournament
from companion.messages.message import Message


def qualifiers(tournament: Tournament, order: Sequence[str]) -> tuple[str, ...]:
    """Who plays the next round, after a complete one. `order`: everybody, in the order that decides ties."""
    rank = {name: number for number, name in enumerate(order)}
    chosen = [sorted(group, key=rank.__getitem__)[:wanted] for group, wanted in _groups_wanted(tournament)]
    return tuple(chain(*chosen))


def qualifier_count(tournament: Tournament) -> int:
    """How many play the next round, after a complete one."""
    return sum(min(len(group), wanted) for group, wanted in _groups_wanted(tournament))


def unclear_qualifiers(tournament: Tournament) -> tuple[tuple[str, ...], ...]:
    """Those of each table who share the last place that goes on."""
    return tuple(group for group, wanted in _groups_wanted(tournament) if 0 < wanted < len(group))


def knock_out_winner(tournament: Tournament) -> str | None:
    """Who has won the knock-out; None while nobody has."""
    last = tournament.last_round
    if last is None or last.missing:
        return None
    if len(last.tables) == 1 and len(last.places[1][0]) == 1:
        return last.places[1][0][0]
    left = tuple(chain(*(group for group, wanted in _groups_wanted(tournament) if wanted)))
    return left[0] if len(left) == 1 else None


def round_name(tournament: Tournament, number: int) -> str:
    """What people call a round: "Round 2", and in a knock-out "Final" and "Play-off"."""
    before = replace(tournament, rounds=tournament.rounds[: number - 1])
    return next_round_name(before, len(tournament.rounds[number - 1].tables))


def next_round_name(tournament: Tournament, tables: int) -> str:
    """What people will call the next round, if it has so many tables."""
    if not tournament.is_knock_out or tables > 1:
        return f"Round {len(tournament.rounds) + 1}"
    return "Play-off" if any(len(each.tables) == 1 for each in tournament.rounds) else "Final"


def round_in_a_sentence(tournament: Tournament, number: int) -> Message:
    """A round as part of a sentence: "round 2", "the final"."""
    return _in_a_sentence(round_name(tournament, number), number)


def next_round_in_a_sentence(tournament: Tournament, tables: int) -> Message:
    """The next round as part of a sentence, if it has so many tables."""
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
    """The places of the last round, without those who have left, and how many of each place go on."""
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
