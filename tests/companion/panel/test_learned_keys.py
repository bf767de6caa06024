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


B, C = [[ecodes.KEY_B]], [[ecodes.KEY_C]]
NUM = [ecodes.KEY_NUMLOCK]


@pytest.mark.parametrize(
    ("presses", "learned", "said"),
    [
        pytest.param(
            {"for DUDO": B, "DUDO once": B, "for CALZA": C, "CALZA once": C},
            {"dudo": "KEY_B", "calza": "KEY_C"},
            f"DUDO is KEY_B on {DEVICE}.",
            id="two keys",
        ),
        pytest.param(
            {"DUDO": [[ecodes.KEY_LEFTSHIFT, ecodes.KEY_F5]], "CALZA": [[ecodes.KEY_LEFTSHIFT, ecodes.KEY_B]]},
            {"dudo": "KEY_F5", "calza": "KEY_B"},
            "",
            id="of keys that a button sends together the last one",
        ),
        pytest.param(
            {"That one": C, "CALZA once": C, "Press the": B, "DUDO once": B},
            {"dudo": "KEY_B", "calza": "KEY_C"},
            "That one is DUDO. Press another one.",
            id="one key is not both",
        ),
        pytest.param(
            {"no name": B, "DUDO once": B, "for DUDO": [[0x2E8]]}, {"dudo": "KEY_B"}, "", id="a key without a name"
        ),
        pytest.param(
            {"for DUDO": B, "DUDO once": B}, {"dudo": "KEY_B"}, "Nothing was pressed for CALZA.", id="one button only"
        ),
        pytest.param({}, {}, "Nothing was pressed for DUDO.", id="nothing"),
        pytest.param(
            {"DUDO": [NUM, [ecodes.KEY_KP1], NUM], "CALZA": [NUM, [ecodes.KEY_KP2], NUM]},
            {"dudo": "KEY_KP1", "calza": "KEY_KP2"},
            "",
            id="a keypad sends Num Lock before and after each key",
        ),
    ],
)
def test_the_keys_that_are_pressed_are_learned(
    devices: InputDevices,
    button: FakeInputDevice,
    presses: dict[str, list[list[int]]],
    learned: dict[str, str],
    said: str,
) -> None:
    """`presses` has what is pressed at the first of these words in a line that asks for it."""

    def finger(line: str) -> None:
        asks = "ress" in line
        for codes in next((taps for words, taps in presses.items() if asks and words in line), ()):
            tap(button, *codes)

    keys, lines = taught(devices, finger)
    assert keys == {name: (Key(key, DEVICE),) for name, key in learned.items()}
    assert said in ("", *lines)
    assert ("Nothing was pressed for CALZA." in lines) is (list(keys) == ["dudo"])


@pytest.mark.parametrize(
    ("reported", "name"),
    [("a\u2028b", "a\\u2028b"), ("", "1234:0001")],
    ids=["a name that breaks a line", "no name: the model"],
)
def test_a_button_is_learned_and_felt_by_a_name_that_can_be_written(tmp_path: Path, reported: str, name: str) -> None:
    folder = FakeInputFolder(tmp_path / "odd")
    button = folder.plug(FakeInputDevice(reported))
    for wanted in (None, {name}):
        with closing(InputDevices(wanted, folder=folder.path, open_device=folder.open)) as devices:
            tap(button, ecodes.KEY_B)
            assert devices.key_of(devices.strokes(0)[0]) == Key("KEY_B", name)
            assert devices.missing == []


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
