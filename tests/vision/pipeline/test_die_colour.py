"""A table's own palette tells whose a die is even in misleading light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.palette import COLOURS
from calibration.profile import Profile
from vision.drawn.table_scene import SceneDie, TableScene, render_table
from vision.models.networks import Detection, Networks
from vision.pipeline.crop import crop_die
from vision.pipeline.detect import detect_dice
from vision.pipeline.die_colour import apply_other_dice, apply_palette, body_colour, palette_of
from vision.pipeline.frame_inference import FrameInference
from vision.reader import Reader

MADE = "2026-01-01T12:00:00+00:00"
COLOURED = ("orange", "yellow", "blue", "purple")
ROWS = {colour: 60 * k - 90 for k, colour in enumerate(COLOURED)}


def under_a_red_lamp() -> np.ndarray:
    """Four rows of dice, one for each colour, in light like that of a neon sign."""
    dice = tuple(SceneDie(50 * k - 75, y, 0.3 * k, k + 2, colour) for colour, y in ROWS.items() for k in range(4))
    frame = render_table(TableScene(dice)).astype(np.float32) / 255
    return np.asarray(np.clip(frame * (0.35, 0.6, 1.0), 0, 1) * 255, np.uint8)


@pytest.fixture(scope="module")
def palette() -> dict[str, tuple[float, float, float]]:
    """Measured as calibration does: the first die of each row."""
    frame = under_a_red_lamp()
    detections = [s for s in detect_dice(FrameInference(frame, Networks())) if s.score > 0.3]
    per_mm = frame.shape[1] / 620
    bodies = {}
    for colour, y in ROWS.items():
        x, v = frame.shape[1] / 2 - 75 * per_mm, frame.shape[0] / 2 + y * per_mm
        spot = min(detections, key=lambda s: (s.x - x) ** 2 + (s.y - v) ** 2)
        assert (spot.x - x) ** 2 + (spot.y - v) ** 2 < spot.w**2
        bodies[colour] = body_colour(crop_die(frame, spot.box))
    return bodies


def test_with_a_palette_every_die_has_its_owners_colour(palette: dict[str, tuple[float, float, float]]) -> None:
    reading = Reader.load(Profile("sitting room", MADE, palette=palette)).read(under_a_red_lamp())
    counts = {colour: sum(die.colour == colour for die in reading.dice) for colour in COLOURED}
    assert counts == dict.fromkeys(COLOURED, 4)
    learned = Reader.load().with_palette(palette_of(reading.dice)).read(under_a_red_lamp())
    assert [die.colour for die in learned.dice] == [die.colour for die in reading.dice], "as after a judged reveal"


def test_a_die_far_from_the_whole_palette_keeps_the_colour_of_the_networks() -> None:
    named = np.full(8, 0.02, np.float32)
    named[COLOURS.index("white")] = 0.86
    near = {"red": (40.0, 55.0, 35.0), "blue": (30.0, 10.0, -45.0)}
    assert apply_palette(named, (90.0, 0.0, 4.0), near)[COLOURS.index("white")] == pytest.approx(0.86)
    assert COLOURS[int(np.argmax(apply_palette(named, (38.0, 50.0, 30.0), near)))] == "red"


def test_a_white_die_is_not_called_black_when_only_black_was_learned() -> None:
    named = np.full(8, 0.02 / 7, np.float32)
    named[COLOURS.index("white")] = 0.98
    weighed = apply_palette(named, (93.0, 0.0, 4.0), {"red": (40.0, 55.0, 35.0), "black": (12.0, 0.0, 0.0)})
    assert COLOURS[int(np.argmax(weighed))] == "white"


def test_one_colour_alone_is_no_palette() -> None:
    named = np.full(8, 0.125, np.float32)
    assert apply_palette(named, (40.0, 55.0, 35.0), {"red": (40.0, 55.0, 35.0)}) is named


def test_pips_do_not_change_the_bodys_colour() -> None:
    frame = np.zeros((100, 100, 3), np.uint8)
    frame[:] = (40, 60, 200)
    for x in (38, 62):
        for y in (36, 50, 64):
            cv2.circle(frame, (x, y), 6, (240, 240, 240), -1)
    plain = np.full_like(frame, (40, 60, 200))
    spot = Detection(50, 50, 70, 70, 1.0, np.full(6, 1 / 6, np.float32), np.full(8, 1 / 8, np.float32))
    assert np.allclose(body_colour(crop_die(frame, spot.box)), body_colour(crop_die(plain, spot.box)), atol=2)


def chances(**named: float) -> np.ndarray:
    row = np.full(8, (1 - sum(named.values())) / (8 - len(named)), np.float32)
    for colour, chance in named.items():
        row[COLOURS.index(colour)] = chance
    return row


ORANGE, YELLOW = (62.0, 30.0, 60.0), (80.0, 5.0, 70.0)
UNDER_A_WARM_LAMP = np.stack(
    [chances(orange=0.8, yellow=0.18)] * 2 + [chances(yellow=0.55, orange=0.43)] * 3 + [chances(yellow=0.9)] * 2
)
BODIES = np.array([ORANGE] * 5 + [YELLOW] * 2, np.float32) + np.linspace(-1, 1, 7, dtype=np.float32)[:, None]


def names(weighed: np.ndarray) -> list[str]:
    return [COLOURS[k] for k in weighed.argmax(1).tolist()]


def test_dice_of_equal_bodies_get_one_colour_where_the_networks_waver() -> None:
    weighed = apply_other_dice(UNDER_A_WARM_LAMP, BODIES, np.ones(7, np.float32))
    assert names(weighed) == ["orange"] * 5 + ["yellow"] * 2
    assert np.allclose(weighed.sum(1), 1, atol=1e-5)


@given(order=st.permutations(range(7)))
def test_the_order_of_the_dice_changes_no_colour(order: list[int]) -> None:
    once = apply_other_dice(UNDER_A_WARM_LAMP, BODIES, np.ones(7, np.float32))
    again = apply_other_dice(UNDER_A_WARM_LAMP[order], BODIES[order], np.ones(7, np.float32))
    assert np.allclose(again, once[order], atol=1e-4)


@pytest.mark.parametrize("colour", COLOURS)
def test_a_single_die_keeps_the_colour_of_the_networks(colour: str) -> None:
    assert names(apply_other_dice(chances(**{colour: 0.6})[None], np.array([ORANGE]), np.ones(1, np.float32))) == [
        colour
    ]


def test_a_die_of_certain_colour_is_not_outvoted_by_similar_ones() -> None:
    named = np.stack([chances(orange=0.97)] * 5 + [chances(yellow=0.995)])
    bodies = np.array([ORANGE] * 5 + [(66.0, 24.0, 62.0)], np.float32)
    assert names(apply_other_dice(named, bodies, np.ones(6, np.float32)))[-1] == "yellow"


def test_a_doubtful_die_has_no_influence_on_colours() -> None:
    named = np.stack([chances(orange=0.6, yellow=0.38), *[chances(yellow=0.99)] * 4])
    bodies = np.array([ORANGE] * 5, np.float32)
    sure = np.array([1, 0, 0, 0, 0], np.float32)
    assert names(apply_other_dice(named, bodies, sure))[0] == "orange"
