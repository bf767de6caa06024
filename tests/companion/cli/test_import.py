"""`perudo import`: what it takes and what it refuses, and that an exported folder is restored."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Perudo = Callable[..., Result]

GAME = '{"event":"game","ruleset":"asmodee-fr","players":["ana","ben"],"starter":"ana"}\n'
BID = '{"event":"bid","player":"ana","count":1,"face":2}\n'


@pytest.fixture
def record() -> Callable[..., Path]:
    def write(text: str, name: str = "theirs.jsonl") -> Path:
        path = Path(name)
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_a_record_is_imported_once(empty: Path, perudo: Perudo, record: Callable[..., Path]) -> None:
    file = record(GAME + BID)
    assert perudo("import", file, "--state", empty).stdout == "theirs.jsonl: it is game r1 now.\n"
    result = perudo("import", file, record(GAME, "more.jsonl"), "--state", empty)
    assert result.stdout == "theirs.jsonl: it is there already, as game r1.\nmore.jsonl: it is game r2 now.\n"
    assert result.exit_code == 0
    listed = perudo("games", "--state", empty, "--json").stdout.splitlines()
    assert [json.loads(line)["imported"] for line in listed] == ["theirs.jsonl", "more.jsonl"]


def test_a_record_with_an_illegal_line_is_not_imported(
    empty: Path, perudo: Perudo, record: Callable[..., Path]
) -> None:
    result = perudo("import", record(GAME + BID + BID), record(GAME, "good.jsonl"), "--state", empty)
    assert result.exit_code == 2
    assert result.stderr == "perudo import: theirs.jsonl: Line 3: it is ben's turn, not ana's.\n"
    assert result.stdout == "good.jsonl: it is game r1 now.\n"


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"SQLite format 3\x00 and nothing else", b"PK\x03\x04"])
def test_a_file_of_another_kind_is_reported(empty: Path, perudo: Perudo, content: bytes) -> None:
    Path("file").write_bytes(content)
    result = perudo("import", "file", "--state", empty)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("perudo import: file: ")
    assert list(empty.iterdir()) == []


def test_a_missing_file_is_reported(empty: Path, perudo: Perudo) -> None:
    result = perudo("import", "nowhere.jsonl", "--json", "--state", empty)
    assert result.exit_code == 2
    assert json.loads(result.stdout) == {"file": "nowhere.jsonl", "taken": False, "error": "No such file or directory."}


def test_an_exported_folder_is_restored_as_it_was(folder: Path, perudo: Perudo, tmp_path: Path) -> None:
    perudo("export", "--all", "all.sqlite3", "--state", folder)
    other = tmp_path / "other"
    result = perudo("import", "all.sqlite3", "--state", other)
    assert result.stdout == f"all.sqlite3: 2 games and 3 pictures are in {other} now.\n"
    for command in (["games"], ["stats"], ["export", "--story", 1]):
        assert perudo(*command, "--state", other).stdout == perudo(*command, "--state", folder).stdout
    assert (other / "pictures" / "2.jpg").read_bytes() == (folder / "pictures" / "2.jpg").read_bytes()


def test_a_folder_with_a_journal_is_left_as_it_is(folder: Path, perudo: Perudo) -> None:
    perudo("export", "--all", "all.sqlite3", "--state", folder)
    before = perudo("games", "--state", folder).stdout
    result = perudo("import", "all.sqlite3", "--state", folder)
    assert result.exit_code == 2
    assert "nothing was changed. Name another folder with --state, or move" in result.stderr
    assert perudo("games", "--state", folder).stdout == before
