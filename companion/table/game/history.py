"""The history of the table as steps, with undo and redo. Pure.

A step holds the events of one command. Nothing is erased: undo and redo are events too. A reading belongs to the step
that requested it, because undoing only the reading would start another one. A break belongs to no step, because
"undo" never means the break.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Final

from companion.table.game import events
from companion.table.game.events import Events
from companion.table.game.table_position import Phase, TablePosition, evolve

_BREAK: Final = (events.Paused, events.Resumed)
"""Events that belong to no step."""

_UNDOABLE_GAMES: Final = 2
"""This game and the previous one can be undone, except the opening of the previous one: older games are final."""


@dataclass(frozen=True, slots=True)
class Step:
    """The events of one command."""

    number: int
    """From 1, never reused. An undo names it, so that nobody undoes another step by mistake."""
    events: Events
    before: TablePosition
    earlier: Step | None
    undoable: bool = True
    """False for the opening of the game before this one."""


@dataclass(frozen=True, slots=True)
class History:
    """The position of the table and the steps that led to it. Immutable: `after` returns the next history."""

    position: TablePosition = field(default_factory=TablePosition)
    last: Step | None = None
    """The last step that has not been undone."""
    undone: Step | None = None
    """The last step undone, linked to those undone before it by `earlier`; None once a new step is made."""
    steps: int = 0
    """The number of steps so far, including undone ones."""

    def after(self, line: Events) -> History:
        """The history after `line`, the events of one command.

        Raises `AssertionError` or an `EngineError` for events that `decide` never returns.
        """
        history = self
        if isinstance(line[0], events.Undone):
            history, line = history._undo(), line[1:]
        elif isinstance(line[0], events.Redone):
            assert self.undone is not None, "done again, but nothing was taken back"
            return history._add_step(self.undone.events, self.undone.number, self.undone.earlier)
        if not line:
            return history
        if isinstance(line[0], _BREAK):
            return replace(history, position=reduce(evolve, line, history.position))
        if isinstance(line[0], events.ReadingTaken) and history.last is not None:
            last = replace(history.last, events=(*history.last.events, *line))
            return replace(history, position=reduce(evolve, line, history.position), last=last)
        return history._add_step(line, history.steps + 1, None)

    def _undo(self) -> History:
        assert self.last is not None, "taken back, but nothing was done"
        step, now = self.last, self.position
        # The numbers of pictures and of requested readings are never reused.
        asks = step.before.phase is Phase.READING
        shown = now.shown if now.games == step.before.games else step.before.shown
        position = replace(step.before, readings=now.readings, reveals=now.reveals + asks, shown=shown)
        return History(position, step.earlier, replace(step, earlier=self.undone), self.steps)

    def _add_step(self, line: Events, number: int, undone: Step | None) -> History:
        earlier = _undoable(self.last) if isinstance(line[0], events.GameOpened) else self.last
        step = Step(number, line, self.position, earlier)
        return History(reduce(evolve, line, self.position), step, undone, max(self.steps, number))


def _undoable(last: Step | None) -> Step | None:
    """The steps up to `last`, cut to the games that can be undone and the opening of the first of them."""
    steps, games, step = [], 1, last
    while step is not None and games < _UNDOABLE_GAMES:
        steps.append(step)
        games += isinstance(step.events[0], events.GameOpened)
        step = step.earlier
    earlier = None
    for step in reversed(steps):
        earlier = replace(step, earlier=earlier, undoable=earlier is not None)
    return earlier


def hidden_games(history: History) -> dict[int, int]:
    """Games with hidden dice -> the number of the last reading up to which everybody has seen them.

    A game that ended with the cups down, or was abandoned for another one, stays hidden as long as an undo can reopen
    it; a step that can be redone counts as not undone.
    """
    positions = [history.position]
    for step in _chain(history.last):
        if isinstance(step.events[0], events.GameOpened) and step.undoable:
            positions.append(step.before)
    positions += [step.before for step in _chain(history.undone)]
    found: dict[int, int] = {}
    for position in positions:
        if position.hides_dice:
            found[position.games] = max(position.readings, found.get(position.games, 0))
    return found


def _chain(step: Step | None) -> Iterator[Step]:
    while step is not None:
        yield step
        step = step.earlier


def steps_of_round(history: History) -> Iterator[Step]:
    """The steps of the current round, latest first."""
    step, now = history.last, history.position
    while step is not None and now.game is not None and step.before.games == now.games:
        if step.before.game is None or step.before.game.round != now.game.round:
            return
        yield step
        step = step.earlier


def begins_round(event: events.Event, before: events.Event | None) -> bool:
    """True if `event`, which follows `before`, opens or reopens a round."""
    # Correcting a number of dice after a verdict opens the next round.
    sets_dice = isinstance(event, events.PlayerDiceSet) and isinstance(before, events.Judged)
    return sets_dice or isinstance(event, events.ROUND_BEGINS)


def by_round(played: Iterable[events.Event]) -> Iterator[list[events.Event]]:
    """Group the events of standing steps by round; the first one opens or reopens it. An opening roll is a group
    too."""
    found: list[events.Event] = []
    for event in played:
        if found and begins_round(event, found[-1]):
            yield found
            found = []
        found.append(event)
    if found:
        yield found


def times_voided(history: History) -> int:
    """How often the current round was voided."""
    return sum(isinstance(event, events.RoundVoided) for step in steps_of_round(history) for event in step.events)


def by_command(rows: Iterable[tuple[int | None, events.Event]]) -> list[Events]:
    """Group the (step, event) rows of a journal by command.

    In old journals the step is None; each command had one event, and its verdict followed separately.
    """
    lines: list[list[events.Event]] = []
    last: int | None = None
    for step, event in rows:
        if lines and (isinstance(event, events.Judged) if step is None else step == last):
            lines[-1].append(event)
        else:
            lines.append([event])
        last = step
    return list(map(tuple, lines))


def standing_steps(lines: Iterable[Sequence[events.Event]]) -> list[Events]:
    """The steps of the journal's lines, without undone ones and breaks."""
    steps: list[Events] = []
    undone: list[Events] = []
    for line in lines:
        step = tuple(line)
        if isinstance(step[0], events.Undone):
            undone.append(steps.pop())
            step = step[1:]
        elif isinstance(step[0], events.Redone):
            steps.append(undone.pop())
            continue
        if not step or isinstance(step[0], _BREAK):
            continue
        if isinstance(step[0], events.ReadingTaken) and steps:
            steps[-1] = (*steps[-1], *step)
        else:
            undone.clear()
            steps.append(step)
    return steps
