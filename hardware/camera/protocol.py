"""The camera Protocol and its errors.

HardwareError (RuntimeError)      something outside the program did not answer
└── CameraError                   no frame could be had; the table says so and offers to count by hand
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from hardware.camera.settings import PREVIEW_SIZE

Image = npt.NDArray[np.uint8]
"""height x width x 3, BGR, 0 to 255."""


FRAME_TIMEOUT: Final = 1.4
"""Seconds without a frame before a camera counts as gone: with the time between two looks, less than two."""


class HardwareError(RuntimeError):
    """A device did not answer. The message says what to do about it."""

    @property
    def message(self) -> str:
        """The sentence: a `companion.messages.message.Message` where players may see it."""
        return str(self) if not self.args or not isinstance(self.args[0], str) else self.args[0]


class CameraError(HardwareError):
    """No frame could be had from the camera."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture and the moment it was taken."""

    image: Image
    at: float
    """Seconds on the clock of `time.monotonic` when the exposure ended."""
    preview: Image | None = None
    """The same moment, small, where the camera gives both. `small_picture` works for any frame."""


class FrameSizes(NamedTuple):
    """How large a camera's pictures are: (width, height) in pixels, (0, 0) while that is not known."""

    still: tuple[int, int]
    preview: tuple[int, int]

    @classmethod
    def of(cls, width: int, height: int) -> FrameSizes:
        """The sizes of a camera whose previews are made by `small_picture`."""
        longer = max(width, height)
        if longer <= PREVIEW_SIZE:
            return cls((width, height), (width, height))
        return cls(
            (width, height),
            (max(1, round(width * PREVIEW_SIZE / longer)), max(1, round(height * PREVIEW_SIZE / longer))),
        )


UNKNOWN_SIZES: Final = FrameSizes((0, 0), (0, 0))
"""The sizes of a camera that has not answered yet."""


def small_picture(frame: Frame) -> Image:
    """The frame's preview, or its image shrunk to `PREVIEW_SIZE` on the longer side."""
    if frame.preview is not None:
        return frame.preview
    import cv2  # noqa: PLC0415 - whoever only wants to know of an error must not wait for it

    picture = frame.image
    size = FrameSizes.of(picture.shape[1], picture.shape[0]).preview
    while picture.shape[1] >= 2 * size[0] and picture.shape[0] >= 2 * size[1]:  # halving is many times faster
        half = (picture.shape[1] // 2, picture.shape[0] // 2)
        picture = np.asarray(cv2.resize(picture, half, interpolation=cv2.INTER_AREA), np.uint8)
    if picture.shape[1::-1] == size:
        return picture
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


class Camera(Protocol):
    """Anything that gives frames of the table from above."""

    @property
    def name(self) -> str:
        """What to call this camera in a sentence to the players."""

    @property
    def sensor(self) -> bool:
        """Whether its pictures come from a sensor, so that a black or a frozen one is a fault."""

    def frame(self, after: float = 0.0) -> Frame:
        """The next frame exposed after the monotonic time `after`, in seconds.

        Raises `CameraError` when none comes within two seconds.
        """

    @property
    def sizes(self) -> FrameSizes:
        """How large the image and the preview of its frames are."""

    def lock(self, values: Mapping[str, float] | None = None) -> Mapping[str, float]:
        """Hold exposure, gain and white balance: as they are now, or at the `values` that an earlier lock returned.

        Returns what is held, by names of the camera's own; empty where it has nothing to hold. Unknown `values` are
        ignored. Raises `CameraError` when the camera does not answer.
        """

    def unlock(self) -> None:
        """Let the camera choose exposure, gain and white balance again. Raises `CameraError`."""

    def close(self) -> None:
        """Give the device back. Safe to call twice."""


class FixedExposure:
    """The last part of the Protocol for a camera with no exposure or white balance to lock."""

    def lock(self, values: Mapping[str, float] | None = None) -> Mapping[str, float]:  # noqa: ARG002 - the Protocol's
        """Nothing is held."""
        return {}

    def unlock(self) -> None:
        """Nothing was held."""
