"""A whole calibration, at a virtual table whose lens is known exactly."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from calibration.profile import Lens, Profile, TablePlane
from calibration.profiles import Profiles
from calibration.solve.draft import ProfileDraft
from calibration.solve.lens_fit import LensFit, TableFit
from companion.camera.profile_in_use import LOOK_EVERY, ProfileInUse
from companion.features.calibration import look
from companion.features.calibration.calibration_state import CameraInfo, calibration_state
from companion.features.calibration.changes import (
    AssumeLens,
    Begin,
    CalibrationStep,
    Cancel,
    Capture,
    DropView,
    ExpectDice,
    GoToStep,
    IgnoreNotice,
    MarkDie,
    RemoveProfile,
    RenameProfile,
    RevertProfile,
    SaveProfile,
    SetRuler,
    SolveLens,
    TakeOver,
    UseProfile,
)
from companion.features.calibration.picture_overlay import in_rows
from companion.features.calibration.progress import Calibrator, Progress
from companion.features.calibration.service import FORGOTTEN_AFTER, WATCHED_FOR, CalibrationSession
from companion.messages.sentence import json_bytes
from companion.table import NotAllowedNowError, UnreadableCommandError
from companion.table.game.table_position import Phase
from companion.table.state.state import CalibrationStatus
from hardware.camera.protocol import CameraError
from hardware.virtual.virtual_camera import VirtualCamera
from tests.browser.sheet_table import thrown
from tests.fakes.clock import FakeClock
from tests.fakes.sheet_table import sheet_table
from vision.reader import Reader
from vision.reading import Die, Reading

ANA, BEN = Calibrator("aaaa", "Ana"), Calibrator("bbbb")
DICE = thrown(12)


class LockableCamera(VirtualCamera):
    """A virtual camera that can hold its exposure, and fail."""

    locked: dict[str, float] | None = None
    failure = ""

    def lock(self, values: Any = None) -> dict[str, float]:
        self.locked = {"ExposureTime": 8000.0} if values is None else dict(values)
        return self.locked

    def unlock(self) -> None:
        self.locked = None

    def frame(self, after: float = 0.0) -> Any:
        if self.failure:
            raise CameraError(self.failure)
        return super().frame(after)


loaded = functools.cache(Reader.load)


def load_reader(profile: Profile | None) -> Reader:
    return loaded().with_profile(profile)


class Desk:
    """A calibration at a virtual table, and the notices about it."""

    def __init__(self, state: Path, spawn: Callable[[Callable[[], None]], None] = lambda job: job()) -> None:
        self.clock = FakeClock()
        self.seen = sheet_table(DICE)
        self.camera = LockableCamera(self.seen.paint, self.clock, self.clock.sleep, name="Raspberry Pi camera imx708")
        self.profiles = Profiles.of(state)
        self.read_with: list[str | None] = []
        self.statuses: list[CalibrationStatus] = []
        self.in_use = ProfileInUse(
            self.profiles,
            self.camera,
            lambda profile: self.read_with.append(None if profile is None else profile.name),
            self.statuses.append,
        )
        self.table: Any = SimpleNamespace(phase=Phase.SEATING, paused=False, players=())
        self.calibrating = CalibrationSession(
            self.camera,
            self.profiles,
            self.in_use,
            lambda: self.table,
            load_reader,
            clock=self.clock,
            now=lambda: datetime(2026, 5, 1, 18, 30, tzinfo=UTC),
            spawn=spawn,
        )
        self.seen.wanted = self.calibrating.wanted
        self.camera.frame()
        self.in_use.load()

    def do(self, *changes: Any) -> None:
        """Make the changes with Ana's phone."""
        for change in changes:
            self.calibrating.do(change, ANA)

    def look(self, times: int = 1) -> dict[str, Any]:
        """Look `times` times, while a page is watching."""
        for _ in range(times):
            self.calibrating.state(ANA.phone)
            self.calibrating.look()
            self.clock.now += 0.2
        return self.state

    @property
    def state(self) -> dict[str, Any]:
        return self.told(ANA)

    @property
    def notice(self) -> str | None:
        """The code of the notice about the camera."""
        notice = self.statuses[-1].notice
        return None if notice is None else notice.code

    def told(self, phone: Calibrator) -> dict[str, Any]:
        return dict(json.loads(json_bytes(self.calibrating.state(phone.phone))))

    def look_until(self, so: Callable[[dict[str, Any]], Any], most: int = 150) -> dict[str, Any]:
        for _ in range(most):
            if so(state := self.look()):
                return state
        raise AssertionError(self.state)

    def to_lens(self) -> dict[str, Any]:
        """Calibrate until lens and table are known."""
        self.do(Begin())
        self.look(2)
        self.do(GoToStep("sheet"), GoToStep("views"))
        self.look_until(lambda state: state["step"] == "flat")
        self.do(Capture())
        return self.look_until(lambda state: state["step"] == "lens")

    def to_check(self) -> dict[str, Any]:
        self.to_lens()
        self.do(GoToStep("colours"))
        self.look_until(lambda state: state["colours"])
        self.do(GoToStep("check"))
        return self.look_until(lambda state: state["check"])


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture(scope="module")
def calibrated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Desk, dict[str, Any]]:
    """A desk with everything calibrated and saved, and its state just before saving."""
    desk = Desk(tmp_path_factory.mktemp("state"))
    before = desk.to_check()
    desk.do(SaveProfile("Küche oben"))
    return desk, before


def test_a_whole_calibration_finds_the_lens_the_table_and_the_colours(calibrated: tuple[Desk, dict[str, Any]]) -> None:
    desk, before = calibrated
    profile = desk.profiles.in_use
    assert profile.name == "Küche oben"
    assert profile.table is not None
    true = desk.seen.lens.matrix
    assert profile.lens.matrix[0][0] == pytest.approx(true[0, 0], rel=0.02)
    assert profile.lens.matrix[0][2] == pytest.approx(true[0, 2], abs=12)
    assert profile.measured.error_px < 0.5
    assert profile.measured.height_mm == pytest.approx(620, rel=0.03)
    assert set(profile.palette) == {"red", "orange", "yellow", "green", "blue", "purple"}
    assert profile.lock == {"ExposureTime": 8000.0}
    assert profile.camera == desk.camera.name
    assert profile.made == "2026-05-01T18:30:00+00:00"
    assert desk.profiles.reference(profile.name) is not None
    assert before["check"]["verdict"] == "good"
    assert before["check"]["seen"] == len(DICE)
    assert before["says"]["grade"] == "good"


def test_a_saved_profile_is_used_at_once_and_announced(calibrated: tuple[Desk, dict[str, Any]]) -> None:
    desk, _ = calibrated
    assert desk.read_with[-1] == "Küche oben"
    assert desk.statuses[-1] == CalibrationStatus("Küche oben")
    assert desk.camera.locked == {"ExposureTime": 8000.0}
    state = desk.state
    assert state["step"] is None
    assert state["kept"]["name"] == "Küche oben"
    assert [each["name"] for each in state["profiles"] if each["in_use"]] == ["Küche oben"]


def test_the_before_and_after_pictures_have_a_bounded_size(calibrated: tuple[Desk, dict[str, Any]]) -> None:
    desk, _ = calibrated
    for which in ("before", "after"):
        jpeg = desk.calibrating.compared(which)
        assert jpeg is not None
        assert cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR).shape[1] <= 960


def test_a_view_is_taken_when_the_sheet_is_held_still(desk: Desk) -> None:
    desk.do(Begin(), GoToStep("views"))
    state = desk.look()
    assert state["views"]["have"] == 0
    assert state["picture"]["target"]
    assert len(state["picture"]["outline"]) == 4
    begun = desk.clock.now
    state = desk.look_until(lambda state: state["views"]["have"] == 1)
    assert desk.clock.now - begun < 3
    assert state["hint"]["sentence"] == "Got it."
    assert state["views"]["covered"][4]
    desk.do(DropView())
    assert desk.state["views"]["have"] == 0


def test_one_phone_calibrates_and_another_may_take_over(desk: Desk) -> None:
    desk.do(Begin())
    with pytest.raises(NotAllowedNowError) as refused:
        desk.calibrating.do(Begin(), BEN)
    assert (refused.value.code, str(refused.value)) == ("calibrating", "Ana is calibrating. Watch, or take over.")
    with pytest.raises(NotAllowedNowError):
        desk.calibrating.do(GoToStep("sheet"), BEN)
    assert not desk.told(BEN)["yours"]
    desk.calibrating.do(TakeOver(), BEN)
    desk.calibrating.do(GoToStep("sheet"), BEN)
    assert desk.told(BEN)["yours"]
    with pytest.raises(NotAllowedNowError, match="Another phone"):
        desk.do(Cancel())


def test_no_calibration_begins_or_goes_on_while_dice_are_read(desk: Desk) -> None:
    desk.do(Begin())
    desk.look(2)
    number = desk.state["picture"]["number"]
    desk.table.phase = Phase.READING
    state = desk.look(3)
    assert state["picture"]["number"] == number
    assert "goes on after that" in state["trouble"]["sentence"]
    for change in (Begin(), SaveProfile("Table"), UseProfile(None), RemoveProfile("Table")):
        with pytest.raises(NotAllowedNowError) as refused:
            desk.do(change)
        assert refused.value.code == "dice-read", change
    desk.table.phase = Phase.VERDICT
    assert desk.look(2)["picture"]["number"] > number
    assert desk.state["trouble"] is None


def test_it_looks_only_while_a_page_is_watching_and_ends_by_itself(desk: Desk) -> None:
    desk.do(Begin())
    desk.look(1)
    desk.clock.now += WATCHED_FOR + 1
    desk.calibrating.state(None)  # a stranger keeps no forgotten calibration going
    assert not desk.calibrating.look()
    desk.state  # noqa: B018 - a page asks
    assert desk.calibrating.look()
    desk.clock.now += FORGOTTEN_AFTER + 1
    desk.calibrating.look()
    assert desk.state["step"] is None


def test_a_camera_failure_is_reported_and_the_calibration_goes_on_afterwards(desk: Desk) -> None:
    desk.do(Begin())
    desk.look(1)
    desk.camera.failure = "The camera gives no frames."
    assert desk.look(1)["trouble"]["sentence"] == "The camera gives no frames."
    desk.camera.failure = ""
    assert desk.look(1)["trouble"] is None


def test_a_step_whose_requirements_are_missing_is_refused(desk: Desk) -> None:
    with pytest.raises(NotAllowedNowError, match="Nobody is calibrating"):
        desk.do(GoToStep("sheet"))
    desk.do(Begin())
    for step in ("flat", "lens"):
        with pytest.raises(NotAllowedNowError, match="lens comes first"):
            desk.do(GoToStep(step))
    with pytest.raises(UnreadableCommandError):
        desk.do(GoToStep("dance"))
    with pytest.raises(NotAllowedNowError, match="nothing to save yet"):
        desk.do(SaveProfile("Table"))
    with pytest.raises(NotAllowedNowError, match="measure it again"):
        desk.do(SetRuler(130))


def test_too_few_views_lead_back_to_them_with_the_reason(desk: Desk) -> None:
    desk.do(Begin(), GoToStep("views"))
    desk.look_until(lambda state: state["views"]["have"] == 2)
    desk.do(SolveLens())
    assert desk.state["step"] == "views"
    assert desk.look(2)["hint"]["sentence"] == "Pictures of the sheet so far: 2. At least 5 are needed."
    assert desk.state["views"]["have"] == 2


def test_the_makers_figures_are_used_when_the_lens_is_left_out(desk: Desk) -> None:
    desk.do(Begin(), GoToStep("views"))
    assert desk.state["lost"]["how"] == "assume"
    desk.do(AssumeLens())
    desk.look(1)
    desk.do(Capture())
    assert desk.look(2)["step"] == "lens"
    assert desk.state["lens"]["error_px"] is None
    assert desk.state["lens"]["height_mm"] > 300


def test_the_colours_alone_are_enough_and_a_corrected_colour_counts(desk: Desk) -> None:
    desk.table.players = (SimpleNamespace(colour="black"),)
    desk.do(Begin())
    desk.look(1)
    desk.do(GoToStep("colours"))
    state = desk.look_until(lambda state: state["colours"])
    assert "black die" in state["says"]["sentence"]
    before = {each["colour"]: each["dice"] for each in state["colours"]}
    x, y, width, height = state["picture"]["dice"][0]["box"]
    original = state["picture"]["dice"][0]["colour"]
    desk.do(MarkDie((x + width / 2, y + height / 2), "black"))
    after = {each["colour"]: each["dice"] for each in desk.state["colours"]}
    assert after["black"] == 1
    assert after.get(original, 0) == before[original] - 1
    with pytest.raises(UnreadableCommandError):
        desk.do(MarkDie((2.0, 2.0), "black"))
    desk.do(GoToStep("check"))
    desk.look_until(lambda state: state["check"])
    desk.do(ExpectDice(len(DICE) + 1))
    assert desk.state["check"]["expected"] == len(DICE) + 1
    assert desk.state["check"]["verdict"] != "good"
    desk.do(SaveProfile("Lamp"))
    profile = desk.profiles.in_use
    assert profile.lens is None
    assert "black" in profile.palette


def test_colours_that_are_left_out_are_not_saved(desk: Desk) -> None:
    desk.do(Begin())
    desk.look(1)
    desk.do(GoToStep("colours"))
    desk.look_until(lambda state: state["colours"])
    desk.do(GoToStep("check", without=True))
    assert not desk.look(1)["keeps"]


def test_a_saved_profile_can_be_undone_one_step(desk: Desk) -> None:
    desk.profiles.save(Profile("Old", "2026-01-01", palette={"red": (40.0, 50.0, 30.0), "blue": (30.0, 0.0, -40.0)}))
    desk.do(UseProfile("Old"))
    assert desk.read_with[-1] == "Old"
    desk.do(Begin())
    desk.look(1)
    desk.do(GoToStep("colours"))
    desk.look_until(lambda state: state["colours"])
    desk.do(SaveProfile("old"))
    assert len(desk.profiles.in_use.palette) == 6  # type: ignore[union-attr]
    desk.do(RevertProfile())
    assert len(desk.profiles.in_use.palette) == 2  # type: ignore[union-attr]
    desk.do(RenameProfile("Old", "Older"))
    assert desk.state["profiles"][0]["name"] == "Older"
    desk.do(RemoveProfile("older"))
    assert desk.state["profiles"] == []
    assert desk.read_with[-1] is None
    with pytest.raises(NotAllowedNowError, match="There is no profile"):
        desk.do(UseProfile("Older"))


def test_a_calibration_that_is_stopped_changes_nothing(desk: Desk) -> None:
    desk.profiles.save(Profile("Old", "2026-01-01", lock={"ExposureTime": 5000.0}))
    desk.do(UseProfile("Old"))
    assert desk.camera.locked == {"ExposureTime": 5000.0}
    desk.do(Begin())
    assert desk.camera.locked is None
    desk.look(1)
    desk.do(GoToStep("colours"))
    desk.look(2)
    desk.do(Cancel())
    assert desk.camera.locked == {"ExposureTime": 5000.0}
    assert desk.state["step"] is None
    assert desk.read_with == [None, "Old"]


def test_a_tap_during_a_look_is_not_lost(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.do(Begin(), AssumeLens())
    desk.look(1)
    find = look.find_sheet

    def tapped_meanwhile(image: Any) -> Any:
        monkeypatch.undo()
        desk.do(Capture())
        return find(image)

    monkeypatch.setattr(look, "find_sheet", tapped_meanwhile)
    assert desk.look(1)["step"] == "flat"
    assert desk.look(1)["step"] == "lens"


def test_a_sheet_found_only_in_a_large_picture_stops_no_small_ones(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.do(Begin(), GoToStep("views"))
    find = look.find_sheet
    size = desk.camera.frame().image.shape
    monkeypatch.setattr(look, "small_picture", lambda frame: cv2.resize(frame.image, None, fx=0.5, fy=0.5))
    monkeypatch.setattr(look, "find_sheet", lambda image: find(image) if image.shape == size else None)
    desk.do(Capture())
    assert desk.look(1)["views"]["have"] == 1
    monkeypatch.setattr(look, "find_sheet", find)
    desk.look_until(lambda state: state["views"]["have"] == 2)


def test_a_late_answer_about_the_lens_does_not_mix_table_and_lens(tmp_path: Path) -> None:
    jobs: list[Callable[[], None]] = []
    desk = Desk(tmp_path, jobs.append)
    desk.do(Begin(), GoToStep("views"))
    desk.look_until(lambda state: state["working"])
    desk.do(GoToStep("views"), AssumeLens())
    assert not desk.state["working"]
    desk.do(Capture())
    desk.look_until(lambda state: state["step"] == "lens")
    jobs.pop()()
    assert desk.state["lens"]["error_px"] is None
    assert jobs == []


def test_measuring_the_ruler_again_recomputes_the_table(desk: Desk) -> None:
    desk.do(Begin(), AssumeLens(), Capture())
    desk.look_until(lambda state: state["step"] == "lens")
    height = desk.state["lens"]["height_mm"]
    desk.do(SetRuler(90.0))
    assert desk.state["lens"]["height_mm"] == pytest.approx(0.9 * height, abs=1)


@pytest.mark.parametrize(
    ("flattest", "error", "grade", "says", "hint"),
    [
        (60.0, 0.2, "good", "The lens is known", "The camera is 62 cm"),
        (86.0, 0.2, "usable", "tilt it further down", "The lens is known"),
        (86.0, 9.0, "bad", "The sheet was bent", "tilt it further down"),
    ],
)
def test_a_camera_that_looks_along_the_table_is_reported_before_a_good_lens(
    flattest: float, error: float, grade: str, says: str, hint: str
) -> None:
    solved = LensFit(lens_of(1152, 864), error, 6)
    table = TablePlane(((0.5, 0.0, -300.0), (0.0, 0.5, -200.0), (0.0, 0.0, 1.0)))
    draft = ProfileDraft(lens_fit=solved, table=TableFit(table, 620.0, 5.0, 0.005, 0.5, flattest))
    camera = CameraInfo("", 1152, 864)
    state = json.loads(json_bytes(calibration_state(Progress(ANA, draft, 0.0, CalibrationStep.LENS), "aaaa", camera)))
    assert state["says"]["grade"] == grade
    assert says in state["says"]["sentence"]
    assert hint in state["hint"]["sentence"]


# The locked exposure

OLD = {"ExposureTime": 5000.0}
PALETTE = {"red": (40.0, 50.0, 30.0), "blue": (30.0, 0.0, -40.0)}


def test_dice_read_meanwhile_are_read_with_the_exposure_of_the_profile_in_use(desk: Desk) -> None:
    desk.profiles.save(Profile("Old", "2026-01-01", lock=OLD))
    desk.do(UseProfile("Old"), Begin())
    desk.look(1)
    assert desk.camera.locked is None
    desk.clock.now += WATCHED_FOR + 1  # the phone is dark, and its calibration is still there
    desk.table.phase = Phase.READING
    desk.calibrating.look()
    assert desk.camera.locked == OLD
    desk.table.phase = Phase.VERDICT
    desk.look(1)
    assert desk.camera.locked is None


def test_renaming_a_profile_meanwhile_leaves_the_exposure_of_the_calibration(desk: Desk) -> None:
    desk.profiles.save(Profile("Old", "2026-01-01", lock=OLD))
    desk.do(UseProfile("Old"), Begin(), RenameProfile("Old", "Older"))
    assert desk.camera.locked is None
    desk.do(GoToStep("colours"))
    desk.look(1)
    desk.do(RenameProfile("Older", "Oldest"))
    assert desk.camera.locked == {"ExposureTime": 8000.0}


def test_going_back_to_the_colours_chooses_the_exposure_anew(desk: Desk) -> None:
    desk.do(Begin(), GoToStep("colours"))
    desk.look_until(lambda state: state["colours"])
    desk.do(GoToStep("check"))
    desk.look(1)
    assert desk.camera.locked
    desk.do(GoToStep("colours"))
    assert desk.camera.locked is None
    assert desk.look(2)["colours"] is None, "not before the camera has settled"
    desk.look_until(lambda state: state["colours"])
    assert desk.camera.locked


def test_colours_that_are_left_out_stay_with_their_exposure(desk: Desk) -> None:
    desk.profiles.save(Profile("Old", "2026-01-01", palette=PALETTE, lock=OLD))
    desk.do(UseProfile("Old"), Begin(), AssumeLens(), Capture())
    desk.look_until(lambda state: state["step"] == "lens")
    desk.do(GoToStep("colours"))
    desk.look(2)
    desk.do(GoToStep("check", without=True))
    assert desk.camera.locked == OLD
    desk.look_until(lambda state: state["check"])
    desk.do(SaveProfile("New"))
    profile = desk.profiles.in_use
    assert (profile.palette, profile.lock) == (PALETTE, OLD)


def test_a_stopped_calibration_does_not_lock_a_camera_with_the_values_of_another(desk: Desk) -> None:
    desk.profiles.save(Profile("Old", "2026-01-01", lock=OLD, camera="Raspberry Pi camera imx219"))
    desk.do(UseProfile("Old"))
    assert desk.notice == "other-camera"
    desk.do(Begin(), Cancel())
    assert desk.camera.locked is None


# The profile in use


def lens_of(width: int, height: int) -> Lens:
    matrix = ((900.0, 0.0, width / 2), (0.0, 900.0, height / 2), (0.0, 0.0, 1.0))
    return Lens(width, height, matrix, (0.0,) * 5)


def test_a_profile_of_another_camera_is_reported_at_once_and_not_used(tmp_path: Path) -> None:
    profiles = Profiles(tmp_path / "profiles")
    profiles.save(Profile("Wide", "2026-01-01", lens=lens_of(1920, 1080)))
    profiles.use("Wide")
    desk = Desk(tmp_path)
    assert desk.read_with == [None]
    notice = desk.statuses[-1].notice
    assert (desk.statuses[-1].profile, notice.code) == ("Wide", "other-camera")
    assert "another camera" in notice.sentence
    desk.do(IgnoreNotice())
    assert desk.statuses[-1].notice is None


@pytest.mark.parametrize(
    ("made_with", "camera", "another"),
    [
        ("USB camera 0", "USB camera 2", "Raspberry Pi camera imx219"),
        ("imx708", "Raspberry Pi camera imx708", "imx708_wide"),  # made from pictures, which name only the model
    ],
)
def test_the_same_camera_under_another_name_is_the_same(desk: Desk, made_with: str, camera: str, another: str) -> None:
    one = Profile("Table", "2026-01-01", lens=lens_of(1152, 864), camera=made_with)
    desk.profiles.save(one)
    desk.camera.name = camera
    desk.do(UseProfile("Table"))
    assert desk.statuses[-1].notice is None
    desk.profiles.save(replace(one, camera=another))
    desk.do(UseProfile("Table"))
    assert desk.notice == "other-camera"


def test_the_dice_of_a_row_are_numbered_from_left_to_right() -> None:
    for top in range(0, 80, 7):
        places = [(100.0 * n, top + (n * 37 % 17) + 90.0 * row) for row in range(2) for n in range(5)]
        dice = tuple(Die(1, "red", (x, y, 20.0, 20.0), 0.9) for x, y in reversed(places))
        assert [die.box[:2] for die in in_rows(Reading(dice, 600, 400)).dice] == places


def test_a_moved_camera_is_reported_after_some_looks_and_can_be_ignored(
    calibrated: tuple[Desk, dict[str, Any]],
) -> None:
    desk, _ = calibrated
    notices = len(desk.statuses)

    def look(times: int) -> None:
        for _ in range(times):
            desk.clock.now += LOOK_EVERY + 1
            desk.calibrating.look()

    look(4)
    assert len(desk.statuses) == notices
    desk.seen.turned = 12.0
    desk.table.phase = Phase.READING
    look(5)
    assert len(desk.statuses) == notices
    desk.table.phase = Phase.BIDDING
    look(2)
    assert len(desk.statuses) == notices
    look(2)
    assert desk.notice == "moved"
    assert desk.read_with[-1] == "Küche oben"
    desk.do(IgnoreNotice())
    assert desk.statuses[-1] == CalibrationStatus("Küche oben")
    look(4)
    assert desk.statuses[-1] == CalibrationStatus("Küche oben")
