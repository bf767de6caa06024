"""Fits the doubt threshold of one box to what its players said of the dice it read. Pure.

Selective classification with a guaranteed risk (Geifman and El-Yaniv 2017, "Selective classification for deep neural
networks"): a threshold is proven when an exact binomial test (Clopper and Pearson 1934) rejects that more than
`TARGET_SHARE` of the dice not asked about are wrong. The thresholds are tested from the most cautious one down, and the
first that fails ends the search, so that all tests together err no more often than one (fixed-sequence testing, Bauer
1991; Angelopoulos et al. 2021, "Learn then test").

docs/why/decisions/11-own-doubt-threshold.md says what this guarantees, and what it does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, lgamma, log
from typing import Final

from vision.log_odds import log_odds, probability

TARGET_SHARE: Final = 0.005
"""The share of the dice not asked about that may be wrong."""
ERROR_CHANCE: Final = 0.05
"""The probability that a proven threshold still exceeds that share."""
FEWEST_DICE: Final = 200
"""With fewer dice than this the shipped threshold is kept."""

_STEP: Final = 0.5
"""Distance between two thresholds, in log odds."""
_STEPS_DOWN: Final = 3
_STEPS_UP: Final = 5


@dataclass(frozen=True, slots=True)
class DieEvidence:
    """A die that was read, and what the players said."""

    share: float
    """The reader's probability that it is right (`vision.pipeline.confidence.Confidence.share`)."""
    wrong: bool
    """The players corrected it."""
    asked: bool
    """The players were asked about it; a die not asked about counts as right if nobody objected."""


@dataclass(frozen=True, slots=True)
class DoubtThreshold:
    """Players are asked about dice below this probability of being right."""

    ask_below: float
    proven: bool
    """The guarantee holds. If not, there are too few dice, or too many of the surest were wrong."""


def doubt_threshold(dice: Sequence[DieEvidence], shipped: float) -> DoubtThreshold:
    """Return the lowest proven threshold, or `shipped` with fewer than `FEWEST_DICE`.

    A threshold below `shipped` must be proven twice: on all dice not asked about, and on those that only the lower
    threshold would leave unasked, by the players' answers. If none is proven, it is the lowest threshold, from
    `shipped` up, that would have left the fewest wrong dice unasked.
    """
    if len(dice) < FEWEST_DICE:
        return DoubtThreshold(shipped, proven=False)
    up, down = (
        [probability(log_odds(shipped) + way * _STEP * n) for n in range(1, steps + 1)]
        for way, steps in ((1, _STEPS_UP), (-1, _STEPS_DOWN))
    )
    lowest = None
    for threshold in (*reversed(up), shipped, *down):
        sure = [die for die in dice if die.share >= threshold]
        answered = [die for die in sure if die.share < shipped and (die.asked or die.wrong)]
        if not _proves(sure) or (threshold < shipped and not _proves(answered)):
            break
        lowest = threshold
    if lowest is not None:
        return DoubtThreshold(lowest, proven=True)
    return DoubtThreshold(min((shipped, *up), key=lambda t: _wrong(d for d in dice if d.share >= t)), proven=False)


def _wrong(dice: Iterable[DieEvidence]) -> int:
    return sum(die.wrong for die in dice)


def _proves(dice: Sequence[DieEvidence]) -> bool:
    return at_most(_wrong(dice), len(dice), TARGET_SHARE) <= ERROR_CHANCE


def at_most(count: int, trials: int, share: float) -> float:
    """The probability of at most `count` successes in `trials` of probability `share`, which is neither 0 nor 1.

    Clopper and Pearson's upper bound is the share at which this equals the error probability.
    """
    return sum(
        exp(
            lgamma(trials + 1) - lgamma(k + 1) - lgamma(trials - k + 1) + k * log(share) + (trials - k) * log(1 - share)
        )
        for k in range(min(count, trials) + 1)
    )
