"""`perudo rules`: the differences, and one ruleset in words."""

from __future__ import annotations

import subprocess
import sys

import pytest
from click.testing import CliRunner

from companion.cli.rules import rules
from companion.engine import RULESETS
from companion.engine.rules_in_words import describe, differences_table


def text_of(*arguments):
    result = CliRunner().invoke(rules, arguments, env={"COLUMNS": "90"})
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 90
    return " ".join(result.stdout.split())


def test_the_table_names_every_book_and_every_difference():
    text = text_of()
    for book in RULESETS.values():
        assert f"{book.id}: {book.name}. {book.difference} {book.title}" in text
    for label, values in differences_table():
        assert label in text
        assert all(value in text for value in values)


def test_the_table_says_which_books_differ():
    text = text_of()
    assert "who may say calza - anyone but the bidder: asmodee-fr, asmodee-nl, asmodee-nl-2 - anyone but" in text
    assert "the player on turn only: web-fr" in text


@pytest.mark.parametrize("book", RULESETS.values(), ids=RULESETS)
def test_one_ruleset_in_words(book):
    text = text_of(book.id)
    assert book.title in text
    assert "Two to six players" in text
    for rule in describe(book):
        assert f"{rule.label}: {rule.value}" in text
        assert rule.note in text


def test_the_house_rules_of_a_configuration_in_words(tmp_path):
    file = tmp_path / "perudo.toml"
    file.write_text("[rules]\nopener_chooses_direction = true\n")
    text = text_of("--config", str(file))
    assert "who opens chooses the direction: yes (in the book: no)" in text
    assert "Whoever opens a round says which way round the bids go" in text
    file.write_text('[rules]\ncups = "in-order"\n')
    assert "What all rulebooks share" not in text_of("--config", str(file))


def test_an_unknown_ruleset_is_refused():
    result = CliRunner().invoke(rules, ["monopoly"])
    assert result.exit_code == 2
    assert "asmodee-fr" in result.stderr


@pytest.mark.parametrize("typed", [["--version"], ["rules"], ["config", "check"], ["run", "--help"]])
def test_no_slow_library_is_imported_without_need(typed: list[str]) -> None:
    program = (
        "import sys; from companion.cli import main; main(sys.argv[1:], standalone_mode=False); "
        "print(sorted({'cv2', 'numpy', 'flask', 'sqlite3'} & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", program, *typed], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines()[-1] == "[]"
