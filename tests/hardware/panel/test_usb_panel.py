"""A panel of keys: presses, devices that go and come back, and what is said meanwhile."""

from __future__ import annotations

import errno
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from evdev import InputEvent, ecodes

from hardware.panel import usb_panel
from hardware.panel.debounce import HOLD_TIMES, LONG_PRESS, QUIET_TIME
from hardware.panel.input_devices import InputDevices
from hardware.panel.panel import PanelError
from hardware.panel.usb_panel import UsbPanel
from hardware.panel.wiring import Key
from tests.fakes.clock import FakeClock
from tests.fakes.input_devices import FakeInputDevice, FakeInputFolder
from tests.wait import wait_until

LEFT, RIGHT = "usb-ABC_Left-event-kbd", "usb-ABC_Right-event-kbd"
KEYS = {"dudo": [Key("KEY_ENTER", LEFT)], "calza": [Key("KEY_ENTER", RIGHT)]}
Opened = Callable[..., UsbPanel]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeInputFolder:
    monkeypatch.setattr(usb_panel, "LOOK_EVERY", 0.01)
    return FakeInputFolder(tmp_path / "input")


@pytest.fixture
def left(folder: FakeInputFolder) -> FakeInputDevice:
    return folder.plug(FakeInputDevice("ABC Left"), 0, serial=LEFT)


@pytest.fixture
def right(folder: FakeInputFolder) -> FakeInputDevice:
    return folder.plug(FakeInputDevice("ABC Right"), 1, serial=RIGHT)


@pytest.fixture
def opened(folder: FakeInputFolder, clock: FakeClock) -> Iterator[Opened]:
    panels: list[UsbPanel] = []

    def open_panel(keys: dict[str, list[Key]] = KEYS) -> UsbPanel:
        panels.append(UsbPanel(keys, clock=clock, folder=folder.path, open_device=folder.open))
        return panels[0]

    yield open_panel
    for panel in panels:
        panel.close()


@pytest.fixture
def panel(left: FakeInputDevice, right: FakeInputDevice, opened: Opened) -> UsbPanel:
    return opened()


@pytest.fixture
def felt(panel: UsbPanel) -> list[str]:
    return feel(panel)


def feel(panel: UsbPanel) -> list[str]:
    felt: list[str] = []
    panel.when_pushed = lambda name, push: felt.append(f"{name} {push.name.lower()}")
    return felt


def read(device: FakeInputDevice) -> None:
    """Wait until the panel has read what a device sent."""
    wait_until(lambda: not device.events)


def test_two_devices_are_two_buttons(
    panel: UsbPanel, felt: list[str], left: FakeInputDevice, right: FakeInputDevice
) -> None:
    right.press()
    wait_until(lambda: felt == ["calza down"])
    left.press()
    wait_until(lambda: felt == ["calza down", "dudo down"])
    assert panel.sentence == ""


def test_a_press_whose_release_comes_with_it_counts(panel: UsbPanel, felt: list[str], left: FakeInputDevice) -> None:
    """So do the cheap ones of Bluetooth."""
    left.events.append(InputEvent(0, 0, ecodes.EV_KEY, ecodes.KEY_ENTER, 1))
    left.send(ecodes.EV_KEY, ecodes.KEY_ENTER, 0)
    wait_until(lambda: felt == ["dudo down"])


def test_other_keys_mean_nothing(felt: list[str], left: FakeInputDevice) -> None:
    left.press(ecodes.KEY_B)
    left.press(ecodes.KEY_ENTER)
    wait_until(lambda: felt == ["dudo down"])


def test_hammering_is_one_press_and_a_double_one(felt: list[str], left: FakeInputDevice, clock: FakeClock) -> None:
    left.press()
    wait_until(lambda: felt == ["dudo down"])
    left.release()
    read(left)
    clock.now += QUIET_TIME + 0.01
    left.press()
    wait_until(lambda: felt == ["dudo down", "dudo double"])


def test_a_long_press_is_one(felt: list[str], left: FakeInputDevice, clock: FakeClock) -> None:
    left.press()
    wait_until(lambda: felt == ["dudo down"])
    clock.now += LONG_PRESS + 0.01
    left.release()
    wait_until(lambda: felt == ["dudo down", "dudo long"])


def test_both_are_held_together(
    panel: UsbPanel, felt: list[str], left: FakeInputDevice, right: FakeInputDevice, clock: FakeClock
) -> None:
    left.press()
    right.press()
    wait_until(lambda: len(felt) == 2)
    clock.now += HOLD_TIMES[0]
    panel.tick()
    wait_until(lambda: felt[2:] == ["both held"])


def test_two_keys_may_be_one_button(
    opened: Opened, left: FakeInputDevice, right: FakeInputDevice, clock: FakeClock
) -> None:
    """One at each end of the table."""
    panel = opened({"dudo": [Key("KEY_ENTER", LEFT), Key("KEY_B", RIGHT)]})
    felt = feel(panel)
    left.press()
    wait_until(lambda: felt == ["dudo down"])
    right.press(ecodes.KEY_B)
    read(right)
    left.release()
    read(left)
    clock.now += LONG_PRESS + 0.01
    right.release(ecodes.KEY_B)  # only now is the button up
    wait_until(lambda: felt == ["dudo down", "dudo long"])


# Devices that go and come back


def test_a_device_that_is_pulled_out_is_named_and_goes_on_when_it_is_back(
    panel: UsbPanel, felt: list[str], folder: FakeInputFolder, caplog: pytest.LogCaptureFixture
) -> None:
    changes: list[str] = []
    panel.when_changed = lambda: changes.append(panel.sentence)
    folder.pull(0)
    wait_until(lambda: len(changes) == 1)
    assert changes == [f"The button {LEFT} is not there: plug it in, or switch it on."]
    assert changes[0] in caplog.text
    again = folder.plug(FakeInputDevice("ABC Left"), 5, serial=LEFT)
    wait_until(lambda: changes[1:] == [""])
    again.press()
    wait_until(lambda: felt == ["dudo down"])
    assert "Every button is there again." in caplog.text


def test_a_button_that_is_pulled_out_while_it_is_down_was_pressed_and_no_more(
    panel: UsbPanel, felt: list[str], left: FakeInputDevice, folder: FakeInputFolder, clock: FakeClock
) -> None:
    left.press()
    wait_until(lambda: felt == ["dudo down"])
    clock.now += LONG_PRESS + 0.01
    folder.pull(0)
    wait_until(lambda: panel.sentence)
    clock.now += 1
    panel.tick()
    panel.flush()
    assert felt == ["dudo down"]


def test_a_device_that_is_not_there_at_the_start_is_waited_for(
    opened: Opened, folder: FakeInputFolder, right: FakeInputDevice
) -> None:
    panel = opened()
    assert LEFT in panel.sentence
    felt = feel(panel)
    right.press()  # the other button works meanwhile
    wait_until(lambda: felt == ["calza down"])
    folder.plug(FakeInputDevice("ABC Left"), 0, serial=LEFT)
    wait_until(lambda: panel.sentence == "")


def test_a_device_that_another_has_is_named(opened: Opened, left: FakeInputDevice, right: FakeInputDevice) -> None:
    right.rival = True
    panel = opened()
    assert "(another program has taken ABC Right)" in panel.sentence
    right.rival = False
    wait_until(lambda: panel.sentence == "")


def test_devices_that_are_shut_are_told_by_group(
    opened: Opened, folder: FakeInputFolder, left: FakeInputDevice
) -> None:
    folder.shut.add(str(folder.path / "event0"))
    assert f"({folder.path / 'event0'} may not be read; it takes the group input)" in opened().sentence


@pytest.mark.parametrize("trouble", [OSError(errno.EMFILE, "Too many open files"), RuntimeError("a strange device")])
def test_a_look_that_fails_once_does_not_end_the_buttons(
    panel: UsbPanel,
    felt: list[str],
    left: FakeInputDevice,
    right: FakeInputDevice,
    monkeypatch: pytest.MonkeyPatch,
    trouble: Exception,
) -> None:
    said: list[str] = []
    panel.when_changed = lambda: said.append(panel.sentence)
    look, failed = InputDevices.look, threading.Event()

    def fails(self: InputDevices) -> bool:
        if not failed.is_set():
            failed.set()
            raise trouble
        return look(self)

    monkeypatch.setattr(InputDevices, "look", fails)
    left.press()
    wait_until(failed.is_set)
    right.press()
    wait_until(lambda: felt == ["dudo down", "calza down"])
    wait_until(lambda: panel.sentence == "")
    assert "The buttons cannot be used (they cannot be read:" in said[0]


def test_a_stranger_whose_name_is_not_utf_8_stops_no_button(
    panel: UsbPanel, felt: list[str], folder: FakeInputFolder, left: FakeInputDevice, caplog: pytest.LogCaptureFixture
) -> None:
    folder.plug(FakeInputDevice("Unifying \udcce Mouse"), 2)
    left.press()
    read(left)
    wait_until(lambda: "event2 is left out" in caplog.text)
    wait_until(lambda: felt == ["dudo down"])


# What cannot be used


def test_without_keys_the_command_that_learns_them_is_named(opened: Opened) -> None:
    with pytest.raises(PanelError, match="no key has been learned: `perudo panel --learn`"):
        opened({"dudo": [], "calza": []})


def test_a_key_that_linux_does_not_have_is_named_with_the_nearest(opened: Opened) -> None:
    with pytest.raises(PanelError, match="Linux has no key KEY_ENTRE; is KEY_ENTER meant"):
        opened({"dudo": [Key("KEY_ENTRE", LEFT)]})


def test_without_evdev_the_extra_is_named(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "evdev", None)
    with pytest.raises(PanelError, match="the program's extra `usb` is not installed"):
        opened()


def test_all_pins_are_left_alone_and_the_lamps_do_nothing(panel: UsbPanel) -> None:
    panel.show({})
    assert (panel.wiring.buttons, panel.display, panel.places) == (
        {},
        None,
        {"dudo": f"KEY_ENTER on {LEFT}", "calza": f"KEY_ENTER on {RIGHT}"},
    )


def test_closing_gives_the_devices_back(panel: UsbPanel, left: FakeInputDevice, right: FakeInputDevice) -> None:
    panel.close()
    panel.close()
    assert (left.closed, right.closed) == (True, True)
