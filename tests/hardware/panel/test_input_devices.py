"""Devices that are keyboards to Linux: which are there, what they are named by, what is pressed on them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from evdev import ecodes

from hardware.panel.input_devices import InputDevices
from hardware.panel.wiring import Key
from tests.fakes.input_devices import FakeInputDevice, FakeInputFolder

SERIAL = "usb-ABC_Button-event-kbd"


@pytest.fixture
def folder(tmp_path: Path) -> FakeInputFolder:
    return FakeInputFolder(tmp_path / "input")


@pytest.fixture
def button(folder: FakeInputFolder) -> FakeInputDevice:
    return folder.plug(FakeInputDevice(), serial=SERIAL, place="pci-1-event-kbd")


@pytest.fixture
def devices(folder: FakeInputFolder, button: FakeInputDevice) -> Iterator[InputDevices]:
    with closing(opened(folder, {SERIAL})) as devices:
        yield devices


def opened(folder: FakeInputFolder, wanted: set[str] | None) -> InputDevices:
    return InputDevices(wanted, folder=folder.path, open_device=folder.open)


def strokes(devices: InputDevices) -> list[tuple[int, bool]]:
    return [(stroke.code, stroke.down) for stroke in devices.strokes(0)]


# What is pressed


def test_a_key_goes_down_and_up_and_its_repeats_are_nothing(devices: InputDevices, button: FakeInputDevice) -> None:
    button.press(ecodes.KEY_B)
    button.send(ecodes.EV_KEY, ecodes.KEY_B, 2)
    button.send(ecodes.EV_KEY, ecodes.KEY_B, 2)
    button.release(ecodes.KEY_B)
    assert strokes(devices) == [(ecodes.KEY_B, True), (ecodes.KEY_B, False)]
    assert strokes(devices) == []


def test_a_touch_of_a_screen_and_a_movement_are_no_keys(devices: InputDevices, button: FakeInputDevice) -> None:
    button.send(ecodes.EV_KEY, ecodes.BTN_TOUCH, 1)
    button.send(ecodes.EV_REL, ecodes.REL_X, 1)
    assert strokes(devices) == []


def test_a_button_of_a_joystick_is_a_key(devices: InputDevices, button: FakeInputDevice) -> None:
    button.press(ecodes.BTN_TRIGGER)
    (stroke,) = devices.strokes(0)
    assert devices.key_of(stroke) == Key("BTN_TRIGGER", SERIAL)


def test_what_the_kernel_has_thrown_away_is_made_up_for(devices: InputDevices, button: FakeInputDevice) -> None:
    button.press(ecodes.KEY_B)
    assert strokes(devices) == [(ecodes.KEY_B, True)]
    button.down = [ecodes.KEY_C]
    button.send(ecodes.EV_SYN, ecodes.SYN_DROPPED, 0)
    assert strokes(devices) == [(ecodes.KEY_B, False), (ecodes.KEY_C, True)]


# Taking it for the table alone


def test_a_device_types_nowhere_else(devices: InputDevices, button: FakeInputDevice) -> None:
    assert button.grabbed


def test_a_device_is_taken_once_no_key_of_it_is_down_and_that_key_was_no_press(folder: FakeInputFolder) -> None:
    """Whoever types the command has Enter down, which would repeat in the terminal for ever."""
    button = folder.plug(FakeInputDevice(), serial=SERIAL)
    button.down.append(ecodes.KEY_ENTER)
    with closing(opened(folder, {SERIAL})) as devices:
        assert not button.grabbed
        button.send(ecodes.EV_KEY, ecodes.KEY_ENTER, 2)
        button.release(ecodes.KEY_ENTER)
        assert (strokes(devices), button.grabbed) == ([], True)


def test_a_device_that_another_program_has_is_said_and_taken_later(folder: FakeInputFolder) -> None:
    button = folder.plug(FakeInputDevice(), serial=SERIAL)
    button.rival = True
    with closing(opened(folder, {SERIAL})) as devices:
        assert (devices.busy, devices.missing) == (["ABC Button"], [])
        button.rival = False
        assert devices.look()
        assert (devices.busy, button.grabbed) == ([], True)


def test_all_are_given_back_at_the_end(folder: FakeInputFolder, button: FakeInputDevice) -> None:
    opened(folder, {SERIAL}).close()
    assert button.closed


# Which are there


def test_only_the_devices_that_are_wanted_stay_open(folder: FakeInputFolder, button: FakeInputDevice) -> None:
    other = folder.plug(FakeInputDevice("A keyboard"), 1)
    mouse = folder.plug(FakeInputDevice("A mouse", keys=False), 2)
    with closing(opened(folder, {SERIAL, "A mouse"})) as devices:
        assert [plugged.device for plugged in devices.plugged] == [button]
        assert (other.closed, mouse.closed, devices.missing) == (True, True, ["A mouse"])


def test_a_device_that_is_pulled_out_lets_its_keys_go_and_is_missed(
    devices: InputDevices, folder: FakeInputFolder, button: FakeInputDevice
) -> None:
    button.press(ecodes.KEY_B)
    devices.strokes(0)
    folder.pull()
    (stroke,) = devices.strokes(0)
    assert (stroke.code, stroke.down, stroke.lost) == (ecodes.KEY_B, False, True)
    assert (devices.missing, button.closed) == ([SERIAL], True)


def test_a_device_that_comes_back_is_taken_again_at_any_number(devices: InputDevices, folder: FakeInputFolder) -> None:
    folder.pull()
    devices.strokes(0)
    assert not devices.look()
    again = folder.plug(FakeInputDevice(), 7, serial=SERIAL)
    assert devices.look()
    assert (devices.missing, again.grabbed) == ([], True)
    again.press()
    assert strokes(devices) == [(ecodes.KEY_ENTER, True)]


def test_a_device_is_tried_again_once_udev_has_given_it_to_its_group(folder: FakeInputFolder) -> None:
    folder.plug(FakeInputDevice(), serial=SERIAL)
    node = folder.path / "event0"
    folder.shut.add(str(node))
    with closing(opened(folder, {SERIAL})) as devices:
        assert (devices.shut, devices.missing) == ([node], [SERIAL])
        folder.shut.clear()
        node.chmod(0o660)
        assert devices.look()
        assert (devices.shut, devices.missing) == ([], [])


def test_without_the_folder_nothing_is_there(tmp_path: Path) -> None:
    with closing(InputDevices({"x"}, folder=tmp_path / "none", open_device=lambda _: FakeInputDevice())) as devices:
        assert (devices.plugged, devices.missing) == ([], ["x"])


# By which name it is found again


def test_the_makers_serial_number_comes_first(devices: InputDevices) -> None:
    assert devices.name_of(devices.plugged[0]) == SERIAL


def test_of_two_alike_each_is_named_by_its_place(folder: FakeInputFolder, button: FakeInputDevice) -> None:
    """udev gives both the same name by their maker, and it is a matter of luck whose it is after a start."""
    folder.plug(FakeInputDevice(), 1, serial=SERIAL, place="pci-2-event-kbd")
    with closing(opened(folder, None)) as devices:
        assert [devices.name_of(each) for each in devices.plugged] == ["pci-1-event-kbd", "pci-2-event-kbd"]


def test_one_by_bluetooth_is_named_by_its_name_and_of_two_each_by_its_address(folder: FakeInputFolder) -> None:
    folder.plug(FakeInputDevice("AB Shutter3", "aa:bb"))
    with closing(opened(folder, None)) as devices:
        assert devices.name_of(devices.plugged[0]) == "AB Shutter3"
    folder.plug(FakeInputDevice("AB Shutter3", "aa:bb"))
    folder.plug(FakeInputDevice("AB Shutter3", "cc:dd"), 1)
    with closing(opened(folder, None)) as devices:
        assert [devices.name_of(each) for each in devices.plugged] == ["aa:bb", "cc:dd"]


@pytest.mark.parametrize("name", [SERIAL, "pci-1-event-kbd", "ABC Button", "aa:bb"])
def test_a_device_is_found_by_any_of_its_names(folder: FakeInputFolder, name: str) -> None:
    folder.plug(FakeInputDevice(uniq="aa:bb"), serial=SERIAL, place="pci-1-event-kbd")
    with closing(opened(folder, {name})) as devices:
        assert devices.missing == []


def test_of_several_names_of_a_key_it_is_the_usual_one(devices: InputDevices, button: FakeInputDevice) -> None:
    for code in (ecodes.KEY_MUTE, 0x2E8):
        button.press(code)
    mute, unknown = devices.strokes(0)
    assert devices.key_of(mute) == Key("KEY_MUTE", SERIAL)
    assert devices.key_of(unknown) is None
    assert devices.code_of("KEY_MUTE") == ecodes.KEY_MUTE
    assert devices.code_of("EV_KEY") is None
