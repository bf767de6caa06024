"""A panel with every part: long and double presses, the dial, the display, and parts that fail."""

from __future__ import annotations

import threading
from unittest.mock import Mock

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.panel.buzzer import Sound
from hardware.panel.debounce import DOUBLE_PRESS, LONG_PRESS, QUIET_TIME, Push
from hardware.panel.display import DisplayError
from hardware.panel.lamp_patterns import LampPattern
from hardware.panel.lamps import FLASH_TIME
from hardware.panel.panel import Panel
from hardware.panel.wiring import Wiring
from hardware.virtual.virtual_panel import VirtualDisplay, VirtualPanel
from tests.fakes.clock import FakeClock
from tests.wait import wait_until


def tap(
    panel: VirtualPanel, clock: FakeClock, button: str = "dudo", seconds: float = 0.08, pause: float = 0.08
) -> None:
    panel.press(button)
    clock.now += seconds
    panel.release(button)
    clock.now += pause


def test_hammering_is_one_press(full_panel: VirtualPanel, clock: FakeClock, felt: list[str]) -> None:
    for _ in range(9):
        tap(full_panel, clock)
    assert felt == ["dudo down", *["dudo double"] * 8]
    clock.now += DOUBLE_PRESS
    tap(full_panel, clock)
    assert felt[9:] == ["dudo down"]


def test_two_buttons_are_no_double_press(full_panel: VirtualPanel, clock: FakeClock, felt: list[str]) -> None:
    tap(full_panel, clock)
    tap(full_panel, clock, "calza")
    assert felt == ["dudo down", "calza down"]


def test_a_double_press_that_is_held_is_not_long(full_panel: VirtualPanel, clock: FakeClock, felt: list[str]) -> None:
    tap(full_panel, clock)
    tap(full_panel, clock, seconds=2 * LONG_PRESS)
    assert felt == ["dudo down", "dudo double"]


def test_bounces_make_no_double_press(full_panel: VirtualPanel, clock: FakeClock, felt: list[str]) -> None:
    for _ in range(5):
        tap(full_panel, clock, seconds=0.002, pause=0.003)
    assert felt == ["dudo down"]


def test_a_press_is_acknowledged_and_timed_while_the_one_before_it_is_being_handled(
    full_panel: VirtualPanel, clock: FakeClock, felt: list[str]
) -> None:
    stuck = threading.Event()

    def hangs(name: str, push: Push) -> None:
        felt.append(f"{name} {push.name.lower()}")
        stuck.wait(60)

    full_panel.when_pushed = hangs
    for button in ("dudo", "calza"):
        full_panel.pin(button).drive_low()
        assert full_panel.lit()[button] == 1  # no time has passed by the clock
        clock.now += FLASH_TIME
        full_panel.pin(button).drive_high()
    clock.now += 2 * LONG_PRESS  # the handler hangs that long, which makes neither press a long one
    stuck.set()
    full_panel.flush()
    assert felt == ["dudo down", "calza down"]


def test_a_broken_lamp_loses_no_press(
    clock: FakeClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    panel = VirtualPanel(clock=clock)
    pressed: list[tuple[str, Push]] = []
    panel.when_pushed = lambda *what: pressed.append(what)

    monkeypatch.setattr(panel._lamps, "tick", Mock(side_effect=OSError("the pin is gone")))
    panel.press("dudo")
    monkeypatch.undo()
    panel.close()
    assert pressed == [("dudo", Push.DOWN)]
    assert "the lamps could not be set" in caplog.text


def test_a_lamp_that_failed_is_set_as_soon_as_possible(
    clock: FakeClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    panel = VirtualPanel(Wiring(buzzer=18), clock=clock)
    lamp = panel._lamps.devices["dudo"]
    fails = threading.Event()

    class Loose:
        @property
        def value(self) -> float:
            if not fails.is_set():
                fails.set()
                raise OSError("the pin is busy")
            return float(lamp.value)

        @value.setter
        def value(self, level: float) -> None:
            lamp.value = level

    monkeypatch.setitem(panel._lamps.devices, "dudo", Loose())
    panel.show({"dudo": LampPattern.ON})  # without a new command
    wait_until(lambda: lamp.value == 1)
    assert "the lamps could not be set" in caplog.text
    fails.clear()
    panel.play(Sound.JUDGED)  # playing a sound works too
    panel.close()


def test_all_lamps_go_out_even_if_a_part_does_not_close(clock: FakeClock, caplog: pytest.LogCaptureFixture) -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    panel = Panel(clock=clock, factory=factory)
    panel.show({"dudo": LampPattern.ON})
    assert factory.pin(23).state == 1

    class PulledOut(VirtualDisplay):
        def close(self) -> None:
            raise RuntimeError("I2C device not found on address: 0x3C")

    panel.display = PulledOut()
    panel.close()
    assert not factory.pin(23).state
    assert "a part of the panel could not be closed" in caplog.text


def test_the_dial_is_turned_both_ways(full_panel: VirtualPanel, felt: list[str]) -> None:
    full_panel.turn(2)
    full_panel.turn(-1)
    assert felt == ["turned 1", "turned 1", "turned -1"]


@pytest.mark.parametrize(("seconds", "push"), [(0.2, "dial short"), (LONG_PRESS + 0.01, "dial long")])
def test_a_push_of_the_dial_counts_at_release(
    full_panel: VirtualPanel, clock: FakeClock, felt: list[str], seconds: float, push: str
) -> None:
    full_panel.press("dial")
    clock.now += seconds
    full_panel.tick()
    full_panel.flush()
    assert felt == ["dial down"]
    full_panel.release("dial")
    clock.now += QUIET_TIME
    full_panel.tick()
    full_panel.flush()
    assert felt == ["dial down", push]


def test_a_panel_without_a_dial_cannot_be_turned(clock: FakeClock) -> None:
    panel = VirtualPanel(clock=clock)
    with pytest.raises(ValueError, match="no dial"):
        panel.turn(1)
    panel.close()


def test_the_virtual_panel_has_a_virtual_display(full_panel: VirtualPanel) -> None:
    assert isinstance(full_panel.display, VirtualDisplay)
    assert full_panel.sentence == ""


def test_a_display_that_does_not_answer_is_reported_and_the_rest_of_the_panel_works(
    wiring: Wiring, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "hardware.panel.luma_display.open_display", Mock(side_effect=DisplayError("There is no display."))
    )
    panel = Panel(wiring, clock=clock, factory=MockFactory(pin_class=MockPWMPin))
    assert (panel.display, panel.sentence) == (None, "There is no display.")
    panel.show({"dudo": LampPattern.ON})
    assert panel._lamps.devices["dudo"].value == 1
    panel.close()


def test_all_parts_leave_the_real_pins_alone_and_are_closed(wiring: Wiring, clock: FakeClock) -> None:
    before = Device.pin_factory
    factory = MockFactory(pin_class=MockPWMPin)
    wiring = Wiring(coloured=wiring.coloured, status=25, buzzer=18, dial=(20, 16, 12))
    for _ in range(2):
        panel = Panel(wiring, clock=clock, factory=factory)
        panel.show({"seat0": LampPattern.PULSE})
        panel.close()
    assert Device.pin_factory is before
