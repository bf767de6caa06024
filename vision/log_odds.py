"""Combining probabilities: log odds, and the weighted geometric mean of two distributions."""

from __future__ import annotations

from typing import TypeVar, overload

import numpy as np
import numpy.typing as npt

from calibration.image import Floats

_Real = TypeVar("_Real", bound=np.floating)


def log_odds(p: float) -> float:
    """The log odds of a probability, which is clipped to 0.0001 to 0.9999."""
    p = min(max(p, 1e-4), 1 - 1e-4)
    return float(np.log(p / (1 - p)))


@overload
def probability(z: float) -> float: ...
@overload
def probability(z: npt.NDArray[_Real]) -> npt.NDArray[_Real]: ...
def probability(z: float | npt.NDArray[_Real]) -> float | npt.NDArray[_Real]:
    """The probability of log odds. For a scalar it is a plain float, so that comparisons with it serialise to JSON."""
    if isinstance(z, np.ndarray):
        return np.asarray(1 / (1 + np.exp(-np.clip(z, -30, 30))), z.dtype)
    return float(1 / (1 + np.exp(-min(max(z, -30), 30))))


def geometric_mean(one: Floats, other: Floats, share: float) -> Floats:
    """The weighted geometric mean of two distributions, normalised; `share` is the weight of the first."""
    product = np.power(one + 1e-6, share) * np.power(other + 1e-6, 1 - share)
    return np.asarray(product / product.sum(), dtype=np.float32)
