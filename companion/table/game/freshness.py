"""Who decided what last, so that a tap made on what is no longer so can be refused. Pure.

A phone shows a state that may be a moment old. Whoever taps on it may mean something else than what the tap would do
now: so a command names the version it was made on, and is stale when somebody else has decided anything since.
Corrections of different dice of one picture do not get in each other's way.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from companion.messages.message import Message
from companion.table import commands
from companion.table.actor import Actor
from companion.table.errors import NotAllowedNowError, UnreadableCommandError
from companion.table.game import events, sentences
from companion.table.game.history import History
from companion.table.game.step_name import step_name
from vision.reading import Box

KEPT: Final = 64
"""Decisions that are remembered. Whoever has seen none of so many is refused."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Something that was done at the table."""

    version: int
    """Of the first state in which it is so."""
    by: Actor
    what: Message
    event: events.Event
    """The first that it was."""


class Decisions:
    """What was decided in this run, newest last."""

    def __init__(self, first: int) -> None:
        """`first` is the version that this run begins with."""
        self._first = first
        self._since = first
        """From this version on all decisions are here."""
        self._kept: deque[Decision] = deque()

    def add(self, decision: Decision) -> None:
        """One more."""
        self._kept.append(decision)
        if len(self._kept) > KEPT:
            self._since = self._kept.popleft().version

    def last_seen(self, by: Actor) -> bool:
        """Whether `by` is known to have seen the last decision."""
        return by.seen is not None and (not self._kept or self._kept[-1].version <= by.seen)

    def check(self, command: commands.Command, by: Actor, now: int, but_last: bool = False) -> None:
        """Refuse a command that was given on a state which is no longer so; `now` is the version that is.

        `but_last` leaves out the last decision: the rules have said already what becomes of the two. Raises
        `NotAllowedNowError` ("stale") where somebody else decided anything since, and `UnreadableCommandError`
        ("version") for a version that is still to come.
        """
        seen = by.seen
        if seen is None:
            return
        if seen > now:
            raise UnreadableCommandError("version", "There has been no such version of the state yet.")
        if seen < self._first:
            raise NotAllowedNowError("stale", sentences.STARTED_ANEW)
        if seen < self._since:
            raise NotAllowedNowError("stale", sentences.MUCH_HAPPENED)
        since = [decision for decision in self._after(seen) if decision.by.id != by.id]
        if but_last and since and since[-1] is self._kept[-1]:
            since.pop()
        for decision in reversed(since):
            if not _apart(decision.event, command):
                raise NotAllowedNowError("stale", sentences.faster(decision.by.name, decision.what))

    def _after(self, seen: int) -> Iterator[Decision]:
        return (decision for decision in self._kept if decision.version > seen)


def what(done: Sequence[events.Event], before: History, by: Actor) -> Message:
    """What is decided by `done`, as it stands after "Ben was faster:"."""
    first = done[0]
    if isinstance(first, events.Undone) and len(done) > 1:
        return what(done[1:], before, by)  # instead of what was taken back for it
    if isinstance(first, events.Undone) and before.last is not None:
        return sentences.taken_back(step_name(before.last.events))
    if isinstance(first, events.Redone) and before.undone is not None:
        return sentences.done_again(step_name(before.undone.events))
    if isinstance(first, events.ReadingTaken):
        return step_name((events.ReadingAsked(),))
    if isinstance(first, events.BidMade) and first.player == by.name:
        return sentences.bid(first.count, first.face)
    return step_name(done)


def _apart(event: events.Event, command: commands.Command) -> bool:
    """Whether both are corrections, of different dice. No reading came between them: that is a decision of its own."""
    if not isinstance(event, _CORRECTIONS) or not isinstance(command, _TO_CORRECT):
        return False
    if isinstance(event, events.DieAdded):
        return not (isinstance(command, commands.AddDie) and _overlap(event.box, command.box))
    return isinstance(command, commands.AddDie) or event.die != command.die


_CORRECTIONS: Final = (events.DieSet, events.DieAdded, events.DieStruck)
_TO_CORRECT: Final = (commands.SetDie, commands.AddDie, commands.StrikeDie)


def _overlap(one: Box, other: Box) -> bool:
    return all(one[n] < other[n] + other[n + 2] and other[n] < one[n] + one[n + 2] for n in (0, 1))
