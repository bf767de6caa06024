"""The draw of a round: who sits with whom. Pure, and the same for the same tournament and the same `Random`.

Swiss: the fewest repeated opponents; among such draws, the one whose tables differ least in score (the squared
differences of all pairs at one table, summed). On average table 1 has the highest scores. Round robin: the remaining
rounds are planned together for the fewest repeated opponents, and one of them is drawn. Each draw makes a new plan for
the players who are present. Knock-out: the fewest repeated opponents; then the fewest players with the same place in
the previous round.

A pair that meets for the second time costs 1, for the third time 2, and so on. Players count as having met once they
are drawn together. Ties are broken at random, and so is the order round the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, combinations
from random import Random
from typing import Final

import numpy as np

from companion.club.tournament.commands import MOST_TOURNAMENT_ROUNDS
from companion.club.tournament.events import TournamentFormat
from companion.club.tournament.knock_out import knock_out_winner, qualifier_count, qualifiers, round_in_a_sentence
from companion.club.tournament.partition import (
    CostMatrix,
    Partition,
    best_partition,
    best_partitions,
    partition_cost,
)
from companion.club.tournament.standings import EntrantScore, entrant_scores
from companion.club.tournament.tournament import FEWEST_AT_A_TABLE, DrawnRound, Tournament, table_sizes
from companion.messages.message import Message, Names

SCORE_STEPS: Final = 120
"""Scores are compared in steps of 1/120, because the shares at tables of two to six are multiples of it."""
PLANNED_ROUNDS: Final = 8
"""The most rounds that a round robin plans together."""


def drawn_tables(tournament: Tournament, random: Random) -> tuple[tuple[str, ...], ...]:
    """The tables of the next round. `draw_refusal` must be None."""
    scores = entrant_scores(tournament)
    names = _players(tournament, scores, random)
    sizes = list(table_sizes(len(names), tournament.opened.table_size))
    random.shuffle(sizes)
    met = _meetings(tournament, names)
    match tournament.opened.format:
        case TournamentFormat.SWISS:
            costs = _score_costs([scores[name] for name in names])
            partition = _fewest_repeated(met, costs, sizes, random)
        case TournamentFormat.ROUND_ROBIN:
            partition = _planned_round(met, sizes, tournament.opened.rounds - len(tournament.rounds), random)
        case TournamentFormat.KNOCK_OUT:
            costs = _place_costs(tournament.last_round, names)
            partition = _fewest_repeated(met, costs, sizes, random)
    tables = [[names[number] for number in table] for table in partition]
    if tournament.opened.format == TournamentFormat.SWISS:
        tables.sort(key=lambda table: -sum(scores[name].score for name in table) / len(table))
    for table in tables:
        random.shuffle(table)
    return tuple(map(tuple, tables))


def draw_refusal(tournament: Tournament, *, despite_missing: bool = False) -> Message | None:
    """Why the next round cannot be drawn; None if it can."""
    last = tournament.last_round
    if tournament.closed:
        return Message("The tournament is closed. Reopen it first.")
    if all_drawn(tournament):
        if len(tournament.rounds) == 1:
            return Message("The only round is drawn.")
        return Message("All {rounds} rounds are drawn.", rounds=len(tournament.rounds))
    if last is not None and last.missing and (tournament.is_knock_out or not despite_missing):
        return missing_results(tournament, last)
    if tournament.is_knock_out and last is not None:
        winner = knock_out_winner(tournament)
        if winner is not None:
            return Message("{player} has won the knock-out.", player=winner)
        if qualifier_count(tournament) < 2:
            return Message("Nobody who could play the next round is still here.")
    elif len(tournament.active) < FEWEST_AT_A_TABLE:
        return Message("A round needs {players} players or more.", players=FEWEST_AT_A_TABLE)
    return None


def all_drawn(tournament: Tournament) -> bool:
    """True if it has all its rounds."""
    most = MOST_TOURNAMENT_ROUNDS if tournament.is_knock_out else tournament.opened.rounds
    return len(tournament.rounds) >= most


def missing_results(tournament: Tournament, drawn: DrawnRound) -> Message:
    """The missing results of a round, as a sentence. There must be some."""
    said, tables, missing = round_in_a_sentence(tournament, drawn.number), len(drawn.tables), drawn.missing
    if not drawn.results:
        if tables == 1:
            return Message("{round} is being played: no result yet.", round=said)
        return Message("{round} is being played at {tables} tables: no result yet.", round=said, tables=tables)
    if len(missing) == 1:
        return Message(
            "1 of {results} results of {round} is missing: table {table}.", results=tables, round=said, table=missing[0]
        )
    return Message(
        "{missing} of {results} results of {round} are missing: tables {tables}.",
        missing=len(missing),
        results=tables,
        round=said,
        tables=Names(tuple(map(str, missing))),
    )


def _players(tournament: Tournament, scores: Mapping[str, EntrantScore], random: Random) -> tuple[str, ...]:
    """The players of the next round, best first; equals in random order."""
    order = random.sample(sorted(scores), len(scores))
    order.sort(key=lambda name: scores[name].sort_key(knock_out=False))
    if tournament.is_knock_out and tournament.rounds:
        return qualifiers(tournament, order)
    return tuple(name for name in order if tournament.entrants[name])


def _meetings(tournament: Tournament, names: Sequence[str]) -> CostMatrix:
    """How often each pair of `names` has met."""
    number = {name: at for at, name in enumerate(names)}
    met = np.zeros((len(names), len(names)), dtype=np.int64)
    for seats in chain.from_iterable(each.seats.values() for each in tournament.rounds):
        for one, other in combinations([number[name] for name in seats if name in number], 2):
            met[one, other] += 1
            met[other, one] += 1
    return met


def _fewest_repeated(met: CostMatrix, costs: CostMatrix, sizes: Sequence[int], random: Random) -> Partition:
    """The partition with the fewest repeated opponents; among those, the one with the least `costs`."""
    most = int(costs.max()) * sum(size * (size - 1) // 2 for size in sizes)
    return best_partition(met * (most + 1) + costs, sizes, random, enough=most)


def _score_costs(scores: Sequence[EntrantScore]) -> CostMatrix:
    steps = np.array([round(each.score * SCORE_STEPS) for each in scores], dtype=np.int64)
    costs: CostMatrix = (steps[:, None] - steps[None, :]) ** 2
    return costs


def _place_costs(last: DrawnRound | None, names: Sequence[str]) -> CostMatrix:
    """1 for a pair with the same place in the last round, else 0."""
    places: dict[str, int] = {}
    for groups in last.places.values() if last else ():
        before = 0
        for group in groups:
            places.update(dict.fromkeys(group, before))
            before += len(group)
    same = [[int(one != other and one in places and places[one] == places[other]) for other in names] for one in names]
    return np.array(same, dtype=np.int64)


def _planned_round(met: CostMatrix, sizes: Sequence[int], rounds: int, random: Random) -> Partition:
    """The round of the plan with the fewest repeated meetings, in case the evening ends early."""
    plan = best_partitions(met, sizes, min(rounds, PLANNED_ROUNDS), random)
    return min(plan, key=lambda partition: partition_cost(met, partition))
