"""Hard negatives are cut out where a reader looks, and hold no dice."""

from __future__ import annotations

import numpy as np

from vision.models.networks import Networks
from vision.training.data.augmentation import CUTOUT_SIDE
from vision.training.data.hard_negatives import MOST_THINGS, things_like_dice
from vision.training.data.labelled_pictures import Picture
from vision.training.scenes.things import lay_things

NONE = np.zeros((0, 7), np.float32)


def test_what_is_taken_for_a_die_is_in_the_middle_of_its_cutout() -> None:
    canvas = np.full((480, 480, 3), 0.05, np.float32)
    lay_things(canvas, np.random.default_rng(3), 40.0, (0.2, 0.1), "domino", 3.0)
    frame = (np.clip(canvas[..., ::-1], 0, 1) ** 0.45 * 255).astype(np.uint8)
    cutouts = things_like_dice(Picture(frame, NONE, real=False), Networks())
    assert 1 <= len(cutouts) <= MOST_THINGS
    middle = slice(CUTOUT_SIDE // 2 - 15, CUTOUT_SIDE // 2 + 15)
    for cutout in cutouts:
        assert cutout.shape == (CUTOUT_SIDE, CUTOUT_SIDE, 3)
        assert abs(int(np.median(cutout[middle, middle])) - int(np.median(frame))) > 10


def test_an_empty_table_has_nothing_like_a_die() -> None:
    assert things_like_dice(Picture(np.full((300, 400, 3), 90, np.uint8), NONE, real=False), Networks()) == []
