"""Pictures as arrays."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
"""height x width x 3, BGR, 0 to 255."""
Grey = npt.NDArray[np.uint8]
"""height x width, 0 to 255."""
Doubles = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
Box = tuple[float, float, float, float]
"""x, y, width, height in pixels."""


def grey_of(image: Image | Grey) -> Grey:
    """The picture in grey, height x width."""
    return np.asarray(image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def jpeg(image: Image | Grey, quality: int) -> bytes:
    """The picture as a JPEG file; `quality` is 0 to 100. Raises `ValueError` if it cannot be encoded."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("the frame cannot be written as a JPEG")
    return data.tobytes()


def shrunk(image: Image | Grey, width: int) -> Image | Grey:
    """The picture scaled down to `width` pixels; a narrower one is returned as it is."""
    height, now = image.shape[:2]
    if now <= width:
        return image
    size = (width, max(1, round(height * width / now)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def halved(image: Image) -> Image:
    """The picture at half its width and height: several times as fast as any other resampling that skips no pixel."""
    height, width = image.shape[0] // 2, image.shape[1] // 2
    even = image[: 2 * height, : 2 * width]
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)
