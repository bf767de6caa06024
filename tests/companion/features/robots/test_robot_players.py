"""Robots at the demo's table: their pace, whom they wait for, and that no step of the people confuses them."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.engine import RULESETS, Call, Calza, Dudo
from companion.features.robots.robot_players import THINKING_TIME, VERDICT_TIME, RobotPlayers, robots_for
from companion.robots import ROBOTS, PlayerView, Strength
from companion.table import Journal, State, Table, commands
from companion.table.commands import PANEL, Actor
from companion.table.errors import NotYoursError
from companion.table.game.history import times_voided
from companion.table.game.new_game import GameDefaults
from companion.table.game.table_position import Phase
from hardware.panel.debounce import Push
from tests.fakes.clock import FakeClock
from tests.fakes.new_game import new_game

COMPANY = [("Ana", "red"), ("Ben", "blue"), ("Cid", "green")]
SLOWEST = THINKING_TIME[1] + 0.1


class Evening:
    """A table with robots, whose time the test moves. Nobody lifts cups: the test says what lies there."""

    def __init__(self, table: Table, clock: FakeClock) -> None:
        self.table = table
        self.clock = clock
        self.luck = random.Random(5)
        self.hands: dict[str, tuple[int, ...]] = {}
        self.peeked: list[str] = []
        self.taken: dict[str, str | None] = {}
        self.robots = RobotPlayers(table, self.peek, lambda: self.taken, luck=random.Random(1), clock=clock)
        self.shake()

    def peek(self, player: str) -> tuple[int, ...]:
        self.peeked.append(player)
        return self.hands.get(player, ())

    @property
    def state(self) -> State:
        return self.table.state()

    def shake(self) -> None:
        self.hands = {
            p.name: tuple(self.luck.choices(range(1, 7), k=p.dice or 0))
            for p in self.table.state_with_all_dice().players
        }

    def wait(self, seconds: float) -> State:
        """Let time pass, with a look at the table every quarter of a second."""
        for _ in range(round(seconds * 4)):
            self.clock.sleep(0.25)
            self.robots.step()
        return self.state

    def undo(self) -> None:
        self.table.do(commands.Undo(self.state.undo.step))

    def hurry(self) -> None:
        self.robots.hurry()
        self.robots.step()

    def reveal(self) -> State:
        """Show the dice, as the camera would."""
        return self.table.do(commands.CountByHand({name: list(dice) for name, dice in self.hands.items() if dice}))


@pytest.fixture
def evening(tmp_path: Path, clock: FakeClock) -> Iterator[Evening]:
    with Table(Journal(tmp_path), defaults=GameDefaults(draw=random.Random(1).choice), clock=clock) as table:
        table.do(new_game(COMPANY, starter="Ana"))
        yield Evening(table, clock)


def test_where_lost_dice_are_hidden_a_robot_knows_what_it_saw(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    views: list[PlayerView] = []

    class Watched:
        def decide(self, view: PlayerView, luck: random.Random) -> Call:
            views.append(view)
            return Dudo(view.player)

        def interject(self, view: PlayerView, luck: random.Random) -> None:
            return None

    monkeypatch.setattr("companion.features.robots.robot_players.ROBOTS", {Strength.HARD: Watched()})
    for open_lost, known in ((True, 2), (False, 5)):
        evening.table.do(new_game(COMPANY, starter="Ana", open_lost=open_lost, abandon=True))
        evening.robots.give_seats({"Ben": "hard"})
        evening.table.do(commands.MakeBid("Ana", 1, 4))
        evening.table.do(commands.SetPlayerDice("Cid", 2))
        evening.wait(SLOWEST)
        assert views[-1].position.dice == {"Ana": 5, "Ben": 5, "Cid": known}


def bid(evening: Evening, player: str, count: int, face: int) -> State:
    return evening.table.do(commands.MakeBid(player, count, face))


def test_a_robot_acts_after_it_has_thought(evening: Evening) -> None:
    evening.robots.give_seats({"Ben": "medium", "Cid": "hard"})
    bid(evening, "Ana", 1, 4)
    evening.robots.step()
    evening.wait(THINKING_TIME[0] - 0.3)
    assert evening.state.turn == "Ben"
    evening.wait(SLOWEST)
    assert evening.state.turn != "Ben"
    assert evening.state.bid is None or evening.state.bid.player in {"Ben", "Cid"} or evening.state.call is not None


def test_a_tap_lets_it_act_at_once(evening: Evening) -> None:
    evening.robots.give_seats({"Ben": "medium"})
    bid(evening, "Ana", 1, 4)
    evening.robots.step()
    evening.hurry()
    assert evening.state.turn != "Ben"


def test_it_waits_for_people(evening: Evening) -> None:
    evening.robots.give_seats({"Ben": "medium", "Cid": "hard"})
    before = evening.wait(30)
    assert (before.turn, before.bid) == ("Ana", None)
    bid(evening, "Ana", 1, 4)
    assert set(evening.peeked) <= {"Ben", "Cid"}  # robots look at their own dice only


@pytest.mark.parametrize("sits_down", [True, False])
def test_a_game_begins_once_somebody_has_sat_down_or_lets_the_robots(evening: Evening, sits_down: bool) -> None:
    evening.robots.give_seats({"Ben": "medium", "Cid": "hard"})
    evening.table.do(new_game(COMPANY, starter="Ben", abandon=True))
    assert evening.wait(30).turn == "Ben"
    if sits_down:
        evening.taken["Ana"] = "k3f9"
        evening.wait(SLOWEST)
    else:
        evening.hurry()
    assert evening.state.turn != "Ben"


def test_a_robot_decides_from_its_own_dice(evening: Evening) -> None:
    evening.robots.give_seats({"Ben": "medium"})
    evening.hands["Ben"] = ()
    bid(evening, "Ana", 1, 4)
    assert evening.wait(10).turn == "Ben"  # its dice are not thrown yet
    evening.hands["Ben"] = (4, 4, 4, 4, 1)
    evening.wait(SLOWEST)
    assert evening.state.turn != "Ben"
    assert set(evening.peeked) == {"Ben"}


@pytest.mark.parametrize("strength", Strength)
def test_a_robot_does_the_same_whatever_the_others_hold(tmp_path: Path, strength: Strength) -> None:
    """Ben holds four fours; whether the others hold five or none, he knows nothing of it."""
    done = set()
    for number, others in enumerate(((4, 4, 4, 4, 1), (2, 3, 5, 6, 6), (1, 1, 1, 1, 1))):
        clock = FakeClock()
        with Table(Journal(tmp_path / str(number)), clock=clock) as table:
            table.do(new_game(COMPANY, starter="Ana"))
            evening = Evening(table, clock)
            evening.robots.give_seats({"Ben": strength.value, "Cid": strength.value})
            evening.hands = {"Ana": others, "Ben": (2, 4, 4, 4, 4), "Cid": others}
            state = bid(evening, "Ana", 7, 4)
            while state.turn == "Ben" and state.call is None:
                state = evening.wait(0.25)
            done.add((state.bid, state.call))
    assert len(done) == 1


class Spy:
    """A robot that notes what it is shown, and plays as the medium one."""

    def __init__(self) -> None:
        self.views: list[PlayerView] = []

    def decide(self, view: PlayerView, luck: random.Random) -> Call:
        self.views.append(view)
        return ROBOTS[Strength.MEDIUM].decide(view, luck)

    def interject(self, view: PlayerView, luck: random.Random) -> Dudo | Calza | None:
        self.views.append(view)
        return ROBOTS[Strength.MEDIUM].interject(view, luck)


def test_in_a_whole_game_every_robot_is_shown_its_own_dice(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    spy = Spy()

    def peek(player: str) -> tuple[int, ...]:
        """Dice that tell whose they are: Ana's are ones, Ben's twos, Cid's threes."""
        face = "ABC".index(player[0]) + 1
        return (face,) * len(evening.hands.get(player, ()))

    evening.robots = RobotPlayers(
        evening.table, peek, lambda: evening.taken, luck=random.Random(1), clock=evening.clock
    )
    monkeypatch.setattr("companion.features.robots.robot_players.ROBOTS", dict.fromkeys(Strength, spy))
    evening.robots.give_seats({"Ana": "easy", "Ben": "medium", "Cid": "hard"})
    play_on(evening)
    assert {view.player for view in spy.views} == {"Ana", "Ben", "Cid"}
    assert all(set(view.dice) == {"ABC".index(view.player[0]) + 1} for view in spy.views)


def test_nobody_else_says_what_a_robot_does(evening: Evening) -> None:
    evening.robots.give_seats({"Ben": "medium"})
    bid(evening, "Ana", 1, 4)
    host = Actor("k3f9", "Ana")
    for command in (commands.MakeBid("Ben", 2, 4), commands.CallDudo("Ben"), commands.CallDudo()):
        with pytest.raises(NotYoursError, match="Ben is a robot"):
            evening.table.do(command, host)
    evening.table.push("dudo", Push.DOWN)
    assert (evening.state.phase, evening.state.turn) == (Phase.BIDDING, "Ben")
    assert evening.state.notice is not None
    evening.robots.give_seats({})
    assert evening.table.do(commands.CallDudo(), PANEL).phase is Phase.READING


def test_whoever_takes_a_robots_seat_plays_in_its_place(evening: Evening) -> None:
    evening.robots.give_seats({"Ben": "easy", "Cid": "easy"})
    assert evening.state.robots == {"Ben": "easy", "Cid": "easy"}
    evening.taken["Ben"] = "k3f9"
    bid(evening, "Ana", 1, 4)
    assert evening.wait(10).turn == "Ben"
    assert evening.state.robots == {"Cid": "easy"}
    evening.table.do(commands.MakeBid("Ben", 2, 4), Actor("k3f9", "Ben"))
    evening.taken["Ben"] = None  # the phone went home
    evening.wait(SLOWEST)
    assert evening.state.robots == {"Ben": "easy", "Cid": "easy"}
    assert evening.state.turn != "Cid"


def test_whoever_sits_on_several_seats_sees_no_robots_dice(evening: Evening) -> None:
    evening.robots.give_seats({"Ben": "hard", "Cid": "hard"})
    evening.taken = {"Ben": "k3f9"}
    assert evening.robots.peek("Ben") == evening.hands["Ben"], "before the first bid any seat is free"
    evening.taken = {"Ben": None}
    bid(evening, "Ana", 1, 4)
    evening.wait(0.25)
    assert evening.state.robots == {"Cid": "hard"}, "a phone has seen Ben's dice"
    evening.taken = {"Cid": "b2c3"}
    assert evening.robots.peek("Cid") is None
    assert evening.state.robots == {"Cid": "hard"}, "the robot plays the round to its end"
    evening.robots.give_seats({})
    assert evening.robots.peek("Cid") is None
    evening.table.do(commands.CallDudo("Ben"))
    evening.reveal()
    evening.table.do(commands.OpenRound())
    assert evening.robots.peek("Cid") == evening.hands["Cid"], "a new round, with new dice"
    evening.robots.give_seats({"Ben": "hard", "Cid": "hard"})
    assert evening.state.robots == {"Ben": "hard"}


def test_after_an_undo_robots_wait_until_somebody_acts(evening: Evening) -> None:
    evening.robots.give_seats({"Ben": "medium"})
    bid(evening, "Ana", 1, 4)
    evening.wait(SLOWEST)
    evening.undo()
    assert evening.wait(30).turn == "Ben"
    evening.undo()
    bid(evening, "Ana", 2, 5)
    assert evening.wait(SLOWEST).turn != "Ben"


def test_after_an_undo_somebody_may_let_the_robots_go_on(evening: Evening) -> None:
    evening.robots.give_seats({"Ben": "medium"})
    bid(evening, "Ana", 1, 4)
    evening.wait(SLOWEST)
    evening.undo()
    evening.wait(10)
    evening.hurry()
    assert evening.state.turn != "Ben"


def test_in_a_break_and_after_a_void_round(evening: Evening) -> None:
    evening.robots.give_seats({"Ben": "medium"})
    bid(evening, "Ana", 1, 4)
    evening.table.do(commands.Pause())
    evening.wait(30)
    evening.table.do(commands.Resume())
    evening.robots.step()
    assert evening.state.turn == "Ben"  # it thinks again after the break
    evening.table.do(commands.VoidRound())
    assert evening.wait(30).bid is None
    bid(evening, "Ana", 3, 4)
    history, _ = evening.table.history()
    assert [(each.player, each.count) for each in history.position.bids] == [("Ana", 3)]
    assert times_voided(history) == 1
    assert evening.wait(SLOWEST).turn != "Ben"


def test_bids_of_the_round_after_corrections(evening: Evening) -> None:
    bid(evening, "Ana", 1, 4)
    bid(evening, "Ben", 2, 4)
    evening.table.do(commands.SetPlayerDice("Cid", 4))
    bid(evening, "Cid", 3, 4)
    evening.undo()
    history, _ = evening.table.history()
    assert [each.player for each in history.position.bids] == ["Ana", "Ben"]


def test_somebody_leaves_and_somebody_joins(evening: Evening) -> None:
    evening.robots.give_seats({"Ben": "easy", "Cid": "medium"})
    bid(evening, "Ana", 1, 4)
    evening.table.do(commands.LeaveGame("Ben"))
    assert evening.wait(10).turn == "Ana"
    evening.table.do(commands.JoinGame("Dora", "yellow", 5, "Ana"))
    evening.shake()
    bid(evening, "Ana", 1, 4)
    assert evening.wait(10).turn == "Dora"
    bid(evening, "Dora", 2, 4)
    assert evening.wait(SLOWEST).turn != "Cid"


def play_on(evening: Evening, until: int = 4000) -> State:
    """Let robots play, and count for them, until the game is over."""
    shaken = evening.state.round
    for _ in range(until):
        state = evening.wait(0.25)
        if state.phase is Phase.OVER:
            return state
        if state.phase is Phase.READING:
            evening.reveal()
        elif state.phase is Phase.BIDDING and state.round != shaken:
            shaken = state.round
            evening.shake()
    raise AssertionError(f"the robots stopped at {evening.state.phase}, turn {evening.state.turn}")


def test_robots_who_are_left_alone_play_to_the_end(evening: Evening) -> None:
    evening.robots.give_seats({"Ben": "hard", "Cid": "easy"})
    evening.table.do(commands.LeaveGame("Ana", concede=True))
    evening.shake()
    assert play_on(evening).winner in {"Ben", "Cid"}


@pytest.mark.parametrize("book", RULESETS)
def test_a_whole_table_of_robots_by_any_book(evening: Evening, book: str) -> None:
    evening.robots.give_seats({"Ana": "easy", "Ben": "medium", "Cid": "hard"})
    dice = {"Ana": 2, "Ben": 2, "Cid": 2}
    evening.table.do(new_game(COMPANY, book, starter="Ana", abandon=True, dice=dice, open_lost=book != "asmodee-nl"))
    evening.shake()
    assert play_on(evening).winner is not None


def test_a_verdict_stands_until_somebody_goes_on_if_people_play(evening: Evening) -> None:
    evening.robots.give_seats({"Ben": "medium", "Cid": "easy"})
    bid(evening, "Ana", 15, 4)
    evening.wait(SLOWEST)
    assert evening.reveal().phase is Phase.VERDICT
    assert evening.wait(4 * VERDICT_TIME).phase is Phase.VERDICT
    evening.table.do(commands.LeaveGame("Ana", concede=True))
    assert evening.state.phase is Phase.BIDDING


def test_the_verdict_by_which_a_person_is_out_stands_until_somebody_goes_on(evening: Evening) -> None:
    evening.robots.give_seats({"Ben": "medium", "Cid": "easy"})
    dice = {"Ana": 1, "Ben": 5, "Cid": 5}
    evening.table.do(new_game(COMPANY, starter="Ana", abandon=True, dice=dice))
    evening.shake()
    bid(evening, "Ana", 11, 4)
    evening.wait(SLOWEST)
    assert evening.reveal().verdict.eliminated == "Ana"
    assert evening.wait(4 * VERDICT_TIME).phase is Phase.VERDICT
    evening.table.do(commands.OpenRound())
    evening.shake()
    assert play_on(evening).winner in {"Ben", "Cid"}


def test_robots_of_all_strengths_take_the_last_seats(evening: Evening) -> None:
    assert robots_for(evening.state, 0) == {}
    assert robots_for(evening.state, 2) == {"Ben": "easy", "Cid": "medium"}
    assert robots_for(evening.state, 3) == {"Ana": "easy", "Ben": "medium", "Cid": "hard"}


def test_a_box_loads_no_robots() -> None:
    demo = ("companion.demo", "companion.robots", "companion.features.robots.robot_players")
    names = f"[m for m in sys.modules if m.startswith({demo})]"
    code = f"import sys, companion.app, companion.cli.run; print({names})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_the_thread_plays_and_stops(tmp_path: Path) -> None:
    with Table(Journal(tmp_path)) as table:
        table.do(new_game(COMPANY, starter="Ben"))
        fast = FakeClock(step=10.0)
        robots = RobotPlayers(table, lambda _: (2, 2, 3, 4, 5), dict, luck=random.Random(1), count=2, clock=fast)
        robots.start()
        robots.hurry()  # nobody has sat down
        version = table.state().version
        for _ in range(100):
            if (state := table.state()).undo is not None and state.turn not in {"Ben", "Cid"}:
                break
            with table._changed:
                table._changed.wait(0.2)
        robots.stop()
        robots.stop()
        assert table.state().version > version
        assert table.state().turn not in {"Ben", "Cid"}
