"""What the buttons and the dial of the panel mean: presses in, commands of the table out."""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final

from companion.engine import EngineError
from companion.table import commands
from companion.table.asking import Commands
from companion.table.errors import TableError, UnreadableCommandError
from companion.table.game import events
from companion.table.game.decide import held, twice
from companion.table.game.freshness import PANEL, Who
from companion.table.game.history import History
from companion.table.game.position import Phase
from companion.table.state.state import Notice, State

log = logging.getLogger(__name__)

SEEN_AFTER: Final = 2.0
"""Seconds after a verdict from which on a press means that it was seen: go on to the next round. And seconds in which
nothing happened and nothing was pressed, before a double press may take anything back."""


class Presses(Commands):
    """The panel's side of `companion.table.Table`. Nothing here raises for a refusal: the state's `notice` says it."""

    _history: History
    _clock: Callable[[], float]
    _stepped: float
    """When the last step was made."""
    _version: int
    _state: State
    _pressed: int | None = None
    """The step that the last press of a button made."""
    _idle: int | None = None
    """The last step when a button was pressed, long after it and after any press, to no effect."""
    _touched: float = float("-inf")
    """When a button was pressed last."""

    @abstractmethod
    def acting(self, who: Who) -> AbstractContextManager[None]:
        """Decide as `who`, and let nobody come in between."""

    @abstractmethod
    def _append(self, done: tuple[events.Event, ...]) -> State:
        """Have `done` happen."""

    @abstractmethod
    def _tell(self, **live: object) -> State:
        """Tell everybody what is true only now."""

    @abstractmethod
    def _check_open(self) -> None:
        """Raise where the table is closed."""

    @abstractmethod
    def _wanted(self) -> bool:
        """Whether the camera is to read."""

    def press(self, button: str, long: bool = False, twice: bool = False) -> State:
        """A button of the panel was pressed: "dudo" is the player on turn, "calza" is whoever may. Pressed long, the
        dice are counted, and who called on what bid is told afterwards. While the players roll for the opening, or when
        the camera has stopped looking, either button has it look; after a verdict either goes on to the next round.

        `long` and `twice` tell that the press told before was a long one, or the first of a double one. A double press
        takes the last step back, where a call is seen through that nobody meant: `companion.table.game.decide.twice`.

        A panel cannot say why a press is refused, so this never raises for that: the state's `notice` says it.
        """

        def pressed() -> State:
            if button not in ("dudo", "calza"):
                raise UnreadableCommandError("unknown-button", f"There is no button {button!r}.")
            return self._held(button) if long else self._twice() if twice else self._short(button)

        return self._at_panel(button, pressed)

    def bid_by_dial(self, player: str, count: int, face: int) -> State:
        """`player` bids by the panel's dial. Refused as a press is: the state's `notice` says it."""
        return self._at_panel("the dial", lambda: self.bid(player, count, face))

    def _at_panel(self, what: str, act: Callable[[], State]) -> State:
        try:
            with self.acting(PANEL):
                return act()
        except (TableError, EngineError) as error:
            log.info("the press of %s was refused: %s", what, error)
            return self._tell(notice=Notice(error.code, error.said, self._version + 1))

    def _short(self, button: str) -> State:
        before, last = self._history.steps, self._history.last
        still = self._clock() - max(self._stepped, self._touched) >= SEEN_AFTER
        self._pressed, self._idle = None, last.number if last is not None and still else None
        self._touched = self._clock()
        state = self._called_by(button)
        if self._history.steps > before:
            self._pressed, self._idle = self._history.steps, None
        return state

    def _called_by(self, button: str) -> State:
        waiting = self._live.waiting
        gave_up = waiting is not None and waiting.code == "given-up" and self._wanted()
        if self._history.position.phase is Phase.ROLLING or gave_up:
            return self.again()
        if self._history.position.phase is Phase.VERDICT and self._clock() - self._stepped >= SEEN_AFTER:
            return self.next()
        if self._gone_on():
            log.info("the press of %s is one more to go on to this round", button)
            return self._state
        return self._carry_out(commands.CallDudo() if button == "dudo" else commands.CallCalza())

    def _gone_on(self) -> bool:
        """Whether the round was opened a moment ago: who presses now saw the verdict too, and nobody has bid yet."""
        last = self._history.last
        opened = last is not None and isinstance(last.events[0], events.RoundOpened)
        return opened and self._clock() - self._stepped < SEEN_AFTER

    def _held(self, button: str) -> State:
        """The press that was carried out when it began turns out to be a long one: it matters only where it called."""
        self._check_open()
        step = self._history.last
        if step is None or step.number != self._pressed or self._history.position.paused:
            return self._state
        self._pressed = None
        done = held(step, self._history.position, button)
        return self._append(done) if done else self._state

    def _twice(self) -> State:
        self._check_open()
        self._touched = self._clock()
        idle, self._idle = self._idle, None
        step = self._history.last
        if step is None or step.number != idle or self._history.position.paused:
            return self._state
        done = twice(self._history.position)
        return self._append(done) if done else self._state

    def _panel_asks(self) -> bool:
        last = self._history.last
        return last is not None and last.number == self._pressed
