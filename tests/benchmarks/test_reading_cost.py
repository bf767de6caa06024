"""The benchmark measures correctly: with a clock that the work itself advances, the figures are known."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.image import Image
from tests.benchmarks import reading_cost
from tests.benchmarks.reading_cost import (
    Bar,
    BenchmarkError,
    TableCase,
    one_thread,
    peak_memory,
    spread_dice,
    table_case,
    time_readings,
    time_settle_check,
)
from tests.fakes.clock import FakeClock
from vision.cloth import Ignore
from vision.drawn.table_scene import SceneDie
from vision.reading import Die, Reading


class FakeReader:
    """Takes 1 ms for each column of the frame, and longer in every round."""

    def __init__(self, clock: FakeClock, slower: float = 0.0, confirming: float = 0.0) -> None:
        self.clock, self.slower, self.confirming, self.reads = clock, slower, confirming, 0

    def confirms(self, *_: object) -> bool:
        self.clock.now += self.confirming
        return True

    def read(
        self, image: Image, die_width: float | None = None, *, closely: bool = False, ignore: Ignore | None = None
    ) -> Reading:
        self.clock.now += image.shape[1] / 1000 * (1 + self.slower * self.reads)
        self.reads += 1
        return Reading((Die(1, "red", (0, 0, 9, 9), 0.9),), image.shape[1], image.shape[0])


def table_cases(*widths: int) -> list[TableCase]:
    return [TableCase(np.zeros((8, width, 3), np.uint8), 1, 9.0) for width in widths]


def test_a_ratio_is_a_reading_and_its_confirmation_in_forward_passes() -> None:
    clock = FakeClock()

    def forward() -> None:
        clock.now += 0.05

    costs, passed = time_readings(FakeReader(clock, confirming=0.01), forward, table_cases(100, 25), 3, clock)
    assert passed == pytest.approx(50)
    assert [(c.width, c.seen) for c in costs] == [(100, 1), (25, 1)]
    assert [c.ms for c in costs] == pytest.approx([110, 35])
    assert [c.ratio for c in costs] == pytest.approx([2.2, 0.7])
    assert costs[0].low == pytest.approx(2.2)


def test_a_machine_that_slows_down_does_not_change_the_ratio() -> None:
    clock, slowness = FakeClock(), [1.0]

    class Slowing(FakeReader):
        def read(
            self, image: Image, die_width: float | None = None, *, closely: bool = False, ignore: Ignore | None = None
        ) -> Reading:
            slowness[0] *= 1.1
            self.clock.now += 0.1 * slowness[0]
            return Reading((), 1, 1)

    def forward() -> None:
        clock.now += 0.05 * slowness[0]

    (cost,), _ = time_readings(Slowing(clock), forward, table_cases(100), 9, clock)
    assert cost.ms > 120
    assert cost.ratio == pytest.approx(2, rel=0.06)


def test_medians_are_shown_with_the_lowest_and_highest_round() -> None:
    clock = FakeClock()

    def forward() -> None:
        clock.now += 0.1

    (cost,), _ = time_readings(FakeReader(clock, slower=0.1), forward, table_cases(100), 5, clock)
    assert (cost.low, cost.ratio, cost.high) == pytest.approx((1.1, 1.3, 1.5))


def test_the_dice_of_the_frame_lie_apart_and_are_as_wide_as_the_camera_sees_them() -> None:
    def place(die: SceneDie) -> tuple[float, float]:
        return die.x, die.y

    dice = spread_dice(30).dice
    assert len(dice) == 30
    assert {die.colour for die in dice} == {die.colour for die in spread_dice(6).dice}
    apart = [np.hypot(*np.subtract(place(a), place(b))) for a in dice for b in dice if a is not b]
    assert min(apart) > 23  # two dice of 16 mm, corner to corner
    # 16 mm at 75 cm through a lens of 66 degrees: 2304 px see 974 mm
    case = table_case(5)
    assert case.image.shape == (1296, 2304, 3)
    assert case.die_px == pytest.approx(37.9, abs=0.1)
    assert table_case(0, (640, 480)).die_px == pytest.approx(10.5, abs=0.1)


def test_the_number_of_opencv_threads_is_restored_afterwards() -> None:
    before = cv2.getNumThreads()

    def work() -> None:
        with one_thread():
            assert cv2.getNumThreads() == 1
            raise BenchmarkError("stop")

    with pytest.raises(BenchmarkError, match="stop"):
        work()
    assert cv2.getNumThreads() == before


def test_a_settle_check_is_timed_one_look_at_a_time() -> None:
    ticks = iter(range(100))
    check = time_settle_check((64, 48), 3, lambda: next(ticks))
    assert (check.width, check.height) == (64, 48)
    assert check.ms == pytest.approx(1000 / 20)


def test_memory_is_that_of_the_reading_process() -> None:
    frame = table_case(5, (640, 360), 500).image
    first, dice_count = peak_memory(frame)
    ballast = np.ones(400_000_000 // 8)  # held while the second is measured
    second, _ = peak_memory(frame)
    assert ballast.sum()
    assert dice_count == 5
    assert 40 < first < 400
    assert second < first + 100


def test_a_process_that_fails_is_an_error_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_cost, "_READ_ONCE", "raise SystemExit('no such luck')")
    with pytest.raises(BenchmarkError, match="no such luck"):
        peak_memory(np.zeros((8, 8, 3), np.uint8))


def test_a_value_equal_to_its_limit_is_within_it() -> None:
    assert Bar("memory", 300, 300, "MB").within
    assert not Bar("memory", 300.1, 300, "MB").within
