"""`perudo calibrate`, as it is typed: the sheet, a profile from pictures, and the profiles there are."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from calibration.profile import Profile
from calibration.profiles import Profiles
from companion.cli import main
from tests.calibration.rendered import Eye, Pose, dance
from vision.drawn.table_scene import SceneDie, TableScene, render_table
from vision.image_file import write_image

EYE = Eye(1152, 648, 846.0, off=(6.0, -4.0))
COLOURS = ("red", "orange", "yellow", "green", "blue", "purple")
DICE = tuple(SceneDie(-150 + 60 * k, -40 + 15 * k, 0.5 * k, k + 1, colour) for k, colour in enumerate(COLOURS))

Perudo = Callable[..., Result]


@pytest.fixture(scope="module")
def album(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nine pictures of the sheet, one of it on the table, one of a throw, one of nothing."""
    folder = tmp_path_factory.mktemp("album")
    for n, pose in enumerate(dance(EYE)[:9], 1):
        write_image(folder / f"view{n}.jpg", EYE.sheet(pose), quality=92)
    write_image(folder / "flat.jpg", EYE.sheet(Pose(20, 10, 620, lengthways=12, turn=70)), quality=92)
    write_image(folder / "throw.jpg", render_table(TableScene(DICE), (1152, 648)))
    write_image(folder / "nothing.jpg", np.full((648, 1152, 3), 90, np.uint8))
    return folder


@pytest.fixture
def perudo(album: Path, tmp_path: Path) -> Perudo:
    """Runs `perudo calibrate ...` on a state folder of its own; `view1.jpg` and the like mean the album's."""

    def run(command: str, *args: str) -> Result:
        arguments = [str(album / arg) if arg.endswith(".jpg") else arg for arg in args]
        state = [] if command == "board" else ["--state", str(tmp_path / "state")]
        return CliRunner().invoke(main, ["calibrate", command, *arguments, *state])

    return run


VIEWS = [f"view{n}.jpg" for n in range(1, 10)]


def test_the_sheet_is_written_to_the_file_that_is_named(perudo: Perudo, tmp_path: Path) -> None:
    file = tmp_path / "sheet.pdf"
    result = perudo("board", "--paper", "letter", "--language", "it", "--out", str(file))
    assert result.exit_code == 0, result.output
    assert file.read_bytes().startswith(b"%PDF")
    assert "Letter" in result.stdout
    assert "100 %" in result.stdout


def test_a_sheet_that_cannot_be_written_is_reported(perudo: Perudo, tmp_path: Path) -> None:
    result = perudo("board", "--out", str(tmp_path / "nowhere" / "sheet.pdf"))
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr


def test_pictures_give_a_profile_that_describes_the_camera(perudo: Perudo, tmp_path: Path) -> None:
    result = perudo("from", *VIEWS, "nothing.jpg", "--flat", "flat.jpg", "--name", "Camper")
    assert result.exit_code == 0, result.output
    assert "nothing.jpg: I do not see the sheet." in result.stdout
    assert "The lens is known well" in result.stdout
    assert "The camera is 61 cm above the table, tilted 12 degrees from straight down." in result.stdout
    focal = re.search(r"Focal length (\d+) pixels", result.stdout)
    assert int(focal[1]) == pytest.approx(EYE.focal, rel=0.005)
    profile = Profiles.of(tmp_path / "state").in_use
    assert profile.name == "Camper"
    assert profile.measured.height_mm == pytest.approx(607, rel=0.01)
    assert profile.measured.error_px < 0.3
    assert Profiles.of(tmp_path / "state").reference("Camper") is not None


def test_a_short_ruler_puts_the_camera_lower(perudo: Perudo, tmp_path: Path) -> None:
    heights = []
    for ruler in ("100", "95"):
        result = perudo("from", *VIEWS[:6], "--flat", "flat.jpg", "--name", "Camper", "--ruler", ruler)
        assert result.exit_code == 0, result.output
        profile = Profiles.of(tmp_path / "state").get("Camper")
        heights.append(profile.measured.height_mm)
    assert heights[1] == pytest.approx(0.95 * heights[0], rel=1e-3)
    assert "before: lens to" in result.stdout
    assert "now:" in result.stdout
    back = perudo("undo", "camper")
    assert back.exit_code == 0, back.output
    restored = Profiles.of(tmp_path / "state").get("Camper")
    assert restored.measured.height_mm == heights[0]


def test_one_flat_picture_and_a_known_camera_give_a_table_and_name_what_is_missing(
    perudo: Perudo, tmp_path: Path
) -> None:
    result = perudo("from", "flat.jpg", "--flat", "flat.jpg", "--camera", "imx708", "--name", "Quick")
    assert result.exit_code == 0, result.output
    assert "as its maker describes it" in result.stdout
    assert "lens assumed" in result.stdout
    profile = Profiles.of(tmp_path / "state").get("Quick")
    assert profile.measured.views == 0
    assert profile.measured.height_mm == pytest.approx(607, rel=0.02)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["view1.jpg", "view2.jpg"], "Pictures of the sheet so far: 2"),
        (["nothing.jpg"], "no picture of the sheet"),
        (["missing.jpg"], "no such file"),
        ([*VIEWS[:5], "--ruler", "10"], "measure it again"),
        ([*VIEWS[:5], "--ruler", "100", "--square", "33"], "give one of them"),
        ([*VIEWS[:5], "--flat", "nothing.jpg"], "nothing.jpg: I do not see the sheet"),
        (["flat.jpg", "--camera", "webcam"], "is not known: imx708"),
        ([*VIEWS[:5], "--colours", "nothing.jpg"], "no dice that I am sure of"),
    ],
)
def test_unusable_input_is_reported_and_nothing_is_saved(
    perudo: Perudo, tmp_path: Path, args: list[str], words: str
) -> None:
    result = perudo("from", *args, "--name", "Camper")
    assert result.exit_code == 1, result.output
    assert words in result.stderr
    assert Profiles.of(tmp_path / "state").all() == ()


def test_a_name_that_no_profile_can_have_is_refused(perudo: Perudo) -> None:
    result = perudo("from", *VIEWS[:5], "--name", "x" * 60)
    assert result.exit_code == 2
    assert "at most 40 characters" in result.stderr


def test_colours_are_learned_from_a_throw(perudo: Perudo, tmp_path: Path) -> None:
    result = perudo("from", "flat.jpg", "--camera", "imx708", "--name", "Camper", "--colours", "throw.jpg")
    assert result.exit_code == 0, result.output
    assert "6 colours" in result.stdout
    profiles = Profiles.of(tmp_path / "state")
    assert set(profiles.get("Camper").palette) == set(COLOURS)
    profiles.save(replace(profiles.get("Camper"), lock={"exposure": 8000.0}))
    perudo("from", "flat.jpg", "--camera", "imx708", "--name", "Camper", "--colours", "throw.jpg")
    assert profiles.get("Camper").lock == {}, "nobody knows what the camera was held at in this picture"


def test_profiles_are_listed_used_renamed_and_removed(perudo: Perudo, tmp_path: Path) -> None:
    assert "no profiles" in perudo("list").stdout
    profiles = Profiles.of(tmp_path / "state")
    for name in ("Küche", "Camper"):
        profiles.save(Profile(name, "2026-05-01T18:30:00+02:00"))
    assert perudo("use", "küche").exit_code == 0
    listed = perudo("list").stdout.splitlines()
    assert [line[:8] for line in listed] == ["  Camper", "* Küche "]
    assert perudo("rename", "Küche", "Oben").exit_code == 0
    assert perudo("use", "--none").exit_code == 0
    assert profiles.in_use is None
    assert perudo("remove", "oben").exit_code == 0
    assert [each.name for each in profiles.all()] == ["Camper"]
    for command in ("use", "undo", "remove"):
        result = perudo(command, "Oben")
        assert (result.exit_code, "There is no profile Oben." in result.stderr) == (2, True)
    assert perudo("use").exit_code == 2


def test_a_damaged_profile_in_use_hides_no_other_and_the_remedy_is_named(perudo: Perudo, tmp_path: Path) -> None:
    profiles = Profiles.of(tmp_path / "state")
    for name in ("Camper", "Home"):
        profiles.save(Profile(name, "2026-05-01T18:30:00+02:00"))
    profiles.use("Home")
    (path,) = profiles.folder.rglob("home.json")
    path.write_text("{")
    listed = perudo("list")
    assert listed.exit_code == 0
    assert "  Camper" in listed.stdout
    assert "perudo calibrate use NAME" in listed.stdout
    assert perudo("use", "--none").exit_code == 0
    assert "use NAME" not in perudo("list").stdout


def test_a_check_says_what_the_profile_is_worth(perudo: Perudo, tmp_path: Path) -> None:
    result = perudo("check", "throw.jpg", "--dice", "6")
    assert result.exit_code == 0, result.output
    assert re.search(r"without: \d+ of 100\. Good: I am sure of 6 of 6 dice\.", result.stdout)
    perudo("from", "flat.jpg", "--camera", "imx708", "--name", "Camper", "--colours", "throw.jpg")
    result = perudo("check", "throw.jpg", "--dice", "6")
    assert re.search(r"with Camper: \d+ of 100\. Good", result.stdout)
    result = perudo("check", "nothing.jpg", "--dice", "6")
    assert result.exit_code == 1
