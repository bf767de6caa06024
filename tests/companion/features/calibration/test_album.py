"""The page and the command make the same profile from the same pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from calibration.profile import Profile
from calibration.profiles import Profiles
from companion.camera.profile_in_use import ProfileInUse
from companion.features.calibration.album import Album, AlbumError, are_usable, profile_from
from companion.features.calibration.changes import Begin, CalibrationStep, Capture, GoToStep, SaveProfile, SetRuler
from companion.features.calibration.progress import Calibrator
from companion.features.calibration.service import CalibrationSession
from companion.table.game.table_position import Phase
from hardware.camera.protocol import BaseCamera, Frame
from tests.calibration.rendered import Eye, Pose, dance
from vision.drawn.table_scene import SceneDie, TableScene, render_table
from vision.image_file import read_image, write_image
from vision.reader import Reader

EYE = Eye(1152, 648, 846.0, off=(6.0, -4.0))
COLOURS = ("red", "orange", "yellow", "green", "blue", "purple")
DICE = tuple(SceneDie(-150 + 60 * k, -40 + 15 * k, 0.5 * k, k + 1, colour) for k, colour in enumerate(COLOURS))
ANA = Calibrator("aaaa", "Ana")
RULER = 98.5


class AlbumCamera(BaseCamera):
    """A camera that shows whichever picture a test sets."""

    name = "imx708"
    sensor = False
    size = (EYE.width, EYE.height)

    def __init__(self) -> None:
        self.now = 0.0
        self.picture = Path()

    def frame(self, after: float = 0.0) -> Frame:
        self.now = max(self.now, after) + 1.0
        return Frame(read_image(self.picture), self.now)

    def close(self) -> None:
        pass


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("album")
    images = {f"view{n}": EYE.sheet(pose) for n, pose in enumerate(dance(EYE)[:6], 1)}
    images["flat"] = EYE.sheet(Pose(20, 10, 620, lengthways=12, turn=70))
    images["throw"] = render_table(TableScene(DICE), (EYE.width, EYE.height))
    images["nothing"] = np.full((EYE.height, EYE.width, 3), 90, np.uint8)
    for name, image in images.items():
        write_image(folder / f"{name}.png", image)
    return {name: folder / f"{name}.png" for name in images}


@pytest.fixture
def one_thread() -> Iterator[None]:
    """OpenCV adds up in one order only: several threads differ in the last digits."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    yield
    cv2.setNumThreads(threads)


def views(pictures: dict[str, Path]) -> tuple[Path, ...]:
    return tuple(path for name, path in pictures.items() if name.startswith("view"))


def by_the_page(pictures: dict[str, Path], state: Path) -> Profile:
    """Show the camera every picture in turn, and take each."""
    camera, profiles = AlbumCamera(), Profiles.of(state)
    in_use = ProfileInUse(profiles, camera, lambda _: None, lambda _: None)
    session = CalibrationSession(
        camera,
        profiles,
        in_use,
        lambda: SimpleNamespace(phase=Phase.SEATING, paused=False, players=()),  # type: ignore[arg-type, return-value]
        Reader.load,
        clock=lambda: camera.now,
        spawn=lambda job: job(),
    )

    def take(picture: Path, *, until: Callable[[], object]) -> None:
        camera.picture = picture
        session.do(Capture(), ANA)
        for _ in range(5):
            session.state(ANA.phone)
            session.look()
            if until():
                return
        raise AssertionError(session.state(ANA.phone))

    session.do(Begin(), ANA)
    session.do(SetRuler(RULER), ANA)
    session.do(GoToStep(CalibrationStep.VIEWS), ANA)
    *first, last = views(pictures)
    for picture in first:
        take(picture, until=lambda: session.state(None).hint.sentence == "Got it.")  # type: ignore[union-attr]
    take(last, until=lambda: session.state(None).step is CalibrationStep.FLAT)
    take(pictures["flat"], until=lambda: session.state(None).step is CalibrationStep.LENS)
    session.do(GoToStep(CalibrationStep.COLOURS), ANA)
    take(pictures["throw"], until=lambda: session.state(None).colours)
    session.do(SaveProfile("Kitchen"), ANA)
    return profiles.get("Kitchen")


@pytest.mark.usefixtures("one_thread")
def test_the_page_and_the_command_make_the_same_profile(pictures: dict[str, Path], tmp_path: Path) -> None:
    page = by_the_page(pictures, tmp_path)
    album = Album(views(pictures), "Kitchen", pictures["flat"], pictures["throw"], ruler=RULER, camera="imx708")
    lines: list[str] = []
    command, reference = profile_from(album, None, lambda *texts: lines.extend(texts))
    assert reference is not None
    assert page.lens is not None
    assert page.table is not None
    assert set(page.palette) == set(COLOURS)
    # Only the command asks how large a die is; each profile has its own date and picture.
    assert replace(page, made=command.made, reference="", die_mm=command.die_mm) == command
    assert any("The lens is known well" in line for line in lines)


def test_a_throw_is_usable_or_not(pictures: dict[str, Path]) -> None:
    lines: list[str] = []
    assert are_usable([pictures["throw"]], None, 6, lambda *texts: lines.extend(texts))
    assert not are_usable([pictures["throw"], pictures["nothing"]], None, 6, lambda *texts: lines.extend(texts))
    assert "  without: " in lines[1]


def test_pictures_without_the_sheet_give_no_profile(pictures: dict[str, Path]) -> None:
    with pytest.raises(AlbumError, match="no picture of the sheet"):
        profile_from(Album((pictures["nothing"],), "Kitchen"), None, lambda *_: None)
