"""`perudo stats`: whose statistics, and of which games."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Perudo = Callable[..., Result]


def test_all_games_count_those_brought_in_as_well(folder: Path, perudo: Perudo) -> None:
    game = '{"event":"game","ruleset":"asmodee-fr","players":["Ana","Dov"],"starter":"Ana"}\n'
    Path("theirs.jsonl").write_text(game, encoding="utf-8")
    perudo("import", "theirs.jsonl", "--state", folder)
    counted = json.loads(perudo("stats", "--json", "--state", folder).stdout)
    assert (counted["games"], counted["won"]) == (3, 1)
    assert [(player["name"], player["games"]) for player in counted["players"]] == [
        ("Ana", 3),
        ("Ben", 2),
        ("Cid", 1),
        ("Dov", 1),
    ]
    assert counted["camera"]["face"] == 1


def test_one_player_alone(folder: Path, perudo: Perudo) -> None:
    assert perudo("stats", "--player", "Ben", "--state", folder).stdout == (
        "Ben: 2 games, 0 won, 5 rounds\n"
        "  bids      3 made, the highest 4 sixes\n"
        "  dudo      called twice: 0 right, 1.5 expected\n"
        "  dice      2 lost, 0 taken back; palifico once\n"
    )
    (ben,) = json.loads(perudo("stats", "--player", "Ben", "--json", "--state", folder).stdout)["players"]
    assert (ben["name"], ben["dudos"]) == ("Ben", {"called": 2, "right": 0, "expected": 1.46})


def test_the_games_of_one_company(folder: Path, perudo: Perudo) -> None:
    done = perudo("stats", "--company", "Ben, Ana", "--state", folder)
    assert done.stdout.startswith("1 game, 0 played to the end, 1 round\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--player", "Dov"], "Dov plays in none of these games."),
        (["--player", "Cid", "--game", "2"], "Cid plays in none of these games."),
        (["--company", "Ana,Dov"], "No game was played by just these: Ana, Dov."),
        (["--game", "9"], "There is no game 9."),
    ],
)
def test_who_and_what_is_not_there_is_said(folder: Path, perudo: Perudo, arguments: list[str], sentence: str) -> None:
    done = perudo("stats", *arguments, "--state", folder)
    assert (done.exit_code, done.stdout) == (2, "")
    assert sentence in done.stderr


def test_where_nobody_has_played_there_is_nothing_to_count(empty: Path, perudo: Perudo) -> None:
    done = perudo("stats", "--state", empty)
    assert (done.exit_code, done.stdout) == (0, "")
    assert "There are no games" in done.stderr
    assert json.loads(perudo("stats", "--json", "--state", empty).stdout)["games"] == 0
