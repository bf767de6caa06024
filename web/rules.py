"""The rulebooks: the choices for a new game (`/choices`), and the rules of this one in words (`/rules`). Pure."""

from __future__ import annotations

from calibration.palette import COLOURS
from companion.engine import DEFAULT_RULESET, FEWEST_PLAYERS, RULESETS, Ruleset
from companion.engine.rulebooks import RULE_FIELDS, RuleValue, with_changes
from companion.engine.rules_in_words import Rule, describe, shared
from companion.messages.message import Message
from companion.messages.sentence import Sentence, Value
from companion.table import State
from companion.table.commands import DieColour
from companion.table.state.state import Book
from web.errors import RequestError


class BookChoice(Sentence, frozen=True):
    """A rulebook, and its name in a list."""

    id: Book
    title: str
    edition: str


class Choices(Value, frozen=True, kw_only=True):
    """The choices for a new game."""

    rulesets: tuple[BookChoice, ...]
    ruleset: Book
    colours: tuple[DieColour, ...]
    players: tuple[int, int]
    """The fewest and the most players."""


def choices() -> Choices:
    """The rulebooks, the default one, the colours of dice, and the number of players."""
    return Choices(
        rulesets=tuple(
            BookChoice(
                id=book.id,
                title=book.title,
                edition=book.edition,
                sentence=Message("{title} ({edition})", title=book.title, edition=book.edition),
            )
            for book in RULESETS.values()
        ),
        ruleset=DEFAULT_RULESET.id,
        colours=COLOURS,
        players=(FEWEST_PLAYERS, DEFAULT_RULESET.most_players),
    )


class BookInWords(Value, frozen=True):
    """A rulebook."""

    id: Book
    title: Sentence
    edition: Sentence


class RuleInWords(Value, frozen=True, kw_only=True):
    """One rule: as it is played, as in the book, and as in the book to compare with."""

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
    """The rules that are played."""

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
    written = describe(book)
    theirs = describe(other) if other is not None else (None,) * len(written)
    return Rules(
        book=_book(book),
        shared=tuple(Sentence(sentence=sentence) for sentence in shared(played)),
        rules=tuple(
            _rule(rule, getattr(played, name), original, other_rule)
            for name, rule, original, other_rule in zip(RULE_FIELDS, describe(played), written, theirs, strict=True)
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
    return BookInWords(book.id, Sentence(sentence=book.title), Sentence(sentence=book.edition))
