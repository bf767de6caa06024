"""What was kept to learn from, and whether the journal can be read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.box.doctor import Severity, examination
from companion.box.doctor.examination import examples, journal
from companion.camera.example_file import EXAMPLE_FILE, ExampleFile
from companion.camera.examples import DieExample
from companion.table import Journal, Table
from companion.table.game.events import TableDie
from companion.table.game.judged_dice import Feedback
from tests.fakes.new_game import new_game
from vision.models.integrity import networks_id

BOX = (10.0, 10.0, 40.0, 40.0)
DIE = DieExample(
    word=Feedback.CONFIRMED, face=4, colour="red", box=BOX, read=TableDie(0, 4, "red", BOX, 0.99, False), share=0.99
)


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("companion.box.service.RECEIPT_FILE", str(tmp_path / "not-installed"))
    monkeypatch.setenv("PERUDO_CONFIG", str(tmp_path / "perudo.toml"))
    (tmp_path / "perudo.toml").write_text("[camera]\nlearn = true\n")
    return tmp_path / "perudo.toml"


@pytest.mark.parametrize(
    ("source", "cameras"),
    [("webcam:2", ["pi", "webcam"]), ("http://phone:8080/video", ["pi", "webcam", "http://phone:8080/video"])],
)
def test_a_camera_in_the_network_is_examined_if_the_configuration_names_it(
    config: Path, monkeypatch: pytest.MonkeyPatch, source: str, cameras: list[str]
) -> None:
    config.write_text(f'[camera]\nsource = "{source}"\n')
    asked: list[str] = []
    monkeypatch.setattr(examination.devices, "camera", lambda name, _=False, **__: asked.append(name))
    monkeypatch.setattr(examination.devices, "pins", lambda *_: None)
    list(examination._devices(box_runs=False))
    assert asked == cameras


def test_a_box_that_does_not_learn_is_well(config: Path, tmp_path: Path) -> None:
    config.write_text("")
    assert examples(tmp_path).severity is Severity.ABSENT


def test_what_is_kept_and_the_threshold_are_told(tmp_path: Path) -> None:
    assert "Pictures of 0 dice are kept to learn from. Players spoke of 0," in examples(tmp_path).sentence
    ExampleFile(tmp_path / EXAMPLE_FILE).keep([(DIE, bytes(1000))] * 600, networks_id())
    found = examples(tmp_path)
    assert found.severity is Severity.GOOD
    assert found.sentence.startswith("Pictures of 600 dice are kept to learn from. Players spoke of 600, 1 MB.")
    assert "below a probability of 0.80 (proven); shipped: 0.80" in found.sentence


def test_a_broken_file_is_told_with_its_cure(tmp_path: Path) -> None:
    (tmp_path / EXAMPLE_FILE).parent.mkdir()
    (tmp_path / EXAMPLE_FILE).write_text("no database")
    found = examples(tmp_path)
    assert found.severity is Severity.POOR
    assert "Remove the file to start again" in found.sentence


def no_journal(_: Path) -> None:
    pass


def sound(folder: Path) -> None:
    with Table(Journal(folder)) as table:
        table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"))


def nonsense(folder: Path) -> None:
    (folder / "journal.sqlite3").write_bytes(b"nonsense " * 1000)


def a_folder(folder: Path) -> None:
    (folder / "journal.sqlite3").mkdir()


@pytest.mark.parametrize(
    ("make", "severity", "words"),
    [
        (no_journal, Severity.ABSENT, ""),
        (sound, Severity.GOOD, "games: 1"),
        (nonsense, Severity.BAD, "perudo doctor --repair"),
        (a_folder, Severity.BAD, "cannot be read"),
    ],
)
def test_the_journal(tmp_path: Path, make: Callable[[Path], None], severity: Severity, words: str) -> None:
    make(tmp_path)
    found = journal(tmp_path)
    assert (found.severity, words in found.sentence) == (severity, True)
