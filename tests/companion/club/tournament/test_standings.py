"""Scores, tie-breaks and places."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.club.tournament import commands
from companion.club.tournament.events import TournamentFormat
from companion.club.tournament.standings import Standing, entrant_scores, shares_of
from tests.fakes.tournament import PlayedTournament, numbered


def standing(played: PlayedTournament, name: str) -> Standing:
    return next(each for each in played.standings if each.name == name)


PLACES = st.lists(st.integers(1, 3), min_size=1, max_size=6).map(
    lambda sizes: tuple(tuple(f"{place}.{number}" for number in range(size)) for place, size in enumerate(sizes))
)


@given(PLACES)
def test_a_game_gives_half_a_point_for_each_player_at_a_table_of_any_size(places: tuple[tuple[str, ...], ...]) -> None:
    shares = shares_of(places)
    players = sum(map(len, places))
    assert set(shares) == set(chain(*places))
    assert sum(shares.values()) == (Fraction(players, 2) if players > 1 else 1)
    assert all(0 <= share <= 1 for share in shares.values())


@pytest.mark.parametrize(
    ("places", "shares"),
    [
        ("a b c d", {"a": 1, "b": Fraction(2, 3), "c": Fraction(1, 3), "d": 0}),
        ("a b c d e", {"a": 1, "b": Fraction(3, 4), "c": Fraction(1, 2), "d": Fraction(1, 4), "e": 0}),
        ("a bcd", {"a": 1, "b": Fraction(1, 3), "c": Fraction(1, 3), "d": Fraction(1, 3)}),
        ("ab c", {"a": Fraction(3, 4), "b": Fraction(3, 4), "c": 0}),
        ("abc", {"a": Fraction(1, 2), "b": Fraction(1, 2), "c": Fraction(1, 2)}),
        ("a", {"a": 1}),
    ],
)
def test_shares(places: str, shares: dict[str, Fraction]) -> None:
    assert shares_of(tuple(map(tuple, places.split()))) == shares


def test_scores_add_up() -> None:
    played = PlayedTournament(numbered(4))
    played.draw()
    played.enter(1, "P02", "P00", ("P01", "P03"))
    played.draw()
    played.enter(1, "P02", "P01", "P00", "P03")
    assert [(each.place, each.name, each.score, each.wins, each.rounds) for each in played.standings] == [
        (1, "P02", 2.0, 2, 2),
        (2, "P00", 1.0, 0, 2),
        (3, "P01", 0.833, 0, 2),
        (4, "P03", 0.167, 0, 2),
    ]
    assert standing(played, "P02").opponents == ("P00", "P01", "P03", "P01", "P00", "P03")


def test_ties_are_broken_by_the_opponents_scores_in_their_other_games() -> None:
    played = PlayedTournament(numbered(8), seed=2)
    for _ in range(3):
        played.play_round(lambda table: played.random.sample(table, len(table)))
    scores = entrant_scores(played.now)
    for name, score in scores.items():
        means = []
        for each in played.now.rounds:
            places = each.places[each.table_of(name)]
            others = {other: share for other, share in shares_of(places).items() if other != name}
            means.append(sum(scores[other].score - share for other, share in others.items()) / len(others))
        assert score.buchholz == sum(means)
    order = [(each.score, each.buchholz, each.wins) for each in played.standings]
    assert order == sorted(order, reverse=True)
    assert len({each.score for each in played.standings}) < len({each.place for each in played.standings})


def test_the_winners_of_a_small_and_a_large_table_are_equal() -> None:
    played = PlayedTournament(numbered(9), table_size=5)
    assert sorted(map(len, played.play_round().tables)) == [4, 5]
    assert [each.place for each in played.standings].count(1) == 2


def test_wins_break_a_tie_of_score_and_buchholz() -> None:
    """With 1 + 0 and with 1/2 + 1/2, against the same opponents."""
    played = PlayedTournament(numbered(3))
    played.draw()
    played.enter(1, "P02", "P01", "P00")
    played.draw()
    played.enter(1, "P00", "P01", "P02")
    assert [(each.place, each.name, each.score, each.buchholz) for each in played.standings] == [
        (1, "P00", 1, 1),
        (1, "P02", 1, 1),
        (3, "P01", 1, 1),
    ]


def test_who_is_equal_in_everything_shares_a_place_but_no_win() -> None:
    played = PlayedTournament(numbered(4))
    played.draw()
    played.enter(1, ("P01", "P03"), "P00", "P02")
    assert [(each.place, each.name) for each in played.standings] == [(1, "P01"), (1, "P03"), (3, "P00"), (4, "P02")]
    assert {each.wins for each in played.standings} == {0}


def test_who_dropped_out_of_a_game_shares_the_last_place() -> None:
    played = PlayedTournament(numbered(5), table_size=5)
    played.draw()
    played.enter(1, "P04", "P01")
    assert played.last.places[1][:2] == (("P04",), ("P01",))
    assert set(played.last.places[1][2]) == {"P00", "P02", "P03"}
    assert standing(played, "P00").score == 0.25
    assert standing(played, "P04").score == 1


def test_an_absent_player_counts_for_nothing() -> None:
    played = PlayedTournament(numbered(5), table_size=5)
    played.draw()
    played.enter(1, "P04", "P01", "P02", "P03", absent=["P00"])
    assert played.last.places[1] == (("P04",), ("P01",), ("P02",), ("P03",))
    assert standing(played, "P01").score == 0.667
    assert (standing(played, "P00").score, standing(played, "P00").rounds) == (0, 0)


def test_who_plays_alone_has_the_point() -> None:
    played = PlayedTournament(numbered(3))
    alone, *absent = played.draw().tables[0]
    played.enter(1, alone, absent=absent)
    assert (standing(played, alone).score, standing(played, alone).wins, standing(played, alone).opponents) == (
        1,
        1,
        (),
    )


def test_a_guest_counts_where_the_result_names_them() -> None:
    """Two who sat down at each other's table, and somebody who came after the draw."""
    played = PlayedTournament(numbered(8))
    (one, *first), (other, *second) = played.draw().tables
    played.do(commands.JoinTournament(("Late",)))
    played.enter(1, other, *first)
    assert played.last.places[1][-1] == (one,)  # until they are named elsewhere
    played.enter(2, one, *second, "Late")
    assert played.last.places[1] == ((other,), *((name,) for name in first))
    assert played.last.places[2] == ((one,), *((name,) for name in second), ("Late",))
    assert standing(played, "Late").rounds == 1
    assert standing(played, one).opponents == (*second, "Late")


def test_nobody_suffers_for_having_met_somebody_who_went_home() -> None:
    """A round that an opponent does not play counts half a point for the tie-break."""
    played = PlayedTournament(numbered(8))
    first = played.play_round()
    (winner,), *_, (gone,) = first.places[1]
    before = entrant_scores(played.now)[winner]
    played.do(commands.LeaveTournament(gone))
    played.play_round()
    scores = entrant_scores(played.now)
    others = [name for name in first.seats[1] if name not in (winner, gone)]
    own_table = played.last.places[played.last.table_of(winner)]
    in_the_first = {name: share for places in first.places.values() for name, share in shares_of(places).items()}
    in_the_second = {name: share for places in played.last.places.values() for name, share in shares_of(places).items()}
    met = [name for name in chain(*own_table) if name != winner]
    assert before.buchholz == 0
    assert scores[winner].buchholz == (sum(in_the_second[name] for name in others) + Fraction(1, 2)) / 3 + sum(
        in_the_first[name] for name in met
    ) / len(met)


def test_who_never_played_and_left_is_not_in_the_standings() -> None:
    played = PlayedTournament(numbered(6))
    played.do(commands.LeaveTournament("P05"))
    played.draw()
    played.do(commands.LeaveTournament("P04"))
    assert [each.name for each in played.standings] == list(numbered(5))
    assert [each.name for each in played.standings if not each.active] == ["P04"]


def test_a_corrected_result_changes_the_standings_and_no_draw() -> None:
    played = PlayedTournament(numbered(12))
    played.play_round()
    later = played.draw()
    before = played.standings
    worst_first = list(reversed(played.now.rounds[0].tables[0]))
    played.enter(1, *worst_first, of_round=1)
    assert played.now.rounds[1] == later
    assert played.standings != before
    assert standing(played, worst_first[0]).score == 1


def test_in_a_knock_out_the_round_reached_comes_first() -> None:
    played = PlayedTournament(numbered(16), TournamentFormat.KNOCK_OUT, table_size=6, qualifiers=3)
    for _ in range(2):
        played.play_round()
    final = played.draw().tables[0]
    score = {each.name: each.score for each in played.standings}
    by_score = sorted(final, key=lambda name: score[name])
    played.enter(1, *by_score)
    found = played.standings
    assert [each.reached for each in found] == [3] * 6 + [2] * 3 + [1] * 7
    assert [each.name for each in found[:6]] == by_score
    assert any(better.score < worse.score for better, worse in pairwise(found[1:6]))
