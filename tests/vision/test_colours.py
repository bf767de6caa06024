"""A table's own palette says whose a die is where its light would mislead."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.palette import COLOURS
from calibration.profile import Profile
from vision.colours import body_colour, weigh_palette
from vision.cut import cut
from vision.find import find
from vision.networks import Networks, Spot
from vision.reader import Reader
from vision.sight import Sight
from vision.synthetic.table import SceneDie, TableScene, render_table

MADE = "2026-01-01T12:00:00+00:00"
COLOURED = ("orange", "yellow", "blue", "purple")
ROWS = {colour: 60 * k - 90 for k, colour in enumerate(COLOURED)}


def under_a_red_lamp() -> np.ndarray:
    """Four rows of dice, a row a colour, in the light of something like a neon sign."""
    dice = tuple(SceneDie(50 * k - 75, y, 0.3 * k, k + 2, colour) for colour, y in ROWS.items() for k in range(4))
    frame = render_table(TableScene(dice)).astype(np.float32) / 255
    return np.asarray(np.clip(frame * (0.35, 0.6, 1.0), 0, 1) * 255, np.uint8)


@pytest.fixture(scope="module")
def palette() -> dict[str, tuple[float, float, float]]:
    """Measured as calibration does: the first die of each row."""
    frame = under_a_red_lamp()
    spots = [s for s in find(Sight(frame, Networks())) if s.score > 0.3]
    per_mm = frame.shape[1] / 620
    found = {}
    for colour, y in ROWS.items():
        x, v = frame.shape[1] / 2 - 75 * per_mm, frame.shape[0] / 2 + y * per_mm
        spot = min(spots, key=lambda s: (s.x - x) ** 2 + (s.y - v) ** 2)
        assert (spot.x - x) ** 2 + (spot.y - v) ** 2 < spot.w**2
        found[colour] = body_colour(cut(frame, spot))
    return found


def test_with_a_palette_every_die_is_its_owners(palette: dict[str, tuple[float, float, float]]) -> None:
    reading = Reader.load(Profile("sitting room", MADE, palette=palette)).read(under_a_red_lamp())
    counted = {colour: sum(die.colour == colour for die in reading.dice) for colour in COLOURED}
    assert counted == dict.fromkeys(COLOURED, 4)


def test_a_die_far_from_all_of_the_palette_keeps_the_name_the_networks_gave_it() -> None:
    named = np.full(8, 0.02, np.float32)
    named[COLOURS.index("white")] = 0.86
    near = {"red": (40.0, 55.0, 35.0), "blue": (30.0, 10.0, -45.0)}
    assert weigh_palette(named, (90.0, 0.0, 4.0), near)[COLOURS.index("white")] == pytest.approx(0.86)
    assert COLOURS[int(np.argmax(weigh_palette(named, (38.0, 50.0, 30.0), near)))] == "red"


def test_a_white_die_is_not_black_because_black_was_learned_and_white_was_not() -> None:
    named = np.full(8, 0.02 / 7, np.float32)
    named[COLOURS.index("white")] = 0.98
    weighed = weigh_palette(named, (93.0, 0.0, 4.0), {"red": (40.0, 55.0, 35.0), "black": (12.0, 0.0, 0.0)})
    assert COLOURS[int(np.argmax(weighed))] == "white"


def test_one_colour_alone_is_no_palette() -> None:
    named = np.full(8, 0.125, np.float32)
    assert weigh_palette(named, (40.0, 55.0, 35.0), {"red": (40.0, 55.0, 35.0)}) is named


def test_pips_do_not_change_the_bodys_colour() -> None:
    frame = np.zeros((100, 100, 3), np.uint8)
    frame[:] = (40, 60, 200)
    for x in (38, 62):
        for y in (36, 50, 64):
            cv2.circle(frame, (x, y), 6, (240, 240, 240), -1)
    plain = np.full_like(frame, (40, 60, 200))
    spot = Spot(50, 50, 70, 70, 1.0, np.full(6, 1 / 6, np.float32), np.full(8, 1 / 8, np.float32))
    assert np.allclose(body_colour(cut(frame, spot)), body_colour(cut(plain, spot)), atol=2)
