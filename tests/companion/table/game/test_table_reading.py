"""The problems of a reading."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from calibration.palette import COLOURS
from companion.table.game.table_reading import PlayerDice, TableReading, by_player, check, reading_taken, under_cover
from tests.fakes.reader import laid_out

ANA = PlayerDice("Ana", "red", 3)
BEN = PlayerDice("Ben", "blue", 2)
OUT = PlayerDice("Cid", "green", 0)


def table_reading(dice_by_colour: dict[str, list[int]], uncertain: tuple[tuple[str, int], ...] = ()) -> TableReading:
    return TableReading.of(reading_taken(1, laid_out(dice_by_colour, uncertain=uncertain), picture=True))


def test_a_reading_that_fits_has_no_problems() -> None:
    reading = table_reading({"red": [1, 2, 3], "blue": [6, 6]})
    assert check(reading, (ANA, BEN, OUT)) == ()
    assert by_player(reading, (ANA, BEN, OUT)) == {"Ana": (1, 2, 3), "Ben": (6, 6)}


def test_each_kind_of_problem_names_its_dice() -> None:
    reading = table_reading({"red": [1, 2], "blue": [6, 6, 6], "white": [4]}, uncertain=(("red", 1),))
    problems = {(p.code, p.player, p.dice) for p in check(reading, (ANA, BEN))}
    assert problems == {
        ("missing", "Ana", (0, 1)),
        ("extra", "Ben", (2, 3, 4)),
        ("foreign", None, (5,)),
        ("uncertain", "Ana", (1,)),
    }


def test_the_dice_of_an_eliminated_player_are_extra() -> None:
    (problem,) = check(table_reading({"red": [1, 1, 1], "blue": [2, 2], "green": [3]}), (ANA, BEN, OUT))
    assert (problem.code, problem.player) == ("extra", "Cid")


def test_a_die_of_the_wrong_colour_is_no_reason_to_wait_for_cups() -> None:
    assert under_cover(Counter(red=2, blue=2), (ANA, BEN)) == "I see 2 of Ana's 3 red dice; waiting for cups and hands."
    assert under_cover(Counter(red=2, blue=3), (ANA, BEN)) is None


def test_a_cup_over_one_players_dice_is_waited_for_even_if_the_number_of_dice_is_right() -> None:
    waits = under_cover(Counter(red=5), (ANA, BEN, OUT))
    assert "Ben" in waits


dice = st.dictionaries(st.sampled_from(COLOURS), st.lists(st.integers(1, 6), max_size=5), max_size=8)
players = st.lists(st.integers(0, 5), min_size=2, max_size=6)


@given(dice, players, st.data())
def test_no_problems_means_that_all_dice_are_there_and_certain(
    dice_by_colour: dict[str, list[int]], counts: list[int], data: st.DataObject
) -> None:
    expected = [
        PlayerDice(f"p{n}", colour, count) for n, (colour, count) in enumerate(zip(COLOURS, counts, strict=False))
    ]
    unsure = data.draw(
        st.sets(
            st.sampled_from([(c, n) for c, faces in dice_by_colour.items() for n in range(len(faces))] or [("red", 99)])
        )
    )
    reading = table_reading(dice_by_colour, tuple(unsure))
    fits = all(len(dice_by_colour.get(p.colour, [])) == p.dice for p in expected)
    foreign = any(faces and colour not in {p.colour for p in expected} for colour, faces in dice_by_colour.items())
    certain = not any(die.uncertain for die in reading.dice)
    assert (check(reading, expected) == ()) is (fits and certain and not foreign)


def test_a_box_that_did_not_see_the_table_before_asks_once_whether_lost_dice_are_counted() -> None:
    shown = replace(laid_out({"red": [1, 2, 3], "blue": [4, 5, 6]}), unseen=True)
    players = (PlayerDice("Ana", "red", 2), PlayerDice("Ben", "blue", 2))
    first, second = check(TableReading.of(reading_taken(1, shown, picture=True)), players)
    assert first.sentence == (
        "I see 3 red dice, and Ana has 2. I did not see the table before the cups went up: are lost dice among them?"
    )
    assert second.sentence == "I see 3 blue dice, and Ben has 2."
