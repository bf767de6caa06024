"""The self-test of a box with one part broken at a time; tests/companion/cli/test_selftest.py has one that is well."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from companion.box import selftest
from companion.box.doctor import Severity
from companion.box.selftest import SelftestError
from companion.demo.virtual_table import VirtualThrow
from companion.messages.message import Message
from companion.panel.walk import PanelWalk
from hardware.camera.protocol import CameraError, Frame, Image
from hardware.panel.panel import PanelError
from hardware.virtual.virtual_panel import VirtualPanel
from tests.fakes.clock import FakeClock
from tests.fakes.selftest_phone import DRAWN, FakeSelftestPhone
from tests.fakes.table import FakeCamera
from vision.drawn.table_scene import SceneDie

NO_CAMERA = CameraError(Message("No camera here."))
NO_PANEL = PanelError("No panel here.")


@pytest.fixture(autouse=True)
def thrown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The dice of `FakeSelftestPhone` lie on the table."""
    dice = tuple(SceneDie(0, 0, 0, face, colour) for colour, face in DRAWN)
    monkeypatch.setattr(selftest, "throw", lambda key, players, _seed: VirtualThrow(key, players, dice))


def test_a_program_that_does_not_start_is_bad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    [found] = selftest.game(tmp_path)
    assert found.severity is Severity.BAD
    assert "the program did not start" in found.sentence


def test_a_program_that_hangs_at_its_start_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hanging = tmp_path / "hanging"
    hanging.write_text("#!/bin/sh\nexec sleep 60\n")
    hanging.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(hanging))
    monkeypatch.setattr(selftest, "_START_TIMEOUT", 0.2)
    (diagnosis,) = selftest.game(tmp_path)
    assert diagnosis.severity is Severity.BAD
    assert "the program did not start" in diagnosis.sentence


@pytest.mark.parametrize(("seconds", "slow"), [(0.1, 1.0), (12.0, 24.0)])
def test_a_slow_board_has_as_many_times_longer(
    seconds: float, slow: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = FakeClock()
    reader = SimpleNamespace(read=lambda _: clock.sleep(seconds))
    limits: list[float] = []

    def served(*_: object, timeout: float) -> None:
        limits.append(timeout)
        raise RuntimeError("the program did not start")

    monkeypatch.setattr(selftest.time, "perf_counter", clock)
    monkeypatch.setattr(selftest.Reader, "load", lambda: reader)
    monkeypatch.setattr(selftest, "ServedProcess", served)
    list(selftest.game(tmp_path))
    assert limits == [slow * selftest._START_TIMEOUT]


def test_a_folder_that_cannot_be_written_is_bad(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    first, camera, panel = selftest.selftest(tmp_path / "file" / "state", NO_CAMERA, NO_PANEL, print)
    assert (first.part, first.severity) == ("disk", Severity.BAD)
    assert "use sudo" in first.sentence
    assert (panel.severity, panel.sentence) == (Severity.ABSENT, "No panel here.")
    assert camera.severity is Severity.ABSENT
    assert "No camera here." in camera.sentence


def test_a_slow_disk_is_poor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selftest, "_SLOW_WRITE", 0.0)
    assert selftest.disk(tmp_path).severity is Severity.POOR


def test_dice_that_are_read_rightly_are_good_and_a_late_verdict_poor(monkeypatch: pytest.MonkeyPatch) -> None:
    assert selftest._verdict(FakeSelftestPhone()).severity is Severity.GOOD
    monkeypatch.setattr(selftest, "_SLOW_VERDICT", 0.0)
    assert selftest._verdict(FakeSelftestPhone()).severity is Severity.POOR


def test_a_misread_die_is_named() -> None:
    with pytest.raises(SelftestError, match="there lay red 5, where red 4 was read"):
        selftest._verdict(FakeSelftestPhone((("red", 4), *DRAWN[1:])))


def test_a_missed_die_is_named() -> None:
    with pytest.raises(SelftestError, match="there lay blue 2, where no die was read"):
        selftest._verdict(FakeSelftestPhone(DRAWN[:3]))


def test_a_wrong_count_is_told() -> None:
    with pytest.raises(SelftestError, match="2 dice matched the bid, but 3 were counted"):
        selftest._verdict(FakeSelftestPhone(faults="miscounts"))


@pytest.mark.parametrize(
    ("fault", "sentence"), [("ignores corrections", "had no effect"), ("ignores undo", "did not restore")]
)
def test_a_correction_and_its_undo_are_checked(fault: str, sentence: str) -> None:
    for faults in ("", fault):
        box = FakeSelftestPhone(faults=faults)
        selftest._verdict(box)
        if not faults:
            assert selftest._correction(box).severity is Severity.GOOD
            continue
        with pytest.raises(SelftestError, match=sentence):
            selftest._correction(box)


def test_a_game_that_does_not_end_is_told() -> None:
    assert selftest._whole_game(FakeSelftestPhone()).sentence == "A short game was played to its end: Ana won."
    with pytest.raises(SelftestError, match="the game went on"):
        selftest._whole_game(FakeSelftestPhone(faults="goes on"))


@pytest.mark.parametrize("what", ["game", "round", "phase", "players", "turn", "bid", "undo"])
def test_what_is_lost_in_a_power_cut_is_named(what: str) -> None:
    before: dict[str, Any] = {
        "game": 1, "round": 3, "phase": "bidding", "players": [], "turn": "Ana", "bid": {}, "undo": {}
    }  # fmt: skip
    assert selftest._nothing_lost(before, dict(before), 1.0).severity is Severity.GOOD
    with pytest.raises(SelftestError, match=what):
        selftest._nothing_lost(before, before | {what: "lost"}, 1.0)


def test_a_camera_that_gives_pictures_is_good_and_a_slow_one_poor(monkeypatch: pytest.MonkeyPatch) -> None:
    assert selftest.real_camera(FakeCamera()).severity is Severity.GOOD
    monkeypatch.setattr(selftest, "_SLOW_FRAME", 0.0)
    assert selftest.real_camera(FakeCamera()).severity is Severity.POOR


def test_a_camera_that_stops_is_bad() -> None:
    camera = FakeCamera()
    camera.error = "It stopped."
    assert selftest.real_camera(camera).severity is Severity.BAD


class FakeSensor(FakeCamera):
    """A camera with a sensor, which gives these pictures in turn."""

    def __init__(self, pictures: Iterator[Image]) -> None:
        super().__init__()
        self._pictures = pictures

    @property
    def sensor(self) -> bool:
        return True

    def frame(self, after: float = 0.0) -> Frame:
        return Frame(next(self._pictures), after, noise=True)


def pictures(blur: int = 1, level: float = 1.0, noise: int = 8) -> Iterator[Image]:
    """Squares of 40 pixels with noise, blurred over so many pixels, and so light."""
    luck = np.random.default_rng(1)
    rows, columns = np.indices((480, 640)) // 40
    squares = np.where((rows + columns) % 2, 190.0, 60.0)
    for axis in (0, 1):
        box = [np.roll(squares, shift, axis) for shift in range(blur)]
        squares = np.mean(box, axis=0)
    while True:
        noisy = squares * level + luck.integers(0, noise + 1, squares.shape)
        yield np.repeat(noisy.astype(np.uint8)[:, :, None], 3, axis=2)


def test_sharp_and_changing_pictures_are_good() -> None:
    assert selftest.real_camera(FakeSensor(pictures())).severity is Severity.GOOD


def test_a_camera_that_gives_one_picture_over_and_over_is_bad() -> None:
    found = selftest.real_camera(FakeSensor(pictures(noise=0)))
    assert (found.severity, "over and over" in found.sentence) == (Severity.BAD, True)


@pytest.mark.parametrize(("blur", "level", "word"), [(21, 1.0, "blurred"), (1, 0.1, "too dark")])
def test_blurred_and_dark_pictures_are_poor(blur: int, level: float, word: str) -> None:
    found = selftest.real_camera(FakeSensor(pictures(blur, level)))
    assert found.severity is Severity.POOR
    assert "10 of 10 are not good" in found.sentence
    assert word in found.sentence


@pytest.mark.parametrize(("finger", "severity"), [(True, Severity.GOOD), (False, Severity.BAD)])
def test_each_button_of_the_panel_is_waited_for(
    finger: bool, severity: Severity, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.panel.walk.LIGHT_TIME", 0)
    monkeypatch.setattr(PanelWalk.__init__, "__defaults__", (20.0 if finger else 0.05,))
    panel = VirtualPanel()

    def press(line: str) -> None:
        if finger and line.startswith("Press "):
            panel.press(line.split()[1].strip(".").lower())

    found = selftest.real_panel(panel, press)
    assert found.severity is severity
    assert finger or "dudo, calza" in found.sentence
