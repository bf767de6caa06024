"""Hard negatives are cut out where a reader looks, and hold no dice."""

from __future__ import annotations

import numpy as np

from vision.models.networks import Networks
from vision.training.hard_negatives import MOST_THINGS, glossy, things_like_dice
from vision.training.pictures import CUTOUT_SIDE, Picture
from vision.training.things import lay_things

NONE = np.zeros((0, 7), np.float32)
GROUND = np.full((CUTOUT_SIDE, CUTOUT_SIDE, 3), 90, np.uint8)


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


def test_the_same_seed_draws_the_same_glossy_thing() -> None:
    one, same, other = (glossy(GROUND, np.random.default_rng(seed)) for seed in (4, 4, 5))
    assert one.shape == (CUTOUT_SIDE, CUTOUT_SIDE, 3)
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_each_glossy_thing_is_in_the_middle_with_ground_round_it() -> None:
    for seed in range(40):
        picture = glossy(GROUND, np.random.default_rng(seed)).astype(int)
        ground = np.median(picture[:3].reshape(-1, 3), axis=0)
        middle = picture[CUTOUT_SIDE // 2 - 8 : CUTOUT_SIDE // 2 + 8, CUTOUT_SIDE // 2 - 8 : CUTOUT_SIDE // 2 + 8]
        assert np.abs(middle - ground).max() > 20


def test_most_things_mirror_a_lamp() -> None:
    lit = 0
    for seed in range(60):
        picture = glossy(GROUND, np.random.default_rng(seed)).max(axis=-1)
        body = picture[CUTOUT_SIDE // 2 - 18 : CUTOUT_SIDE // 2 + 18, CUTOUT_SIDE // 2 - 18 : CUTOUT_SIDE // 2 + 18]
        lit += int(body.max()) - int(np.median(body)) > 40
    assert lit > 30
