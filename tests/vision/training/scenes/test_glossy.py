"""Plain glossy things, from which the classifier learns what is no die."""

from __future__ import annotations

import numpy as np

from vision.training.data.augmentation import CUTOUT_SIDE
from vision.training.scenes.glossy import glossy

GROUND = np.full((CUTOUT_SIDE, CUTOUT_SIDE, 3), 90, np.uint8)


def test_the_same_seed_draws_the_same_thing() -> None:
    one, same, other = (glossy(GROUND, np.random.default_rng(seed)) for seed in (4, 4, 5))
    assert one.shape == (CUTOUT_SIDE, CUTOUT_SIDE, 3)
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_each_thing_is_in_the_middle_with_ground_round_it() -> None:
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
