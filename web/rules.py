"""The rules that are played, in words: what `GET /api/v1/rules` answers. Pure."""

from __future__ import annotations

from typing import Any

from companion.engine import RULESETS, Ruleset
from companion.engine.rulebooks import RULE_FIELDS, with_changes
from companion.engine.rules_in_words import SHARED, Rule, describe
from companion.messages.message import spoken
from companion.table import State
from web.errors import RequestError


def rules(state: State, compare: str | None = None) -> dict[str, Any]:
    """The rules of the game in `state`, and in what they differ from the book `compare`.

    Every text is `{"sentence": ..., "said": [...]}`, as in the state. Raises `RequestError` (404) for a book nobody
    knows.
    """
    if compare is not None and compare not in RULESETS:
        known = ", ".join(RULESETS)
        raise RequestError(f"There is no such rulebook; there are {known}.", code="not_found", status=404)
    book = RULESETS[state["ruleset"]]
    played = with_changes(book, {rule["rule"]: rule["value"] for rule in state.get("rules", ())})
    other = RULESETS[compare] if compare is not None else None
    written = describe(book)
    theirs = describe(other) if other is not None else (None,) * len(written)
    return {
        "book": _book(book),
        "shared": [spoken(sentence) for sentence in SHARED],
        "rules": [
            _rule(rule, getattr(played, name), said, that)
            for name, rule, said, that in zip(RULE_FIELDS, describe(played), written, theirs, strict=True)
        ],
        "compare": _book(other) if other is not None else None,
        "books": [_book(each) for each in RULESETS.values()],
    }


def _rule(rule: Rule, value: object, written: Rule, theirs: Rule | None) -> dict[str, Any]:
    return {
        "rule": rule.name,
        "value": value,
        "label": spoken(rule.label),
        "says": spoken(rule.value),
        "note": spoken(rule.note) if rule.note else None,
        "changed": rule.changed,
        "written": spoken(written.value),
        "theirs": spoken(theirs.value) if theirs is not None else None,
        "differs": theirs is not None and theirs.value != rule.value,
    }


def _book(book: Ruleset) -> dict[str, Any]:
    return {"id": book.id, "title": spoken(book.title), "edition": spoken(book.edition)}
