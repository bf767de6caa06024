"""Learning which key is which button."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from evdev import ecodes

from companion.panel.learned_keys import learn_keys
from hardware.panel.input_devices import InputDevices
from hardware.panel.wiring import Key
from tests.fakes.clock import FakeClock
from tests.fakes.input_devices import FakeInputDevice, FakeInputFolder

DEVICE = "usb-ABC-event-kbd"
Finger = Callable[[str], None]


@pytest.fixture
def button(tmp_path: Path) -> FakeInputDevice:
    return FakeInputDevice()


@pytest.fixture
def devices(tmp_path: Path, button: FakeInputDevice, monkeypatch: pytest.MonkeyPatch) -> Iterator[InputDevices]:
    """What is not pressed is not waited for."""
    folder = FakeInputFolder(tmp_path / "input")
    folder.plug(button, serial=DEVICE)
    with closing(InputDevices(folder=folder.path, open_device=folder.open)) as devices:
        strokes = devices.strokes
        monkeypatch.setattr(devices, "strokes", lambda left: strokes(0))
        yield devices


def taught(devices: InputDevices, finger: Finger) -> tuple[dict[str, tuple[Key, ...]], list[str]]:
    """What is learned from a finger that hears each line, and the lines."""
    lines: list[str] = []

    def say(line: str) -> None:
        lines.append(line)
        finger(line)

    return learn_keys(devices, say, FakeClock(step=5.0), patience=14.0), lines


def tap(button: FakeInputDevice, *codes: int) -> None:
    for code in codes:
        button.press(code)
    for code in reversed(codes):
        button.release(code)


def test_the_keys_that_are_pressed_are_learned(devices: InputDevices, button: FakeInputDevice) -> None:
    def finger(line: str) -> None:
        if line.startswith("Press "):
            tap(button, ecodes.KEY_B if "DUDO" in line else ecodes.KEY_C)

    keys, lines = taught(devices, finger)
    assert keys == {"dudo": (Key("KEY_B", DEVICE),), "calza": (Key("KEY_C", DEVICE),)}
    assert f"DUDO is KEY_B on {DEVICE}." in lines


def test_a_button_whose_name_breaks_a_line_is_learned_and_felt_by_a_name_that_does_not(tmp_path: Path) -> None:
    folder, name = FakeInputFolder(tmp_path / "odd"), "a\\u2028b"
    button = folder.plug(FakeInputDevice("a\u2028b"))
    for wanted in (None, {name}):
        with closing(InputDevices(wanted, folder=folder.path, open_device=folder.open)) as devices:
            tap(button, ecodes.KEY_B)
            assert devices.key_of(devices.strokes(0)[0]) == Key("KEY_B", name)
            assert devices.missing == []


def test_of_keys_that_a_button_sends_together_the_last_one_is_learned(
    devices: InputDevices, button: FakeInputDevice
) -> None:
    """Two buttons of one presenter may both send a Shift, and that would be both."""

    def finger(line: str) -> None:
        if line.startswith("Press "):
            tap(button, ecodes.KEY_LEFTSHIFT, ecodes.KEY_F5 if "DUDO" in line else ecodes.KEY_B)

    keys, _ = taught(devices, finger)
    assert [key.name for (key,) in keys.values()] == ["KEY_F5", "KEY_B"]


def test_one_key_is_not_both(devices: InputDevices, button: FakeInputDevice) -> None:
    def finger(line: str) -> None:
        if line.startswith("Press the") or "DUDO once" in line:
            tap(button, ecodes.KEY_B)
        elif "That one is DUDO" in line or "CALZA once" in line:
            tap(button, ecodes.KEY_C)

    keys, lines = taught(devices, finger)
    assert [key.name for (key,) in keys.values()] == ["KEY_B", "KEY_C"]
    assert "That one is DUDO. Press another one." in lines


def test_a_key_without_a_name_is_refused(devices: InputDevices, button: FakeInputDevice) -> None:
    def finger(line: str) -> None:
        if line == "Press the button, pedal or key for DUDO.":
            tap(button, 0x2E8)
        elif "no name" in line or "DUDO once" in line:
            tap(button, ecodes.KEY_B)

    keys, _ = taught(devices, finger)
    assert keys == {"dudo": (Key("KEY_B", DEVICE),)}


def test_a_table_may_have_one_button_only(devices: InputDevices, button: FakeInputDevice) -> None:
    def finger(line: str) -> None:
        if "key for DUDO" in line or "DUDO once" in line:
            tap(button, ecodes.KEY_B)

    keys, lines = taught(devices, finger)
    assert (list(keys), lines[-1]) == (["dudo"], "Nothing was pressed for CALZA.")


def test_where_dudo_is_not_pressed_nothing_else_is_asked(devices: InputDevices) -> None:
    keys, lines = taught(devices, lambda line: None)
    assert (keys, lines[1:]) == ({}, ["Nothing was pressed for DUDO."])


def test_learning_that_is_stopped_has_learned_nothing(devices: InputDevices, button: FakeInputDevice) -> None:
    said: list[str] = []

    def finger(line: str) -> None:
        said.append(line)
        if "key for DUDO" in line or "DUDO once" in line:
            tap(button, ecodes.KEY_B)

    stopped = lambda: any("CALZA" in line for line in said)  # noqa: E731
    assert learn_keys(devices, finger, FakeClock(step=5.0), patience=14.0, stopped=stopped) == {}


def test_a_button_that_sends_two_keys_in_turn_is_both(devices: InputDevices, button: FakeInputDevice) -> None:
    """As a presenter's start button does."""
    keys = iter((ecodes.KEY_F5, ecodes.KEY_ESC, ecodes.KEY_F5))
    learned, lines = taught(
        devices, lambda line: None if "Press" not in line or "CALZA" in line else tap(button, next(keys))
    )
    assert learned == {"dudo": (Key("KEY_F5", DEVICE), Key("KEY_ESC", DEVICE))}
    assert f"DUDO is KEY_F5 on {DEVICE} or KEY_ESC on {DEVICE}." in lines


def test_lock_keys_are_no_buttons(devices: InputDevices, button: FakeInputDevice) -> None:
    """A keypad sends Num Lock before and after each key."""

    def finger(line: str) -> None:
        if line.startswith("Press "):
            for code in (ecodes.KEY_NUMLOCK, ecodes.KEY_KP1 if "DUDO" in line else ecodes.KEY_KP2, ecodes.KEY_NUMLOCK):
                tap(button, code)

    learned, _ = taught(devices, finger)
    assert learned == {"dudo": (Key("KEY_KP1", DEVICE),), "calza": (Key("KEY_KP2", DEVICE),)}


def test_a_button_without_a_name_is_learned_by_its_model(tmp_path: Path) -> None:
    folder = FakeInputFolder(tmp_path / "nameless")
    button = folder.plug(FakeInputDevice(""))
    for wanted in (None, {"1234:0001"}):
        with closing(InputDevices(wanted, folder=folder.path, open_device=folder.open)) as devices:
            tap(button, ecodes.KEY_B)
            assert devices.key_of(devices.strokes(0)[0]) == Key("KEY_B", "1234:0001")
            assert devices.missing == []
