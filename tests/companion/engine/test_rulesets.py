"""The six books as data, and house rules. The engine itself names no book."""

from __future__ import annotations

import ast
import dataclasses
import random
import re
from itertools import combinations, pairwise, product
from pathlib import Path

import pytest

import companion.engine
from companion.engine import DEFAULT_RULESET, RULESETS, BadRecordError, Raises, Ruleset, house_rules
from companion.engine.rulebooks import RULE_FIELDS, differences, values_of, with_changes
from companion.engine.rules_in_words import SHARED, describe, differences_table, shared, without_effect
from companion.engine.ruleset import (
    DudoBy,
    DudoCosts,
    HalfRounded,
    LeavingPacos,
    OpensAfterDudo,
    PalificoRounds,
    RightCalza,
)

ENGINE = Path(companion.engine.__file__).parent
DOCS = ENGINE.parent.parent / "docs" / "reference" / "rules.md"

# One row per rule: asmodee-fr, asmodee-nl, asmodee-nl-2, asmodee-it, hasbro-1994, web-fr.
TABLE = {
    "first_starter": "random random random random one-die two-dice",
    "raises": "one-of-two one-of-two one-of-two one-of-two any-face any-face",
    "palifico_opens_on_pacos": "True True True True True False",
    "locked_face_changed_by": "nobody nobody nobody nobody former-palifico nobody",
    "palifico_again": "True True True True False True",
    "calza_by": "anyone anyone anyone not-next not-next on-turn",
    "calza_in_palifico": "True True True False True True",
    "calza_with_two": "True True True False True True",
    "cups": "together together together together in-order together",
    "lost_dice": "lid lid aside box bag-or-lid bag-or-lid",
    "lost_dice_may_be_open": "False True True True False False",
}


def test_the_books_differ_as_in_the_table():
    assert tuple(RULESETS) == ("asmodee-fr", "asmodee-nl", "asmodee-nl-2", "asmodee-it", "hasbro-1994", "web-fr")
    assert tuple(TABLE) == RULE_FIELDS[: len(TABLE)]
    for name, row in TABLE.items():
        assert [str(getattr(book, name)) for book in RULESETS.values()] == row.split(), name


def test_no_book_has_a_house_rule():
    house = {field.name: field.default for field in dataclasses.fields(Ruleset) if field.name not in TABLE}
    house = {name: default for name, default in house.items() if default is not dataclasses.MISSING}
    assert tuple(house) == RULE_FIELDS[len(TABLE) :]
    for book in RULESETS.values():
        assert {name: getattr(book, name) for name in house} == house


def test_the_book_decides_how_many_dice_are_rolled_for_the_opening():
    assert [book.first_starter.dice for book in RULESETS.values()] == [0, 0, 0, 0, 1, 2]


def test_every_rule_has_a_docstring_that_names_its_source():
    tree = ast.parse((ENGINE / "ruleset.py").read_text(encoding="utf-8"))
    body = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Ruleset").body
    documented = {
        field.target.id: after.value.value
        for field, after in pairwise(body)
        if isinstance(field, ast.AnnAssign) and isinstance(after, ast.Expr)
    }
    assert set(documented) == {field.name for field in dataclasses.fields(Ruleset)}
    for name in RULE_FIELDS:
        source = (
            r"asmodee|Asmodee|hasbro-1994|web-fr"
            if name in TABLE
            else r'House|wikipedia|Wikipedia|"Bluff"|"Perudo" at|Bagos|OpenSpiel'
        )
        assert re.search(source, documented[name]), name


def test_the_engine_asks_for_rules_and_never_for_a_book():
    for module in ENGINE.glob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Compare):
                continue
            compared = [ast.unparse(side) for side in (node.left, *node.comparators)]
            asks = [text for text in compared if re.fullmatch(r"(.*\.)?(ruleset|book)(\.id)?", text)]
            assert not asks or any(text == "None" for text in compared), f"{module.name}: {ast.unparse(node)}"


def test_everything_exported_exists_and_is_documented():
    for name in companion.engine.__all__:
        value = getattr(companion.engine, name)
        if isinstance(value, type):
            assert value.__doc__, name


# House rules


def test_house_rules_replace_what_the_book_says():
    mine = house_rules({"ruleset": "asmodee-it", "raises": "any-face", "calza_in_palifico": True})
    assert mine == dataclasses.replace(RULESETS["asmodee-it"], raises=Raises.ANY_FACE, calza_in_palifico=True)
    assert differences(mine) == {"raises": "any-face", "calza_in_palifico": True}
    assert [rule.name for rule in describe(mine) if rule.changed] == ["raises", "calza_in_palifico"]
    assert house_rules({}) is DEFAULT_RULESET is RULESETS["asmodee-fr"]
    assert {book: differences(rules) for book, rules in RULESETS.items()} == {book.id: {} for book in RULESETS.values()}


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({"ruleset": "monopoly"}, "there is no ruleset 'monopoly'; the rulesets are asmodee-fr"),
        ({"ruleset": 3}, "there is no ruleset 3"),
        ({"raise": "any-face"}, "there is no rule 'raise'; is raises meant?"),
        ({"title": "mine"}, "there is no rule 'title'; the rules are first_starter, raises, "),
        ({"raises": "any"}, "the rule raises is one of one-of-two, any-face, higher-face, not 'any'"),
        ({"raises": ["any-face"]}, "not ['any-face']"),
        ({"palifico_again": 1}, "the rule palifico_again is true or false, not 1"),
        ({"dice_each": 7}, "the rule dice_each is a number from 3 to 6, not 7"),
        ({"dice_each": True}, "the rule dice_each is a number from 3 to 6, not True"),
        ({"most_players": "8"}, "the rule most_players is a number from 6 to 8, not '8'"),
        ({"palifico_again": "yes"}, "the rule palifico_again is true or false, not 'yes'"),
    ],
)
def test_invalid_house_rules_are_named(table, sentence):
    with pytest.raises(BadRecordError) as caught:
        house_rules(table)
    assert sentence in caught.value.message


# In words


@pytest.mark.parametrize("book", RULESETS.values(), ids=RULESETS)
def test_every_rule_has_words(book):
    rules = describe(book)
    assert tuple(rule.name for rule in rules) == RULE_FIELDS
    assert all(rule.label and rule.value and not rule.changed for rule in rules)


@pytest.mark.parametrize("book", RULESETS.values(), ids=RULESETS)
def test_every_book_has_the_shared_rules(book):
    assert shared(book) == SHARED


def in_play(rules):
    """Every sentence about `rules` as the page tells them."""
    overruled = without_effect(rules)
    told = [rule.sentence for rule in describe(rules) if rule.name not in overruled]
    return {str(part) for part in (*shared(rules), *told)}


@pytest.mark.parametrize("name", RULE_FIELDS)
def test_a_sentence_changes_with_every_value_of_every_rule(name):
    # Pacos count otherwise in a round that was opened on them only where it may be.
    base = with_changes(DEFAULT_RULESET, {"opens_on_pacos": True} if name == "opened_on_pacos_wild" else {})
    said = [in_play(with_changes(base, {name: value})) for value in values_of(name)]
    assert all(one - other and other - one for one, other in combinations(said, 2))


WHEN = {
    "with five dice each": lambda r: (r.dice_each, r.most_players) == (5, 6) and not r.opener_chooses_direction,
    "2 to 8 players with 4 dice each": lambda r: (r.dice_each, r.most_players) == (4, 8),
    "Play goes clockwise, to the left": lambda r: not r.opener_chooses_direction,
    "Whoever opens a round says which way round": lambda r: r.opener_chooses_direction,
    "The first bid of a normal round may not be on pacos (aces).": lambda r: r.pacos_wild and not r.opens_on_pacos,
    "The first bid of any round may be on pacos (aces).": lambda r: not r.pacos_wild or r.opens_on_pacos,
    "Palifico may open on pacos: ": lambda r: (
        r.pacos_wild and not r.opens_on_pacos and r.palifico_rounds is not PalificoRounds.NEVER
    ),
    "half as many, rounded up": lambda r: r.pacos_wild and r.half_rounded is HalfRounded.UP,
    "half as many, rounded down, but at least one": lambda r: r.pacos_wild and r.half_rounded is HalfRounded.DOWN,
    "If you go to pacos or back, you must also go above": lambda r: (
        r.pacos_wild
        and (
            r.leaving_pacos is LeavingPacos.TWICE
            or r.half_rounded is HalfRounded.DOWN
            or r.raises is Raises.HIGHER_FACE
        )
    ),
    "or a higher face, or more dice of the same one": lambda r: r.pacos_wild and r.raises is Raises.HIGHER_FACE,
    "In a round that was opened on pacos they are not wild": lambda r: (
        r.pacos_wild and r.opens_on_pacos and not r.opened_on_pacos_wild
    ),
    "But a palifico round is always opened by whoever": lambda r: (
        r.palifico_rounds is not PalificoRounds.NEVER
        and (r.right_calza is RightCalza.BIDDER_LOSES or r.opens_after_dudo is OpensAfterDudo.WINNER)
    ),
    "You may bid more dice than there are": lambda r: r.bids_above_dice,
    "You may not bid more dice than are in play": lambda r: not r.bids_above_dice,
    "If that is right, the bidder loses a die": lambda r: r.right_calza is RightCalza.BIDDER_LOSES,
    "Whoever loses a dudo opens the next round": lambda r: r.opens_after_dudo is OpensAfterDudo.LOSER,
    "Whoever wins a dudo opens the next round": lambda r: r.opens_after_dudo is OpensAfterDudo.WINNER,
    "twice as many and one more:": lambda r: r.pacos_wild and r.leaving_pacos is not LeavingPacos.TWICE,
    "twice as many: after": lambda r: r.pacos_wild and r.leaving_pacos is LeavingPacos.TWICE,
    "The paco is the lowest face": lambda r: not r.pacos_wild,
    "Only the player whose turn it is may say dudo": lambda r: r.dudo_by is DudoBy.ON_TURN,
    "Anyone but the bidder may say dudo": lambda r: r.dudo_by is DudoBy.ANYONE,
    "then a dudo before any calza": lambda r: r.dudo_by is DudoBy.ANYONE,
    "they count as the face that was bid": lambda r: r.pacos_wild,
    "except in a palifico round": lambda r: r.pacos_wild and r.palifico_rounds is not PalificoRounds.NEVER,
    "whoever said dudo loses a die": lambda r: r.dudo_costs is DudoCosts.ONE,
    "the bidder loses one for each that is missing": lambda r: r.dudo_costs is DudoCosts.DIFFERENCE,
    "never has more than five": lambda r: r.dice_each == 5 and r.right_calza is RightCalza.TAKES_BACK,
    "never has more than 3": lambda r: r.dice_each == 3 and r.right_calza is RightCalza.TAKES_BACK,
    "There are no palifico rounds.": lambda r: r.palifico_rounds is PalificoRounds.NEVER,
    "opens a palifico round": lambda r: r.palifico_rounds is not PalificoRounds.NEVER,
    "pacos are not wild, and the face": lambda r: r.pacos_wild and r.palifico_rounds is not PalificoRounds.NEVER,
    "Once two players are left, no palifico round begins.": lambda r: r.palifico_rounds is PalificoRounds.NOT_WITH_TWO,
    "Calza in palifico rounds: ": lambda r: r.palifico_rounds is not PalificoRounds.NEVER,
    "A bid on another face after pacos: ": lambda r: r.pacos_wild,
    "asmodee-it": lambda r: False,
}
"""Words, and when they are said."""
SAID_TOGETHER = (
    ("raises", "opens_on_pacos", "opened_on_pacos_wild", "pacos_wild", "leaving_pacos", "half_rounded",
     "bids_above_dice", "palifico_rounds"),
    ("palifico_rounds", "right_calza", "dudo_by", "dudo_costs", "opens_after_dudo", "opener_chooses_direction",
     "dice_each", "most_players"),
)  # fmt: skip
"""The rules of bids, and those of calls: no sentence is about both."""


@pytest.mark.parametrize("names", SAID_TOGETHER, ids=["bids", "calls"])
def test_in_every_combination_what_is_said_is_what_is_played(names):
    for values in product(*map(values_of, names)):
        rules = with_changes(DEFAULT_RULESET, dict(zip(names, values, strict=True)))
        text = "\n".join(in_play(rules))
        for words, said in WHEN.items():
            assert (words in text) is said(rules), (words, rules)


CONTRADICTIONS = (
    ("just come down to one die", "Palifico again after regaining a die: no."),
    ("Two to 8", "Two to six"),
    ("may not be on pacos (aces)", "In a round that was opened on pacos"),
    ("There are no palifico rounds.", "opens a palifico round"),
    ("There are no palifico rounds.", "except in a palifico round"),
    ("but the bidder and the next player", "Calza with two players left: yes."),
    ("half of the dice are left", ""),  # half of what?
)
"""Words that do not go together."""


def test_no_two_sentences_of_any_rules_contradict_each_other():
    luck = random.Random(56)
    for _ in range(600):
        names = luck.sample(RULE_FIELDS, luck.randint(1, 8))
        book = luck.choice(list(RULESETS.values()))
        rules = with_changes(book, {name: luck.choice(values_of(name)) for name in names})
        text = "\n".join(in_play(rules))
        for one, other in CONTRADICTIONS:
            assert not (one in text and other in text), (one, other, rules)
        # Where a sentence lets somebody else open a round, the palifico's is an exception.
        others = "Whoever wins a dudo opens" in text or "If that is right, the bidder loses a die" in text
        assert not others or "opens a palifico round" not in text or "But a palifico round is always" in text


def test_a_former_palifico_is_explained_wherever_there_is_one():
    for book in RULESETS:
        rules = house_rules({"ruleset": book, "locked_face_changed_by": "former-palifico"})
        (note,) = (rule.note for rule in describe(rules) if rule.name == "locked_face_changed_by")
        assert note.startswith("A former palifico has one die")
    changed = house_rules({"ruleset": "hasbro-1994", "calza_by": "anyone"})
    assert {rule.note for rule in describe(changed) if rule.name == "calza_with_two"} == {""}


def test_the_documentation_says_what_all_books_share():
    text = DOCS.read_text(encoding="utf-8")
    for place, rule in enumerate(SHARED, start=1):
        assert f"\n{place}. {rule}\n" in text


def test_the_documentation_has_the_table_of_differences():
    text = DOCS.read_text(encoding="utf-8")
    head = f"| rule | {' | '.join(f'`{name}`' for name in RULESETS)} |"
    assert head in text
    for label, values in differences_table():
        assert f"| {label} | {' | '.join(values)} |" in text


def test_the_documentation_names_every_key_and_every_value_of_the_configuration():
    text = DOCS.read_text(encoding="utf-8")
    for name in RULE_FIELDS:
        assert f"`{name}`" in text
        value = getattr(DEFAULT_RULESET, name)
        for choice in () if isinstance(value, int) else type(value):
            assert f'`"{choice}"`' in text, choice


def test_the_documentation_repeats_every_decision_of_ours():
    text = re.sub(r"\s+", " ", DOCS.read_text(encoding="utf-8"))
    for book in RULESETS.values():
        for rule in describe(book):
            assert rule.note in text
