"""Describes corrections: who changed what, and the consequences. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Final

import msgspec

from companion import engine
from companion.messages.message import Colour, Dice, Face, Message
from companion.table.commands import PANEL, SOMEBODY, TABLET, Actor
from companion.table.game import events
from companion.table.game.events import Events
from companion.table.game.history import History, Step, begins_round
from companion.table.game.step_name import step_name, tells_call
from companion.table.game.table_position import TablePosition

_WHERE: Final = {
    str(SOMEBODY.name): Message("on a phone"),
    str(TABLET): Message("on the tablet"),
    str(PANEL.name): Message("at the panel"),
}
"""The name of an actor who is not a player -> where the correction was made."""


def signed(step: Events, by: Actor) -> Events:
    """The events; corrections among them name the actor."""
    told = tells_call(step)
    return tuple(
        msgspec.structs.replace(event, by=str(by.name))
        if isinstance(event, events.Correction) or (told and isinstance(event, events.DudoCalled | events.CalzaCalled))
        else event
        for event in step
    )


def corrections(history: History) -> Iterator[tuple[Step, Message]]:
    """The corrections of the current or just judged round, oldest first, each with its consequences."""
    steps = _steps_of_round(history)
    verdict = None
    for n, step in enumerate(steps):
        after = steps[n + 1].before if n + 1 < len(steps) else history.position
        if (sentence := correction(step.events, step.before)) is not None:
            yield step, Message.sequence(sentence, turned(verdict, after.verdict))
        verdict = after.verdict or verdict


def _steps_of_round(history: History) -> list[Step]:
    """The steps since the round was opened or reopened, oldest first."""
    steps: deque[Step] = deque()
    step = history.last
    while step is not None and step.before.games == history.position.games:
        before = None if step.earlier is None else step.earlier.events[-1]
        begins = [begins_round(*pair) for pair in zip(step.events, (before, *step.events), strict=False)]
        if any(begins[1:]):  # the roll that a correction decided
            break
        steps.appendleft(step)
        if begins[0]:
            break
        step = step.earlier
    return list(steps)


def correction(step: Events, before: TablePosition) -> Message | None:
    """The steps since the round was opened or reopened, oldest first."""
    if tells_call(step):
        what: Message | None = step_name(step)
    else:
        what = _changed(step[0], before) if isinstance(step[0], events.Correction) else None
    if what is None:
        return None
    by = next((event.by for event in step if isinstance(event, _SIGNED)), "")
    return Message(
        "{who}: {what}.", who=by if by in before.colours else _WHERE.get(by, Message("on a phone")), what=what
    )


_SIGNED: Final = (events.Correction, events.DudoCalled, events.CalzaCalled)


def _changed(event: events.Correction, before: TablePosition) -> Message | None:
    owners = {colour: player for player, colour in before.colours.items()}
    counted = before.reading is not None or before.by_hand is not None
    match event:
        case events.DieSet() | events.DieStruck():
            die = None if before.reading is None else before.reading.die(event.die)
            if die is None:
                return None
            if isinstance(event, events.DieSet) and event.colour is not None and event.colour != die.colour:
                colour, was = Colour(event.colour), Colour(die.colour)
                return Message(
                    "the {face} is {colour}, not {was}", face=Face(event.face or die.face), colour=colour, was=was
                )
            player, face = owners.get(die.colour), Face(die.face)
            if player is None:
                return step_name((event,), before.reading)
            if isinstance(event, events.DieStruck):
                return Message("{player}'s {face} is not in play", player=player, face=face)
            if die.uncertain and event.face is not None:
                return Message("{player}'s die is {face}", player=player, face=Face(event.face))
            if event.face is None or event.face == die.face:
                return None
            return Message("{player}'s die is {face}, not {was}", player=player, face=Face(event.face), was=face)
        case events.DieAdded(face, colour) if colour in owners:
            return Message("{player} has one more die: {face}", player=owners[colour], face=Face(face))
        case events.ReadingAsked():
            return Message("the dice are read again") if counted else None
        case events.CountedByHand():
            return Message("the dice are counted by hand") if counted else None
        case events.PlayerDiceSet(player, dice) if not before.hides_dice:
            return Message("{player} has {dice}", player=player, dice=Dice(dice))
        case _:
            return step_name((event,), before.reading)


def turned(before: engine.Position | None, after: engine.Position | None) -> str:
    """The consequence of a correction that changed one verdict into another; empty unless both exist."""
    if before is None or after is None or before.outcome is None or after.outcome is None:
        return ""
    was, now = before.outcome, after.outcome
    if (was.loses, was.lost, was.gains) == (now.loses, now.lost, now.gains):
        return Message("The verdict stays.")
    if now.loses is not None:
        return Message("Now {player} loses {dice}.", player=now.loses, dice=Dice(now.lost))
    if now.gains is not None:
        return Message("Now {player} takes back a die.", player=now.gains)
    return Message("Now nobody loses a die.")
