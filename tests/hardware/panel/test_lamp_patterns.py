"""Lamp patterns over time."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hardware.panel.lamp_patterns import LampPattern, changes_in, level

TIMES = st.floats(0, 1e6)
LONG = 9.6
"""Seconds in which there are four breaths, six double flashes or twelve blinks."""


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
def test_a_lamp_does_not_change_before_its_announced_time(lamp: LampPattern, now: float) -> None:
    wait = changes_in(lamp, now)
    assume(wait is None or wait > 1e-6)  # more than the rounding of `now + wait`
    if lamp is not LampPattern.PULSE:
        assert wait is None or 0 < wait <= 1.2
        assert level(lamp, now + 0.9 * (wait or 1000)) == pytest.approx(level(lamp, now))
