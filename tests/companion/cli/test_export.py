"""`perudo export`: which files it writes, and when it refuses."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

from calibration.image import jpeg
from calibration.palette import COLOURS
from companion.camera.example_file import EXAMPLE_FILE, ExampleFile
from companion.camera.examples import DieExample, DieNearby
from companion.table import Journal, Table, commands
from companion.table.game.events import TableDie
from companion.table.game.judged_dice import Feedback
from tests.fakes.new_game import new_game
from vision.evaluation.scores import load_labels
from vision.image_file import read_image
from vision.training.pictures import read_pictures

Perudo = Callable[..., Result]


def test_without_numbers_every_game_is_exported(folder: Path, perudo: Perudo) -> None:
    files = ["records/game-1-part-1.jsonl", "records/game-1-part-2.jsonl", "records/game-2.jsonl"]
    assert perudo("export", "--out", "records", "--state", folder).stdout.splitlines() == files
    assert perudo("replay", *files).exit_code == 0


def test_the_files_written_are_listed_as_json(folder: Path, perudo: Perudo) -> None:
    result = perudo("export", "1", "--json", "--state", folder)
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        {"game": "1", "part": 1, "file": "game-1-part-1.jsonl", "lines": 15},
        {"game": "1", "part": 2, "file": "game-1-part-2.jsonl", "lines": 4},
    ]
    assert json.loads(perudo("export", "--story", 2, "--json", "--state", folder).stdout) == {
        "game": "2",
        "story": [
            "Ana and Ben played by the rules of Classic, with calza.",
            "Round 1: Ben opened with 4 sixes.",
            "The game is still being played, after 1 round so far.",
        ],
    }


def test_a_record_on_standard_output_is_the_same_as_in_a_file(folder: Path, perudo: Perudo) -> None:
    perudo("export", 2, "--state", folder)
    assert perudo("export", 2, "--out", "-", "--state", folder).stdout_bytes == Path("game-2.jsonl").read_bytes()
    result = perudo("export", 1, "--out", "-", "--state", folder)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "takes one record, and these are 2" in result.stderr


@pytest.mark.parametrize(
    ("file", "arguments"),
    [("game-2.jsonl", []), ("all.sqlite3", ["--all", "all.sqlite3"]), ("labels.json", ["--labels", "."])],
    ids=["records", "everything", "labels"],
)
def test_nothing_is_overwritten_without_force(
    folder: Path, learned: Path, perudo: Perudo, file: str, arguments: list[str]
) -> None:
    Path(file).write_text("mine")
    state = learned if file == "labels.json" else folder
    result = perudo("export", *arguments, "--state", state)
    assert (result.exit_code, Path(file).read_text()) == (2, "mine")
    assert "--force" in result.stderr
    assert [path.name for path in Path().iterdir()] == [file]
    assert perudo("export", *arguments, "--force", "--state", state).exit_code == 0
    assert Path(file).read_bytes() != b"mine"


@pytest.mark.parametrize("arguments", [["7"], ["1", "r1"], ["--story", "x"]])
def test_a_game_that_does_not_exist_is_reported(folder: Path, perudo: Perudo, arguments: list[str]) -> None:
    result = perudo("export", *arguments, "--state", folder)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"There is no game {arguments[-1]}. perudo games lists the 2 there are." in result.stderr
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("arguments", [[], ["1"], ["--story", "1"], ["--all", "x.sqlite3"]])
def test_from_a_folder_without_games_nothing_can_be_exported(empty: Path, perudo: Perudo, arguments: list[str]) -> None:
    result = perudo("export", *arguments, "--state", empty)
    assert result.exit_code == 2
    assert "yet" in result.stderr
    assert list(Path().iterdir()) == []


def test_the_other_games_named_are_exported_beside_one_without_an_opener(empty: Path, perudo: Perudo) -> None:
    with Table(Journal(empty)) as table:
        table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"))
        table.do(commands.MakeBid("Ana", 2, 3))
        table.do(new_game([("Ana", "red"), ("Ben", "blue")], roll=True, abandon=True))
    result = perudo("export", 1, 2, "--state", empty)
    assert (result.exit_code, result.stdout) == (2, "game-1.jsonl\n")
    assert "Game 2 has no record yet: the players are rolling" in result.stderr


def test_only_one_kind_of_export_at_a_time(folder: Path, perudo: Perudo) -> None:
    result = perudo("export", 1, "--story", 2, "--state", folder)
    assert result.exit_code == 2
    assert "one of these" in result.stderr


@pytest.fixture
def learned(empty: Path) -> Path:
    """A state folder with two dice kept: one that was corrected, one that nobody disputed."""
    box = (10.0, 10.0, 40.0, 40.0)
    read = TableDie(0, 4, "red", box, 0.9, False)
    crop = jpeg(np.full((60, 60, 3), 90, np.uint8), 95)
    dice = [
        DieExample(
            word=word, face=face, colour="red", box=box, read=read, share=0.9, nearby=(DieNearby(1, "blue", box),)
        )
        for word, face in ((Feedback.CORRECTED, 5), (Feedback.UNDISPUTED, 4))
    ]
    ExampleFile(empty / EXAMPLE_FILE).keep([(die, crop) for die in dice], "networks")
    return empty


def test_the_kept_dice_are_exported_as_a_labels_file(learned: Path, perudo: Perudo) -> None:
    result = perudo("export", "--labels", "dice", "--state", learned)
    assert result.stdout == "2 dice are in dice/labels.json; players said something of 1.\n"
    truths = load_labels(Path("dice/labels.json"))
    labels = [truth.labels[0] for truth in truths.values() if truth.labels]
    assert [(label.face, label.conditions["word"]) for label in labels] == [(5, "corrected"), (4, "undisputed")]
    assert [read_image(Path("dice") / name).shape for name in truths] == [(60, 60, 3)] * 2
    for picture, face in zip(read_pictures(Path("dice")), (5, 4), strict=True):  # as training reads them
        assert picture.dice[:, 4:].tolist() == [[face, COLOURS.index("red"), 0], [1, COLOURS.index("blue"), 1]]
    values = json.loads(perudo("export", "--labels", "more", "--json", "--state", learned).stdout)
    assert values == {"file": "more/labels.json", "dice": 2, "said": 1}


def test_without_kept_dice_there_are_no_labels(empty: Path, perudo: Perudo) -> None:
    result = perudo("export", "--labels", "dice", "--state", empty)
    assert result.exit_code == 2
    assert "`learn = true` in [camera] keeps them" in result.stderr
    (empty / EXAMPLE_FILE).parent.mkdir()
    (empty / EXAMPLE_FILE).write_text("no database")
    result = perudo("export", "--labels", "dice", "--state", empty)
    assert result.exit_code == 2
    assert "cannot be used" in result.stderr
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize(
    "arguments", [["--out", "file/below"], ["1", "--out", "x" * 300], ["--all", "x" * 300]], ids=["file", "name", "all"]
)
def test_what_cannot_be_written_is_a_sentence(folder: Path, perudo: Perudo, arguments: list[str]) -> None:
    Path("file").write_text("")
    result = perudo("export", *arguments, "--state", folder)
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr
    assert "Traceback" not in result.stderr


def test_everything_goes_into_one_file(folder: Path, perudo: Perudo) -> None:
    (folder / "pictures" / "2.jpg").unlink()
    result = perudo("export", "--all", "all.sqlite3", "--state", folder)
    assert result.stdout == "2 games and 2 of the judged pictures are in all.sqlite3.\n"
    assert "1 of the judged pictures are no longer there" in result.stderr
    with closing(sqlite3.connect("all.sqlite3")) as file:
        assert file.execute("SELECT reading, jpeg FROM picture").fetchall() == [(1, b"a jpeg"), (3, b"a jpeg")]
    result = perudo("export", "--all", "all.sqlite3", "--force", "--no-pictures", "--json", "--state", folder)
    assert json.loads(result.stdout) == {"file": "all.sqlite3", "games": 2, "pictures": 0, "missing": 0}
