"""The names of steps, for people and for programs. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from companion.messages.message import ADie, Colour, Face, Faces, Message
from companion.table.game import events
from companion.table.game.table_reading import TableReading


def step_name(step: Sequence[events.Event], before: TableReading | None = None) -> Message:
    """The name of a step in the words that follow "Undo": "Ana's bid of 5 fours", "the press of DUDO".

    `before`, the reading that the step corrected, identifies the corrected die.
    """
    call = next((event for event in step if isinstance(event, events.DudoCalled | events.CalzaCalled)), None)
    if call is not None and tells_call(step):
        return Message("the details of {player}'s call", player=call.player)
    match step[0]:
        case events.GameOpened():
            return Message("the opening of the game")
        case events.BidMade(player, count, face, accepted=True):
            return Message("{player}'s bid of {bid} that was let pass", player=player, bid=Faces(count, face))
        case events.BidMade(player, count, face):
            return Message("{player}'s bid of {bid}", player=player, bid=Faces(count, face))
        case events.CallerAsked(_, "calza") | events.CountAsked("calza"):
            return Message("the press of CALZA")
        case events.CallerAsked() | events.CountAsked():
            return Message("the press of DUDO")
        case events.DudoCalled(player):
            return Message("{player}'s dudo", player=player)
        case events.CalzaCalled(player):
            return Message("{player}'s calza", player=player)
        case events.DieSet() | events.DieStruck() as correction:
            return _correction(correction, before)
        case events.DieAdded(face, colour):
            return Message("the adding of {die}: {face}", die=ADie(colour), face=Face(face))
        case events.ReadingAsked():
            return Message("the reading")
        case events.CountedByHand():
            return Message("the count by hand")
        case events.RoundOpened():
            return Message("the step to the next round")
        case events.GameLeft(player, True):
            return Message("{player}'s giving up", player=player)
        case events.GameLeft(player):
            return Message("{player}'s leaving", player=player)
        case events.CameBack(player):
            return Message("{player}'s coming back", player=player)
        case events.RoundVoided():
            return Message("the voiding of the round")
        case events.PlayerDiceSet(player):
            return Message("the change of {player}'s dice", player=player)
        case events.NewcomerSeated(player):
            return Message("{player}'s joining", player=player)
        case events.Paused():
            return Message("the break")
        case events.Resumed():
            return Message("the end of the break")
        case events.GameEnded():
            return Message("the end of the game")
        case _:
            return Message("the last step")


def _correction(event: events.DieSet | events.DieStruck, before: TableReading | None) -> Message:
    die = None if before is None else next((die for die in before.dice if die.id == event.die), None)
    if die is None:
        return Message("the correction of a die")
    one, was = ADie(die.colour), Face(die.face)
    match event:
        case events.DieStruck():
            return Message("the removal of {die}: {was}", die=one, was=was)
        case events.DieSet(_, _, str(colour)) if colour != die.colour:
            return Message("the correction of {die}: it is {colour}", die=one, colour=Colour(colour))
        case events.DieSet(_, int(face)) if face != die.face:
            return Message("the correction of {die}: {face}, not {was}", die=one, face=Face(face), was=was)
        case _:
            return Message("the confirmation of {die}: {was}", die=one, was=was)


def step_kind(step: Sequence[events.Event]) -> str:
    """The kind of a step: its first event's kind, "die" for any correction of a die, or "tell" for a call entered after
    the count."""
    if tells_call(step):
        return "tell"
    kind = step[0].kind
    return "die" if kind.startswith("die-") else kind


def tells_call(step: Sequence[events.Event]) -> bool:
    """True if the step is a call entered after the count: the missing bids, the call and the verdict."""
    called = any(isinstance(event, events.DudoCalled | events.CalzaCalled) for event in step)
    counted = any(isinstance(event, events.ReadingTaken | events.CountedByHand) for event in step)
    return called and not counted and isinstance(step[-1], events.Judged)
