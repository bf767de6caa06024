"""A lens worked out from pictures of the sheet equals that of the simulated camera."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.grade import Grade
from calibration.profile import Lens
from calibration.sheet.board import SQUARE_MM
from calibration.sheet.sighting import Sighting, find_sheet
from calibration.sheet.view_guide import guide, view_fault
from calibration.solve.lens_fit import LensFit, SolveError, fit_lens, fit_table, maker_lens
from tests.calibration.rendered import STANDARD, WIDE, Eye, Pose, dance


def bent(lens: Lens, eye: Eye) -> float:
    """Pixels by which two lenses differ, at most, over the whole picture: where each sees the same rays. A shift of all
    of them alike does not count: the camera then looks elsewhere by as much, and nothing else is different."""
    across, down = np.meshgrid(np.linspace(0, eye.width - 1, 17), np.linspace(0, eye.height - 1, 11))
    pixel_rays = (np.column_stack([across.ravel(), down.ravel()]) - eye.camera[:2, 2]) / eye.focal
    rays = pixel_rays.copy()
    for _ in range(60):
        rays += pixel_rays - eye._bent(rays)
    pixels = eye._bent(rays) * eye.focal + eye.camera[:2, 2]
    other = Eye(lens.width, lens.height, 1.0, distortion=lens.distortion)
    (fx, _, cx), (_, fy, cy), _ = lens.matrix
    points = other._bent(rays) * np.array([fx, fy]) + np.array([cx, cy])
    off = points - pixels
    return float(np.linalg.norm(off - off.mean(axis=0), axis=1).max())


# The lens


@pytest.mark.parametrize(("count", "focal", "pixels"), [(5, 0.006, 3.0), (8, 0.004, 1.5), (12, 0.003, 1.0)])
def test_the_standard_lens_is_found(
    views: list[Sighting], standard: Eye, count: int, focal: float, pixels: float
) -> None:
    fit = fit_lens(views[:count])
    assert fit.error_px < 0.15
    assert fit.grade is (Grade.GOOD if guide(views[:count]).enough else Grade.USABLE)
    assert fit.views == count
    assert fit.lens.matrix[0][0] == pytest.approx(standard.focal, rel=focal)
    assert bent(fit.lens, standard) < pixels


@pytest.mark.parametrize("count", [6, 12])
def test_the_wide_lens_is_recovered(wide_views: list[Sighting], wide: Eye, count: int) -> None:
    fit = fit_lens(wide_views[:count])
    assert fit.error_px < 0.15
    assert fit.lens.matrix[0][0] == pytest.approx(wide.focal, rel=0.006)
    assert fit.degrees == pytest.approx(99.1, abs=1)
    assert bent(fit.lens, wide) < 4


def test_a_lens_that_needs_more_than_four_coefficients_gets_them_once_there_are_enough_views() -> None:
    """A view of 126 degrees from corner to corner."""
    eye = Eye(1152, 648, 491.0, distortion=(0.5, 0.1, 0.0005, -0.0003, 0.0, 0.75, 0.16, 0.0), seed=3)
    views = [view for view in (find_sheet(eye.sheet(pose)) for pose in dance(eye)) if view is not None]
    few, many = fit_lens(views[:6]), fit_lens(views)
    assert few.lens.distortion[2:] == (0, 0, 0)
    assert any(many.lens.distortion[4:])
    assert many.error_px < 0.9 * few.error_px
    assert many.lens.matrix[0][0] == pytest.approx(eye.focal, rel=0.006)
    assert bent(many.lens, eye) < bent(few.lens, eye)


def test_a_view_that_does_not_fit_the_others_is_left_out(views: list[Sighting], standard: Eye) -> None:
    wrong = views[3].points + np.random.default_rng(5).normal(0, 3, views[3].points.shape)
    fit = fit_lens([*views[:3], replace(views[3], points=wrong), *views[4:]])
    assert list(fit.left_out) == [3]
    assert fit.left_out[3] > 2
    assert fit.error_px < 0.15
    assert fit.lens.matrix[0][0] == pytest.approx(standard.focal, rel=0.004)


def test_too_few_views_are_refused_with_the_number_needed(views: list[Sighting]) -> None:
    with pytest.raises(SolveError, match=r"Pictures of the sheet so far: 4\. At least 5"):
        fit_lens(views[:4])
    with pytest.raises(SolveError, match="no picture"):
        fit_lens([])


def test_views_that_all_face_the_camera_are_refused(standard: Eye) -> None:
    flat = [find_sheet(standard.sheet(Pose(x, y, 420, turn=turn))) for x, y, turn in
            [(0, 0, 0), (-60, 10, 90), (60, -10, 90), (0, 40, 85), (20, -40, 95)]]  # fmt: skip
    with pytest.raises(SolveError, match="tip it"):
        fit_lens([view for view in flat if view])


def test_views_that_put_the_lenss_axis_outside_the_picture_are_refused(views: list[Sighting], standard: Eye) -> None:
    """As after cropping the pictures: numbers that no profile may have are refused with a sentence."""
    shift = np.array([1.2 * standard.width, 0.0])
    with pytest.raises(SolveError, match="No lens fits"):
        fit_lens([replace(view, points=view.points + shift) for view in views])


def test_views_of_two_sizes_are_refused(views: list[Sighting]) -> None:
    with pytest.raises(SolveError, match="different sizes"):
        fit_lens([*views[:5], replace(views[5], width=640, height=360)])


def test_a_bent_sheet_shows_in_the_error(views: list[Sighting]) -> None:
    """A paper that is not glued to a board, and some millimetres higher in its middle."""
    rng = np.random.default_rng(7)
    bowed = [replace(view, points=view.points + rng.normal(0, 0.9, view.points.shape)) for view in views]
    fit = fit_lens(bowed)
    assert fit.grade is not Grade.GOOD
    assert "stiff" in fit.sentence


@pytest.mark.parametrize(
    ("width", "error", "grade"),
    [
        *((2304, 0.6, Grade.GOOD), (2304, 0.61, Grade.USABLE), (2304, 1.5, Grade.USABLE), (2304, 1.51, Grade.BAD)),
        *((1152, 0.3, Grade.GOOD), (1152, 0.31, Grade.USABLE), (1152, 0.75, Grade.USABLE), (1152, 0.76, Grade.BAD)),
        *((4608, 1.2, Grade.GOOD), (4608, 1.21, Grade.USABLE), (4608, 3.01, Grade.BAD)),
        *((320, 0.15, Grade.GOOD), (320, 0.16, Grade.USABLE), (320, 0.375, Grade.USABLE), (320, 0.38, Grade.BAD)),
    ],
)
def test_a_lens_is_graded_by_its_error_for_the_width_of_the_pictures(width: int, error: float, grade: Grade) -> None:
    """Below a quarter of 2304 pixels the limits are those of a quarter, since corners are found no better."""
    matrix = ((0.75 * width, 0.0, width / 2), (0.0, 0.75 * width, width / 4), (0.0, 0.0, 1.0))
    assert LensFit(Lens(width, width // 2, matrix, (0.0,) * 5), error, 8).grade is grade


# The table


@settings(max_examples=12, deadline=None)
@given(
    height=st.floats(500, 1100),
    tilt=st.floats(-35, 35),
    aside=st.floats(-20, 20),
    turn=st.floats(0, 360),
    square=st.sampled_from([SQUARE_MM, 0.97 * SQUARE_MM, 20.0]),
)
def test_height_tilt_and_scale_are_found(height: float, tilt: float, aside: float, turn: float, square: float) -> None:
    eye = Eye(1152, 648, 846.0, distortion=(0.03, -0.06, 0.0, 0.0, 0.0))
    height = height * square / SQUARE_MM  # a small sheet is photographed from nearer
    pose = Pose(0, 0, height, sideways=aside, lengthways=tilt, turn=turn)
    laid = fit_table(synthetic(eye, pose, square), Lens(1152, 648, eye.camera.tolist(), eye.distortion), square)
    normal = pose.matrix()
    away = np.cross(normal[:, 0], normal[:, 1])
    assert laid.height_mm == pytest.approx(abs(away @ normal[:, 2]), rel=0.01)
    assert laid.tilt == pytest.approx(np.degrees(np.arccos(min(1.0, abs(away[2])))), abs=1.5)
    a, b = on_table(laid.table.homography, eye, pose, square)
    assert np.linalg.norm(a - b) == pytest.approx(3 * square, rel=0.005)


def synthetic(eye: Eye, pose: Pose, square: float) -> Sighting:
    """The result of `find_sheet` to a tenth of a pixel, computed without a picture."""
    from calibration.sheet.board import COLUMNS, ROWS, corners

    mm = corners(square)[:, :2] - np.array([COLUMNS, ROWS]) * square / 2
    solid = np.column_stack([mm, np.ones(len(mm))]) @ pose.matrix().T
    points = eye._bent(solid[:, :2] / solid[:, 2:]) * eye.focal + eye.camera[:2, 2]
    points = points + np.random.default_rng(1).normal(0, 0.1, points.shape)
    return Sighting(np.arange(len(mm)), points, eye.width, eye.height, 0.8)


def on_table(homography: object, eye: Eye, pose: Pose, square: float) -> tuple[np.ndarray, np.ndarray]:
    """Two places on the table, three squares apart, through the undistorted picture and the homography."""
    mm = np.array([(-1.5 * square, 0.5 * square, 1), (1.5 * square, 0.5 * square, 1)])
    rays = mm @ pose.matrix().T
    pixels = rays / rays[:, 2:] @ eye.camera.T
    points = pixels @ np.array(homography).T
    one, other = points[:, :2] / points[:, 2:]
    return one, other


def test_a_photograph_of_the_flat_sheet_gives_the_height_of_the_camera(standard: Eye) -> None:
    pose = Pose(30, -10, 620, lengthways=12, turn=40)
    view = find_sheet(standard.sheet(pose))
    assert view is not None
    laid = fit_table(view, Lens(1152, 648, standard.camera.tolist(), standard.distortion))
    plane = pose.matrix()
    assert laid.height_mm == pytest.approx(abs(np.cross(plane[:, 0], plane[:, 1]) @ plane[:, 2]), rel=0.005)
    assert laid.tilt == pytest.approx(12, abs=0.3)
    assert 0.004 < laid.scale_error < 0.01
    assert laid.die_px(16) == pytest.approx(16 / 620 * 846, rel=0.05)
    assert laid.sentence == "The camera is 61 cm above the table, tilted 12 degrees from straight down."


def test_a_lens_measured_at_one_size_works_with_a_smaller_picture_of_the_table(standard: Eye) -> None:
    lens = Lens(1152, 648, standard.camera.tolist(), standard.distortion)
    pose = Pose(30, -10, 620, lengthways=12, turn=40)
    view = synthetic(standard, pose, SQUARE_MM)
    small = replace(view, points=(view.points + 0.5) / 2 - 0.5, width=576, height=324)
    one, other = fit_table(view, lens), fit_table(small, lens)
    assert np.allclose(one.table.homography, other.table.homography)
    assert other.height_mm == pytest.approx(one.height_mm)
    with pytest.raises(SolveError, match="a different shape"):
        fit_table(replace(view, width=864), lens)


@pytest.mark.parametrize(
    ("eye", "tilt", "grade"),
    [(STANDARD, 0, Grade.GOOD), (STANDARD, 40, Grade.GOOD), (WIDE, 0, Grade.GOOD), (WIDE, 25, Grade.GOOD),
     (WIDE, 32, Grade.USABLE), (WIDE, 40, Grade.USABLE), (STANDARD, 60, Grade.BAD)],
)  # fmt: skip
def test_a_camera_that_looks_along_the_table_is_to_look_down(eye: Eye, tilt: float, grade: Grade) -> None:
    lens = Lens(1152, 648, eye.camera.tolist(), eye.distortion)
    laid = fit_table(synthetic(eye, Pose(0, 0, 600, lengthways=tilt), SQUARE_MM), lens)
    assert laid.grade is grade, laid.flattest
    assert ("tilt it further down" in laid.sentence) == (grade is not Grade.GOOD)


def test_a_sheet_that_stands_up_is_refused(standard: Eye) -> None:
    view = synthetic(standard, Pose(0, 0, 500, lengthways=75), SQUARE_MM)
    with pytest.raises(SolveError, match="put the sheet flat"):
        fit_table(view, Lens(1152, 648, standard.camera.tolist(), standard.distortion))


def test_the_lens_of_a_known_camera_can_be_assumed() -> None:
    lens = maker_lens("imx708", 2304, 1296)
    assert lens.matrix[0][0] == pytest.approx(1693, abs=1)
    wide = maker_lens("imx708_wide", 2304, 1296)
    assert wide.matrix[0][0] == pytest.approx(982, abs=1)
    assert maker_lens("Raspberry Pi camera imx708_wide", 2304, 1296) == wide
    assert maker_lens("imx708", 0, 0) is None
    assert maker_lens("webcam", 640, 480) is None


# Guiding the user


def test_following_the_guide_gives_a_good_lens_after_five_to_twelve_views(standard: Eye) -> None:
    views: list[Sighting] = []
    wishes = []
    for pose in dance(standard):
        if guide(views).enough:
            break
        wishes.append(guide(views).sentence)
        view = find_sheet(standard.sheet(pose))
        if view is not None and view_fault(view, views) is None:
            views.append(view)
    assert guide(views).enough
    assert 5 <= len(views) <= 12
    assert wishes[0] == "Hold the sheet in the middle of the picture, facing the camera."
    assert fit_lens(views).lens.matrix[0][0] == pytest.approx(standard.focal, rel=0.005)


def test_progress_never_goes_back(views: list[Sighting]) -> None:
    shares = [guide(views[:n]).share for n in range(len(views) + 1)]
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] == 100


def fault(sighting: Sighting | None, views: list[Sighting]) -> str:
    return view_fault(sighting, views) or "none"


def test_an_unusable_view_is_refused_with_advice(views: list[Sighting], standard: Eye) -> None:
    assert "do not see the sheet" in fault(None, [])
    some = replace(views[0], ids=views[0].ids[:10], points=views[0].points[:10])
    assert "only part" in fault(some, [])
    assert "blurred" in fault(replace(views[0], blur=3.1), [])
    far = find_sheet(standard.sheet(Pose(0, 0, 1000)))
    assert "nearer" in fault(far, [])
    assert fault(views[0], views[:1]).startswith("I have this view already.")


def test_no_sheet_is_found_in_a_picture_without_one(standard: Eye) -> None:
    assert find_sheet(np.random.default_rng(0).integers(0, 255, (648, 1152, 3), np.uint8)) is None
    assert find_sheet(np.zeros((480, 640, 3), np.uint8)) is None


@pytest.mark.parametrize(("focal", "z"), [(470.0, 500), (470.0, 1000), (273.0, 550)])
def test_a_preview_shows_the_sheet_to_the_guide(focal: float, z: float) -> None:
    eye = Eye(640, 360, focal, blur=0.5)
    sighting = find_sheet(eye.sheet(Pose(20, 10, z, lengthways=15, turn=30)))
    assert len(sighting.ids) >= 14


def test_a_moving_sheet_is_more_blurred_than_a_still_one(standard: Eye) -> None:
    import cv2

    still = standard.sheet(Pose(0, 0, 420))
    shaken = cv2.blur(still, (8, 1))
    one, other = find_sheet(still), find_sheet(np.asarray(shaken, np.uint8))
    assert one.blur < 1.3
    assert other.blur > 1.6 * one.blur
