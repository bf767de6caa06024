"""The clock, the camera and the reader of an evening: nothing waits, and the time spent is measured."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from calibration.image import Image
from companion.evaluation.stage import Stage
from hardware.virtual.virtual_camera import VirtualCamera
from vision.cloth import Ignore
from vision.reader import Reader
from vision.reading import Lab, Reading

READING_SECONDS: Final = 0.9
"""Estimated time of a reading on a Raspberry Pi 4. Everything else that the reader does takes no time."""


class EveningClock:
    """The time of an evening in seconds. Only `sleep` advances it."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        """Advance the time."""
        self.now += seconds


class DrawnCamera(VirtualCamera):
    """The camera over the drawn table. It measures the processor time spent on drawing."""

    def __init__(self, stage: Stage, clock: EveningClock) -> None:
        super().__init__(self._paint, clock, clock.sleep, "drawn table")
        self.spent = 0.0
        """Seconds of processor time."""
        self._stage = stage

    def expose(self, times: float) -> bool:
        """As `companion.camera.supervised_camera.SupervisedCamera.expose`; it takes effect at once."""
        self._stage.exposure = times
        return True

    def _paint(self, at: float) -> Image:
        began = time.process_time()
        image = self._stage.picture(at)
        self.spent += time.process_time() - began
        return image


@dataclass(slots=True)
class MeteredReader:
    """Counts a reader's readings, and lets them take time on the evening's clock."""

    reader: Reader
    clock: EveningClock
    readings: int = 0

    def read(
        self, image: Image, die_width: float | None = None, *, closely: bool = False, ignore: Ignore | None = None
    ) -> Reading:
        """As `Reader.read`."""
        self.readings += 1
        self.clock.sleep(READING_SECONDS)
        return self.reader.read(image, die_width, closely=closely, ignore=ignore)

    def with_palette(self, palette: Mapping[str, Lab]) -> MeteredReader:
        """Like `Reader.with_palette`, but returns this reader, which continues counting."""
        self.reader = self.reader.with_palette(palette)
        return self

    def confirms(self, reading: Reading, before: Image, image: Image) -> bool:
        """As `Reader.confirms`."""
        return self.reader.confirms(reading, before, image)
