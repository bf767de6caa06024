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


@pytest.mark.parametrize("script", ["exit 1", "exec sleep 60"], ids=["it ends", "it hangs"])
def test_a_program_that_does_not_start_is_bad_and_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setattr(selftest, "_START_TIMEOUT", 0.2)
    (found,) = selftest.game(tmp_path)
    assert (found.severity, "the program did not start" in found.sentence) == (Severity.BAD, True)


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


@pytest.mark.parametrize(
    ("box", "sentence"),
    [
        (FakeSelftestPhone((("red", 4), *DRAWN[1:])), "there lay red 5, where red 4 was read"),
        (FakeSelftestPhone(DRAWN[:3]), "there lay blue 2, where no die was read"),
        (FakeSelftestPhone(faults="miscounts"), "2 dice matched the bid, but 3 were counted"),
    ],
    ids=["a misread die", "a missed die", "a wrong count"],
)
def test_a_wrong_verdict_is_told(box: FakeSelftestPhone, sentence: str) -> None:
    with pytest.raises(SelftestError, match=sentence):
        selftest._verdict(box)


@pytest.mark.parametrize(
    ("fault", "sentence"), [("ignores corrections", "had no effect"), ("ignores undo", "did not restore")]
)
def test_a_correction_and_its_undo_are_checked(fault: str, sentence: str) -> None:
    good, faulty = FakeSelftestPhone(), FakeSelftestPhone(faults=fault)
    for box in (good, faulty):
        selftest._verdict(box)
    assert selftest._correction(good).severity is Severity.GOOD
    with pytest.raises(SelftestError, match=sentence):
        selftest._correction(faulty)


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


def test_a_camera_that_gives_pictures_is_good_a_slow_one_poor_and_one_that_stops_bad(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    camera = FakeCamera()
    assert selftest.real_camera(camera).severity is Severity.GOOD
    monkeypatch.setattr(selftest, "_SLOW_FRAME", 0.0)
    assert selftest.real_camera(camera).severity is Severity.POOR
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


@pytest.mark.parametrize(
    ("shown", "severity", "words"),
    [
        ({}, Severity.GOOD, []),
        ({"noise": 0}, Severity.BAD, ["over and over"]),
        ({"blur": 21}, Severity.POOR, ["10 of 10 are not good", "blurred"]),
        ({"level": 0.1}, Severity.POOR, ["10 of 10 are not good", "too dark"]),
    ],
    ids=["sharp and changing", "one over and over", "blurred", "dark"],
)
def test_the_pictures_of_a_sensor_are_looked_at(shown: dict[str, Any], severity: Severity, words: list[str]) -> None:
    found = selftest.real_camera(FakeSensor(pictures(**shown)))
    assert found.severity is severity
    assert [word for word in words if word not in found.sentence] == []


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
