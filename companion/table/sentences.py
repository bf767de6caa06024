"""Every sentence the table says, in one place. Pure: names and numbers in, English out.

Little else in `companion.table` puts words together for players: another language needs this module's like.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine import PACO, CallKind, LockedFace, Outcome, Ruleset
from companion.engine.words import face_name
from companion.table import events

MOVING = "Waiting for hands and cups to leave the table."
READING = "The table is still. Reading the dice."
AGAIN = "Two readings in a row were not the same. Reading the dice again."
GIVEN_UP = (
    "I could not see the dice lie still without hands and cups, and have stopped looking. "
    "Have me look again, or count by hand."
)
NO_CAMERA = "There is no camera. Count the dice by hand."


def a(word: str) -> str:
    """The word with the article before it."""
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def dice(count: int, colour: str = "") -> str:
    """ "1 red die", "4 red dice"."""
    words = [str(count), colour, "die" if count == 1 else "dice"]
    return " ".join(word for word in words if word)


def faces(count: int, face: int) -> str:
    """ "no fours", "1 paco", "5 sixes"."""
    said = str(count or "no") if count <= 1_000_000 else "over a million"  # Python refuses to print some numbers
    return f"{said} {face_name(face, count)}"


def listed(names: Sequence[str], last: str = "and") -> str:
    """ "Ana", "Ana and Ben", "Ana, Ben and Cid"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


# What keeps a reading from being judged


def missing(player: str, colour: str, seen: int, have: int) -> str:
    """Fewer dice of a player's colour than the player has."""
    if have == 1:
        return f"I don't see {player}'s {colour} die."
    return f"I see {seen or 'none'} of {player}'s {dice(have, colour)}."


def extra(player: str, colour: str, seen: int, have: int) -> str:
    """More dice of a player's colour than the player has."""
    return f"I see {dice(seen, colour)}, and {player} has {have or 'none'}."


def foreign(colour: str, face: int) -> str:
    """A die of a colour nobody plays."""
    return f"I see {a(colour)} die ({face_name(face, 1)}), and nobody plays {colour}."


def uncertain(player: str | None, face: int) -> str:
    """A die that could not be read surely."""
    whose = f"one of {player}'s dice" if player else "a die"
    return f"I can't read {whose} surely. Is it {a(face_name(face, 1))}? Tap it."


# What the table waits for


def waiting(sentences: Sequence[str], seen: int, have: int, covered: Sequence[str] = ()) -> str:
    """Dice are missing, and may be under cups and hands still; `covered` are the players of whom none is seen."""
    if covered and seen:
        whose = listed([f"{name}'s" for name in covered])
        return f"I see none of {whose} dice: is there a cup over them still?"
    if len(sentences) == 1:
        return f"{sentences[0].removesuffix('.')}; waiting for cups and hands."
    if not seen:
        return "I don't see any dice yet; waiting for cups and hands."
    return f"I see {seen} of {dice(have)}; waiting for cups and hands."


def in_order(cups: Sequence[str], sentence: str) -> str:
    """The sentence, after the order in which cups are lifted where the ruleset has one."""
    return f"Lift the cups one after the other: {listed(cups)}. {sentence}" if cups else sentence


def camera_failed(reason: str) -> str:
    """No frame could be had."""
    return f"{reason} I keep trying; the dice can be counted by hand."


def reader_failed() -> str:
    """The reading itself went wrong: a fault of the program."""
    return "Reading the dice went wrong (the log says how). I try again; the dice can be counted by hand."


# What keeps the journal from being written

DISK_FULL = "the disk is full"
DISK_READ_ONLY = "the disk is read-only"
NOT_ALLOWED = "this program may not write there"


def unwritten(reason: str) -> str:
    """What happens now is in memory only."""
    return (
        f"The journal cannot be written: {reason}. The game goes on and is kept in memory; "
        "it is lost if the box is switched off before that is mended."
    )


def no_picture(reason: str) -> str:
    """A judged picture was lost."""
    return f"The judged picture could not be kept: {reason}. The game goes on without it."


# Refusals


def not_away(player: str, *, plays: bool) -> str:
    """Somebody is said to come back who cannot."""
    if plays:
        return f"{player} is playing already."
    return f"{player} has given the game up, or has lost all dice, and cannot come back."


def wrong_phase(wanted: str) -> str:
    """What was asked for has no place now."""
    return f"That can't be done now: {wanted}."


# What was done, to be taken back or done again


def step(done: Sequence[events.Event]) -> str:
    """ "Ana's bid of 5 fours", "the press of DUDO", as it stands after "Undo"."""
    said = next((event for event in done if isinstance(event, events.DudoCalled | events.CalzaCalled)), None)
    if said is not None and isinstance(done[-1], events.Judged) and isinstance(done[0], events.BidMade):
        return f"what was told of {said.player}'s call"
    match done[0]:
        case events.GameOpened():
            return "the opening of the game"
        case events.BidMade(player, count, face):
            return f"{player}'s bid of {faces(count, face)}"
        case events.CallAsked():
            return "the press of CALZA"
        case events.CountAsked(call):
            return f"the press of {call.upper()}"
        case events.DudoCalled(player):
            return f"{player}'s dudo"
        case events.CalzaCalled(player):
            return f"{player}'s calza"
        case events.DieSet() | events.DieAdded() | events.DieStruck():
            return "the correction of a die"
        case events.ReadAgain():
            return "the reading"
        case events.CountedByHand():
            return "the count by hand"
        case events.RoundOpened():
            return "the step to the next round"
        case events.PlayerLeft(player, conceded):
            return f"{player}'s {'giving up' if conceded else 'leaving'}"
        case events.PlayerBack(player):
            return f"{player}'s coming back"
        case events.Paused():
            return "the break"
        case events.Resumed():
            return "the end of the break"
        case events.GameEnded():
            return "the end of the game"
        case _:
            return "the last step"


# The verdict


def tally(outcome: Outcome) -> str:
    """What lies on the table for the bid."""
    bid = outcome.bid
    if outcome.wild and bid.face != PACO:
        both = f"{faces(outcome.faces, bid.face)} and {faces(outcome.pacos, PACO)}"
        if outcome.count == 0:
            return f"There are {both}."
        verb = "makes" if outcome.faces + outcome.pacos == 1 else "make"
        return f"{both[0].upper()}{both[1:]} {verb} {outcome.count}."
    verb = "is" if outcome.count == 1 else "are"
    plain = "; pacos do not count in a palifico round" if bid.face != PACO else ""
    return f"There {verb} {faces(outcome.count, bid.face)}{plain}."


def verdict(outcome: Outcome, opener: str | None, palifico: str | None, winner: str | None) -> str:
    """The verdict as it is read out: the tally, whether the bid held, who pays, who opens."""
    bid = outcome.bid
    if outcome.call is CallKind.DUDO:
        held = "it does not hold" if outcome.correct else "it holds"
    else:
        held = "that is exact" if outcome.correct else "that is not exact"
    said = [tally(outcome), f"The bid was {faces(bid.count, bid.face)}: {held}."]
    subject, deed = consequence(outcome)
    if winner is not None:
        return " ".join([*said, f"{subject} {deed}.", f"{winner} has won the game."])
    if subject == opener:
        said.append(f"{subject} {deed} and opens the next round.")
    else:
        said += [f"{subject} {deed}.", f"{opener} opens the next round."]
    if palifico is not None:
        said.append(f"{palifico} is down to one die: the next round is palifico.")
    return " ".join(said)


def palifico(ruleset: Ruleset) -> str:
    """What the next round being palifico means."""
    if ruleset.locked_face_changed_by is LockedFace.NOBODY:
        return "Pacos are not wild in it, and nobody changes the face of the first bid."
    return "Pacos are not wild in it, and only others with one die may change the face of the first bid."


def consequence(outcome: Outcome) -> tuple[str, str]:
    """Who is concerned, and what becomes of their dice."""
    if outcome.eliminated is not None:
        return outcome.eliminated, "loses the last die and is out"
    if outcome.loses is not None:
        return outcome.loses, "loses a die"
    if outcome.gains is not None:
        return outcome.gains, "takes back a die"
    return outcome.caller, "has all five dice already"
