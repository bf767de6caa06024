"""The parts to print, as OpenSCAD makes them: closed, thick enough, printable as they lie, and roomy.

Where holes and connectors are is written here from Raspberry Pi's mechanical drawings, not taken from docs.parts.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from docs.drawings.mast import BOX_LENGTH
from docs.parts import FOLDER, PARTS, render, scad

pytestmark = pytest.mark.programs("openscad")

Floats = npt.NDArray[np.float64]
Point = tuple[float, float, float]
Mesh = Floats
"""Triangles x corners x xyz, in millimetres, counter-clockwise from outside."""
Meshes = Callable[[str], Mesh]
"""The mesh of a part."""

ALONG_Y, ALONG_Z = (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
M2, M25, M25_THREAD, M3, M3_THREAD, WOOD_SCREW, LAMP, BUTTON = 2.4, 2.9, 2.2, 3.4, 2.5, 4.5, 5.2, 30.3
PI_HOLES = [(x, y, 0.0) for x in (3.5, 61.5) for y in (3.5, 52.5)]
CORNERS = [(x, y, 0.0) for x in (-73.5, 73.5) for y in (-33.5, 33.5)]
HOLES: dict[str, list[tuple[Sequence[Point], Point, float]]] = {
    "camera-bracket": [
        ([(x, 0, z) for x in (0, -12.5) for z in (4.5, 25.5)], ALONG_Y, M2),
        ([(-35, 0, 15), (-61, 0, 12), (-61, 0, 18)], ALONG_Y, WOOD_SCREW),
    ],
    "pi-case": [(PI_HOLES, ALONG_Z, M25_THREAD), ([(27, 28, 0), (69, 28, 0)], ALONG_Z, WOOD_SCREW)],
    "pi-case-lid": [(PI_HOLES, ALONG_Z, M25)],
    "button-box": [
        (CORNERS, ALONG_Z, M3_THREAD),
        ([(-50, 0, 0), (50, 0, 0)], ALONG_Z, BUTTON),
        ([(-50, 28, 0), (50, 28, 0), (18.6, 0, 0), (-18.6, 0, 0)], ALONG_Z, LAMP),
        ([(x, y, 0) for x in (-7, 7) for y in (-13.6, 13.6)], ALONG_Z, LAMP),
    ],
    "button-box-lid": [(CORNERS, ALONG_Z, M3)],
}
"""Points on the axes of the holes, their direction, their diameter."""


@pytest.fixture(scope="module")
def mesh(tmp_path_factory: pytest.TempPathFactory) -> Meshes:
    made: dict[str, Mesh] = {}

    def of(name: str) -> Mesh:
        if name not in made:
            file = tmp_path_factory.mktemp("parts") / f"{name}.stl"
            render(name, file)
            numbers = [line.split()[1:] for line in file.read_text().splitlines() if "vertex" in line]
            made[name] = np.array(numbers, dtype=float).reshape(-1, 3, 3)
        return made[name]

    return of


def distances(mesh: Mesh, origins: Floats, directions: Floats) -> Floats:
    """How far each ray goes to each triangle; inf past it. Moeller and Trumbore (1997)."""
    first, second = mesh[:, 1] - mesh[:, 0], mesh[:, 2] - mesh[:, 0]
    found = []
    for origin, direction in zip(origins, directions, strict=True):
        across = np.cross(direction, second)
        det = np.einsum("ij,ij->i", first, across)
        with np.errstate(divide="ignore", invalid="ignore"):
            away = origin - mesh[:, 0]
            u = np.einsum("ij,ij->i", away, across) / det
            turned = np.cross(away, first)
            v = turned @ direction / det
            far = np.einsum("ij,ij->i", second, turned) / det
            found.append(np.where((abs(det) > 1e-12) & (u >= 0) & (v >= 0) & (u + v <= 1), far, np.inf))
    return np.array(found)


def inside(mesh: Mesh, points: Floats) -> npt.NDArray[np.bool_]:
    """Whether each point is in the material: a ray from it, along no edge, leaves the part an odd number of times."""
    ahead = distances(mesh, points, np.tile((0.0123, 0.0217, 1.0), (len(points), 1)))
    return np.count_nonzero((ahead > 0) & np.isfinite(ahead), axis=1) % 2 == 1


def block(low: Point, high: Point) -> Floats:
    """Points all over a block, about 3 mm apart."""
    axes = [np.linspace(a, b, max(2, round((b - a) / 3))) for a, b in zip(low, high, strict=True)]
    return np.array(list(itertools.product(*axes)))


def normals(mesh: Mesh) -> Floats:
    """Outward, of length 1."""
    found = np.cross(mesh[:, 1] - mesh[:, 0], mesh[:, 2] - mesh[:, 0])
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def size(mesh: Mesh) -> Floats:
    return np.asarray(np.ptp(mesh.reshape(-1, 3), axis=0))


def test_the_numbers_that_openscad_reads_are_those_of_the_drawings() -> None:
    assert (FOLDER / "numbers.scad").read_text(encoding="utf-8") == scad(), "python -m docs.parts writes it anew"


@pytest.mark.parametrize("name", PARTS)
def test_a_part_is_one_closed_surface_round_some_material(name: str, mesh: Meshes) -> None:
    part = mesh(name)
    edges = [
        (tuple(triangle[n]), tuple(triangle[(n + 1) % 3])) for triangle in part.tolist() for n in range(3)
    ]  # of neighbours the one goes along their edge, the other back
    assert len(set(edges)) == len(edges)
    assert {(end, start) for start, end in edges} == set(edges)
    assert np.einsum("ij,ij->i", part[:, 0], np.cross(part[:, 1], part[:, 2])).sum() / 6 > 1000
    assert set(pieces(part)) == {0}


def pieces(mesh: Mesh) -> list[int]:
    """For each triangle the number of the piece that it is joined to by its corners."""
    _, corners = np.unique(mesh.reshape(-1, 3), axis=0, return_inverse=True)
    corners = corners.reshape(-1, 3)
    label = np.arange(corners.max() + 1)
    while True:
        least = label[corners].min(axis=1)
        after = label.copy()
        np.minimum.at(after, corners, least[:, None])
        if (after == label).all():
            return [int(each) for each in least]
        label = after


@pytest.mark.parametrize("name", PARTS)
def test_no_wall_is_thinner_than_2_mm(name: str, mesh: Meshes) -> None:
    part = mesh(name)
    weights = np.array([(1, 1, 1), (4, 1, 1)]) / np.array([[3], [6]])
    starts = np.einsum("wc,tcx->twx", weights, part).reshape(-1, 3)
    inwards = np.repeat(-normals(part), len(weights), axis=0)
    through = distances(part, starts, inwards)
    assert np.where(through > 1e-4, through, np.inf).min() >= 2 - 1e-3


@pytest.mark.parametrize("name", PARTS)
def test_a_part_prints_as_it_lies_without_support(name: str, mesh: Meshes) -> None:
    """What hangs over by more than 45 degrees lies on the bed."""
    part = mesh(name)
    assert part[:, :, 2].min() == pytest.approx(0, abs=1e-6)
    hangs = part[(normals(part)[:, 2] < -np.sin(np.radians(45.5))) & (part[:, :, 2].max(axis=1) > 1e-6)]
    assert hangs.tolist() == []
    assert (size(part) < 200).all(), "the bed of a common printer"


@pytest.mark.parametrize("name", PARTS)
def test_every_hole_is_where_its_screw_is_and_as_wide(name: str, mesh: Meshes) -> None:
    part = mesh(name)
    for points, direction, diameter in HOLES[name]:
        across = [axis for axis in range(3) if not direction[axis]]
        for point in points:
            away = np.linalg.norm((part.reshape(-1, 3) - point)[:, across], axis=1)
            assert away.min() == pytest.approx(diameter / 2, abs=0.01), (point, "the nearest of the part to the axis")


def test_nuts_of_the_camera_lie_flat_and_a_screwdriver_reaches_the_screws_of_the_arm(mesh: Meshes) -> None:
    part = mesh("camera-bracket")
    top = float(part[:, :, 1].max())
    assert top == pytest.approx(10 * (83 - 1 - 75) - 12), "from the arm's under side, less the camera under it"
    rim = [(2.2 * np.cos(turn), 2.2 * np.sin(turn)) for turn in np.linspace(0, 2 * np.pi, 9)]
    for (x, _, z), (dx, dz) in itertools.product(HOLES["camera-bracket"][0][0], rim):
        assert not inside(part, np.array([(x + dx, 5.2, z + dz)]))[0]
        assert inside(part, np.array([(x + dx, 4.8, z + dz)]))[0]
    for x, z in ((-35, 15), (-61, 12), (-61, 18)):
        assert not inside(part, block((x - 4.2, -40, z - 4.2), (x + 4.2, top - 5.2, z + 4.2))).any()


def test_the_camera_looks_past_its_bracket(mesh: Meshes) -> None:
    """The board is 5 mm under it; nothing of the bracket is lower than its holes."""
    part = mesh("camera-bracket")
    assert part[:, :, 1].min() == pytest.approx(0)
    assert not inside(part, block((3.8, 0, 4), (9.5, 8, 26))).any(), "its socket and the cable"


@pytest.mark.parametrize(
    ("what", "low", "high"),
    [
        ("the board", (0, 0, 8.5), (85, 56, 30)),
        ("a memory card, and fingers", (-20, 20, 5), (0, 36, 8)),
        ("a plug of USB-C", (5, -20, 7.5), (17, 0, 17)),
        ("plugs of HDMI", (19, -20, 7.5), (46, 0, 17)),
        ("USB and network", (80, 2, 9), (120, 54, 26)),
        ("the camera's cable", (-20, 14, 14), (0, 31, 30)),
    ],
)
def test_the_case_has_room_for(what: str, low: Point, high: Point, mesh: Meshes) -> None:
    assert not inside(mesh("pi-case"), block(low, high)).any()


def test_the_board_lies_on_four_posts_and_the_lid_on_the_spacers(mesh: Meshes) -> None:
    part = mesh("pi-case")
    for x, y, _ in PI_HOLES:
        assert inside(part, np.array([(x + 2.2, y, 8.3), (x, y - 2.2, 8.3)])).all()
    lid = 8.4 + 1.4 + 25
    assert lid - 0.7 < size(part)[2] <= lid
    assert size(part)[0] < 10 * BOX_LENGTH
    assert size(mesh("pi-case-lid"))[:2] == pytest.approx(size(part)[:2])


def test_two_buttons_with_their_nuts_fit_and_so_does_a_finger_between_them(mesh: Meshes) -> None:
    part = mesh("button-box")
    for x in (-50, 50):
        assert not inside(part, block((x - 20, -20, 3.2), (x + 20, 20, 53))).any()
    assert size(mesh("button-box-lid"))[:2] == pytest.approx(size(part)[:2])


def test_the_text_says_how_large_each_part_is(mesh: Meshes) -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    said = dict(re.findall(r"\| `([a-z-]+)` \| (\d+ x \d+ x \d+) \|", text))
    assert said == {name: " x ".join(f"{each:.0f}" for each in size(mesh(name))) for name in PARTS}


def test_the_picture_is_small() -> None:
    picture = Path(FOLDER.parent, "pictures", "parts.webp")
    assert picture.stat().st_size < 60_000
    with Image.open(picture) as shown:
        assert shown.width == 1020
