"""Pictures as arrays."""

from __future__ import annotations

import numpy as np

from calibration.image import halved


def test_a_picture_of_odd_size_is_halved_without_being_shifted() -> None:
    ramp = np.repeat(np.arange(0, 202, 2, dtype=np.uint8)[None, :, None], 3, axis=2).repeat(7, axis=0)
    half = halved(ramp)
    assert half.shape == (3, 50, 3)
    assert half[1, :, 0].tolist() == list(range(1, 201, 4))
