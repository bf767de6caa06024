"""From the edges of a contact to pushes."""

from __future__ import annotations

import pytest

from hardware.panel.debounce import CLOSE_TIME, DOUBLE_PRESS, LONG_PRESS, QUIET_TIME, Debounce, Push
from tests.fakes.clock import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(0.0)


@pytest.fixture
def debounce(clock: FakeClock) -> Debounce:
    return Debounce(clock)


def press(debounce: Debounce, clock: FakeClock) -> Push | None:
    """Close the contact until that is a press."""
    debounce.edge(True)
    clock.now += CLOSE_TIME
    return debounce.push(True)


def test_a_press_is_answered_at_once_and_counts_when_it_has_stayed_closed(debounce: Debounce, clock: FakeClock) -> None:
    assert debounce.edge(True)
    assert (debounce.push(True), debounce.due()) == (None, CLOSE_TIME)
    clock.now = 0.003
    assert debounce.push(True) is None
    clock.now = 0.005
    assert debounce.due() == 0
    assert (debounce.push(True), debounce.push(True), debounce.due()) == (Push.DOWN, None, None)


@pytest.mark.parametrize("seconds", [0.000_02, 0.001, 0.003])
def test_a_glitch_on_the_wire_is_no_press(debounce: Debounce, clock: FakeClock, seconds: float) -> None:
    for _ in range(20):
        debounce.edge(True)
        clock.now += seconds
        debounce.edge(False)
        assert debounce.due() is None
        clock.now += 0.1
        assert debounce.push(False) is None
    assert press(debounce, clock) is Push.DOWN


def test_a_glitch_whose_end_is_reported_late_is_no_press(debounce: Debounce, clock: FakeClock) -> None:
    debounce.edge(True)
    clock.now += 0.2
    assert debounce.push(False) is None
    debounce.edge(False)
    clock.now += 0.001
    assert press(debounce, clock) is Push.DOWN


def test_a_contact_that_bounces_as_it_closes_is_one_answer_and_one_press(debounce: Debounce, clock: FakeClock) -> None:
    answers = []
    for _ in range(8):
        for closed in (True, False):
            answers.append(debounce.edge(closed))
            clock.now += 0.0006
            assert debounce.push(closed) is None
    assert press(debounce, clock) is Push.DOWN
    assert answers.count(True) == 1


@pytest.mark.parametrize("after", [0.001, 0.035, QUIET_TIME - 0.001])
def test_a_contact_that_chatters_after_release_is_no_press(debounce: Debounce, clock: FakeClock, after: float) -> None:
    assert press(debounce, clock) is Push.DOWN
    clock.now += 0.5
    debounce.edge(False)
    clock.now += after
    assert not debounce.edge(True)
    clock.now += 2 * CLOSE_TIME
    assert debounce.push(True) is None
    debounce.edge(False)
    clock.now += QUIET_TIME
    assert (debounce.push(False), debounce.push(False), debounce.due()) == (Push.SHORT, None, None)


def test_a_press_may_follow_when_the_contact_was_open_for_the_quiet_time(debounce: Debounce, clock: FakeClock) -> None:
    assert press(debounce, clock) is Push.DOWN
    debounce.edge(False)
    clock.now += QUIET_TIME
    assert press(debounce, clock) is Push.DOUBLE


def test_a_short_press_ends_when_its_contact_has_settled(debounce: Debounce, clock: FakeClock) -> None:
    press(debounce, clock)
    clock.now += 0.2
    for closed in (False, True, False):  # it bounces as it opens
        debounce.edge(closed)
        clock.now += 0.004
        assert debounce.push(closed) is None
    assert debounce.due() == pytest.approx(QUIET_TIME - 0.004)
    clock.now += QUIET_TIME
    assert (debounce.push(False), debounce.push(False), debounce.due()) == (Push.SHORT, None, None)


def test_a_long_press_is_told_of_as_its_contact_opens(debounce: Debounce, clock: FakeClock) -> None:
    press(debounce, clock)
    clock.now = LONG_PRESS
    debounce.edge(False)
    assert (debounce.push(False), debounce.push(False)) == (Push.LONG, None)
    clock.now += QUIET_TIME
    assert debounce.push(False) is None


@pytest.mark.parametrize(("after", "push"), [(DOUBLE_PRESS, Push.DOUBLE), (DOUBLE_PRESS + 0.001, Push.DOWN)])
def test_the_limit_of_a_double_press(debounce: Debounce, clock: FakeClock, after: float, push: Push) -> None:
    press(debounce, clock)
    debounce.edge(False)
    clock.now = after
    assert press(debounce, clock) is push
