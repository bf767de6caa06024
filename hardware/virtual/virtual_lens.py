"""A virtual lens, which shows flat pictures in space as a camera without distortion would.

Its parameters are known exactly, so the result of a calibration can be compared with them.

Lengths are in millimetres. The camera looks along z; x points to the picture's right and y down.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.protocol import Image

Doubles = npt.NDArray[np.float64]

_DARK: Final = (40, 52, 46)
"""The background, BGR."""


class FlatPicture(NamedTuple):
    """A flat picture in front of the camera."""

    image: Image
    place: Doubles
    """3 x 3, from its pixels (column, row, 1) to points in space."""


def flat_picture(image: Image, mm: float, middle: Sequence[float], turn: Sequence[float]) -> FlatPicture:
    """A picture with its middle at a point, rotated in its plane by the last of `turn`, then tipped about x and y.

    `mm` is the size of a pixel; `turn` is in degrees.
    """
    about_x, about_y, about_z = np.diag(np.radians(turn))
    rotation = cv2.Rodrigues(about_y)[0] @ cv2.Rodrigues(about_x)[0] @ cv2.Rodrigues(about_z)[0]
    height, width = image.shape[:2]
    across, down = rotation[:, 0] * mm, rotation[:, 1] * mm
    corner = np.asarray(middle) - across * (width - 1) / 2 - down * (height - 1) / 2
    return FlatPicture(image, np.column_stack([across, down, corner]))


class VirtualLens:
    """A lens in front of a sensor of `size` (width, height) pixels."""

    def __init__(self, size: tuple[int, int], matrix: Doubles) -> None:
        """`matrix` is OpenCV's camera matrix, in pixels."""
        self.size = size
        self.matrix = matrix

    def see(self, pictures: Sequence[FlatPicture], behind: Image | None = None) -> Image:
        """The camera's picture of `pictures`, the nearest last, in front of `behind`."""
        width, height = self.size
        picture = np.empty((height, width, 3), np.uint8)
        picture[:] = _DARK if behind is None else behind
        for flat in pictures:
            cv2.warpPerspective(
                flat.image, self.matrix @ flat.place, self.size, dst=picture, borderMode=cv2.BORDER_TRANSPARENT
            )
        return picture
