"""What `perudo selftest --camera` prints, over a fake picamera2 and over a camera that is none of a Pi."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from click.testing import CliRunner

from companion.box.camera_report import camera_report
from companion.cli import main
from hardware.camera.picamera import PiCamera
from hardware.camera.protocol import CameraError
from tests.fakes.camera import ScriptedCamera
from tests.fakes.clock import FakeClock
from tests.fakes.picamera2 import FakePicamera2


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> type[FakePicamera2]:
    class Fake(FakePicamera2):
        """A class for one test."""

    picamera2 = ModuleType("picamera2")
    picamera2.Picamera2 = Fake  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", picamera2)
    monkeypatch.setitem(sys.modules, "libcamera", None)
    # Whatever else runs on this machine, and however its user has set it up.
    monkeypatch.setattr("companion.box.doctor.machine.page_answers", lambda port: False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return Fake


def test_a_module_is_measured_at_both_paces_and_locked(module: type[FakePicamera2]) -> None:
    module.metadata = {**module.metadata, "SensorTemperature": 41.0, "Lux": 320.0}
    with closing(PiCamera()) as camera:
        figures = dict(camera_report(camera))
        controls = FakePicamera2.last.controls
    assert "4608 x 2592 (10 bits)" in figures["modes"]
    assert figures["size"] == "2304 x 1296, 4 buffers, looks: True"
    assert "AeConstraintMode" in figures["controls"]
    assert figures["fast"].endswith("the sensor says 33333 microseconds")
    assert figures["slow"].endswith("the sensor says 250000 microseconds")
    assert figures["slow after"].startswith("1 frames")
    assert figures["fast again after"].endswith("the sensor says 33333 microseconds")
    assert "ms (median of 20)" in figures["from call to frame, fast"]
    assert "ms, exposed until" in figures["from call to frame, slow"]
    assert "ExposureTime 25000, AnalogueGain 2.0" in figures["exposure"]
    assert figures["light"] == "mean 40 of 255, 0.00 % of the pixels are clipped"
    assert figures["sensor's temperature"] == "41 degrees"
    assert figures["locked"].startswith("exposure 20000.00, gain 3.00")
    assert controls["AeEnable"] is True, "it is left as it was"
    assert controls["FrameDurationLimits"] == (33_333, 66_667)


def test_a_camera_that_tells_little_is_measured_all_the_same(module: type[FakePicamera2]) -> None:
    module.controls_known, module.metadata, module.one_stream = {}, {}, True
    with closing(PiCamera()) as camera:
        figures = dict(camera_report(camera))
    assert figures["exposure"] == "not told"
    assert figures["slow"].endswith("FrameDuration is not told")
    assert figures["locked"] == "nothing"


def test_another_camera_is_measured_by_its_frames() -> None:
    clock = FakeClock(step=0.05)
    bright = np.full((48, 64, 3), 255, np.uint8)
    figures = dict(camera_report(ScriptedCamera([bright], clock), clock))
    assert figures["size"] == "64 x 48"
    assert figures["light"] == "mean 255 of 255, 100.00 % of the pixels are clipped"
    assert "ms" in figures["from call to frame"]


def test_the_command_prints_the_figures_or_why_there_are_none(
    module: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    def chosen(*_: object) -> PiCamera:
        return PiCamera()

    monkeypatch.setattr("hardware.camera.camera_choice.choose_camera", chosen)
    lines = CliRunner().invoke(main, ["selftest", "--camera"])
    assert lines.exit_code == 0, lines.output
    assert "size: 2304 x 1296, 4 buffers, looks: True" in lines.output.splitlines()
    as_json = CliRunner().invoke(main, ["selftest", "--camera", "--json"])
    assert json.loads(as_json.stdout)["camera"] == "Raspberry Pi camera imx708_wide"

    def none(*_: object) -> PiCamera:
        raise CameraError("There is no camera.")

    monkeypatch.setattr("hardware.camera.camera_choice.choose_camera", none)
    without = CliRunner().invoke(main, ["selftest", "--camera"])
    assert (without.exit_code, without.stderr) == (2, "perudo selftest: There is no camera.\n")


def test_a_camera_that_stops_in_the_middle_leaves_what_was_measured(
    module: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stops(self: PiCamera, after: float = 0.0) -> None:
        raise CameraError("It stopped.")

    monkeypatch.setattr("hardware.camera.camera_choice.choose_camera", lambda *_: PiCamera())
    monkeypatch.setattr(PiCamera, "look", stops)
    result = CliRunner().invoke(main, ["selftest", "--camera"])
    assert (result.exit_code, result.stderr) == (1, "perudo selftest: It stopped.\n")
    assert "from call to frame, fast" in result.stdout
