"""Tilted and distorted frames are straightened, and boxes are mapped back into the frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from msgspec.structs import replace

from calibration.image import Image
from calibration.palette import SEAT_COLOURS
from calibration.profile import Lens, Profile, TablePlane
from vision.drawn.table_scene import WIDTH_MM, SceneDie, TableScene, render_table
from vision.models.networks import Detection
from vision.pipeline.rectify import MAX_ENLARGEMENT, Rectifier, RectifyError
from vision.pipeline.tilt import Tilt
from vision.reader import Reader
from vision.reading import Reading

Doubles = npt.NDArray[np.float64]

SIZE = (1152, 648)
BARREL = (-0.2, 0.05, 0.001, -0.0005, 0.0)
FOLDING = (-0.35, 0.0, 0.0, 0.0, 0.0)
"""A distortion whose polynomial turns back just outside the frame, so that points there seem to be inside."""


@dataclass(frozen=True)
class View:
    """A camera that looks at the origin of the table, whose x runs to the right and y down."""

    tilt: float = 0.0
    """Degrees from straight down, towards the frame's upper edge."""
    turn: float = 0.0
    """Degrees that the table is turned under the camera."""
    distortion: tuple[float, ...] = (0.0,) * 5
    size: tuple[int, int] = SIZE
    wide: float = 0.75
    """The focal length over the frame's width: Camera Module 3 has 0.75, the wide one 0.43."""
    away: float = 750.0
    """Millimetres from the camera to the origin."""

    @property
    def camera(self) -> Doubles:
        width, height = self.size
        focal = self.wide * width
        return np.array([[focal, 0, width / 2 - 3.0], [0, focal, height / 2 + 2.0], [0, 0, 1]])

    @property
    def pose(self) -> tuple[Doubles, Doubles]:
        tilted, _ = cv2.Rodrigues(np.array([-np.radians(self.tilt), 0, 0]))
        turned, _ = cv2.Rodrigues(np.array([0, 0, np.radians(self.turn)]))
        rotation, _ = cv2.Rodrigues(np.asarray(tilted @ turned))
        return np.asarray(rotation, np.float64), np.array([0.0, 0.0, self.away])

    def profile(self, mirrored: bool = False, table: bool = True) -> Profile:
        rotation, moved = self.pose
        axes, _ = cv2.Rodrigues(rotation)
        to_mm = np.linalg.inv(self.camera @ np.column_stack([axes[:, 0], axes[:, 1], moved]))
        if mirrored:
            to_mm = np.diag([1.0, -1.0, 1.0]) @ to_mm
        lens = Lens(*self.size, self.camera.tolist(), self.distortion)
        return Profile("test", "2026-05-01", lens, TablePlane(to_mm.tolist()) if table else None)

    def sees(self, points: Doubles) -> Doubles:
        """Millimetres on the table to pixels of the frame, n x 2."""
        flat = np.column_stack([points, np.zeros(len(points))])[:, None]
        pixels, _ = cv2.projectPoints(flat, *self.pose, self.camera, np.array(self.distortion))
        return np.asarray(pixels, np.float64).reshape(-1, 2)

    def on_table(self, pixels: Doubles) -> Doubles:
        """Pixels of the frame to millimetres on the table, n x 2."""
        flat = cv2.undistortPoints(
            pixels.reshape(-1, 1, 2), self.camera, np.array(self.distortion), None, None, self.camera
        )
        to_mm = np.array(self.profile().table.homography)  # type: ignore[union-attr]
        return np.asarray(cv2.perspectiveTransform(flat, to_mm), np.float64).reshape(-1, 2)

    def photograph(self, table: Image, wide_mm: float) -> Image:
        """The frame, where `table` is a picture from straight above, `wide_mm` wide, of the table round the origin."""
        size = np.array([table.shape[1], table.shape[0]])
        places = (self.every_pixel * size[0] / wide_mm + size / 2 - 0.5).astype(np.float32)
        return np.asarray(cv2.remap(table, places, None, cv2.INTER_LINEAR), np.uint8)

    @cached_property
    def every_pixel(self) -> Doubles:
        """Millimetres on the table for each pixel of the frame, height x width x 2."""
        width, height = self.size
        pixels = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 1, 2)
        return self.on_table(pixels.astype(np.float64)).reshape(height, width, 2)


def lattice(step: float, across: int, down: int) -> Doubles:
    """Points on the table round the origin, row by row: (2 across + 1) x (2 down + 1) of them, n x 2."""
    x, y = np.meshgrid(np.arange(-across, across + 1) * step, np.arange(-down, down + 1) * step)
    return np.column_stack([x.ravel(), y.ravel()])


def dotted(points: Doubles, size: tuple[int, int]) -> Image:
    """A black frame with a soft white dot at each point, to a sixteenth of a pixel."""
    frame = np.zeros((size[1], size[0], 3), np.uint8)
    for x, y in points:
        centre = (round(x * 16), round(y * 16))
        cv2.circle(frame, centre, 4 * 16, (255, 255, 255), -1, cv2.LINE_AA, 4)
    return frame


def dots(image: Image) -> Doubles:
    """The middles of the white dots, n x 2."""
    count, labels = cv2.connectedComponents((image[..., 0] > 40).astype(np.uint8))
    y, x = np.nonzero(labels)
    of, bright = labels[y, x], image[y, x, 0].astype(np.float64)
    sums = (np.bincount(of, bright * by, count)[1:] for by in (x, y))
    return np.column_stack(list(sums)) / np.bincount(of, bright, count)[1:, None]


def origin(rectifier: Rectifier, x: float, y: float) -> tuple[float, float]:
    """A point of the straightened picture in the frame."""
    return rectifier.box_in_frame((x, y, 0, 0))[:2]


def a_detection(x: float, y: float) -> Detection:
    return Detection(x, y, 40.0, 40.0, 0.9, np.full(6, 1 / 6, np.float32), np.full(8, 1 / 8, np.float32))


def nearest(points: Doubles, others: Doubles) -> npt.NDArray[np.intp]:
    return np.asarray(np.linalg.norm(points[:, None] - others[None], axis=2).argmin(axis=1))


# The picture


@pytest.mark.parametrize(
    ("view", "mirrored"),
    [
        (View(25, 30, BARREL), False),
        (View(25, 180, BARREL), True),
        (View(0, 5, BARREL, wide=0.43, away=500), True),
        (View(35, 200, FOLDING), False),
        (View(35, -80, distortion=(-0.15, 0.03, 0, 0, 0, 0.01, 0.02, 0.003)), False),
    ],
)
def test_a_tilted_and_distorted_lattice_is_square_again_and_maps_back(view: View, mirrored: bool) -> None:
    points = lattice(50, 4, 2)
    rectifier = Rectifier(view.profile(mirrored), *SIZE)
    pixels = view.sees(points)
    straight = dots(rectifier.frame(dotted(pixels, SIZE)))
    assert len(straight) == len(points)
    # The dots are matched by their origin; then one turn, one scale and one shift must fit them all.
    back = np.array([origin(rectifier, x + 0.5, y + 0.5) for x, y in straight]) - 0.5
    which = nearest(back, pixels)
    assert len(set(which.tolist())) == len(points)
    centred = (straight - straight.mean(axis=0)) @ np.array([1, 1j])
    truth = points[which] @ np.array([1, 1j])
    truth = truth - truth.mean()
    similar = (truth.conj() @ centred) / (truth.conj() @ truth)
    assert np.abs(centred - similar * truth).max() < 1.0
    turned = np.angle(similar * np.exp(-1j * np.radians(view.turn)))
    assert abs(np.degrees(turned)) < 5  # whatever the axes of the table, the picture has the orientation of the frame
    for x, y in straight:
        left, top, width, height = rectifier.box_in_frame((x - 7.5, y - 7.5, 16, 16))
        middle = np.array([left + width / 2, top + height / 2]) - 0.5
        assert np.linalg.norm(pixels - middle, axis=1).min() < 1.0
        assert 6 < width < 30
        assert 6 < height < 30


@pytest.mark.parametrize("view", [View(25, 20, BARREL), View(40, 20), View(25, wide=0.43)])
def test_a_die_in_the_middle_keeps_its_size(view: View) -> None:
    assert size_in_the_middle(view) == pytest.approx(1, rel=0.03)


@pytest.mark.parametrize(("view", "size"), [(View(40, 20, BARREL), 0.92), (View(32, 20, BARREL, wide=0.43), 0.9)])
def test_a_die_in_the_middle_is_smaller_where_the_table_would_not_fit(view: View, size: float) -> None:
    width, height = Rectifier(view.profile(), *SIZE).size
    assert width * height == pytest.approx(MAX_ENLARGEMENT * SIZE[0] * SIZE[1], rel=0.005)
    assert size_in_the_middle(view) == pytest.approx(size, rel=0.05)


@pytest.mark.parametrize("tilt", [38, 65])
def test_the_far_part_of_the_table_is_left_out_rather_than_making_dice_small(tilt: float) -> None:
    view = View(tilt, 20, BARREL, wide=0.43)
    assert size_in_the_middle(view) >= 0.9
    mm = lattice(130, 20, 20)
    rotation, moved = view.pose
    ahead = np.column_stack([mm, np.zeros(len(mm))]) @ cv2.Rodrigues(rotation)[0].T + moved
    steep = np.degrees(np.arccos(ahead @ cv2.Rodrigues(rotation)[0][:, 2] / np.linalg.norm(ahead, axis=1)))
    pixels = view.sees(mm)
    inside = ((pixels > 6) & (pixels < np.array(SIZE) - 6)).all(axis=1) & (ahead[:, 2] > 0) & (steep < 68)
    straight = Rectifier(view.profile(), *SIZE).frame(dotted(pixels[inside], SIZE))
    near = dotted(pixels[inside], SIZE)
    assert np.count_nonzero(inside) > 20
    assert len(dots(cv2.dilate(straight, np.ones((3, 3), np.uint8)))) == len(dots(near))


def size_in_the_middle(view: View) -> float:
    """The size in the straightened picture of what is in the middle of the frame, relative to its size in the frame."""
    middle = np.array([SIZE[0] / 2, SIZE[1] / 2])
    frame = dotted(middle + np.array([(-20, 0), (20, 0), (0, -20), (0, 20)]) - 0.5, SIZE)
    across, down = np.ptp(dots(Rectifier(view.profile(), *SIZE).frame(frame)), axis=0)
    return float(np.sqrt(across * down)) / 40


WHOLE = [
    View(tilt, 15, distortion, wide=wide)
    for wide, distortion, steepest in ((0.75, View.distortion, 40), (0.75, BARREL, 40), (0.43, BARREL, 15))
    for tilt in (0, steepest)
]
"""The least and the most tilted views of some lenses of which all of the frame is in the picture."""


@pytest.mark.parametrize("view", WHOLE)
def test_the_border_cuts_off_no_more_than_the_frame_does(view: View) -> None:
    """Each corner of the frame, and the middle of each side, is entirely inside the picture."""
    rectifier = Rectifier(view.profile(), *SIZE)
    right, bottom = SIZE[0] - 1, SIZE[1] - 1
    places = [(x, y) for x in (0, right // 2, right) for y in (0, bottom // 2, bottom)]
    frame = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    for x, y in places:
        frame[max(0, y - 9) : y + 10, max(0, x - 9) : x + 10] = 255
    lit = (rectifier.frame(frame)[..., 0] > 60).astype(np.uint8)
    _, _, found, _ = cv2.connectedComponentsWithStats(lit)
    boxes = [rectifier.box_in_frame(tuple(map(float, each[:4]))) for each in found[1:]]
    assert len(boxes) == len(places)
    for x, y in places:
        box = min(boxes, key=lambda box: abs(box[0] + box[2] / 2 - x) + abs(box[1] + box[3] / 2 - y))
        assert max(0, x - 9) >= box[0] - 2
        assert max(0, y - 9) >= box[1] - 2
        assert min(SIZE[0], x + 10) <= box[0] + box[2] + 2
        assert min(SIZE[1], y + 10) <= box[1] + box[3] + 2


def test_a_straight_frame_is_unchanged() -> None:
    rng = np.random.default_rng(1)
    frame = rng.integers(0, 256, (SIZE[1], SIZE[0], 3), dtype=np.uint8)
    for profile in (View().profile(), View().profile(table=False)):
        rectifier = Rectifier(profile, *SIZE)
        assert rectifier.size == SIZE
        assert np.array_equal(rectifier.frame(frame), frame)
        assert rectifier.box_in_frame((10, 20, 30, 40)) == pytest.approx((10, 20, 30, 40))


def test_without_a_table_lines_are_straight_and_nothing_turns() -> None:
    view = View(0, 0, BARREL)
    rectifier = Rectifier(view.profile(table=False), *SIZE)
    line = np.column_stack([np.linspace(-400, 400, 9), np.full(9, 200.0)])
    pixels = view.sees(line)
    assert np.ptp(pixels[:, 1]) > 8
    straight = dots(rectifier.frame(dotted(pixels, SIZE)))
    assert len(straight) == 9
    assert np.ptp(straight[:, 1]) < 1


@pytest.mark.parametrize("size", [(2304, 1296), (1152, 648), (576, 324), (1000, 560)])
def test_a_profile_works_for_frames_of_every_size(size: tuple[int, int]) -> None:
    """The same relative place in the frame is the same relative place in the straightened picture."""
    profile = View(15, 10, (-0.08, 0.02, 0.001, -0.0005, 0.0)).profile()
    whole, other = Rectifier(profile, *SIZE), Rectifier(profile, *size)
    assert other.size == pytest.approx(np.array(whole.size) * size[0] / SIZE[0], rel=0.01)
    for x, y in ((0.5, 0.5), (0.3, 0.6), (0.7, 0.2)):
        one = np.array(origin(whole, x * whole.size[0], y * whole.size[1])) / SIZE
        two = np.array(origin(other, x * other.size[0], y * other.size[1])) / size
        assert one == pytest.approx(two, abs=0.001)


@pytest.mark.parametrize("wide", [0.75, 0.43])
@pytest.mark.parametrize("tilt", [20, 50, 74])
@pytest.mark.parametrize("distortion", [(0.0,) * 5, BARREL, FOLDING])
def test_no_picture_is_too_large_or_shows_a_thing_twice(
    wide: float, tilt: float, distortion: tuple[float, ...]
) -> None:
    view = View(tilt, 15, distortion, wide=wide)
    try:
        rectifier = Rectifier(view.profile(), *SIZE)
    except RectifyError as error:
        assert tilt >= 40
        assert "look down more steeply" in str(error)  # noqa: PT017 - beyond that, either is right
        return
    width, height = rectifier.size
    assert width * height <= MAX_ENLARGEMENT * SIZE[0] * SIZE[1]
    # Every lit pixel comes from its own place in the frame: the mapping back never folds over.
    straight = rectifier.frame(np.full((SIZE[1], SIZE[0], 3), 255, np.uint8))[..., 0] == 255
    x, y = np.arange(10, width, 64), np.arange(10, height, 64)
    back = np.array([[origin(rectifier, a + 0.5, b + 0.5) for a in x] for b in y])
    lit = straight[np.ix_(y, x)]
    assert lit.mean() > 0.4
    assert (back[lit] > -0.5).all()
    assert (back[lit] < np.array(SIZE) + 0.5).all()
    across, down = np.diff(back, axis=1)[:-1], np.diff(back, axis=0)[:, :-1]
    upright = across[..., 0] * down[..., 1] - across[..., 1] * down[..., 0] > 0
    assert upright[lit[:-1, :-1] & lit[1:, :-1] & lit[:-1, 1:]].all()


def test_beyond_the_horizon_there_is_nothing() -> None:
    view = View(70, wide=0.43)  # sees the horizon, a fifth of the frame from its upper edge
    rectifier = Rectifier(view.profile(), *SIZE)
    frame = np.full((SIZE[1], SIZE[0], 3), 255, np.uint8)
    horizon = round(view.camera[1, 2] - view.camera[1, 1] * np.tan(np.radians(90 - 70)))
    assert horizon > 50
    frame[horizon:] = 90
    straight = rectifier.frame(frame)
    assert straight.max() == 90
    assert (straight == 90).mean() > 0.4


def test_what_the_lens_cannot_show_is_black() -> None:
    rectifier = Rectifier(View(35).profile(), *SIZE)
    straight = rectifier.frame(np.full((SIZE[1], SIZE[0], 3), 200, np.uint8))
    assert not straight[-1, 0].any()
    assert not straight[-1, -1].any()
    assert straight[straight.shape[0] // 2, straight.shape[1] // 2].tolist() == [200, 200, 200]


# Back to the frame


def to_picture(rectifier: Rectifier, view: View, width: int) -> Callable[[Doubles], Doubles]:
    """Millimetres on the table to the rectified picture, n x 2, from OpenCV's projection and the mapping back.

    `width` is that of the frames in pixels.

    Fails unless that is one turn, one scale and one shift, to a hundredth of a pixel.
    """
    x, y = np.meshgrid(*(np.linspace(0.3, 0.7, 5) * side for side in rectifier.size))
    places = np.column_stack([x.ravel(), y.ravel()])
    in_frame = np.array([origin(rectifier, *place) for place in places])
    pixels = in_frame * view.size[0] / width - 0.5  # pixels of the lens's pictures, counted from centres
    mm, there = view.on_table(pixels) @ np.array([1, 1j]), places @ np.array([1, 1j])
    (turn, shift), *_ = np.linalg.lstsq(np.column_stack([mm, np.ones(len(mm))]), there, rcond=None)
    assert np.abs(turn * mm + shift - there).max() < 0.01

    def at(points: Doubles) -> Doubles:
        mapped = turn * (points @ np.array([1, 1j])) + shift
        return np.column_stack([mapped.real, mapped.imag])

    return at


@pytest.mark.parametrize("view", [View(), View(25, distortion=BARREL), View(30, turn=40, wide=0.43, away=600)])
def test_a_die_shows_its_foot_nearer_to_the_point_below_the_camera(view: View) -> None:
    rectifier = Rectifier(view.profile(), *SIZE)
    rotation, moved = view.pose
    axes, _ = cv2.Rodrigues(rotation)
    camera = -axes.T @ moved
    at = to_picture(rectifier, view, SIZE[0])
    below, beside = at(np.stack([camera[:2], camera[:2] + np.array([abs(camera[2]), 0])]))
    assert np.allclose(rectifier.below, below, atol=0.5)
    assert rectifier.height == pytest.approx(float(np.linalg.norm(beside - below)), rel=0.002)
    x, y = below + np.array([0.6 * rectifier.height, 0])
    right, down = Tilt.known(rectifier.below, rectifier.height).of(a_detection(x, y))
    assert right == pytest.approx(0.3, abs=0.01)  # half of what a side of 31 degrees adds to a die
    assert down == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize("size", [(2304, 1296), (1152, 648), (576, 324)])
def test_the_mapping_back_is_that_of_the_camera_at_every_size(size: tuple[int, int]) -> None:
    """The picture begins and ends with the frame, at the outer edges of its pixels."""
    view = View(30, 20, size=(2304, 1296))
    rectifier = Rectifier(view.profile(), *size)
    edges = np.linspace(0, 1, 201)
    outline = np.concatenate([np.column_stack(pair) for side in (0, 1) for pair in (
        (edges, np.full(201, side)), (np.full(201, side), edges))])  # fmt: skip
    extent = to_picture(rectifier, view, size[0])(view.on_table(outline * view.size - 0.5))
    assert extent.min(axis=0) == pytest.approx([0, 0], abs=0.02)
    assert (extent.max(axis=0) > np.array(rectifier.size) - 1).all()
    assert (extent.max(axis=0) < np.array(rectifier.size) + 0.02).all()


@pytest.mark.parametrize("view", [View(35, 20), View(40, -80, wide=0.6), View(0, 0, BARREL)])
def test_points_map_back_to_a_tenth_of_a_pixel(view: View) -> None:
    rectifier = Rectifier(view.profile(), *SIZE)
    rng = np.random.default_rng(4)
    x, y = np.meshgrid(np.linspace(60, SIZE[0] - 60, 12), np.linspace(50, SIZE[1] - 50, 7))
    painted = np.column_stack([x.ravel(), y.ravel()]) + rng.uniform(-5, 5, (x.size, 2)).round(3)
    straight = dots(rectifier.frame(dotted(painted, SIZE)))
    assert len(straight) == len(painted)
    back = np.array([origin(rectifier, a + 0.5, b + 0.5) for a, b in straight]) - 0.5
    errors = back - painted[nearest(back, painted)]
    assert np.abs(errors.mean(axis=0)).max() < 0.1
    assert np.abs(errors[: len(errors) // 4].mean(axis=0)).max() < 0.1


@pytest.mark.parametrize("place", [(4000, 0), (-4000, 500), (0, -5000), (0, 4000), (300, 9000), (-2000, 20000)])
def test_a_place_far_outside_maps_to_just_outside_the_frame_on_its_side(place: tuple[float, float]) -> None:
    """At 3 % more than the longest ray of the frame, even for a place behind the camera."""
    view = View(35, 0)
    rectifier = Rectifier(view.profile(), *SIZE)
    rotation, moved = view.pose
    turned, _ = cv2.Rodrigues(rotation)
    ahead = turned @ np.array([*place, 0.0]) + moved
    corners = np.array([(x, y) for x in (-0.5, SIZE[0] - 0.5) for y in (-0.5, SIZE[1] - 0.5)])
    rays = cv2.undistortPoints(corners[:, None], view.camera, np.zeros(5)).reshape(-1, 2)
    longest = 1.03 * np.linalg.norm(rays, axis=1).max()
    ray = np.array([*(ahead[:2] / np.linalg.norm(ahead[:2]) * longest), 1.0])
    expected, _ = cv2.projectPoints(ray[None, None], np.zeros(3), np.zeros(3), view.camera, np.zeros(5))
    ((x, y),) = to_picture(rectifier, view, SIZE[0])(np.array([place], np.float64))
    assert origin(rectifier, x, y) == pytest.approx(expected.ravel() + 0.5, abs=0.05)


def test_a_box_in_the_frame_contains_everything_in_the_original_box() -> None:
    rectifier = Rectifier(View(35, 25, BARREL).profile(), *SIZE)
    box = (300.0, 200.0, 400.0, 300.0)
    left, top, width, height = rectifier.box_in_frame(box)
    rng = np.random.default_rng(2)
    for across, down in rng.uniform(0, 1, (200, 2)):
        x, y = origin(rectifier, box[0] + across * box[2], box[1] + down * box[3])
        assert left - 0.5 <= x <= left + width + 0.5
        assert top - 0.5 <= y <= top + height + 0.5


def test_near_a_die_the_move_to_the_frame_is_exact_to_half_a_pixel() -> None:
    rectifier = Rectifier(View(35, 25, BARREL).profile(), *SIZE)
    for left, top in ((300.0, 200.0), (640.0, 480.0), (900.0, 300.0)):
        move = rectifier.near((left, top, 40.0, 40.0))
        for x, y in ((left, top), (left + 40, top), (left + 20, top + 20), (left + 13, top + 40)):
            assert np.abs(move @ (x, y, 1) - origin(rectifier, x, y)).max() < 0.5


@pytest.mark.parametrize("view", [View(74, wide=0.43), View(35, distortion=FOLDING, wide=0.43), View(0)])
def test_a_box_outside_the_picture_maps_to_finite_numbers(view: View) -> None:
    rectifier = Rectifier(view.profile(), *SIZE)
    for corner in (-1e5, -500.0, 1e3, 1e5):
        for other in (-1e5, 0.0, 1e5):
            box = rectifier.box_in_frame((corner, other, 50, 50))
            assert np.isfinite(box).all()
            assert np.abs(box).max() < 10 * SIZE[0]
            assert min(box[2:]) >= 0


# Unusable profiles and frames


def test_a_profile_without_lens_and_table_is_refused() -> None:
    nothing = Profile("test", "2026-05-01")
    with pytest.raises(RectifyError, match="knows nothing of the lens"):
        Rectifier(nothing, *SIZE)
    frame = render_table(TableScene((SceneDie(0, 0, 0.4, 5, "red"),)), (640, 480))
    without = Reader.load()
    assert without.with_profile(nothing).read(frame).dice == without.read(frame).dice


def test_frames_of_another_shape_are_refused() -> None:
    profile = View().profile()
    with pytest.raises(RectifyError) as caught:
        Rectifier(profile, 640, 480)
    assert str(caught.value) == (
        "Frames of 640 x 480 pixels have another shape than the pictures the lens was measured with, 1152 x 648: "
        "take frames of that shape, or calibrate the camera again."
    )
    with pytest.raises(RectifyError, match=r"A frame of 640 x 480 pixels came, and this is made for 1152 x 648\."):
        Rectifier(profile, *SIZE).frame(np.zeros((480, 640, 3), np.uint8))


def test_a_camera_that_looks_along_the_table_is_refused() -> None:
    with pytest.raises(RectifyError, match="looks along the table"):
        Rectifier(View(80).profile(), *SIZE)


@pytest.mark.parametrize("distortion", [(-1e6, 1e6, 0, 0, 0), (0, 0, 0, 0, 0, -1e9, 0, 0), (1e200,) * 14])
def test_an_impossible_distortion_is_refused_or_harmless(distortion: tuple[float, ...]) -> None:
    profile = View().profile()
    assert profile.lens is not None
    profile = replace(profile, lens=replace(profile.lens, distortion=distortion))
    try:
        rectifier = Rectifier(profile, *SIZE)
    except RectifyError as error:
        assert "calibrate" in str(error)  # noqa: PT017 - either is right
    else:
        rectifier.frame(np.zeros((SIZE[1], SIZE[0], 3), np.uint8))


# Reading tilted frames


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load()


def throw(seed: int) -> tuple[SceneDie, ...]:
    """Five dice each for four players, in a field that a tilted camera sees completely."""
    rng = np.random.default_rng(seed)
    dice = []
    for colour, (x, y) in zip(SEAT_COLOURS, ((-130, -70), (130, -70), (130, 70), (-130, 70)), strict=False):
        for k in range(5):
            dx, dy = 34 * (k % 3) - 34, 36 * (k // 3) - 18
            dice.append(SceneDie(x + dx, y + dy, rng.uniform(0, 6.28), int(rng.integers(1, 7)), colour))
    return tuple(dice)


def says(reading: Reading) -> list[tuple[str, int]]:
    return sorted((die.colour, die.face) for die in reading.dice)


def test_a_tilted_table_is_read_like_a_flat_one(reader: Reader) -> None:
    view = View(35, 8, BARREL, size=(2304, 1296))
    dice = throw(0)
    flat = render_table(TableScene(dice), (2048, 1536))
    rectifier = Rectifier(view.profile(), *view.size)
    reading = reader.read(rectifier.frame(view.photograph(flat, WIDTH_MM)))
    assert says(reader.read(flat)) == sorted((die.colour, die.face) for die in dice)
    assert says(reading) == sorted((die.colour, die.face) for die in dice)
    # Each box, mapped back to the frame, surrounds its die.
    middles = view.sees(np.array([(die.x, die.y) for die in dice]))
    for die in reading.dice:
        left, top, width, height = rectifier.box_in_frame(die.box)
        inside = (middles > (left, top)).all(axis=1) & (middles < (left + width, top + height)).all(axis=1)
        (which,) = np.flatnonzero(inside)
        assert (dice[which].colour, dice[which].face) == (die.colour, die.face)


def test_dice_at_the_far_edge_are_read() -> None:
    view = View(25, 0, BARREL, (2304, 1296), wide=0.43, away=300)
    rng = np.random.default_rng(3)
    faces, turns = (3, 5, 2, 6, 4, 1), rng.uniform(0, 6.28, 6)
    places = [(-285, -372), (-171, -350), (-57, -340), (57, -340), (171, -350), (285, -372)]
    dice = tuple(
        SceneDie(x, y, float(turn), face, colour)
        for (x, y), turn, face, colour in zip(places, turns, faces, SEAT_COLOURS, strict=False)
    )
    flat = render_table(TableScene(dice, seed=3), (1536, 2304))
    middles = view.sees(np.array(places, np.float64))
    assert middles[:, 1].max() < 40  # a die there is 30 pixels high
    reading = Reader.load(view.profile()).read(view.photograph(flat, WIDTH_MM))
    assert says(reading) == sorted((die.colour, die.face) for die in dice)


@pytest.mark.parametrize(("tilt", "turn"), [(25, 0), (15, 12)])
def test_a_die_cut_off_by_the_frame_is_never_sure(reader: Reader, tilt: float, turn: float) -> None:
    view = View(tilt, turn, BARREL, (2304, 1296), away=330)
    for share in (0.12, 0.25):  # how far the middle of a die is inside the frame, in die widths
        dice = [SceneDie(0, 0, 0.4, 6, "green")]
        for face, y in ((4, 350.0), (5, 700.0), (6, 1050.0)):
            edge, inside = view.on_table(np.array([(0.0, y), (100.0, y)]))
            at = edge + (inside - edge) / np.linalg.norm(inside - edge) * 16 * share
            dice.append(SceneDie(float(at[0]), float(at[1]), 0.4, face, "red"))
        frame = view.photograph(render_table(TableScene(tuple(dice)), (2048, 1536)), WIDTH_MM)
        read = reader.with_profile(view.profile()).read(frame).dice
        assert [(die.face, die.colour) for die in read if not die.uncertain] == [(6, "green")]
