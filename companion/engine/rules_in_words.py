"""Rulesets in words: the shared rules, and a ruleset's choice on each rule that differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from companion.engine.rulebooks import DEFAULT_RULESET, RULE_FIELDS, RULESETS
from companion.engine.ruleset import (
    CalzaBy,
    Cups,
    DudoBy,
    DudoCosts,
    FirstStarter,
    HalfRounded,
    LeavingPacos,
    LockedFace,
    LostDice,
    OpensAfterDudo,
    PalificoRounds,
    Raises,
    RightCalza,
    Ruleset,
)
from companion.messages.message import Dice, Message


def shared(ruleset: Ruleset) -> tuple[Message, ...]:
    """The rules that are the same in all books, in the order of a game, as modified by `ruleset`'s house rules."""
    return (
        _players(ruleset),
        Message(
            "A bid says that at least so many dice show a face: five fours. You may bid more dice than there are, "
            "but such a bid is false."
        )
        if ruleset.bids_above_dice
        else Message(
            "A bid says that at least so many dice show a face: five fours. You may not bid more dice than are in play."
        ),
        *_pacos(ruleset),
        Message("Only the player whose turn it is may say dudo: I doubt the last bid.")
        if ruleset.dudo_by is DudoBy.ON_TURN
        else Message("Anyone but the bidder may say dudo: I doubt the last bid."),
        *_tally(ruleset),
        Message(
            "After dudo all dice are counted. If there are as many as were bid, or more, whoever said dudo loses "
            "a die. If there are fewer, the bidder does."
        )
        if ruleset.dudo_costs is DudoCosts.ONE
        else Message(
            "After dudo all dice are counted. If there are as many as were bid, or more, whoever said dudo loses "
            "one for each die too many, but at least one. If there are fewer, the bidder loses one for each that "
            "is missing."
        ),
        _calza(ruleset),
        Message(
            "If several speak at once, the bid or dudo of the player whose turn it is counts. Of several calzas, "
            "the one that comes first after the bidder in the order of play counts."
        )
        if ruleset.dudo_by is DudoBy.ON_TURN
        else Message(
            "If several speak at once, the bid or dudo of the player whose turn it is counts, then a dudo before "
            "any calza. Of several dudos or calzas, the one that comes first after the bidder in the order of "
            "play counts."
        ),
        Message(
            "Whoever loses a dudo opens the next round. After calza, whoever said it opens, right or wrong. If that "
            "player is out, the next one with dice in the order of play opens."
        )
        if ruleset.opens_after_dudo is OpensAfterDudo.LOSER
        else Message(
            "Whoever wins a dudo opens the next round. After calza, whoever said it opens, right or wrong. If that "
            "player is out, the next one with dice in the order of play opens."
        ),
        *_palifico_opens(ruleset),
        *_palifico(ruleset),
        Message("The last player with dice wins."),
    )


def _players(ruleset: Ruleset) -> Message:
    most, dice = ruleset.most_players, Dice(ruleset.dice_each)
    if ruleset.opener_chooses_direction:
        return Message(
            "2 to {most} players with {dice} each. Whoever opens a round says which way round the bids go. If "
            "they say nothing, the bids go as in the round before, at first clockwise.",
            most=most,
            dice=dice,
        )
    if (most, ruleset.dice_each) != (DEFAULT_RULESET.most_players, DEFAULT_RULESET.dice_each):
        return Message("2 to {most} players with {dice} each. Play goes clockwise, to the left.", most=most, dice=dice)
    return Message("Two to six players with five dice each. Play goes clockwise, to the left.")


def _pacos(ruleset: Ruleset) -> Iterator[Message]:
    """How pacos are bid."""
    if ruleset.opens_on_pacos or not ruleset.pacos_wild:
        yield Message("The first bid of any round may be on pacos (aces).")
    else:
        yield Message("The first bid of a normal round may not be on pacos (aces).")
    if not ruleset.pacos_wild:
        yield Message("The paco is the lowest face, and you bid it like the others: nothing is halved or doubled.")
        return
    yield (
        Message("To go to pacos, bid at least half as many, rounded up: after seven fours, four pacos.")
        if ruleset.half_rounded is HalfRounded.UP
        else Message(
            "To go to pacos, bid at least half as many, rounded down, but at least one: after seven fours, three pacos."
        )
    )
    yield (
        Message(
            "After pacos, bid more pacos. Or go back to another face with at least twice as many and one more: "
            "after four pacos, nine fours."
        )
        if ruleset.leaving_pacos is LeavingPacos.TWICE_PLUS_ONE
        else Message(
            "After pacos, bid more pacos. Or go back to another face with at least twice as many: after four "
            "pacos, eight fours."
        )
    )
    if ruleset.outranks_own_sort:
        yield (
            Message(
                "If you go to pacos or back, you must also go above the round's last bid there: more pacos; or a "
                "higher face, or more dice of the same one."
            )
            if ruleset.raises is Raises.HIGHER_FACE
            else Message(
                "If you go to pacos or back, you must also go above the round's last bid there: more pacos; or "
                "more dice of any other face, or as many of a higher one."
            )
        )


def _calza(ruleset: Ruleset) -> Message:
    """What a calza does."""
    if ruleset.right_calza is RightCalza.BIDDER_LOSES:
        return Message(
            "Calza (may be switched off) says: exactly as many as were bid. If that is right, the bidder loses a "
            "die. If not, whoever said it does."
        )
    if ruleset.dice_each == DEFAULT_RULESET.dice_each:
        return Message(
            "Calza (may be switched off) says: exactly as many as were bid. If that is right, whoever said it "
            "takes back a lost die, but never has more than five. If not, they lose one."
        )
    return Message(
        "Calza (may be switched off) says: exactly as many as were bid. If that is right, whoever said it takes "
        "back a lost die, but never has more than {most}. If not, they lose one.",
        most=ruleset.dice_each,
    )


def _tally(ruleset: Ruleset) -> Iterator[Message]:
    """What counts at a reveal."""
    if not ruleset.pacos_wild:
        yield Message("Pacos count only as pacos.")
        return
    if ruleset.palifico_rounds is PalificoRounds.NEVER:
        yield Message("Pacos are wild: they count as the face that was bid. If the bid was on pacos, only pacos count.")
    else:
        yield Message(
            "Pacos are wild: they count as the face that was bid, except in a palifico round. If the bid was on "
            "pacos, only pacos count."
        )
    if ruleset.opens_on_pacos and not ruleset.opened_on_pacos_wild:
        yield Message(
            "In a round that was opened on pacos they are not wild: the paco is the lowest face, and nothing is "
            "halved or doubled."
        )


def _palifico_opens(ruleset: Ruleset) -> Iterator[Message]:
    """Say that the palifico opens, if the sentence before suggests that somebody else may."""
    winner, bidder = OpensAfterDudo.WINNER, RightCalza.BIDDER_LOSES
    if ruleset.palifico_rounds is PalificoRounds.NEVER:
        return
    if ruleset.opens_after_dudo is winner or ruleset.right_calza is bidder:
        yield Message("But a palifico round is always opened by whoever has come down to one die.")


def _palifico(ruleset: Ruleset) -> Iterator[Message]:
    """When a palifico round begins, and what it is."""
    if ruleset.palifico_rounds is PalificoRounds.NEVER:
        yield Message("There are no palifico rounds.")
        return
    if ruleset.pacos_wild:
        yield Message(
            "Whoever comes down to one die for the first time opens a palifico round. In it pacos are not wild, and "
            "the face of the first bid stays: only the number may rise."
        )
    else:
        yield Message(
            "Whoever comes down to one die for the first time opens a palifico round. In it the face of the first bid "
            "stays: only the number may rise."
        )
    if ruleset.palifico_rounds is PalificoRounds.NOT_WITH_TWO:
        yield Message("Once two players are left, no palifico round begins.")


SHARED = shared(DEFAULT_RULESET)
"""The rules shared by all six books, in the order of a game."""


def without_effect(ruleset: Ruleset) -> frozenset[str]:
    """The rules of `ruleset` that have no effect because of another of its rules."""
    found: set[str] = set()
    if ruleset.opens_on_pacos or not ruleset.pacos_wild:
        found |= {"palifico_opens_on_pacos"}
    if not ruleset.opens_on_pacos:
        found |= {"opened_on_pacos_wild"}
    if ruleset.calza_by is CalzaBy.NOT_NEXT and ruleset.calza_with_two:  # nobody who may say it is left
        found |= {"calza_with_two"}
    if not ruleset.pacos_wild:
        found |= {"opens_on_pacos", "opened_on_pacos_wild", "leaving_pacos", "half_rounded"}
    if ruleset.palifico_rounds is PalificoRounds.NEVER:
        found |= {"palifico_opens_on_pacos", "locked_face_changed_by", "palifico_again", "calza_in_palifico"}
    return frozenset(found)


LABELS: Mapping[str, Message] = {
    "first_starter": Message("who opens the first round"),
    "raises": Message("a higher bid on faces 2 to 6"),
    "palifico_opens_on_pacos": Message("palifico may open on pacos"),
    "locked_face_changed_by": Message("who may change the locked face"),
    "palifico_again": Message("palifico again after regaining a die"),
    "calza_by": Message("who may say calza"),
    "calza_in_palifico": Message("calza in palifico rounds"),
    "calza_with_two": Message("calza with two players left"),
    "cups": Message("cups are lifted"),
    "lost_dice": Message("lost dice"),
    "lost_dice_may_be_open": Message("lost dice open to all"),
    "opens_on_pacos": Message("any round may open on pacos"),
    "opened_on_pacos_wild": Message("pacos are wild in a round opened on them"),
    "pacos_wild": Message("pacos are wild"),
    "leaving_pacos": Message("a bid on another face after pacos"),
    "half_rounded": Message("half of an odd number, for a bid on pacos"),
    "bids_above_dice": Message("bids for more dice than are in play"),
    "palifico_rounds": Message("palifico rounds"),
    "calza_once": Message("each player may say calza only once a game"),
    "calza_to_half": Message("calza only while at least half of all dice that everybody could have are left"),
    "right_calza": Message("after a right calza"),
    "dudo_by": Message("who may say dudo"),
    "dudo_costs": Message("a dudo costs its loser"),
    "opens_after_dudo": Message("who opens after a dudo"),
    "opener_chooses_direction": Message("who opens chooses the direction"),
    "dice_each": Message("dice each player starts with"),
    "most_players": Message("most players"),
}

EXAMPLES: Mapping[str, Message] = {
    "first_starter": Message("One die each: Ana rolls a five, Ben a two. Ana opens."),
    "raises": Message(
        "After four threes: five threes or four sixes; five twos, if any face will do; one six, if any number of a "
        "higher one will do."
    ),
    "palifico_opens_on_pacos": Message("Ana is down to one die and opens with one paco."),
    "locked_face_changed_by": Message(
        "Ana, palifico, opens with one three. Ben has one die as well and bids one four."
    ),
    "palifico_again": Message("Ana had one die, took one back and lost it again: is she palifico?"),
    "calza_by": Message("Ana bids, Ben is next: may Cid say calza, and may Ben?"),
    "calza_in_palifico": Message("Ana, palifico, bids two fours. Ben says calza."),
    "calza_with_two": Message("Only Ana and Ben have dice. Ben says calza on Ana's bid."),
    "cups": Message("Ben doubts: everybody lifts their cup, or first the player at Ben's left."),
    "lost_dice": Message("Ana lost a die: where does she put it?"),
    "lost_dice_may_be_open": Message("Everybody sees that Ana has two dice left."),
    "opens_on_pacos": Message("Ana opens a round with two pacos."),
    "opened_on_pacos_wild": Message("Ana opens with two pacos, Ben bids three fives: do pacos count as fives?"),
    "pacos_wild": Message("Five fours were bid; there are four fours and two pacos. If pacos are wild, it holds."),
    "leaving_pacos": Message("After four pacos: nine fives, or eight if twice as many are enough."),
    "half_rounded": Message("After seven fours: four pacos, or three if half is rounded down."),
    "bids_above_dice": Message("Nine dice are in play: may Ana bid ten fours?"),
    "palifico_rounds": Message("Ana comes down to one die: in the next round pacos are not wild."),
    "calza_once": Message("Ana was right with her calza and may not say it again in this game."),
    "calza_to_half": Message("Three began with five dice each, and seven are left: calza is over."),
    "right_calza": Message(
        "Ben says calza on Ana's five fours, and it is right: Ben takes back a die, or Ana loses one."
    ),
    "dudo_by": Message("Ana bids, Ben is next: may Cid say dudo?"),
    "dudo_costs": Message("Eight fives were bid and there are five: the bidder loses three dice instead of one."),
    "opens_after_dudo": Message("Ben doubts Ana's bid and is right: does Ana open, who lost, or Ben?"),
    "opener_chooses_direction": Message("Ana opens with two threes, to the right: Cid is next, not Ben."),
    "dice_each": Message("With three dice each a game is over sooner."),
    "most_players": Message("With seven players there are 35 dice on the table."),
}
"""Rule -> its value in words, for a game of Ana, Ben and Cid."""

_WORDS: Mapping[StrEnum, Message] = {
    FirstStarter.RANDOM: Message("drawn at random"),
    FirstStarter.ONE_DIE: Message("one die each, highest starts, ties roll again"),
    FirstStarter.TWO_DICE: Message("two dice each, highest sum starts, ties roll again"),
    Raises.ONE_OF_TWO: Message("more dice of the same face, or as many of a higher one"),
    Raises.ANY_FACE: Message("more dice of any face, or as many of a higher one"),
    Raises.HIGHER_FACE: Message("more dice of the same face, or any number of a higher one"),
    LockedFace.NOBODY: Message("nobody"),
    LockedFace.FORMER_PALIFICO: Message("a former palifico"),
    CalzaBy.ANYONE: Message("anyone but the bidder"),
    CalzaBy.NOT_NEXT: Message("anyone but the bidder and the next player"),
    CalzaBy.ON_TURN: Message("the player on turn only"),
    Cups.TOGETHER: Message("all together"),
    Cups.IN_ORDER: Message("in order: after dudo from the caller's left, after calza from the caller"),
    LostDice.LID: Message("under the lid"),
    LostDice.ASIDE: Message("laid away in the middle"),
    LostDice.BOX: Message("in the box"),
    LostDice.BAG_OR_LID: Message("in the bag or under the lid"),
    LeavingPacos.TWICE_PLUS_ONE: Message("twice as many and one more"),
    LeavingPacos.TWICE: Message("twice as many"),
    HalfRounded.UP: Message("rounded up"),
    HalfRounded.DOWN: Message("rounded down, but at least one"),
    RightCalza.TAKES_BACK: Message("the caller takes back a lost die"),
    RightCalza.BIDDER_LOSES: Message("the bidder loses a die"),
    OpensAfterDudo.LOSER: Message("its loser"),
    OpensAfterDudo.WINNER: Message("its winner"),
    PalificoRounds.ALWAYS: Message("whenever somebody comes down to one die"),
    PalificoRounds.NOT_WITH_TWO: Message("not once two players are left"),
    PalificoRounds.NEVER: Message("never"),
    DudoBy.ON_TURN: Message("the player on turn only"),
    DudoBy.ANYONE: Message("anyone but the bidder"),
    DudoCosts.ONE: Message("one die"),
    DudoCosts.DIFFERENCE: Message("as many dice as the bid was wrong by, at least one"),
}

_YES, _NO = Message("yes"), Message("no")
_YES_NO = {"lost_dice_may_be_open": (Message("as an option"), _NO)}

_FORMER_PALIFICO = Message(
    "A former palifico has one die and is not the palifico of this round. Any raise of the normal "
    "order is theirs, with pacos as the lowest face and no halving or doubling (our decision); the new face "
    "is then locked for the others. Whoever starts a game with one die counts as a former palifico."
)

_OURS: Mapping[str, Mapping[str, Message]] = {
    "hasbro-1994": {
        "first_starter": Message("The book is silent on ties: our decision."),
        "calza_by": Message(
            "The book leaves out the next player only; that the bidder is left out too is our decision."
        ),
        "calza_with_two": Message("With two players left nobody remains who may say it."),
    },
    "web-fr": {
        "raises": Message("The page asks for a higher number or a higher value; this is our reading."),
    },
}


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that differs between books, in words."""

    name: str
    """The field of `Ruleset`, and the key in the configuration."""
    label: Message
    value: Message
    note: str
    """Our decision if the book is silent or unclear; otherwise empty."""
    changed: bool
    """A house rule replaces the book's."""

    @property
    def sentence(self) -> Message:
        """Label and value as one sentence."""
        return Message("{label}: {value}.", label=self.label, value=self.value)


def describe(ruleset: Ruleset) -> tuple[Rule, ...]:
    """The rules of `ruleset` that differ between books, in the order of its fields."""
    book = RULESETS[ruleset.id]
    notes = _OURS.get(book.id, {})
    rules = []
    for name in RULE_FIELDS:
        changed = getattr(ruleset, name) != getattr(book, name)
        note = "" if changed else notes.get(name, "")
        if name == "locked_face_changed_by" and ruleset.locked_face_changed_by is LockedFace.FORMER_PALIFICO:
            note = _FORMER_PALIFICO
        if name == "calza_with_two" and ruleset.calza_by is not CalzaBy.NOT_NEXT:
            note = ""
        rules.append(Rule(name, LABELS[name], in_words(name, getattr(ruleset, name)), note, changed))
    return tuple(rules)


def in_words(name: str, value: StrEnum | bool | int) -> Message:
    """The rule `name` with this value, in words."""
    if isinstance(value, int) and not isinstance(value, bool):
        return Message("{number}", number=value)
    if isinstance(value, bool):
        yes, no = _YES_NO.get(name, (_YES, _NO))
        return yes if value else no
    return _WORDS[value]


def differences_table() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """One row per rule that differs: (label, each book's value in the order of `RULESETS`)."""
    books = [describe(book) for book in RULESETS.values()]
    rows = ((row[0].label, tuple(rule.value for rule in row)) for row in zip(*books, strict=True))
    return tuple((label, values) for label, values in rows if len(set(values)) > 1)
