"""The meaning of pushes on a panel's buttons. Pure: takes the table's history and a time, and returns a command."""

from __future__ import annotations

from typing import Final

from companion.table import commands
from companion.table.game import events
from companion.table.game.history import History
from companion.table.game.table_position import Phase
from hardware.panel.debounce import Push

QUIET_SECONDS: Final = 2.0
"""Seconds after a verdict until a press opens the next round; seconds after the start of a round or roll during which
presses are ignored; and seconds of quiet before a double press that can undo.
"""

_CALLS: Final = (events.DudoCalled, events.CalzaCalled, events.CallerAsked)


class Presses:
    """Turns pushes of DUDO and CALZA into commands.

    A short press calls: DUDO for the player on turn, CALZA for anyone who may. While the players roll for the opening,
    or once the camera has given up, it starts a reading; after a verdict it opens the next round. After a long press
    the dice are counted first, and the players enter the call and the bid afterwards.

    A double press undoes the last step if its first press had no effect, but only while a call is being resolved, which
    may have been a mistake. During bidding a press is a call, and after a verdict people press for fun.

    Holding both buttons voids the round, after undoing the steps that their presses made. Holding them longer switches
    the box off, and restores the round.
    """

    def __init__(self) -> None:
        self.step: int | None = None
        """The step made by the last press."""
        self._undoable: int | None = None
        """The step that a double press may undo."""
        self._last = float("-inf")
        """The time of the last press."""
        self._made: list[int] = []
        """The steps made by the last presses, in quick succession."""
        self._voiding: int | None = None
        """The step made by the last hold of both buttons."""

    def command(
        self, button: str, push: Push, history: History, *, now: float, stepped: float, given_up: bool
    ) -> commands.Command | None:
        """The command for a push of `button`, or None.

        `stepped` is the time of the last step; `given_up` is True if the camera has stopped looking.
        """
        match push:
            case Push.DOWN:
                return self._down(button, history, now, stepped, given_up)
            case Push.LONG:
                return self._long(button, history)
            case Push.DOUBLE:
                return self._double(history, now)
            case Push.HELD:
                return self._held(history)
            case Push.HELD_LONG:
                return self._held_long(history)
            case Push.SHORT:
                return None

    def record_step(self, step: int) -> None:
        """Note that the last press made `step`."""
        self.step, self._undoable = step, None
        self._made.append(step)

    def record_voiding(self, step: int) -> None:
        """Note that holding both buttons made `step`."""
        self._voiding = step

    def _down(
        self, button: str, history: History, now: float, stepped: float, given_up: bool
    ) -> commands.Command | None:
        last, phase, game = history.last, history.position.phase, history.position.game
        quiet = now - max(stepped, self._last) >= QUIET_SECONDS
        if now - self._last >= QUIET_SECONDS:
            self._made = []
        self.step, self._undoable = None, last.number if last is not None and quiet else None
        self._last = now
        begins = phase is Phase.ROLLING or (phase is Phase.BIDDING and game is not None and game.bid is None)
        if begins and now - stepped < QUIET_SECONDS:
            return None
        if phase is Phase.ROLLING or given_up:
            return commands.AskReading()
        if phase is Phase.VERDICT and now - stepped >= QUIET_SECONDS:
            return commands.OpenRound()
        return commands.CallDudo() if button == "dudo" else commands.CallCalza()

    def _long(self, button: str, history: History) -> commands.Command | None:
        step, position = history.last, history.position
        if step is None or step.number != self.step or position.paused:
            return None
        self.step = None
        if isinstance(step.events[0], _CALLS) and position.phase in (Phase.READING, Phase.ASKING):
            return commands.AskCountInstead(button, step.number)
        return None

    def _double(self, history: History, now: float) -> commands.Command | None:
        self._last = now
        undoable, self._undoable = self._undoable, None
        step, position = history.last, history.position
        if step is None or step.number != undoable or position.paused:
            return None
        resolving = position.phase in (Phase.READING, Phase.CHECKING, Phase.TELLING)
        return commands.Undo(step.number) if resolving else None

    def _held(self, history: History) -> commands.Command | None:
        """Undo the steps of the two presses, one per call; then void the round."""
        self._voiding = None
        step = history.last
        if self._made and step is not None and step.number == self._made.pop():
            self.step = self._undoable = None
            return commands.Undo(step.number)
        self._made = []
        # Nobody wants to void a round if no game is played: the box is about to be switched off.
        return None if history.position.phase in (Phase.SEATING, Phase.OVER) else commands.VoidRound()

    def _held_long(self, history: History) -> commands.Command | None:
        step, voiding = history.last, self._voiding
        self._voiding = None
        return commands.Undo(voiding) if step is not None and step.number == voiding else None
