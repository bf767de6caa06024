"""Panel and table together, on mock pins: presses while the disk hangs, double presses, the dial, the display."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.panel.link import PanelLink
from companion.panel.power import PowerError
from companion.table import Journal, Table, commands
from companion.table.presses import QUIET_SECONDS
from companion.table.state.signs import SWITCHING_OFF, join_lines
from companion.table.state.state import CameraStatus
from hardware.panel.buzzer import Sound
from hardware.panel.debounce import HOLD_TIMES, LONG_PRESS, QUIET_TIME
from hardware.panel.lamps import FLASH_TIME
from hardware.panel.wiring import DIAL, DisplayWiring, Wiring
from hardware.virtual.virtual_panel import VirtualPanel
from tests.fakes.clock import FakeClock
from tests.fakes.new_game import new_game
from tests.fakes.public_state import in_json
from tests.fakes.reader import laid_out
from tests.wait import wait_until

COMPANY = (("Ana", "red"), ("Ben", "blue"), ("Cid", "green"))
FULL = {"red": [4, 4, 1, 2, 3], "blue": [6, 6, 5, 4, 1], "green": [2, 2, 2, 3, 5]}
WIRING = Wiring(status=25, buzzer=18, dial=(20, 16, 12), display=DisplayWiring("max7219"))


class SlowDisk:
    """A journal that hangs in the middle of writing, as SD cards do, until `free` is set."""

    def __init__(self, journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
        self.writing, self.free = threading.Event(), threading.Event()
        self.free.set()
        append = journal.append

        def slowly(events: object) -> None:
            self.writing.set()
            assert self.free.wait(60)
            append(events)  # type: ignore[arg-type]

        monkeypatch.setattr(journal, "append", slowly)


class Box:
    """Table, panel and what is between them."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock = FakeClock(960.0)
        journal = Journal(folder)
        self.disk = SlowDisk(journal, monkeypatch)
        self.table = Table(journal, clock=self.clock)
        self.table.set_camera(CameraStatus(ok=True, name="a camera"))
        self.panel = VirtualPanel(WIRING, clock=self.clock)
        self.played: list[Sound] = []
        monkeypatch.setattr(self.panel, "play", self.played.append)
        self.link = PanelLink(self.table, self.panel)

    def tap(self, button: str, seconds: float = 0.1, pause: float = 0.1) -> None:
        """Press for `seconds`, then let `pause` seconds pass."""
        self.panel.press(button)
        self.clock.now += seconds
        self.panel.release(button)
        self.clock.now += pause
        self.panel.tick()
        self.panel.flush()

    def pass_time(self, seconds: float) -> None:
        self.clock.now += seconds

    def twice(self, button: str) -> None:
        """A double press after a while without any."""
        self.pass_time(QUIET_SECONDS + 0.1)
        self.tap(button)
        self.tap(button)

    def read(self, dice: dict[str, list[int]] | None = None) -> None:
        request = self.table.reveal_wanted()
        self.table.take_reading(request.reveal, laid_out(dice or FULL), None)

    @property
    def phase(self) -> str:
        return str(self.table.state().phase)

    @property
    def lines(self) -> tuple[str, ...]:
        self.link.show()
        return self.panel.display.lines

    def close(self) -> None:
        self.disk.free.set()
        self.link.close()
        self.panel.close()
        self.table.close()


@pytest.fixture
def idle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Box]:
    """Nobody plays."""
    box = Box(tmp_path, monkeypatch)
    yield box
    box.close()


@pytest.fixture
def box(idle: Box) -> Box:
    idle.table.do(new_game(COMPANY, starter="Ana"))
    return idle


@pytest.fixture
def bid(box: Box) -> Box:
    box.table.do(commands.MakeBid("Ana", 5, 4))
    box.clock.now += QUIET_SECONDS
    return box


# What is told of the panel itself


def test_what_does_not_work_of_the_panel_is_told_while_it_does_not(box: Box) -> None:
    for sentence in ("A button is not there.", ""):  # a button by USB is pulled out, and comes back
        box.panel.sentence = sentence
        box.panel.when_changed()
        assert in_json(box.table.state())["panel"]["sentence"] == sentence
    assert box.table.state().panel.present


# A press is acknowledged at once, whatever the disk does


def test_a_press_is_acknowledged_while_the_disk_hangs_and_counts_afterwards(bid: Box) -> None:
    bid.link.show()
    assert bid.panel.lit()["dudo"] == 1  # there is a bid to doubt
    bid.disk.free.clear()
    before = bid.clock.now
    bid.panel.pin("dudo").drive_low()
    assert bid.panel.lit()["dudo"] == 0
    assert bid.clock.now == before  # in no time at all by the clock; 50 ms are allowed
    assert bid.disk.writing.wait(60)
    bid.clock.now += 0.1
    bid.panel.pin("dudo").drive_high()
    bid.clock.now += 5 * LONG_PRESS  # the disk takes its time: that is no long press
    bid.disk.free.set()
    bid.panel.flush()
    assert bid.phase == "reading"
    assert in_json(bid.table.state().call) == {"kind": "dudo", "player": "Ben"}


def test_after_the_acknowledgement_the_lamps_show_the_state_of_the_table(bid: Box) -> None:
    bid.tap("dudo", pause=FLASH_TIME)
    bid.link.show()
    assert bid.panel.patterns()["dudo"].value == "blink"


# Double presses


@pytest.mark.parametrize(
    ("steps", "phase"),
    [
        pytest.param("twice", "reading", id="a double press calls once"),
        pytest.param("tap " * 12 + "calza calza", "reading", id="hammering after a call"),
        pytest.param("tap short twice", "bidding", id="a double press at a question"),
        pytest.param("tap wait" + " tap" * 7, "bidding", id="hammering on after a double press"),
        pytest.param("tap" + " wait tap" * 3, "reading", id="single presses"),
        pytest.param("tap read tap tap", "verdict", id="hammering at a new verdict"),
        pytest.param("tap wait tap read tap", "verdict", id="a verdict between the two presses"),
        pytest.param("tap wait tap short count tap", "verdict", id="somebody else's step between the two presses"),
        pytest.param("tap pause twice", "reading", id="in a break"),
        pytest.param("tap read twice", "bidding in round 2", id="after a verdict it only opens the next round"),
    ],
)
def test_only_a_double_press_takes_a_step_back_and_only_one(bid: Box, steps: str, phase: str) -> None:
    hand = {"Ana": FULL["red"], "Ben": FULL["blue"], "Cid": FULL["green"]}
    act = {
        "tap": lambda: bid.tap("dudo"),
        "calza": lambda: bid.tap("calza"),
        "twice": lambda: bid.twice("dudo"),
        "wait": lambda: bid.pass_time(QUIET_SECONDS + 0.1),
        "read": bid.read,
        "short": lambda: bid.read(FULL | {"green": [2, 2]}),
        "count": lambda: bid.table.do(commands.CountByHand(hand)),
        "pause": lambda: bid.table.do(commands.Pause()),
    }
    for step in steps.split():
        act[step]()
    state = bid.table.state()
    if phase == "bidding in round 2":
        assert (state.phase, state.round, state.counting) == ("bidding", 2, None)
    else:
        assert (state.phase, state.bid.count) == (phase, 5)


@pytest.mark.parametrize("button", ["dudo", "calza"])
def test_an_accidental_call_is_taken_back_by_a_double_press(bid: Box, button: str) -> None:
    bid.tap("dudo")
    bid.twice(button)
    state = bid.table.state()
    assert (state.phase, state.redo.kind, state.notice) == ("bidding", "dudo", None)
    assert in_json(state.bid) == {"player": "Ana", "count": 5, "face": 4, "accepted": False}


def test_an_accidental_count_is_taken_back_by_a_double_press(box: Box) -> None:
    box.clock.now += QUIET_SECONDS
    box.tap("dudo", seconds=LONG_PRESS + 0.1)
    box.read()
    assert box.phase == "telling"
    box.twice("calza")
    assert box.phase == "bidding"


def test_a_win_is_not_taken_back_by_hammering(box: Box) -> None:
    box.table.do(new_game(COMPANY[:2], dice={"Ana": 1, "Ben": 1}, starter="Ana", abandon=True))
    box.table.do(commands.MakeBid("Ana", 2, 5))
    box.table.do(commands.CallDudo())
    box.read({"red": [3], "blue": [2]})
    box.twice("dudo")
    assert (box.phase, box.table.state().winner) == ("over", "Ben")


# The dial


def test_the_dial_chooses_shows_and_makes_a_bid(bid: Box) -> None:
    bid.panel.turn(1)
    assert bid.lines == ("[6] x 4", "Ben?", "5 x 4  Ana")
    bid.panel.turn(2)
    bid.tap(DIAL, seconds=LONG_PRESS + 0.1)
    bid.panel.turn(1)
    assert bid.lines == ("5 x [5]", "Ben?", "5 x 4  Ana")
    bid.tap(DIAL)
    state = bid.table.state()
    assert in_json(state.bid) == {"player": "Ben", "count": 5, "face": 5, "accepted": False}
    assert bid.lines == ("5 x 5  Ben", "Cid?")


def test_the_first_push_of_the_dial_shows_its_bid(bid: Box) -> None:
    bid.tap(DIAL)
    assert bid.lines == ("[6] x 4", "Ben?", "5 x 4  Ana")
    assert bid.table.state().turn == "Ben"


def test_a_choice_is_dropped_when_somebody_bids_by_phone(bid: Box) -> None:
    bid.panel.turn(3)
    bid.table.do(commands.MakeBid("Ben", 7, 4))
    assert bid.lines == ("7 x 4  Ben", "Cid?")
    bid.tap(DIAL, pause=QUIET_TIME)
    assert bid.table.state().bid.count == 7


def test_a_question_to_the_players_hides_a_bid_being_chosen(bid: Box) -> None:
    bid.panel.turn(3)
    bid.tap("calza")
    assert bid.phase == "asking"
    assert bid.lines == ("CALZA", "who?")


def test_the_dial_does_nothing_when_nobody_can_bid(bid: Box) -> None:
    bid.tap("dudo")
    bid.panel.turn(2)
    bid.tap(DIAL)
    bid.tap(DIAL, seconds=LONG_PRESS + 0.1)
    assert bid.phase == "reading"
    assert bid.table.state().notice is None


def test_a_refused_bid_is_explained(bid: Box) -> None:
    state = bid.table.do_at_panel(commands.MakeBid("Cid", 6, 4))
    assert state.notice.code == "not-your-turn"
    assert bid.lines == (state.notice.sentence,)


# Display and buzzer


def test_the_reason_of_a_refusal_stays_on_the_display_for_a_while_whatever_the_news(
    idle: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    idle.link.ready(join_lines("10.0.0.7:8000", "0271"))
    idle.tap("dudo")
    assert idle.lines == ("Not now: nobody is playing yet.",)
    monkeypatch.setattr("companion.panel.link.REFUSAL_TIME", 0.05)
    idle.clock.now += 1
    idle.tap("dudo")
    news = itertools.count()

    def gone_after_more_news() -> bool:
        idle.table.set_camera(CameraStatus(ok=True, name=f"camera {next(news)}"))
        return idle.lines == ("10.0.0.7:8000", "code 0271")

    wait_until(gone_after_more_news)


def test_the_status_lamp_breathes_until_the_box_is_ready_and_then_the_display_says_where_to_join(idle: Box) -> None:
    idle.link.starting()
    assert idle.panel.patterns()["status"].value == "pulse"
    idle.link.ready(join_lines("10.0.0.7:8000", "0271"))
    assert idle.panel.patterns()["status"].value == "on"
    assert idle.lines == ("10.0.0.7:8000", "code 0271")
    idle.link.ready(join_lines("10.42.0.1", "0271", ("Perudo-1A2B", "kmnpqrst23")))
    assert idle.lines == ("Wi-Fi Perudo-1A2B", "kmnpqrst23", "10.42.0.1", "code 0271")
    idle.link.ready(join_lines("10.0.0.7:8000", "0271"))
    assert idle.lines == ("10.0.0.7:8000", "code 0271")


def test_the_buzzer_sounds_for_what_happens(bid: Box) -> None:
    bid.played.clear()
    bid.tap("dudo")
    wait_until(lambda: Sound.LOOK in bid.played)
    bid.clock.now += 1
    bid.tap("dudo")
    wait_until(lambda: Sound.REFUSED in bid.played)
    bid.read()
    wait_until(lambda: Sound.JUDGED in bid.played)


def test_a_broken_part_of_the_panel_is_reported(idle: Box) -> None:
    idle.link.close()
    idle.panel.sentence = "The display does not answer."
    idle.link = PanelLink(idle.table, idle.panel)
    panel = idle.table.state().panel
    assert (panel.present, panel.sentence) == (True, "The display does not answer.")


# Both buttons held together


def held(box: Box, seconds: float) -> None:
    box.clock.now += QUIET_SECONDS
    box.panel.press("dudo")
    box.clock.now += 0.2
    box.panel.press("calza")
    box.clock.now += seconds
    box.panel.tick()
    box.panel.flush()


def test_both_buttons_held_void_the_round(bid: Box) -> None:
    before = bid.table.state()
    held(bid, HOLD_TIMES[0] - 0.1)
    assert bid.table.state().phase is not before.phase
    bid.clock.now += 0.1
    bid.panel.tick()
    bid.panel.flush()
    after = bid.table.state()
    assert (after.phase, after.bid, after.voided) == (before.phase, None, True)
    assert after.undo.kind == "void"
    display = bid.panel.display
    wait_until(lambda: Sound.VOID in bid.played and display.lines[:2] == ("round void", "Ana opens"))
    assert bid.played[-1] is Sound.VOID
    bid.table.do(commands.Undo(after.undo.step))
    assert bid.table.state().bid == before.bid


def test_a_round_that_is_judged_is_not_voided_and_the_panel_says_so(bid: Box) -> None:
    bid.table.do(commands.CallDudo())
    bid.table.do(commands.CountByHand({"Ana": [4] * 5, "Ben": [4] * 5, "Cid": [4] * 5}))
    held(bid, HOLD_TIMES[0])
    state = bid.table.state()
    assert state.phase == "verdict"
    assert "the round is judged" in str(state.notice.sentence)


def test_both_buttons_held_long_switch_the_box_off_and_its_lamps_say_so(bid: Box) -> None:
    asked: list[str] = []
    bid.link._switch_off = lambda: asked.append("off")
    stood = bid.table.state().bid
    held(bid, HOLD_TIMES[1] - 0.1)
    assert asked == []
    assert bid.table.state().voided
    bid.clock.now += 0.1
    bid.panel.tick()
    bid.panel.flush()
    assert asked == ["off"]
    assert (bid.table.state().voided, bid.table.state().bid) == (False, stood), "nobody meant the round"
    wait_until(lambda: Sound.OFF in bid.played)  # the sound of the void may come later
    lamps = bid.panel.patterns()
    assert {lamps[name] for name in ("dudo", "calza", "status")} == {SWITCHING_OFF}
    assert bid.panel.display.lines == ("switching off",)


def test_a_box_that_could_not_be_switched_off_says_so_and_goes_on(bid: Box) -> None:
    def refused() -> None:
        raise PowerError("Access denied")

    bid.link._switch_off = refused
    held(bid, HOLD_TIMES[1])
    assert "could not be switched off (Access denied)" in str(bid.table.state().panel.sentence)
    assert bid.panel.patterns()["status"] is not SWITCHING_OFF


def test_without_the_service_nothing_is_switched_off(bid: Box) -> None:
    held(bid, HOLD_TIMES[1])
    assert bid.panel.patterns()["status"] is not SWITCHING_OFF
