"""How sure a share is that was counted."""

from __future__ import annotations

import math
from statistics import NormalDist


def wilson(right: int, among: int) -> tuple[float, float] | None:
    """Wilson's interval, of 95 %, for the true share of `right` among `among`; None if there are none.

    Edwin B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference, 1927.
    """
    if among <= 0:
        return None
    share, z = right / among, NormalDist().inv_cdf(0.975)
    middle = share + z * z / (2 * among)
    half = z * math.sqrt(share * (1 - share) / among + z * z / (4 * among * among))
    whole = 1 + z * z / among
    return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)
