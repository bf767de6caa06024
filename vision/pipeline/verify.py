"""Doubts dice whose surroundings show something else: half a domino, a letter tile, a button.

The verifier sees the sure dice with more of their surroundings than the classifiers do. It can only make a die less
sure: it finds no die, changes no face and drops nothing. Other objects seldom lie among dice, and dice seldom among
other objects, so its output for the other dice counts as well. Its doubt is a probability: the number of dice in play
may settle it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from calibration.image import Image
from vision.log_odds import log_odds, probability
from vision.models.networks import VERIFIER_CROP, VERIFIER_DIE, Networks
from vision.pipeline.crop import Whole, crop_die
from vision.reading import UNCERTAIN_BELOW, Die

_PLAIN: Final = 6.0
"""Log odds from which something is plainly a die and not verified; in a good picture nearly all dice are."""
_MOST_VERIFIED: Final = 16
"""At most this many sure dice, the least likely to be dice, are verified."""
_OWN_RANGE: Final = (-6.0, 6.0)
"""The verifier's log odds of the die itself are clipped to this range."""
_OTHER_RANGE: Final = (-4.0, 6.0)
"""The same for another die's; a plain die counts as the upper end."""
_OTHERS_WEIGHT: Final = 2.0
"""Weight of the mean log odds of the other dice."""
_UNDECIDED: Final = 1.0
"""This many undecided dice are added to the others, so that one die counts less than many."""
_LEAST_EVIDENCE: Final = 2.1
"""Players are asked about dice with less evidence: the log odds of reader and verifier, and those of the others."""
_LEAST_THERE: Final = 0.8
"""The probability of being a die at this evidence."""


def verify(dice: Sequence[Die], image: Image, networks: Networks, whole: Whole | None = None) -> tuple[Die, ...]:
    """The dice of a frame; those that the verifier takes for something else are uncertain.

    image: the frame in whose pixels the boxes are.
    """
    there = {n: log_odds(die.there) for n, die in enumerate(dice) if not die.uncertain}
    doubtful = sorted((n for n in there if there[n] < _PLAIN), key=lambda n: there[n])[:_MOST_VERIFIED]
    crops = [crop_die(image, dice[n].box, VERIFIER_CROP, VERIFIER_DIE, whole) for n in doubtful]
    looks = np.array(networks.verify(crops))
    plain = sum(each >= _PLAIN for each in there.values())
    evidence = np.array([there[n] for n in doubtful]) + _by_surroundings(looks, plain)
    refuted = {n: each for n, each in zip(doubtful, evidence.tolist(), strict=True) if each < _LEAST_EVIDENCE}
    return tuple(_doubted(die, refuted[n]) if n in refuted else die for n, die in enumerate(dice))


def _doubted(die: Die, evidence: float) -> Die:
    """The die, no surer than this evidence."""
    there = min(die.there, probability(evidence - _LEAST_EVIDENCE + log_odds(_LEAST_THERE)))
    return replace(die, there=there, confidence=min(die.confidence, UNCERTAIN_BELOW * there / _LEAST_THERE))


def _by_surroundings(looks: npt.NDArray[np.floating], plain: int) -> npt.NDArray[np.floating]:
    """The evidence of each die: the verifier's log odds of it, of the others, and of `plain` plain dice."""
    others = np.clip(looks, *_OTHER_RANGE)
    among = len(looks) - 1 + plain
    mean = (others.sum() - others + plain * _OTHER_RANGE[1]) / (among + _UNDECIDED)
    return np.asarray(np.clip(looks, *_OWN_RANGE) + _OTHERS_WEIGHT * mean)
