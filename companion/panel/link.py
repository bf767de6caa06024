"""Connects the panel and the table: presses in; lamps, sounds and the display out."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from typing import Final

from companion.panel.dial import Choice, first_choice, switch, turn
from companion.panel.power import PowerError
from companion.table.commands import MakeBid
from companion.table.state.listener import NewestState
from companion.table.state.signs import STARTING, SWITCHING_OFF, Lines, display_lines, sound_at
from companion.table.state.state import State
from companion.table.table import Table
from hardware.panel.buzzer import Sound
from hardware.panel.debounce import Push
from hardware.panel.panel import Panel, ignore, nobody
from hardware.panel.wiring import BOTH, DIAL

log = logging.getLogger(__name__)

REFUSAL_TIME: Final = 8.0
"""Seconds that the display shows why a press was refused, before it shows the game again."""


class PanelLink:
    """Passes presses to the table and the table's state to the panel. A failing lamp never stops the game."""

    def __init__(self, table: Table, panel: Panel, switch_off: Callable[[], None] | None = None) -> None:
        """Start; from now on presses count.

        `switch_off` switches the box off, and may raise `PowerError`; without it the panel cannot do that.
        """
        self._table = table
        self._panel = panel
        self._switch_off = switch_off
        self._starting = self._switching_off = False
        self._join: Lines = ()
        self._choice: Choice | None = None
        self._read: int | None = None
        """Number of the last refusal that was displayed long enough."""
        self._showing = threading.Lock()
        """Keeps an older state from replacing a newer one."""
        self._first = table.state()
        self._states = NewestState()
        table.attach(self._states)
        self._thread = threading.Thread(target=self._follow, name="panel link", daemon=True)
        panel.when_pushed = self._pushed
        panel.when_turned = self._turned
        panel.when_changed = self._tell
        self._tell()
        self._thread.start()

    def show(self) -> None:
        """Show the table's current state, and return when done. The link calls this itself."""
        try:
            with self._showing:
                self._show_now()
        except Exception:
            log.exception("the lamps could not be set")

    def _show_now(self) -> None:
        state = self._table.state()
        notice, choice = state.notice, self._standing(state)
        lamps = {name: state.panel.lamps[name] for name in ("dudo", "calza")}
        lamps |= {f"seat{n}": state.panel.lamps[player.name] for n, player in enumerate(state.players)}
        lamps["status"] = STARTING if self._starting else state.panel.status
        if self._switching_off:
            lamps = dict.fromkeys(("dudo", "calza", "status"), SWITCHING_OFF)
        self._panel.show(lamps, tuple(player.colour for player in state.players))
        if self._panel.display is not None:
            if self._switching_off:
                self._panel.display.show(("switching off",))
                return
            if notice is not None and notice.number != self._read:
                lines: tuple[str, ...] = (str(notice.sentence),)
            else:
                lines = display_lines(state, self._join)
            self._panel.display.show(lines if choice is None else (choice.line, f"{choice.player}?", *lines[:1]))

    def _tell(self) -> None:
        """Publish what does not work on the panel."""
        self._table.set_panel(self._panel.virtual, self._panel.sentence)

    def starting(self) -> None:
        """Show on the status lamp that the box is starting, until `ready` is called."""
        self._starting = True
        self.show()

    def ready(self, join: Lines) -> None:
        """The box has started; phones join by these lines on the display. Called again whenever they may have
        changed."""
        if self._starting or join != self._join:
            self._starting, self._join = False, join
            self.show()

    def close(self) -> None:
        """Stop. The panel stays open. Safe to call twice."""
        self._panel.when_pushed = self._panel.when_turned = ignore
        self._panel.when_changed = nobody
        self._states.close()
        self._thread.join(timeout=2.0)

    # Input

    def _pushed(self, button: str, push: Push) -> None:
        state = self._table.state()
        choice = self._standing(state)
        if button == BOTH and push is Push.HELD_LONG:
            self._off()
        elif button != DIAL:
            self._table.push(button, push)
        elif push is Push.LONG:
            choice = choice or first_choice(state)
            self._choose(None if choice is None else switch(choice))
        elif push is Push.SHORT and choice is None:
            self._choose(first_choice(state))
        elif push is Push.SHORT and choice is not None:  # not at DOWN, because a long push is no bid
            self._choose(None)
            self._table.do_at_panel(MakeBid(choice.player, choice.count, choice.face))

    def _off(self) -> None:
        """Switch the box off if possible; systemd then ends this program."""
        if self._switch_off is None or self._switching_off:
            return
        log.info("both buttons were held: the box switches off")
        self._table.push(BOTH, Push.HELD_LONG)
        self._switching_off = True
        self._panel.play(Sound.OFF)
        self.show()
        try:
            self._switch_off()
        except PowerError as error:
            log.warning("%s", error)
            self._switching_off = False
            self._table.set_panel(self._panel.virtual, error.message)
            self.show()

    def _turned(self, steps: int) -> None:
        state = self._table.state()
        choice = self._standing(state)
        self._choose(first_choice(state) if choice is None else turn(choice, steps, state))

    def _standing(self, state: State) -> Choice | None:
        """The bid being chosen; None if there is none or the game has moved on."""
        choice = self._choice
        return choice if choice is not None and choice.stands(state) else None

    def _choose(self, choice: Choice | None) -> None:
        self._choice = choice
        self.show()

    # Output

    def _follow(self) -> None:
        before = state = self._first
        shown: int | None = None
        until = 0.0
        while self._states.open:
            notice = None if state.notice is None else state.notice.number
            unread = notice is not None and notice != self._read
            if unread and notice != shown:  # timed from the refusal, because moving hands change the state all the time
                shown, until = notice, time.monotonic() + REFUSAL_TIME
            try:
                timeout = max(0.0, until - time.monotonic()) if unread else None
                before, state = state, self._states.get(timeout=timeout)
            except queue.Empty:
                if unread:
                    self._read = notice
                    self.show()
                continue
            self.show()
            sound = _sound(before, state)
            if sound is not None:
                self._panel.play(sound)


def _sound(before: State, state: State) -> Sound | None:
    """The sound for a change of state."""
    notice, noticed = state.notice, before.notice
    if notice is not None and (noticed is None or notice.number != noticed.number):
        return Sound.REFUSED
    if state.voided and not before.voided:
        return Sound.VOID
    return sound_at(state.phase, state.winner) if state.phase is not before.phase else None
