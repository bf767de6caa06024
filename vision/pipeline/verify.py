"""Doubts dice that look like something else by their surroundings: half a domino, a letter tile, a button.

The verifier sees the sure dice, with more round each of them than the classifiers do. It only ever takes certainty
away: it finds no die, changes no face and drops nothing. Things seldom lie among dice, and dice seldom among things, so
what it says of the other dice counts as well. Its doubt is a probability: the number of dice in play may settle it.
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
"""Log odds from which something is plainly a die and not verified, as nearly all dice in a good picture are."""
_MOST_VERIFIED: Final = 16
"""At most this many sure dice, the least likely to be dice, are verified."""
_OWN_RANGE: Final = (-6.0, 6.0)
"""The verifier's log odds of a die itself count for no less and no more."""
_OTHER_RANGE: Final = (-4.0, 6.0)
"""The same for those of another die; a plain one counts for the most."""
_OTHERS_WEIGHT: Final = 2.0
"""Weight of the other dice's mean log odds."""
_UNDECIDED: Final = 1.0
"""So many undecided dice are added to the others, so that one alone says less than many."""
_LEAST_EVIDENCE: Final = 2.1
"""Players are asked about a die with less evidence: the reader's and the verifier's log odds, and the others'."""
_LEAST_THERE: Final = 0.8
"""The probability of being a die that this evidence comes to."""


def verify(dice: Sequence[Die], image: Image, networks: Networks, whole: Whole | None = None) -> tuple[Die, ...]:
    """The dice of a frame, those that the verifier takes for something else uncertain.

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
    """The die with no more certainty than this evidence gives it."""
    there = min(die.there, probability(evidence - _LEAST_EVIDENCE + log_odds(_LEAST_THERE)))
    return replace(die, there=there, confidence=min(die.confidence, UNCERTAIN_BELOW * there / _LEAST_THERE))


def _by_surroundings(looks: npt.NDArray[np.floating], plain: int) -> npt.NDArray[np.floating]:
    """The evidence of each die, by the verifier's log odds of it, of the others and of so many plain dice."""
    others = np.clip(looks, *_OTHER_RANGE)
    among = len(looks) - 1 + plain
    mean = (others.sum() - others + plain * _OTHER_RANGE[1]) / (among + _UNDECIDED)
    return np.asarray(np.clip(looks, *_OWN_RANGE) + _OTHERS_WEIGHT * mean)
