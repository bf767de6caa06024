"""Every sentence the table says, in one place. Pure: names and numbers in, English out.

Each is a `Said`: English, and what it was made of, from which a page says it in another language. The messages are
plain literals, so that a test can find all of them. The story of a game is in `companion.table.story`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.engine import PACO, CallKind, LockedFace, Outcome, Ruleset
from companion.engine.said import ADie, Colour, Dice, Face, Faces, Names, Said
from companion.table import events

MOVING: Final = Said("Waiting for hands and cups to leave the table.")
READING: Final = Said("The table is still. Reading the dice.")
AGAIN: Final = Said("Two readings in a row were not the same. Reading the dice again.")
GIVEN_UP: Final = Said(
    "I could not see the dice lie still without hands and cups, and have stopped looking. "
    "Have me look again, or count by hand."
)
NO_CAMERA: Final = Said("There is no camera. Count the dice by hand.")
CAMERA_STARTS: Final = Said("The camera is starting.")
CAMERA_HANGS: Final = Said("The camera hangs: it was asked for a picture, and nothing came back.")
CAMERA_STUCK: Final = Said("The camera hangs and does not let go. Switch the box off and on again.")
MOVED: Final = Said(
    "The camera has been moved since it was calibrated. Calibrate it again, or go on and look closely at what is read."
)


def other_camera(profile: str) -> Said:
    """The profile in use cannot be of this camera."""
    return Said(
        "The profile {profile} is of another camera. Calibrate again, or choose another profile; "
        "until then the dice are read without one.",
        profile=profile,
    )


# What keeps a reading from being judged


def missing(player: str, colour: str, seen: int, have: int) -> Said:
    """Fewer dice of a player's colour than the player has."""
    if have == 1:
        return Said("I don't see {player}'s {colour} die.", player=player, colour=Colour(colour))
    if not seen:
        return Said("I see none of {player}'s {dice}.", player=player, dice=Dice(have, colour))
    return Said("I see {seen} of {player}'s {dice}.", seen=seen, player=player, dice=Dice(have, colour))


def extra(player: str, colour: str, seen: int, have: int) -> Said:
    """More dice of a player's colour than the player has."""
    if not have:
        return Said("I see {dice}, and {player} has none.", dice=Dice(seen, colour), player=player)
    return Said("I see {dice}, and {player} has {have}.", dice=Dice(seen, colour), player=player, have=have)


def foreign(colour: str, face: int) -> Said:
    """A die of a colour nobody plays."""
    return Said(
        "I see {die} ({face}), and nobody plays {colour}.", die=ADie(colour), face=Face(face), colour=Colour(colour)
    )


def uncertain(player: str | None, face: int) -> Said:
    """A die that could not be read surely."""
    if player is None:
        return Said("I can't read a die surely. Is it a {face}? Tap it.", face=Face(face))
    return Said("I can't read one of {player}'s dice surely. Is it a {face}? Tap it.", player=player, face=Face(face))


# What the table waits for


def waiting(sentences: Sequence[str], seen: int, have: int, covered: Sequence[str] = ()) -> Said:
    """Dice are missing, and may be under cups and hands still; `covered` are the players of whom none is seen."""
    if covered and seen:
        whose = Names(tuple(Said("{player}'s", player=name) for name in covered))
        return Said("I see none of {whose} dice: is there a cup over them still?", whose=whose)
    if len(sentences) == 1:
        return Said("{missing}; waiting for cups and hands.", missing=sentences[0])
    if not seen:
        return Said("I don't see any dice yet; waiting for cups and hands.")
    return Said("I see {seen} of {dice}; waiting for cups and hands.", seen=seen, dice=Dice(have))


def in_order(cups: Sequence[str], sentence: str) -> str:
    """The sentence, after the order in which cups are lifted where the ruleset has one."""
    if not cups:
        return sentence
    return Said.joined(Said("Lift the cups one after the other: {players}.", players=Names(tuple(cups))), sentence)


def camera_failed(reason: str) -> Said:
    """No frame could be had."""
    return Said.joined(reason, Said("I keep trying; the dice can be counted by hand."))


def reader_failed() -> Said:
    """The reading itself went wrong: a fault of the program."""
    return Said("Reading the dice went wrong (the log says how). I try again; the dice can be counted by hand.")


# What keeps the journal from being written

DISK_FULL: Final = Said("the disk is full")
DISK_READ_ONLY: Final = Said("the disk is read-only")
NOT_ALLOWED: Final = Said("this program may not write there")


def unwritten(reason: str) -> Said:
    """What happens now is in memory only."""
    return Said(
        "The journal cannot be written: {reason}. The game goes on and is kept in memory; "
        "it is lost if the box is switched off before that is mended.",
        reason=reason,
    )


def no_picture(reason: str) -> Said:
    """A judged picture was lost."""
    return Said("The judged picture could not be kept: {reason}. The game goes on without it.", reason=reason)


# Refusals


def not_away(player: str, *, plays: bool) -> Said:
    """Somebody is said to come back who cannot."""
    if plays:
        return Said("{player} is playing already.", player=player)
    return Said("{player} has given the game up, or has lost all dice, and cannot come back.", player=player)


def reserved(name: str) -> Said:
    """A player is to be called as a button is."""
    return Said("'{name}' is what a button is called: take another name.", name=name)


def no_name(name: str, longest: int) -> Said:
    """What cannot be a player's name."""
    return Said(
        "{name} is not a name for a player: one to {longest} letters, no space at its ends.",
        name=repr(name),
        longest=longest,
    )


def heard_first(player: str, call: str) -> Said:
    """A call of the same moment is the one that counts; `call` is "bid", "dudo" or "calza"."""
    if call == "bid":
        return Said("{player}'s bid came at the same moment, and is heard.", player=player)
    if call == "dudo":
        return Said("{player}'s dudo came at the same moment, and is heard.", player=player)
    return Said("{player}'s calza came at the same moment, and is heard.", player=player)


THE_PANEL: Final = Said("the panel")
THE_BOX: Final = Said("the box")
ANOTHER_PHONE: Final = Said("another phone")
STARTED_ANEW: Final = Said("The box was started anew. Look, and tap again if you still want to.")
MUCH_HAPPENED: Final = Said("Much has happened since. Look, and tap again if you still want to.")


def faster(who: str, what: Said) -> Said:
    """A tap was made on what was so before somebody else decided something; `what` is that, as `step` has it."""
    return Said("{who} was faster: {what}. Look, and tap again if you still want to.", who=who, what=what)


def bid(count: int, face: int) -> Said:
    """What its own player has bid."""
    return Said("{bid}", bid=Faces(count, face))


def taken_back(step: Said) -> Said:
    """A step was taken back."""
    return Said("{step}, taken back", step=step)


def done_again(step: Said) -> Said:
    """A step that was taken back was done again."""
    return Said("{step}, done again", step=step)


# What was done, to be taken back or done again


def step(done: Sequence[events.Event]) -> Said:
    """ "Ana's bid of 5 fours", "the press of DUDO", as it stands after "Undo"."""
    said = next((event for event in done if isinstance(event, events.DudoCalled | events.CalzaCalled)), None)
    if said is not None and _is_telling(done):
        return Said("what was told of {player}'s call", player=said.player)
    match done[0]:
        case events.GameOpened():
            return Said("the opening of the game")
        case events.BidMade(player, count, face):
            return Said("{player}'s bid of {bid}", player=player, bid=Faces(count, face))
        case events.CallAsked() | events.CountAsked("calza"):
            return Said("the press of CALZA")
        case events.CountAsked():
            return Said("the press of DUDO")
        case events.DudoCalled(player):
            return Said("{player}'s dudo", player=player)
        case events.CalzaCalled(player):
            return Said("{player}'s calza", player=player)
        case events.DieSet() | events.DieAdded() | events.DieStruck():
            return Said("the correction of a die")
        case events.ReadAgain():
            return Said("the reading")
        case events.CountedByHand():
            return Said("the count by hand")
        case events.RoundOpened():
            return Said("the step to the next round")
        case events.PlayerLeft(player, True):
            return Said("{player}'s giving up", player=player)
        case events.PlayerLeft(player):
            return Said("{player}'s leaving", player=player)
        case events.PlayerBack(player):
            return Said("{player}'s coming back", player=player)
        case events.Paused():
            return Said("the break")
        case events.Resumed():
            return Said("the end of the break")
        case events.GameEnded():
            return Said("the end of the game")
        case _:
            return Said("the last step")


def kind(done: Sequence[events.Event]) -> str:
    """What a step was, for programs: the event's word in the journal; "die" for any correction, "tell" for a call that
    was told after the count."""
    if _is_telling(done):
        return "tell"
    word, _ = events.to_json(done[0])
    return "die" if word.startswith("die-") else word


def _is_telling(done: Sequence[events.Event]) -> bool:
    """Whether a call was told after the count: bids that were not known yet, the call and the verdict in one."""
    called = any(isinstance(event, events.DudoCalled | events.CalzaCalled) for event in done)
    counted = any(isinstance(event, events.ReadingTaken | events.CountedByHand) for event in done)
    return called and not counted and isinstance(done[-1], events.Judged)


# The verdict


def tally(outcome: Outcome) -> Said:
    """What lies on the table for the bid."""
    face, faces = outcome.bid.face, Faces(outcome.faces, outcome.bid.face)
    if outcome.wild and face != PACO:
        pacos = Faces(outcome.pacos, PACO)
        if outcome.count == 0:
            return Said("There are {faces} and {pacos}.", faces=faces, pacos=pacos)
        if outcome.count == 1:
            return Said("{faces} and {pacos} makes {count}.", faces=faces, pacos=pacos, count=1)
        return Said("{faces} and {pacos} make {count}.", faces=faces, pacos=pacos, count=outcome.count)
    if face != PACO:
        if outcome.count == 1:
            return Said("There is {faces}; pacos do not count in a palifico round.", faces=faces)
        return Said("There are {faces}; pacos do not count in a palifico round.", faces=faces)
    return Said("There is {faces}.", faces=faces) if outcome.count == 1 else Said("There are {faces}.", faces=faces)


def verdict(outcome: Outcome, opener: str | None, palifico: str | None, winner: str | None) -> Said:
    """The verdict as it is read out: the tally, whether the bid held, who pays, who opens."""
    said = [tally(outcome), held(outcome), *_what_follows(outcome, opener, winner)]
    if palifico is not None and winner is None:
        said.append(Said("{player} is down to one die: the next round is palifico.", player=palifico))
    return Said.joined(*said)


def held(outcome: Outcome) -> Said:
    """Whether the bid was as the caller said."""
    bid = Faces(outcome.bid.count, outcome.bid.face)
    if outcome.call is CallKind.DUDO:
        if outcome.correct:
            return Said("The bid was {bid}: it does not hold.", bid=bid)
        return Said("The bid was {bid}: it holds.", bid=bid)
    if outcome.correct:
        return Said("The bid was {bid}: that is exact.", bid=bid)
    return Said("The bid was {bid}: that is not exact.", bid=bid)


def _what_follows(outcome: Outcome, opener: str | None, winner: str | None) -> tuple[Said, ...]:
    """What becomes of whose dice, and who opens: who pays or takes back does, unless that was the last die."""
    if outcome.eliminated is not None:
        out = Said("{player} loses the last die and is out.", player=outcome.eliminated)
        if winner is not None:
            return out, Said("{player} has won the game.", player=winner)
        return out, Said("{player} opens the next round.", player=opener or "")
    if outcome.loses is not None:
        return (Said("{player} loses a die and opens the next round.", player=outcome.loses),)
    if outcome.gains is not None:
        return (Said("{player} takes back a die and opens the next round.", player=outcome.gains),)
    return (Said("{player} has all five dice already and opens the next round.", player=outcome.caller),)


def palifico(ruleset: Ruleset) -> Said:
    """What the next round being palifico means."""
    if ruleset.locked_face_changed_by is LockedFace.NOBODY:
        return Said("Pacos are not wild in it, and nobody changes the face of the first bid.")
    return Said("Pacos are not wild in it, and only others with one die may change the face of the first bid.")
