"""Divides players among tables at the least cost, by local search. Pure; knows nothing of tournaments.

The cost of a partition is the sum over all pairs at one table. Finding the least is hard: if a pair costs the number of
times it has met, it is the social golfer problem (CSPLib, problem 10). The search follows I. Dotú and P. Van
Hentenryck, "Scheduling Social Golfers Locally" (CPAIOR 2005, LNCS 3524, 155-167). Each step makes the best swap of two
players at different tables in one of the rounds, even if it makes things worse; then this pair is tabu for some steps.
They swap only golfers who repeat; with matrices every pair can be tried. A search that is stuck is perturbed, as in
iterated tabu search.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

SEARCH_PATIENCE: Final = 600
"""Steps without improvement after which a search ends."""
SEARCH_LENGTH: Final = 60_000_000
"""The most pairs of players that a search examines, over all its steps."""
MORE_SEARCHES: Final = 3
"""The most additional searches, from random orders, if the first has not found enough."""
SHAKE_STEPS: Final = 50
"""After every this many steps without improvement some random swaps are made."""
SHAKEN_SWAPS: Final = 3
TABU_STEPS: Final = (4, 20)
"""The fewest and the most steps for which a swapped pair is tabu; drawn each time."""
_NEVER: Final = 2**62

CostMatrix = NDArray[np.int64]
"""Symmetric, at least 0, 0 on the diagonal: the cost of seating two players together."""
Partition = tuple[tuple[int, ...], ...]
"""The numbers of the players, from 0, at each table."""
_Tables = NDArray[np.int64]
"""[round, player] -> table."""


def best_partition(costs: CostMatrix, sizes: Sequence[int], random: Random, enough: int = 0) -> Partition:
    """The cheapest partition found into tables of these `sizes`.

    The search begins with the players in order: 0, 1, 2, ... at the first table, and so on. If it finds nothing that
    costs `enough` or less, others begin with random orders.
    """
    start = _in_order(sizes)
    (best,) = _partitions(_search(costs, start, random))
    for _ in range(MORE_SEARCHES):
        if partition_cost(costs, best) <= enough:
            break
        start = start[:, random.sample(range(len(costs)), len(costs))]
        best = min((best, *_partitions(_search(costs, start, random))), key=partial(partition_cost, costs))
    return best


def best_partitions(costs: CostMatrix, sizes: Sequence[int], rounds: int, random: Random) -> tuple[Partition, ...]:
    """The cheapest partitions found for several `rounds` at once; each meeting makes the next one cost 1 more."""
    total = costs.copy()
    found = np.empty((rounds, len(costs)), dtype=np.int64)
    for number in range(rounds):
        order = random.sample(range(len(costs)), len(costs))
        found[number, order] = _search(total[np.ix_(order, order)], _in_order(sizes), random)[0]
        total += _together(found[number])
    return _partitions(_search(costs, found, random))


def partition_cost(costs: CostMatrix, partition: Partition) -> int:
    """The cost of `partition`."""
    return sum(int(costs[np.ix_(table, table)].sum()) for table in partition) // 2


def _search(costs: CostMatrix, tables: _Tables, random: Random) -> _Tables:
    """The cheapest tables found, starting from these."""
    if not tables.any():
        return tables  # one table
    tables = tables.copy()
    together = np.stack([_together(each) for each in tables])
    meetings = together.sum(axis=0)
    cost = least = int((meetings * (2 * costs + meetings - 1)).sum()) // 4
    pairs = costs + meetings - together  # [round, one, other]: the cost of seating them together in this round too
    beside = pairs @ np.eye(int(tables.max()) + 1, dtype=np.int64)[tables]  # [round, player, table]
    tabu = np.zeros(pairs.shape, dtype=np.int64)
    best, best_step = tables.copy(), 0
    for step in range(1, SEARCH_LENGTH // pairs.size):
        if least == 0 or step - best_step > SEARCH_PATIENCE:
            break
        change = _changes(pairs, beside, tables)
        if cost + change.min() >= least:
            change[tabu >= step] = _NEVER
        stale = step - best_step
        shaken = stale > SHAKE_STEPS and stale % SHAKE_STEPS < SHAKEN_SWAPS
        swap = _random_swap(change, random) if shaken else int(change.argmin())
        number, one, other = (int(index) for index in np.unravel_index(swap, change.shape))
        if change[number, one, other] == _NEVER:
            continue  # every swap is tabu
        cost += int(change[number, one, other])
        _swap(pairs, beside, tables, number, one, other)
        tabu[number, one, other] = tabu[number, other, one] = step + random.randint(*TABU_STEPS)
        if cost < least:
            least, best, best_step = cost, tables.copy(), step
    return best


def _changes(pairs: CostMatrix, beside: CostMatrix, tables: _Tables) -> CostMatrix:
    """[round, one, other] -> the change of the cost if these two swap."""
    moved = np.stack([each[:, table] for each, table in zip(beside, tables, strict=True)])  # to another player's table
    moved -= np.diagonal(moved, axis1=1, axis2=2)[:, :, None]
    change: CostMatrix = moved + moved.transpose(0, 2, 1)
    change -= pairs
    change -= pairs
    change[tables[:, :, None] == tables[:, None, :]] = _NEVER
    return change


def _random_swap(change: CostMatrix, random: Random) -> int:
    """A random swap of those allowed; 0 if there is none."""
    allowed = np.flatnonzero(change < _NEVER)
    return int(allowed[random.randrange(len(allowed))]) if len(allowed) else 0


def _swap(pairs: CostMatrix, beside: CostMatrix, tables: _Tables, number: int, one: int, other: int) -> None:
    """Swap two players in a round, and update `pairs` and `beside`."""
    left, right = tables[number, one], tables[number, other]
    difference = pairs[number, other] - pairs[number, one]
    beside[number, :, left] += difference
    beside[number, :, right] -= difference
    meets = (tables[number] == right).astype(np.int64) - (tables[number] == left)
    meets[[one, other]] = 0
    tables[number, one], tables[number, other] = right, left
    for each in range(len(tables)):
        if each != number:
            for player, more in ((one, meets), (other, -meets)):
                pairs[each, player] += more
                pairs[each, :, player] += more
                beside[each, :, tables[each, player]] += more
                np.add.at(beside[each, player], tables[each], more)


def _together(table: NDArray[np.int64]) -> CostMatrix:
    """[one, other] -> 1 if they sit at one table, else 0."""
    together: CostMatrix = (table[:, None] == table[None, :]).astype(np.int64)
    np.fill_diagonal(together, 0)
    return together


def _in_order(sizes: Sequence[int]) -> _Tables:
    return np.repeat(np.arange(len(sizes)), sizes)[None, :]


def _partitions(tables: _Tables) -> tuple[Partition, ...]:
    return tuple(
        tuple(tuple(np.flatnonzero(each == table).tolist()) for table in range(int(each.max()) + 1)) for each in tables
    )
