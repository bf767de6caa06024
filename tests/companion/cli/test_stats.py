"""`perudo stats`: of which players, and of which games."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Perudo = Callable[..., Result]


def test_all_games_count_even_imported_ones(folder: Path, perudo: Perudo) -> None:
    game = '{"event":"game","ruleset":"asmodee-fr","players":["Ana","Dov"],"starter":"Ana"}\n'
    Path("theirs.jsonl").write_text(game, encoding="utf-8")
    perudo("import", "theirs.jsonl", "--state", folder)
    statistics = json.loads(perudo("stats", "--json", "--state", folder).stdout)
    assert (statistics["games"], statistics["won"]) == (3, 1)
    assert [(player["name"], player["games"]) for player in statistics["players"]] == [
        ("Ana", 3),
        ("Ben", 2),
        ("Cid", 1),
        ("Dov", 1),
    ]
    assert statistics["camera"]["face"] == 1


def test_one_player_alone(folder: Path, perudo: Perudo) -> None:
    assert perudo("stats", "--player", "Ben", "--state", folder).stdout == (
        "Ben: 2 games, 0 won, 5 rounds\n"
        "  bids      3 made, the highest 4 sixes\n"
        "  dudo      called twice: 0 right, 1.5 expected\n"
        "  dice      2 lost, 0 taken back; palifico once\n"
    )
    (ben,) = json.loads(perudo("stats", "--player", "Ben", "--json", "--state", folder).stdout)["players"]
    assert (ben["name"], ben["dudos"]) == ("Ben", {"called": 2, "right": 0, "expected": 1.46, "likely": [0.0, 0.658]})


def test_the_games_of_one_company(folder: Path, perudo: Perudo) -> None:
    result = perudo("stats", "--company", "Ben, Ana", "--state", folder)
    assert result.stdout.startswith("1 game, 0 played to the end, 1 round\n")


def test_a_company_is_found_by_names_with_commas_and_in_any_encoding(folder: Path, perudo: Perudo) -> None:
    game = '{"event":"game","ruleset":"asmodee-fr","players":["Ana, Jr","Ben","Jose\u0301"],"starter":"Ben"}\n'
    Path("theirs.jsonl").write_text(game, encoding="utf-8")
    perudo("import", "theirs.jsonl", "--state", folder)
    for company in ("Ana, Jr,Ben,Jos\u00e9", "Jose\u0301,Ben , Ana, Jr"):
        assert perudo("stats", "--company", company, "--state", folder).stdout.startswith("1 game,")
    assert perudo("stats", "--player", "Jose\u0301", "--state", folder).stdout.startswith("Jos\u00e9: 1 game")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--player", "Dov"], "Dov plays in none of these games."),
        (["--player", "Cid", "--game", "2"], "Cid plays in none of these games."),
        (["--company", "Ana,Dov"], "No game was played by just these: Ana,Dov."),
        (["--game", "9"], "There is no game 9."),
    ],
)
def test_an_unknown_player_or_game_is_reported(
    folder: Path, perudo: Perudo, arguments: list[str], sentence: str
) -> None:
    result = perudo("stats", *arguments, "--state", folder)
    assert (result.exit_code, result.stdout) == (2, "")
    assert sentence in result.stderr


def test_without_games_there_are_no_statistics(empty: Path, perudo: Perudo) -> None:
    result = perudo("stats", "--state", empty)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "There are no games" in result.stderr
    assert json.loads(perudo("stats", "--json", "--state", empty).stdout)["games"] == 0
