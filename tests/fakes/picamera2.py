"""Fakes of picamera2's class: one that works, and one over a module that hangs."""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

MODES = [
    {"size": (1536, 864), "bit_depth": 10, "crop_limits": (768, 432, 3072, 1728)},
    {"size": (2304, 1296), "bit_depth": 10, "crop_limits": (0, 0, 4608, 2592)},
    {"size": (4608, 2592), "bit_depth": 10, "crop_limits": (0, 0, 4608, 2592)},
]

HDR_MODES = MODES[1:2]
"""Those of a Module 3 in its HDR mode, as far as is known."""

EVERYTHING: Mapping[str, tuple[Any, Any, Any]] = {
    "AeConstraintMode": (0, 3, 0),
    "AeEnable": (False, True, None),
    "AeFlickerMode": (0, 1, 0),
    "AeFlickerPeriod": (100, 1_000_000, None),
    "AfMode": (0, 2, 0),
    "AnalogueGain": (1.0, 16.0, None),
    "AwbEnable": (False, True, None),
    "ColourGains": (0.0, 32.0, None),
    "ExposureTime": (26, 220_417_486, None),
    "FrameDurationLimits": (17_849, 220_535_845, None),
    "LensPosition": (0.0, 15.0, 1.0),
}
"""The controls of a Module 3, as (least, most, default)."""

MEASURED = {
    "ExposureTime": 25_000,
    "AnalogueGain": 2.0,
    "DigitalGain": 1.2,
    "ColourGains": (2.1, 1.6),
    "LensPosition": 1.3,
}


class FakePicamera2:
    """A fake of picamera2's class. It gives a frame at once, exposed `late` seconds after the request."""

    controls_known: Mapping[str, tuple[Any, Any, Any]] = EVERYTHING
    properties: Mapping[str, object] = {"ColorFilterArrangement": 0}
    info: tuple[dict[str, str], ...] = ({"Model": "imx708_wide", "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a"},)
    metadata: Mapping[str, object] = MEASURED
    stride = 0
    trouble: Exception | None = None
    one_stream = False
    last: FakePicamera2
    modes: ClassVar = MODES

    def __init__(self, number: int) -> None:
        self.number = number
        self.camera_controls = self.controls_known
        self.camera_properties = self.properties
        self.sensor_modes = self.modes
        self.controls: dict[str, Any] = {}
        self.history: list[str] = []
        self.flushed: list[object] = []
        self.copied: list[str] = []
        """The streams of which a picture was taken."""
        self.stamps: list[float] = []
        """When frames ended, in monotonic seconds; with none left, after the call."""
        FakePicamera2.last = self

    @classmethod
    def global_camera_info(cls) -> list[dict[str, str]]:
        return list(cls.info)

    def create_video_configuration(self, **options: object) -> dict[str, Any]:
        return dict(options)

    def configure(self, configuration: dict[str, Any]) -> None:
        if self.one_stream and "lores" in configuration:
            raise RuntimeError("Invalid camera configuration")
        self.configuration = configuration
        self.controls.clear()  # a configuration begins with its own
        for stream in ("main", "lores"):
            if configuration.get(stream):
                stream_configuration = configuration[stream]
                width = stream_configuration["size"][0] * (3 if stream_configuration["format"] == "RGB888" else 1)
                stream_configuration["stride"] = width + self.stride

    def camera_configuration(self) -> dict[str, Any]:
        return self.configuration

    def set_controls(self, controls: Mapping[str, Any]) -> None:
        self.controls |= controls

    def start(self) -> None:
        if self.trouble is not None:
            raise self.trouble
        self.history.append("start")

    def stop(self) -> None:
        self.history.append("stop")

    def captured_request(self, wait: float, flush: object) -> FakeRequest:
        if self.trouble is not None:
            raise self.trouble
        self.flushed.append(flush)
        ended = self.stamps.pop(0) if self.stamps else time.monotonic() + 0.1
        metadata = {**self.metadata, "SensorTimestamp": round(ended * 1e9)}
        if limits := self.controls.get("FrameDurationLimits"):
            metadata["FrameDuration"] = limits[0]
        return FakeRequest(self.configuration, metadata, self.copied)

    def cancel_all_and_flush(self) -> None:
        self.history.append("cancel")

    def close(self) -> None:
        self.history.append("close")


class FakeRequest:
    """A fake of a completed request: grey, brighter in the small stream."""

    def __init__(
        self, configuration: dict[str, Any], metadata: dict[str, object], copied: list[str] | None = None
    ) -> None:
        self.configuration = configuration
        self.copied = [] if copied is None else copied
        self.metadata = metadata

    def __enter__(self) -> FakeRequest:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def make_buffer(self, stream: str) -> npt.NDArray[np.uint8]:
        self.copied.append(stream)
        stream_configuration = self.configuration[stream]
        rows = stream_configuration["size"][1]
        if stream == "main":
            return np.full(rows * stream_configuration["stride"], 40, np.uint8)
        chroma = np.full(rows * stream_configuration["stride"] // 2, 128, np.uint8)
        return np.concatenate([np.full(rows * stream_configuration["stride"], 90, np.uint8), chroma])

    def get_metadata(self) -> dict[str, object]:
        return self.metadata


class HangingPicamera2(FakePicamera2):
    """A fake whose module stops for good once `hangs` is set: no frame comes, and closing it never returns.

    As in picamera2 0.3.38, a camera that cannot be had leaves a pipe open.
    """

    hangs: ClassVar = threading.Event()
    freed: ClassVar = threading.Event()
    """Every call returns."""
    holder: ClassVar[list[str]] = []
    """Who has the camera."""

    def __init__(self, number: int) -> None:
        self.notifyme_r, self.notifyme_w = os.pipe2(os.O_NONBLOCK)
        self.notifymeread = os.fdopen(self.notifyme_r, "rb")
        self.is_open = False
        if self.holder:
            busy = RuntimeError(f"Failed to acquire camera: {os.strerror(errno.EBUSY)}")
            raise RuntimeError("Camera __init__ sequence did not complete.") from busy
        self.holder.append("this program")
        self._held = self.holder  # one closed late frees its own test's camera, not the next test's
        self.is_open = True
        super().__init__(number)

    def captured_request(self, wait: float, flush: object) -> FakeRequest:
        if self.hangs.is_set():
            raise TimeoutError(f"{wait} seconds")
        return super().captured_request(wait, flush)

    def close(self) -> None:
        if self.hangs.is_set():
            self.freed.wait()
        self._held.clear()
        self.notifymeread.close()
        os.close(self.notifyme_w)
        super().close()
