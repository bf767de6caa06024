"""Records the seconds around a judged frame as one picture made of small frames, which the page plays."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.image import Image, jpeg, shrunk
from companion.table.state.state import Clip

CLIP_SECONDS: Final = 2.0
"""Seconds before the judged frame, and again after it."""

CLIP_EVERY: Final = 0.2
"""Least time between two frames in seconds."""

CLIP_WIDTH: Final = 400
"""Width of a frame in pixels."""

CLIP_COLUMNS: Final = 5
"""Number of frames in a row of the picture."""

JUDGING_SECONDS: Final = 3.0
"""The longest time from a frame to its verdict, in seconds, for a complete clip. It limits the memory to 9 MB."""

CLIP_QUALITY: Final = 75
"""JPEG quality, 0 to 100."""

FEWEST_FRAMES: Final = 3
"""The least number of frames of a clip."""


@dataclass(frozen=True, slots=True)
class Film:
    """A clip: its JPEG file holds the frames row by row, oldest first."""

    reading: int
    """Number of the reading it belongs to."""
    clip: Clip
    data: bytes


class ClipRecorder:
    """Keeps the latest frames, small, until they become a clip."""

    def __init__(self) -> None:
        self._frames: deque[tuple[float, Image]] = deque(
            maxlen=round((2 * CLIP_SECONDS + JUDGING_SECONDS) / CLIP_EVERY)
        )
        self._judged: tuple[int, float] | None = None

    @property
    def waits(self) -> bool:
        """True if a frame was judged and the frames after it are still to come."""
        return self._judged is not None

    def see(self, image: Image, at: float) -> None:
        """Add a frame taken at `at` monotonic seconds; a smaller one is faster."""
        if not self._frames or at - self._frames[-1][0] >= CLIP_EVERY:
            self._frames.append((at, np.asarray(shrunk(image, CLIP_WIDTH), np.uint8)))

    def judge(self, reading: int, at: float) -> None:
        """Note that the frame taken at `at` was judged in this reading."""
        self._judged = reading, at

    def forget(self) -> None:
        """Drop everything."""
        self._judged = None
        self._frames.clear()

    def film(self, now: float) -> Film | None:
        """Return the clip once its last frame could have been taken, and forget everything; else None."""
        if self._judged is None or now < self._judged[1] + CLIP_SECONDS:
            return None
        reading, judged = self._judged
        frames = [(at, frame) for at, frame in self._frames if abs(at - judged) <= CLIP_SECONDS + CLIP_EVERY / 2]
        self.forget()
        if len(frames) < FEWEST_FRAMES:
            return None
        times = [at for at, _ in frames]
        height, width = frames[-1][1].shape[:2]
        columns, rows = CLIP_COLUMNS, -(-len(frames) // CLIP_COLUMNS)
        sheet = np.zeros((rows * height, columns * width, 3), np.uint8)
        for n, (_, frame) in enumerate(frames):
            if frame.shape[:2] == (height, width):
                y, x = n // columns * height, n % columns * width
                sheet[y : y + height, x : x + width] = frame
        clip = Clip(
            picture=f"/api/v1/pictures/{reading}-clip.jpg",
            frames=len(frames),
            columns=columns,
            width=width,
            height=height,
            judged=min(range(len(times)), key=lambda n: abs(times[n] - judged)),
            seconds=round(times[-1] - times[0], 2),
        )
        return Film(reading, clip, jpeg(sheet, CLIP_QUALITY))
