"""The rules in words, over HTTP."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from companion.engine import DEFAULT_RULESET, RULESETS, Ruleset
from companion.engine.rulebooks import RULE_FIELDS, values_of, with_changes
from companion.engine.rules_in_words import SHARED, describe, shared
from companion.messages.languages import FOLDER, offered
from companion.table.state.state import HouseRule
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable


def by_name(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {rule["rule"]: rule for rule in answer["rules"]}


def test_the_rules_of_the_game_are_sent_with_their_messages(client: FlaskClient) -> None:
    answer = client.get("/api/v1/rules")
    assert answer.headers["Cache-Control"] == "no-store"
    rules = answer.get_json()
    assert rules["book"]["id"] == STATES["bidding"].ruleset
    assert [text["sentence"] for text in rules["shared"]] == list(SHARED)
    assert rules["shared"][0]["said"] == [{"msgid": str(SHARED[0]), "params": {}}]
    assert [book["id"] for book in rules["books"]] == list(RULESETS)
    raises = by_name(rules)["raises"]
    assert raises["value"] == "one-of-two"
    assert raises["label"]["sentence"] == "a higher bid on faces 2 to 6"
    assert raises["says"]["sentence"] == "more dice of the same face, or as many of a higher one"
    assert (raises["changed"], raises["differs"], raises["theirs"], rules["compare"]) == (False, False, None, None)


def test_another_book_is_compared_rule_by_rule(client: FlaskClient) -> None:
    rules = client.get("/api/v1/rules?compare=hasbro-1994").get_json()
    assert rules["compare"]["id"] == "hasbro-1994"
    differing = {name for name, rule in by_name(rules).items() if rule["differs"]}
    here, there = RULESETS[rules["book"]["id"]], RULESETS["hasbro-1994"]
    assert differing == {name for name in by_name(rules) if getattr(here, name) != getattr(there, name)}
    assert by_name(rules)["raises"]["theirs"]["sentence"] == "more dice of any face, or as many of a higher one"


def test_a_house_rule_is_marked_beside_what_the_book_says(client: FlaskClient, table: FakeTable) -> None:
    table.show(replace(STATES["bidding"], rules=(HouseRule(rule="raises", value="any-face", sentence=""),)))
    rules = by_name(client.get("/api/v1/rules?compare=hasbro-1994").get_json())
    assert [name for name, rule in rules.items() if rule["changed"]] == ["raises"]
    assert rules["raises"]["says"]["sentence"] == "more dice of any face, or as many of a higher one"
    assert rules["raises"]["written"]["sentence"] == "more dice of the same face, or as many of a higher one"
    assert not rules["raises"]["differs"]


def test_a_rule_that_another_one_overrules_is_not_told(client: FlaskClient, table: FakeTable) -> None:
    never = HouseRule(rule="palifico_rounds", value="never", sentence="")
    table.show(replace(STATES["bidding"], rules=(never,)))
    rules = client.get("/api/v1/rules").get_json()
    assert "calza_in_palifico" not in by_name(rules)
    assert "There are no palifico rounds." in [text["sentence"] for text in rules["shared"]]


@pytest.mark.parametrize("language", [language.id for language in offered()[1:]])
def test_a_sentence_of_every_language_changes_with_every_value_of_every_rule(language: str) -> None:
    catalog = json.loads((FOLDER / language / "rules-messages.json").read_text(encoding="utf-8"))

    def said(rules: Ruleset) -> set[tuple[str, str]]:
        found = {(catalog[part.msgid], repr(part.params)) for message in shared(rules) for part in message.parts}
        for rule in describe(rules):
            (label,), (value,) = rule.label.parts, rule.value.parts
            found.add((f"{catalog[label.msgid]}: {catalog[value.msgid]}", repr(value.params)))
        return found

    for name in RULE_FIELDS:
        every = [said(with_changes(DEFAULT_RULESET, {name: value})) for value in values_of(name)]
        assert all(one - other and other - one for one, other in combinations(every, 2)), name


@pytest.mark.parametrize("wrong", ["chess", "", "ASMODEE-FR"])
def test_an_unknown_book_is_refused(client: FlaskClient, wrong: str) -> None:
    answer = client.get(f"/api/v1/rules?compare={wrong}")
    assert answer.status_code == 404
    assert "asmodee-fr" in answer.get_json()["message"]
