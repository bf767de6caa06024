"""The life of a table: seats, the opening roll, rounds without bids, undo, leaving and coming back."""

from __future__ import annotations

import json
from dataclasses import replace

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from calibration.palette import COLOURS
from companion import engine
from companion.engine import EngineError
from companion.engine.record import replay
from companion.engine.rulebooks import with_changes
from companion.table import commands
from companion.table.errors import NotAllowedNowError, TableError, UnreadableCommandError
from companion.table.game import events
from companion.table.game.decide import decide_together
from companion.table.game.history import History, standing_steps
from companion.table.game.new_game import GameDefaults
from companion.table.game.table_position import Phase, TablePosition
from companion.table.past.games import games
from companion.table.presses import Presses
from companion.table.state.public_state import RuntimeStatus, public_state
from companion.table.state.signs import lamps
from hardware.panel.debounce import Push
from hardware.panel.lamp_patterns import LampPattern
from tests.fakes.desk import FakeDesk
from tests.fakes.new_game import new_game
from tests.fakes.public_state import in_json

HOUSE = {"dudo_by": "anyone", "dudo_costs": "difference", "calza_once": True, "opener_chooses_direction": True}
NAMES = ("Ana", "Ben", "Cid")
COMPANY = tuple(zip(NAMES, COLOURS, strict=False))
NEW_GAME = new_game(COMPANY, "asmodee-fr", True, "Ana")
FULL = {"red": [4, 4, 1, 2, 3], "orange": [6, 6, 5, 4, 1], "yellow": [2, 2, 2, 3, 5]}
"""Three fours and two pacos."""


@pytest.fixture
def desk() -> FakeDesk:
    desk = FakeDesk()
    desk.do(NEW_GAME)
    return desk


def state(desk: FakeDesk) -> dict:
    return in_json(public_state(desk.history, RuntimeStatus(), 1))


def alike(one: TablePosition, other: TablePosition) -> bool:
    """Equal except for what is never taken back: the numbers of pictures and camera requests, and what was shown."""
    return replace(one, readings=0, reveals=0, shown=0) == replace(other, readings=0, reveals=0, shown=0)


# Sitting down


def test_a_player_may_start_with_fewer_dice() -> None:
    desk = FakeDesk()
    desk.do(msgspec.structs.replace(NEW_GAME, dice={"Ben": 3}))
    assert desk.position.game.dice == {"Ana": 5, "Ben": 3, "Cid": 5}


@pytest.mark.parametrize("dice", [{"Dan": 3}, {"Ana": 0}, {"Ana": 6}])
def test_an_impossible_handicap_is_refused(dice: dict[str, int]) -> None:
    with pytest.raises((UnreadableCommandError, engine.BadRecordError)):
        FakeDesk().do(msgspec.structs.replace(NEW_GAME, dice=dice))


def test_the_last_company_is_offered_again_once_nobody_plays(desk: FakeDesk) -> None:
    assert state(desk)["company"] is None
    desk.do(commands.EndGame())
    assert [seat["name"] for seat in state(desk)["company"]["players"]] == list(NAMES)
    assert (state(desk)["phase"], state(desk)["winner"]) == ("over", None)


# The opening roll


@pytest.fixture
def rolling() -> FakeDesk:
    desk = FakeDesk()
    desk.do(msgspec.structs.replace(NEW_GAME, ruleset="hasbro-1994", roll=True))
    return desk


def test_the_roll_is_read_by_colour_and_ties_roll_again(rolling: FakeDesk) -> None:
    assert (rolling.position.phase, state(rolling)["opening"]["rolling"]) == (Phase.ROLLING, list(NAMES))
    rolling.do(commands.AskReading())
    rolling.read({"red": [6], "orange": [6], "yellow": [2]})
    assert state(rolling)["opening"] == {
        "dice": 1,
        "rolling": ["Ana", "Ben"],
        "rolls": [{"Ana": [6], "Ben": [6], "Cid": [2]}],
    }
    rolling.do(commands.AskReading())
    rolling.read({"red": [1], "orange": [3], "yellow": [2]})  # Cid's die still lies there
    assert (rolling.position.phase, rolling.position.game.starter) == (Phase.BIDDING, "Ben")
    assert len(state(rolling)["opening"]["rolls"]) == 2
    rolling.do(commands.MakeBid("Ben", 2, 3))
    assert state(rolling)["opening"] is None


def test_two_dice_are_rolled_where_the_book_says_so() -> None:
    desk = FakeDesk()
    desk.do(msgspec.structs.replace(NEW_GAME, ruleset="web-fr", roll=True), commands.AskReading())
    desk.read({"red": [6, 5], "orange": [6, 4], "yellow": [2, 2]})
    assert desk.position.game.starter == "Ana"


@pytest.mark.parametrize(
    ("rolls", "rolling"),
    [
        ({"Ana": [6, 1], "Ben": [4, 4], "Cid": [5, 2]}, []),
        ({"Ana": [6, 2], "Ben": [4, 4], "Cid": [5, 2]}, ["Ana", "Ben"]),
        ({"Ana": [1, 1], "Ben": [1, 1], "Cid": [1, 1]}, ["Ana", "Ben", "Cid"]),
    ],
)
def test_equal_sums_tie_even_with_different_dice(rolls: dict[str, list[int]], rolling: list[str]) -> None:
    desk = FakeDesk()
    desk.do(msgspec.structs.replace(NEW_GAME, ruleset="web-fr", roll=True), commands.CountByHand(rolls))
    assert state(desk)["opening"]["rolling"] == rolling


def test_an_incomplete_roll_is_asked_about(rolling: FakeDesk) -> None:
    rolling.do(commands.AskReading())
    rolling.read({"red": [6], "orange": [4, 4]})
    assert rolling.position.phase is Phase.CHECKING
    assert {problem.code for problem in rolling.position.problems()} == {"missing", "extra"}
    rolling.do(commands.CountByHand({"Ana": [6], "Ben": [4], "Cid": [2]}))
    assert rolling.position.game.starter == "Ana"


def test_a_roll_counted_by_hand_must_include_everybody(rolling: FakeDesk) -> None:
    with pytest.raises(engine.DiceMismatchError):
        rolling.do(commands.CountByHand({"Ana": [6], "Ben": [4]}))


def test_the_lamps_of_players_who_roll_blink() -> None:
    desk = FakeDesk()
    desk.do(msgspec.structs.replace(NEW_GAME, roll=True))
    assert list(lamps(desk.state()).values())[2:] == [LampPattern.BLINK] * 3
    assert lamps(desk.state())["dudo"] is LampPattern.ON


# Without bids


def test_without_bids_the_dice_are_counted_first_and_the_call_asked_for_afterwards(desk: FakeDesk) -> None:
    desk.do(commands.CallDudo())
    assert (desk.position.phase, lamps(desk.state())["dudo"]) == (Phase.READING, LampPattern.BLINK)
    desk.read(FULL)
    now = state(desk)
    assert (now["phase"], now["counting"]) == ("telling", "dudo")
    assert now["tally"][3] == {"face": 4, "alone": 3, "with_pacos": 5}
    assert now["tally"][0] == {"face": 1, "alone": 2, "with_pacos": 2}
    desk.do(commands.TellCall("dudo", "Cid", "Ben", 6, 4))
    assert desk.position.verdict.outcome.loses == "Ben"
    assert state(desk)["reading"]["id"] == 1


def test_entering_bids_and_telling_the_call_give_the_same_events(desk: FakeDesk) -> None:
    desk.do(commands.CallDudo())
    desk.read(FULL)
    desk.do(commands.TellCall("dudo", "Ben", "Ana", 6, 4))
    other = FakeDesk()
    other.do(NEW_GAME, commands.MakeBid("Ana", 6, 4), commands.CallDudo())
    other.read(FULL)

    def game(desk: FakeDesk, by: str = "") -> list[events.Event]:
        made = (
            event for event in desk.happened if isinstance(event, events.BidMade | events.DudoCalled | events.Judged)
        )
        return [
            msgspec.structs.replace(event, by=by) if isinstance(event, events.DudoCalled) else event for event in made
        ]

    assert desk.happened[-2] == events.DudoCalled("Ben", by="another phone")
    assert game(desk) == game(other)
    assert desk.position.game == other.position.game


def test_assumed_bids_are_marked_as_such(desk: FakeDesk) -> None:
    desk.do(commands.CallDudo())
    desk.read(FULL)
    desk.do(commands.TellCall("calza", "Ana", "Cid", 5, 4))
    bids = [event for event in desk.happened if isinstance(event, events.BidMade)]
    assert [(bid.player, bid.assumed) for bid in bids] == [("Ana", True), ("Ben", True), ("Cid", False)]
    assert desk.position.verdict.outcome.correct


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (commands.TellCall("dudo", "Cid", "Ana", 6, 4), engine.NotYourTurnError),
        (commands.TellCall("calza", "Ana", "Ana", 6, 4), engine.CalzaNotAllowedError),
        (commands.TellCall("dudo", "Ben", "Dan", 6, 4), engine.UnknownPlayerError),
        (commands.TellCall("snap", "Ben", "Ana", 6, 4), UnreadableCommandError),
    ],
)
def test_an_impossible_call_is_refused(desk: FakeDesk, call: commands.TellCall, error: type[Exception]) -> None:
    desk.do(commands.CallDudo())
    before = desk.read(FULL)
    with pytest.raises(error):
        desk.do(call)
    assert desk.position is before


def test_a_long_press_counts_even_when_bids_were_entered(desk: FakeDesk) -> None:
    desk.do(commands.MakeBid("Ana", 4, 4), commands.AskCount("calza"))
    desk.read(FULL)
    desk.do(commands.TellCall("calza", "Cid", "Ana", 5, 4))  # Ana had raised no further than that aloud
    assert desk.position.verdict.outcome.bid == engine.Bid("Ana", 5, 4)


def test_a_count_with_a_missing_die_is_corrected_before_the_call_is_asked_for(desk: FakeDesk) -> None:
    desk.do(commands.CallDudo())
    desk.read(FULL | {"yellow": [2, 2, 2, 3]})
    assert desk.position.phase is Phase.CHECKING
    desk.do(commands.AddDie((500.0, 500.0, 40.0, 40.0), 5, "yellow"))
    assert desk.position.phase is Phase.TELLING
    desk.do(commands.SetDie(0, face=5))
    assert state(desk)["tally"][3]["alone"] == 2


def test_after_a_count_by_hand_the_call_is_asked_for_too(desk: FakeDesk) -> None:
    desk.do(commands.CallDudo())
    with pytest.raises(engine.DiceMismatchError):
        desk.do(commands.CountByHand({"Ana": [4]}))
    desk.do(commands.CountByHand({"Ana": [4] * 5, "Ben": [2] * 5, "Cid": [3] * 5}))
    desk.do(commands.TellCall("dudo", "Ben", "Ana", 6, 4))
    assert desk.position.verdict.outcome.count == 5


# Taking back


def test_a_bid_is_undone_and_redone(desk: FakeDesk) -> None:
    before = desk.position
    after = desk.do(commands.MakeBid("Ana", 5, 4))
    undo = state(desk)["undo"]
    assert (undo["step"], undo["kind"], undo["sentence"]) == (2, "bid", "Ana's bid of 5 fours")
    assert alike(desk.undo(), before)
    assert state(desk)["redo"]["sentence"] == "Ana's bid of 5 fours"
    assert alike(desk.redo(), after)
    assert state(desk)["redo"] is None


def test_undoing_a_verdict_undoes_the_call_and_not_only_the_reading(desk: FakeDesk) -> None:
    bid = desk.do(commands.MakeBid("Ana", 5, 4))
    desk.do(commands.CallDudo())
    verdict = desk.read(FULL)
    assert state(desk)["undo"]["sentence"] == "Ben's dudo"
    assert alike(desk.undo(), bid)
    assert alike(desk.redo(), verdict)  # with the reading: nothing is read again


def test_several_steps_back_into_the_round_before(desk: FakeDesk) -> None:
    desk.do(commands.MakeBid("Ana", 5, 4), commands.CallDudo())
    judged = desk.read(FULL)
    desk.do(commands.OpenRound(), commands.MakeBid("Ben", 2, 2))
    desk.undo()
    assert alike(desk.undo(), judged)
    desk.do(commands.SetDie(0, face=3))  # the first four was a three: the bid did not hold
    assert desk.position.verdict.outcome.loses == "Ana"
    assert state(desk)["redo"] is None


@pytest.mark.parametrize(
    ("correction", "sentence"),
    [
        (commands.SetDie(0, face=3), "the correction of a red die: three, not four"),
        (commands.SetDie(0, face=4), "the confirmation of a red die: four"),
        (commands.SetDie(2, colour="orange"), "the correction of a red die: it is orange"),
        (commands.StrikeDie(7), "the removal of an orange die: five"),
        (commands.AddDie(face=1, colour="yellow", box=(5, 5, 20, 20)), "the adding of a yellow die: paco"),
    ],
)
def test_the_undo_of_a_correction_says_which_die(desk: FakeDesk, correction: commands.Command, sentence: str) -> None:
    desk.do(commands.MakeBid("Ana", 5, 4), commands.CallDudo())
    desk.read(FULL)
    desk.do(correction)
    assert state(desk)["undo"]["sentence"] == sentence
    desk.undo()
    assert state(desk)["redo"]["sentence"] == sentence


def test_a_calza_of_nobody_known_is_refused_in_a_game_without_calza_even_before_a_bid() -> None:
    desk = FakeDesk()
    desk.do(new_game([("Ana", "red"), ("Ben", "orange"), ("Cid", "yellow")], starter="Ana", calza=False))
    with pytest.raises(engine.CalzaNotAllowedError, match="without calza"):
        desk.do(commands.CallCalza())
    with pytest.raises(engine.NoBidError):
        desk.do(commands.CallCalza("Ben"))


def test_a_picture_number_is_never_used_twice(desk: FakeDesk) -> None:
    desk.do(commands.MakeBid("Ana", 5, 4), commands.CallDudo())
    desk.read(FULL)
    desk.undo()
    desk.do(commands.CallDudo())
    desk.read(FULL)
    assert desk.position.reading.id == 2


def test_undoing_to_a_reveal_asks_the_camera_again(desk: FakeDesk) -> None:
    desk.do(commands.MakeBid("Ana", 5, 4), commands.CallDudo())
    reveals = desk.position.reveals
    desk.do(commands.CountByHand({"Ana": [4] * 5, "Ben": [2] * 5, "Cid": [3] * 5}))
    assert desk.undo().phase is Phase.READING
    assert desk.position.reveals > reveals


def test_a_game_opened_by_mistake_can_be_undone(desk: FakeDesk) -> None:
    played = desk.do(commands.MakeBid("Ana", 5, 4))
    desk.do(msgspec.structs.replace(NEW_GAME, abandon=True))
    assert alike(desk.undo(), played)


def test_only_the_last_two_games_can_be_undone() -> None:
    desk = FakeDesk()
    for _ in range(4):
        desk.do(NEW_GAME, commands.MakeBid("Ana", 5, 4), commands.EndGame())
    back = 0
    while desk.history.last is not None:
        desk.undo()
        back += 1
    assert 6 <= back < 12
    assert standing_steps(desk.lines) == standing_steps(desk.lines[: 12 - back])


def test_an_undone_count_by_hand_can_be_redone_after_a_reading(desk: FakeDesk) -> None:
    desk.do(commands.MakeBid("Ana", 5, 4), commands.CallDudo())
    desk.do(commands.CountByHand({"Ana": [4] * 5, "Ben": [2] * 5, "Cid": [3] * 5}))
    desk.undo()
    desk.read(FULL)
    assert desk.redo().verdict.outcome.faces == 5


# Simultaneous calls


FIVE, THREE = commands.MakeBid("Ana", 5, 4), commands.MakeBid("Ana", 3, 4)
RAISED = [THREE, commands.MakeBid("Ben", 4, 4)]


@pytest.mark.parametrize(
    ("before", "command", "line"),
    [
        pytest.param(
            [FIVE, commands.CallCalza("Cid")],
            commands.CallDudo(),
            (events.Undone(), events.DudoCalled("Ben")),
            id="the turn player's dudo comes before a calza",
        ),
        pytest.param(
            [FIVE, commands.CallCalza("Cid")],
            commands.CallCalza("Ben"),
            (events.Undone(), events.CalzaCalled("Ben")),
            id="of two calzas the one nearest to the bidder's left",
        ),
        pytest.param(
            [FIVE, commands.CallCalza("Cid")],
            commands.MakeBid("Ben", 6, 4),
            (events.Undone(), events.BidMade("Ben", 6, 4)),
            id="a legal bid prevails over a calza",
        ),
        pytest.param(RAISED, commands.CallCalza("Ana"), None, id="a calza that can only be for the new bid"),
        pytest.param(RAISED, commands.CallDudo(), None, id="a dudo after a raise"),
        pytest.param(RAISED, commands.MakeBid("Cid", 5, 4), None, id="another raise"),
        pytest.param([THREE], commands.CallCalza("Cid"), None, id="a calza on the opening bid"),
        pytest.param([FIVE, commands.CallDudo()], commands.CallDudo("Ben"), None, id="the same call twice"),
    ],
)
def test_of_simultaneous_calls_one_counts(
    desk: FakeDesk, before: list[commands.Command], command: commands.Command, line: tuple[events.Event, ...] | None
) -> None:
    desk.do(*before)
    assert decide_together(desk.history, command) == line


@pytest.mark.parametrize(
    ("before", "calza", "faster"),
    [
        ([FIVE, commands.CallDudo()], commands.CallCalza("Cid"), "Ben's dudo"),
        ([FIVE, commands.CallCalza("Ben")], commands.CallCalza("Cid"), "Ben's calza"),
        (RAISED, commands.CallCalza("Cid"), "Ben's bid"),
        (RAISED, commands.CallCalza(), "Ben's bid"),
    ],
    ids=["after a dudo", "after a calza nearer to the bidder", "meant for the bid before", "of nobody named"],
)
def test_a_calza_that_comes_too_late_is_refused(
    desk: FakeDesk, before: list[commands.Command], calza: commands.CallCalza, faster: str
) -> None:
    desk.do(*before)
    with pytest.raises(NotAllowedNowError, match=f"{faster} came at the same moment"):
        decide_together(desk.history, calza)


# A long press


def long_press(desk: FakeDesk, button: str) -> None:
    presses = Presses()
    presses.record_step(desk.history.last.number)
    command = presses.command(button, Push.LONG, desk.history, now=0.0, stepped=0.0, given_up=False)
    if command is not None:
        desk.do(command)


def test_a_long_press_on_calza_asks_for_the_call_after_the_count(desk: FakeDesk) -> None:
    desk.do(commands.MakeBid("Ana", 5, 4), commands.CallCalza())
    long_press(desk, "calza")
    assert (desk.position.phase, desk.position.counting, desk.position.possible_callers) == (Phase.READING, "calza", ())


def test_calza_without_a_bid_counts_too(desk: FakeDesk) -> None:
    assert desk.do(commands.CallCalza()).counting == "calza"


@pytest.mark.parametrize("with_bid", [True, False], ids=["it went on after a verdict", "there is no bid"])
def test_a_long_press_that_made_no_call_counts_nothing(desk: FakeDesk, with_bid: bool) -> None:
    if with_bid:
        desk.do(FIVE, commands.CallDudo())
        desk.read(FULL)
    before = desk.do(commands.OpenRound() if with_bid else commands.CallDudo())
    long_press(desk, "dudo")
    assert desk.position is before


# Coming and going


def test_a_player_who_leaves_may_come_back_with_the_same_dice(desk: FakeDesk) -> None:
    desk.do(commands.MakeBid("Ana", 5, 4), commands.LeaveGame("Cid"))
    assert (desk.position.game.dice["Cid"], desk.position.game.bid) == (0, None)
    assert state(desk)["away"] == [{"name": "Cid", "dice": 5}]
    desk.do(commands.ComeBack("Cid"))
    assert (desk.position.game.dice["Cid"], state(desk)["away"]) == (5, [])


def test_a_player_who_gives_up_does_not_come_back(desk: FakeDesk) -> None:
    desk.do(commands.LeaveGame("Cid", concede=True))
    with pytest.raises(NotAllowedNowError, match="gave up or lost all dice"):
        desk.do(commands.ComeBack("Cid"))


def test_the_last_remaining_player_has_won_without_a_verdict(desk: FakeDesk) -> None:
    desk.do(commands.LeaveGame("Cid"), commands.LeaveGame("Ana", concede=True))
    assert (state(desk)["phase"], state(desk)["winner"], state(desk)["verdict"]) == ("over", "Ben", None)


def test_nobody_leaves_while_the_dice_are_read(desk: FakeDesk) -> None:
    desk.do(commands.MakeBid("Ana", 5, 4), commands.CallDudo())
    with pytest.raises(NotAllowedNowError):
        desk.do(commands.LeaveGame("Cid"))


def test_who_leaves_after_a_verdict_leaves_with_what_it_left(desk: FakeDesk) -> None:
    desk.do(commands.MakeBid("Ana", 5, 4), commands.CallDudo())
    desk.read(FULL)  # the bid holds: Ben loses a die
    desk.do(commands.LeaveGame("Ben"))
    assert (desk.position.phase, desk.position.game.turn) == (Phase.BIDDING, "Cid")
    assert desk.position.away == {"Ben": 4}


def test_a_correction_does_not_resume_a_game_that_was_ended(desk: FakeDesk) -> None:
    desk.do(commands.MakeBid("Ana", 5, 4), commands.CallDudo())
    desk.read(FULL)
    desk.do(commands.EndGame())
    with pytest.raises(NotAllowedNowError, match="Undo that first"):
        desk.do(commands.SetDie(0, face=3))
    assert desk.undo().phase is Phase.VERDICT


def test_nothing_can_be_done_in_a_break(desk: FakeDesk) -> None:
    desk.do(commands.MakeBid("Ana", 5, 4), commands.CallDudo(), commands.Pause())
    with pytest.raises(NotAllowedNowError, match="paused"):
        desk.read(FULL)
    assert set(lamps(desk.state()).values()) == {LampPattern.OFF}
    reveals = desk.position.reveals
    desk.do(commands.Resume())
    assert desk.position.reveals > reveals
    desk.read(FULL)
    assert desk.position.verdict is not None


def test_the_palifico_who_steps_out_is_palifico_again_in_the_same_round() -> None:
    desk = FakeDesk()
    desk.do(msgspec.structs.replace(NEW_GAME, dice={"Ana": 2, "Ben": 2, "Cid": 2}))
    desk.do(commands.MakeBid("Ana", 9, 4), commands.CallDudo(), commands.CountByHand({name: [2, 2] for name in NAMES}))
    desk.do(commands.OpenRound())
    assert desk.position.game.palifico == "Ana"
    desk.do(commands.LeaveGame("Ana"))
    assert (desk.position.game.palifico, desk.position.game.turn) == (None, "Ben")
    desk.do(commands.ComeBack("Ana"))
    assert (desk.position.game.palifico, desk.position.game.turn, desk.position.game.dice["Ana"]) == ("Ana", "Ana", 1)


def test_the_palifico_who_comes_back_in_another_round_is_none() -> None:
    desk = FakeDesk()
    desk.do(msgspec.structs.replace(NEW_GAME, dice={"Ana": 2, "Ben": 2, "Cid": 3}))
    desk.do(commands.MakeBid("Ana", 9, 4), commands.CallDudo())
    desk.do(commands.CountByHand({"Ana": [2, 2], "Ben": [2, 2], "Cid": [2, 2, 2]}), commands.LeaveGame("Ana"))
    desk.do(commands.MakeBid("Ben", 1, 2), commands.CallDudo())
    desk.do(commands.CountByHand({"Ben": [2, 2], "Cid": [2, 2, 2]}), commands.OpenRound(), commands.ComeBack("Ana"))
    assert (desk.position.game.palifico, desk.position.game.turn) == (None, "Cid")


# Putting things right


@pytest.mark.parametrize("phase", [Phase.BIDDING, Phase.ASKING, Phase.READING, Phase.CHECKING, Phase.TELLING])
def test_a_void_round_is_opened_again_by_the_same_player_and_costs_nobody_a_die(desk: FakeDesk, phase: Phase) -> None:
    desk.do(commands.MakeBid("Ana", 5, 4))
    match phase:
        case Phase.ASKING:
            desk.do(commands.MakeBid("Ben", 6, 4), commands.CallCalza())
        case Phase.READING:
            desk.do(commands.CallDudo())
        case Phase.CHECKING:
            desk.do(commands.CallDudo())
            desk.read({"red": [4, 4]})
        case Phase.TELLING:
            desk.do(commands.AskCount("dudo"))
            desk.read(FULL)
    assert desk.position.phase is phase
    desk.do(commands.VoidRound())
    game = desk.position.game
    assert (desk.position.phase, game.turn, game.bid, game.round) == (Phase.BIDDING, "Ana", None, 1)
    assert game.dice == dict.fromkeys(NAMES, 5)
    assert state(desk)["undo"]["sentence"] == "the voiding of the round"
    assert desk.undo().phase is phase


def test_a_void_palifico_round_stays_palifico() -> None:
    desk = FakeDesk()
    desk.do(msgspec.structs.replace(NEW_GAME, dice=dict.fromkeys(NAMES, 2)))
    desk.do(commands.MakeBid("Ana", 9, 4), commands.CallDudo(), commands.CountByHand({name: [2, 2] for name in NAMES}))
    desk.do(commands.OpenRound(), commands.MakeBid("Ana", 1, 3), commands.VoidRound())
    assert (desk.position.game.palifico, desk.position.game.turn) == ("Ana", "Ana")


def test_a_player_may_have_another_number_of_dice_than_the_box_believes(desk: FakeDesk) -> None:
    desk.do(commands.MakeBid("Ana", 5, 4), commands.SetPlayerDice("Ben", 3))
    assert (desk.position.game.dice["Ben"], desk.position.game.bid.count) == (3, 5)
    assert desk.undo().game.dice["Ben"] == 5
    for name, dice in (("Ben", 6), ("Zoe", 3)):
        with pytest.raises(EngineError):
            desk.do(commands.SetPlayerDice(name, dice))


def test_a_reading_that_fits_the_dice_put_right_is_judged(desk: FakeDesk) -> None:
    desk.do(commands.MakeBid("Ana", 5, 4), commands.CallDudo())
    desk.read({**FULL, "orange": [6, 6, 5, 4]})
    assert desk.position.phase is Phase.CHECKING
    assert desk.do(commands.SetPlayerDice("Ben", 4)).phase is Phase.VERDICT
    assert desk.position.game.dice == {"Ana": 4, "Ben": 4, "Cid": 5}
    assert desk.undo().phase is Phase.CHECKING


def test_dice_put_right_after_a_verdict_are_those_of_the_next_round(desk: FakeDesk) -> None:
    desk.do(commands.MakeBid("Ana", 5, 4), commands.CallDudo())
    desk.read(FULL)
    desk.do(commands.SetPlayerDice("Cid", 2))
    assert (desk.position.phase, desk.position.game.dice["Cid"], desk.position.game.round) == (Phase.BIDDING, 2, 2)


def down_to(desk: FakeDesk, dice: int, ruleset: str = "asmodee-fr") -> None:
    """A game in which Ana, who had so many dice and one more, has lost one."""
    counts = {"Ana": dice + 1, "Ben": 3, "Cid": 3}
    desk.do(msgspec.structs.replace(NEW_GAME, ruleset=ruleset, dice=counts, abandon=True))
    desk.do(commands.MakeBid("Ana", 9, 4), commands.CallDudo("Ben"))
    desk.do(commands.CountByHand({name: [2] * count for name, count in counts.items()}))


def test_who_has_one_die_after_all_opens_a_palifico_round(desk: FakeDesk) -> None:
    down_to(desk, 2)
    desk.do(commands.SetPlayerDice("Ana", 1))
    assert (desk.position.phase, desk.position.game.palifico) == (Phase.BIDDING, "Ana")
    desk.do(commands.MakeBid("Ana", 1, 1))
    assert desk.position.game.bid.face == 1


def test_a_round_that_was_bid_before_the_call_is_told_does_not_become_palifico(desk: FakeDesk) -> None:
    down_to(desk, 2)
    desk.do(commands.OpenRound(), commands.AskCount("dudo"), commands.SetPlayerDice("Ana", 1))
    assert desk.position.game.palifico is None


def test_a_palifico_round_that_was_none_does_not_use_up_the_one_of_the_game(desk: FakeDesk) -> None:
    down_to(desk, 1, "hasbro-1994")
    desk.do(commands.SetPlayerDice("Ana", 2))
    assert desk.position.game.palifico is None
    desk.do(commands.MakeBid("Ana", 9, 4), commands.CallDudo())
    desk.do(commands.CountByHand({"Ana": [2, 2], "Ben": [2] * 3, "Cid": [2] * 3}))
    assert desk.position.game.palifico == "Ana"


def test_who_is_wrongly_out_is_put_right(desk: FakeDesk) -> None:
    down_to(desk, 0)
    desk.do(commands.OpenRound())
    with pytest.raises(NotAllowedNowError, match="correct their number of dice"):
        desk.do(commands.ComeBack("Ana"))
    desk.do(commands.SetPlayerDice("Ana", 1))
    assert (desk.position.game.dice["Ana"], desk.position.game.palifico) == (1, "Ana")
    desk.do(commands.LeaveGame("Ben"))
    with pytest.raises(EngineError, match="Ben has left: say first that they are back"):
        desk.do(commands.SetPlayerDice("Ben", 3))


@pytest.mark.parametrize(("ruleset", "down", "right"), [("asmodee-fr", 2, 1), ("hasbro-1994", 1, 2)])
def test_a_journal_from_before_goes_on_as_it_was_played(desk: FakeDesk, ruleset: str, down: int, right: int) -> None:
    down_to(desk, down, ruleset)
    line = (events.from_json("player-dice", {"player": "Ana", "dice": right}),)
    desk.history = desk.history.after(line)
    assert desk.position.game.palifico is None
    if right == 2:
        desk.do(commands.MakeBid("Ana", 9, 4), commands.CallDudo())
        desk.do(commands.CountByHand({"Ana": [2, 2], "Ben": [2] * 3, "Cid": [2] * 3}))
    assert (desk.position.game.dice["Ana"], desk.position.game.palifico) == (1, None)


def test_somebody_joins_late_with_the_dice_agreed_on(desk: FakeDesk) -> None:
    desk.do(commands.JoinGame("Dora", "green", 3, after="Ana"))
    game = desk.position.game
    assert (game.players, game.dice["Dora"], game.turn) == (("Ana", "Dora", "Ben", "Cid"), 3, "Ana")
    assert [player["colour"] for player in state(desk)["players"]] == ["red", "green", "orange", "yellow"]
    desk.do(commands.MakeBid("Ana", 5, 4))
    assert desk.position.game.turn == "Dora"
    with pytest.raises(EngineError, match="can join in the next round"):
        desk.do(commands.JoinGame("Emil", "blue", 5, after="Ana"))


@pytest.mark.parametrize(
    ("command", "error"),
    [
        (commands.JoinGame("Ana", "green", 3, after="Ben"), UnreadableCommandError),
        (commands.JoinGame("Dora", "red", 3, after="Ben"), UnreadableCommandError),
        (commands.JoinGame("Dora", "green", 6, after="Ben"), EngineError),
        (commands.JoinGame("Dora", "green", 3, after="Zoe"), EngineError),
    ],
)
def test_who_cannot_join_is_refused(desk: FakeDesk, command: commands.JoinGame, error: type[Exception]) -> None:
    with pytest.raises(error):
        desk.do(command)


def test_a_bid_that_everybody_let_pass_is_judged_from_there_on(desk: FakeDesk) -> None:
    desk.do(commands.MakeBid("Ana", 5, 4), commands.MakeBid("Cid", 4, 4, accepted=True))
    assert desk.lines[-1] == (events.BidMade("Cid", 4, 4, accepted=True),)
    assert state(desk)["bid"] == {"player": "Cid", "count": 4, "face": 4, "accepted": True}
    assert desk.position.game.turn == "Ana"
    desk.do(commands.CallDudo())
    assert desk.read(FULL).game.dice["Ana"] == 4  # three fours and two pacos


def test_a_legal_bid_is_not_marked(desk: FakeDesk) -> None:
    desk.do(commands.MakeBid("Ana", 5, 4, accepted=True))
    assert desk.lines[-1] == (events.BidMade("Ana", 5, 4),)


def test_nobody_without_dice_bids_even_if_everybody_lets_it_pass(desk: FakeDesk) -> None:
    desk.do(commands.LeaveGame("Cid"))
    with pytest.raises(EngineError):
        desk.do(commands.MakeBid("Cid", 4, 4, accepted=True))


# Everything, at random: undo, redo and a restart at any moment


class Life(RuleBasedStateMachine):
    """Random commands, allowed or not; the journal always gives the table that is shown."""

    @initialize(ruleset=st.sampled_from(sorted(engine.RULESETS)), roll=st.booleans())
    def sit_down(self, ruleset: str, roll: bool) -> None:
        self.desk = FakeDesk(defaults=GameDefaults(house=with_changes(engine.RULESETS["asmodee-fr"], HOUSE)))
        self.desk.do(msgspec.structs.replace(NEW_GAME, ruleset=ruleset, roll=roll, first_to=2))

    def attempt(self, command: commands.Command) -> None:
        before = self.desk.position
        try:
            self.desk.do(command)
        except (TableError, EngineError):
            assert self.desk.position is before

    @rule(face=st.integers(1, 6), more=st.integers(0, 2))
    def bid(self, face: int, more: int) -> None:
        game = self.desk.position.game
        if game is not None and game.turn is not None:
            self.attempt(commands.MakeBid(game.turn, (game.lowest_bids()[face] or 1) + more, face))

    @rule(
        command=st.sampled_from(
            [
                commands.CallDudo(),
                commands.CallCalza(),
                commands.AskCount("dudo"),
                commands.AskCount("calza"),
                commands.AskReading(),
                commands.OpenRound(),
                commands.VoidRound(),
                commands.Pause(),
                commands.Resume(),
                commands.EndGame(),
                NEW_GAME,
                *(msgspec.structs.replace(NEW_GAME, first_to=first_to, abandon=True) for first_to in (2, 2, 3, 0)),
            ]
        )
    )
    def press(self, command: commands.Command) -> None:
        self.attempt(command)

    @rule(name=st.sampled_from(NAMES), count=st.integers(1, 9), face=st.integers(1, 6))
    def let_pass(self, name: str, count: int, face: int) -> None:
        self.attempt(commands.MakeBid(name, count, face, accepted=True))

    @rule(name=st.sampled_from(NAMES), dice=st.integers(1, 6))
    def put_right(self, name: str, dice: int) -> None:
        self.attempt(commands.SetPlayerDice(name, dice))

    @rule(name=st.sampled_from(["Dora", "Emil"]), dice=st.integers(1, 6), after=st.sampled_from((*NAMES, "Dora")))
    def join(self, name: str, dice: int, after: str) -> None:
        self.attempt(commands.JoinGame(name, {"Dora": "green", "Emil": "blue"}[name], dice, after))

    @rule(name=st.sampled_from(NAMES), concede=st.booleans())
    def leave(self, name: str, concede: bool) -> None:
        self.attempt(commands.LeaveGame(name, concede))

    @rule(name=st.sampled_from(NAMES))
    def come_back(self, name: str) -> None:
        self.attempt(commands.ComeBack(name))
        self.attempt(commands.NameCaller(name))

    @rule(
        call=st.sampled_from(["dudo", "calza"]),
        names=st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)),
        count=st.integers(1, 9),
        face=st.integers(1, 6),
    )
    @precondition(lambda self: self.desk.position.phase is Phase.TELLING)
    def tell(self, call: str, names: tuple[str, str], count: int, face: int) -> None:
        self.attempt(commands.TellCall(call, names[0], names[1], count, face))

    @rule(data=st.data(), missing=st.booleans(), by_hand=st.booleans())
    def count(self, data: st.DataObject, missing: bool, by_hand: bool) -> None:
        faces = {
            player.colour if not by_hand else player.name: data.draw(
                st.lists(st.integers(1, 6), min_size=player.dice, max_size=player.dice)
            )
            for player in self.desk.position.expected()
        }
        if by_hand:
            self.attempt(commands.CountByHand(faces))
            return
        if missing and faces:
            faces.pop(next(iter(faces)))
        before = self.desk.position
        try:
            self.desk.read(faces)
        except TableError:
            assert self.desk.position is before

    @rule(die=st.integers(0, 16), face=st.integers(1, 6), colour=st.sampled_from(COLOURS[:4]))
    @precondition(lambda self: self.desk.position.reading is not None)
    def correct(self, die: int, face: int, colour: str) -> None:
        self.attempt(commands.SetDie(die, face, colour))

    @rule()
    @precondition(lambda self: self.desk.history.last is not None and not self.desk.position.paused)
    def back_and_forth(self) -> None:
        before = self.desk.position
        self.desk.undo()
        self.desk.redo()
        assert alike(self.desk.position, before)

    @rule()
    @precondition(lambda self: not self.desk.position.paused)
    @precondition(lambda self: self.desk.history.last is not None and self.desk.history.last.earlier is not None)
    def undo(self) -> None:
        self.desk.undo()

    @rule()
    @precondition(lambda self: self.desk.history.undone is not None and not self.desk.position.paused)
    def redo(self) -> None:
        self.desk.redo()

    @rule()
    def restart(self) -> None:
        """The journal gives the same table, with the same steps to undo."""
        history = History()
        for line in self.desk.lines:
            records = [json.loads(json.dumps(events.to_json(event))) for event in line]
            history = history.after(tuple(events.from_json(kind, body) for kind, body in records))
        assert history == self.desk.history
        self.desk.history = history

    @invariant()
    def the_records_replay_without_a_refusal(self) -> None:
        for game in games(standing_steps(self.desk.lines)):
            for part in game.record:
                assert all(step.error is None for step in replay(part))

    @invariant()
    def the_series_has_the_games_won_since_it_began(self) -> None:
        played = games(standing_steps(self.desk.lines))
        wins: dict[str, int] = {}
        length = 0
        for game in played:
            if game.abandoned and game is not played[-1]:
                continue
            opened = game.steps[0][0]
            if opened.first_to != length or set(opened.players) != set(wins) or max(wins.values()) >= length:
                length, wins = opened.first_to, dict.fromkeys(opened.players, 0)
            wins = {player: wins.get(player, 0) + (player == game.winner) for player in game.players}
        series = self.desk.position.series
        assert (None if series is None else series.wins) == (wins if length else None)

    @invariant()
    def standing_steps_give_the_position(self) -> None:
        history = History()
        for step in standing_steps(self.desk.lines):
            history = history.after(step)
        assert alike(history.position, replace(self.desk.position, paused=False))  # a break belongs to no step

    @invariant()
    def the_state_follows_the_position(self) -> None:
        public = state(self.desk)
        position = self.desk.position
        assert public["phase"] == position.phase.value
        if position.verdict is not None:
            assert position.problems() == ()
        assert (position.phase is Phase.CHECKING) == bool(position.problems())
        assert (position.phase is Phase.READING) <= (position.reading is None)
        assert (position.phase is Phase.TELLING) <= (position.counting is not None)
        assert position.counting is None or position.phase in (Phase.READING, Phase.CHECKING, Phase.TELLING)


Life.TestCase.settings = settings(max_examples=60, stateful_step_count=40)
TestLife = Life.TestCase
