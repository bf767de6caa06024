"""Clutter and surfaces for training pictures: every kind is visible, stays in range, and repeats with its seed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from vision.training.cloths import CLOTHS, patterned_cloth
from vision.training.thing_scene import make_thing_scene
from vision.training.things import THING_KINDS, lay_things

SIDE = 160
COVERS_NOTHING = {"round_shadow", "glare"}


def _within_unit(picture: npt.NDArray[np.float32]) -> bool:
    return picture.dtype == np.float32 and bool(np.isfinite(picture).all() and 0 <= picture.min() <= picture.max() <= 1)


@pytest.mark.parametrize("name", list(THING_KINDS))
@pytest.mark.parametrize("seed", range(4))
def test_every_thing_is_visible_stays_in_range_and_repeats(name: str, seed: int) -> None:
    canvas, again = (np.full((SIDE, SIDE, 3), 0.35, np.float32) for _ in range(2))
    mask = lay_things(canvas, np.random.default_rng(seed), 24.0, (0.4, -0.3), name)
    lay_things(again, np.random.default_rng(seed), 24.0, (0.4, -0.3), name)
    assert np.array_equal(canvas, again)
    assert mask.shape == (SIDE, SIDE)
    assert _within_unit(canvas)
    assert _within_unit(mask)
    assert np.abs(canvas - 0.35).max() > 0.02
    assert (mask.max() > 0.2) == (name not in COVERS_NOTHING)


def test_things_can_be_drawn_for_any_size_of_die() -> None:
    rng = np.random.default_rng(7)
    canvas = np.full((SIDE, SIDE, 3), 0.2, np.float32)
    for _ in range(60):
        lay_things(canvas, rng, float(rng.uniform(12, 60)), (0.0, 0.0))
    assert _within_unit(canvas)


def test_a_thing_of_a_given_length_covers_no_more() -> None:
    canvas = np.full((SIDE, SIDE, 3), 0.2, np.float32)
    mask = lay_things(canvas, np.random.default_rng(6), 20.0, (0.0, 0.0), "board", 3.0)
    ys, xs = np.nonzero(mask > 0.5)
    assert 50 < max(np.ptp(xs), np.ptp(ys)) < 90


def test_a_scene_without_dice_has_some_things_and_repeats() -> None:
    frame, kinds = make_thing_scene(1, 0)
    again, _ = make_thing_scene(1, 0)
    assert np.array_equal(frame, again)
    assert frame.shape == (960, 1280, 3)
    assert len(kinds) >= 4
    assert not np.array_equal(frame, make_thing_scene(1, 1)[0])


@pytest.mark.parametrize("kind", range(len(CLOTHS)), ids=lambda k: CLOTHS[k].__name__)
@pytest.mark.parametrize("seed", range(4))
def test_every_pattern_is_in_range_and_repeats(kind: int, seed: int) -> None:
    first, again = (patterned_cloth(SIDE, np.random.default_rng(seed), kind) for _ in range(2))
    assert np.array_equal(first, again)
    assert first.shape == (SIDE, SIDE, 3)
    assert _within_unit(first)
    assert first.std() > 0
