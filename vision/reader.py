"""A frame in, a reading out: where the dice lie, what each shows, whose colour it is, and how sure that is.

The detectors find the dice (`vision.pipeline.detect`); the classifier then looks at each one alone, from the full
frame, and a second one where it is not sure. Networks that learned apart agree on what is easy: where they differ, the
confidence says so.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Self

import numpy as np

from calibration.palette import COLOURS
from calibration.profile import Profile
from vision.models.networks import Floats, Image, Look, Networks, Spot
from vision.odds import mixed
from vision.pipeline.colours import Lab, body_colour, weigh_others, weigh_palette
from vision.pipeline.confidence import Confidence, features
from vision.pipeline.detect import find
from vision.pipeline.neighbours import Company, company
from vision.pipeline.rectify import Straightener
from vision.pipeline.second_look import careful_looks
from vision.pipeline.tiles import Sight
from vision.reading import UNCERTAIN_BELOW, Die, Reading

_FACE_BY_DETECTORS: Final = 0.3
"""How much of a face the detectors say; the rest is the classifiers' word."""
_COLOUR_BY_DETECTORS: Final = 0.3
"""The same of a colour."""
_SIZES: Final = 2
"""A camera's frames are of one size or two; the maps of more of them are not kept."""
_TOO_SMALL: Final = 10.0
"""Of a die that is narrower than this, in pixels, no face can be read for sure: it is asked about."""
_CUT_OFF: Final = 0.42
"""A die whose middle lies nearer to the frame's edge than this, in die widths, is cut off by it: it is asked about."""


class FrameError(ValueError):
    """What was given cannot be read as a frame."""


class Reader:
    """Reads frames. Not for two threads at once."""

    def __init__(self, networks: Networks, confidence: Confidence, profile: Profile | None = None) -> None:
        self._networks = networks
        self._confidence = confidence
        self._profile = profile
        self._straighteners: dict[tuple[int, int], Straightener | None] = {}

    @classmethod
    def load(cls, profile: Profile | None = None) -> Self:
        """A reader with the weights that came with the program. Raises `vision.models.networks.ModelError`.

        profile: what calibration found, if there was one: frames are straightened by its lens and table, and its
        palette says whose a die is.
        """
        return cls(Networks(), Confidence.load(), profile)

    def under(self, profile: Profile | None) -> Reader:
        """A reader by another profile, or by none, with the same networks: it stands in this one's place."""
        return Reader(self._networks, self._confidence, profile)

    def read(self, image: Image) -> Reading:
        """Read one frame: height x width x 3, BGR, 8 bit. Any size; dice 20 to 200 pixels wide are read best.

        Raises `FrameError` for anything else, and `vision.pipeline.rectify.StraightenError` when the profile is of a
        camera that takes no frames of this shape.
        """
        if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8 or not image.size:
            what = f"{' x '.join(map(str, image.shape))} of {image.dtype}"
            raise FrameError(f"a frame is height x width x 3 of 8 bits, blue, green and red; this is {what}")
        begin = time.perf_counter()
        height, width = image.shape[:2]
        straightener = self._straightener(width, height)
        seen = straightener.frame(image) if straightener else image
        dice = tuple(die for die, row in self.opinions(seen) if self._confidence.is_die(row))
        if straightener:
            dice = tuple(replace(die, box=straightener.box_back(die.box)) for die in dice)
        dice = tuple(_asked_about(die) if _cut_off(die, width, height) or _too_small(die) else die for die in dice)
        return Reading(dice, width, height, (time.perf_counter() - begin) * 1000)

    def opinions(self, image: Image) -> list[tuple[Die, Floats]]:
        """Everything that may be a die, with the features its confidence is made of
        (`vision.pipeline.confidence.NAMES`).
        """
        sight = Sight(image, self._networks)
        spots = find(sight)
        looks = careful_looks(sight, spots)
        bodies = [body_colour(sight.crop(spot)) for spot in spots]
        colours = self._colours(spots, looks, bodies)
        return [self._judge(*seen) for seen in zip(spots, looks, colours, company(spots, looks, bodies), strict=True)]

    def _straightener(self, width: int, height: int) -> Straightener | None:
        if self._profile is None:
            return None
        if (width, height) not in self._straighteners:
            if len(self._straighteners) >= _SIZES:
                del self._straighteners[next(iter(self._straighteners))]
            self._straighteners[width, height] = Straightener.of(self._profile, width, height)
        return self._straighteners[width, height]

    def _colours(self, spots: Sequence[Spot], looks: Sequence[Look], bodies: Sequence[Lab]) -> list[Floats]:
        """Whose each die is: eight probabilities each."""
        named = [
            mixed(spot.colours, look.colours, _COLOUR_BY_DETECTORS) for spot, look in zip(spots, looks, strict=True)
        ]
        if self._profile and self._profile.palette:
            palette = self._profile.palette
            return [weigh_palette(colours, body, palette) for colours, body in zip(named, bodies, strict=True)]
        if not named:
            return []
        sure = np.array([spot.score * look.whole for spot, look in zip(spots, looks, strict=True)], np.float32)
        return list(weigh_others(np.stack(named), np.array(bodies, np.float32), sure))

    def _judge(self, spot: Spot, look: Look, colours: Floats, beside: Company) -> tuple[Die, Floats]:
        """One die from all opinions, with what its confidence rests on."""
        faces = mixed(spot.faces, look.faces, _FACE_BY_DETECTORS)
        order = np.argsort(-faces)
        row = features(spot, look, faces, beside)
        die = Die(
            face=int(order[0]) + 1,
            colour=COLOURS[int(np.argmax(colours))],
            box=(spot.x - spot.w / 2, spot.y - spot.h / 2, spot.w, spot.h),
            confidence=self._confidence.of(row),
            likeliest=tuple((int(k) + 1, float(faces[k])) for k in order[:3]),
            colours=tuple((COLOURS[k], float(colours[k])) for k in np.argsort(-colours).tolist()),
        )
        return die, row


def _cut_off(die: Die, width: int, height: int) -> bool:
    """Whether the edge of the frame cuts the die off."""
    x, y, w, h = die.box
    inside = min(x + w / 2, y + h / 2, width - x - w / 2, height - y - h / 2)
    return inside < _CUT_OFF * max(w, h)


def _too_small(die: Die) -> bool:
    return max(die.box[2:]) < _TOO_SMALL


def _asked_about(die: Die) -> Die:
    """The die, never sure."""
    return replace(die, confidence=min(die.confidence, UNCERTAIN_BELOW - 0.01))
