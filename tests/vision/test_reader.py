"""The reader on frames drawn by the project; real photographs are in test_photos.py."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import cv2
import numpy as np
import pytest

from calibration.image import Image, halved
from calibration.palette import SEAT_COLOURS
from vision.drawn.table_scene import SceneCup, SceneDie, SceneHand, TableScene, render_table
from vision.overlay import draw_overlay
from vision.patch import likeness
from vision.reader import FrameError, Reader
from vision.reading import Die, Reading
from vision.training.thing_scene import make_thing_scene

SEATS = ((-200, -120), (0, -130), (200, -120), (200, 120), (0, 130), (-200, 120))


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load()


def throw(seed: int, players: int = 6) -> tuple[SceneDie, ...]:
    """Five dice for each player, near the seats."""
    rng = np.random.default_rng(seed)
    dice = []
    for colour, (x, y) in list(zip(SEAT_COLOURS, SEATS, strict=True))[:players]:
        for k in range(5):
            dx, dy = 27 * (k % 3) - 27, 28 * (k // 3) - 14
            jitter = rng.uniform(-3, 3, 2)
            dice.append(
                SceneDie(x + dx + jitter[0], y + dy + jitter[1], rng.uniform(0, 6.28), int(rng.integers(1, 7)), colour)
            )
    return tuple(dice)


def says(reading: Reading) -> list[tuple[str, int]]:
    return sorted((d.colour, d.face) for d in reading.dice)


def test_thirty_dice_of_six_colours_are_read(reader: Reader) -> None:
    dice = throw(0)
    reading = reader.read(render_table(TableScene(dice)))
    assert says(reading) == sorted((d.colour, d.face) for d in dice)
    assert sum(d.uncertain for d in reading.dice) <= 1


@pytest.mark.parametrize("cloth", [(38, 66, 58), (120, 85, 55), (200, 198, 190), (30, 30, 34), (150, 30, 35)])
def test_the_cloth_does_not_matter(reader: Reader, cloth: tuple[int, int, int]) -> None:
    dice = throw(9, players=3)
    reading = reader.read(render_table(TableScene(dice, cloth=cloth)))
    assert says(reading) == sorted((d.colour, d.face) for d in dice)


def test_cups_and_hands_are_no_dice(reader: Reader) -> None:
    cups = tuple(SceneCup(x, y, colour) for colour, (x, y) in zip(SEAT_COLOURS, SEATS, strict=True))
    hand = (SceneHand(20, 0, 1.0),)
    assert reader.read(render_table(TableScene(throw(1), cups, hand))).dice == ()


@pytest.mark.parametrize("index", [4, 6])
def test_no_plug_key_domino_or_button_is_surely_a_die(reader: Reader, index: int) -> None:
    frame, _ = make_thing_scene(521, index)  # each has five or six things that are like dice from near
    read = reader.read(frame).dice
    assert len(read) >= 5
    assert all(die.uncertain for die in read)


def test_a_closer_look_finds_more_of_what_may_be_a_die_and_changes_no_other(reader: Reader) -> None:
    dice = tuple(SceneDie(-120 + 60 * k, 0, 0.3 * k, k + 1, "red") for k in range(4))
    hidden = SceneDie(60, 110, 0.4, 5, "red")
    bare, full = (render_table(TableScene(shown), (1280, 960)) for shown in (dice, (*dice, hidden)))
    more = 0
    for covered in (34, 35, 36):  # pixels, of some 50
        frame = full.copy()
        frame[677:737, 734 : 734 + covered] = bare[677:737, 734 : 734 + covered]
        once, closely = reader.read(frame), reader.read(frame, closely=True)
        assert says(closely) == says(once)
        more += len(closely.faint) - len(once.faint)
        assert all(abs(die.centre[0] - 764) < 25 and abs(die.centre[1] - 707) < 25 for die in closely.faint)
    assert more > 0


def test_an_empty_table_has_no_dice(reader: Reader) -> None:
    assert reader.read(render_table(TableScene())).dice == ()


@pytest.mark.parametrize("shape", [(1, 1), (3, 500), (17, 16), (64, 64)])
@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_frame_of_one_grey_of_any_size_has_no_dice(reader: Reader, shape: tuple[int, int], level: int) -> None:
    frame = np.full((*shape, 3), level, np.uint8)
    reading = reader.read(frame)
    assert reading.dice == ()
    assert (reading.height, reading.width) == shape


def test_the_same_frame_gives_the_same_reading(reader: Reader) -> None:
    frame = render_table(TableScene(throw(2, players=2)))
    assert reader.read(frame).dice == reader.read(frame).dice


@pytest.mark.parametrize("size", [(800, 600), (1920, 1440), (2592, 1944)])
def test_the_resolution_of_the_camera_does_not_matter(reader: Reader, size: tuple[int, int]) -> None:
    dice = throw(3, players=2)
    reading = reader.read(render_table(TableScene(dice), size))
    assert says(reading) == sorted((d.colour, d.face) for d in dice)


def test_small_dice_are_read_surer_from_all_the_pixels_there_are(reader: Reader) -> None:
    dice = throw(2)
    whole = render_table(TableScene(dice), (720, 540))
    half = halved(whole)
    few, all_pixels = reader.read(half), reader.read(half, whole=whole)
    assert says(all_pixels) == sorted((die.colour, die.face) for die in dice)
    assert (all_pixels.width, all_pixels.height) == (360, 270)
    assert min(die.confidence for die in all_pixels.dice) > min(die.confidence for die in few.dice)


def test_the_overlay_draws_on_a_copy(reader: Reader) -> None:
    frame = render_table(TableScene(throw(4, players=1)))
    before = frame.copy()
    overlay = draw_overlay(frame, reader.read(frame))
    assert np.array_equal(frame, before)
    assert overlay.shape == frame.shape
    assert not np.array_equal(overlay, frame)


@pytest.mark.parametrize(
    ("shape", "kind"),
    [((4, 6), np.uint8), ((4, 6, 1), np.uint8), ((4, 6, 4), np.uint8), ((4, 6, 3), np.float32), ((0, 6, 3), np.uint8)],
)
def test_an_array_that_is_no_colour_frame_is_refused(reader: Reader, shape: tuple[int, ...], kind: type) -> None:
    with pytest.raises(FrameError, match="a frame is height x width x 3"):
        reader.read(np.zeros(shape, kind))


def test_a_die_cut_off_by_the_frame_is_never_sure(reader: Reader) -> None:
    frame = render_table(TableScene((SceneDie(0, 0, 0.4, 5, "red"), SceneDie(120, 0, 0.4, 6, "green"))))
    left = round(640 - 0.2 * 16 * 1280 / 620)  # a fifth of the red die's width is left of its middle
    reading = reader.read(np.ascontiguousarray(frame[:, left:]))
    green = [die for die in reading.dice if die.colour == "green"]
    assert [(die.face, die.uncertain) for die in green] == [(6, False)]
    assert all(die.uncertain for die in reading.dice if die not in green)


@pytest.mark.parametrize(("left", "uncertain"), [(-1.0, True), (6.0, False)])
def test_what_is_left_of_a_die_at_the_edge_is_no_smaller_die(
    reader: Reader, monkeypatch: pytest.MonkeyPatch, left: float, uncertain: bool
) -> None:
    whole = Die(5, "green", (200.0, 100.0, 30.0, 30.0), 0.99, there=0.999, if_there=0.99)
    rest = replace(whole, face=1, box=(left, 100.0, 23.0, 23.0))
    monkeypatch.setattr(reader, "candidates", lambda *_, **__: [(whole, ()), (whole, ()), (rest, ())])
    dice = reader.read(np.zeros((300, 400, 3), np.uint8)).dice
    assert [die.uncertain for die in dice] == [False, False, uncertain]


@pytest.mark.parametrize(
    ("away", "if_there", "kept"), [(24.0, 0.97, True), (24.0, 0.6, False), (20.0, 0.97, False), (27.0, 0.6, True)]
)
def test_beside_a_die_only_what_shows_a_face_clearly_may_be_one_that_touches_it(
    reader: Reader, monkeypatch: pytest.MonkeyPatch, away: float, if_there: float, kept: bool
) -> None:
    """Else it is the side of that die."""
    die = Die(5, "green", (200.0, 100.0, 30.0, 30.0), 0.99, there=0.999, if_there=0.99)
    beside = replace(die, box=(200.0 + away, 100.0, 30.0, 30.0), confidence=0.1, there=0.2, if_there=if_there)
    monkeypatch.setattr(reader, "candidates", lambda *_, **__: [(die, ()), (beside, ())])
    assert len(reader.read(np.zeros((300, 400, 3), np.uint8)).faint) == kept


def test_a_die_with_the_reflection_of_a_lamp_on_its_pips_is_asked_about(reader: Reader) -> None:
    """A hidden pip makes a two of a three, which looks whole."""
    frame = render_table(TableScene((SceneDie(0, 0, 0.0, 3, "yellow"), SceneDie(120, 0, 0.4, 6, "green"))))
    (three,) = (die for die in reader.read(frame).dice if die.colour == "yellow")
    x, y, width, _ = three.box
    corner = round(x + 0.3 * width), round(y + 0.3 * width)
    cv2.circle(frame, corner, round(0.19 * width), (255, 255, 255), -1, cv2.LINE_AA)
    assert [(die.face, die.uncertain) for die in reader.read(frame).dice if die.colour == "green"] == [(6, False)]
    assert all(die.uncertain for die in reader.read(frame).dice if die.colour == "yellow")


def test_a_face_of_a_few_pixels_is_never_sure(reader: Reader) -> None:
    frame = render_table(TableScene(throw(1)))
    for share in (0.35, 0.25, 0.2):
        small = np.asarray(cv2.resize(frame, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8)
        assert all(die.uncertain for die in reader.read(small).dice if max(die.box[2:]) < 10)


@pytest.mark.parametrize("sigma", [0.5, 2.0, 3.0])
def test_any_reading_can_be_saved_as_text_however_doubtful(reader: Reader, sigma: float) -> None:
    frame = np.asarray(cv2.GaussianBlur(render_table(TableScene(throw(1))), (0, 0), sigma), np.uint8)
    dice = [asdict(die) | {"uncertain": die.uncertain} for die in reader.read(frame).dice]
    assert dice
    assert json.loads(json.dumps(dice, allow_nan=False))[0]["face"] == dice[0]["face"]


def later(dice: tuple[SceneDie, ...], shift: tuple[int, int] = (0, 0), seed: int = 1) -> Image:
    """Another frame of a still table: noise, and a mast that sways."""
    image = np.roll(render_table(TableScene(dice)), shift, (0, 1)).astype(np.float32)
    return np.clip(image + np.random.default_rng(seed).normal(0, 3, image.shape), 0, 255).astype(np.uint8)


THROWN = throw(3)


@pytest.fixture(scope="module")
def before(reader: Reader) -> tuple[Reading, Image]:
    """`THROWN`, and what was read of it."""
    image = later(THROWN)
    return reader.read(image), image


@pytest.mark.parametrize("shift", [(0, 0), (-5, 9)])
def test_a_later_frame_confirms_a_reading(
    reader: Reader, before: tuple[Reading, Image], shift: tuple[int, int]
) -> None:
    assert reader.confirms(*before, later(THROWN, shift, seed=2))


@pytest.mark.parametrize("number", range(0, 30, 5))
def test_one_die_that_shows_another_face_does_not(reader: Reader, before: tuple[Reading, Image], number: int) -> None:
    turned = tuple(replace(die, face=die.face % 6 + 1) if n == number else die for n, die in enumerate(THROWN))
    assert not reader.confirms(*before, later(turned, seed=2))


def test_nor_does_one_that_is_gone(reader: Reader, before: tuple[Reading, Image]) -> None:
    assert not reader.confirms(*before, later(THROWN[1:], seed=2))


def test_a_glint_that_leaves_the_face_to_be_seen_does(reader: Reader) -> None:
    dice = (SceneDie(-60, 0, 0.2, 5, "red"), SceneDie(60, 0, 0.4, 3, "blue"))
    image = later(dice)
    glint = later(dice, seed=2)
    cv2.circle(glint, (640 - round(60 * 1280 / 620) + 16, 480 - 16), 6, (255, 255, 255), -1)
    reading = reader.read(image)
    red = next(die for die in reading.dice if die.colour == "red")
    assert (likeness(image, glint, red.box, 2.0) or 0.0) < 0.9
    assert reader.confirms(reading, image, glint)


def test_nor_does_a_die_of_which_the_frame_shows_nothing(reader: Reader, before: tuple[Reading, Image]) -> None:
    """Rectifying can put a box at the edge outside the frame."""
    reading, image = before
    outside = replace(reading.dice[0], box=(-200.0, 300.0, 60.0, 60.0))
    assert not reader.confirms(replace(reading, dice=(*reading.dice[1:], outside)), image, image)
