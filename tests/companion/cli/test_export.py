"""`perudo export`: which files it writes, and when it does not."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result

from companion.table import Journal, Table
from tests.fakes.new_game import new_game

Perudo = Callable[..., Result]


def test_without_numbers_every_game_is_exported(folder: Path, perudo: Perudo) -> None:
    written = ["records/game-1-part-1.jsonl", "records/game-1-part-2.jsonl", "records/game-2.jsonl"]
    assert perudo("export", "--out", "records", "--state", folder).stdout.splitlines() == written
    assert perudo("replay", *written).exit_code == 0


def test_what_was_written_is_told_to_programs(folder: Path, perudo: Perudo) -> None:
    done = perudo("export", "1", "--json", "--state", folder)
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"game": "1", "part": 1, "file": "game-1-part-1.jsonl", "lines": 15},
        {"game": "1", "part": 2, "file": "game-1-part-2.jsonl", "lines": 4},
    ]
    assert json.loads(perudo("export", "--story", 2, "--json", "--state", folder).stdout) == {
        "game": "2",
        "story": [
            "Ana and Ben played by the rules of Perudo, Fry & Fernandini, French, with calza.",
            "Round 1: Ben opened with 4 sixes.",
            "The game is still being played, after 1 round so far.",
        ],
    }


def test_a_record_goes_to_standard_output_as_it_would_to_a_file(folder: Path, perudo: Perudo) -> None:
    perudo("export", 2, "--state", folder)
    assert perudo("export", 2, "--out", "-", "--state", folder).stdout_bytes == Path("game-2.jsonl").read_bytes()
    done = perudo("export", 1, "--out", "-", "--state", folder)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "takes one record, and these are 2" in done.stderr


def test_nothing_is_overwritten_without_force(folder: Path, perudo: Perudo) -> None:
    Path("game-2.jsonl").write_text("mine")
    done = perudo("export", "--state", folder)
    assert done.exit_code == 2
    assert "game-2.jsonl is there already, and nothing was written" in done.stderr
    assert [path.name for path in Path().iterdir()] == ["game-2.jsonl"]
    assert perudo("export", "--force", "--state", folder).exit_code == 0
    assert Path("game-2.jsonl").read_text() != "mine"


@pytest.mark.parametrize("arguments", [["7"], ["1", "r1"], ["--story", "x"]])
def test_a_game_that_is_not_there_is_said(folder: Path, perudo: Perudo, arguments: list[str]) -> None:
    done = perudo("export", *arguments, "--state", folder)
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"There is no game {arguments[-1]}. perudo games lists the 2 there are." in done.stderr
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("arguments", [[], ["1"], ["--story", "1"], ["--all", "x.sqlite3"]])
def test_from_a_folder_without_games_nothing_can_be_exported(empty: Path, perudo: Perudo, arguments: list[str]) -> None:
    done = perudo("export", *arguments, "--state", empty)
    assert done.exit_code == 2
    assert "yet" in done.stderr
    assert list(Path().iterdir()) == []


def test_a_game_whose_opener_is_not_found_has_no_record(empty: Path, perudo: Perudo) -> None:
    with Table(Journal(empty)) as table:
        table.do(new_game([("Ana", "red"), ("Ben", "blue")], roll=True))
    done = perudo("export", 1, "--state", empty)
    assert done.exit_code == 2
    assert "has no record yet: the players are rolling" in done.stderr


def test_only_one_kind_of_export_at_a_time(folder: Path, perudo: Perudo) -> None:
    done = perudo("export", 1, "--story", 2, "--state", folder)
    assert done.exit_code == 2
    assert "one of these" in done.stderr


def test_a_folder_that_cannot_be_written_is_said(folder: Path, perudo: Perudo) -> None:
    Path("file").write_text("")
    done = perudo("export", "--out", "file/below", "--state", folder)
    assert done.exit_code == 2
    assert "cannot be written" in done.stderr


def test_everything_goes_into_one_file(folder: Path, perudo: Perudo) -> None:
    (folder / "pictures" / "2.jpg").unlink()
    done = perudo("export", "--all", "all.sqlite3", "--state", folder)
    assert done.stdout == "2 games and 2 of the judged pictures are in all.sqlite3.\n"
    assert "1 of the judged pictures are no longer there" in done.stderr
    with closing(sqlite3.connect("all.sqlite3")) as file:
        assert file.execute("SELECT reading, jpeg FROM picture").fetchall() == [(1, b"a jpeg"), (3, b"a jpeg")]
    done = perudo("export", "--all", "all.sqlite3", "--state", folder)
    assert done.exit_code == 2
    assert "say --force" in done.stderr
    done = perudo("export", "--all", "all.sqlite3", "--force", "--no-pictures", "--json", "--state", folder)
    assert json.loads(done.stdout) == {"file": "all.sqlite3", "games": 2, "pictures": 0, "missing": 0}


def test_a_name_that_no_disk_takes_is_refused_in_a_sentence(folder: Path, perudo: Perudo) -> None:
    for arguments in (("1", "--out", "x" * 300), ("--all", "x" * 300)):
        done = perudo("export", *arguments, "--state", folder)
        assert done.exit_code == 2
        assert "cannot be written" in done.stderr
        assert "Traceback" not in done.stderr
