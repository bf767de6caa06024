"""`perudo review`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.robots import ROBOTS, Strength, play


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "game.jsonl"
    file.write_text(play({"Ana": ROBOTS[Strength.HARD], "Ben": ROBOTS[Strength.EASY]}, 2).record)
    return file


def test_it_tells_the_costly_decisions_and_luck_and_skill(record: Path) -> None:
    done = CliRunner().invoke(main, ["review", str(record)])
    assert done.exit_code == 0, done.output
    assert done.output.count("better: ") <= 3
    assert "Ana: luck " in done.output
    assert "by the player's own dice" in done.output


def test_a_better_dudo_is_on_the_bid_that_stood(tmp_path: Path) -> None:
    file = tmp_path / "duel.jsonl"
    file.write_text(
        '{"event":"game","ruleset":"asmodee-fr","calza":false,"players":["a","b"],"starter":"a","palifico":"a",'
        '"dice":{"a":1,"b":1}}\n'
        '{"event":"bid","player":"a","count":1,"face":3}\n{"event":"bid","player":"b","count":2,"face":3}\n'
        '{"event":"dudo","player":"a"}\n{"event":"reveal","dice":{"a":[3],"b":[5]}}\n'
    )
    done = CliRunner().invoke(main, ["review", str(file)])
    assert "Round 1, b: two threes (blunder)" in done.output
    assert "better: dudo on one three (" in done.output


def test_one_object_a_decision_and_one_for_the_players(record: Path) -> None:
    done = CliRunner().invoke(main, ["review", str(record), "--json"])
    *decisions, last = map(json.loads, done.output.splitlines())
    assert [each["line"] for each in decisions] == sorted(each["line"] for each in decisions)
    fields = {"line", "round", "player", "decision", "bid", "p_own", "p_bids", "true", "loss", "best"}
    assert all(fields <= set(each) for each in decisions)
    assert set(last["players"]["Ana"]) >= {"won", "luck", "skill", "bluffs", "brier"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"event":"bid"}\n', "no whole record"),
        (b"\xff\n", "no whole record"),
        ('{"event":"game","ruleset":"web-fr","players":["a","b"],"starter":"a"}\n', "nothing to review"),
        ("", "nothing to review"),
    ],
)
def test_what_cannot_be_reviewed_gets_a_sentence(tmp_path: Path, content: str | bytes, said: str) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    done = CliRunner().invoke(main, ["review", str(file)])
    assert done.exit_code == 2
    assert said in done.output


def test_a_file_or_game_that_is_not_there(tmp_path: Path) -> None:
    for what in ("nowhere.jsonl", "7"):
        done = CliRunner().invoke(main, ["review", what, "--state", str(tmp_path)])
        assert done.exit_code == 2
        assert done.output.strip()
