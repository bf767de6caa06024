"""The panel on the table: a DUDO and a CALZA button, lamps, and optional parts.

    HardwareError (RuntimeError)
    └── PanelError                    there are no pins, or they are in use

A contact is acknowledged in gpiozero's thread: the lamp in the button is inverted at once. A thread of the panel
decides a few milliseconds later if it is a press. The handlers run in another thread, because they may wait for a slow
disk, and the next edge of a contact must not.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any, Final

from companion.messages.message import Message
from hardware.camera.protocol import HardwareError
from hardware.panel.buzzer import PanelBuzzer, Sound
from hardware.panel.debounce import CLOSE_TIME, HOLD_TIMES, Debounce, Push
from hardware.panel.display import Display, DisplayError
from hardware.panel.lamp_patterns import LampPattern
from hardware.panel.lamps import Lamps
from hardware.panel.wiring import BOTH, DIAL, DisplayWiring, Wiring

log = logging.getLogger(__name__)

SHORTEST_WAIT: Final = 0.001
"""Least time between two ticks in seconds."""

RETRY_WAIT: Final = 1.0
"""Seconds until a lamp that could not be set is tried again."""

FLUSH_TIMEOUT: Final = 10.0
"""The most seconds that `Panel.flush` waits for the handlers."""


class PanelError(HardwareError):
    """The panel cannot be used. The game continues without one."""


class Panel:
    """The real panel, through gpiozero. Handlers are called one at a time, in a thread of the panel's own."""

    virtual: bool = False
    close_time: float = CLOSE_TIME
    """As in `Debounce`."""
    if_silent: str = "Does the button close that pin to ground?"
    """What to check if a button does not respond."""

    def __init__(
        self,
        wiring: Wiring | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        factory: Any = None,
    ) -> None:
        """`clock` returns monotonic seconds; `factory` is a gpiozero pin factory, by default the one that gpiozero
        finds.

        Raises `PanelError` if there are no GPIO pins or another program uses them. If the display does not answer, the
        rest of the panel works, and `sentence` says so.
        """
        self.wiring = wiring or Wiring()
        self.when_pushed: Callable[[str, Push], None] = ignore
        """Called with "dudo", "calza", `DIAL` or `BOTH`, and the push."""
        self.when_turned: Callable[[int], None] = ignore
        """Called with 1 for a step clockwise, -1 for a step back."""
        self.when_changed: Callable[[], None] = nobody
        """Called when `sentence` changes."""
        self.display: Display | None = None
        self.sentence: str = ""
        """What does not work; empty if everything does."""
        self._clock = clock
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._closing = False
        self._contacts: dict[str, Debounce] = {}
        self._buttons: dict[str, Any] = {}
        self._holds = 0
        """The number of pushes of both buttons reported since they were pressed."""
        self._parts = ExitStack()
        self._threads: list[threading.Thread] = []
        self._calls: queue.Queue[Callable[[], None] | None] = queue.Queue()
        try:
            self._open(factory)
        except PanelError:
            self.close()
            raise
        except Exception as error:
            self.close()
            raise PanelError(
                Message(
                    "The panel's buttons and lamps do not work ({reason}). Everything can be done from a phone.",
                    reason=str(error).rstrip(".!"),
                )
            ) from error
        self._threads += [threading.Thread(target=run, name="panel", daemon=True) for run in (self._beat, self._handle)]
        for thread in self._threads:
            thread.start()

    def _open(self, factory: Any) -> None:
        from gpiozero import RotaryEncoder  # noqa: PLC0415 - slow to import

        # Passed to every device and never set as gpiozero's default: a virtual panel must not mock the real pins of its
        # process.
        self._factory = factory = _pins_of_this_machine() if factory is None else factory
        self._lamps = Lamps(self.wiring, factory, self._parts)
        self._buzzer = PanelBuzzer(self.wiring, factory, self._parts)
        buttons = dict(self.wiring.buttons)
        if self.wiring.dial is not None:
            a, b, buttons[DIAL] = self.wiring.dial
            dial = self._parts.enter_context(RotaryEncoder(a, b, max_steps=0, pin_factory=factory))
            dial.when_rotated_clockwise = lambda: self._turned(1)
            dial.when_rotated_counter_clockwise = lambda: self._turned(-1)
        for name, pin in buttons.items():
            self._open_button(name, pin)
        if self.wiring.display is not None:
            try:
                self.display = self._open_display(self.wiring.display)
            except DisplayError as error:
                log.warning("%s", error)
                self.sentence = error.message

    def _open_button(self, name: str, pin: int) -> None:
        # Not gpiozero's Button, whose thread for holding wakes ten times a second.
        from gpiozero import DigitalInputDevice  # noqa: PLC0415

        button = self._parts.enter_context(DigitalInputDevice(pin, pull_up=True, pin_factory=self._factory))
        self._buttons[name], self._contacts[name] = button, Debounce(self._clock, self.close_time)
        button.when_activated = lambda: self._edge(name, True)
        button.when_deactivated = lambda: self._edge(name, False)

    def _open_display(self, wiring: DisplayWiring) -> Display:
        from hardware.panel.luma_display import open_display  # noqa: PLC0415 - only where there is one

        return open_display(wiring, self._factory)

    @property
    def places(self) -> dict[str, str]:
        """The places of DUDO and CALZA."""
        from hardware.panel.header import place_of  # noqa: PLC0415 - brings gpiozero

        return {name: place_of(pin) for name, pin in self.wiring.buttons.items()}

    @property
    def missing(self) -> set[str]:
        """Those of DUDO and CALZA whose device is missing now."""
        return set()

    def _stop(self) -> None:
        """Hook for subclasses: make their threads notice that the panel is closing."""

    # Input

    def _edge(self, name: str, closed: bool) -> None:
        with self._lock:
            if self._contacts[name].edge(closed):
                self._lamps.flash(name, self._clock())
                self._light()
            self._push(name)
            self._changed.notify_all()

    def _push(self, name: str) -> float | None:
        """Pass on a button's certain pushes. Returns the seconds until there may be one; None if there will be none."""
        contact = self._contacts[name]
        push = contact.push(self._buttons[name].is_active)
        if push in (Push.DOWN, Push.DOUBLE):
            self._buzzer.play(Sound.PRESS, self._clock())
            self._light()
        if push is not None and (push is not Push.SHORT or name == DIAL):  # only the dial's short pushes are used
            self._calls.put(partial(self.when_pushed, name, push))
        return contact.due()

    def _hold(self) -> float | None:
        """Report both buttons being held. Returns the seconds until their next push; None if there is none."""
        contacts = [contact for name, contact in self._contacts.items() if name != DIAL]
        since = [contact.held_since for contact in contacts]
        begins = [each for each in since if each is not None]
        if len(begins) < max(2, len(since)):
            self._holds = 0
            return None
        held = self._clock() - max(begins)
        for push, seconds in list(zip((Push.HELD, Push.HELD_LONG), HOLD_TIMES, strict=True))[self._holds :]:
            if held < seconds:
                return seconds - held
            self._holds += 1
            for contact in contacts:
                contact.forget_end()
            self._calls.put(partial(self.when_pushed, BOTH, push))
        return None

    def _turned(self, steps: int) -> None:
        self._calls.put(partial(self.when_turned, steps))

    def _handle(self) -> None:
        while (call := self._calls.get()) is not None:
            try:
                call()
            except Exception:
                # An exception here would end the thread and lose every later press.
                log.exception("a press of the panel went wrong")
            finally:
                self._calls.task_done()

    def flush(self) -> None:
        """Wait until the handlers have run for every push and turn so far."""
        with self._calls.all_tasks_done:
            self._calls.all_tasks_done.wait_for(lambda: not self._calls.unfinished_tasks, FLUSH_TIMEOUT)

    # Output: lamps and sounds

    def show(self, lamps: Mapping[str, LampPattern], colours: Sequence[str | None] = ()) -> None:
        """Set the lamps by name: "dudo", "calza", "status", "seat0" to "seat5". Lamps not named go off.

        `colours` are the players' colours by seat, for coloured lamps. Never raises: a lamp that cannot be set is
        logged and tried again.
        """
        with self._lock:
            self._lamps.show(lamps, colours)
            self._light()
            self._changed.notify_all()

    def play(self, sound: Sound) -> None:
        """Play a sound in place of the current one; does nothing without a buzzer. Never raises, like `show`."""
        with self._lock:
            self._buzzer.play(sound, self._clock())
            self._light()
            self._changed.notify_all()

    def tick(self) -> float | None:
        """Update buttons, lamps and buzzer. Returns the seconds until the next change; None if there is none.

        The panel calls this itself; a test may call it by its own clock.
        """
        with self._lock:
            if self._closing:
                return None
            waits = [*map(self._push, self._contacts), self._hold(), self._light()]
            return min((wait for wait in waits if wait is not None), default=None)

    def _light(self) -> float | None:
        """Update lamps and buzzer. Returns the seconds until they change; None if they do not."""
        now = self._clock()
        try:
            waits = [self._lamps.tick(now), self._buzzer.tick(now)]
        except Exception:  # presses count and the game continues without a lamp
            log.exception("the lamps could not be set")
            return RETRY_WAIT
        return min((wait for wait in waits if wait is not None), default=None)

    def _beat(self) -> None:
        with self._changed:
            while not self._closing:
                wait = self.tick()
                self._changed.wait(None if wait is None else max(SHORTEST_WAIT, wait))

    def close(self) -> None:
        """Switch the lamps off and release the pins. Safe to call twice."""
        with self._changed:
            if self._closing:
                return
            self._closing = True
            self._changed.notify_all()
        self._stop()
        self._calls.put(None)
        for thread in self._threads:
            thread.join(timeout=2.0)
        if self.display is not None:
            self._parts.callback(self.display.close)
        try:
            self._parts.close()
        except Exception:  # an unplugged display must not keep lamps lit and pins in use
            log.exception("a part of the panel could not be closed")


def _pins_of_this_machine() -> Any:
    """The pin factory that gpiozero finds here. Raises gpiozero's `BadPinFactory` if there is none."""
    from gpiozero import Device  # noqa: PLC0415

    # gpiozero warns of every library that it cannot use: for the log, not for the screen.
    with warnings.catch_warnings(record=True) as tried:
        warnings.simplefilter("always")
        try:
            Device.ensure_pin_factory()
        finally:
            for warning in tried:
                log.info("%s", warning.message)
    return Device.pin_factory


def nobody() -> None:
    """The default handler of changes: do nothing."""


def ignore(*what: object) -> None:
    """The default handler of pushes: log the push."""
    log.info("%s: nobody listens to the panel", " ".join(map(str, what)))
