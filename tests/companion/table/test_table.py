"""The table as phones and the panel see it: state, versions, notices and listeners."""

from __future__ import annotations

import json
import queue
import random
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion.engine import BadRecordError, NotYourTurnError, house_rules
from companion.table import Journal, NotAllowedNowError, Table, UnreadableCommandError, commands
from companion.table.commands import Actor
from companion.table.game.new_game import GameDefaults
from companion.table.state.listener import NewestState
from companion.table.state.state import Clip, State, Waiting
from hardware.panel.debounce import Push
from tests.fakes.clock import FakeClock
from tests.fakes.new_game import new_game
from tests.fakes.public_state import in_json
from tests.fakes.reader import laid_out

COMPANY = [("Ana", "red"), ("Ben", "blue"), ("Cid", "green")]
FULL = {"red": [4, 4, 1, 2, 3], "blue": [6, 6, 5, 4, 1], "green": [2, 2, 2, 3, 5]}
HOST = Actor("k3f9", "Ana", host=True)
API = Path(__file__).resolve().parents[3] / "docs" / "reference" / "api.md"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Table(Journal(tmp_path)) as table:
        yield table


@pytest.fixture
def bid(table: Table) -> Table:
    table.do(new_game(COMPANY, starter="Ana"))
    table.do(commands.MakeBid("Ana", 5, 4))
    return table


@pytest.fixture
def timed(tmp_path: Path, clock: FakeClock) -> Iterator[Table]:
    """A table with the test's clock, five seconds after Ana's bid."""
    with Table(Journal(tmp_path), clock=clock) as table:
        table.do(new_game(COMPANY, starter="Ana"))
        table.do(commands.MakeBid("Ana", 5, 4))
        clock.now += 5
        yield table


def judged(table: Table) -> dict:
    request = table.reveal_wanted()
    return table.take_reading(request.reveal, laid_out(FULL), b"a picture")


def with_clip(table: Table) -> State:
    clip = Clip(picture="1-clip", frames=8, columns=4, width=320, height=240, judged=4, seconds=3.5)
    table.keep_clip(table.state().reading.id, clip, b"a clip")
    return table.state()


def keys(value: object, path: str = "") -> set[str]:
    """Every key of a JSON value, with the keys above it."""
    if isinstance(value, dict):
        own = {f"{path}.{key}" for key in value}
        return own.union(*(keys(item, f"{path}.{key}") for key, item in value.items()))
    if isinstance(value, list):
        return set().union(*(keys(item, path) for item in value))
    return set()


def test_the_state_has_exactly_the_fields_the_documentation_has(bid: Table) -> None:
    example = re.search(r"```json\n(.*?)```", API.read_text(encoding="utf-8"), re.DOTALL)
    documented = json.loads(example[1])
    states = [bid.state(), bid.push("calza", Push.DOWN), bid.do(commands.NameCaller("Cid"))]
    request = bid.reveal_wanted()
    states.append(bid.take_reading(request.reveal, laid_out({"red": [1]}), None))
    bid.do(commands.AskReading())
    states += [
        bid.push("dudo", Push.DOWN),
        judged(bid),
        with_clip(bid),
        bid.do(commands.SetDie(0, face=5)),
        bid.do(commands.OpenRound()),
        bid.do(commands.LeaveGame("Cid")),
        bid.do(commands.EndGame()),
    ]
    states += [
        bid.do(commands.Undo(states[-1].undo.step)),
        bid.do(commands.EndGame()),
        bid.do(new_game(COMPANY, roll=True)),
    ]
    states.append(bid.do(commands.CountByHand({"Ana": [3], "Ben": [5], "Cid": [1]})))
    players = {f".panel.lamps.{name}" for name, _ in COMPANY}
    players |= {f".opening.rolls.{name}" for name, _ in COMPANY}
    last = {key.replace(".verdict", ".last", 1) for key in keys(documented) if key.startswith(".verdict.")}
    state_keys = {
        key for key in set().union(*(keys(in_json(state)) for state in states)) if ".said" not in key
    }  # beside every sentence: test_translatable
    assert state_keys - players - last == keys(documented) - players


def test_the_verdict_has_its_sentence_and_its_dice(bid: Table) -> None:
    bid.do(commands.CallDudo("Ben"))
    state = judged(bid)
    assert state.verdict.sentence == (
        "3 fours and 2 pacos make 5. The bid was 5 fours: that is right. Ben loses a die and opens the next round."
    )
    assert sum(die.counts for die in state.reading.dice) == 5
    assert {die.player for die in state.reading.dice} == {"Ana", "Ben", "Cid"}
    assert (bid.pictures / "1.jpg").read_bytes() == b"a picture"
    state = bid.do(commands.OpenRound())
    assert (state.verdict, state.reading, state.bid) == (None, None, None)
    assert state.last.loses == "Ben"
    assert bid.do(commands.LeaveGame("Cid")).last.loses == "Ben"  # the verdict stays when a player leaves


def test_the_state_says_what_may_be_done(bid: Table) -> None:
    state = bid.state()
    assert in_json(state.may) == {"bid": ["Ben"], "dudo": ["Ben"], "calza": ["Ben", "Cid"]}
    assert (state.lowest[4], state.highest[4]) == (6, None)
    assert (state.lowest[6], state.highest[6]) == (5, 5)
    assert (state.lowest[1], state.lowest[2]) == (3, None)


def test_a_player_is_the_same_in_any_encoding_of_the_name(table: Table) -> None:
    company = (("Jose\u0301", "red"), ("Ben", "blue"))
    table.do(new_game(company, starter="Jos\u00e9", dice={"Jose\u0301": 3}))
    assert [(player.name, player.dice) for player in table.state().players] == [("Jos\u00e9", 3), ("Ben", 5)]
    for name in ("Jose\u0301", "Jos\u00e9"):
        with pytest.raises(NotYourTurnError):
            table.do(commands.CallDudo("Ben"))
        table.do(commands.MakeBid(name, 2, 4))
        table.do(commands.VoidRound())


@pytest.mark.parametrize("open_lost", [True, False])
def test_the_dice_in_play_limit_a_bid_only_where_everybody_sees_them(table: Table, open_lost: bool) -> None:
    table.do(new_game(COMPANY, "hasbro-1994", starter="Ana", open_lost=open_lost, rules={"bids_above_dice": False}))
    state = table.state()
    assert {player.dice for player in state.players} == {5 if open_lost else None}
    assert set(state.highest.values()) == ({None, 15} if open_lost else {None})  # not on pacos
    assert [each.rule for each in state.rules] == ["bids_above_dice"] * open_lost
    if not open_lost:  # a refusal would tell how many there are
        assert table.do(commands.MakeBid("Ana", 16, 2)).bid is not None


def test_versions_grow_over_a_restart(tmp_path: Path) -> None:
    versions = []
    for _ in range(3):
        with Table(Journal(tmp_path)) as table:
            versions += [table.state().version, table.do(new_game(COMPANY, abandon=True)).version]
    assert versions == sorted(set(versions))


def test_a_starter_is_drawn_when_none_is_named(tmp_path: Path) -> None:
    with Table(Journal(tmp_path), defaults=GameDefaults(draw=random.Random(4).choice)) as table:
        starters = {table.do(new_game(COMPANY, abandon=True)).starter for _ in range(40)}
    assert starters == {"Ana", "Ben", "Cid"}


# The rules of this table

HOUSE = house_rules({"ruleset": "asmodee-it", "raises": "any-face", "calza_in_palifico": True})
TOLD = [
    ("raises", "any-face", "A higher bid on faces 2 to 6: more dice of any face, or as many of a higher one."),
    ("calza_in_palifico", True, "Calza in palifico rounds: yes."),
]


def told(state: State) -> list[tuple[str, object, str]]:
    return [(rule.rule, rule.value, rule.sentence) for rule in state.rules]


def test_a_game_may_have_house_rules_of_its_own_under_a_name(tmp_path: Path) -> None:
    ours = msgspec.structs.replace(
        new_game(COMPANY, "hasbro-1994", starter="Ana"),
        rules={"dice_each": 3, "dudo_by": "anyone"},
        rules_name="Garcia",
    )
    with Table(Journal(tmp_path)) as table:
        state = table.do(ours)
        assert (state.rules_name, {rule.rule: rule.value for rule in state.rules}) == ("Garcia", ours.rules)
        assert {player.dice for player in state.players} == {3}
        table.do(msgspec.structs.replace(ours, rules={"dice_each": 4}, abandon=True))
        table.do(new_game(COMPANY, abandon=True))
        assert table.state().rules == ()
    with Table(Journal(tmp_path)) as table:  # the last game of that name, from the journal
        (named,) = table.named_rules()
        assert (named.rules_name, named.ruleset, dict(named.rules)) == ("Garcia", "hasbro-1994", {"dice_each": 4})
        with pytest.raises(BadRecordError, match="from 3 to 6"):
            table.do(msgspec.structs.replace(ours, rules={"dice_each": 9}, abandon=True))


def test_house_rules_are_shown_and_outlive_a_restart_and_a_change_of_the_configuration(tmp_path: Path) -> None:
    with Table(Journal(tmp_path), defaults=GameDefaults(HOUSE, calza=False)) as table:
        state = table.state()
        assert (state.phase, state.ruleset, state.calza, told(state)) == ("seating", "asmodee-it", False, TOLD)
        state = table.do(new_game(COMPANY, "asmodee-it", calza=False, starter="Ana"))
        assert (state.ruleset, state.calza, told(state)) == ("asmodee-it", False, TOLD)
    with Table(Journal(tmp_path)) as table:
        assert told(table.state()) == TOLD
        table.do(commands.MakeBid("Ana", 3, 5))
        assert table.do(commands.MakeBid("Ben", 4, 2)).bid.face == 2  # which the book forbids
        state = table.do(new_game(COMPANY, abandon=True))
        assert (state.ruleset, state.calza) == ("asmodee-fr", True)
        assert state.rules == ()
        assert "rules" not in in_json(state)


def test_a_game_asked_for_by_the_book_has_the_tables_house_rules(tmp_path: Path) -> None:
    with Table(Journal(tmp_path), defaults=GameDefaults(HOUSE)) as table:
        assert told(table.do(new_game(COMPANY, "asmodee-it"))) == TOLD
        assert table.do(new_game(COMPANY, "web-fr", abandon=True)).rules == ()
        back_to_the_book = msgspec.structs.replace(new_game(COMPANY, HOUSE.id, abandon=True), rules={})
        assert table.do(back_to_the_book).rules == ()
        with pytest.raises(UnreadableCommandError, match="monopoly"):
            table.do(new_game(COMPANY, "monopoly", abandon=True))


# Presses


def test_a_refused_press_is_explained_until_something_happens(bid: Table) -> None:
    bid.do(commands.CallDudo())
    notice = bid.push("calza", Push.DOWN).notice
    assert notice.code == "wrong-phase"
    assert notice.sentence == "Not now: the dice are being read."
    assert bid.do(commands.AskReading()).notice is None


def test_everybody_learns_who_undid_what_until_the_next_step(bid: Table) -> None:
    step = bid.state().undo.step
    undone = bid.do(commands.Undo(step), Actor("7", "Ben")).undone
    assert (undone.code, undone.sentence) == ("undone", "Ben took back Ana's bid of 5 fours.")
    redone = bid.do(commands.Redo(step)).undone
    assert (redone.code, redone.sentence) == ("redone", "Another phone restored Ana's bid of 5 fours.")
    assert redone.number > undone.number
    assert bid.do(commands.CallDudo()).undone is None


def test_two_who_go_on_from_a_verdict_go_on_once(timed: Table, clock: FakeClock) -> None:
    timed.do(commands.CallDudo())
    judged(timed)
    clock.now += 3
    assert timed.push("dudo", Push.DOWN).phase == "bidding"
    clock.now += 0.6
    for button in ("dudo", "calza"):
        state = timed.push(button, Push.DOWN)
        assert (state.phase, state.counting, state.notice) == ("bidding", None, None)
    clock.now += 30
    assert timed.push("dudo", Push.DOWN).counting == "dudo"  # bids were made aloud meanwhile


def test_correcting_a_colour_leaves_a_doubtful_face_in_doubt(bid: Table) -> None:
    bid.do(commands.CallDudo())
    request = bid.reveal_wanted()
    faces = {"yellow": [4], "red": [4, 1, 2, 3], "blue": FULL["blue"], "green": FULL["green"]}
    bid.take_reading(request.reveal, laid_out(faces, uncertain=[("yellow", 0)]), b"a picture")
    assert bid.state().phase == "checking"
    (die,) = (die.id for die in bid.state().reading.dice if die.colour == "yellow")
    state = bid.do(commands.SetDie(die, colour="red"))
    assert state.phase == "checking"
    assert [problem.code for problem in state.reading.problems] == ["uncertain"]
    assert bid.do(commands.SetDie(die, face=4)).phase == "verdict"


# Listeners


def test_a_listener_gets_the_present_state_first_and_then_the_newest(bid: Table) -> None:
    states = NewestState()
    bid.attach(states)
    assert states.get(timeout=60) is bid.state()
    bid.do(commands.MakeBid("Ben", 6, 4))
    bid.do(commands.MakeBid("Cid", 7, 4))
    assert states.get(timeout=60).bid.count == 7  # the one in between was skipped: every state is complete
    with pytest.raises(queue.Empty):
        states.get(timeout=0)


def test_closing_the_table_wakes_its_listeners(tmp_path: Path) -> None:
    table = Table(Journal(tmp_path))
    states = NewestState()
    table.attach(states)
    states.get()
    woken = threading.Event()

    def listen() -> None:
        with pytest.raises(queue.Empty):
            states.get()
        woken.set()

    thread = threading.Thread(target=listen)
    thread.start()
    table.close()
    table.close()
    assert woken.wait(60)
    thread.join()
    assert not states.open
    with pytest.raises(NotAllowedNowError, match="stopping"):
        table.do(commands.OpenRound())


def test_simultaneous_calls_are_settled_by_the_book(timed: Table, clock: FakeClock) -> None:
    timed.do(commands.CallCalza("Cid"))
    clock.now += 0.3
    assert in_json(timed.push("dudo", Push.DOWN).call) == {"kind": "dudo", "player": "Ben"}
    clock.now += 0.3
    with pytest.raises(NotAllowedNowError, match="Ben's dudo came at the same moment"):
        timed.do(commands.CallCalza("Cid"))
    clock.now += 0.5
    with pytest.raises(NotAllowedNowError, match="the dice are being read"):
        timed.do(commands.CallCalza("Cid"))


def test_after_a_break_or_an_undo_no_bid_is_simultaneous(timed: Table, clock: FakeClock) -> None:
    clock.now += 60
    timed.do(commands.Pause())
    timed.do(commands.Resume())
    clock.now += 0.2
    assert in_json(timed.do(commands.CallCalza("Cid")).call) == {"kind": "calza", "player": "Cid"}
    clock.now += 60
    timed.do(commands.Undo(timed.state().undo.step))
    clock.now += 0.2
    assert in_json(timed.do(commands.CallCalza("Cid")).call) == {"kind": "calza", "player": "Cid"}


def test_after_a_break_a_calza_is_meant_for_the_bid_that_stands(timed: Table, clock: FakeClock) -> None:
    timed.do(commands.MakeBid("Ben", 6, 4))
    clock.now += 60
    timed.do(commands.Pause())
    timed.do(commands.Resume())
    clock.now += 0.2
    state = timed.do(commands.CallCalza("Cid"))
    assert (state.bid.player, state.bid.count) == ("Ben", 6)
    assert in_json(state.call) == {"kind": "calza", "player": "Cid"}


def test_a_call_right_after_a_break_began_does_not_end_it(timed: Table, clock: FakeClock) -> None:
    timed.do(commands.CallCalza("Cid"))
    clock.now += 0.1
    timed.do(commands.Pause())
    clock.now += 0.1
    with pytest.raises(NotAllowedNowError, match="The game is paused"):
        timed.do(commands.CallDudo("Ben"))
    state = timed.state()
    assert (state.paused, in_json(state.call)) == (True, {"kind": "calza", "player": "Cid"})


def test_in_a_break_the_camera_reads_nothing(bid: Table) -> None:
    bid.do(commands.CallDudo())
    bid.do(commands.Pause())
    assert bid.reveal_wanted() is None
    bid.do(commands.Resume())
    assert bid.reveal_wanted() is not None


def test_the_waiting_sentence_of_an_earlier_reveal_does_not_apply_to_a_later_one(bid: Table) -> None:
    bid.do(commands.CallDudo())
    earlier = bid.reveal_wanted().reveal
    bid.do(commands.AskReading())
    bid.set_waiting(earlier, Waiting(code="given-up", sentence="I have stopped looking."))
    assert bid.state().waiting.code == "moving"


def test_a_press_does_not_end_a_break(timed: Table, clock: FakeClock) -> None:
    timed.do(commands.CallCalza("Cid"))
    clock.now += 9
    timed.do(commands.Pause())
    clock.now += 0.2
    state = timed.push("dudo", Push.DOWN)
    assert (state.paused, in_json(state.call)) == (True, {"kind": "calza", "player": "Cid"})


def test_a_long_press_during_which_a_break_begins_counts_nothing(timed: Table, clock: FakeClock) -> None:
    timed.push("dudo", Push.DOWN)
    timed.do(commands.Pause())
    state = timed.push("dudo", Push.LONG)
    assert (state.paused, in_json(state.call), state.counting) == (True, {"kind": "dudo", "player": "Ben"}, None)
    assert state.notice is None  # the call was made before the break, so nothing was refused


@pytest.mark.parametrize("bid_told", [(5, 4), (6, 4)], ids=["the bid that was known", "another"])
def test_a_call_told_after_the_count_is_undone_as_such(bid: Table, bid_told: tuple[int, int]) -> None:
    bid.do(commands.AskCount("dudo"))
    bid.do(commands.CountByHand({"Ana": FULL["red"], "Ben": FULL["blue"], "Cid": FULL["green"]}))
    caller, bidder = ("Ben", "Ana") if bid_told == (5, 4) else ("Cid", "Ben")
    state = bid.do(commands.TellCall("dudo", caller, bidder, *bid_told))
    assert (state.phase, state.undo.kind) == ("verdict", "tell")
    assert bid.do(commands.Undo(state.undo.step)).phase == "telling"


def test_a_long_press_turns_its_call_into_a_count(bid: Table) -> None:
    assert in_json(bid.push("dudo", Push.DOWN).call) == {"kind": "dudo", "player": "Ben"}
    state = bid.push("dudo", Push.LONG)
    assert (state.phase, state.counting, state.call, state.notice) == ("reading", "dudo", None, None)


def test_the_table_has_the_story_of_the_game(table: Table) -> None:
    assert table.story().story == ()
    table.do(new_game(COMPANY, starter="Ana"))
    table.do(commands.MakeBid("Ana", 5, 4))
    table.do(commands.CallDudo())
    judged(table)
    story = table.story()
    assert story.game == 1
    assert "5 fours" in " ".join(story.story)
    assert story.statistics.rounds == 1
    assert story.company.games == 1


def test_a_long_press_that_had_the_roll_read_means_nothing_more(tmp_path: Path) -> None:
    with Table(Journal(tmp_path)) as table:
        table.do(new_game(COMPANY, roll=True))
        table.push("dudo", Push.DOWN)
        table.do(commands.CountByHand({"Ana": [3], "Ben": [5], "Cid": [1]}))
        assert table.push("dudo", Push.LONG).phase == "bidding"


def test_in_a_break_nothing_is_undone_and_nothing_done_again(bid: Table) -> None:
    step = bid.state().undo.step
    assert bid.do(commands.Pause()).undo is None
    with pytest.raises(NotAllowedNowError):
        bid.do(commands.Undo(step))
    undo = bid.do(commands.Resume()).undo
    assert (undo.step, undo.kind, undo.sentence) == (step, "bid", "Ana's bid of 5 fours")
    bid.do(commands.Undo(step))
    assert bid.do(commands.Pause(), HOST).redo is None
    with pytest.raises(NotAllowedNowError):
        bid.do(commands.Redo(step))
    assert bid.state().bid is None


def test_undoing_a_step_that_somebody_else_undid_undoes_nothing_more(bid: Table) -> None:
    step = bid.state().undo.step
    bid.do(commands.Undo(step))
    with pytest.raises(NotAllowedNowError, match="no longer the last"):
        bid.do(commands.Undo(step))
    assert bid.do(commands.Redo(step)).bid.count == 5


def test_a_press_makes_the_camera_look_again_after_it_gave_up(bid: Table) -> None:
    bid.do(commands.CallDudo())
    request = bid.reveal_wanted()
    bid.set_waiting(request.reveal, Waiting(code="given-up", sentence="I have stopped looking."))
    assert bid.push("dudo", Push.DOWN).waiting.code == "moving"
    assert bid.reveal_wanted().reveal > request.reveal
