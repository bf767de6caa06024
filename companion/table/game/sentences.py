"""The table's longer messages, and those used in several places. Pure.

The msgids are literals, so that a test can find them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.engine import PACO, CallKind, LockedFace, Outcome, Ruleset
from companion.messages.message import ADie, Colour, Dice, Face, Faces, Message, Names

MOVING: Final = Message("Waiting for hands and cups to leave the table.")
KEEPS_MOVING: Final = Message("Something keeps moving here.")
READING: Final = Message("The table is still. Reading the dice.")
AGAIN: Final = Message("I'm not sure yet. Taking another look.")
GIVEN_UP: Final = Message("I could not see the dice lie still. Look again, or count by hand.")
NO_CAMERA: Final = Message("There is no camera. Count the dice by hand.")
CAMERA_STARTS: Final = Message("The camera is starting.")
NO_COLOUR: Final = Message("The picture has no colours. Switch off the camera's night vision, or turn on more light.")
CAMERA_HANGS: Final = Message("The camera has frozen: it sends no picture.")
CAMERA_STUCK: Final = Message("The camera has frozen. Switch the box off and on again.")
MOVED: Final = Message("The camera was moved after its calibration. Calibrate it again, or check closely what is read.")


# Photographs from phones

PHOTO_READ: Final = Message("The picture has arrived. Reading the dice.")
PHOTO_UNREADABLE: Final = Message("The box cannot read this picture. Take another one.")
PHOTO_HEIC: Final = Message(
    "The box cannot read HEIC pictures. Take the picture on this page, or set the phone's camera to JPEG."
)
PHOTO_DARK: Final = Message("The picture is too dark. Switch on a light, and take another one.")
PHOTO_BARE: Final = Message("I see no dice in the picture. Take another one, from above, with all the dice in it.")
POOR_PICTURES: Final = Message("I cannot read dice in the camera's pictures.")
PHOTO_SMALL: Final = Message("The dice are too small in the picture. Go nearer, or take several pictures.")
PHOTO_BLURRED: Final = Message("The picture is blurred. Hold the phone still, and take another one.")
PHOTO_CUT: Final = Message("A die is cut off at the edge. Take another picture with all the dice in it.")
PHOTO_OTHER: Final = Message(
    "The picture does not show the dice in play. Take another one, from above, with all the dice in it."
)
PHOTOS_APART: Final = Message("The pictures do not fit together. Each must show a good part of another one.")

SOME_MISSING: Final = Message("I don't see all the dice yet; waiting for cups and hands.")
ASKING: Final = Message("A button was pressed: first say who called, or undo it.")


# Problems of a reading

UNSEEN: Final = Message("I did not see the table before the cups went up: are lost dice among them?")


def missing(player: str, colour: str, seen: int, have: int) -> Message:
    if have == 1:
        return Message("I don't see {player}'s {colour} die.", player=player, colour=Colour(colour))
    if not seen:
        return Message("I see none of {player}'s {dice}.", player=player, dice=Dice(have, colour))
    return Message("I see {seen} of {player}'s {dice}.", seen=seen, player=player, dice=Dice(have, colour))


def extra(player: str, colour: str, seen: int, have: int) -> Message:
    if not have:
        return Message("I see {dice}, and {player} has none.", dice=Dice(seen, colour), player=player)
    return Message("I see {dice}, and {player} has {have}.", dice=Dice(seen, colour), player=player, have=have)


def foreign(colour: str, face: int) -> Message:
    return Message(
        "I see {die} ({face}), and nobody plays {colour}.", die=ADie(colour), face=Face(face), colour=Colour(colour)
    )


def uncertain(player: str | None, face: int) -> Message:
    if player is None:
        return Message("I'm not sure about one die. Is it a {face}? Tap it.", face=Face(face))
    return Message("I'm not sure about one of {player}'s dice. Is it a {face}? Tap it.", player=player, face=Face(face))


# Waiting


def waiting(sentences: Sequence[str], seen: int, have: int, covered: Sequence[str] = ()) -> Message:
    """Dice are missing, perhaps under cups or hands. No dice of the players in `covered` are visible."""
    if covered and seen:
        whose = Names(tuple(Message("{player}'s", player=name) for name in covered))
        return Message("I see none of {whose} dice: are they still under a cup?", whose=whose)
    if len(sentences) == 1:
        return Message("{missing}; waiting for cups and hands.", missing=sentences[0])
    if not seen:
        return Message("I don't see any dice yet; waiting for cups and hands.")
    return Message("I see {seen} of {dice}; waiting for cups and hands.", seen=seen, dice=Dice(have))


def camera_failed(reason: str) -> Message:
    return Message.sequence(reason, Message("I keep trying; you can also count by hand."))


# Failures of the journal

DISK_FULL: Final = Message("the disk is full")
DISK_READ_ONLY: Final = Message("the disk is read-only")
NOT_ALLOWED: Final = Message("this program may not write there")


def unwritten(reason: str) -> Message:
    """The journal cannot be written, so the game is only in memory."""
    return Message(
        "The journal cannot be written: {reason}. The game goes on in memory; it is lost if the box is switched off "
        "before that is fixed.",
        reason=reason,
    )


REPAIRED: Final = Message(
    "Part of the journal could not be read. The damaged file was set aside; all readable games are there, and a new "
    "one can begin."
)
"""Shown after a start."""


# Refusals


MISCOUNTED: Final = Message(
    "Three counts by hand did not fit the dice in play. Now only the host's phone counts by hand in this round."
)


def break_again(seconds: int) -> Message:
    return Message("A break has only just ended. In {seconds} s there can be another.", seconds=seconds)


def miscount(who: str) -> Message:
    return Message("{who} counted by hand, but somebody has another number of dice.", who=who)


def other_call_stands(player: str, call: str) -> Message:
    """Another call at the same moment stands; `call` is "bid", "dudo" or "calza"."""
    if call == "bid":
        return Message("{player}'s bid came at the same moment, and is heard.", player=player)
    if call == "dudo":
        return Message("{player}'s dudo came at the same moment, and is heard.", player=player)
    return Message("{player}'s calza came at the same moment, and is heard.", player=player)


# The verdict


def tally(outcome: Outcome, ruleset: Ruleset) -> Message:
    """How many dice match the bid."""
    if outcome.uncertain == 1:
        return Message(
            "One die is unclear: the count is {least} or {most}, and the verdict the same.",
            least=outcome.least,
            most=outcome.most,
        )
    if outcome.uncertain:
        return Message(
            "{uncertain} dice are unclear: the count is {least} to {most}, and the verdict the same.",
            uncertain=outcome.uncertain,
            least=outcome.least,
            most=outcome.most,
        )
    face, faces = outcome.bid.face, Faces(outcome.faces, outcome.bid.face)
    if outcome.wild and face != PACO:
        pacos = Faces(outcome.pacos, PACO)
        if outcome.count == 0:
            return Message("There are {faces} and {pacos}.", faces=faces, pacos=pacos)
        if outcome.count == 1:
            return Message("{faces} and {pacos} makes {count}.", faces=faces, pacos=pacos, count=1)
        return Message("{faces} and {pacos} make {count}.", faces=faces, pacos=pacos, count=outcome.count)
    if face != PACO and ruleset.pacos_wild:
        if not ruleset.opened_on_pacos_wild:  # it may have been opened on pacos
            return Message("{faces}; pacos do not count in this round.", faces=faces)
        if outcome.count == 1:
            return Message("There is {faces}; pacos do not count in a palifico round.", faces=faces)
        return Message("There are {faces}; pacos do not count in a palifico round.", faces=faces)
    return (
        Message("There is {faces}.", faces=faces) if outcome.count == 1 else Message("There are {faces}.", faces=faces)
    )


def verdict(
    outcome: Outcome, ruleset: Ruleset, opener: str | None, palifico: str | None, winner: str | None
) -> Message:
    """The verdict as it is read aloud: the tally, whether the bid held, who loses a die, who opens."""
    parts = [tally(outcome, ruleset), bid_verdict(outcome), *_consequences(outcome, opener, winner)]
    if palifico is not None and winner is None:
        parts.append(Message("{player} is down to one die: the next round is palifico.", player=palifico))
    return Message.sequence(*parts)


def bid_verdict(outcome: Outcome) -> Message:
    """The sentence that says whether the bid held or was exact."""
    bid = Faces(outcome.bid.count, outcome.bid.face)
    if outcome.call is CallKind.DUDO:
        if outcome.correct:
            return Message("The bid was {bid}: that is wrong.", bid=bid)
        return Message("The bid was {bid}: that is right.", bid=bid)
    if outcome.correct:
        return Message("The bid was {bid}: that is exact.", bid=bid)
    return Message("The bid was {bid}: that is not exact.", bid=bid)


def _consequences(outcome: Outcome, opener: str | None, winner: str | None) -> tuple[Message, ...]:
    if outcome.eliminated is not None:
        out = Message("{player} loses the last die and is out.", player=outcome.eliminated)
        if outcome.lost > 1:
            out = Message("{player} loses {dice} and is out.", player=outcome.eliminated, dice=Dice(outcome.lost))
        if winner is not None:
            return out, Message("{player} has won the game.", player=winner)
        return out, Message("{player} opens the next round.", player=opener or "")
    if outcome.loses is not None and opener != outcome.loses:
        loss = Message("{player} loses {dice}.", player=outcome.loses, dice=Dice(outcome.lost))
        return loss, Message("{player} opens the next round.", player=opener or "")
    if outcome.loses is not None and outcome.lost > 1:
        dice = Dice(outcome.lost)
        return (Message("{player} loses {dice} and opens the next round.", player=outcome.loses, dice=dice),)
    if outcome.loses is not None:
        return (Message("{player} loses a die and opens the next round.", player=outcome.loses),)
    if outcome.gains is not None:
        return (Message("{player} takes back a die and opens the next round.", player=outcome.gains),)
    return (Message("{player} has not lost a die and opens the next round.", player=outcome.caller),)


def palifico(ruleset: Ruleset) -> Message:
    if ruleset.locked_face_changed_by is LockedFace.NOBODY:
        return Message("Pacos are not wild in it, and nobody changes the face of the first bid.")
    return Message("Pacos are not wild in it, and only others with one die may change the face of the first bid.")
