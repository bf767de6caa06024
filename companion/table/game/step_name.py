"""What a step is called, for people and for programs. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from companion.messages.message import Faces, Message
from companion.table.game import events


def step_name(done: Sequence[events.Event]) -> Message:
    """ "Ana's bid of 5 fours", "the press of DUDO", as it stands after "Undo"."""
    said = next((event for event in done if isinstance(event, events.DudoCalled | events.CalzaCalled)), None)
    if said is not None and _is_telling(done):
        return Message("what was told of {player}'s call", player=said.player)
    match done[0]:
        case events.GameOpened():
            return Message("the opening of the game")
        case events.BidMade(player, count, face):
            return Message("{player}'s bid of {bid}", player=player, bid=Faces(count, face))
        case events.CallerAsked() | events.CountAsked("calza"):
            return Message("the press of CALZA")
        case events.CountAsked():
            return Message("the press of DUDO")
        case events.DudoCalled(player):
            return Message("{player}'s dudo", player=player)
        case events.CalzaCalled(player):
            return Message("{player}'s calza", player=player)
        case events.DieSet() | events.DieAdded() | events.DieStruck():
            return Message("the correction of a die")
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
        case events.Paused():
            return Message("the break")
        case events.Resumed():
            return Message("the end of the break")
        case events.GameEnded():
            return Message("the end of the game")
        case _:
            return Message("the last step")


def step_kind(done: Sequence[events.Event]) -> str:
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
