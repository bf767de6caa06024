"""Blender's pictures are a second opinion about the reader: the parts that need no Blender must be right."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from vision.measure import load_labels
from vision.training.blender.develop import develop
from vision.training.blender.drawings import FILLED, LINEART, RESOLUTION, draw_ace
from vision.training.blender.exr import read_exr
from vision.training.blender.faces import AXES, DieBody, Shape, Style, die_body, draw_shape, draw_style, face_maps
from vision.training.blender.labels import dice_labels
from vision.training.blender.layout import UPRIGHT, Die, Maker, Taken, carried, gap, group
from vision.training.blender.palms import hand_shape
from vision.training.blender.printed import card_image, paper_image
from vision.training.blender.view import View


def plain(ace: str = "pip", mirrored: bool = False) -> Style:
    return Style(ace, 0.2, 0.5, "sphere", 0.4, mirrored, 1.0, False, 1.0, 0.002, 0.0, 0.045, True)


@pytest.fixture(scope="module")
def body() -> DieBody:
    return die_body(np.random.default_rng(1), plain(), Shape("round", 0.3), cuts=16)


@pytest.fixture(scope="module")
def maker(body: DieBody) -> Maker:
    return Maker("red", "solid", "pip", 1.6, Shape("round", 0.3), body)


def laid(seed: int, maker: Maker, mode: str = "heap") -> list[Die]:
    rng = np.random.default_rng(seed)
    dice: list[Die] = []
    for centre in ((0.0, 0.0), (3.0, 1.0), (-2.0, 4.0)):
        group(rng, dice, lambda: maker, np.array(centre), 6, mode, 3.0)
    return dice


@pytest.mark.parametrize("mode", ["heap", "chain", "row", "loose"])
def test_no_die_lies_in_another(maker: Maker, mode: str) -> None:
    dice = laid(4, maker, mode)
    assert len(dice) >= 9
    assert all(gap(a.corners(), b.corners()) >= 0 for a, b in combinations(dice, 2))


def test_dice_of_a_chain_all_but_touch(maker: Maker) -> None:
    dice: list[Die] = []
    group(np.random.default_rng(2), dice, lambda: maker, np.zeros(2), 5, "chain", 3.0)
    for die in dice:
        assert min(gap(die.corners(), other.corners()) for other in dice if other is not die) < 0.05


def test_the_same_seed_lays_dice_alike(maker: Maker) -> None:
    first, again, other = (laid(seed, maker) for seed in (5, 5, 6))
    assert [(*die.place, die.yaw, die.value) for die in first] == [(*die.place, die.yaw, die.value) for die in again]
    assert [tuple(die.place) for die in first] != [tuple(die.place) for die in other]


def test_opposite_faces_add_up_to_seven(body: DieBody) -> None:
    other = die_body(np.random.default_rng(1), replace(plain(), handed=False), Shape("ball", 0.1, 1.35, 0.05), cuts=4)
    assert other.values != body.values
    for values in (body.values, other.values):
        assert sorted(values) == [1, 2, 3, 4, 5, 6]
        for (a, (out, _, _)), (b, (back, _, _)) in combinations(enumerate(AXES), 2):
            if (out == -back).all():
                assert values[a] + values[b] == 7


def test_each_turn_brings_its_face_up() -> None:
    for axis, (out, right, up) in enumerate(AXES):
        assert np.allclose(np.cross(right, up), out)
        assert np.allclose(UPRIGHT[axis] @ out, (0, 0, 1))
        assert np.linalg.det(UPRIGHT[axis]) == pytest.approx(1)


def test_makers_draw_and_cut_differently() -> None:
    rng = np.random.default_rng(1)
    assert len({draw_style(rng, "pip") for _ in range(9)}) == 9
    assert {draw_shape(rng).kind for _ in range(60)} == {"sharp", "mid", "round", "ball"}


def test_a_body_fills_its_cube(body: DieBody) -> None:
    assert np.abs(body.points).max() == pytest.approx(1, abs=1e-6)
    assert body.quads.max() == len(body.points) - 1
    assert body.places.min() >= 0
    assert body.places.max() <= 1
    assert len(body.places) == body.quads.size


def test_faces_differ_from_one_another(body: DieBody) -> None:
    side = RESOLUTION
    cells = [body.ink[y : y + side, x : x + side] for y in (side, 0) for x in (0, side, 2 * side)]
    for value, ink in zip(body.values, cells, strict=True):
        assert ink.mean() == pytest.approx(value * math.pi * 0.2**2 / 4, rel=0.05)
    for a, b in combinations(cells, 2):
        assert np.abs(a - b).mean() > 0.02


def test_three_runs_along_either_diagonal() -> None:
    one, other = (face_maps(np.random.default_rng(1), 3, plain(mirrored=mirrored))[0] for mirrored in (False, True))
    assert np.abs(one - other[:, ::-1]).mean() < 0.01 < np.abs(one - other).mean()


def test_emblems_differ_from_one_another() -> None:
    inks = [draw_ace(np.random.default_rng(1), kind, 0.045) / 255 for kind in (*LINEART, *FILLED)]
    for ink in inks:
        assert 0.02 < ink.mean() < 0.5
    for a, b in combinations(inks, 2):
        assert np.abs(a - b).mean() > 0.02


def test_the_pinhole_sees_the_table_where_it_is() -> None:
    view = View(640, 480, 66, 80, 20, 1.0, 0.05)
    for x, y in ((0, 0), (320, 240), (600, 100)):
        assert np.allclose(view.project([*view.ground(x, y), 0.0]), (x, y))
    assert np.allclose(view.ground(320, 240), 0, atol=1e-9)
    assert np.allclose(view.project(np.append(view.footprint()[2], 0)), (640, 480))


def test_labels_are_what_the_measure_reads(maker: Maker, tmp_path: Path) -> None:
    view = View(320, 240, 40, 40, 5, 0.3, 0.0)
    rng = np.random.default_rng(3)
    seen, hidden, outside = (Die(rng, maker, 0.4) for _ in range(3))
    hidden.place, outside.place = np.array([6.0, 0.0]), np.array([60.0, 0.0])
    shown = np.zeros((240, 320), int)
    ink = np.zeros((240, 320))
    frame = np.full((240, 320, 3), 120, np.uint8)
    x, y = view.project(seen.points()).mean(0).astype(int)
    shown[y - 30 : y + 30, x - 30 : x + 30] = 1
    labels = dice_labels([seen, hidden, outside], view, shown, ink, frame)
    path = tmp_path / "labels.json"
    path.write_text(json.dumps({"a.jpg": {"conditions": {"light": "window", "size": [320, 240]}, "dice": labels}}))
    truth = load_labels(path)["a.jpg"]
    assert truth.conditions == {"light": "window"}
    assert truth.labels is not None
    first, second = truth.labels
    assert (first.face, first.ignore, first.colour) == (seen.value, False, "red")
    assert second.ignore
    assert labels[1]["why"] == "hidden"
    left, top, width, height = first.box
    assert left < x < left + width
    assert top < y < top + height


def test_a_die_in_the_dark_is_not_asked_for(maker: Maker) -> None:
    view = View(320, 240, 40, 40, 5, 0.3, 0.0)
    die = Die(np.random.default_rng(3), maker, 0.4)
    shown = np.ones((240, 320), int)
    for shade, why in ((10, "dark"), (250, "glare"), (120, None)):
        frame = np.full((240, 320, 3), shade, np.uint8)
        (label,) = dice_labels([die], view, shown, np.zeros((240, 320)), frame)
        assert label.get("why") == why
        assert ("ignore" in label) == (why is not None)


def test_hands_reach_what_they_go_through(maker: Maker) -> None:
    die = Die(np.random.default_rng(1), maker, 0.0)
    taken = Taken([die], [(np.array([20.0, 0.0]), 4.0, 9.0)])
    assert taken.hit(np.array([1.0, 0.0]), 1.0)
    assert not taken.hit(np.array([9.0, 0.0]), 3.0)
    for pose in ("flat", "relaxed", "point", "fist", "claw", "grab"):
        capsules, nails, _ = hand_shape(np.random.default_rng(2), pose, 4.0)
        assert nails
        over = carried(capsules, np.array([0.0, -6.0]), 0.0)
        away = carried(capsules, np.array([-40.0, -40.0]), 0.0)
        assert taken.reached(over) or pose == "grab"
        assert not taken.reached(away)
    cup = carried(hand_shape(np.random.default_rng(2), "grab", 4.0)[0], np.array([20.0, 0.0]), 0.0)
    assert taken.reached(cup)
    assert not taken.reached(cup, but=np.array([20.0, 0.0]))


def test_the_camera_keeps_the_size_and_says_what_it_did() -> None:
    light = np.random.default_rng(1).uniform(0, 1, (60, 80, 3))
    frame, facts = develop(np.random.default_rng(2), light)
    again, _ = develop(np.random.default_rng(2), light)
    assert frame.shape == (60, 80, 3)
    assert frame.dtype == np.uint8
    assert (frame == again).all()
    json.dumps(facts)


def test_things_are_printed_on() -> None:
    rng = np.random.default_rng(1)
    for picture in (card_image(rng, True), paper_image(rng)):
        assert picture.shape[2] == 3
        assert 0 <= picture.min() <= picture.max() <= 1


def test_a_compressed_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "light.exr"
    path.write_bytes(bytes(8) + b"compression\0compression\0" + (1).to_bytes(4, "little") + b"\x03" + b"\0")
    with pytest.raises(ValueError, match="compressed"):
        read_exr(path)
