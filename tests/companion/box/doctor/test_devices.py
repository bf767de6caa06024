"""Cameras, pins and device files: fakes, and files that the tests make themselves."""

from __future__ import annotations

import os
import pwd
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.box.doctor import Diagnosis, Severity, devices
from companion.config import PanelConfig
from hardware.camera import camera_choice
from hardware.camera.picamera import PiCamera
from hardware.camera.protocol import CameraError, Frame
from hardware.camera.sensors import SensorMode
from hardware.panel import panel
from hardware.panel.panel import PanelError
from hardware.panel.wiring import Key
from tests.fakes.input_devices import FakeInputDevice, FakeInputFolder

ME = pwd.getpwuid(os.geteuid()).pw_name


class FakePiCamera(PiCamera):
    """A Module 3 that works."""

    size = (1296, 2304)
    level = 120

    def __init__(self) -> None:
        self.name = "Raspberry Pi camera imx708"
        self.modes = (SensorMode((4608, 2592), 10, (0, 0, 4608, 2592)),)

    def frame(self, after: float = 0.0) -> Frame:
        return Frame(np.full((*self.size, 3), self.level, np.uint8), after, np.zeros((360, 640, 3), np.uint8))

    def close(self) -> None:
        pass


class BrokenCamera(FakePiCamera):
    def frame(self, after: float = 0.0) -> Frame:
        raise CameraError("no frames")


def no_camera(name: str) -> PiCamera:
    raise CameraError("It is there but did not start.")


def test_a_camera_in_the_network_is_reported_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_choice, "open_camera", lambda _: FakePiCamera())
    assert devices.camera("http://ana:s3cret@phone/video", box_runs=False).part == "stream"
    monkeypatch.setattr(camera_choice, "open_camera", no_camera)
    assert devices.camera("rtsp://phone", box_runs=True) == Diagnosis(
        "stream", Severity.BAD, "It is there but did not start."
    )


def test_a_working_camera_is_reported_with_its_sizes_and_sensor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_choice, "open_camera", lambda _: FakePiCamera())
    assert devices.camera("pi", box_runs=False) == Diagnosis(
        "pi",
        Severity.GOOD,
        "Raspberry Pi camera imx708: pictures of 2304 x 1296, previews of 640 x 360; its sensor "
        "has 4608 x 2592 (10 bits)",
    )


@pytest.mark.parametrize(
    ("size", "level", "said"), [((360, 640), 120, "too small in the picture"), ((1296, 2304), 12, "too dark")]
)
def test_a_camera_in_whose_pictures_no_dice_can_be_read_is_named(
    monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], level: int, said: str
) -> None:
    camera = FakePiCamera()
    camera.size, camera.level = size, level
    monkeypatch.setattr(camera_choice, "open_camera", lambda _: camera)
    found = devices.camera("pi", box_runs=False)
    assert found.severity is Severity.POOR
    assert said in found.sentence


def test_a_camera_in_use_by_the_running_box_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_choice, "open_camera", no_camera)
    assert "systemctl stop perudo" in devices.camera("pi", box_runs=True).sentence
    alone = devices.camera("pi", box_runs=False)
    assert alone == Diagnosis("pi", Severity.ABSENT, "It is there but did not start.")
    monkeypatch.setattr(camera_choice, "open_camera", lambda _: BrokenCamera())
    assert devices.camera("webcam", box_runs=False) == Diagnosis("webcam", Severity.BAD, "no frames")


def test_the_library_that_reaches_the_pins_and_their_chip_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Pi 5 has the chip as 0 or 4, by its kernel."""
    factory = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(Device, "pin_factory", factory)
    reached = "gpiozero reaches them by MockFactory"
    assert devices.pins(box_runs=False, chip=True) == Diagnosis("pins", Severity.GOOD, reached)
    factory.chip = 4
    assert devices.pins(box_runs=False, chip=True).sentence == f"{reached}, on /dev/gpiochip4"


def test_unreachable_pins_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise PanelError("no pins")

    monkeypatch.setattr(panel, "Panel", none)
    assert devices.pins(box_runs=False, chip=False) == Diagnosis("pins", Severity.ABSENT, "no pins")
    assert "systemctl stop perudo" in devices.pins(box_runs=True, chip=True).sentence
    unreached = devices.pins(box_runs=False, chip=True)
    assert (unreached.severity, "apt install python3-lgpio" in unreached.sentence) == (Severity.POOR, True)


def test_buttons_by_usb_are_named_with_what_is_wrong_with_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = FakeInputFolder(tmp_path)
    monkeypatch.setattr("hardware.panel.input_devices.INPUT_FOLDER", folder.path)
    monkeypatch.setattr("evdev.InputDevice", folder.open)
    assert "perudo panel --learn" in devices.buttons(PanelConfig(input="usb"), box_runs=False).sentence
    config = PanelConfig(input="usb", dudo_keys=(Key("KEY_B", "ABC Button"),))
    missing = devices.buttons(config, box_runs=False)
    assert (missing.severity, "ABC Button is not there" in missing.sentence) == (Severity.POOR, True)
    button = folder.plug(FakeInputDevice())
    assert devices.buttons(config, box_runs=False) == Diagnosis("buttons", Severity.GOOD, "DUDO is KEY_B on ABC Button")
    button.rival = True
    assert "systemctl stop perudo" in devices.buttons(config, box_runs=True).sentence


def test_the_report_goes_on_when_numpy_or_cv2_cannot_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("hardware.camera.camera_choice", "hardware.panel.panel"):
        monkeypatch.setitem(sys.modules, module, None)
    camera = devices.camera("pi", box_runs=False)
    assert (camera.severity, "No camera can be asked for" in camera.sentence) == (Severity.ABSENT, True)
    assert "The pins cannot be asked for" in devices.pins(box_runs=False, chip=False).sentence


# Device files


def test_devices_of_a_group_the_user_is_not_in_are_reported_with_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes = [tmp_path / "gpiochip0", tmp_path / "gpiochip1"]
    usable: set[Path] = set()
    group = {"name": "gpio"}
    monkeypatch.setattr(devices, "may_use", lambda _, device: device in usable)
    monkeypatch.setattr(devices, "group_of", lambda _: group["name"])
    check = devices.access("gpio", nodes, "ana", "none")
    assert check.severity is Severity.POOR
    assert "sudo usermod -aG gpio ana" in check.sentence
    group["name"] = "root"
    assert "usermod" not in devices.access("gpio", nodes, "ana", "none").sentence
    usable |= set(nodes)
    assert devices.access("gpio", nodes, "ana", "none").severity is Severity.GOOD
    assert devices.access("gpio", [], "ana", "there are none") == Diagnosis("gpio", Severity.ABSENT, "there are none")


def test_mode_owner_and_group_decide_whether_a_device_is_usable(tmp_path: Path) -> None:
    owner = "nobody" if os.geteuid() == 0 else ME  # root may use every device
    usable = {}
    for name, mode in (("gpiochip0", 0o600), ("gpiochip1", 0o000), ("gpiochip4", 0o006)):
        device = tmp_path / name
        device.touch()
        shutil.chown(device, owner)
        device.chmod(mode)
        usable[name] = devices.may_use(owner, device)
    assert usable == {"gpiochip0": True, "gpiochip1": False, "gpiochip4": True}


def test_a_device_is_for_its_group_unless_it_is_open_to_all(tmp_path: Path) -> None:
    usable = []
    for name, mode in (("video0", 0o660), ("video1", 0o666)):
        (tmp_path / name).touch()
        (tmp_path / name).chmod(mode)
        usable.append(devices.may_use("nobody", tmp_path / name))
    assert usable == [False, True]
    assert not devices.may_use("no-such-user", tmp_path / "video1")
    assert devices.group_of(tmp_path / "video1") == (tmp_path / "video1").group()
