"""The panel: presses and lamps, on gpiozero's own mock pins and a fake clock."""

from __future__ import annotations

import pytest
from gpiozero import Device
from gpiozero.exc import BadPinFactory
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.panel.debounce import CLOSE_TIME, HOLD_TIMES, LONG_PRESS, Push
from hardware.panel.lamp_patterns import LampPattern
from hardware.panel.panel import Panel, PanelError
from hardware.panel.wiring import BOTH, Wiring
from hardware.virtual.virtual_panel import VirtualPanel
from tests.fakes.clock import FakeClock


@pytest.fixture
def panel(clock: FakeClock):
    panel = VirtualPanel(clock=clock)
    yield panel
    panel.close()


@pytest.fixture
def presses(panel: VirtualPanel) -> list[str]:
    pressed: list[str] = []
    panel.when_pushed = lambda name, push: pressed.append(name) if push is Push.DOWN else None
    return pressed


@pytest.fixture
def pushes(panel: VirtualPanel) -> list[tuple[str, Push]]:
    pushed: list[tuple[str, Push]] = []
    panel.when_pushed = lambda *what: pushed.append(what)
    return pushed


def test_each_button_has_its_own_presses(panel: VirtualPanel, presses: list[str]) -> None:
    panel.press("calza")
    panel.press("dudo")
    assert presses == ["calza", "dudo"]


def test_a_long_press_is_reported_once_when_its_time_is_over(
    panel: VirtualPanel, pushes: list[tuple[str, Push]], clock: FakeClock
) -> None:
    panel.press("calza")
    clock.now += LONG_PRESS
    for _ in range(3):  # the contact bounces as it opens
        panel.release("calza")
        clock.now += 0.004
        panel.press("calza")
        clock.now += 0.004
    panel.release("calza")
    assert pushes == [("calza", Push.DOWN), ("calza", Push.LONG)]


def test_a_handler_that_raises_stops_nothing(
    panel: VirtualPanel, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(button: str, push: Push) -> None:
        raise RuntimeError("a fault in the program")

    panel.when_pushed = broken
    panel.press("dudo")
    assert "a press of the panel went wrong" in caplog.text
    pushed: list[tuple[str, Push]] = []
    panel.when_pushed = lambda *what: pushed.append(what)
    clock.now += 1
    panel.release("dudo")
    clock.now += 1
    panel.press("dudo")
    assert pushed == [("dudo", Push.LONG), ("dudo", Push.DOWN)]


def test_lamps_light_their_pins(panel: VirtualPanel) -> None:
    panel.show({"dudo": LampPattern.ON, "seat2": LampPattern.ON})
    lit = {name for name in ("dudo", "calza", "seat0", "seat1", "seat2") if panel.lit()[name]}
    assert lit == {"dudo", "seat2"}
    panel.show({"calza": LampPattern.ON})
    lit = {name for name in ("dudo", "calza", "seat0", "seat1", "seat2") if panel.lit()[name]}
    assert lit == {"calza"}


def test_a_blinking_lamp_goes_on_and_can_be_switched_off(panel: VirtualPanel) -> None:
    panel.show({"seat0": LampPattern.BLINK})
    panel.show({"seat0": LampPattern.BLINK})  # setting the same pattern does not restart it
    panel.show({"seat0": LampPattern.OFF})
    assert not panel.lit()["seat0"]


def test_closing_switches_the_lamps_off_and_may_be_done_twice(clock: FakeClock) -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    panel = Panel(clock=clock, factory=factory)
    panel.show({"dudo": LampPattern.ON, "seat0": LampPattern.BLINK})
    assert factory.pin(23).state == 1
    panel.close()
    panel.close()
    assert not factory.pin(23).state


def test_a_virtual_panel_leaves_the_real_pins_alone(clock: FakeClock) -> None:
    before = Device.pin_factory
    VirtualPanel(clock=clock).close()
    assert Device.pin_factory is before


def test_a_real_panel_uses_the_given_pin_factory(clock: FakeClock) -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    panel = Panel(clock=clock, factory=factory)
    pressed: list[str] = []
    panel.when_pushed = lambda name, push: pressed.append(name)
    factory.pin(17).drive_low()
    clock.now += CLOSE_TIME
    panel.tick()
    panel.flush()
    assert pressed == ["dudo"]
    panel.close()


def test_a_glitch_on_the_wire_lights_the_lamp_and_tells_nobody(clock: FakeClock) -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    panel = Panel(clock=clock, factory=factory)
    pressed: list[tuple[str, Push]] = []
    panel.when_pushed = lambda *what: pressed.append(what)
    for _ in range(20):
        factory.pin(17).drive_low()
        assert factory.pin(23).state == 1, "the lamp answers at once"
        clock.now += 0.000_02
        factory.pin(17).drive_high()
        clock.now += 1.0
        panel.tick()
    panel.flush()
    assert pressed == []
    assert factory.pin(23).state == 0
    panel.close()


def test_without_pins_the_error_is_a_sentence(monkeypatch: pytest.MonkeyPatch, clock: FakeClock) -> None:
    def none() -> None:
        raise BadPinFactory("Unable to load any default pin factory!")

    monkeypatch.setattr(Device, "ensure_pin_factory", staticmethod(none))
    with pytest.raises(PanelError, match="Everything can be done from a phone"):
        Panel(clock=clock)


def test_a_pin_used_twice_is_reported_and_nothing_stays_open(clock: FakeClock) -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    with pytest.raises(PanelError):
        Panel(Wiring(buttons={"dudo": 17, "calza": 17}), clock=clock, factory=factory)
    Panel(clock=clock, factory=factory).close()


# Both buttons held together


def wait(panel: VirtualPanel, clock: FakeClock, seconds: float) -> None:
    clock.now += seconds
    panel.tick()
    panel.flush()


def test_both_buttons_held_are_told_of_once_after_each_time(
    panel: VirtualPanel, pushes: list[tuple[str, Push]], clock: FakeClock
) -> None:
    panel.press("dudo")
    clock.now += 0.3
    panel.press("calza")
    wait(panel, clock, HOLD_TIMES[0] - 0.01)
    assert pushes == [("dudo", Push.DOWN), ("calza", Push.DOWN)]
    assert panel.tick() == pytest.approx(0.01)
    wait(panel, clock, 0.01)
    wait(panel, clock, HOLD_TIMES[1] - HOLD_TIMES[0] - 0.01)
    assert pushes[2:] == [(BOTH, Push.HELD)]
    wait(panel, clock, 0.01)
    wait(panel, clock, 60.0)
    panel.release("dudo")
    panel.release("calza")
    assert pushes[2:] == [(BOTH, Push.HELD), (BOTH, Push.HELD_LONG)], "and neither was a long press"


@pytest.mark.parametrize("released", ["dudo", "calza"])
def test_one_held_is_not_both(
    panel: VirtualPanel, pushes: list[tuple[str, Push]], clock: FakeClock, released: str
) -> None:
    panel.press("dudo")
    panel.press("calza")
    wait(panel, clock, HOLD_TIMES[0] - 0.1)
    panel.release(released)
    wait(panel, clock, 60.0)
    assert {name for name, _ in pushes} == {"dudo", "calza"}
    panel.press(released)  # the time begins anew
    wait(panel, clock, HOLD_TIMES[0] - 0.1)
    assert {name for name, _ in pushes} == {"dudo", "calza"}
