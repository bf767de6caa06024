"""What pushes of the panel's buttons mean. Pure: the table's history and a time in, a command out."""

from __future__ import annotations

from typing import Final

from companion.table import commands
from companion.table.errors import UnreadableCommandError
from companion.table.game import events
from companion.table.game.history import History
from companion.table.game.position import Phase
from hardware.panel.debounce import Push

SEEN_AFTER: Final = 2.0
"""Seconds after a verdict from which on a press means that it was seen: go on to the next round. And seconds in which
nothing happened and nothing was pressed, before a double press may take anything back."""

_CALLS: Final = (events.DudoCalled, events.CalzaCalled, events.CallerAsked)


class Presses:
    """The presses of DUDO and CALZA so far, as far as they matter for what the next push means.

    A press calls: DUDO for the player on turn, CALZA for whoever may. While the players roll for the opening, or when
    the camera has stopped looking, it has the camera read; after a verdict it opens the next round. A press that turns
    out to be long has the dice counted, and who called on what bid is told afterwards.

    A double press whose first press had no effect takes the last step back, but only while a call is seen through that
    nobody may have meant: not while bids are made, when a press is a call; nor after a verdict or a win, when hands
    hammer for other reasons.
    """

    def __init__(self) -> None:
        self.step: int | None = None
        """The step that the last press made."""
        self._idle: int | None = None
        """The last step when a button was pressed, long after it and after any press, to no effect."""
        self._last = float("-inf")
        """When a button was pressed last."""

    def command(
        self, button: str, push: Push, history: History, *, now: float, stepped: float, given_up: bool
    ) -> commands.Command | None:
        """What a push of `button` asks for, None where that is nothing.

        The last step was made at `stepped`; `given_up` is whether the camera has stopped looking. Raises
        `UnreadableCommandError` for a button there is not.
        """
        if button not in ("dudo", "calza"):
            raise UnreadableCommandError("unknown-button", f"There is no button {button!r}.")
        match push:
            case Push.DOWN:
                return self._down(button, history, now, stepped, given_up)
            case Push.LONG:
                return self._held(button, history)
            case Push.DOUBLE:
                return self._twice(history, now)
            case Push.SHORT:
                return None

    def made(self, step: int) -> None:
        """The press that was asked about last has made step `step`."""
        self.step, self._idle = step, None

    def _down(
        self, button: str, history: History, now: float, stepped: float, given_up: bool
    ) -> commands.Command | None:
        last, phase = history.last, history.position.phase
        still = now - max(stepped, self._last) >= SEEN_AFTER
        self.step, self._idle = None, last.number if last is not None and still else None
        self._last = now
        if phase is Phase.ROLLING or given_up:
            return commands.AskReading()
        if phase is Phase.VERDICT and now - stepped >= SEEN_AFTER:
            return commands.OpenRound()
        if last is not None and isinstance(last.events[0], events.RoundOpened) and now - stepped < SEEN_AFTER:
            return None  # one more press to go on to this round: nobody has bid in it yet
        return commands.CallDudo() if button == "dudo" else commands.CallCalza()

    def _held(self, button: str, history: History) -> commands.Command | None:
        step, position = history.last, history.position
        if step is None or step.number != self.step or position.paused:
            return None
        self.step = None
        if isinstance(step.events[0], _CALLS) and position.phase in (Phase.READING, Phase.ASKING):
            return commands.AskCountInstead(button, step.number)
        return None

    def _twice(self, history: History, now: float) -> commands.Command | None:
        self._last = now
        idle, self._idle = self._idle, None
        step, position = history.last, history.position
        if step is None or step.number != idle or position.paused:
            return None
        seen_through = position.phase in (Phase.READING, Phase.CHECKING, Phase.TELLING)
        return commands.Undo(step.number) if seen_through else None
