"""Reads one frame: where the dice lie, their faces, colours and confidences.

The detectors find the dice (`vision.pipeline.detect`). A classifier sees each die alone, cropped from the full frame,
and a second one sees the doubtful dice. The networks were trained separately; where they disagree, the confidence is
lower. A verifier sees the sure dice with their surroundings, and may make one uncertain.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from math import dist
from pathlib import Path
from statistics import median
from typing import Final, Self

import cv2
import numpy as np

from calibration.image import Floats, Image
from calibration.palette import COLOURS
from calibration.profile import Profile
from vision.cloth import Ignore
from vision.exposure import glares
from vision.log_odds import geometric_mean
from vision.models.integrity import MODELS_FOLDER
from vision.models.network import free_memory
from vision.models.networks import Classification, Detection, Networks
from vision.patch import Move, find, patch, scaled
from vision.pipeline.blur import confidence_needed
from vision.pipeline.confidence import Confidence, features
from vision.pipeline.crop import Whole, crop_die
from vision.pipeline.detect import detect_closely, detect_dice
from vision.pipeline.die_colour import apply_other_dice, apply_palette, body_colour
from vision.pipeline.frame_inference import FrameInference
from vision.pipeline.neighbours import Neighbours, neighbours_of
from vision.pipeline.rectify import Rectifier
from vision.pipeline.second_look import classify_dice
from vision.pipeline.tilt import Tilt
from vision.pipeline.verify import verify
from vision.reading import Box, Die, Lab, Reading

_DETECTOR_FACE_WEIGHT: Final = 0.3
"""Weight of the detectors' face probabilities; the classifiers' have the rest."""
_DETECTOR_COLOUR_WEIGHT: Final = 0.3
"""The same for colours."""
_MAX_FRAME_SIZES: Final = 2
"""Rectifiers that are kept; a camera takes frames of one size or two."""
_MAX_SWAY: Final = 0.01
"""The most that the picture may shift while the table lies still, as a share of its width: see `vision.stillness`."""
_COMPARED_WIDTH: Final = 15.0
"""Dice are shrunk to about this width in pixels to see if they have changed."""
_UNCHANGED: Final = 0.985
"""The least correlation of an unchanged die: one pip more or less gives up to 0.97, mere noise 0.99."""
_SEEN_AGAIN: Final = 0.5
"""The least probability of its face, and of a whole die, for a die that looks different to be the same."""
_FAINT_DIE: Final = 0.1
"""Candidates less likely than this to be a die are dropped."""
_FAINTEST_DIE: Final = 0.01
"""The same if a die is missing."""
_PART_DISTANCE: Final = 0.85
"""Two dice are hardly ever nearer than this, in die widths between centres."""
_MIN_DISTANCE: Final = 0.71
"""Two dice are never nearer: a square standing on its corner is as wide as its side times the square root of 2."""
_WHOLE_FACE: Final = 0.8
"""With at least this probability of its face, an object so near to a die is not a part of it."""
_MIN_DIE_WIDTH: Final = 10.0
"""A narrower die, in pixels, is always uncertain: its face cannot be read."""
_MIN_EDGE_DISTANCE: Final = 0.42
"""A die whose centre is nearer than this to the edge of the frame, in die widths, is cut off and always uncertain."""


class FrameError(ValueError):
    """The array is not a frame."""


class Reader:
    """Reads frames. Not thread-safe."""

    def __init__(self, networks: Networks, confidence: Confidence, profile: Profile | None = None) -> None:
        self._networks = networks
        self._confidence = confidence
        self._profile = profile
        self._palette: Mapping[str, Lab] = profile.palette if profile else {}
        self._rectifier = lru_cache(_MAX_FRAME_SIZES)(partial(Rectifier, profile)) if profile and profile.lens else None

    @classmethod
    def load(cls, profile: Profile | None = None, models: Path = MODELS_FOLDER) -> Self:
        """Load the weights from a folder, by default the shipped ones. Raises `vision.models.network.ModelError`.

        With a profile, frames are rectified by its lens and table, and its palette determines the colours.
        """
        return cls(Networks(models), Confidence.load(models), profile)

    def with_profile(self, profile: Profile | None) -> Reader:
        """A copy with another profile and the same networks, to replace this reader."""
        return Reader(self._networks, self._confidence, profile)

    def with_palette(self, palette: Mapping[str, Lab]) -> Reader:
        """A copy that knows the colours of the dice under the present light."""
        reader = copy.copy(self)
        reader._palette = palette
        return reader

    def read(
        self,
        image: Image,
        die_width: float | None = None,
        *,
        closely: bool = False,
        ignore: Ignore | None = None,
        whole: Image | None = None,
    ) -> Reading:
        """Read a frame: height x width x 3, BGR, 8 bit. Any size; dice 20 to 200 pixels wide are read best.

        die_width: the width of the dice in pixels, if known; objects of another size are then ignored.
        closely: also look for dice that are hard to see, because one is missing; this takes about twice as long.
        ignore: marks boxes not to be read, which saves time; see `vision.cloth`.
        whole: the same frame with more pixels, to read faces and colours from.

        Raises `FrameError` for anything else, and `vision.pipeline.rectify.RectifyError` if the profile does not fit
        frames of this shape.
        """
        if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8 or not image.size:
            what = f"{' x '.join(map(str, image.shape))} of {image.dtype}"
            raise FrameError(f"a frame is height x width x 3 of 8 bits, blue, green and red; this is {what}")
        begin = time.perf_counter()
        height, width = image.shape[:2]
        rectifier = self._rectifier(width, height) if self._rectifier else None
        upright = rectifier.frame(image) if rectifier else image
        in_upright = (lambda boxes: ignore([*map(rectifier.box_in_frame, boxes)])) if ignore and rectifier else ignore
        every = None if whole is None else Whole(whole, partial(_to_whole, whole.shape[1] / width, rectifier))
        tilt = Tilt.known(rectifier.below, rectifier.height) if rectifier else None
        found = self.candidates(upright, die_width, closely=closely, ignore=in_upright, whole=every, tilt=tilt)
        candidates = [die for die, _ in found]
        dice = [die for die in candidates if die.there >= self._confidence.report_above]
        least = _FAINTEST_DIE if closely else _FAINT_DIE
        faint = [die for die in candidates if least <= die.there < self._confidence.report_above]
        faint = [die for die in faint if not any(_is_part(die, other) for other in dice)]
        blurred = bool(dice) and median(die.confidence for die in dice) < confidence_needed(upright, dice)
        verified = [
            die.as_uncertain() if not die.uncertain and glares(upright, die) else die
            for die in verify(dice, upright, self._networks, every)
        ]
        free_memory()
        usual = median(die.width for die in verified) if verified else 0.0

        def in_frame(die: Die) -> Die:
            die = replace(die, box=rectifier.box_in_frame(die.box)) if rectifier else die
            return die if _is_readable(die, width, height, usual) else die.as_uncertain()

        ms = (time.perf_counter() - begin) * 1000
        return Reading(tuple(map(in_frame, verified)), width, height, ms, blurred, faint=tuple(map(in_frame, faint)))

    def read_cautiously(
        self, image: Image, die_width: float | None = None, *, closely: bool = False, ignore: Ignore | None = None
    ) -> Reading:
        """Like `read`, for when there is no other frame: every die of a blurred frame is uncertain."""
        return self.read(image, die_width, closely=closely, ignore=ignore).cautious()

    def confirms(self, reading: Reading, before: Image, image: Image) -> bool:
        """True if `image`, a later frame of the still table, shows the dice of `reading`, the reading of `before`.

        A die that looks the same has not changed. One that looks different, as when a glint has gone, is classified
        again: it must be a whole die with the same face.
        """
        if not reading.dice:
            return True
        times = max(1, int(median(die.width for die in reading.dice) / _COMPARED_WIDTH))
        shift = _MAX_SWAY * (image.shape[1] // times)
        small_boxes = [scaled(die.box, 1 / times) for die in reading.dice]
        small_before, small = (_shrunk_near(each, times, small_boxes, shift) for each in (before, image))
        changed, boxes = [], []
        for die, box in zip(reading.dice, small_boxes, strict=True):
            alike, place = find(small_before, small, box, shift) or (0.0, box)
            if alike < _UNCHANGED:
                changed.append(die)
                boxes.append(scaled(place, times))
        classifications = self._networks.classify([crop_die(image, box) for box in boxes])
        return all(
            min(float(seen.faces[die.face - 1]), seen.whole) >= _SEEN_AGAIN
            for die, seen in zip(changed, classifications, strict=True)
        )

    def candidates(
        self,
        image: Image,
        die_width: float | None = None,
        *,
        closely: bool = False,
        ignore: Ignore | None = None,
        whole: Whole | None = None,
        tilt: Tilt | None = None,
    ) -> list[tuple[Die, Floats]]:
        """Everything that may be a die, with its features for the confidence
        (`vision.pipeline.confidence.FEATURE_NAMES`). tilt: of the dice's tops, if known.
        """
        frame = FrameInference(image, self._networks, ignore, whole)
        detections = (detect_closely if closely else detect_dice)(frame, die_width)
        if not detections:
            return []
        classifications = classify_dice(frame, detections, tilt)
        bodies = [body_colour(frame.crop(detection.box)) for detection in detections]
        colours = self._colours(detections, classifications, bodies)
        neighbours = neighbours_of(detections, classifications, bodies)
        found = zip(detections, classifications, colours, bodies, neighbours, strict=True)
        return [self._judge(*each) for each in found]

    def _colours(
        self, detections: Sequence[Detection], classifications: Sequence[Classification], bodies: Sequence[Lab]
    ) -> list[Floats]:
        """Colour probabilities of each die, in the order of `COLOURS`."""
        pairs = list(zip(detections, classifications, strict=True))
        named = [
            geometric_mean(detection.colours, classification.colours, _DETECTOR_COLOUR_WEIGHT)
            for detection, classification in pairs
        ]
        if self._palette:
            return [apply_palette(colours, body, self._palette) for colours, body in zip(named, bodies, strict=True)]
        sure = np.array([detection.score * classification.whole for detection, classification in pairs], np.float32)
        return list(apply_other_dice(np.stack(named), np.array(bodies, np.float32), sure))

    def _judge(
        self, detection: Detection, classification: Classification, colours: Floats, body: Lab, beside: Neighbours
    ) -> tuple[Die, Floats]:
        """One die with its features, from all networks."""
        faces = geometric_mean(detection.faces, classification.faces, _DETECTOR_FACE_WEIGHT)
        order = np.argsort(-faces)
        row = features(detection, classification, faces, beside)
        die = Die(
            face=int(order[0]) + 1,
            colour=COLOURS[int(np.argmax(colours))],
            box=detection.box,
            confidence=self._confidence.of(row),
            there=self._confidence.there(row),
            if_there=self._confidence.if_there(row),
            likeliest=tuple((int(k) + 1, float(faces[k])) for k in order[:3]),
            colours=tuple((COLOURS[k], float(colours[k])) for k in np.argsort(-colours).tolist()),
            body=body,
        )
        return die, row


def _to_whole(times: float, rectifier: Rectifier | None, box: Box) -> Move:
    """Near a box, the map from the picture that is read to the frame, which is `times` as wide."""
    return times * (rectifier.near(box) if rectifier else np.eye(2, 3))


def _shrunk_near(image: Image, times: int, boxes: Iterable[Box], margin: float) -> Image:
    """A picture shrunk by `times`; black except near these boxes, because shrinking all of it takes far longer."""
    if times == 1:
        return image
    small = np.zeros((image.shape[0] // times, image.shape[1] // times, 3), np.uint8)
    for box in boxes:
        rows, columns = patch(small, box, margin)
        part = image[rows.start * times : rows.stop * times, columns.start * times : columns.stop * times]
        if part.size:
            size = columns.stop - columns.start, rows.stop - rows.start
            small[rows, columns] = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
    return small


def _is_readable(die: Die, width: int, height: int, usual: float) -> bool:
    """True if the die is large enough and not cut off by the edge of the frame.

    usual: the width of the dice in pixels. The rest of a die that is cut off may look like a smaller die.
    """
    x, y = die.centre
    inside = min(x, y, width - x, height - y)
    return inside >= _MIN_EDGE_DISTANCE * max(die.width, usual) and die.width >= _MIN_DIE_WIDTH


def _is_part(faint: Die, die: Die) -> bool:
    """True if a faint candidate is the side of a die, or a part of it."""
    nearest = _MIN_DISTANCE if faint.if_there >= _WHOLE_FACE else _PART_DISTANCE
    return dist(faint.centre, die.centre) < nearest * die.width
