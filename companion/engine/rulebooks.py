"""The six rulebooks, each by its differences from the first, and house rules based on them.

If a book leaves a rule open, the value is our decision, as stated in the field's docstring in `ruleset`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from difflib import get_close_matches
from enum import StrEnum
from types import MappingProxyType

from companion.engine.errors import BadRecordError
from companion.engine.ruleset import BOUNDS, CalzaBy, Cups, FirstStarter, LockedFace, LostDice, Raises, Ruleset
from companion.messages.message import Message

RuleValue = str | bool | int
"""The value of a rule in TOML and JSON."""

_ASMODEE_FR = Ruleset(
    id="asmodee-fr",
    name=Message("Classic"),
    difference=Message("Anybody but the bidder may say calza."),
    title=Message("Perudo, Fry & Fernandini, French"),
    language="fr",
    edition=Message("with a lid"),
    first_starter=FirstStarter.RANDOM,
    raises=Raises.ONE_OF_TWO,
    palifico_opens_on_pacos=True,
    locked_face_changed_by=LockedFace.NOBODY,
    palifico_again=True,
    calza_by=CalzaBy.ANYONE,
    calza_in_palifico=True,
    calza_with_two=True,
    cups=Cups.TOGETHER,
    lost_dice=LostDice.LID,
    lost_dice_may_be_open=False,
)

_ASMODEE_NL = replace(
    _ASMODEE_FR,
    id="asmodee-nl",
    name=Message("Optional lid"),
    difference=Message("As Classic, but lost dice may lie open."),
    title=Message("Perudo, Fry & Fernandini, Dutch"),
    language="nl",
    lost_dice_may_be_open=True,
)

_ASMODEE_NL_2 = replace(
    _ASMODEE_NL,
    id="asmodee-nl-2",
    name=Message("No lid"),
    difference=Message("As Classic, but lost dice are laid aside."),
    title=Message("Perudo, Fry & Fernandini, Dutch, later edition"),
    edition=Message("without a lid"),
    lost_dice=LostDice.ASIDE,
)

_ASMODEE_IT = replace(
    _ASMODEE_FR,
    id="asmodee-it",
    name=Message("Strict calza"),
    difference=Message("No calza by the next player, in palifico or between two."),
    title=Message("Perudo, Fry & Fernandini, Italian"),
    language="it",
    edition=Message("with the box in the middle"),
    calza_by=CalzaBy.NOT_NEXT,
    calza_in_palifico=False,
    calza_with_two=False,
    lost_dice=LostDice.BOX,
    lost_dice_may_be_open=True,
)

_HASBRO_1994 = replace(
    _ASMODEE_FR,
    id="hasbro-1994",
    name=Message("Palifico once"),
    difference=Message("More dice of any face; cups go up in turn."),
    title=Message("Perudo, Kenner Parker / Hasbro 1994"),
    edition=Message("with a bag and a lid"),
    first_starter=FirstStarter.ONE_DIE,
    raises=Raises.ANY_FACE,
    locked_face_changed_by=LockedFace.FORMER_PALIFICO,
    palifico_again=False,
    calza_by=CalzaBy.NOT_NEXT,
    cups=Cups.IN_ORDER,
    lost_dice=LostDice.BAG_OR_LID,
)

_WEB_FR = replace(
    _ASMODEE_FR,
    id="web-fr",
    name=Message("Calza on turn"),
    difference=Message("More dice of any face; two dice each say who opens."),
    title=Message("Perudo, a French web page"),
    edition=Message("with a bag and a lid"),
    first_starter=FirstStarter.TWO_DICE,
    raises=Raises.ANY_FACE,
    palifico_opens_on_pacos=False,
    calza_by=CalzaBy.ON_TURN,
    lost_dice=LostDice.BAG_OR_LID,
)

RULESETS: Mapping[str, Ruleset] = MappingProxyType(
    {book.id: book for book in (_ASMODEE_FR, _ASMODEE_NL, _ASMODEE_NL_2, _ASMODEE_IT, _HASBRO_1994, _WEB_FR)}
)
"""The six books by id, in display order."""

DEFAULT_RULESET = RULESETS["asmodee-fr"]

_NOT_RULES = ("id", "name", "difference", "title", "language", "edition")
RULE_FIELDS = tuple(field.name for field in fields(Ruleset) if field.name not in _NOT_RULES)
"""The names of the fields that are rules, in display order."""


def values_of(rule: str) -> tuple[StrEnum | bool | int, ...]:
    """Every value of the rule with that name."""
    value = getattr(DEFAULT_RULESET, rule)
    if isinstance(value, bool):
        return True, False
    kind: type[StrEnum] = type(value)
    return tuple(BOUNDS.get(rule, kind))


def house_rules(table: Mapping[str, object]) -> Ruleset:
    """The ruleset of a `[rules]` table of the configuration.

    The key `ruleset` names the book (optional); each other key is a field of `Ruleset` with its new value: `true`,
    `false`, a number or the name of a choice, such as `raises = "any-face"`.

    Raises `BadRecordError` with a message that names the key and its possible values.
    """
    changes = dict(table)
    name = changes.pop("ruleset", DEFAULT_RULESET.id)
    if not isinstance(name, str) or name not in RULESETS:
        raise BadRecordError(
            "there is no ruleset {name}; the rulesets are {known}", name=repr(name), known=", ".join(RULESETS)
        )
    return with_changes(RULESETS[name], changes)


def with_changes(book: Ruleset, changes: Mapping[str, object]) -> Ruleset:
    """`book` with `changes` applied: fields and their values as in TOML or JSON.

    Raises `BadRecordError` for an unknown field or an invalid value.
    """
    if not changes:
        return book
    return replace(book, **{name: _value(name, value) for name, value in changes.items()})  # type: ignore[arg-type]


def differences(ruleset: Ruleset) -> dict[str, RuleValue]:
    """The rules on which `ruleset` differs from its book, as `with_changes` takes them."""
    book = RULESETS[ruleset.id]
    return {name: getattr(ruleset, name) for name in RULE_FIELDS if getattr(ruleset, name) != getattr(book, name)}


def _value(name: str, value: object) -> object:
    if name not in RULE_FIELDS:
        if near := get_close_matches(name, RULE_FIELDS, n=1):
            raise BadRecordError("there is no rule {name}; is {near} meant?", name=repr(name), near=near[0])
        raise BadRecordError(
            "there is no rule {name}; the rules are {known}", name=repr(name), known=", ".join(RULE_FIELDS)
        )
    default = getattr(DEFAULT_RULESET, name)
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise BadRecordError("the rule {name} is true or false, not {given}", name=name, given=repr(value))
        return value
    if name in BOUNDS:
        low, high = min(BOUNDS[name]), max(BOUNDS[name])
        if type(value) is not int or not low <= value <= high:
            raise BadRecordError(
                "the rule {name} is a number from {low} to {high}, not {given}",
                name=name,
                low=str(low),
                high=str(high),
                given=repr(value),
            )
        return value
    kind: type[StrEnum] = type(default)
    if not isinstance(value, str) or value not in set(kind):
        choices = ", ".join(kind)
        raise BadRecordError(
            "the rule {name} is one of {choices}, not {given}", name=name, choices=choices, given=repr(value)
        )
    return kind(value)
