"""What may be soldered on besides: lamps of three colours, status lamp, buzzer, dial. And how soon a press is felt.

On gpiozero's own mock pins, by a clock that stands still unless it is told to go on.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.panel.buzzer import Sound
from hardware.panel.debounce import DOUBLE_PRESS, LONG_PRESS, QUIET_TIME, Debounce, Push
from hardware.panel.display import DisplayError
from hardware.panel.lamp_colours import LIGHTS, WHITE
from hardware.panel.lamp_patterns import BLINK_TIME, PULSE_TIME, LampPattern, level
from hardware.panel.lamps import FLASH_TIME
from hardware.panel.panel import Panel
from hardware.panel.wiring import DisplayWiring, Wiring
from hardware.virtual.virtual_panel import VirtualDisplay, VirtualPanel
from tests.fakes.clock import FakeClock

ALL = Wiring(
    coloured=((5, 6, 13), (19, 26, 21)), status=25, buzzer=18, dial=(20, 16, 12), display=DisplayWiring("ssd1306")
)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(9600.05)  # every pattern has just begun anew


@pytest.fixture
def panel(clock: FakeClock) -> Iterator[VirtualPanel]:
    panel = VirtualPanel(ALL, clock=clock)
    yield panel
    panel.close()


# Presses that are long or double


def tap(
    panel: VirtualPanel, clock: FakeClock, button: str = "dudo", seconds: float = 0.08, pause: float = 0.08
) -> None:
    panel.press(button)
    clock.now += seconds
    panel.release(button)
    clock.now += pause


@pytest.fixture
def felt(panel: VirtualPanel) -> list[str]:
    felt: list[str] = []
    panel.when_pushed = lambda name, push: felt.append(f"{name} {push.name.lower()}")
    panel.when_turned = lambda steps: felt.append(f"turned {steps}")
    return felt


def test_the_second_of_two_presses_is_a_double_press_and_no_press_of_its_own(
    panel: VirtualPanel, clock: FakeClock, felt: list[str]
) -> None:
    tap(panel, clock)
    tap(panel, clock)
    assert felt == ["dudo down", "dudo double"]


def test_a_hand_that_hammers_presses_once(panel: VirtualPanel, clock: FakeClock, felt: list[str]) -> None:
    for _ in range(9):
        tap(panel, clock)
    assert felt == ["dudo down", *["dudo double"] * 8]
    clock.now += DOUBLE_PRESS
    tap(panel, clock)
    assert felt[9:] == ["dudo down"]


def test_two_buttons_are_no_double_press(panel: VirtualPanel, clock: FakeClock, felt: list[str]) -> None:
    tap(panel, clock)
    tap(panel, clock, "calza")
    assert felt == ["dudo down", "calza down"]


def test_a_double_press_that_is_held_is_no_long_one(panel: VirtualPanel, clock: FakeClock, felt: list[str]) -> None:
    tap(panel, clock)
    tap(panel, clock, seconds=2 * LONG_PRESS)
    assert felt == ["dudo down", "dudo double"]


def test_bounces_make_no_double_press(panel: VirtualPanel, clock: FakeClock, felt: list[str]) -> None:
    for _ in range(5):
        tap(panel, clock, seconds=0.002, pause=0.003)
    assert felt == ["dudo down"]


def test_a_short_press_is_over_when_its_contact_rests(clock: FakeClock) -> None:
    debounce = Debounce(clock)
    assert (debounce.edge(True), debounce.rest(), debounce.due()) == (Push.DOWN, None, None)
    clock.now += 0.2
    for closed in (False, True, False):  # it bounces as it opens
        assert debounce.edge(closed) is None
        clock.now += 0.004
    assert debounce.rest() is None
    assert debounce.due() == pytest.approx(QUIET_TIME - 0.004)
    clock.now += QUIET_TIME
    assert debounce.due() == 0
    assert (debounce.rest(), debounce.rest(), debounce.due()) == (Push.SHORT, None, None)


# A press is felt at once


def test_a_press_turns_the_buttons_lamp_over_in_the_same_moment(panel: VirtualPanel, clock: FakeClock) -> None:
    pin = panel.lamp_pin("dudo")
    panel.pin("dudo").drive_low()  # the pin only: nothing is waited for
    assert pin.state == 1
    clock.now += FLASH_TIME
    panel.tick()
    assert pin.state == 0


def test_a_lamp_that_is_on_goes_dark_for_a_moment(panel: VirtualPanel, clock: FakeClock) -> None:
    panel.show({"dudo": LampPattern.ON})
    panel.pin("dudo").drive_low()
    assert panel.lamp_pin("dudo").state == 0
    clock.now += FLASH_TIME
    panel.tick()
    assert panel.lamp_pin("dudo").state == 1


def test_a_press_is_acknowledged_and_timed_while_the_one_before_it_is_still_being_told(
    panel: VirtualPanel, clock: FakeClock, felt: list[str]
) -> None:
    stuck = threading.Event()

    def hangs(name: str, push: Push) -> None:
        felt.append(f"{name} {push.name.lower()}")
        stuck.wait(20)

    panel.when_pushed = hangs
    for button in ("dudo", "calza"):
        panel.pin(button).drive_low()
        assert panel.lamp_pin(button).state == 1  # by the clock not a millisecond has passed
        clock.now += FLASH_TIME
        panel.pin(button).drive_high()
    clock.now += 2 * LONG_PRESS  # so long it hangs; neither press was a long one for that
    stuck.set()
    panel.flush()
    assert felt == ["dudo down", "calza down"]


def test_a_lamp_that_cannot_be_lit_takes_no_press_away(
    clock: FakeClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    panel = VirtualPanel(clock=clock)
    pressed: list[tuple[str, Push]] = []
    panel.when_pushed = lambda *what: pressed.append(what)

    def broken() -> None:
        raise OSError("the pin is gone")

    monkeypatch.setattr(panel, "tick", broken)
    panel.press("dudo")
    monkeypatch.undo()
    panel.close()
    assert pressed == [("dudo", Push.DOWN)]
    assert "the lamps could not be set" in caplog.text


def test_a_lamp_that_could_not_be_set_is_set_as_soon_as_it_can_be(
    clock: FakeClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    panel = VirtualPanel(Wiring(buzzer=18), clock=clock)
    lamp = panel._lamps.devices["dudo"]
    fails = threading.Event()

    class Loose:
        """A fake lamp whose pin fails once."""

        @property
        def value(self) -> float:
            if not fails.is_set():
                fails.set()
                raise OSError("the pin is busy")
            return float(lamp.value)

        @value.setter
        def value(self, wanted: float) -> None:
            lamp.value = wanted

    monkeypatch.setitem(panel._lamps.devices, "dudo", Loose())
    panel.show({"dudo": LampPattern.ON})  # nobody says so again
    for _ in range(1000):
        if lamp.value == 1:
            break
        threading.Event().wait(0.005)
    assert lamp.value == 1
    assert "the lamps could not be set" in caplog.text
    fails.clear()
    panel.play(Sound.JUDGED)  # and who plays a sound goes on as well
    panel.close()


def test_a_part_that_does_not_close_keeps_no_lamp_lit(clock: FakeClock, caplog: pytest.LogCaptureFixture) -> None:
    panel = VirtualPanel(ALL, clock=clock)
    panel.show({"dudo": LampPattern.ON})
    pin = panel.lamp_pin("dudo")

    class PulledOut(VirtualDisplay):
        """A fake display that nothing can be said to any more."""

        def close(self) -> None:
            raise RuntimeError("I2C device not found on address: 0x3C")

    panel.display = PulledOut()
    panel.close()
    assert not pin.state
    assert "a part of the panel could not be closed" in caplog.text


# Lamps


def test_a_seats_lamp_shines_in_its_players_colour(panel: VirtualPanel) -> None:
    panel.show({"seat0": LampPattern.ON, "seat1": LampPattern.ON}, ["blue", None])
    assert panel.lit()["seat0"] == pytest.approx(LIGHTS["blue"])
    assert panel.lit()["seat1"] == pytest.approx(WHITE)
    panel.show({}, ["blue", "red"])
    assert panel.lit()["seat0"] == panel.lit()["seat1"] == (0, 0, 0)


def test_lamps_whose_plus_is_common_light_when_low(clock: FakeClock) -> None:
    panel = VirtualPanel(Wiring(coloured=((5, 6, 13),), anode=True), clock=clock)
    red = panel._factory.pin(5)
    assert red.state == 1
    panel.show({"seat0": LampPattern.ON}, ["red"])
    assert red.state == 0
    panel.close()


@pytest.mark.parametrize("lamp", LampPattern)
def test_a_lamp_follows_its_pattern(panel: VirtualPanel, clock: FakeClock, lamp: LampPattern) -> None:
    panel.show({"status": lamp})
    begin = clock.now
    for n in range(60):
        clock.now = begin + n * PULSE_TIME / 60
        panel.tick()
        assert panel.lit()["status"] == pytest.approx(level(lamp, clock.now), abs=1e-9)


def test_the_panel_says_how_long_its_lamps_stay_as_they_are(panel: VirtualPanel) -> None:
    assert panel.tick() is None
    panel.show({"status": LampPattern.BLINK, "dudo": LampPattern.ON})
    assert panel.tick() == pytest.approx(BLINK_TIME - 0.05)


def test_by_itself_a_lamp_blinks() -> None:
    panel = VirtualPanel(ALL)
    try:
        panel.show({"status": LampPattern.FLICKER})
        seen = {panel.lamp_pin("status").state}
        for _ in range(400):
            threading.Event().wait(0.01)
            seen.add(panel.lamp_pin("status").state)
            if len(seen) == 2:
                break
        assert seen == {0, 1}
    finally:
        panel.close()


# The buzzer


def test_a_sound_is_played_tone_by_tone(panel: VirtualPanel, clock: FakeClock) -> None:
    panel.play(Sound.JUDGED)
    heard = []
    for _ in range(6):
        heard.append(round(panel._buzzer.device.tone.frequency) if panel._buzzer.device.tone else 0)
        clock.now += 0.1
        panel.tick()
    assert heard == [440, 550, 660, 660, 0, 0]


def test_a_buzzer_that_could_not_be_stopped_is_stopped_at_the_next_look(
    panel: VirtualPanel, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise OSError("the pin is busy")

    panel.play(Sound.REFUSED)
    with monkeypatch.context() as context, panel._lock:  # the panel's own thread waits meanwhile
        context.setattr(panel._buzzer.device, "stop", broken)
        clock.now += 1
        with pytest.raises(OSError, match="busy"):
            panel.tick()
    panel.tick()
    assert panel._buzzer.device.tone is None


def test_a_buzzer_without_tones_beeps(clock: FakeClock) -> None:
    panel = VirtualPanel(Wiring(buzzer=18, tones=False), clock=clock)
    pin = panel._factory.pin(18)
    panel.pin("dudo").drive_low()
    assert pin.state  # a press ticks at once
    clock.now += 1
    panel.tick()
    assert not pin.state
    panel.close()


def test_without_a_buzzer_a_sound_is_nothing(clock: FakeClock) -> None:
    panel = VirtualPanel(clock=clock)
    panel.play(Sound.WON)
    panel.close()


# The dial


def test_the_dial_is_turned_both_ways(panel: VirtualPanel, felt: list[str]) -> None:
    panel.turn(2)
    panel.turn(-1)
    assert felt == ["turned 1", "turned 1", "turned -1"]


def test_a_short_push_of_the_dial_counts_once_it_is_over(
    panel: VirtualPanel, clock: FakeClock, felt: list[str]
) -> None:
    panel.press("dial")
    clock.now += 0.2
    panel.tick()
    panel.flush()
    assert felt == ["dial down"]
    panel.release("dial")
    clock.now += QUIET_TIME
    panel.tick()
    panel.flush()
    assert felt == ["dial down", "dial short"]


def test_a_long_push_of_the_dial_is_no_short_one(panel: VirtualPanel, clock: FakeClock, felt: list[str]) -> None:
    panel.press("dial")
    clock.now += LONG_PRESS + 0.01
    panel.release("dial")
    clock.now += 1
    panel.tick()
    panel.flush()
    assert felt == ["dial down", "dial long"]


def test_a_panel_without_a_dial_has_none_to_turn(clock: FakeClock) -> None:
    panel = VirtualPanel(clock=clock)
    with pytest.raises(ValueError, match="no dial"):
        panel.turn(1)
    panel.close()


# The display


def test_the_virtual_panel_has_a_virtual_display(panel: VirtualPanel) -> None:
    assert isinstance(panel.display, VirtualDisplay)
    assert panel.sentence == ""


def test_a_display_that_does_not_answer_is_said_and_the_rest_of_the_panel_works(
    clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object) -> None:
        raise DisplayError("There is no display.")

    monkeypatch.setattr("hardware.panel.luma_display.open_display", none)
    panel = Panel(ALL, clock=clock, factory=MockFactory(pin_class=MockPWMPin))
    assert (panel.display, panel.sentence) == (None, "There is no display.")
    panel.show({"dudo": LampPattern.ON})
    assert panel._lamps.devices["dudo"].value == 1
    panel.close()


def test_all_parts_leave_the_real_pins_alone_and_are_given_back(clock: FakeClock) -> None:
    before = Device.pin_factory
    factory = MockFactory(pin_class=MockPWMPin)
    wiring = Wiring(coloured=ALL.coloured, status=25, buzzer=18, dial=(20, 16, 12))
    for _ in range(2):
        panel = Panel(wiring, clock=clock, factory=factory)
        panel.show({"seat0": LampPattern.PULSE})
        panel.close()
    assert Device.pin_factory is before
