"""Confidence limits of a counted share."""

from __future__ import annotations

import math
from statistics import NormalDist


def wilson(right: int, among: int) -> tuple[float, float] | None:
    """Wilson's 95 % interval for the true share of `right` among `among`; None if `among` is 0.

    Edwin B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference, 1927.
    """
    if among <= 0:
        return None
    share, z = right / among, NormalDist().inv_cdf(0.975)
    middle = share + z * z / (2 * among)
    half = z * math.sqrt(share * (1 - share) / among + z * z / (4 * among * among))
    whole = 1 + z * z / among
    return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)


def most_wrong(wrong: int, among: int, certainty: float = 0.95) -> float:
    """The upper limit, at this certainty, of the share of wrong ones if `wrong` of `among` were counted.

    C. J. Clopper and E. S. Pearson, The Use of Confidence or Fiducial Limits, 1934: with any larger share, so few would
    be counted with a probability below 1 - `certainty`. 1 if `among` is 0.
    """
    low, high = wrong / among if among else 1.0, 1.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        so_few = sum(math.comb(among, n) * middle**n * (1 - middle) ** (among - n) for n in range(wrong + 1))
        low, high = (middle, high) if so_few > 1 - certainty else (low, middle)
    return high
