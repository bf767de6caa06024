"""Draws: who sits with whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.club.tournament import commands
from companion.club.tournament.events import TournamentFormat
from companion.club.tournament.tournament import DrawnRound, table_sizes
from companion.member.errors import NotAllowedInClubError
from tests.fakes.tournament import PlayedTournament, numbered

EVERYBODY_PLAYS = (TournamentFormat.SWISS, TournamentFormat.ROUND_ROBIN)


def pairs(*rounds: DrawnRound) -> Counter[tuple[str, str]]:
    """How often each pair was drawn together."""
    tables = chain.from_iterable(each.tables for each in rounds)
    return Counter(chain.from_iterable(combinations(sorted(table), 2) for table in tables))


def repeated(played: PlayedTournament) -> int:
    return sum(times - 1 for times in pairs(*played.now.rounds).values())


def can_avoid_repeats(players: Sequence[str], sizes: Sequence[int], met: Counter[tuple[str, str]]) -> bool:
    """Whether tables of these sizes, all alike, can be drawn without a repeated opponent: by trying."""
    if not sizes:
        return True
    first, *others = players
    free = [other for other in others if not met[first, other]]
    for chosen in combinations(free, sizes[0] - 1):
        if not any(met[pair] for pair in combinations(chosen, 2)):
            left = [player for player in others if player not in chosen]
            if can_avoid_repeats(left, sizes[1:], met):
                return True
    return False


def by_strength(random: Random, luck: float):
    """The lower number is the stronger player; `luck` is how many numbers it can cost."""
    return lambda table: sorted(table, key=lambda name: int(name[1:]) + random.gauss(0, luck))


@pytest.mark.parametrize("kind", TournamentFormat)
@given(players=st.integers(3, 40), table_size=st.integers(4, 6), seed=st.integers(0, 2**32))
@settings(max_examples=10)
def test_everybody_sits_exactly_once_at_a_table_of_the_right_size(
    kind: TournamentFormat, players: int, table_size: int, seed: int
) -> None:
    played = PlayedTournament(numbered(players), kind, rounds=3, table_size=table_size, seed=seed)
    for _ in range(1 if kind is TournamentFormat.KNOCK_OUT else 3):
        drawn = played.play_round(by_strength(played.random, players / 3))
        assert sorted(chain(*drawn.tables)) == sorted(numbered(players))
        assert sorted(map(len, drawn.tables), reverse=True) == list(table_sizes(players, table_size))


@pytest.mark.parametrize("players", [16, 20, 24])
@pytest.mark.parametrize("seed", range(3))
def test_nobody_meets_an_opponent_again_as_long_as_that_can_be_avoided(players: int, seed: int) -> None:
    played = PlayedTournament(numbered(players), rounds=6, seed=seed)
    while True:
        met = pairs(*played.now.rounds)
        avoidable = can_avoid_repeats(numbered(players), [4] * (players // 4), met)
        drawn = played.play_round(by_strength(played.random, 4))
        assert not avoidable or not any(met[pair] for pair in pairs(drawn))
        if not avoidable or len(played.now.rounds) == 6:
            break
    assert len(played.now.rounds) > 2


@pytest.mark.parametrize("kind", EVERYBODY_PLAYS)
@pytest.mark.parametrize("table_size", [4, 5])
def test_an_evening_of_48_has_no_repeated_opponent_in_six_rounds(kind: TournamentFormat, table_size: int) -> None:
    played = PlayedTournament(numbered(48), kind, rounds=6, table_size=table_size)
    for _ in range(6):
        played.play_round(by_strength(played.random, 12))
    assert repeated(played) == 0


def test_in_a_round_robin_of_16_everybody_meets_everybody_once() -> None:
    played = PlayedTournament(numbered(16), TournamentFormat.ROUND_ROBIN, rounds=5)
    for _ in range(5):
        played.play_round()
    assert set(pairs(*played.now.rounds).values()) == {1}
    assert len(pairs(*played.now.rounds)) == 16 * 15 // 2


def test_in_a_round_robin_what_must_be_repeated_comes_last() -> None:
    """Of 20 at tables of four, some pairs meet again in six rounds."""
    played = PlayedTournament(numbered(20), TournamentFormat.ROUND_ROBIN, rounds=6)
    for _ in range(3):
        played.play_round()
    assert repeated(played) == 0
    for _ in range(3):
        played.play_round()
    assert 0 < repeated(played) <= 10


def test_a_round_robin_stays_even_when_somebody_leaves_and_somebody_comes() -> None:
    played = PlayedTournament(numbered(12), TournamentFormat.ROUND_ROBIN, rounds=6)
    for number in range(6):
        played.play_round()
        if number == 1:
            played.do(commands.LeaveTournament("P03"), commands.JoinTournament(("P99",)))
    times = pairs(*played.now.rounds)
    stayed = [name for name in numbered(12) if name != "P03"]
    met = [times[pair] for pair in combinations(stayed, 2)]
    assert max(met) - min(met) <= 2
    assert all(times[name, "P99"] >= 1 for name in stayed)


def test_in_swiss_winners_meet_winners() -> None:
    """Twelve tables have twelve winners, who have not met: they fill three tables, the seconds three more."""
    played = PlayedTournament(numbered(48))
    played.play_round()
    scores = {each.name: each.score for each in played.standings}
    tables = [[scores[name] for name in table] for table in played.draw().tables]
    assert tables == [[score] * 4 for score in (1.0, 0.667, 0.333, 0.0) for _ in range(3)]


def test_table_1_has_the_highest_scores() -> None:
    played = PlayedTournament(numbered(24))
    for _ in range(2):
        played.play_round(by_strength(played.random, 5))
    scores = {each.name: each.score for each in played.standings}
    means = [sum(scores[name] for name in table) / len(table) for table in played.draw().tables]
    assert means == sorted(means, reverse=True)


@pytest.mark.parametrize(("players", "table_size", "best"), [(20, 5, 2), (48, 4, 3), (100, 5, 2)])
@pytest.mark.parametrize("seed", range(2))
def test_in_a_knock_out_winners_are_spread_and_old_opponents_apart(
    players: int, table_size: int, best: int, seed: int
) -> None:
    played = PlayedTournament(
        numbered(players), TournamentFormat.KNOCK_OUT, table_size=table_size, qualifiers=best, seed=seed
    )
    first = played.play_round(by_strength(played.random, players))
    winners = {places[0][0] for places in first.places.values()}
    second = played.draw()
    spread = [sum(name in winners for name in table) for table in second.tables]
    assert max(spread) - min(spread) <= 1
    assert not pairs(first) & pairs(second)


def test_the_same_tournament_and_the_same_random_give_the_same_draw() -> None:
    def tables(seed: int) -> object:
        played = PlayedTournament(numbered(21), seed=3)
        played.play_round()
        played.random = Random(seed)
        return played.draw().tables

    assert tables(1) == tables(1)
    assert tables(1) != tables(2)


def test_the_order_round_the_table_is_drawn() -> None:
    played = PlayedTournament(numbered(48))
    played.play_round()
    assert any(list(table) != sorted(table) for table in played.draw().tables)


@pytest.mark.parametrize("kind", EVERYBODY_PLAYS)
def test_a_table_without_a_result_has_met_all_the_same(kind: TournamentFormat) -> None:
    played = PlayedTournament(numbered(16), kind, rounds=3)
    first = played.draw()
    played.enter(1, *first.tables[0])
    with pytest.raises(NotAllowedInClubError, match="3 of 4 results of round 1 are missing"):
        played.draw()
    second = played.draw(despite_missing=True)
    assert not pairs(first) & pairs(second)


def test_who_was_absent_has_met_nobody() -> None:
    """Of two tables of four, only one player each was there: then nobody has met, and any draw will do."""
    seconds = []
    for seed in range(8):
        played = PlayedTournament(numbered(8), seed=seed)
        first = played.draw()
        for table, (alone, *absent) in enumerate(first.tables, start=1):
            played.enter(table, alone, absent=absent)
        assert {each.opponents for each in played.standings} == {()}
        second = played.draw()
        seconds.append(max(len(set(old) & set(new)) for old in first.tables for new in second.tables))
    assert set(seconds) == {2, 3}  # had they met, it would be two and two each time


@pytest.mark.parametrize("kind", TournamentFormat)
@pytest.mark.parametrize("players", [0, 1, 2])
def test_a_round_needs_three(kind: TournamentFormat, players: int) -> None:
    with pytest.raises(NotAllowedInClubError, match="needs 3 players"):
        PlayedTournament(numbered(players), kind).draw()
