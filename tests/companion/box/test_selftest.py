"""The self-test of a box with one part broken at a time; tests/companion/cli/test_selftest.py has one that is well."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from companion.box import selftest
from companion.box.doctor.diagnosis import Severity
from companion.box.selftest import SelftestError
from companion.messages.message import Message
from hardware.camera.protocol import CameraError
from tests.fakes.table import FakeCamera

NO_CAMERA = CameraError(Message("No camera here."))


def test_a_program_that_does_not_start_is_bad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    [found] = selftest.game(tmp_path)
    assert found.severity is Severity.BAD
    assert "the program did not start" in found.sentence


def test_a_folder_that_cannot_be_written_is_bad(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    first, camera = selftest.selftest(tmp_path / "file" / "state", NO_CAMERA)
    assert (first.part, first.severity) == ("disk", Severity.BAD)
    assert camera.severity is Severity.ABSENT
    assert "No camera here." in camera.sentence


def test_a_slow_disk_is_poor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selftest, "_SLOW_WRITE", 0.0)
    assert selftest.disk(tmp_path).severity is Severity.POOR


@pytest.mark.parametrize("what", ["players", "round", "verdict", "bid", "reading"])
def test_what_is_lost_in_a_power_cut_is_named(what: str) -> None:
    before: dict[str, Any] = {"players": [], "round": 3, "verdict": {}, "bid": {}, "reading": {}}
    assert selftest._nothing_lost(before, dict(before), 1.0).severity is Severity.GOOD
    with pytest.raises(SelftestError, match=what):
        selftest._nothing_lost(before, before | {what: None}, 1.0)


def test_a_camera_that_gives_pictures_is_good_and_a_slow_one_poor(monkeypatch: pytest.MonkeyPatch) -> None:
    assert selftest.real_camera(FakeCamera()).severity is Severity.GOOD
    monkeypatch.setattr(selftest, "_SLOW_FRAME", 0.0)
    assert selftest.real_camera(FakeCamera()).severity is Severity.POOR


def test_a_camera_that_stops_is_bad() -> None:
    camera = FakeCamera()
    camera.error = "It stopped."
    assert selftest.real_camera(camera).severity is Severity.BAD
