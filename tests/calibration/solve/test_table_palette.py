"""A palette learned from one die of each player or from a roll, and the advice about similar colours."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.grade import Grade, summary
from calibration.image import Image
from calibration.palette import COLOURS, SEAT_COLOURS, SRGB
from calibration.solve import table_palette
from calibration.solve.table_palette import ColourSample, TablePalette, learn_palette
from companion.messages.message import Message
from vision.pipeline import die_colour as reading
from vision.pipeline.crop import crop_die

SIZE = 40
FELT = (60, 90, 60)


def laid(
    *dice: tuple[str, tuple[int, int, int]], light: tuple[float, float, float] = (1, 1, 1), felt: object = FELT
) -> tuple[Image, list[ColourSample]]:
    """Dice of these sRGB colours in a row on felt, with three white pips each, under a lamp of this colour."""
    image = np.empty((120, 80 * len(dice) + 40, 3), np.float32)
    image[:] = felt
    marked = []
    for n, (colour, rgb) in enumerate(dice):
        x, y = 40 + 80 * n, 40
        image[y : y + SIZE, x : x + SIZE] = rgb
        for k in (10, 20, 30):
            cv2.circle(image, (x + k, y + k), 4, (235.0, 235.0, 235.0) if sum(rgb) < 500 else (20.0, 20.0, 20.0), -1)
        marked.append(ColourSample((float(x), float(y), float(SIZE), float(SIZE)), colour))
    rng = np.random.default_rng(0)
    lit = image * np.array(light, np.float32) + rng.normal(0, 2, image.shape)
    return np.clip(lit[:, :, ::-1], 0, 255).astype(np.uint8), marked


def box_of(colours: tuple[str, ...] = SEAT_COLOURS) -> list[tuple[str, tuple[int, int, int]]]:
    return [(colour, SRGB[colour]) for colour in colours]


def test_one_die_of_each_player_gives_a_palette() -> None:
    image, dice = laid(*box_of())
    learned = learn_palette(image, dice, SEAT_COLOURS)
    assert tuple(learned.palette) == SEAT_COLOURS
    assert learned.findings == ()
    assert learned.palette["red"][1] > 40
    assert learned.palette["blue"][2] < -20


def test_black_and_white_dice_are_distinguished_from_all_others() -> None:
    image, dice = laid(*box_of(COLOURS))
    learned = learn_palette(image, dice)
    assert worst(learned) is Grade.GOOD
    assert learned.palette["black"][0] < 20
    assert learned.palette["white"][0] > 85


@settings(max_examples=20, deadline=None)
@given(lamp=st.tuples(st.floats(0.75, 1.0), st.floats(0.65, 1.0), st.floats(0.5, 1.0)))
def test_with_the_palette_the_reader_names_every_die_right_under_any_lamp(lamp: tuple[float, float, float]) -> None:
    """Even if the networks are undecided (eight equal chances)."""
    image, dice = laid(*box_of(), light=lamp)
    learned = learn_palette(image, dice)
    for die in dice:
        guess = reading.apply_palette(
            np.full(len(COLOURS), 1 / len(COLOURS), np.float32),
            table_palette.body_colour(image, die.box),
            learned.palette,
        )
        assert COLOURS[int(np.argmax(guess))] == die.colour


def test_learning_measures_colours_as_the_reader_does() -> None:
    from vision.models.networks import Detection

    assert table_palette.SPREAD == reading._LAB_SCALE
    image, dice = laid(*box_of())
    for die in dice:
        x, y, w, h = die.box
        spot = Detection(x + w / 2, y + h / 2, w, h, 1.0, np.zeros(6, np.float32), np.zeros(8, np.float32))
        assert (
            table_palette.colour_distance(
                table_palette.body_colour(image, die.box), reading.body_colour(crop_die(image, spot.box))
            )
            < 0.3
        )


def worst(learned: TablePalette) -> Grade:
    return summary(learned.findings, Message(""))[1]


def sentences(learned: TablePalette, what: str) -> str:
    return next(str(each.sentence) for each in learned.findings if each.what == what)


def test_players_with_indistinguishable_colours_are_named_with_advice() -> None:
    image, dice = laid(("blue", (24, 70, 170)), ("purple", (32, 68, 168)), ("red", (190, 28, 34)))
    learned = learn_palette(image, dice)
    assert worst(learned) is Grade.BAD
    assert sentences(learned, "apart").startswith("Under this light I cannot tell blue and purple apart")
    assert "whiter lamp" in sentences(learned, "apart")


def test_similar_colours_are_usable() -> None:
    image, dice = laid(("orange", (235, 110, 20)), ("yellow", (235, 133, 20)))
    learned = learn_palette(image, dice)
    assert (worst(learned), "much alike" in sentences(learned, "apart")) == (Grade.USABLE, True)


def test_a_misnamed_die_of_an_opening_roll_is_left_out() -> None:
    roll = [("red", SRGB["red"])] * 4 + [("red", SRGB["yellow"])] + [("yellow", SRGB["yellow"])] * 5
    image, dice = laid(*roll)
    learned = learn_palette(image, dice)
    alone = learn_palette(*laid(("red", SRGB["red"]), ("yellow", SRGB["yellow"])))
    assert table_palette.colour_distance(learned.palette["red"], alone.palette["red"]) < 0.3
    assert learned.counts == {"red": 5, "yellow": 5}
    assert "do not look alike" in sentences(learned, "even")


def test_a_missing_colour_is_reported() -> None:
    image, dice = laid(*box_of(("red", "green")))
    learned = learn_palette(image, dice, ("red", "green", "blue"))
    assert "blue" not in learned.palette
    assert sentences(learned, "missing") == "I do not see a blue die: put one there."


def test_dark_and_burnt_out_dice_are_reported() -> None:
    image, dice = laid(("green", (6, 14, 8)), ("white", (255, 255, 255)), felt=(90, 60, 60))
    learned = learn_palette(image, dice)
    assert "bring a lamp" in sentences(learned, "dark")
    assert "dim the lamp" in sentences(learned, "bright")


def test_dice_of_the_colour_of_the_cloth_are_reported() -> None:
    image, dice = laid(("green", (62, 92, 61)), ("red", SRGB["red"]))
    assert "hardly stand out" in sentences(learn_palette(image, dice), "cloth")


def test_a_box_outside_the_picture_and_a_colour_of_no_die_are_refused() -> None:
    image, dice = laid(*box_of())
    with pytest.raises(ValueError, match="outside"):
        learn_palette(image, [ColourSample((5000.0, 10.0, 40.0, 40.0), "red")])
    with pytest.raises(ValueError, match="pink"):
        learn_palette(image, [ColourSample(dice[0].box, "pink")])
