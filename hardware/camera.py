"""The camera Protocol and its errors.

HardwareError (RuntimeError)      something outside the program did not answer
└── CameraError                   no frame could be had; the table says so and offers to count by hand
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
"""height x width x 3, BGR, 0 to 255."""


class HardwareError(RuntimeError):
    """A part outside the program did not answer. The message says what to do about it."""

    @property
    def message(self) -> str:
        """The sentence as it was given: a `companion.engine.said.Said` where players meet it."""
        return str(self) if not self.args or not isinstance(self.args[0], str) else self.args[0]


class CameraError(HardwareError):
    """No frame could be had from the camera."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture and the moment it was taken."""

    image: Image
    at: float
    """Seconds on the clock of `time.monotonic` when the exposure ended."""


class Camera(Protocol):
    """Anything that gives frames of the table from above."""

    @property
    def name(self) -> str:
        """What to call this camera in a sentence to the players."""

    @property
    def sensor(self) -> bool:
        """Whether a sensor is behind it: then a black picture, or one twice the same, is a fault."""

    def frame(self, after: float = 0.0) -> Frame:
        """The next frame exposed after the monotonic time `after`, in seconds.

        Raises `CameraError` when none comes within two seconds.
        """

    def close(self) -> None:
        """Give the device back. Safe to call twice."""
