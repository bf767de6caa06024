"""What lamps and the buzzer do in the course of time, and the colours of lamps."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from calibration.palette import COLOURS
from hardware.panel.buzzer import Sound, tone
from hardware.panel.lamp_colours import LIGHTS, WHITE, light, luminance
from hardware.panel.lamp_patterns import LampPattern, changes_in, level

TIMES = st.floats(0, 1e6)
LONG = 9.6
"""Seconds; four breaths, six double flashes, twelve blinks."""


def bright(lamp: LampPattern) -> tuple[float, ...]:
    return tuple(round(level(lamp, n / 100), 3) for n in range(round(LONG * 100)))


def test_no_two_patterns_look_alike() -> None:
    assert len({bright(lamp) for lamp in LampPattern}) == len(LampPattern)


def test_on_and_off_never_change() -> None:
    assert (set(bright(LampPattern.ON)), set(bright(LampPattern.OFF))) == ({1.0}, {0.0})
    assert changes_in(LampPattern.ON, 3.0) is changes_in(LampPattern.OFF, 3.0) is None


def test_a_lamp_that_breathes_is_never_dark() -> None:
    assert min(bright(LampPattern.PULSE)) > 0.05
    assert max(bright(LampPattern.PULSE)) == 1.0


@pytest.mark.parametrize("lamp", [LampPattern.BLINK, LampPattern.FLICKER])
def test_nothing_flashes_three_times_a_second(lamp: LampPattern) -> None:
    flashes = sum(before < after for before, after in itertools.pairwise(bright(lamp)))
    assert 1 < flashes / LONG < 3


@given(st.sampled_from(LampPattern), TIMES)
def test_a_lamp_stays_as_it_is_until_it_says_that_it_changes(lamp: LampPattern, now: float) -> None:
    wait = changes_in(lamp, now)
    assume(wait is None or wait > 1e-6)  # less is lost in the rounding of `now + wait`
    if lamp is not LampPattern.PULSE:
        assert wait is None or 0 < wait <= 1.2
        assert level(lamp, now + 0.9 * (wait or 1000)) == pytest.approx(level(lamp, now))


@given(st.sampled_from(Sound))
def test_a_sound_comes_to_its_end(sound: Sound) -> None:
    at, heard = 0.0, []
    while (playing := tone(sound, at)) is not None:
        heard.append(playing[0])
        at += playing[1] + 1e-9
    assert heard == [hertz for hertz, _ in sound.value]
    assert at < 1.0


def test_every_tone_is_within_reach_of_gpiozeros_buzzer() -> None:
    assert all(hertz == 0 or 220 <= hertz <= 880 for sound in Sound for hertz, _ in sound.value)


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
