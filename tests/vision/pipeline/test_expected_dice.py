"""The expected dice can settle whose a die is, and whether it is one; they invent none and never change a face."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.palette import COLOURS
from vision.pipeline.expected_dice import lacks, questions, reconcile, with_likely_places
from vision.reading import Die, Reading


def die(colour: str, face: int = 3, confidence: float = 0.95, **chances: float) -> Die:
    likeliest = tuple(sorted(chances.items(), key=lambda item: -item[1])) or ((colour, 1.0),)
    return Die(face, colour, (0.0, 0.0, 40.0, 40.0), confidence, ((face, 0.9),), likeliest)


def weighed(dice: list[Die], **expected: int) -> tuple[Die, ...]:
    return reconcile(Reading(tuple(dice), 640, 480), expected).dice


@pytest.mark.parametrize(("read", "uncertain"), [((0.78, 0.22), True), ((0.6, 0.4), True), ((0.19, 0.81), False)])
def test_a_colour_nobody_plays_becomes_the_nearest_one_in_play(read: tuple[float, float], uncertain: bool) -> None:
    (only,) = weighed([replace(die("black", 3, 0.97), colours=(("black", read[0]), ("purple", read[1])))], purple=2)
    assert only.colour == "purple"
    assert only.uncertain is uncertain


@pytest.mark.parametrize(
    ("purple", "reds", "uncertain"), [(0.35, 1, False), (0.35, 2, False), (0.22, 1, True), (0.22, 2, True)]
)
def test_it_is_that_colours_for_sure_if_just_this_die_was_lacking(purple: float, reds: int, uncertain: bool) -> None:
    """If it hardly has that colour it may be nobody's, though every die seems to be there."""
    dark = replace(die("black", 3, 0.97), colours=(("black", 0.7 - purple), ("blue", 0.3), ("purple", purple)))
    dice = weighed([die("purple"), dark, die("red")], purple=2, red=reds, blue=0)
    assert [d.colour for d in dice] == ["purple", "purple", "red"]
    assert dice[1].uncertain is uncertain


def test_a_die_of_no_player_stays_so() -> None:
    (only,) = weighed([die("black", black=0.98, red=0.02)], red=1)
    assert only.colour == "black"


@pytest.mark.parametrize(("blue", "orange", "uncertain"), [(0, 0.3, False), (1, 0.3, True), (0, 0.06, True)])
def test_a_surplus_die_goes_to_the_colour_that_lacks_one(blue: int, orange: float, uncertain: bool) -> None:
    """It is asked about if a die is missing all the same, or if it hardly has that colour."""
    reds = [die("red", red=0.99), die("red", red=1 - orange, orange=orange)]
    dice = weighed([*reds, die("orange", orange=1.0)], red=1, orange=2, blue=blue)
    assert [d.colour for d in dice] == ["red", "orange", "orange"]
    assert [d.uncertain for d in dice] == [False, uncertain, False]


def test_a_die_of_another_colour_is_not_the_missing_one() -> None:
    """Its colour belongs to an eliminated player, or to nobody."""
    for expected in ({"red": 1, "blue": 1}, {"red": 1, "blue": 1, "black": 0}):
        dice = weighed([die("red"), die("black", black=0.85, blue=0.15)], **expected)
        assert [d.colour for d in dice] == ["red", "black"]
        assert not any(d.uncertain for d in dice)


@pytest.mark.parametrize(
    ("dice", "expected"),
    [
        ([die("red", red=0.7, blue=0.3), die("green")], {"red": 1, "green": 1, "blue": 1}),
        ([die("red"), die("red")], {"red": 1, "blue": 1}),
        ([die("red"), die("blue", red=0.4, blue=0.6)], {"red": 1, "blue": 1}),
    ],
    ids=["a complete colour gives no die", "a die that cannot be the other colour stays", "what fits is unchanged"],
)
def test_a_reading_that_counting_explains_no_better_is_unchanged(dice: list[Die], expected: dict[str, int]) -> None:
    assert weighed(dice, **expected) == tuple(dice)


def doubtful(colour: str, there: float, if_there: float = 0.95) -> Die:
    """A die of which it is not sure that it is one."""
    return replace(die(colour, confidence=there * 0.5), there=there, if_there=if_there)


def sure(colour: str) -> Die:
    return replace(die(colour), there=0.99, if_there=0.95)


MAYBE = doubtful("red", 0.6)


@pytest.mark.parametrize(
    ("reds", "others", "uncertain"),
    [
        pytest.param(4, [MAYBE], [False], id="something doubtful is the die that would be missing"),
        pytest.param(
            4, [doubtful("red", 0.6, if_there=0.4)], [True], id="but a face that is hard to read is asked about"
        ),
        pytest.param(4, [MAYBE.as_uncertain()], [True], id="and a die on which two frames differ"),
        pytest.param(4, [doubtful("red", 0.5)] * 2, [True] * 2, id="of two things neither is surely the missing die"),
        pytest.param(5, [doubtful("red", 0.5)], [], id="nothing doubtful is a die if all are there"),
        pytest.param(5, [doubtful("red", 0.5).as_uncertain()], [True], id="unless two frames differ on it"),
        pytest.param(5, [sure("red")], [False], id="a die too many is never left out if it surely is one"),
    ],
)
def test_of_five_red_dice(reds: int, others: list[Die], uncertain: list[bool]) -> None:
    dice = weighed([*[sure("red")] * reds, *others], red=5)
    assert [d.uncertain for d in dice] == [False] * reds + uncertain


@pytest.mark.parametrize(("face", "if_there", "uncertain"), [(1, 0.7, True), (1, 0.9, False), (2, 0.7, False)])
def test_an_ace_that_would_be_the_missing_die_must_be_a_plain_one(face: int, if_there: float, uncertain: bool) -> None:
    """A sleeve over a pip of a two makes an ace."""
    dice = weighed([die("red"), replace(die("red", face, 0.3), there=0.6, if_there=if_there)], red=2)
    assert [d.uncertain for d in dice] == [False, uncertain]


@pytest.mark.parametrize(("width", "uncertain"), [(35, False), (28, True), (55, True)])
def test_a_part_of_a_die_is_asked_about(width: float, uncertain: bool) -> None:
    """The rest of it lies under a finger, and may show more pips."""
    part = replace(doubtful("red", 0.6), box=(0.0, 0.0, width, width - 3.0))
    dice = weighed([*[sure("red")] * 4, part], red=5)
    assert [d.uncertain for d in dice] == [False] * 4 + [uncertain]


@pytest.mark.parametrize("number", [80, 400])
def test_a_cloth_full_of_red_dice_is_asked_about(number: int) -> None:
    """So many that some numbers are too small to be written."""
    faint = (replace(die("red"), there=0.2, confidence=0.1),) * 9
    reading = reconcile(Reading((die("red"),) * number, 640, 480, faint=faint), {"red": 5})
    assert questions(reading, {"red": 5}) == number - 5


@pytest.mark.parametrize(
    ("colour", "width", "frames_differ", "questions"),
    [("red", 40, False, 1), ("red", 70, False, 0), ("blue", 40, False, 0), ("blue", 40, True, 1)],
)
def test_something_with_no_plain_face_is_no_die_if_it_is_blue_or_large_and_all_are_there(
    colour: str, width: float, frames_differ: bool, questions: int
) -> None:
    """Else it may be half a die, as what hides it hides its face too."""
    thing = replace(doubtful(colour, 0.5, if_there=0.3), box=(0.0, 0.0, width, width))
    dice = weighed([*[sure("red")] * 5, thing.as_uncertain() if frames_differ else thing], red=5)
    assert sum(d.uncertain for d in dice) == questions


def test_two_colours_that_a_lamp_makes_alike_are_told_apart_by_how_many_there_are() -> None:
    """The likeliest of the yellow dice are the orange ones, if just as many of those are missing."""
    yellow = [die("yellow", yellow=1 - orange, orange=orange) for orange in (0.0002, 0.002, 0.0003, 0.001)]
    dice = weighed(yellow, yellow=2, orange=2)
    assert [d.colour for d in dice] == ["yellow", "orange", "yellow", "orange"]
    assert not any(d.uncertain for d in dice)
    for others in ({"orange": 1, "yellow": 3}, {"orange": 3, "yellow": 2}, {"red": 2, "yellow": 2}):
        assert questions(reconcile(Reading(tuple(yellow), 640, 480), others), others), others


def test_something_doubtful_of_a_colour_that_nobody_plays_is_hardly_the_missing_die() -> None:
    """A print of the cloth in the shade of a die, and a die that another one hides."""
    printed = replace(die("white", 5, 0.4, white=0.62, purple=0.26), there=0.54, if_there=0.8)
    dice = weighed([die("purple"), printed], purple=2)
    assert [d.uncertain for d in dice if d.face == 5] in ([], [True])
    plainly = replace(printed, colour="purple", colours=(("purple", 0.9), ("white", 0.1)))
    assert not any(d.uncertain for d in weighed([die("purple"), plainly], purple=2)), "as it is for one of its colour"


@pytest.mark.parametrize(
    ("faint", "reds"),
    [((doubtful("red", 0.3), doubtful("green", 0.3)), 1), ((doubtful("red", 0.05), doubtful("red", 0.05)), 2)],
    ids=["none is missing", "two may be the missing one"],
)
def test_no_faint_one_is_a_die_if(faint: tuple[Die, ...], reds: int) -> None:
    assert len(reconcile(Reading((sure("red"),), 640, 480, faint=faint), {"red": reds}).dice) == 1


@pytest.mark.parametrize(("there", "uncertain"), [(0.35, False), (0.2, True)])
def test_a_missing_die_is_looked_for_among_the_faint_ones(there: float, uncertain: bool) -> None:
    faint = (doubtful("red", there), doubtful("blue", 0.3))
    reading = Reading((sure("red"), sure("blue")), 640, 480, faint=faint)
    dice = reconcile(reading, {"red": 2, "blue": 1}).dice
    assert [d.colour for d in dice] == ["red", "blue", "red"]
    assert dice[-1].uncertain is uncertain


chances = st.dictionaries(st.sampled_from(COLOURS), st.floats(0, 1), min_size=1, max_size=4)
some_dice = st.lists(
    st.builds(lambda c, f, p: die(max(c, key=lambda k: c[k]), f, p, **c), chances, st.integers(1, 6), st.floats(0, 1)),
    max_size=12,
)


@given(some_dice, st.fixed_dictionaries({colour: st.integers(1, 5) for colour in COLOURS}))
def test_no_die_is_added_lost_or_changed_and_none_becomes_surer(dice: list[Die], expected: dict[str, int]) -> None:
    after = weighed(dice, **expected)
    assert [(d.face, d.box) for d in after] == [(d.face, d.box) for d in dice]
    assert all(new.confidence <= old.confidence for new, old in zip(after, dice, strict=True))


def test_missing_and_surplus_dice_are_questions_as_uncertain_ones_are() -> None:
    reading = Reading((sure("red"), sure("blue"), sure("blue"), sure("green").as_uncertain()), 640, 480)
    assert questions(reading, {"red": 3, "blue": 1, "green": 1}) == 2 + 1 + 1


def test_where_a_missing_die_may_lie_the_players_are_asked_what_it_shows() -> None:
    hidden = replace(die("red", 2, red=0.8, blue=0.2), there=0.03)
    far = replace(die("red", 5), there=0.01)
    reading = reconcile(Reading((die("red"), die("blue")), 640, 480, faint=(far, hidden)), {"red": 2, "blue": 1})
    assert lacks(reading, {"red": 2, "blue": 1})
    offered = with_likely_places(reading, {"red": 2, "blue": 1})
    assert [(each.colour, each.face, each.uncertain) for each in offered.dice[2:]] == [("red", 2, True)]
    assert questions(offered, {"red": 2, "blue": 1}) == questions(reading, {"red": 2, "blue": 1}) == 1


@pytest.mark.parametrize(("there", "red", "offered"), [(0.03, 1.0, 1), (0.03, 0.1, 0), (0.01, 1.0, 0)])
def test_a_place_that_hardly_is_a_die_of_that_colour_is_not_offered(there: float, red: float, offered: int) -> None:
    faint = replace(die("red", 2, red=red, green=1 - red), there=there)
    reading = reconcile(Reading((), 640, 480, faint=(faint,)), {"red": 1})
    assert len(with_likely_places(reading, {"red": 1}).dice) == offered
    assert with_likely_places(reading, {"red": 0}).dice == ()


def test_of_the_places_where_a_die_may_lie_no_more_are_offered_than_dice_are_missing() -> None:
    faint = tuple(replace(die("red", 2, red=0.5, black=0.5), there=0.05) for _ in range(4))
    reading = Reading((die("red"), die("red")), 640, 480, faint=faint)
    assert len(with_likely_places(reading, {"red": 3}).dice) == 3
    assert len(with_likely_places(reading, {"red": 2}).dice) == 2
