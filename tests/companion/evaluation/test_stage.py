"""The drawn table: what is taken away leaves no trace, what moves is seen, and no two frames share their noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.evaluation.stage import CameraLook, Cutout, Item, Lamp, Motion, Placed, Stage
from vision.evaluation.pairs import TrueDie

CLEAN = CameraLook((1.0, 1.0, 1.0), 0.0, 0.6, 0.2, (0.1, 0.0), None, (0.0, 10.0))
LAMP = Lamp((0.4, 0.3), 0.5)
DIE = TrueDie(3, "red", (90.0, 60.0, 20.0, 20.0), lost=False)


def stage(look: CameraLook = CLEAN) -> Stage:
    weave = np.random.default_rng(1).integers(60, 120, (180, 240, 3)).astype(np.uint8)
    return Stage(weave, look, np.random.default_rng(2))


def thing(x: float = 100.0, y: float = 70.0, level: float = 200.0) -> Placed:
    cutout = Cutout.of(np.full((20, 20, 3), level, np.float32), np.ones((20, 20), np.float32), LAMP, 16)
    return Placed.at(cutout, x, y)


def test_what_is_taken_away_leaves_no_trace() -> None:
    table = stage()
    bare = table.picture(0.0)
    table.put("one", Item(thing(), 1))
    table.put("two", Item(thing(112, 75, 20.0), 2))
    both = table.picture(0.1)
    assert both[75, 112].max() < 60
    assert both[66, 95].min() > 150
    table.take("two")
    table.take("one")
    assert np.array_equal(table.picture(0.2), bare)


def test_what_is_drawn_piece_by_piece_is_what_is_drawn_at_once() -> None:
    items = {"one": Item(thing(), 1), "two": Item(thing(112.4, 75.7, 20.0), 2), "three": Item(thing(90, 80, 90.0), 0)}
    pieces, at_once = stage(), stage()
    for name, item in items.items():
        pieces.put(name, item)
    at_once.put_all(items)
    assert np.array_equal(pieces.picture(0.0), at_once.picture(0.0))


def test_what_moves_is_gone_from_its_place_and_seen_where_it_is() -> None:
    table = stage()
    table.put("one", Item(thing(), 1))
    put = Item(thing(200.0), 1)
    table.motions.append(
        Motion(
            1.0, 2.0, lambda share: [thing(100 + 100 * share)], lambda: table.take("one"), lambda: table.put("one", put)
        )
    )
    assert table.picture(0.5)[70, 100].min() > 150
    halfway = table.picture(1.5)
    assert (halfway[70, 100].max() < 150, halfway[70, 150].min() > 150) == (True, True)
    assert table.moved_at == 1.5
    assert table.picture(2.5)[70, 200].min() > 150
    table.picture(3.0)
    assert table.moved_at == 2.5, "what has come to rest moved last in the frame that first shows it there"


def test_a_nudged_mast_moves_the_whole_picture_and_the_truth_about_it() -> None:
    table = stage()
    table.put("die", Item(thing(), 1, DIE))
    before = table.picture(0.0).astype(int)
    table.nudge(2.0, 1.0)
    after = table.picture(0.1).astype(int)
    assert np.abs(after[2:-1, 3:-2] - before[1:-2, 1:-4]).mean() < 2
    assert [die.box for die in table.dice()] == [(92.0, 61.0, 20.0, 20.0)]
    table.take("die")
    table.put("die", Item(thing(), 1, DIE))
    assert np.abs(table.picture(0.2).astype(int) - after).max() <= 1


def test_two_frames_do_not_have_the_same_noise_shifted() -> None:
    """They would look like a camera that moved."""
    bare = Stage(
        np.full((480, 640, 3), 90, np.uint8),
        replace(CLEAN, noise=6.0, falloff=0.0, slope=(0.0, 0.0)),
        np.random.default_rng(1),
    )
    one, other = (bare.picture(at)[..., 0].astype(np.float32) for at in (0.0, 0.1))
    spectra = [np.fft.rfft2(each - each.mean()) for each in (one, other)]
    alike = np.fft.irfft2(spectra[0] * spectra[1].conj()).max() / (one.std() * other.std() * one.size)
    assert alike < 0.2
