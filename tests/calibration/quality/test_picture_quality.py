"""Whether the picture is sharp, bright enough, free of glare and even; and the advice if it is not."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.grade import Grade, summary
from calibration.image import Image, grey_of
from calibration.quality.picture_quality import even, glare, lacks_colour, light, picture_findings, sharp
from calibration.sharpness import edge_width
from calibration.sheet.sighting import find_sheet
from companion.messages.message import Message
from tests.calibration.rendered import Eye, Pose


def cloth(width: int = 960, level: float = 120, seed: int = 0) -> Image:
    """A table with objects on it: discs and bars with sharp edges."""
    rng = np.random.default_rng(seed)
    image = np.full((width * 9 // 16, width, 3), level, np.uint8)
    for _ in range(80):
        x, y = int(rng.integers(0, width)), int(rng.integers(0, width * 9 // 16))
        shade = tuple(int(n) for n in rng.integers(10, 230, 3))
        cv2.circle(image, (x, y), int(rng.integers(5, 25)), shade, -1, cv2.LINE_AA)
    return np.clip(image + rng.normal(0, 2, image.shape), 0, 255).astype(np.uint8)


def edges(sigma: float, low: float, high: float) -> Image:
    """Bars in all directions, blurred by so much."""
    rows, columns = np.mgrid[0:240, 0:240]
    angle = np.arctan2(rows - 119.5, columns - 119.5)
    sharp = np.where(np.sin(8 * angle) > 0, high, low).astype(np.float32)
    return np.clip(np.asarray(cv2.GaussianBlur(sharp, (0, 0), sigma)), 0, 255).astype(np.uint8)


@settings(max_examples=25, deadline=None)
@given(sigma=st.floats(0.8, 3.0), low=st.floats(5, 60), contrast=st.floats(60, 190))
def test_the_blur_in_pixels_depends_on_no_brightness_or_contrast(sigma: float, low: float, contrast: float) -> None:
    judgement = edge_width(edges(sigma, low, low + contrast))
    assert judgement == pytest.approx(sigma, rel=0.2, abs=0.2)


def test_the_same_table_in_a_dim_room_is_as_sharp_as_in_a_bright_one() -> None:
    image = cloth()
    dim = (image * 0.4).astype(np.uint8)
    one, other = edge_width(grey_of(image), 0.2), edge_width(grey_of(dim), 0.2)
    assert other == pytest.approx(one, rel=0.4)


@pytest.mark.parametrize(("blur", "grade"), [(0.0, Grade.GOOD), (1.0, Grade.USABLE), (2.5, Grade.BAD)])
def test_sharpness_is_judged_by_the_width_of_a_die(blur: float, grade: Grade) -> None:
    """A die of 16 pixels, a picture 960 pixels wide."""
    image = cloth()
    blurred = cv2.GaussianBlur(image, (0, 0), blur) if blur else image
    judgement = sharp(grey_of(np.asarray(blurred, np.uint8)))
    assert judgement.grade is grade
    large = sharp(grey_of(np.asarray(blurred, np.uint8)), dice=[(400.0, 200.0, 150.0, 150.0)])
    assert large.grade is Grade.GOOD


def test_with_the_sheet_sharpness_is_measured_on_it() -> None:
    eye = Eye(1152, 648, 846.0, blur=2.2)
    image = eye.sheet(Pose(0, 0, 400))
    sheet = find_sheet(image)
    assert sheet is not None
    assert sharp(grey_of(image), sheet).grade is Grade.BAD


def test_without_any_edge_it_says_what_it_needs() -> None:
    judgement = sharp(np.full((360, 640), 120, np.uint8))
    assert judgement.grade is Grade.USABLE
    assert math.isnan(edge_width(np.full((360, 640), 120, np.uint8)))
    assert "put the sheet or a few dice" in judgement.sentence


@pytest.mark.parametrize(
    ("level", "grade", "words"),
    [(20, Grade.BAD, "bring a lamp"), (55, Grade.USABLE, "rather dark"), (120, Grade.GOOD, "light enough"),
     (205, Grade.USABLE, "very bright"), (240, Grade.BAD, "far too bright")],
)  # fmt: skip
def test_light_is_judged_by_the_grey_level(level: int, grade: Grade, words: str) -> None:
    judgement = light(np.full((360, 640), level, np.uint8))
    assert (judgement.grade, words in judgement.sentence) == (grade, True)


def test_a_mirrored_lamp_is_reported_and_single_burnt_out_pixels_are_not() -> None:
    image = cloth()
    assert glare(image).grade is Grade.GOOD
    specks = image.copy()
    specks[::17, ::19] = 255
    assert glare(specks).grade is Grade.GOOD
    lamp = image.copy()
    cv2.circle(lamp, (300, 200), 60, (255, 255, 255), -1)
    assert glare(lamp).grade is Grade.USABLE
    cv2.circle(lamp, (300, 200), 160, (255, 255, 255), -1)
    assert glare(lamp).grade is Grade.BAD


def test_a_lamp_at_one_side_is_uneven_light_and_a_bright_tray_in_the_middle_is_not() -> None:
    image = cloth().astype(np.float32)
    slope = np.linspace(0.25, 1.2, image.shape[1])[None, :, None]
    assert even(grey_of(np.clip(image * slope, 0, 255).astype(np.uint8))).grade is Grade.BAD
    slope = np.linspace(0.6, 1.2, image.shape[1])[None, :, None]
    assert even(grey_of(np.clip(image * slope, 0, 255).astype(np.uint8))).grade is Grade.USABLE
    tray = np.full((360, 640), 40, np.uint8)
    tray[90:270, 160:480] = 220
    assert even(tray).grade is Grade.GOOD


def test_the_worst_fault_comes_first() -> None:
    fine = Message("The picture is good.")
    dark = (cloth() * 0.2).astype(np.uint8)
    advice = picture_findings(dark)
    assert [each.what for each in advice] == ["light", "glare", "even", "sharp"]
    lit = advice[0]
    assert summary(advice, fine) == (lit.sentence, Grade.BAD)
    blurred = sharp(grey_of(cv2.GaussianBlur(cloth(), (0, 0), 6.0)))
    assert blurred.grade is Grade.BAD
    assert summary((*advice[:3], blurred), fine)[0] == lit.sentence  # focusing needs light
    assert summary(picture_findings(cloth()), fine) == (fine, Grade.GOOD)


def test_a_picture_lacks_colour_if_it_shows_things_in_grey_alone_and_dice_have_one() -> None:
    picture = cloth()
    night = cv2.merge([grey_of(picture)] * 3)
    assert not lacks_colour(picture, ["red", "black"])
    assert lacks_colour(night, ["red", "black"])
    assert not lacks_colour(night, ["white", "black"])
    assert not lacks_colour(np.full_like(night, 90), ["red"])
