"""The rulebooks: the choices for a new game (`/choices`), and the current rules in words (`/rules`). Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from calibration.palette import COLOURS
from companion.engine import DEFAULT_RULESET, FEWEST_PLAYERS, RULESETS, Ruleset
from companion.engine.rulebooks import RULE_FIELDS, RuleValue, values_of, with_changes
from companion.engine.rules_in_words import EXAMPLES, LABELS, Rule, describe, in_words, shared, without_effect
from companion.messages.message import Message
from companion.messages.sentence import Sentence, Value
from companion.table import State
from companion.table.commands import DieColour
from companion.table.game.events import GameOpened
from companion.table.state.state import Book
from web.errors import RequestError


class BookChoice(Sentence, frozen=True, kw_only=True):
    """A rulebook: the title and edition of its book, and the character of its games."""

    id: Book
    name: Sentence
    difference: Sentence
    title: str
    edition: str
    roll: bool
    """True if the players roll for the opening."""
    open_lost: bool
    """True if everybody may see how many dice the others have."""
    values: dict[str, RuleValue]
    """Every rule as this table plays by this book."""
    written: dict[str, RuleValue]
    """Every rule as in the book."""


class ValueChoice(Sentence, frozen=True, kw_only=True):
    """A value of a rule, in words."""

    value: RuleValue


class RuleChoice(Value, frozen=True):
    """A rule that can be changed."""

    rule: str
    label: Sentence
    example: Sentence
    values: tuple[ValueChoice, ...]


class NamedRules(Value, frozen=True):
    """House rules of an earlier game, with their name."""

    name: str
    ruleset: Book
    calza: bool
    open_lost: bool
    roll: bool
    rules: dict[str, RuleValue]


class Choices(Value, frozen=True, kw_only=True):
    """The choices for a new game."""

    rulesets: tuple[BookChoice, ...]
    ruleset: Book
    colours: tuple[DieColour, ...]
    players: tuple[int, int]
    """The fewest and the most players; the rule `most_players` may allow more."""
    rules: tuple[RuleChoice, ...]
    named: tuple[NamedRules, ...]
    open_lost: bool
    """The table's setting."""


def choices(house: Ruleset = DEFAULT_RULESET, named: Iterable[GameOpened] = (), *, open_lost: bool = True) -> Choices:
    """The rulebooks, the default one, the colours of dice, the number of players, and the house rules.

    `house` are this table's own rules, which replace those of the rulebook with its id; `named` are those of earlier
    games.
    """
    return Choices(
        rulesets=tuple(
            BookChoice(
                id=book.id,
                name=Sentence(sentence=book.name),
                difference=Sentence(sentence=book.difference),
                title=book.title,
                edition=book.edition,
                roll=played.first_starter.dice > 0,
                open_lost=played.lost_dice_may_be_open,
                values=_values(played),
                written=_values(book),
                sentence=Message("{title} ({edition})", title=book.title, edition=book.edition),
            )
            for book in RULESETS.values()
            for played in (house if book.id == house.id else book,)
        ),
        ruleset=house.id,
        colours=COLOURS,
        players=(FEWEST_PLAYERS, DEFAULT_RULESET.most_players),
        rules=tuple(map(_rule_choice, RULE_FIELDS)),
        named=tuple(
            NamedRules(
                opened.rules_name, opened.ruleset, opened.calza, opened.open_lost, opened.roll > 0, dict(opened.rules)
            )
            for opened in named
        ),
        open_lost=open_lost,
    )


def _values(ruleset: Ruleset) -> dict[str, RuleValue]:
    return {name: getattr(ruleset, name) for name in RULE_FIELDS}


def _rule_choice(name: str) -> RuleChoice:
    return RuleChoice(
        name,
        Sentence(sentence=LABELS[name]),
        Sentence(sentence=EXAMPLES[name]),
        tuple(ValueChoice(value=value, sentence=in_words(name, value)) for value in values_of(name)),
    )


_DIFFERING: Final = frozenset(
    name for name in RULE_FIELDS if len({getattr(book, name) for book in RULESETS.values()}) > 1
)
"""The rules on which the books differ; the others are only shown if this game changes them."""


class BookInWords(Value, frozen=True):
    """A rulebook."""

    id: Book
    name: Sentence
    title: Sentence
    edition: Sentence


class RuleInWords(Value, frozen=True, kw_only=True):
    """One rule: as played, as in the book, and as in the book compared with."""

    rule: str
    value: RuleValue
    label: Sentence
    says: Sentence
    note: Sentence | None
    changed: bool
    written: Sentence
    theirs: Sentence | None
    differs: bool


class Rules(Value, frozen=True, kw_only=True):
    """The rules of the current game."""

    book: BookInWords
    shared: tuple[Sentence, ...]
    rules: tuple[RuleInWords, ...]
    compare: BookInWords | None
    books: tuple[BookInWords, ...]


def rules(state: State, compare: str | None = None) -> Rules:
    """The rules of the game in `state`, and how they differ from the book `compare`.

    Raises `RequestError` (404) for an unknown book.
    """
    if compare is not None and compare not in RULESETS:
        books = ", ".join(RULESETS)
        raise RequestError(f"There is no such rulebook; there are {books}.", code="not_found")
    book = RULESETS[state.ruleset]
    played = with_changes(book, {rule.rule: rule.value for rule in state.rules})
    other = RULESETS[compare] if compare is not None else None
    written, overruled = describe(book), without_effect(played)
    theirs = describe(other) if other is not None else (None,) * len(written)
    return Rules(
        book=_book(book),
        shared=tuple(Sentence(sentence=sentence) for sentence in shared(played)),
        rules=tuple(
            _rule(rule, getattr(played, name), original, other_rule)
            for name, rule, original, other_rule in zip(RULE_FIELDS, describe(played), written, theirs, strict=True)
            if name not in overruled and (rule.changed or name in _DIFFERING)
        ),
        compare=_book(other) if other is not None else None,
        books=tuple(_book(each) for each in RULESETS.values()),
    )


def _rule(rule: Rule, value: RuleValue, written: Rule, theirs: Rule | None) -> RuleInWords:
    return RuleInWords(
        rule=rule.name,
        value=value,
        label=Sentence(sentence=rule.label),
        says=Sentence(sentence=rule.value),
        note=Sentence(sentence=rule.note) if rule.note else None,
        changed=rule.changed,
        written=Sentence(sentence=written.value),
        theirs=Sentence(sentence=theirs.value) if theirs is not None else None,
        differs=theirs is not None and theirs.value != rule.value,
    )


def _book(book: Ruleset) -> BookInWords:
    return BookInWords(
        book.id, Sentence(sentence=book.name), Sentence(sentence=book.title), Sentence(sentence=book.edition)
    )
