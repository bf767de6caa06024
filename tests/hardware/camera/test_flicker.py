"""Exposures in step with the mains do not flicker, and are as bright as before."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.camera.flicker import MAINS_HERTZ, Exposure, flash_period, flicker_free

TIMES = st.integers(50, 200_000)
GAINS = st.floats(1.0, 16.0)
HERTZ = st.sampled_from(MAINS_HERTZ)
LONGEST = 66_667.0
LEAST, MOST = 1.0, 16.0


def test_periods_are_those_of_the_light_which_are_half_those_of_the_current() -> None:
    assert flash_period(50) == 10_000
    assert flash_period(60) == pytest.approx(8_333.3, abs=0.1)


@pytest.mark.parametrize(
    ("measured", "mains", "chosen"),
    [
        ((20_000, 2.0), 50, (20_000, 2.0)),
        ((23_000, 2.0), 50, (20_000, 2.3)),
        ((4_000, 4.0), 50, (10_000, 1.6)),
        ((20_000, 2.0), 60, (16_667, 2.4)),
        ((4_000, 1.0), 50, (4_000, 1.0)),  # the sun
        ((33_000, 16.0), 50, (40_000, 13.2)),  # three periods would want more gain than there is
        ((120_000, 1.0), 50, (60_000, 2.0)),  # no room for more in a frame
    ],
)
def test_an_exposure_is_rounded_and_as_bright(
    measured: tuple[int, float], mains: int, chosen: tuple[int, float]
) -> None:
    exposure = flicker_free(Exposure(*measured), mains, LONGEST, (LEAST, MOST))
    assert (exposure.time, exposure.gain) == (chosen[0], pytest.approx(chosen[1], rel=1e-4))


@given(TIMES, GAINS, HERTZ)
def test_a_lamp_never_flickers_except_in_light_too_strong_for_a_lamp(time: int, gain: float, mains: int) -> None:
    exposure = flicker_free(Exposure(time, gain), mains, LONGEST, (LEAST, MOST))
    periods = exposure.time / flash_period(mains)
    whole = abs(periods - round(periods)) * flash_period(mains) <= 0.5 and round(periods) >= 1
    assert whole or (exposure.gain == LEAST and time * gain < flash_period(mains))


@given(TIMES, GAINS, HERTZ)
def test_the_picture_is_as_bright_as_before_within_the_limits_of_the_camera(time: int, gain: float, mains: int) -> None:
    measured = Exposure(time, gain)
    exposure = flicker_free(measured, mains, LONGEST, (LEAST, MOST))
    assert LEAST <= exposure.gain <= MOST
    assert exposure.time <= LONGEST + 1
    most = int(LONGEST / flash_period(mains)) * flash_period(mains) * MOST
    assert exposure.light == pytest.approx(min(measured.light, most), rel=0.01)


@given(TIMES, GAINS, HERTZ)
def test_an_exposure_in_step_is_unchanged(time: int, gain: float, mains: int) -> None:
    once = flicker_free(Exposure(time, gain), mains, LONGEST, (LEAST, MOST))
    again = flicker_free(once, mains, LONGEST, (LEAST, MOST))
    assert again.time == once.time
    assert again.gain == pytest.approx(once.gain, rel=1e-6)


@given(TIMES, GAINS, HERTZ, st.floats(1.0, 4.0), st.floats(4.0, 64.0), st.floats(1_000, 1e6))
def test_the_result_is_within_the_limits_of_the_camera(
    time: int, gain: float, mains: int, least: float, most: float, longest: float
) -> None:
    exposure = flicker_free(Exposure(time, gain), mains, longest, (least, most))
    assert least <= exposure.gain <= most
    assert 1 <= exposure.time <= round(longest)
