"""The sentence about the light stays long enough to be read, and does not flicker."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.grade import Finding, Grade
from calibration.solve.draft import ProfileDraft
from companion.features.calibration import look
from companion.features.calibration.look import AIM_EVERY, Eye
from companion.features.calibration.progress import Calibrator, Progress
from companion.messages.message import Message
from hardware.camera.protocol import Frame
from tests.fakes.clock import FakeClock


def light(grade: Grade, sentence: str = "It is light enough.") -> tuple[Finding, ...]:
    return (Finding("light", grade, Message("{text}", text=sentence)),)


GOOD, BAD = light(Grade.GOOD), light(Grade.BAD, "It is too dark.")


class Lamp:
    """A calibration at its first step, under light that a test chooses."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock = FakeClock()
        self.eye = Eye(self.clock)
        self.progress = Progress(Calibrator("aaaa"), ProfileDraft(), 0.0)
        self.light = GOOD
        monkeypatch.setattr(look, "picture_findings", lambda image: self.light)

    def look(self, light: tuple[Finding, ...], after: float = 1.1 * AIM_EVERY) -> tuple[Finding, ...]:
        """The sentence after one more look, `after` seconds later."""
        self.light = light
        self.clock.now += after
        sighting = self.eye.see(self.progress, Frame(np.zeros((48, 64, 3), np.uint8), self.clock.now), settling=False)
        self.progress = self.progress.after_look(sighting, 1, ())
        return self.progress.aim


@pytest.fixture
def lamp(monkeypatch: pytest.MonkeyPatch) -> Lamp:
    return Lamp(monkeypatch)


def test_the_first_look_is_reported_at_once(lamp: Lamp) -> None:
    assert lamp.look(BAD) == BAD


def test_only_two_equal_looks_in_a_row_change_the_sentence(lamp: Lamp) -> None:
    lamp.look(GOOD)
    assert [lamp.look(light) for light in (BAD, GOOD, BAD, GOOD)] == [GOOD] * 4
    assert lamp.look(BAD) == GOOD
    assert lamp.look(BAD) == BAD


def test_a_sentence_of_the_same_grade_is_shown_at_once(lamp: Lamp) -> None:
    lamp.look(GOOD)
    other = light(Grade.GOOD, "It is just light enough.")
    assert lamp.look(other) == other


def test_the_light_is_not_judged_again_too_soon(lamp: Lamp) -> None:
    lamp.look(GOOD)
    other = light(Grade.GOOD, "It is just light enough.")
    assert lamp.look(other, after=0.9 * AIM_EVERY) == GOOD
    assert lamp.look(other, after=0.2 * AIM_EVERY) == other
