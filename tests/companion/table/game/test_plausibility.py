"""The problems of a reading."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from calibration.palette import COLOURS
from companion.table.game.plausibility import PlayerDice, by_player, check, under_cover
from companion.table.game.table_reading import TableReading, reading_taken
from tests.fakes.reader import laid_out

ANA = PlayerDice("Ana", "red", 3)
BEN = PlayerDice("Ben", "blue", 2)
OUT = PlayerDice("Cid", "green", 0)


def seen(shown: dict[str, list[int]], uncertain: tuple[tuple[str, int], ...] = ()) -> TableReading:
    return TableReading.of(reading_taken(1, laid_out(shown, uncertain=uncertain), picture=True))


def test_a_reading_that_fits_has_no_problems() -> None:
    reading = seen({"red": [1, 2, 3], "blue": [6, 6]})
    assert check(reading, (ANA, BEN, OUT)) == ()
    assert by_player(reading, (ANA, BEN, OUT)) == {"Ana": (1, 2, 3), "Ben": (6, 6)}


def test_each_kind_of_problem_names_its_dice() -> None:
    reading = seen({"red": [1, 2], "blue": [6, 6, 6], "white": [4]}, uncertain=(("red", 1),))
    problems = {(p.code, p.player, p.dice) for p in check(reading, (ANA, BEN))}
    assert problems == {
        ("missing", "Ana", (0, 1)),
        ("extra", "Ben", (2, 3, 4)),
        ("foreign", None, (5,)),
        ("uncertain", "Ana", (1,)),
    }


def test_the_dice_of_a_player_who_is_out_are_extra() -> None:
    (problem,) = check(seen({"red": [1, 1, 1], "blue": [2, 2], "green": [3]}), (ANA, BEN, OUT))
    assert (problem.code, problem.player) == ("extra", "Cid")


def test_a_die_of_the_wrong_colour_is_no_reason_to_wait_for_cups() -> None:
    assert under_cover(Counter(red=2, blue=2), (ANA, BEN)) == "I see 2 of Ana's 3 red dice; waiting for cups and hands."
    assert under_cover(Counter(red=2, blue=3), (ANA, BEN)) is None


def test_a_cup_over_all_dice_of_a_player_is_waited_for_though_as_many_dice_are_seen_as_there_are() -> None:
    waits = under_cover(Counter(red=5), (ANA, BEN, OUT))
    assert waits is not None
    assert "Ben" in waits


dice = st.dictionaries(st.sampled_from(COLOURS), st.lists(st.integers(1, 6), max_size=5), max_size=8)
players = st.lists(st.integers(0, 5), min_size=2, max_size=6)


@given(dice, players, st.data())
def test_no_problems_means_exactly_everybodys_dice_and_all_of_them_certain(
    shown: dict[str, list[int]], counts: list[int], data: st.DataObject
) -> None:
    expected = [
        PlayerDice(f"p{n}", colour, count) for n, (colour, count) in enumerate(zip(COLOURS, counts, strict=False))
    ]
    unsure = data.draw(
        st.sets(st.sampled_from([(c, n) for c, faces in shown.items() for n in range(len(faces))] or [("red", 99)]))
    )
    reading = seen(shown, tuple(unsure))
    fits = all(len(shown.get(p.colour, [])) == p.dice for p in expected)
    foreign = any(faces and colour not in {p.colour for p in expected} for colour, faces in shown.items())
    certain = not any(die.uncertain for die in reading.dice)
    assert (check(reading, expected) == ()) is (fits and certain and not foreign)
