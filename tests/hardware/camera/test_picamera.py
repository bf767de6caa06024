"""The Pi's own camera over a fake picamera2 that has the names we use. The real one: tests/pi/camera.sh."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from hardware.camera.camera_choice import choose_camera
from hardware.camera.picamera import PiCamera
from hardware.camera.protocol import CameraBusyError, CameraError, small_picture
from hardware.camera.settings import CameraSettings
from tests.fakes.camera import ScriptedCamera
from tests.fakes.picamera2 import EVERYTHING, HDR_MODES, MEASURED, MODES, FakePicamera2, FakeRequest


@pytest.fixture
def picamera2(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[FakePicamera2]]:
    class Fake(FakePicamera2):
        """A class for one test, so that attributes set on it do not last."""

    module = ModuleType("picamera2")
    module.Picamera2 = Fake  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setitem(sys.modules, "libcamera", None)
    return Fake  # type: ignore[return-value]


def test_without_picamera2_the_error_says_where_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match="sudo apt install python3-picamera2"):
        PiCamera()


def test_a_picamera2_that_fails_is_told_and_a_usb_camera_tried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "picamera2.py").write_text("raise ValueError('numpy.dtype size changed')", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    with pytest.raises(CameraError, match=r"Python says: numpy\.dtype size changed"):
        PiCamera()
    other = ScriptedCamera([np.zeros((3, 4, 3), np.uint8)], time.monotonic)
    monkeypatch.setattr("hardware.camera.webcam.Webcam", lambda *_: other)
    assert choose_camera(None, CameraSettings()) is other


def test_a_picamera2_that_is_too_old_is_named_with_the_cure_unless_a_usb_camera_answers(
    picamera2: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Old:
        """picamera2 before 0.3.21."""

    sys.modules["picamera2"].Picamera2 = Old  # type: ignore[attr-defined]
    monkeypatch.setattr("hardware.camera.picamera.version", lambda _: "0.3.19")
    words = r"picamera2, 0\.3\.19, is too old.* 0\.3\.21 .*`sudo apt full-upgrade`"
    with pytest.raises(CameraError, match=words):
        PiCamera()
    with pytest.raises(CameraError, match=words):
        choose_camera(None, CameraSettings())
    other = ScriptedCamera([np.zeros((3, 4, 3), np.uint8)], time.monotonic)
    monkeypatch.setattr("hardware.camera.webcam.Webcam", lambda *_: other)
    assert choose_camera(None, CameraSettings()) is other


def test_a_loose_ribbon_cable_is_reported(picamera2: type[FakePicamera2]) -> None:
    with pytest.raises(CameraError, match="ribbon cable"):
        PiCamera(1)


def test_a_usb_camera_listed_by_libcamera_is_not_a_pi_camera(picamera2: type[FakePicamera2]) -> None:
    picamera2.info = ({"Model": "C920", "Id": "/base/scb/pcie@7d500000/usb@0,0-1.2:1.0-046d:082d"},)
    with pytest.raises(CameraError, match="0 found"):
        PiCamera()


# The configuration


def test_the_whole_sensor_is_seen_in_two_sizes(picamera2: type[FakePicamera2]) -> None:
    with closing(PiCamera()) as camera:
        configuration = FakePicamera2.last.configuration
        assert configuration["sensor"] == {"output_size": (2304, 1296), "bit_depth": 10}
        assert (configuration["main"]["format"], configuration["lores"]["format"]) == ("RGB888", "YUV420")
        assert camera.size == (2304, 1296)
        frame = camera.frame()
        assert frame.image.shape == (1296, 2304, 3)
        assert frame.preview.shape == (360, 640, 3)
        assert ((frame.image == 40).all(), (frame.preview == 90).all()) == (True, True)


def test_a_configured_size_never_leads_to_a_cropped_mode(picamera2: type[FakePicamera2]) -> None:
    with closing(PiCamera(settings=CameraSettings(still=(1536, 864), preview=320))) as camera:
        assert FakePicamera2.last.configuration["sensor"]["output_size"] == (2304, 1296)
        assert camera.size == (1536, 864)
        assert small_picture(camera.frame()).shape == (180, 320, 3)


def test_padding_of_rows_is_cut_off(picamera2: type[FakePicamera2]) -> None:
    picamera2.stride = 64
    with closing(PiCamera()) as camera:
        frame = camera.frame()
        assert (frame.image.shape, frame.preview.shape) == ((1296, 2304, 3), (360, 640, 3))


def test_a_pipeline_of_one_stream_gives_no_preview(picamera2: type[FakePicamera2]) -> None:
    picamera2.one_stream = True
    with closing(PiCamera()) as camera:
        frame = camera.frame()
        assert frame.preview is None
        assert camera.size == (2304, 1296)
        assert small_picture(frame).shape == (360, 640, 3)


def test_no_mode_is_requested_from_a_camera_without_a_colour_filter(picamera2: type[FakePicamera2]) -> None:
    picamera2.properties = {}
    with closing(PiCamera()):
        assert "sensor" not in FakePicamera2.last.configuration


def test_focus_and_flicker_are_fixed_from_the_start(picamera2: type[FakePicamera2]) -> None:
    with closing(PiCamera(settings=CameraSettings(mains=60, focus=0.5))):
        controls = FakePicamera2.last.controls
        assert (controls["AfMode"], controls["LensPosition"]) == (0, 2.0)
        assert (controls["AeFlickerMode"], controls["AeFlickerPeriod"]) == (1, 8333)


def test_the_lens_focuses_no_nearer_than_it_can(picamera2: type[FakePicamera2]) -> None:
    with closing(PiCamera(settings=CameraSettings(focus=0.05))):
        assert FakePicamera2.last.controls["LensPosition"] == 15.0


@pytest.mark.parametrize("controls", [(), ("AfMode",), ("LensPosition", "ExposureTime"), tuple(EVERYTHING)])
def test_only_controls_the_camera_has_are_set(picamera2: type[FakePicamera2], controls: tuple[str, ...]) -> None:
    picamera2.controls_known = {name: EVERYTHING[name] for name in controls}
    with closing(PiCamera()) as camera:
        camera.lock()
        camera.lock({"exposure": 10_000, "gain": 1.0, "red": 1.0, "blue": 1.0, "lens": 1.0, "white_balance": 4000})
        camera.unlock()
        assert set(FakePicamera2.last.controls) <= set(controls)


@pytest.mark.parametrize(("still", "buffers"), [(None, 4), ((4608, 2592), 2)])
def test_pictures_of_twelve_megapixels_have_fewer_buffers(
    picamera2: type[FakePicamera2], still: tuple[int, int] | None, buffers: int
) -> None:
    with closing(PiCamera(settings=CameraSettings(still=still))):
        assert FakePicamera2.last.configuration["buffer_count"] == buffers


def test_white_dice_are_not_clipped_before_anybody_has_calibrated(picamera2: type[FakePicamera2]) -> None:
    with closing(PiCamera()) as camera:
        assert FakePicamera2.last.controls["AeConstraintMode"] == 1
        FakePicamera2.last.controls.clear()
        camera.unlock()
        assert FakePicamera2.last.controls["AeConstraintMode"] == 1


class FakeImx708:
    """A fake of picamera2's class for the sensor of Module 3, which switches its HDR mode."""

    kind: type[FakePicamera2]

    def __init__(self, number: int) -> None:
        assert FakePicamera2.last.history == ["close"], "a camera that is open keeps its modes"

    def __enter__(self) -> FakeImx708:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def set_sensor_hdr_mode(self, enable: bool) -> None:
        self.kind.modes = HDR_MODES if enable else MODES


def hdr_module(monkeypatch: pytest.MonkeyPatch, kind: type[FakePicamera2]) -> None:
    module = ModuleType("picamera2.devices.imx708")
    module.IMX708 = FakeImx708  # type: ignore[attr-defined]
    FakeImx708.kind = kind
    monkeypatch.setitem(sys.modules, "picamera2.devices", ModuleType("picamera2.devices"))
    monkeypatch.setitem(sys.modules, "picamera2.devices.imx708", module)


def test_the_hdr_mode_that_another_program_left_on_is_switched_off(
    picamera2: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    hdr_module(monkeypatch, picamera2)
    picamera2.modes = HDR_MODES
    with closing(PiCamera(settings=CameraSettings(still=(4608, 2592)))) as camera:
        assert camera.size == (4608, 2592)
        assert FakePicamera2.last.configuration["sensor"]["output_size"] == (4608, 2592)
    assert "its HDR mode was on, from another program; it was switched off" in caplog.text


def test_without_hdr_the_sensor_is_left_alone(
    picamera2: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    hdr_module(monkeypatch, picamera2)
    with closing(PiCamera()):
        assert "HDR" not in caplog.text


def test_a_picamera2_that_cannot_switch_hdr_off_gives_pictures_all_the_same(
    picamera2: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "picamera2.devices", None)
    picamera2.modes = HDR_MODES
    with closing(PiCamera()) as camera:
        assert camera.frame().image.shape == (1296, 2304, 3)
    assert "its HDR mode is on and stays on" in caplog.text


# Frames


def test_a_look_copies_the_small_picture_alone(picamera2: type[FakePicamera2]) -> None:
    with closing(PiCamera()) as camera:
        assert camera.looks
        look = camera.look()
        assert FakePicamera2.last.copied == ["lores"]
        assert (look.image.shape, small_picture(look).shape) == ((360, 640, 3), (360, 640, 3))
        camera.frame()
        assert FakePicamera2.last.copied == ["lores", "lores", "main"]


def test_a_pipeline_of_one_stream_has_no_cheap_look(picamera2: type[FakePicamera2]) -> None:
    picamera2.one_stream = True
    with closing(PiCamera()) as camera:
        assert not camera.looks
        assert camera.look().image.shape == (1296, 2304, 3)


def test_it_runs_slowly_when_told_and_stays_so_until_told_otherwise(picamera2: type[FakePicamera2]) -> None:
    with closing(PiCamera()) as camera:
        controls = FakePicamera2.last.controls
        assert controls["FrameDurationLimits"] == (33_333, 66_667)
        camera.set_pace(fast=False)
        assert controls["FrameDurationLimits"] == (250_000, 250_000)
        controls.clear()
        camera.set_pace(fast=False)
        assert controls == {}, "nothing is set again"
        camera.unlock()
        assert controls["FrameDurationLimits"] == (250_000, 250_000), "an unlock does not speed it up"
        camera.set_pace(fast=True)
        assert controls["FrameDurationLimits"] == (33_333, 66_667)


def test_all_pixels_of_the_sensor_come_beside_the_picture_while_they_are_wanted(picamera2: type[FakePicamera2]) -> None:
    with closing(PiCamera()) as camera:
        camera.lock({"exposure": 10_000.0, "gain": 2.0})
        for whole, mode, buffers in ((True, (4608, 2592), 2), (False, (2304, 1296), 4)):
            camera.show_whole(whole)
            camera.show_whole(whole)
            fake = FakePicamera2.last
            assert (fake.configuration["sensor"]["output_size"], fake.configuration["buffer_count"]) == (mode, buffers)
            assert fake.controls["ExposureTime"] == 10_000, "as it was locked"
            frame = camera.frame()
            assert (frame.image.shape, camera.size) == ((1296, 2304, 3), (2304, 1296))
            assert (None if frame.whole is None else frame.whole.shape) == ((2592, 4608, 3) if whole else None)
        assert FakePicamera2.last.history == ["start", "stop", "start", "stop", "start"]


def test_a_camera_without_more_pixels_goes_on_as_it_is(picamera2: type[FakePicamera2]) -> None:
    picamera2.modes = MODES[:2]
    with closing(PiCamera()) as camera:
        camera.show_whole(True)
        assert FakePicamera2.last.history == ["start"]
        assert camera.frame().whole is None


def test_frames_that_never_count_are_no_loose_cable(
    picamera2: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(PiCamera()) as camera:
        FakePicamera2.last.stamps = [time.monotonic() - 1]
        captured = picamera2.captured_request

        def once(self: FakePicamera2, wait: float, flush: object) -> FakeRequest:
            if not self.stamps:
                raise TimeoutError
            return captured(self, wait, flush)

        monkeypatch.setattr(picamera2, "captured_request", once)
        with pytest.raises(CameraError, match="no frame in time"):
            camera.frame()


def test_a_frame_is_exposed_after_the_request_and_after_the_given_moment(picamera2: type[FakePicamera2]) -> None:
    with closing(PiCamera()) as camera:
        now = time.monotonic()
        # Each was exposed for 25 ms before its timestamp.
        FakePicamera2.last.stamps = [now - 1, now + 0.02, now + 100.02, now + 100.03]
        frame = camera.frame(after=now + 100)
        assert frame.at == pytest.approx(now + 100.03)
        assert FakePicamera2.last.flushed == [True] * 4


def test_a_camera_that_does_not_report_its_exposure_is_not_flushed(picamera2: type[FakePicamera2]) -> None:
    picamera2.controls_known, picamera2.metadata = {}, {}
    with closing(PiCamera()) as camera:
        now = time.monotonic()
        FakePicamera2.last.stamps = [now - 1, now + 5]
        assert camera.frame().at == pytest.approx(now + 5)
        assert FakePicamera2.last.flushed == [False] * 2


def test_a_frame_without_a_time_is_refused(picamera2: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.camera.picamera.FRAME_TIMEOUT", 0.02)
    with closing(PiCamera()) as camera:
        monkeypatch.setattr(
            picamera2, "captured_request", lambda self, wait, flush: FakeRequest(self.configuration, dict(MEASURED))
        )
        with pytest.raises(CameraError, match="no frame in time"):
            camera.frame()


def test_a_pi_camera_that_stops_is_reported_and_can_be_closed(picamera2: type[FakePicamera2]) -> None:
    camera = PiCamera()
    picamera2.trouble = TimeoutError()
    with pytest.raises(CameraError, match=r"imx708_wide sends no picture\. Switch the Pi off, check that the ribbon"):
        camera.frame()
    camera.close()
    camera.close()
    assert FakePicamera2.last.history == ["start", "cancel", "close"]
    for ask in (camera.frame, camera.lock, camera.unlock, lambda: camera.lock({"lens": 1.0})):
        with pytest.raises(CameraError, match="closed"):
            ask()


def test_a_pi_camera_that_does_not_start_is_closed_again(picamera2: type[FakePicamera2]) -> None:
    picamera2.trouble = RuntimeError("Device or resource busy")
    with pytest.raises(CameraBusyError, match=r"imx708_wide is used by another program\. Stop that program"):
        PiCamera()
    assert FakePicamera2.last.history == ["close"]


def test_an_unreadable_format_is_reported_at_the_start(picamera2: type[FakePicamera2]) -> None:
    class Odd(picamera2):  # type: ignore[misc, valid-type]
        def camera_configuration(self) -> dict[str, Any]:
            return {"main": {"format": "MJPEG", "size": (640, 480), "stride": 0}}

    sys.modules["picamera2"].Picamera2 = Odd  # type: ignore[attr-defined]
    with pytest.raises(CameraError, match="gives MJPEG"):
        PiCamera()


# Locked values


def test_a_lock_keeps_the_measured_values_in_step_with_the_mains(picamera2: type[FakePicamera2]) -> None:
    with closing(PiCamera()) as camera:
        values = camera.lock()
        assert values == {
            "exposure": 20_000.0,
            "gain": pytest.approx(25_000 * 2.0 * 1.2 / 20_000),
            "red": 2.1,
            "blue": 1.6,
            "lens": 1.3,
        }
        controls = FakePicamera2.last.controls
        assert (controls["AeEnable"], controls["AwbEnable"], controls["AfMode"]) == (False, False, 0)
        assert (controls["ExposureTime"], controls["ColourGains"], controls["LensPosition"]) == (
            20_000,
            (2.1, 1.6),
            1.3,
        )


def test_locked_values_can_be_locked_again_after_a_restart(picamera2: type[FakePicamera2]) -> None:
    with closing(PiCamera()) as camera:
        values = camera.lock()
    with closing(PiCamera()) as camera:
        assert camera.lock(values) == values
        controls = FakePicamera2.last.controls
        assert (controls["ExposureTime"], controls["AnalogueGain"]) == (20_000, pytest.approx(3.0))


def test_locked_values_of_another_kind_of_camera_are_ignored(picamera2: type[FakePicamera2]) -> None:
    with closing(PiCamera()) as camera:
        assert camera.lock({"exposure": 10_000, "white_balance": 4000}) == {}
        assert "ExposureTime" not in FakePicamera2.last.controls


def test_an_unlocked_camera_chooses_everything_but_the_focus(picamera2: type[FakePicamera2]) -> None:
    with closing(PiCamera()) as camera:
        camera.lock()
        camera.unlock()
        controls = FakePicamera2.last.controls
        assert (controls["AeEnable"], controls["AwbEnable"]) == (True, True)
        assert (controls["ExposureTime"], controls["AnalogueGain"], controls["AfMode"]) == (0, 0.0, 0)
