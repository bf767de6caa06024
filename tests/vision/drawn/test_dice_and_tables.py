"""Drawn dice must show the faces they claim, or everything learned from them is wrong."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.palette import COLOURS
from vision.drawn.die import DieModel, Shape, render_die
from vision.drawn.faces import FaceStyle, face_textures
from vision.drawn.table_scene import SceneCup, SceneDie, TableScene, render_table
from vision.training.bank import outline
from vision.training.emblems import EMBLEMS, EmblemStyle, emblem_faces


def blobs(mask: np.ndarray) -> int:
    """The number of separate spots of ink in a picture."""
    return cv2.connectedComponents((mask > 0.5).astype(np.uint8))[0] - 1


@pytest.mark.parametrize("face", range(1, 7))
def test_a_face_has_as_many_pips_as_its_value(face: int) -> None:
    assert blobs(face_textures(FaceStyle())[face - 1]) == face


@pytest.mark.parametrize("emblem", EMBLEMS)
def test_every_emblem_is_drawn_within_its_face(emblem: str) -> None:
    one = emblem_faces(EmblemStyle(emblem=emblem))[0]
    assert 0.02 < one.mean() < 0.6
    assert one[0].max() == one[-1].max() == one[:, 0].max() == one[:, -1].max() == 0


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("yaw", [0.0, 0.7, 2.9])
def test_the_top_face_is_the_requested_one(face: int, yaw: float) -> None:
    """Straight from above, with sharp corners, only the ink of the top face is visible."""
    sprite = render_die(DieModel(shape=Shape(radius=0.1, cut=1.8)), face, half_edge=40, yaw=yaw)
    ink = sprite.rgb[..., 1] * sprite.alpha  # cream pips on a red body: green tells them apart
    assert blobs((ink > 0.3).astype(np.float32)) == face


def test_a_tilted_die_shows_a_side_and_is_taller() -> None:
    flat = outline(render_die(DieModel(), 3, half_edge=30))
    tilted = outline(render_die(DieModel(), 3, half_edge=30, tilt=0.6, azimuth=0.0))
    assert tilted[2] > flat[2] + 3
    assert abs(flat[2] - 60) <= 2
    assert abs(flat[3] - 60) <= 2


def test_the_same_scene_gives_the_same_picture() -> None:
    scene = TableScene((SceneDie(0, 0, 0.4, 5, "blue"),), (SceneCup(100, 0, "green"),), seed=3)
    assert np.array_equal(render_table(scene, (320, 240)), render_table(scene, (320, 240)))


@pytest.mark.parametrize("colour", COLOURS)
def test_a_die_has_the_requested_colour(colour: str) -> None:
    picture = render_table(TableScene((SceneDie(0, 0, 0.0, 1, colour),)), (1280, 960))
    bare = render_table(TableScene(()), (1280, 960))
    assert np.abs(picture.astype(int) - bare).max() > 40
    assert np.array_equal(picture[:300], bare[:300]), "a die in the middle changes nothing at the edge"


def test_a_cup_hides_the_dice_under_it() -> None:
    dice = tuple(SceneDie(18 * (k % 2) - 9, 18 * (k // 2) - 9, 0.0, k + 1, "red") for k in range(4))
    cup = (SceneCup(0, 0, "red"),)
    assert np.array_equal(render_table(TableScene(dice, cup)), render_table(TableScene((), cup)))


def test_a_die_can_be_as_large_as_in_the_largest_frame() -> None:
    """Its faces then have more pixels than cv2 takes in one row."""
    sprite = render_die(DieModel(shape=Shape(radius=0.1, cut=1.8)), 5, half_edge=110)
    ink = sprite.rgb[..., 1] * sprite.alpha
    assert blobs((ink > 0.3).astype(np.float32)) == 5
