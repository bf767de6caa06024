"""The camera Protocol and its errors.

HardwareError (RuntimeError)      a device did not answer
└── CameraError                   there is no frame; the table says so and offers to count by hand
    ├── CameraBusyError           another program is using the camera
    └── CameraLibraryError        the library that drives it is too old
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from hardware.camera.settings import PREVIEW_SIZE

Image = npt.NDArray[np.uint8]
"""height x width x 3, BGR, 0 to 255."""


FRAME_TIMEOUT: Final = 1.4
"""Seconds without a frame after which a camera counts as failed; with the time between two looks, less than 2 s."""


class HardwareError(RuntimeError):
    """A device did not answer. The message says what to do about it."""

    @property
    def message(self) -> str:
        """The sentence: a `companion.messages.message.Message` if players may see it."""
        return str(self) if not self.args or not isinstance(self.args[0], str) else self.args[0]


class CameraError(HardwareError):
    """The camera gave no frame."""


class CameraBusyError(CameraError):
    """The camera is in use by another program, or by a driver in this one that never returned."""


class CameraLibraryError(CameraError):
    """The library that drives the camera is too old."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture and the moment it was taken."""

    image: Image
    at: float
    """When the exposure ended, in seconds on the clock of `time.monotonic`."""
    preview: Image | None = None
    """A smaller picture of the same moment, if the camera gives one. `small_picture` works for any frame."""
    whole: Image | None = None
    """The image with all pixels of the sensor, if it was requested and has more."""
    noise: bool = False
    """The picture has a sensor's noise, so no two are alike; the compression of a video removes it."""


def small_picture(frame: Frame) -> Image:
    """The frame's preview, or its image shrunk to `PREVIEW_SIZE` on the longer side."""
    if frame.preview is not None:
        return frame.preview
    height, width = frame.image.shape[:2]
    longer = max(width, height, PREVIEW_SIZE)
    size = max(1, round(width * PREVIEW_SIZE / longer)), max(1, round(height * PREVIEW_SIZE / longer))
    return shrunk(frame.image, size)


def shrunk(picture: Image, size: tuple[int, int]) -> Image:
    """The picture scaled down to this width and height, never up."""
    import cv2  # noqa: PLC0415 - slow, and not needed for the errors

    while picture.shape[1] >= 2 * size[0] and picture.shape[0] >= 2 * size[1]:  # halving is many times faster
        half = (picture.shape[1] // 2, picture.shape[0] // 2)
        picture = np.asarray(cv2.resize(picture, half, interpolation=cv2.INTER_AREA), np.uint8)
    if picture.shape[1::-1] == size:
        return picture
    # The picture is now less than twice too large: linear interpolation skips hardly a pixel, eight times faster than
    # area.
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR), np.uint8)


class Camera(Protocol):
    """A camera that gives frames of the table from above."""

    @property
    def name(self) -> str:
        """The camera's name in a sentence to the players."""

    @property
    def sensor(self) -> bool:
        """True if its pictures come from a sensor, so that a black or a frozen one is a fault."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of its images in pixels; (0, 0) until known."""

    @property
    def looks(self) -> bool:
        """True if `look` is cheaper than `frame`."""

    @property
    def rests(self) -> bool:
        """True if the camera should be closed while nobody needs its frames."""

    @property
    def asleep(self) -> bool:
        """True if it is closed because nobody needs its frames."""

    def frame(self, after: float = 0.0) -> Frame:
        """Return the next frame exposed after the monotonic time `after`, in seconds.

        Raises `CameraError` if none comes within two seconds.
        """

    def look(self, after: float = 0.0) -> Frame:
        """Like `frame`, but only the small picture is guaranteed: the image may be the preview."""

    def lock(self, values: Mapping[str, float] | None = None) -> Mapping[str, float]:
        """Lock exposure, gain and white balance, as they are now or at the `values` of an earlier lock.

        Returns the locked values under the camera's own names, empty if it cannot lock any. Unknown `values` are
        ignored. Raises `CameraError` if the camera does not answer.
        """

    def unlock(self) -> None:
        """Make exposure, gain and white balance automatic again. Raises `CameraError`."""

    def expose(self, times: float) -> bool:
        """Expose the next frames `times` as much; 1 ends that. Returns False if the exposure cannot be set."""

    def set_pace(self, fast: bool) -> None:
        """Run as fast as possible, or slowly while nobody waits. Raises `CameraError`."""

    def show_whole(self, whole: bool) -> None:
        """Switch `Frame.whole` on or off; the size of the images stays. Raises `CameraError`."""

    def close(self) -> None:
        """Release the device. Safe to call twice."""


class BaseCamera:
    """For a camera with one pace and one size, without control of exposure and white balance."""

    looks = rests = False

    @property
    def asleep(self) -> bool:
        """As `Camera.asleep`."""
        return False

    def look(self: Camera, after: float = 0.0) -> Frame:
        """The next frame."""
        return self.frame(after)

    def lock(self, values: Mapping[str, float] | None = None) -> Mapping[str, float]:  # noqa: ARG002 - the Protocol's
        """Lock nothing."""
        return {}

    def unlock(self) -> None:
        """Unlock nothing."""

    def expose(self, times: float) -> bool:  # noqa: ARG002 - the Protocol's
        """Return False: the exposure cannot be changed."""
        return False

    def set_pace(self, fast: bool) -> None:
        """Do nothing: there is one pace."""

    def show_whole(self, whole: bool) -> None:
        """Do nothing: there are no more pixels."""
