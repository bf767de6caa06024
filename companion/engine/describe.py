"""Rulesets in words: the shared rules, and for each difference what a ruleset says of it.

Sentences of our own, each a `Said`; the command line prints them and the documentation repeats them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from companion.engine.rulebooks import RULE_FIELDS, RULESETS, base
from companion.engine.ruleset import CalzaBy, Cups, FirstStarter, LockedFace, LostDice, Raises, Ruleset
from companion.engine.said import Said

SHARED = (
    Said("Two to six players, five dice each; play goes clockwise, to the left."),
    Said(
        "A bid is a count and a face. The count is not limited: a bid for more dice than there are is legal, and false."
    ),
    Said("A normal round may not be opened on pacos."),
    Said("After a bid on another face one may bid at least half as many pacos, rounded up: after seven, four."),
    Said(
        "After a bid on pacos one may bid more pacos, or at least twice as many and one more of another "
        "face: after four, nine."
    ),
    Said("Only the player on turn may say dudo, and only on a bid."),
    Said("Pacos count as the face that was bid, except in a palifico round. A bid on pacos counts pacos alone."),
    Said("Dudo: with as many dice as were bid or more, the caller loses a die; with fewer, the bidder does."),
    Said(
        "Calza (may be switched off): with exactly as many dice as were bid the caller takes back a lost "
        "die, never above five; else the caller loses one."
    ),
    Said(
        "Of calls made at the same instant the turn player's bid or dudo stands; of several calzas the "
        "one nearest to the bidder's left."
    ),
    Said(
        "Who lost the die opens the next round; after calza the caller does, right or wrong (our reading "
        "of asmodee-it and web-fr). Who is eliminated leaves it to the next player to the left who has "
        "dice."
    ),
    Said(
        "Who has just come down to one die opens a palifico round: pacos are not wild, the face of the "
        "opening bid is locked and only the count may rise."
    ),
    Said("The last player with dice wins."),
)
"""What all six books share, in the order of a game."""

_LABELS = {
    "first_starter": Said("first opener"),
    "raises": Said("raise between faces 2-6"),
    "palifico_opens_on_pacos": Said("palifico may open on pacos"),
    "locked_face_changed_by": Said("who may change the locked face"),
    "palifico_again": Said("palifico again after regaining a die"),
    "calza_by": Said("who may say calza"),
    "calza_in_palifico": Said("calza in palifico rounds"),
    "calza_with_two": Said("calza with two players left"),
    "cups": Said("cups are lifted"),
    "lost_dice": Said("lost dice"),
    "lost_dice_may_be_open": Said("lost dice open to all"),
}

_WORDS: Mapping[StrEnum, Said] = {
    FirstStarter.RANDOM: Said("drawn at random"),
    FirstStarter.ONE_DIE: Said("one die each, highest starts, ties roll again"),
    FirstStarter.TWO_DICE: Said("two dice each, highest sum starts, ties roll again"),
    Raises.ONE_OF_TWO: Said("more dice of the same face, or as many of a higher one"),
    Raises.ANY_FACE: Said("more dice of any face, or as many of a higher one"),
    LockedFace.NOBODY: Said("nobody"),
    LockedFace.FORMER_PALIFICO: Said("a former palifico"),
    CalzaBy.ANYONE: Said("anyone but the bidder"),
    CalzaBy.NOT_NEXT: Said("anyone but the bidder and the next player"),
    CalzaBy.ON_TURN: Said("the player on turn only"),
    Cups.TOGETHER: Said("all together"),
    Cups.IN_ORDER: Said("in order: after dudo from the caller's left, after calza from the caller"),
    LostDice.LID: Said("under the lid"),
    LostDice.ASIDE: Said("laid away in the middle"),
    LostDice.BOX: Said("in the box"),
    LostDice.BAG_OR_LID: Said("in the bag or under the lid"),
}

_YES, _NO = Said("yes"), Said("no")
_YES_NO = {"lost_dice_may_be_open": (Said("as an option"), _NO)}

_OURS: Mapping[str, Mapping[str, Said]] = {
    "hasbro-1994": {
        "first_starter": Said("The book is silent on ties: our decision."),
        "locked_face_changed_by": Said(
            "A former palifico has one die and is not the palifico of this round. Any raise of the book's normal "
            "order is theirs, with pacos as the lowest face and no halving or doubling (our decision); the new face "
            "is then locked for the others. Who starts a game with one die counts as a former palifico."
        ),
        "calza_by": Said("The book leaves out the next player only; that the bidder is left out too is our decision."),
        "calza_with_two": Said("With two players left nobody remains who may say it."),
    },
    "web-fr": {
        "raises": Said("The page asks for a higher number or a higher value; this is our reading."),
    },
}


@dataclass(frozen=True, slots=True)
class Rule:
    """One difference, in words."""

    name: str
    """The field of `Ruleset`, and the key in the configuration."""
    label: Said
    value: Said
    note: str
    """What we decided where the book is silent; empty where it is not."""
    changed: bool
    """Whether a house rule replaces what the book says."""

    @property
    def sentence(self) -> Said:
        """Label and value as a sentence."""
        return Said("{label}: {value}.", label=self.label, value=self.value)


def describe(ruleset: Ruleset) -> tuple[Rule, ...]:
    """Every difference as `ruleset` has it, in the order of its fields."""
    book = base(ruleset)
    notes = _OURS.get(book.id, {})
    rules = []
    for name in RULE_FIELDS:
        changed = getattr(ruleset, name) != getattr(book, name)
        note = "" if changed else notes.get(name, "")
        rules.append(Rule(name, _LABELS[name], in_words(name, getattr(ruleset, name)), note, changed))
    return tuple(rules)


def in_words(name: str, value: StrEnum | bool) -> Said:
    """What the rule `name` says when its value is `value`."""
    if isinstance(value, bool):
        yes, no = _YES_NO.get(name, (_YES, _NO))
        return yes if value else no
    return _WORDS[value]


def differences_table() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """(label, what each of the six books says), one row a difference, the books in the order of `RULESETS`."""
    books = [describe(book) for book in RULESETS.values()]
    return tuple((row[0].label, tuple(rule.value for rule in row)) for row in zip(*books, strict=True))
