"""What Home Assistant is told while a table plays, and what it is not told yet."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.engine import EngineError
from companion.member.home_assistant import discovery
from companion.member.home_state import CALL_PHASES, HomeView
from companion.member.topics import TableTopics
from companion.table.commands import (
    AddDie,
    AskCount,
    AskReading,
    CallCalza,
    CallDudo,
    CountByHand,
    EndGame,
    LeaveGame,
    MakeBid,
    NameCaller,
    OpenRound,
    Pause,
    Resume,
    SetDie,
    SetPlayerDice,
    StrikeDie,
    TellCall,
    VoidRound,
)
from companion.table.errors import TableError
from companion.table.game.table_position import Phase, TablePosition
from tests.companion.member.home_table import COMPANY, GAME, HomeTable
from tests.fakes.desk import FakeDesk
from tests.fakes.new_game import new_game

FULL = {"red": [4, 4, 1, 2, 3], "blue": [6, 6, 5, 4, 1], "green": [2, 2, 2, 3, 5]}
BID = MakeBid("Ana", 5, 4)


def bid() -> HomeTable:
    """Ana has bid 5 fours. There are five, of the dice in `FULL`."""
    table = HomeTable()
    table.do(GAME, BID)
    return table


def judged() -> HomeTable:
    """Ben said dudo and has lost a die."""
    table = bid()
    table.do(CallDudo("Ben"))
    read(table)
    return table


def read(table: HomeTable, **dice: list[int]) -> list[str]:
    table.desk.read(FULL | dice)
    return table.look()


def two_left() -> HomeTable:
    """Ana and Ben have one die each; Ana has bid two sixes."""
    table = HomeTable()
    table.do(new_game(COMPANY[:2], starter="Ana", dice={"Ana": 1, "Ben": 1}), MakeBid("Ana", 2, 6))
    return table


def test_a_game_and_its_rounds_are_announced() -> None:
    table = HomeTable()
    assert table.do(GAME) == ["game", "round"]
    assert table.do(BID) == []
    assert [event.sentence for event in table.events] == ["A game begins: Ana, Ben and Cid.", "Round 1: Ana opens."]
    assert (table.home.phase, table.home.turn, table.home.dice, table.home.playing) == ("bidding", "Ben", 15, True)
    assert table.home.bid.words == "5 fours"


def test_a_dudo_becomes_known_with_its_verdict() -> None:
    table = bid()
    before = len(table.published)
    assert table.do(CallDudo("Ben")) == []
    assert len(table.published) == before
    assert read(table) == ["dudo", "verdict"]
    call, verdict = table.events[-2:]
    assert (call.player, call.round, call.sentence) == ("Ben", 1, "Ben said dudo to 5 fours.")
    assert (verdict.player, verdict.round, verdict.verdict.correct) == ("Ben", 1, False)
    assert verdict.sentence.startswith("3 fours and 2 pacos make 5.")
    assert (table.home.phase, table.home.round, table.home.dice) == ("verdict", 1, 14)
    assert table.home.verdict == verdict.verdict


def test_nothing_changes_between_the_call_and_the_verdict() -> None:
    """The camera fails, it answers again, dice are counted, put right and read again, the game is paused."""
    table = bid()
    before = table.home
    table.do(CallCalza(), NameCaller("Cid"))
    table.camera(ok=False)
    table.do(Pause(), Resume())
    table.camera(ok=True)
    read(table, red=[4, 4, 1, 2])
    assert table.desk.position.phase is Phase.CHECKING
    table.do(SetPlayerDice("Ben", 4), SetPlayerDice("Ben", 5), AskReading())
    table.undo()
    assert table.published[-1] is before
    assert table.home is before
    assert table.do(AddDie((0, 0, 9, 9), 3, "red")) == ["calza", "verdict"]


def test_the_count_before_the_call_is_held_back_too() -> None:
    table = bid()
    before = table.home
    table.do(AskCount("dudo"))
    read(table)
    assert table.desk.position.phase is Phase.TELLING
    assert table.home is before
    assert table.do(TellCall("dudo", "Ben", "Ana", 5, 4)) == ["dudo", "verdict"]


def test_the_opening_roll_is_read_without_a_change() -> None:
    table = HomeTable()
    assert table.do(new_game(COMPANY, roll=True)) == ["game"]
    before = table.home
    assert before.phase == "rolling"
    assert table.do(AskReading()) == []
    assert table.home is before
    table.desk.read({"red": [6], "blue": [2], "green": [1]})
    assert table.look() == ["round"]


@pytest.mark.parametrize(("end", "phase"), [(VoidRound(), "bidding"), (EndGame(), "over")])
def test_a_voided_round_and_an_ended_game_are_shown_at_once(end: VoidRound | EndGame, phase: str) -> None:
    table = bid()
    table.do(CallDudo("Ben"))
    assert table.do(end) == []
    assert (table.home.phase, table.home.verdict) == (phase, None)


def test_a_call_that_is_taken_back_is_never_announced() -> None:
    table = bid()
    before = table.home
    table.do(CallDudo("Ben"))
    assert table.undo() == []
    assert table.home is before
    table.do(CallCalza("Cid"))
    assert read(table) == ["calza", "verdict"]


def test_a_corrected_verdict_is_shown_and_not_announced_again() -> None:
    table = judged()
    assert table.do(SetDie(table.desk.position.reading.dice[0].id, face=3)) == []
    assert table.home.verdict.correct is True
    assert table.home.verdict.loses == "Ana"
    assert (table.home.phase, table.home.round) == ("verdict", 1)


def test_a_verdict_that_is_read_again_is_not_announced_again() -> None:
    table = judged()
    before = table.home
    assert table.do(StrikeDie(table.desk.position.reading.dice[0].id), AskReading()) == []
    assert table.home is before
    assert read(table, red=[4, 3, 1, 2, 3]) == []
    assert table.home.verdict.correct is True


def test_a_call_of_somebody_else_on_open_dice_is_a_correction() -> None:
    table = judged()
    table.undo()
    assert table.home.phase == "bidding"
    table.do(CallCalza("Cid"))
    assert read(table) == []
    assert table.home.verdict.caller == "Cid"


def test_a_round_that_is_opened_again_after_its_verdict_is_announced_again() -> None:
    table = judged()
    table.undo()
    assert table.do(VoidRound()) == ["round"]
    table.do(BID, CallDudo("Ben"))
    assert read(table) == ["dudo", "verdict"]


def test_each_round_is_announced_once() -> None:
    table = judged()
    assert table.do(OpenRound()) == ["round"]
    assert table.home.verdict.caller == "Ben"
    assert table.do(LeaveGame("Cid")) == []
    table.do(MakeBid("Ben", 2, 6), CallDudo())
    assert table.count() == ["dudo", "verdict"]
    assert table.do(OpenRound()) == ["round"]


def test_a_palifico_round_is_said_to_be_one() -> None:
    table = HomeTable()
    table.do(new_game(COMPANY, starter="Ana", dice={"Ana": 2, "Ben": 2, "Cid": 2}), MakeBid("Ana", 2, 6), CallDudo())
    table.count()
    assert table.home.palifico is None
    table.do(OpenRound())
    assert table.home.palifico == "Ana"
    assert table.events[-1].sentence == "Round 2: Ana opens. It is palifico."


def test_the_winner_has_one_fanfare() -> None:
    table = two_left()
    table.do(CallDudo("Ben"))
    assert table.count() == ["dudo", "verdict", "winner"]
    assert (table.events[-1].player, table.events[-1].round) == ("Ben", 1)
    assert (table.home.phase, table.home.playing, table.home.winner) == ("over", False, "Ben")
    table.undo()
    assert table.count(face=6) == []  # the bid held after all
    assert (table.home.winner, table.home.verdict.winner) == ("Ana", "Ana")


def test_a_winner_who_is_corrected_away_wins_later_with_a_fanfare() -> None:
    table = HomeTable()
    table.do(new_game(COMPANY[:2], starter="Ana", dice={"Ana": 1, "Ben": 2}), MakeBid("Ana", 2, 6), CallDudo("Ben"))
    assert table.count() == ["dudo", "verdict", "winner"]
    table.undo()
    assert table.count(face=6) == []
    assert table.home.playing
    table.do(OpenRound(), MakeBid("Ben", 2, 6), CallDudo("Ana"))
    assert table.count() == ["dudo", "verdict", "winner"]


def test_who_wins_because_the_others_leave_has_a_fanfare_and_no_old_verdict() -> None:
    table = judged()
    table.do(OpenRound())
    assert table.do(LeaveGame("Cid"), LeaveGame("Ana")) == ["winner"]
    assert table.events[-1].sentence == "Ben has won the game."


def test_a_game_that_is_ended_has_no_winner_and_no_fanfare() -> None:
    table = judged()
    assert table.do(EndGame()) == []
    assert (table.home.phase, table.home.winner) == ("over", None)


def test_a_new_game_begins_with_a_new_announcement() -> None:
    table = judged()
    assert table.do(new_game(COMPANY, starter="Ben", abandon=True)) == ["game", "round"]
    assert (table.home.game, table.home.round, table.home.verdict) == (2, 1, None)


def test_a_game_that_was_taken_back_and_another_in_its_place_are_both_announced() -> None:
    table = HomeTable()
    table.do(GAME)
    assert table.undo() == []
    assert table.home.phase == "seating"
    assert table.do(new_game(COMPANY, starter="Ben")) == ["game", "round"]
    assert table.events[-1].player == "Ben"


def test_rounds_that_are_taken_back_and_played_otherwise_are_announced() -> None:
    table = judged()
    table.do(OpenRound(), MakeBid("Ben", 2, 6), CallDudo())
    assert table.count() == ["dudo", "verdict"]
    while table.home.round != 1:
        table.undo()
    assert table.home.phase == "verdict"
    assert table.do(SetDie(table.desk.position.reading.dice[0].id, face=3), OpenRound()) == ["round"]
    assert table.events[-1].player == "Ana"
    table.do(MakeBid("Ana", 2, 6), CallDudo())
    assert table.count() == ["dudo", "verdict"]


@pytest.mark.parametrize("steps", range(6))
def test_a_restart_replays_nothing(steps: int) -> None:
    table = HomeTable()
    for act in (
        lambda: table.do(GAME),
        lambda: table.do(BID),
        lambda: table.do(CallDudo("Ben")),
        lambda: read(table),
        lambda: table.do(OpenRound()),
    )[:steps]:
        act()
    sent = len(table.events)
    table.restart()
    assert len(table.events) == sent
    table.look()
    assert len(table.events) == sent


def test_a_restart_after_the_end_sends_no_second_fanfare() -> None:
    table = two_left()
    table.do(CallDudo("Ben"))
    table.count()
    sent = len(table.events)
    table.restart()
    assert (table.look(), len(table.events)) == ([], sent)
    assert table.do(new_game(COMPANY, starter="Ana")) == ["game", "round"]


def test_a_verdict_after_a_restart_is_announced() -> None:
    """The program was started again while the camera read: nothing of this call has been said yet."""
    table = bid()
    table.do(CallDudo("Ben"))
    table.restart()
    assert table.view.home is None  # the broker still has the one from before the call
    assert read(table) == ["dudo", "verdict"]
    assert table.do(OpenRound()) == ["round"]


def test_a_verdict_from_before_a_restart_is_not_announced_when_it_is_corrected() -> None:
    table = judged()
    table.restart()
    assert table.do(SetDie(table.desk.position.reading.dice[0].id, face=3)) == []
    table.do(OpenRound(), MakeBid("Ana", 2, 6), CallDudo())
    assert table.count() == ["dudo", "verdict"]


def test_hidden_dice_stay_hidden() -> None:
    table = HomeTable()
    table.do(new_game(COMPANY, starter="Ana", open_lost=False), BID)
    assert table.home.dice is None
    assert [player.dice for player in table.home.players] == [None, None, None]
    table.do(CallDudo("Ben"))
    read(table, blue=[6, 6, 5, 4])
    assert table.desk.position.phase is Phase.CHECKING  # the table shows them now; Home Assistant waits
    assert table.home.dice is None
    assert table.do(AddDie((0, 0, 9, 9), 1, "blue")) == ["dudo", "verdict"]
    assert table.home.dice == 14
    table.do(OpenRound())
    assert table.home.dice is None


def test_the_dice_are_hidden_as_long_as_anybodys_are() -> None:
    """Everybody knows that the palifico has one die."""
    table = HomeTable()
    dice = {"Ana": 2, "Ben": 2, "Cid": 2}
    table.do(new_game(COMPANY, starter="Ana", dice=dice, open_lost=False), MakeBid("Ana", 2, 6), CallDudo())
    table.count()
    table.do(OpenRound())
    assert [player.dice for player in table.home.players] == [1, None, None]
    assert table.home.dice is None


# Any game


def types_of_one_entity() -> list[frozenset[str]]:
    components = json.loads(discovery(TableTopics("home", "kitchen"), "Kitchen", "1")[1])["cmps"].values()
    return [frozenset(each["evt_typ"]) for each in components if each["p"] == "event"]


ENTITIES = types_of_one_entity()
OTHER_GAMES = (new_game(COMPANY, roll=True), new_game(COMPANY[:2], starter="Ben", open_lost=False, abandon=True))


def choices(position: TablePosition) -> list[object]:
    """What may well happen next; commands, "undo", "redo", and a face that all dice show in a count by hand."""
    if position.paused:
        return [Resume(), "undo", EndGame()]
    game = position.game
    turn, bid = (game.turn or "Ana", game.bid) if game is not None else ("Ana", None)
    match position.phase:
        case Phase.SEATING | Phase.OVER:
            return [GAME, *OTHER_GAMES, "undo", "redo"]
        case Phase.ROLLING:
            return [AskReading(), AskReading(), "undo"]
        case Phase.BIDDING:
            higher = MakeBid(turn, 2, 6) if bid is None else MakeBid(turn, bid.count + 1, bid.face)
            calls = [higher, CallDudo(), CallDudo(), CallCalza(), AskCount("dudo")]
            return [higher, *calls, VoidRound(), LeaveGame("Cid"), Pause(), "undo", "redo", EndGame(), OTHER_GAMES[1]]
        case Phase.ASKING:
            return [NameCaller(position.possible_callers[0]), NameCaller(position.possible_callers[0]), "undo"]
        case Phase.TELLING:
            return [TellCall("dudo", turn, player, 2, 6) for player in position.colours] + ["undo"]
        case Phase.VERDICT:
            return [OpenRound(), OpenRound(), OpenRound(), "undo", "redo", EndGame(), LeaveGame("Ana"), Pause(), 3]
    return [3, 6, 6, 3, "undo", VoidRound(), Pause(), AskReading(), LeaveGame("Ben")]


def act(desk: FakeDesk, what: object) -> None:
    match what:
        case "undo":
            desk.undo()
        case "redo":
            desk.redo()
        case int(face):
            dice = {each.name: [face] * each.dice for each in desk.position.expected()}
            if desk.position.phase is Phase.READING and desk.position.rolling is not None:
                dice = {name: [1 + number] for number, name in enumerate(dice)}
            desk.do(CountByHand(dice))
        case _:
            desk.do(what)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.integers(0, 10_000), min_size=20, max_size=60))
def test_any_game(numbers: list[int]) -> None:
    """No change and no event in the phases of a call; the view shows the table as soon as it may; no event twice."""
    table = HomeTable()
    verdicts: Counter[tuple[int, int]] = Counter()
    back = False
    for number in numbers:
        possible = choices(table.desk.position)
        what = possible[number % len(possible)]
        try:
            act(table.desk, what)
        except (TableError, EngineError, AssertionError):
            continue
        back = back or what in ("undo", "redo")
        before, sent = table.view.home, len(table.events)
        table.look()
        new = table.events[sent:]
        if table.desk.position.phase in CALL_PHASES:
            assert table.view.home is before
            assert new == []
        else:
            fresh = HomeView()
            assert fresh.step(table.state) == (table.view.home, ())
        for types in ENTITIES:
            assert sum(event.event_type in types for event in new) <= 1
        verdicts.update((event.game, event.round) for event in new if event.event_type == "verdict")
        if any(player.dice is None for player in table.home.players):
            assert table.home.dice is None
    assert back or all(count == 1 for count in verdicts.values())
