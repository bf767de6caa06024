"""Who goes on, and that it ends."""

from __future__ import annotations

from itertools import chain
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.club.tournament import commands
from companion.club.tournament.draw import draw_refusal
from companion.club.tournament.events import TournamentFormat
from companion.club.tournament.knock_out import knock_out_winner, qualifiers, round_name, unclear_qualifiers
from companion.member.errors import NotAllowedInClubError
from tests.fakes.tournament import PlayedTournament, numbered

KNOCK_OUT = TournamentFormat.KNOCK_OUT
MOST_ROUNDS_OF_60 = 9
"""60, of whom three of each table of four go on: 45, 33, 24, 18, 13, 9, 6, and 4 in the final."""


def went_on(played: PlayedTournament) -> set[str]:
    return set(chain(*played.draw().tables))


@pytest.mark.parametrize(
    ("players", "table_size", "best", "tables"),
    [
        (48, 4, 2, [12, 6, 3, 2, 1]),
        (48, 5, 2, [10, 4, 2, 1]),
        (48, 5, 1, [10, 2, 1]),
        (48, 4, 3, [12, 9, 7, 5, 4, 3, 2, 2, 1]),
        (16, 4, 1, [4, 1]),
        (7, 4, 1, [2, 1]),
        (6, 4, 2, [2, 1]),
        (6, 5, 2, [1]),
        (3, 4, 2, [1]),
    ],
)
def test_the_best_of_each_table_go_on_to_a_final(players: int, table_size: int, best: int, tables: list[int]) -> None:
    played = PlayedTournament(numbered(players), KNOCK_OUT, table_size=table_size, qualifiers=best)
    while knock_out_winner(played.now) is None:
        played.play_round()
    assert [len(each.tables) for each in played.now.rounds] == tables
    assert knock_out_winner(played.now) == played.last.places[1][0][0]
    assert round_name(played.now, len(tables)) == "Final"
    with pytest.raises(NotAllowedInClubError, match="has won the knock-out"):
        played.draw()


def test_a_final_has_four_players_if_there_are_any() -> None:
    """Two winners of two tables are too few: the second of each goes on too."""
    played = PlayedTournament(numbered(10), KNOCK_OUT, table_size=5, qualifiers=1)
    first = played.play_round()
    assert went_on(played) == {name for places in first.places.values() for (name,) in places[:2]}


def test_never_all_of_a_table_go_on() -> None:
    played = PlayedTournament(numbered(6), KNOCK_OUT, qualifiers=3)
    first = played.play_round()
    assert [len(table) for table in first.tables] == [3, 3]
    assert went_on(played) == {name for places in first.places.values() for (name,) in places[:2]}


def test_who_has_left_does_not_go_on_and_the_next_one_does() -> None:
    played = PlayedTournament(numbered(8), KNOCK_OUT)
    first = played.play_round()
    (winner,), (_,), (third,), (_,) = first.places[1]
    (back,), *_ = first.places[2]
    played.do(*(commands.LeaveTournament(name) for name in (winner, back)), commands.ReturnToTournament(back))
    assert winner not in (went := went_on(played))
    assert {third, back} <= went
    assert len(went) == 4


def test_a_shared_last_place_is_decided_by_the_score_so_far() -> None:
    played = PlayedTournament(numbered(16), KNOCK_OUT)
    played.play_round()
    second = played.draw()
    scores = {each.name: each.score for each in played.standings}
    for table, names in enumerate(second.tables, start=1):
        played.enter(table, names)  # all four share the first place
    unclear = unclear_qualifiers(played.now)
    assert set(map(frozenset, unclear)) == set(map(frozenset, second.tables))
    for names in second.tables:
        best = sorted((scores[name] for name in names), reverse=True)[:2]
        chosen = [
            name for name in qualifiers(played.now, sorted(scores, key=lambda name: -scores[name])) if name in names
        ]
        assert sorted((scores[name] for name in chosen), reverse=True) == best
    assert len(went_on(played)) == 4


def test_a_shared_last_place_is_drawn_if_the_score_is_the_same() -> None:
    found = set()
    for seed in range(12):
        played = PlayedTournament(numbered(8), KNOCK_OUT, qualifiers=2)
        first = played.draw()
        for table, names in enumerate(first.tables, start=1):
            played.enter(table, names[0], names[1:])
        played.random = Random(seed)
        found.add(frozenset(went_on(played)))
        assert all({names[0] for names in first.tables} < chosen for chosen in found)
    assert len(found) > 3


def test_a_shared_first_place_in_the_final_is_played_off() -> None:
    played = PlayedTournament(numbered(5), KNOCK_OUT)
    played.draw()
    played.enter(1, ("P01", "P03"), "P00", "P02", "P04")
    assert knock_out_winner(played.now) is None
    assert went_on(played) == {"P01", "P03"}
    assert [round_name(played.now, number) for number in (1, 2)] == ["Final", "Play-off"]
    played.enter(1, "P03")
    assert knock_out_winner(played.now) == "P03"
    assert [each.name for each in played.standings] == ["P03", "P01", "P00", "P02", "P04"]


def test_the_last_one_who_is_still_here_has_won() -> None:
    played = PlayedTournament(numbered(8), KNOCK_OUT)
    played.play_round()
    played.do(*(commands.LeaveTournament(name) for name in numbered(8) if name != "P06"))
    assert knock_out_winner(played.now) == "P06"
    assert played.standings[0].name == "P06"
    played.do(commands.LeaveTournament("P06"))
    assert knock_out_winner(played.now) is None
    with pytest.raises(NotAllowedInClubError, match="Nobody"):
        played.draw()


def test_a_draw_needs_every_result() -> None:
    played = PlayedTournament(numbered(12), KNOCK_OUT)
    tables = played.draw().tables
    played.enter(1, *tables[0])
    with pytest.raises(NotAllowedInClubError, match=r"^2 of 3 results of round 1 are missing: tables 2 and 3\.$"):
        played.draw(despite_missing=True)


def test_who_comes_late_plays_in_the_first_round_or_not_at_all() -> None:
    played = PlayedTournament(numbered(8), KNOCK_OUT)
    tables = played.draw().tables
    played.enter(1, *tables[0])
    played.do(commands.JoinTournament(("Late",)))
    played.enter(2, "Late", *tables[1])
    with pytest.raises(NotAllowedInClubError, match="first round of the knock-out is over"):
        played.do(commands.JoinTournament(("Later",)))
    assert "Late" in went_on(played)


def test_who_is_out_cannot_sit_down_again() -> None:
    played = PlayedTournament(numbered(12), KNOCK_OUT)
    first = played.play_round()
    out = first.places[1][-1][0]
    second = played.draw()
    with pytest.raises(NotAllowedInClubError, match="does not play round 2"):
        played.enter(1, out, *second.tables[0])


def test_a_correction_changes_who_goes_on_only_if_the_next_round_is_drawn_again() -> None:
    played = PlayedTournament(numbered(8), KNOCK_OUT)
    first = played.play_round()
    second = played.draw()
    played.enter(1, *reversed(first.tables[0]), of_round=1)
    assert played.last == second
    assert set(chain(*played.draw(again=True).tables)) >= {first.tables[0][-1], first.tables[0][-2]}


@given(
    players=st.integers(3, 60),
    table_size=st.integers(4, 6),
    best=st.integers(1, 3),
    seed=st.integers(0, 2**32),
    leaving=st.floats(0, 0.4),
    sharing=st.floats(0, 0.5),
)
@settings(max_examples=20)
def test_it_always_ends_in_a_winner(
    players: int, table_size: int, best: int, seed: int, leaving: float, sharing: float
) -> None:
    """Whoever leaves, and whatever places are shared, but for that of the winner of a final."""
    played = PlayedTournament(numbered(players), KNOCK_OUT, table_size=table_size, qualifiers=best, seed=seed)
    random, sizes = Random(seed), [players + 1]
    while draw_refusal(played.now) is None:
        drawn = played.draw()
        sizes.append(sum(map(len, drawn.tables)))
        assert sizes[-1] < sizes[-2]
        for table, names in enumerate(drawn.tables, start=1):
            order = random.sample(names, len(names))
            groups = [[order[0]]]
            for name in order[1:]:
                if random.random() < sharing and (len(groups) > 1 or len(drawn.tables) > 1):
                    groups[-1].append(name)
                else:
                    groups.append([name])
            played.enter(table, *groups[: random.randint(1, len(groups))])
            for name in names:
                if random.random() < leaving and len(played.now.active) > 1:
                    played.do(commands.LeaveTournament(name))
    left = set(chain(*played.last.tables)) & set(played.now.active)
    assert knock_out_winner(played.now) is not None or not left or len(drawn.tables) > 1
    if leaving == 0:
        assert knock_out_winner(played.now) is not None
    if knock_out_winner(played.now) is not None:
        assert played.standings[0].name == knock_out_winner(played.now)
    assert len(played.now.rounds) <= MOST_ROUNDS_OF_60
