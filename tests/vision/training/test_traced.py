"""Path-traced tables measure the reader, so their labels must be what they show."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.drawn.faces import FaceStyle, face_textures
from vision.evaluation.scores import load_labels
from vision.training.emblems import PACOS, EmblemStyle, emblem_faces
from vision.training.traced.camera import View, develop, encode, visible_part
from vision.training.traced.crowd import make_crowd
from vision.training.traced.game_table import TracedScene, make_table
from vision.training.traced.labels import burnt_out, label_entry
from vision.training.traced.layout import DieSquare, overlap
from vision.training.traced.objects import clutter, mesh
from vision.training.traced.objects.die_mesh import FACE_AXES, DieBody, atlas, die_mesh, frame_of, marbling, upright
from vision.training.traced.objects.mesh import polyhedron_mesh
from vision.training.traced.objects.oddments import ODDMENTS
from vision.training.traced.objects.surfaces import number_atlas
from vision.training.traced.thing_table import make_thing_table

VIEW = View(640, 480, above=800, tilt=0.3, azimuth=1.0, field=400)


@pytest.fixture(scope="module")
def scene() -> TracedScene:
    return make_table(3, 4)


def from_above(die: mesh.Mesh, ink: np.ndarray, side: int = 96) -> np.ndarray:
    """The ink of the upper side, drawn point by point; x to the right, y up."""
    up = die.normals[:, 2] > 0.8
    uv, xy = die.uv[up], die.points[up, :2]
    height, width = ink.shape
    values = ink[(uv[:, 1] * height).astype(int).clip(0, height - 1), (uv[:, 0] * width).astype(int).clip(0, width - 1)]
    canvas = np.zeros((side, side), np.float32)
    columns, rows = ((xy * (1, -1) * 0.36 + 0.5) * side).astype(int).clip(0, side - 1).T
    np.maximum.at(canvas, (rows, columns), values)
    return cv2.morphologyEx(canvas, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))


def spots(canvas: np.ndarray) -> int:
    return cv2.connectedComponents((canvas > 0.5).astype(np.uint8))[0] - 1


def test_opposite_faces_add_up_to_seven() -> None:
    for face, (out, _) in FACE_AXES.items():
        assert FACE_AXES[7 - face][0] == tuple(-v for v in out)


def test_one_two_three_run_anticlockwise_about_their_corner() -> None:
    one, two, three = (np.array(FACE_AXES[face][0]) for face in (1, 2, 3))
    assert np.dot(np.cross(one, two), three) == 1


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("yaw", [0.0, 0.7, -2.9])
def test_a_die_is_turned_and_not_mirrored_and_shows_the_requested_face(face: int, yaw: float) -> None:
    turn = upright(face, yaw)
    assert np.linalg.det(turn) == pytest.approx(1, abs=1e-5)
    assert np.linalg.det(frame_of(face)) == pytest.approx(1, abs=1e-5)
    assert max(FACE_AXES, key=lambda each: float(turn[2] @ np.array(FACE_AXES[each][0]))) == face


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("depth", [0.0, 0.5])
def test_the_top_of_the_mesh_has_as_many_pips_as_its_value(face: int, depth: float) -> None:
    faces = face_textures(FaceStyle())
    die = die_mesh(DieBody(radius=0.15, cut=1.7, depth=depth), faces, 64).moved(upright(face, 0.3))
    assert spots(from_above(die, atlas(faces))) == face


@pytest.mark.parametrize("name", PACOS)
def test_a_paco_is_on_its_die_as_drawn(name: str) -> None:
    faces = emblem_faces(EmblemStyle(emblem=name))
    die = die_mesh(DieBody(radius=0.1, cut=1.8, depth=0), faces, 90)
    seen_ink = from_above(die, atlas(faces))
    expected_ink = np.zeros_like(seen_ink)
    inner = round(96 * 0.72)
    start = (96 - inner) // 2
    expected_ink[start : start + inner, start : start + inner] = cv2.resize(faces[0], (inner, inner))

    def die_likeness(a: np.ndarray) -> float:
        return float(np.corrcoef(cv2.blur(a, (5, 5)).ravel(), cv2.blur(expected_ink, (5, 5)).ravel())[0, 1])

    assert die_likeness(seen_ink) > 0.9
    assert die_likeness(seen_ink[::-1]) < die_likeness(seen_ink)


def test_pacos_are_line_art_unlike_other_emblems() -> None:
    assert len(PACOS) >= 3
    drawings = [emblem_faces(EmblemStyle(emblem=name))[0] for name in (*PACOS, "paco", "bird")]
    for one in drawings:
        assert 0.05 < one.mean() < 0.4
        assert one[0].max() == one[-1].max() == one[:, 0].max() == one[:, -1].max() == 0
    for a, b in combinations(drawings, 2):
        assert np.minimum(a, b).sum() / np.maximum(a, b).sum() < 0.5


def test_drilled_pips_are_dents_and_printed_ones_are_not() -> None:
    faces = face_textures(FaceStyle())
    drilled = die_mesh(DieBody(depth=0.5), faces, 48).points
    printed = die_mesh(DieBody(depth=0), faces, 48).points
    assert np.abs(drilled).max() <= np.abs(printed).max() + 1e-6
    assert 0.03 < np.linalg.norm(drilled - printed, axis=1).max() < 0.2


@pytest.mark.parametrize(
    "thing",
    [
        mesh.rounded_box((60, 40, 10), 3),
        mesh.capsule((0, 0, 5), (30, 10, 20), 5, 3),
        mesh.ellipsoid((9, 6, 5)),
        mesh.ground(4, 2),
        die_mesh(DieBody(), face_textures(FaceStyle()), 30),
        clutter.cup((0.4, 0.2, 0.1), np.random.default_rng(1), lying=False).parts[0].mesh,
    ],
)
def test_meshes_face_outwards(thing: mesh.Mesh) -> None:
    a, b, c = (thing.points[thing.triangles[:, k]] for k in range(3))
    way = np.cross(b - a, c - a)
    real = np.linalg.norm(way, axis=1) > 1e-4
    outward = (way * thing.normals[thing.triangles].mean(1)).sum(1)[real]
    assert (outward > 0).mean() > 0.99


def test_marbling_is_continuous_across_an_edge() -> None:
    veins = marbling(64, np.random.default_rng(5))
    cells = [veins[64 * (k // 3) : 64 * (k // 3) + 64, 64 * (k % 3) : 64 * (k % 3) + 64] for k in range(6)]
    # the one's right edge (+x, y from +1 to -1) is the two's; FACES has the direction of the two's drawing
    assert np.abs(cells[0][:, -1] - cells[1][0, ::-1]).mean() < 0.06


def test_a_point_of_the_table_is_where_the_projection_puts_it() -> None:
    pixels = np.array([[0, 0], [100.5, 400], [639, 20]], np.float32)
    points = VIEW.on_table(pixels)
    assert VIEW.project(np.column_stack([points, np.zeros(3)])) == pytest.approx(pixels, abs=0.05)
    assert VIEW.project([[0, 0, 0]])[0] == pytest.approx((320, 240), abs=0.01)
    middle_row = VIEW.project([[-200, 0, 0], [200, 0, 0]])
    assert np.linalg.norm(middle_row[1] - middle_row[0]) == pytest.approx(640, rel=0.05)


def test_up_in_the_picture_is_y_and_right_is_x() -> None:
    straight = View(640, 480, above=800, tilt=0.0, azimuth=0.0, field=400)
    assert straight.project([[100, 50, 0]])[0] == pytest.approx((480, 160), abs=0.01)


def test_covered_and_cut_off_parts_count_as_hidden() -> None:
    points = mesh.rounded_box((40, 40, 40), 2).points
    mine = np.zeros((480, 640), np.uint8)
    cv2.fillConvexPoly(mine, cv2.convexHull(VIEW.project(points)).astype(np.int32), 1)
    whole = visible_part(points, mine > 0, VIEW)
    assert whole.hidden < 0.05
    x, _, w, h = whole.box
    mine[:, : int(x + w / 2)] = 0
    half = visible_part(points, mine > 0, VIEW)
    assert half.hidden == pytest.approx(0.5, abs=0.08)
    assert half.box[0] == pytest.approx(x + w / 2, abs=1)
    assert half.box[3] <= h
    assert visible_part(points, np.zeros((480, 640), bool), VIEW) is None


def test_squares_that_touch_do_not_overlap() -> None:
    assert not overlap(DieSquare(0, 0, 0.3, 16), DieSquare(16.01 * np.cos(0.3), 16.01 * np.sin(0.3), 0.3, 16))
    assert overlap(DieSquare(0, 0, 0, 16), DieSquare(15, 3, 0.5, 16))
    assert not overlap(DieSquare(0, 0, 0, 16), DieSquare(30, 0, 0.5, 16))


def test_the_same_seed_gives_the_same_scene(scene: TracedScene) -> None:
    again = make_table(3, 4)
    assert again.conditions == scene.conditions
    assert [(d.face, d.colour) for d in again.dice] == [(d.face, d.colour) for d in scene.dice]
    assert all(np.array_equal(a.mesh.points, b.mesh.points) for a, b in zip(again.dice, scene.dice, strict=True))
    assert make_table(3, 5).conditions != scene.conditions


@pytest.mark.parametrize("index", range(4))
def test_every_die_of_a_scene_shows_its_value_and_lies_on_the_table(index: int) -> None:
    scene = make_table(11, index)
    assert scene.dice
    for die in scene.dice:
        up = die.mesh.normals[:, 2] > 0.95
        column, row = (die.mesh.uv[up].mean(0) * (3, 2)).astype(int)
        assert row * 3 + column + 1 == die.face
        assert die.mesh.points[:, 2].min() == pytest.approx(0, abs=0.01)
    assert len({(die.player, die.colour) for die in scene.dice}) == len({die.colour for die in scene.dice})


@pytest.mark.parametrize("index", range(4))
def test_dice_do_not_intersect(index: int) -> None:
    hulls = [cv2.convexHull(die.mesh.points[:, :2] * 100) for die in make_table(12, index).dice]
    for a, b in combinations(hulls, 2):
        assert cv2.intersectConvexConvex(a, b)[0] < 0.02 * cv2.contourArea(a)


def test_perudo_evaluate_reads_the_labels(scene: TracedScene, tmp_path: Path) -> None:
    view = scene.view
    die_map = np.full((view.height, view.width), -1, np.int32)
    for k, die in enumerate(scene.dice):
        cv2.fillConvexPoly(die_map, cv2.convexHull(view.project(die.mesh.points)).astype(np.int32), k)
    frame = np.full((*die_map.shape, 3), 128, np.uint8)
    frame[die_map == 0] = 255
    frame[die_map == 1] = 20
    stuff = np.full((*die_map.shape, 3), 0.1, np.float32)
    path = tmp_path / "labels.json"
    path.write_text(json.dumps({"a.jpg": label_entry(scene, die_map.astype(np.int64), frame, stuff)}), encoding="utf-8")
    truth = load_labels(path)["a.jpg"]
    assert truth.conditions["players"] == scene.conditions["players"]
    assert truth.labels[0].ignore  # wiped out by glare
    assert truth.labels[1].ignore  # lost in the dark
    assert not any(label.ignore for label in truth.labels[2:])
    for label, die in zip(truth.labels, scene.dice, strict=True):
        assert label.ignore or (label.face, label.colour) == (die.face, die.colour)


def test_white_pixels_without_a_white_surface_are_glare() -> None:
    frame = np.full((2, 2, 3), 255, np.uint8)
    frame[1] = 100
    stuff = np.array([[[0.9, 0.9, 0.9], [0.5, 0.1, 0.1]]] * 2, np.float32)
    assert burnt_out(frame, stuff).tolist() == [[False, True], [False, False]]


def test_a_picture_is_neither_too_dark_nor_too_bright(scene: TracedScene) -> None:
    rng = np.random.default_rng(1)
    for strength in (0.5, 1.0, 50.0):
        light = (rng.uniform(0.2, 0.8, (60, 80, 3)) * strength).astype(np.float32)
        frame = develop(light, scene.response)
        assert 25 < frame.mean() < 215
        assert np.array_equal(frame, develop(light, scene.response))
    assert encode(frame, scene.response)[:2] == b"\xff\xd8"


def test_mitsuba_shows_each_die_where_its_label_is(scene: TracedScene) -> None:
    pytest.importorskip("mitsuba", reason="Mitsuba 3 (extra train) is not installed")
    from vision.training.traced.render import render

    view = replace(scene.view, width=int(scene.view.width * 0.4), height=int(scene.view.height * 0.4))
    small = replace(scene, view=view)
    rendered = render(small, 4, 1)
    assert rendered.light.shape == (small.view.height, small.view.width, 3)
    visible = 0
    for k, die in enumerate(small.dice):
        outline = np.zeros(rendered.die.shape, np.uint8)
        cv2.fillConvexPoly(outline, cv2.convexHull(small.view.project(die.mesh.points)).astype(np.int32), 1)
        mine = rendered.die == k
        assert not (mine & (cv2.dilate(outline, np.ones((3, 3), np.uint8)) == 0)).any()
        visible += mine.sum() > 0.8 * outline.sum()
    assert visible > len(small.dice) / 2


@pytest.mark.parametrize("index", range(3))
def test_a_crowded_table_is_full_and_leaves_out_what_is_reserved_for_measuring(index: int) -> None:
    crowd = make_crowd(5, index)
    assert len(crowd.dice) > 20
    assert not {die.emblem for die in crowd.dice} & set(PACOS)
    for die in crowd.dice:
        assert die.mesh.points[:, 2].min() == pytest.approx(0, abs=0.2)
    again = make_crowd(5, index)
    assert [(die.face, die.colour) for die in again.dice] == [(die.face, die.colour) for die in crowd.dice]


@pytest.mark.parametrize("faces", [4, 8, 10, 12, 20])
def test_a_polyhedron_is_convex_and_lies_on_one_of_its_faces(faces: int) -> None:
    solid = polyhedron_mesh(faces, 20)
    flat, first = np.unique(np.round(solid.normals, 3), axis=0, return_index=True)
    assert len(flat) == faces
    for normal, corner in zip(solid.normals[first], solid.points[first], strict=True):
        assert ((solid.points - corner) @ normal).max() < 0.05
    assert solid.points[:, 2].min() == pytest.approx(0, abs=1e-3)
    assert (solid.points[:, 2] < 1e-2).sum() >= 3
    a, b, c = (solid.points[solid.triangles[:, k]] for k in range(3))
    assert (np.cross(b - a, c - a) * solid.normals[solid.triangles[:, 0]]).sum(1).min() > 0
    assert 0 <= solid.uv.min() <= solid.uv.max() <= 1


def test_each_face_of_a_polyhedron_has_its_number() -> None:
    picture = number_atlas(20, np.full(3, 0.05), np.full(3, 0.9), np.random.default_rng(1))
    cells = [picture[128 * j : 128 * j + 128, 128 * i : 128 * i + 128] for j in range(4) for i in range(5)]
    assert all(0.01 < (cell.mean(-1) > 0.5).mean() < 0.5 for cell in cells)


@pytest.mark.parametrize("make", ODDMENTS, ids=lambda make: make.__name__)
def test_oddments_stand_on_the_table_within_their_reach(make: Callable[[np.random.Generator], clutter.Thing]) -> None:
    for seed in range(4):
        thing = make(np.random.default_rng(seed))
        points = np.concatenate([part.mesh.points for part in thing.parts])
        assert -1 < points[:, 2].min() < 0.5
        assert np.hypot(points[:, 0], points[:, 1]).max() < 2 * thing.reach


def test_a_table_of_things_has_no_dice_and_repeats() -> None:
    table, again = make_thing_table(3, 1), make_thing_table(3, 1)
    assert not table.dice
    assert len(table.parts) > 5
    assert all(np.array_equal(a.mesh.points, b.mesh.points) for a, b in zip(table.parts, again.parts, strict=True))
