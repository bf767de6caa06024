"""Uncertain dice: asked about as long as the verdict depends on them, and marked once it does not."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from calibration.palette import COLOURS
from companion import engine
from companion.table import commands
from companion.table.game import events
from companion.table.game.judged_dice import judged_readings
from companion.table.game.table_reading import PlayerDice, Problem, TableReading, by_player, check, reading_taken
from companion.table.past.games import game_of_record, latest_game
from companion.table.past.story import story
from tests.fakes.desk import FakeDesk
from tests.fakes.new_game import new_game
from tests.fakes.reader import laid_out
from vision.reading import Die, Reading

FULL = {"red": [4, 4, 1, 2, 3], "blue": [6, 6, 5, 4, 1]}
"""Three fours and two pacos."""


def called(count: int, face: int = 4, call: commands.Command | None = None) -> FakeDesk:
    """A table at which Ana has bid so many, and Ben has called."""
    desk = FakeDesk()
    desk.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"))
    desk.do(commands.MakeBid("Ana", count, face), call or commands.CallDudo())
    return desk


def asked(desk: FakeDesk) -> list[tuple[str, tuple[int, ...]]]:
    return [(problem.code, problem.dice) for problem in desk.position.problems()]


# At the table


def test_nobody_is_asked_about_dice_that_cannot_change_the_verdict() -> None:
    desk = called(9)
    desk.read(FULL, uncertain=[("red", 0), ("red", 3), ("blue", 2)])
    state = desk.state()
    assert state.phase == "verdict"
    assert (state.verdict.count, state.verdict.least, state.verdict.most, state.verdict.loses) == (5, 4, 7, "Ana")
    assert state.verdict.sentence == (
        "3 dice are unclear: the count is 4 to 7, and the verdict the same. "
        "The bid was 9 fours: that is wrong. Ana loses a die and opens the next round."
    )
    assert [die.id for die in state.reading.dice if die.uncertain] == [0, 3, 7]


def three_uncertain(desk: FakeDesk) -> FakeDesk:
    """Four dice match for certain; die 0 is likely to, 7 may, and 3 hardly can."""
    shown = laid_out(FULL, uncertain=[("red", 0), ("red", 3), ("blue", 2)])
    likely = {0: ((4, 0.6), (5, 0.2)), 3: ((2, 0.5), (3, 0.4)), 7: ((5, 0.4), (1, 0.35))}
    dice = tuple(replace(die, likeliest=likely.get(n, die.likeliest)) for n, die in enumerate(shown.dice))
    desk.do(commands.TakeReading(desk.position.reveals, replace(shown, dice=dice), True))
    return desk


def test_the_die_that_decides_soonest_goes_by_how_many_have_to_match() -> None:
    assert [asked(three_uncertain(called(count))) for count in (5, 6, 7)] == [
        [("uncertain", (die,))] for die in (0, 7, 3)
    ]


def test_the_die_that_is_likeliest_to_decide_is_asked_about_first_and_the_others_only_if_they_matter() -> None:
    desk = three_uncertain(called(5))
    assert asked(desk) == [("uncertain", (0,))]  # four match for certain: a four decides
    desk.do(commands.SetDie(0, face=4))
    assert desk.position.phase == "verdict"
    desk.undo()
    desk.do(commands.SetDie(0, face=2))
    assert asked(desk) == [("uncertain", (7,))]
    desk.do(commands.SetDie(7, face=5))
    assert asked(desk) == [("uncertain", (3,))]
    desk.do(commands.SetDie(3, face=2))
    assert desk.state().verdict.sentence.startswith("2 fours and 2 pacos make 4. The bid was 5 fours: that is wrong.")


def test_an_exact_count_depends_on_every_die_that_may_match() -> None:
    desk = called(5, call=commands.CallCalza("Ben"))
    desk.read(FULL, uncertain=[("red", 0), ("red", 3)])
    assert len(asked(desk)) == 1
    desk.do(commands.SetDie(3, face=2))
    assert asked(desk) == [("uncertain", (0,))]


def test_a_correction_of_a_die_that_was_not_asked_about_judges_again() -> None:
    desk = called(6)
    desk.read(FULL, uncertain=[("red", 3)])
    assert asked(desk) == [("uncertain", (3,))]
    desk.do(commands.SetDie(0, face=5))  # one match less: now it cannot hold
    assert (desk.position.phase, desk.state().verdict.loses) == ("verdict", "Ana")
    desk.do(commands.SetDie(7, face=4))
    assert (desk.position.phase, asked(desk)) == ("checking", [("uncertain", (3,))])
    desk.do(commands.SetDie(3, face=4))
    assert (desk.state().verdict.count, desk.state().verdict.least, desk.state().verdict.loses) == (6, 6, "Ben")


def test_what_is_too_many_only_perhaps_is_nobodys_once_the_verdict_cannot_depend_on_it() -> None:
    flowers = {"red": [4, 4, 1, 2, 3, 1], "blue": FULL["blue"], "green": [1, 1]}
    unsure = [("red", 5), ("green", 0), ("green", 1)]
    desk = called(9)
    desk.read(flowers, uncertain=unsure)
    state = desk.state()
    assert (state.verdict.least, state.verdict.most) == (2, 7)  # any five of the red ones may be Ana's
    assert [die.id for die in state.reading.dice if die.player is None] == [5, 11, 12]
    assert [line.alone for line in state.tally] == [2, 1, 1, 3, 1, 2]
    desk = called(5)
    desk.read(flowers, uncertain=unsure)
    assert asked(desk) == [("extra", (0, 1, 2, 3, 4, 5)), ("uncertain", (5,))]
    desk.do(commands.StrikeDie(5))
    assert (desk.position.phase, desk.state().verdict.count) == ("verdict", 5)


@pytest.mark.parametrize(
    ("shown", "code"),
    [
        ({"red": [4, 4, 1, 2], "blue": FULL["blue"]}, "missing"),
        ({"red": [4, 4, 1, 2, 3, 1], "blue": FULL["blue"]}, "extra"),
        ({**FULL, "green": [2]}, "foreign"),
    ],
)
def test_dice_that_surely_do_not_add_up_are_asked_about_whatever_the_verdict(
    shown: dict[str, list[int]], code: str
) -> None:
    desk = called(10)
    desk.read(shown, uncertain=[("blue", 0)])
    assert [problem for problem, _ in asked(desk)] == [code]


def test_without_a_known_call_every_uncertain_die_is_asked_about() -> None:
    desk = FakeDesk()
    desk.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"), commands.AskCount("dudo"))
    desk.read(FULL, uncertain=[("red", 0), ("blue", 2)])
    assert asked(desk) == [("uncertain", (0,)), ("uncertain", (7,))]


def test_journal_record_and_story_say_which_dice_were_uncertain() -> None:
    desk = called(9)
    desk.read(FULL, uncertain=[("red", 0), ("blue", 2)])
    desk.do(commands.OpenRound())
    kind, values = events.to_json(next(e for e in desk.happened if isinstance(e, events.Judged)))
    assert events.from_json(kind, json.loads(json.dumps(values))).reveal.uncertain == {"Ana": (4,), "Ben": (5,)}
    played = latest_game(desk.history)
    (line,) = (line for line in played.record[0] if "reveal" in line)
    assert line.endswith('"uncertain": {"Ana": [4], "Ben": [5]}}')
    again = game_of_record(1, played.record[0]).rounds[0]
    assert (again.uncertain, again.outcome.least) == ({"Ana": (4,), "Ben": (5,)}, 4)
    assert "he count was from 4 to 6: the bid was wrong, and Ana lost a die." in " ".join(story(played))
    assert [die.face for die in judged_readings(desk.history)[0].dice if not die.is_known] == [4, 5]


# For all readings


@dataclass(frozen=True)
class Lying:
    """Something on the table: a die in play, or something that is none."""

    face: int
    """What it truly shows; 0 if it is no die in play."""
    colour: str
    read: Die | None = None
    """As the camera read it; None if it missed it."""


RULES = (
    engine.RULESETS["asmodee-fr"],
    engine.RULESETS["hasbro-1994"],
    engine.house_rules({"ruleset": "asmodee-fr", "dudo_costs": "difference", "opens_after_dudo": "winner"}),
)
CERTAIN, MISREAD, ELSEWHERE, MISSED = 0, 1, 2, 3
PLAYERS = st.lists(st.integers(1, 3), min_size=2, max_size=3).map(
    lambda counts: [PlayerDice(f"p{n}", COLOURS[n], dice) for n, dice in enumerate(counts)]
)


@st.composite
def tables(draw: st.DrawFn, *, strays: bool) -> tuple[engine.Position, list[PlayerDice], list[Lying]]:
    """A call, the players, and what lies there.

    What is read for certain is right, but for dice that are out of play where all of their colour that are in play are
    read, too.
    """
    players = draw(PLAYERS)
    faces, colours = st.integers(1, 6), st.sampled_from([*(player.colour for player in players), "white"])
    doubts = st.sampled_from((CERTAIN, CERTAIN, MISREAD, ELSEWHERE, MISSED) if strays else (CERTAIN, MISREAD))
    lying = []
    for player in players:
        for _ in range(player.dice):
            face, doubt = draw(faces), draw(doubts)
            read = None
            if doubt != MISSED:
                shown = face if doubt == CERTAIN else draw(faces)
                colour = draw(colours) if doubt == ELSEWHERE else player.colour
                read = Die(shown, colour, (0, 0, 40, 40), 0.3 if doubt else 0.98, ((shown, 0.5), (shown % 6 + 1, 0.3)))
            lying.append(Lying(face, player.colour, read))
    for _ in range(draw(st.integers(0, 2)) if strays else 0):
        colour = draw(colours)
        complete = all(each.read and each.read.colour == colour for each in lying if each.colour == colour)
        confidence = draw(st.sampled_from((0.2, 0.99))) if complete else 0.2  # a lost die, or something taken for one
        lying.append(Lying(0, "", Die(draw(faces), colour, (0, 0, 40, 40), confidence)))
    dice = {player.name: player.dice for player in players}
    game = engine.Position.start(engine.GameStarted(draw(st.sampled_from(RULES)), tuple(dice), "p0", dice=dice))
    game = game.apply(engine.Bid("p0", draw(st.integers(1, sum(dice.values()) + 1)), draw(faces), accepted=True))
    calza = engine.Calza("p1")
    called = game.apply(calza if draw(st.booleans()) and game.check(calza) is None else engine.Dudo("p1"))
    return called, players, sorted(lying, key=lambda each: each.read is None)


def read_of(lying: Sequence[Lying]) -> TableReading:
    dice = tuple(each.read for each in lying if each.read is not None)
    return TableReading.of(reading_taken(1, Reading(dice, 1280, 960), picture=True))


def verdict(game: engine.Position, reveal: engine.Reveal) -> engine.Position:
    """All that follows from the dice, but for how many match."""
    after = game.apply(reveal)
    assert after.outcome.least <= after.outcome.count <= after.outcome.most
    return replace(after, outcome=replace(after.outcome, faces=0, pacos=0, uncertain=0, uncertain_matches=0))


def by_name(players: Sequence[PlayerDice], dice: Iterable[tuple[str, int]]) -> engine.Reveal:
    shown = list(dice)
    return engine.Reveal({p.name: tuple(face for colour, face in shown if colour == p.colour) for p in players})


@given(tables(strays=False))
@settings(max_examples=50)
def test_a_verdict_is_given_exactly_if_it_is_the_same_for_all_that_the_uncertain_dice_may_show(
    table: tuple[engine.Position, list[PlayerDice], list[Lying]],
) -> None:
    called, players, lying = table
    reading = read_of(lying)
    unsure = [die.id for die in reading.dice if die.uncertain]
    assume(len(unsure) <= 3)
    verdicts = []
    for faces in product(engine.FACES, repeat=len(unsure)):
        shown = dict(zip(unsure, faces, strict=True))
        reveal = by_name(players, ((die.colour, shown.get(die.id, die.face)) for die in reading.dice))
        verdicts.append(verdict(called, reveal))
    codes = [problem.code for problem in check(reading, players, called)]
    assert codes == ([] if all(each == verdicts[0] for each in verdicts) else ["uncertain"])


@given(tables(strays=True))
def test_true_answers_lead_to_the_true_verdict_whatever_is_not_asked_about(
    table: tuple[engine.Position, list[PlayerDice], list[Lying]],
) -> None:
    called, players, lying = table
    truth = by_name(players, ((each.colour, each.face) for each in lying if each.face))
    reading = read_of(lying)
    for _ in range(3 * len(lying)):
        if problems := check(reading, players, called):
            reading = put_right(reading, problems[0], players, lying)
    assert check(reading, players, called) == ()
    dice, uncertain = (by_player(reading, players, uncertain=only) for only in (False, True))
    assert verdict(called, engine.Reveal(dice, uncertain)) == verdict(called, truth)


def put_right(
    reading: TableReading, problem: Problem, players: Sequence[PlayerDice], lying: list[Lying]
) -> TableReading:
    """The reading after what somebody says who sees the table. A die that is added goes to the end of what was read."""
    if problem.code != "missing":
        for die in (die for die in reading.dice if die.id in problem.dice):
            true = lying[die.id]
            if not true.face:
                return reading.corrected(events.DieStruck(die.id))
            if problem.code == "uncertain" or die.colour != true.colour:
                return reading.corrected(events.DieSet(die.id, true.face, true.colour))
        raise AssertionError(f"nothing is wrong with {problem}")
    (colour,) = (player.colour for player in players if player.name == problem.player)
    for die in reading.dice:
        true = lying[die.id]
        if true.face and true.colour == colour != die.colour:
            return reading.corrected(events.DieSet(die.id, true.face, colour))
    missed = next(n for n, each in enumerate(lying) if n >= reading.next_die and each.colour == colour)
    lying[reading.next_die], lying[missed] = lying[missed], lying[reading.next_die]
    return reading.corrected(events.DieAdded(lying[reading.next_die].face, colour, (0, 0, 40, 40)))
