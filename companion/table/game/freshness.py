"""Refuses taps on an outdated state. Pure.

A phone may show a state that is slightly old, in which case a tap would no longer do what its player meant. A command
therefore names the version it is based on, and is stale once somebody else has decided something. Corrections of
different dice in one picture do not conflict.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.messages.message import Faces, Message
from companion.table import commands
from companion.table.commands import Actor
from companion.table.errors import NotAllowedNowError, UnreadableCommandError
from companion.table.game import events
from companion.table.game.history import History, Step
from companion.table.game.step_name import step_name
from vision.reading import Box

MOST_DECISIONS: Final = 64
"""The number of decisions that are kept. Commands based on older versions are refused."""

_STARTED_ANEW: Final = Message("The box restarted. Look, and tap again if you still want to.")
_MUCH_HAPPENED: Final = Message("Much has happened since. Look, and tap again if you still want to.")


@dataclass(frozen=True, slots=True)
class Decision:
    """An executed command."""

    version: int
    """The version of the state after it."""
    by: Actor
    what: Message
    event: events.Event
    """Its first event."""


class Decisions:
    """The decisions since the program started. `first` is the first version of this run."""

    def __init__(self, first: int) -> None:
        self._first = first
        self._since = first
        """All decisions after this version are kept."""
        self._decisions: deque[Decision] = deque()

    def add(self, decision: Decision) -> None:
        self._decisions.append(decision)
        if len(self._decisions) > MOST_DECISIONS:
            self._since = self._decisions.popleft().version

    def is_up_to_date(self, actor: Actor) -> bool:
        """True if `actor` has certainly seen the last decision."""
        version = actor.version
        return version is not None and (not self._decisions or self._decisions[-1].version <= version)

    def check(self, command: commands.Command, by: Actor, now: int, but_last: bool = False) -> None:
        """Refuse a command based on an outdated state; `now` is the current version.

        `but_last` ignores the last decision, which the rules have already weighed against the command. Raises
        `NotAllowedNowError` ("stale") if somebody else has decided something since, and `UnreadableCommandError`
        ("version") for a future version.
        """
        version = by.version
        if version is None:
            return
        if version > now:
            raise UnreadableCommandError("version", "There has been no such version of the state yet.")
        if version < self._first:
            raise NotAllowedNowError("stale", _STARTED_ANEW)
        if version < self._since:
            raise NotAllowedNowError("stale", _MUCH_HAPPENED)
        since = [decision for decision in self._decisions if decision.version > version and decision.by.id != by.id]
        if but_last and since and since[-1] is self._decisions[-1]:
            since.pop()
        for decision in reversed(since):
            if not _independent(decision.event, command):
                raise NotAllowedNowError(
                    "stale",
                    Message(
                        "{who} was faster: {what}. Look, and tap again if you still want to.",
                        who=decision.by.name,
                        what=decision.what,
                    ),
                )


def decision_name(new_events: Sequence[events.Event], before: History, by: Actor) -> Message:
    """The name of a decision with these events, in the words that follow "Ben was faster:"."""
    first = new_events[0]
    if isinstance(first, events.Undone) and len(new_events) > 1:
        return decision_name(new_events[1:], before, by)  # named for the new step, not the undo
    if isinstance(first, events.Undone) and before.last is not None:
        return Message("{step}, taken back", step=_name_of(before.last))
    if isinstance(first, events.Redone) and before.undone is not None:
        return Message("{step}, done again", step=_name_of(before.undone))
    if isinstance(first, events.ReadingTaken):
        return step_name((events.ReadingAsked(),))
    if isinstance(first, events.BidMade) and first.player == by.name:
        return Message("{bid}", bid=Faces(first.count, first.face))
    return step_name(new_events, before.position.reading)


def undone_by(who: str, new_events: Sequence[events.Event], before: History) -> Message | None:
    """Who undid or redid which step of `before`; None if the events are neither."""
    match tuple(new_events):
        case (events.Undone(),) if before.last is not None:
            return Message("{who} took back {step}.", who=who, step=_name_of(before.last))
        case (events.Redone(),) if before.undone is not None:
            return Message("{who} restored {step}.", who=who, step=_name_of(before.undone))
        case _:
            return None


def _name_of(step: Step) -> Message:
    return step_name(step.events, step.before.reading)


def _independent(event: events.Event, command: commands.Command) -> bool:
    """True if both correct different dice of one picture; a new reading would be a decision in between."""
    if not isinstance(event, _CORRECTION_EVENTS) or not isinstance(command, _CORRECTION_COMMANDS):
        return False
    if isinstance(event, events.DieAdded):
        return not (isinstance(command, commands.AddDie) and _overlap(event.box, command.box))
    return isinstance(command, commands.AddDie) or event.die != command.die


_CORRECTION_EVENTS: Final = (events.DieSet, events.DieAdded, events.DieStruck)
_CORRECTION_COMMANDS: Final = (commands.SetDie, commands.AddDie, commands.StrikeDie)


def _overlap(one: Box, other: Box) -> bool:
    return all(one[n] < other[n] + other[n + 2] and other[n] < one[n] + one[n + 2] for n in (0, 1))
