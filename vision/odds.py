"""How opinions are put together: probabilities as log odds, and the weighted geometric mean of two distributions."""

from __future__ import annotations

import numpy as np

from vision.networks import Floats


def log_odds(p: float) -> float:
    """Of a probability, which is kept a ten-thousandth away from 0 and 1."""
    p = min(max(p, 1e-4), 1 - 1e-4)
    return float(np.log(p / (1 - p)))


def probability(z: float) -> float:
    """Of log odds."""
    return float(1 / (1 + np.exp(-np.clip(z, -30, 30))))


def mixed(one: Floats, other: Floats, share: float) -> Floats:
    """The geometric mean of two distributions, the first with this share of the weight; it sums to 1."""
    product = np.power(one + 1e-6, share) * np.power(other + 1e-6, 1 - share)
    return np.asarray(product / product.sum(), dtype=np.float32)
