"""The local search, compared with every partition there is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.club.tournament import partition
from companion.club.tournament.partition import CostMatrix, Partition, best_partition, best_partitions, partition_cost


def every_partition(players: Sequence[int], sizes: Sequence[int]) -> Iterator[Partition]:
    """Every partition, the first of all players at any size of table."""
    if not sizes:
        yield ()
        return
    first, *others = players
    for size in set(sizes):
        rest = list(sizes)
        rest.remove(size)
        for chosen in combinations(others, size - 1):
            left = [player for player in others if player not in chosen]
            for after in every_partition(left, rest):
                yield ((first, *chosen), *after)


def random_costs(players: int, most: int, random: Random) -> CostMatrix:
    costs = np.zeros((players, players), dtype=np.int64)
    for one, other in combinations(range(players), 2):
        costs[one, other] = costs[other, one] = random.randint(0, most)
    return costs


def meetings(players: int, partitions: Sequence[Partition]) -> CostMatrix:
    met = np.zeros((players, players), dtype=np.int64)
    for table in chain(*partitions):
        for one, other in combinations(table, 2):
            met[one, other] += 1
            met[other, one] += 1
    return met


def again(met: CostMatrix) -> int:
    """Meetings after the first, the third of a pair counting double, and so on."""
    return int((met * (met - 1)).sum()) // 4


SIZES = st.sampled_from([(4,), (3, 4), (4, 4), (4, 5), (5, 4), (5, 5), (5, 6), (6, 6)])


@given(SIZES, st.sampled_from([1, 2, 1000]), st.integers(0, 2**32))
@settings(max_examples=8)
def test_it_finds_the_cheapest_of_all_partitions(sizes: tuple[int, ...], most: int, seed: int) -> None:
    players, random = sum(sizes), Random(seed)
    costs = random_costs(players, most, random)
    found = best_partition(costs, sizes, random)
    assert [len(table) for table in found] == list(sizes)
    assert sorted(player for table in found for player in table) == list(range(players))
    assert partition_cost(costs, found) == min(
        partition_cost(costs, each) for each in every_partition(range(players), sizes)
    )


@pytest.mark.parametrize("seed", range(3))
def test_it_finds_the_cheapest_for_three_tables(seed: int) -> None:
    random = Random(seed)
    costs = random_costs(12, 50, random)
    cheapest = min(partition_cost(costs, each) for each in every_partition(range(12), (4, 4, 4)))
    assert partition_cost(costs, best_partition(costs, (4, 4, 4), random)) == cheapest


def test_it_searches_again_until_what_it_finds_is_good_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partition, "SEARCH_PATIENCE", 1)
    once, often = [], []
    for seed in range(10):
        costs = random_costs(12, 50, Random(seed))
        once.append(partition_cost(costs, best_partition(costs, (4, 4, 4), Random(seed), enough=10**6)))
        often.append(partition_cost(costs, best_partition(costs, (4, 4, 4), Random(seed))))
    assert all(more <= first for first, more in zip(once, often, strict=True))
    assert sum(often) < sum(once)


def test_the_order_stays_if_nothing_is_better() -> None:
    assert best_partition(np.zeros((9, 9), dtype=np.int64), (5, 4), Random(1)) == ((0, 1, 2, 3, 4), (5, 6, 7, 8))


@pytest.mark.parametrize(
    ("sizes", "rounds", "best"),
    [
        ([4] * 4, 5, 0),  # an affine plane: everybody meets everybody once
        ([5] * 5, 6, 0),  # another one
        ([4] * 5, 5, 0),
        ([5] * 8 + [4] * 2, 6, 0),
        ([4] * 2, 7, 28 * 3),  # everybody meets everybody three times, which costs 1 + 2
        ([6] * 2, 11, 66 * 10),  # everybody meets everybody five times, which costs 1 + 2 + 3 + 4
    ],
)
def test_planned_rounds_repeat_as_little_as_can_be(sizes: list[int], rounds: int, best: int) -> None:
    players = sum(sizes)
    plan = best_partitions(np.zeros((players, players), dtype=np.int64), sizes, rounds, Random(3))
    assert len(plan) == rounds
    assert again(meetings(players, plan)) == best


@pytest.mark.parametrize("seed", range(5))
def test_two_rounds_are_planned_as_well_as_can_be(seed: int) -> None:
    met = random_costs(8, 3, Random(seed))
    plan = best_partitions(met, (4, 4), 2, Random(seed))
    every = list(every_partition(range(8), (4, 4)))
    best = min(again(met + meetings(8, [one, other])) for one in every for other in every)
    assert again(met + meetings(8, plan)) == best
