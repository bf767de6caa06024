"""`perudo games`, and one whole game: its record, its story and its statistics."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result

from companion.table import Journal, Table, commands
from companion.table.commands import MakeBid
from companion.table.game.new_game import GameDefaults
from tests.fakes.new_game import new_game

Perudo = Callable[..., Result]

RECORD = """\
{"event": "game", "ruleset": "asmodee-fr", "players": ["Ana", "Ben", "Cid"], "starter": "Cid", "calza": true, \
"dice": {"Ana": 2, "Ben": 2, "Cid": 3}}
{"event": "bid", "player": "Cid", "count": 2, "face": 4}
{"event": "bid", "player": "Ana", "count": 3, "face": 4}
{"event": "dudo", "player": "Ben"}
{"event": "reveal", "dice": {"Ana": [4, 4], "Ben": [4, 5], "Cid": [1, 5, 5]}}
{"event": "bid", "player": "Ben", "count": 1, "face": 5}
{"event": "bid", "player": "Cid", "count": 2, "face": 5}
{"event": "calza", "player": "Ana"}
{"event": "reveal", "dice": {"Ana": [2, 5], "Ben": [5], "Cid": [1, 2, 3]}}
{"event": "bid", "player": "Ana", "count": 2, "face": 2}
{"event": "bid", "player": "Ben", "count": 3, "face": 2}
{"event": "bid", "player": "Cid", "count": 3, "face": 6}
{"event": "dudo", "player": "Ana"}
{"event": "reveal", "dice": {"Ana": [2, 2, 6], "Ben": [1], "Cid": [2, 3, 4]}}
{"event": "bid", "player": "Cid", "count": 1, "face": 3}
"""

RECORD_WITHOUT_CID = """\
{"event": "game", "ruleset": "asmodee-fr", "players": ["Ana", "Ben"], "starter": "Ana", "calza": true, \
"dice": {"Ana": 3, "Ben": 1}, "first_round": 4}
{"event": "bid", "player": "Ana", "count": 3, "face": 3}
{"event": "dudo", "player": "Ben"}
{"event": "reveal", "dice": {"Ana": [3, 3, 4], "Ben": [1]}}
"""

STORY = """\
Ana, Ben and Cid played by the rules of Classic, with calza.
For the opening they rolled: Ana 3, Ben 6 and Cid 6. Again, for the tied: Ben 2 and Cid 4.
Round 1: Cid opened with 2 fours, and it went up to Ana's 3 fours; Ben called dudo. \
On a phone: Ana's die is four, not six. 3 fours and 1 paco made 4: the bid was right, and Ben lost a die.
Round 2, palifico: Ben opened with 1 five, and it went up to Cid's 2 fives; Ana called calza. \
There were 2 fives: the bid was exact, and Ana took back a die.
Round 3: Ana opened with 2 twos, and it went up to Cid's 3 sixes; Ana called dudo. \
1 six and 1 paco made 2: the bid was wrong, and Cid lost a die.
Round 4: Cid opened with 1 three.
Cid left the table with 2 dice.
Round 4: Ana opened with 3 threes; Ben called dudo. \
2 threes and 1 paco made 3: the bid was right, and Ben lost the last die and was out.
Ana won the game after 4 rounds.
"""

STATISTICS = """\
1 game, 1 played to the end, 4 rounds

Ana: 1 game, 1 won, 4 rounds
  bids      3 made, the highest 3 fours
  called on twice: 2 held, 0.5 expected
  luck      +3.3 dice: 7 matched the bids called on, 3.7 expected
  dudo      called once: 1 right, 0.6 expected
  calza     called once: 1 right, 0.2 expected
  dice      0 lost, 1 taken back; palifico never

Ben: 1 game, 0 won, 4 rounds
  bids      2 made, the highest 3 twos
  dudo      called twice: 0 right, 1.5 expected
  dice      2 lost, 0 taken back; palifico once

Cid: 1 game, 0 won, 4 rounds
  bids      4 made, the highest 3 sixes
  called on twice: 1 held, 0.7 expected
  luck      +0.7 dice: 4 matched the bids called on, 3.3 expected
  dice      1 lost, 0 taken back; palifico never

Camera: 3 readings with 20 dice, 2 needed nothing
  asked     about 0 dice; 0 confirmed as read
  corrected 1 face, 0 colours; 0 dice added, 0 struck out
  by hand   counted 3 times
"""


def test_the_record_story_and_statistics_of_a_game(folder: Path, perudo: Perudo) -> None:
    assert perudo("export", 1, "--state", folder).stdout == "game-1-part-1.jsonl\ngame-1-part-2.jsonl\n"
    assert Path("game-1-part-1.jsonl").read_text(encoding="utf-8") == RECORD
    assert Path("game-1-part-2.jsonl").read_text(encoding="utf-8") == RECORD_WITHOUT_CID
    assert perudo("replay", "game-1-part-1.jsonl", "game-1-part-2.jsonl").exit_code == 0
    assert perudo("export", "--story", 1, "--state", folder).stdout == STORY
    assert perudo("stats", "--game", 1, "--state", folder).stdout == STATISTICS


def test_the_games_are_listed(folder: Path, perudo: Perudo) -> None:
    Path("theirs.jsonl").write_text(RECORD_WITHOUT_CID.replace("3, 3, 4", "3, 2, 4"), encoding="utf-8")
    assert perudo("import", "theirs.jsonl", "--state", folder).exit_code == 0
    rows = [line.split() for line in perudo("games", "--state", folder).stdout.splitlines()]
    assert [row[0] for row in rows] == ["game", "1", "2", "r1"]
    assert rows[1][3:] == ["4", "Ana", "Ana,", "Ben,", "Cid"]
    assert rows[2][3:] == ["1", "(playing)", "Ana,", "Ben"]
    assert rows[3][3:] == ["1", "(ended)", "Ana,", "Ben", "imported", "from", "theirs.jsonl"]


def test_the_games_are_listed_as_json(folder: Path, perudo: Perudo) -> None:
    first, second = map(json.loads, perudo("games", "--state", folder, "--json").stdout.splitlines())
    assert first == {
        "game": "1",
        "begun": "2026-11-21T18:30:00.000+00:00",
        "clock_set": True,
        "players": ["Ana", "Ben", "Cid"],
        "ruleset": "asmodee-fr",
        "rounds": 4,
        "ending": "won",
        "winner": "Ana",
        "parts": 2,
        "imported": None,
    }
    assert (second["ending"], second["winner"]) == ("playing", None)


def test_a_game_that_began_before_the_clock_was_set_has_no_date(tmp_path: Path, perudo: Perudo) -> None:
    clock = [False, True]
    defaults = GameDefaults(clock_set=lambda: clock.pop(0))
    with Table(Journal(tmp_path, now=lambda: "2026-11-21T18:30:00.000+00:00"), defaults=defaults) as table:
        for _ in range(2):
            table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana", abandon=True))
            table.do(MakeBid("Ana", 2, 5))
    first, second = (line.split() for line in perudo("games", "--state", tmp_path).stdout.splitlines()[1:])
    assert first[:3] == ["1", "no", "date"]
    assert second[1].startswith("2026-11-2")
    listed = map(json.loads, perudo("games", "--state", tmp_path, "--json").stdout.splitlines())
    assert [each["clock_set"] for each in listed] == [False, True]


@pytest.mark.parametrize("name", ["empty", "nowhere"])
def test_a_folder_without_games_is_reported(tmp_path: Path, empty: Path, perudo: Perudo, name: str) -> None:
    result = perudo("games", "--state", tmp_path / name)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"perudo games: There are no games in {tmp_path / name} yet.\n"
    assert perudo("games", "--json", "--state", tmp_path / name).stdout == ""
    assert list(empty.iterdir()) == []


@pytest.mark.parametrize("command", [["games"], ["stats"], ["export"], ["export", "--story", "1"]])
def test_a_journal_that_cannot_be_read_is_reported(folder: Path, perudo: Perudo, command: list[str]) -> None:
    with closing(sqlite3.connect(folder / "journal.sqlite3")) as journal:
        journal.execute("PRAGMA user_version=99")
    result = perudo(*command, "--state", folder)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "was written by a newer perudo (its version is 99" in result.stderr
    (folder / "journal.sqlite3").write_bytes(b"no database" * 100)
    result = perudo(*command, "--state", folder)
    assert result.exit_code == 2
    assert "cannot be read" in result.stderr


def test_every_command_works_while_the_table_plays(folder: Path, perudo: Perudo, tmp_path: Path) -> None:
    Path("theirs.jsonl").write_text(RECORD_WITHOUT_CID.replace("3, 3, 4", "3, 2, 4"), encoding="utf-8")
    with Table(Journal(folder)) as table:
        for command in (
            ["games"],
            ["stats"],
            ["export"],
            ["export", "--all", "all.sqlite3"],
            ["import", "theirs.jsonl"],
        ):
            assert perudo(*command, "--state", folder).exit_code == 0
        table.do(commands.MakeBid("Ana", 5, 6))
        assert json.loads(perudo("games", "--state", folder, "--json").stdout.splitlines()[-1])["imported"]
    with Table(Journal(folder)) as table:
        assert table.state().bid.count == 5


def test_control_characters_in_a_name_are_escaped(empty: Path, perudo: Perudo) -> None:
    Path("r.jsonl").write_text(RECORD_WITHOUT_CID.replace("Ana", "A\\u001b[1m\\nna"), encoding="utf-8")
    perudo("import", "r.jsonl", "--state", empty)
    for command in (["games"], ["stats"], ["export", "--story", "r1"]):
        output = perudo(*command, "--state", empty).stdout
        assert "A\\x1b[1m\\nna" in output
        assert "\x1b" not in output


def test_the_default_folder_is_systemds(folder: Path, perudo: Perudo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(folder))
    assert len(perudo("games", "--json").stdout.splitlines()) == 2
