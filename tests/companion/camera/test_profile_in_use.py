"""Whether the profile in use is of this camera, and whether the camera was moved."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import Profile
from calibration.profiles import Profiles
from calibration.quality.camera_shift import reference_picture
from companion.camera.profile_in_use import ProfileInUse
from companion.table.state.state import CalibrationStatus
from hardware.camera.protocol import Image
from tests.fakes.table import FakeCamera


class NamedCamera(FakeCamera):
    """A camera that another one can replace."""

    called = "imx708"

    @property
    def name(self) -> str:
        return self.called


def table(right: int = 0) -> Image:
    """A cluttered table, `right` pixels further to the right."""
    cells = np.random.default_rng(1).integers(0, 256, (30, 40, 3), dtype=np.uint8)
    image = cv2.resize(cells, (1280, 960), interpolation=cv2.INTER_NEAREST)
    return np.asarray(np.roll(image, right, axis=1), np.uint8)


@pytest.fixture
def camera() -> NamedCamera:
    camera = NamedCamera()
    camera.image = table()
    return camera


@pytest.fixture
def statuses() -> list[CalibrationStatus]:
    """The statuses announced so far, newest last."""
    return []


@pytest.fixture
def read_by() -> list[Profile | None]:
    """The profiles the dice were read with, newest last."""
    return []


@pytest.fixture
def in_use(
    tmp_path: Path, camera: NamedCamera, statuses: list[CalibrationStatus], read_by: list[Profile | None]
) -> ProfileInUse:
    profiles = Profiles(tmp_path)
    profiles.save(Profile("kitchen", "2026-05-01", camera="imx708"), reference_picture(table()))
    profiles.use("kitchen")
    in_use = ProfileInUse(profiles, camera, read_by.append, statuses.append)
    in_use.load()
    return in_use


def code(status: CalibrationStatus) -> str | None:
    return None if status.notice is None else status.notice.code


def test_the_profile_is_used_again_once_its_own_camera_is_back(
    in_use: ProfileInUse, camera: NamedCamera, statuses: list[CalibrationStatus], read_by: list[Profile | None]
) -> None:
    camera.called = "a webcam"
    in_use.look(0.0)
    assert (code(statuses[-1]), read_by[-1]) == ("other-camera", None)
    camera.called = "imx708"
    in_use.look(0.0)
    assert (code(statuses[-1]), read_by[-1]) == (None, in_use.profile)


def test_a_move_that_was_ignored_is_not_reported_again_but_the_next_one_is(
    in_use: ProfileInUse, camera: NamedCamera, statuses: list[CalibrationStatus]
) -> None:
    def look_at(image: Image) -> str | None:
        camera.image = image
        for _ in range(4):
            in_use.look(0.0)
        return code(statuses[-1])

    assert look_at(table()) is None
    assert look_at(table(right=40)) == "moved"
    in_use.ignore()
    assert look_at(table(right=40)) is None
    assert look_at(table(right=80)) == "moved"


def test_pictures_in_which_no_dice_can_be_read_are_reported_until_they_are_good(
    in_use: ProfileInUse, camera: NamedCamera, statuses: list[CalibrationStatus]
) -> None:
    dark = np.asarray(table() // 12, np.uint8)
    camera.image = dark
    in_use.look(0.0)
    in_use.look(0.0)
    assert code(statuses[-1]) is None  # perhaps a hand before the lens
    camera.image = table()
    in_use.look(0.0)
    camera.image = dark
    for _ in range(3):
        in_use.look(0.0)
    said = "I cannot read dice in the camera's pictures. It is too dark: bring a lamp nearer."
    assert statuses[-1].notice.sentence == said
    in_use.ignore()
    in_use.look(0.0)
    assert code(statuses[-1]) is None
    camera.image = cv2.resize(table(), (640, 480), interpolation=cv2.INTER_NEAREST)
    for _ in range(3):
        in_use.look(0.0)
    assert "too small in the picture" in statuses[-1].notice.sentence
    camera.image = table()
    for _ in range(3):
        in_use.look(0.0)
    assert code(statuses[-1]) is None


def test_a_camera_that_rests_is_left_to_rest(
    in_use: ProfileInUse, camera: NamedCamera, statuses: list[CalibrationStatus], monkeypatch: pytest.MonkeyPatch
) -> None:
    camera.called = "a webcam"
    monkeypatch.setattr(NamedCamera, "asleep", True)
    in_use.look(0.0)
    assert code(statuses[-1]) is None, "no frame was taken"


def test_without_a_profile_too_the_pictures_are_looked_at(
    tmp_path: Path, camera: NamedCamera, statuses: list[CalibrationStatus], read_by: list[Profile | None]
) -> None:
    in_use = ProfileInUse(Profiles(tmp_path), camera, read_by.append, statuses.append)
    in_use.load()
    assert in_use.is_due(10.0)
    camera.image = np.asarray(table() // 12, np.uint8)
    for _ in range(3):
        in_use.look(0.0)
    assert statuses[-1].profile is None
    assert code(statuses[-1]) == "picture"


def test_that_the_camera_was_moved_is_said_before_what_is_wrong_with_its_pictures(
    in_use: ProfileInUse, camera: NamedCamera, statuses: list[CalibrationStatus]
) -> None:
    camera.image = np.asarray(table(right=40) // 2 + 127, np.uint8)
    for _ in range(4):
        in_use.look(0.0)
    assert code(statuses[-1]) == "moved"
    camera.image = np.full((960, 1280, 3), 252, np.uint8)
    for _ in range(4):
        in_use.look(0.0)
    assert code(statuses[-1]) == "moved"
