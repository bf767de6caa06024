"""The lights of the players' colours."""

from __future__ import annotations

import itertools

from calibration.palette import COLOURS
from hardware.panel.lamp_colours import LIGHTS, WHITE, Light, light


def luminance(shade: Light) -> float:
    """How bright a light looks, from 0 to 1: the weights of ITU-R BT.709."""
    red, green, blue = shade
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_every_colour_of_dice_has_its_light() -> None:
    assert tuple(LIGHTS) == COLOURS
    assert all(0 <= part <= 1 for shade in LIGHTS.values() for part in shade)
    assert light("mauve") == light(None) == WHITE


def test_colours_differ_in_brightness_for_those_who_do_not_see_their_hue() -> None:
    found = sorted(luminance(shade) for shade in LIGHTS.values())
    assert all(more - less > 0.02 for less, more in itertools.pairwise(found))
    # red and green, blue and purple: the pairs that are mixed up most
    for one, other in (("red", "green"), ("blue", "purple"), ("red", "orange"), ("orange", "green")):
        assert abs(luminance(LIGHTS[one]) - luminance(LIGHTS[other])) > 0.04
