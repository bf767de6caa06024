"""From the edges of a contact to pushes."""

from __future__ import annotations

import pytest

from hardware.panel.debounce import DOUBLE_PRESS, LONG_PRESS, QUIET_TIME, Debounce, Push
from tests.fakes.clock import FakeClock


def test_a_press_counts_after_exactly_the_quiet_time(clock: FakeClock) -> None:
    debounce = Debounce(clock)
    assert debounce.edge(True) is Push.DOWN
    assert debounce.edge(False) is None
    clock.now += QUIET_TIME
    assert debounce.edge(True) is Push.DOUBLE


def test_a_short_press_ends_when_its_contact_has_settled(clock: FakeClock) -> None:
    debounce = Debounce(clock)
    assert (debounce.edge(True), debounce.rest(), debounce.due()) == (Push.DOWN, None, None)
    clock.now += 0.2
    for closed in (False, True, False):  # it bounces as it opens
        assert debounce.edge(closed) is None
        clock.now += 0.004
    assert debounce.rest() is None
    assert debounce.due() == pytest.approx(QUIET_TIME - 0.004)
    clock.now += QUIET_TIME
    assert debounce.due() == 0
    assert (debounce.rest(), debounce.rest(), debounce.due()) == (Push.SHORT, None, None)


@pytest.mark.parametrize(("closed", "at", "push"), [(True, DOUBLE_PRESS, Push.DOUBLE), (False, LONG_PRESS, Push.LONG)])
def test_the_limits_of_double_and_long_presses(closed: bool, at: float, push: Push) -> None:
    clock = FakeClock(0.0)
    debounce = Debounce(clock)
    assert debounce.edge(True) is Push.DOWN
    clock.now = at
    assert debounce.edge(closed) is push
