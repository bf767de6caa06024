"""What was done at the table, step by step, and taking it back. Pure.

A step is what one command did. Nothing is erased: that a step was taken back is an event itself, and so is doing it
again. What the camera read belongs to the step that asked for it: taken back alone, it would be read again at once.
A break belongs to the step before it: nobody means the break by "undo".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from companion.table.game import events
from companion.table.game.position import Phase, TablePosition, evolve

Events = tuple[events.Event, ...]

_FOLLOWS: Final = (events.ReadingTaken, events.Paused, events.Resumed)
"""What belongs to the step before it."""

_GAMES_KEPT: Final = 2
"""Steps of this game and of the one before can be taken back; older ones would only fill the memory."""


@dataclass(frozen=True, slots=True)
class Step:
    """What one command did."""

    number: int
    """From 1, never given twice; whoever takes a step back names it, so that nobody takes back another one."""
    events: Events
    before: TablePosition
    earlier: Step | None


@dataclass(frozen=True, slots=True)
class History:
    """The table now, and how it came about. Immutable: `after` gives the next one."""

    position: TablePosition = field(default_factory=TablePosition)
    last: Step | None = None
    """The last step that stands."""
    undone: Step | None = None
    """The last step taken back, with those taken back before it as `earlier`; None once something new was done."""
    steps: int = 0
    """How many there were so far, with those taken back."""

    def after(self, done: Events) -> History:
        """The history after one more line of the journal: the events of one command.

        Raises `AssertionError` or an `EngineError` only for events that were never decided upon.
        """
        history = self
        if isinstance(done[0], events.Undone):
            history, done = history._taken_back(), done[1:]
        elif isinstance(done[0], events.Redone):
            assert self.undone is not None, "done again, but nothing was taken back"
            return history._done(self.undone.events, self.undone.number, self.undone.earlier)
        if not done:
            return history
        if isinstance(done[0], _FOLLOWS) and history.last is not None:
            last = replace(history.last, events=(*history.last.events, *done))
            return replace(history, position=_after(history.position, done), last=last)
        return history._done(done, history.steps + 1, None)

    def _taken_back(self) -> History:
        assert self.last is not None, "taken back, but nothing was done"
        step, now = self.last, self.position
        # Numbers of pictures and of requests to the camera are never given twice.
        asks = step.before.phase is Phase.READING
        position = replace(step.before, readings=now.readings, reveals=now.reveals + asks)
        return History(position, step.earlier, replace(step, earlier=self.undone), self.steps)

    def _done(self, done: Events, number: int, undone: Step | None) -> History:
        earlier = _kept(self.last) if isinstance(done[0], events.GameOpened) else self.last
        step = Step(number, done, self.position, earlier)
        return History(_after(self.position, done), step, undone, max(self.steps, number))


def _after(position: TablePosition, done: Events) -> TablePosition:
    for event in done:
        position = evolve(position, event)
    return position


def _kept(last: Step | None) -> Step | None:
    """The chain that ends in `last` without what is too old."""
    steps, games, step = [], 1, last
    while step is not None and games < _GAMES_KEPT:
        steps.append(step)
        games += isinstance(step.events[0], events.GameOpened)
        step = step.earlier
    earlier = None
    for step in reversed(steps):
        earlier = replace(step, earlier=earlier)
    return earlier


def by_command(read: Iterable[tuple[int | None, events.Event]]) -> list[Events]:
    """Events as they are kept, each with the step it is of, with those of one command together.

    Journals from before there were steps (None) had commands that did one thing, and a verdict that followed of itself.
    """
    lines: list[list[events.Event]] = []
    last: int | None = None
    for step, event in read:
        if lines and (isinstance(event, events.Judged) if step is None else step == last):
            lines[-1].append(event)
        else:
            lines.append([event])
        last = step
    return list(map(tuple, lines))


def standing(lines: Iterable[Sequence[events.Event]]) -> list[Events]:
    """What stands of the journal's lines, step by step: what was taken back and not done again is left out."""
    done: list[Events] = []
    undone: list[Events] = []
    for line in lines:
        new = tuple(line)
        if isinstance(new[0], events.Undone):
            undone.append(done.pop())
            new = new[1:]
        elif isinstance(new[0], events.Redone):
            done.append(undone.pop())
            continue
        if not new:
            continue
        if isinstance(new[0], _FOLLOWS) and done:
            done[-1] = (*done[-1], *new)
        else:
            undone.clear()
            done.append(new)
    return done
