"""Every sentence the table says, in one place. Pure: names and numbers in, English out.

Each is a `Message`: English, and what it was made of, from which a page says it in another language. The messages are
plain literals, so that a test can find all of them. The story of a game is in `companion.table.past.story`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.engine import PACO, CallKind, LockedFace, Outcome, Ruleset
from companion.messages.message import ADie, Colour, Dice, Face, Faces, Message, Names

MOVING: Final = Message("Waiting for hands and cups to leave the table.")
READING: Final = Message("The table is still. Reading the dice.")
AGAIN: Final = Message("Two readings in a row were not the same. Reading the dice again.")
GIVEN_UP: Final = Message(
    "I could not see the dice lie still without hands and cups, and have stopped looking. "
    "Have me look again, or count by hand."
)
NO_CAMERA: Final = Message("There is no camera. Count the dice by hand.")
CAMERA_STARTS: Final = Message("The camera is starting.")
CAMERA_HANGS: Final = Message("The camera hangs: it was asked for a picture, and nothing came back.")
CAMERA_STUCK: Final = Message("The camera hangs and does not let go. Switch the box off and on again.")
MOVED: Final = Message(
    "The camera has been moved since it was calibrated. Calibrate it again, or go on and look closely at what is read."
)


def other_camera(profile: str) -> Message:
    """The profile in use cannot be of this camera."""
    return Message(
        "The profile {profile} is of another camera. Calibrate again, or choose another profile; "
        "until then the dice are read without one.",
        profile=profile,
    )


# What keeps a reading from being judged


def missing(player: str, colour: str, seen: int, have: int) -> Message:
    """Fewer dice of a player's colour than the player has."""
    if have == 1:
        return Message("I don't see {player}'s {colour} die.", player=player, colour=Colour(colour))
    if not seen:
        return Message("I see none of {player}'s {dice}.", player=player, dice=Dice(have, colour))
    return Message("I see {seen} of {player}'s {dice}.", seen=seen, player=player, dice=Dice(have, colour))


def extra(player: str, colour: str, seen: int, have: int) -> Message:
    """More dice of a player's colour than the player has."""
    if not have:
        return Message("I see {dice}, and {player} has none.", dice=Dice(seen, colour), player=player)
    return Message("I see {dice}, and {player} has {have}.", dice=Dice(seen, colour), player=player, have=have)


def foreign(colour: str, face: int) -> Message:
    """A die of a colour nobody plays."""
    return Message(
        "I see {die} ({face}), and nobody plays {colour}.", die=ADie(colour), face=Face(face), colour=Colour(colour)
    )


def uncertain(player: str | None, face: int) -> Message:
    """A die that could not be read surely."""
    if player is None:
        return Message("I can't read a die surely. Is it a {face}? Tap it.", face=Face(face))
    return Message(
        "I can't read one of {player}'s dice surely. Is it a {face}? Tap it.", player=player, face=Face(face)
    )


# What the table waits for


def waiting(sentences: Sequence[str], seen: int, have: int, covered: Sequence[str] = ()) -> Message:
    """Dice are missing, and may be under cups and hands still; `covered` are the players of whom none is seen."""
    if covered and seen:
        whose = Names(tuple(Message("{player}'s", player=name) for name in covered))
        return Message("I see none of {whose} dice: is there a cup over them still?", whose=whose)
    if len(sentences) == 1:
        return Message("{missing}; waiting for cups and hands.", missing=sentences[0])
    if not seen:
        return Message("I don't see any dice yet; waiting for cups and hands.")
    return Message("I see {seen} of {dice}; waiting for cups and hands.", seen=seen, dice=Dice(have))


def in_order(cups: Sequence[str], sentence: str) -> str:
    """The sentence, after the order in which cups are lifted where the ruleset has one."""
    if not cups:
        return sentence
    return Message.joined(
        Message("Lift the cups one after the other: {players}.", players=Names(tuple(cups))), sentence
    )


def camera_failed(reason: str) -> Message:
    """No frame could be had."""
    return Message.joined(reason, Message("I keep trying; the dice can be counted by hand."))


def reader_failed() -> Message:
    """The reading itself went wrong: a fault of the program."""
    return Message("Reading the dice went wrong (the log says how). I try again; the dice can be counted by hand.")


# What keeps the journal from being written

DISK_FULL: Final = Message("the disk is full")
DISK_READ_ONLY: Final = Message("the disk is read-only")
NOT_ALLOWED: Final = Message("this program may not write there")


def unwritten(reason: str) -> Message:
    """What happens now is in memory only."""
    return Message(
        "The journal cannot be written: {reason}. The game goes on and is kept in memory; "
        "it is lost if the box is switched off before that is mended.",
        reason=reason,
    )


def no_picture(reason: str) -> Message:
    """A judged picture was lost."""
    return Message("The judged picture could not be kept: {reason}. The game goes on without it.", reason=reason)


# Refusals


def not_away(player: str, *, plays: bool) -> Message:
    """Somebody is said to come back who cannot."""
    if plays:
        return Message("{player} is playing already.", player=player)
    return Message("{player} has given the game up, or has lost all dice, and cannot come back.", player=player)


def reserved(name: str) -> Message:
    """A player is to be called as a button is."""
    return Message("'{name}' is what a button is called: take another name.", name=name)


def no_name(name: str, longest: int) -> Message:
    """What cannot be a player's name."""
    return Message(
        "{name} is not a name for a player: one to {longest} letters, no space at its ends.",
        name=repr(name),
        longest=longest,
    )


def heard_first(player: str, call: str) -> Message:
    """A call of the same moment is the one that counts; `call` is "bid", "dudo" or "calza"."""
    if call == "bid":
        return Message("{player}'s bid came at the same moment, and is heard.", player=player)
    if call == "dudo":
        return Message("{player}'s dudo came at the same moment, and is heard.", player=player)
    return Message("{player}'s calza came at the same moment, and is heard.", player=player)


THE_PANEL: Final = Message("the panel")
THE_BOX: Final = Message("the box")
ANOTHER_PHONE: Final = Message("another phone")
STARTED_ANEW: Final = Message("The box was started anew. Look, and tap again if you still want to.")
MUCH_HAPPENED: Final = Message("Much has happened since. Look, and tap again if you still want to.")


def faster(who: str, what: Message) -> Message:
    """A tap was made on what was so before somebody else decided something; `what` is that, as `step` has it."""
    return Message("{who} was faster: {what}. Look, and tap again if you still want to.", who=who, what=what)


def bid(count: int, face: int) -> Message:
    """What its own player has bid."""
    return Message("{bid}", bid=Faces(count, face))


def taken_back(step: Message) -> Message:
    """A step was taken back."""
    return Message("{step}, taken back", step=step)


def done_again(step: Message) -> Message:
    """A step that was taken back was done again."""
    return Message("{step}, done again", step=step)


# The verdict


def tally(outcome: Outcome) -> Message:
    """What lies on the table for the bid."""
    face, faces = outcome.bid.face, Faces(outcome.faces, outcome.bid.face)
    if outcome.wild and face != PACO:
        pacos = Faces(outcome.pacos, PACO)
        if outcome.count == 0:
            return Message("There are {faces} and {pacos}.", faces=faces, pacos=pacos)
        if outcome.count == 1:
            return Message("{faces} and {pacos} makes {count}.", faces=faces, pacos=pacos, count=1)
        return Message("{faces} and {pacos} make {count}.", faces=faces, pacos=pacos, count=outcome.count)
    if face != PACO:
        if outcome.count == 1:
            return Message("There is {faces}; pacos do not count in a palifico round.", faces=faces)
        return Message("There are {faces}; pacos do not count in a palifico round.", faces=faces)
    return (
        Message("There is {faces}.", faces=faces) if outcome.count == 1 else Message("There are {faces}.", faces=faces)
    )


def verdict(outcome: Outcome, opener: str | None, palifico: str | None, winner: str | None) -> Message:
    """The verdict as it is read out: the tally, whether the bid held, who pays, who opens."""
    said = [tally(outcome), held(outcome), *_what_follows(outcome, opener, winner)]
    if palifico is not None and winner is None:
        said.append(Message("{player} is down to one die: the next round is palifico.", player=palifico))
    return Message.joined(*said)


def held(outcome: Outcome) -> Message:
    """Whether the bid was as the caller said."""
    bid = Faces(outcome.bid.count, outcome.bid.face)
    if outcome.call is CallKind.DUDO:
        if outcome.correct:
            return Message("The bid was {bid}: it does not hold.", bid=bid)
        return Message("The bid was {bid}: it holds.", bid=bid)
    if outcome.correct:
        return Message("The bid was {bid}: that is exact.", bid=bid)
    return Message("The bid was {bid}: that is not exact.", bid=bid)


def _what_follows(outcome: Outcome, opener: str | None, winner: str | None) -> tuple[Message, ...]:
    """What becomes of whose dice, and who opens: who pays or takes back does, unless that was the last die."""
    if outcome.eliminated is not None:
        out = Message("{player} loses the last die and is out.", player=outcome.eliminated)
        if winner is not None:
            return out, Message("{player} has won the game.", player=winner)
        return out, Message("{player} opens the next round.", player=opener or "")
    if outcome.loses is not None:
        return (Message("{player} loses a die and opens the next round.", player=outcome.loses),)
    if outcome.gains is not None:
        return (Message("{player} takes back a die and opens the next round.", player=outcome.gains),)
    return (Message("{player} has all five dice already and opens the next round.", player=outcome.caller),)


def palifico(ruleset: Ruleset) -> Message:
    """What the next round being palifico means."""
    if ruleset.locked_face_changed_by is LockedFace.NOBODY:
        return Message("Pacos are not wild in it, and nobody changes the face of the first bid.")
    return Message("Pacos are not wild in it, and only others with one die may change the face of the first bid.")
