"""The camera Protocol and its errors.

HardwareError (RuntimeError)      a device did not answer
└── CameraError                   there is no frame; the table says so and offers to count by hand
    ├── CameraBusyError           the camera is there, and somebody holds it
    └── CameraLibraryError        the library that drives it is too old
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from hardware.camera.settings import PREVIEW_SIZE

Image = npt.NDArray[np.uint8]
"""height x width x 3, BGR, 0 to 255."""


FRAME_TIMEOUT: Final = 1.4
"""Seconds without a frame after which a camera counts as failed. With the time between two looks, less than two."""


class HardwareError(RuntimeError):
    """A device did not answer. The message says what to do about it."""

    @property
    def message(self) -> str:
        """The sentence: a `companion.messages.message.Message` if players may see it."""
        return str(self) if not self.args or not isinstance(self.args[0], str) else self.args[0]


class CameraError(HardwareError):
    """The camera gave no frame."""


class CameraBusyError(CameraError):
    """The camera is there, and somebody holds it: another program, or a driver in this one that never returned."""


class CameraLibraryError(CameraError):
    """The library that drives the camera is too old."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture and the moment it was taken."""

    image: Image
    at: float
    """Seconds on the clock of `time.monotonic` when the exposure ended."""
    preview: Image | None = None
    """A smaller picture of the same moment, if the camera gives both. `small_picture` works for any frame."""
    whole: Image | None = None
    """The image with all pixels of the sensor, if it was asked for and has more."""
    noise: bool = False
    """Whether it has a sensor's noise, which makes no two pictures alike; a video's compression takes it away."""


def small_picture(frame: Frame) -> Image:
    """The frame's preview, or its image shrunk to `PREVIEW_SIZE` on the longer side."""
    if frame.preview is not None:
        return frame.preview
    height, width = frame.image.shape[:2]
    longer = max(width, height, PREVIEW_SIZE)
    size = max(1, round(width * PREVIEW_SIZE / longer)), max(1, round(height * PREVIEW_SIZE / longer))
    return shrunk(frame.image, size)


def shrunk(picture: Image, size: tuple[int, int]) -> Image:
    """The picture at another width and height, no larger than it is."""
    import cv2  # noqa: PLC0415 - slow, and not needed for the errors

    while picture.shape[1] >= 2 * size[0] and picture.shape[0] >= 2 * size[1]:  # halving is many times faster
        half = (picture.shape[1] // 2, picture.shape[0] // 2)
        picture = np.asarray(cv2.resize(picture, half, interpolation=cv2.INTER_AREA), np.uint8)
    if picture.shape[1::-1] == size:
        return picture
    # less than twice as large now: linear skips hardly a pixel, and takes an eighth of the time of area
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR), np.uint8)


class Camera(Protocol):
    """Anything that gives frames of the table from above."""

    @property
    def name(self) -> str:
        """The camera's name in a sentence to the players."""

    @property
    def sensor(self) -> bool:
        """Whether its pictures come from a sensor, so that a black or a frozen one is a fault."""

    def frame(self, after: float = 0.0) -> Frame:
        """The next frame exposed after the monotonic time `after`, in seconds.

        Raises `CameraError` when none comes within two seconds.
        """

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of its images in pixels; (0, 0) while they are unknown."""

    def lock(self, values: Mapping[str, float] | None = None) -> Mapping[str, float]:
        """Lock exposure, gain and white balance: as they are now, or at the `values` that an earlier lock returned.

        Returns the locked values by the camera's own names; none if it cannot lock any. Unknown `values` are
        ignored. Raises `CameraError` when the camera does not answer.
        """

    def unlock(self) -> None:
        """Let the camera choose exposure, gain and white balance again. Raises `CameraError`."""

    def close(self) -> None:
        """Give the device back. Safe to call twice."""


@runtime_checkable
class PacedCamera(Camera, Protocol):
    """A camera that can run slowly while nobody waits, and copy its small picture alone."""

    def set_pace(self, fast: bool) -> None:
        """Run as fast as it can, or slowly. Raises `CameraError`."""

    @property
    def looks(self) -> bool:
        """Whether `look` is cheaper than `frame`."""

    @property
    def rests(self) -> bool:
        """Whether it is better closed while nobody needs its frames."""

    def look(self, after: float = 0.0) -> Frame:
        """As `frame`, with the preview for its image."""


@runtime_checkable
class DetailedCamera(Camera, Protocol):
    """A camera that can give more pixels than those of `Frame.image`, at a price."""

    def set_detail(self, whole: bool) -> None:
        """Give `Frame.whole` with each frame, or no longer; the size of the images stays. Raises `CameraError`."""


class FixedExposure:
    """Locks nothing: for a camera without exposure and white balance."""

    looks = rests = False
    """What `companion.camera.reveal` asks of a camera, as `expose` is: no look is cheaper than a frame."""
    asleep = False
    """What `companion.camera.profile_in_use` asks of it."""

    def look(self, after: float = 0.0) -> Frame:
        """Not asked for where `looks` is False."""
        raise NotImplementedError

    def lock(self, values: Mapping[str, float] | None = None) -> Mapping[str, float]:  # noqa: ARG002 - the Protocol's
        """Lock nothing."""
        return {}

    def unlock(self) -> None:
        """Unlock nothing."""

    def show_whole(self, whole: bool) -> None:
        """There are no more pixels: what `companion.camera.reveal` asks of a camera, too."""

    def expose(self, times: float) -> bool:  # noqa: ARG002 - what `companion.camera.reveal` asks of a camera
        """False: the exposure is as it is."""
        return False
