"""The panel on the table: a DUDO button, a CALZA button, lamps, and what may be soldered on besides.

    HardwareError (RuntimeError)
    └── PanelError                    there are no pins here, or they are taken

A press is acknowledged where it is felt: in gpiozero's thread, before anybody is told of it, the lamp in the button
turns over. Then it is told in a thread of the panel's own, because what it means may have to be written to a slow
disk first, and the next edge of a contact must not wait for that.

`VirtualPanel` is `Panel` on gpiozero's mock pins: the code that reads the real button is the code that runs.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from companion.messages.message import Message
from hardware.camera.protocol import HardwareError
from hardware.panel.debounce import Debounce, Push
from hardware.panel.display import Display, DisplayError, VirtualDisplay
from hardware.panel.lamp_colours import Light, light
from hardware.panel.patterns import Lamp, Sound, changes_in, level, tone
from hardware.panel.wiring import DisplayWiring, Wiring

log = logging.getLogger(__name__)

FLASH: Final = 0.12
"""Seconds for which a lamp is turned over when its button is pressed."""

SOONEST: Final = 0.005
"""Seconds between two looks at the lamps, at least."""

TOLD_WITHIN: Final = 10.0
"""Seconds a virtual finger waits until its press has been told."""

DIAL: Final = "dial"
"""The name of the dial's push."""


class PanelError(HardwareError):
    """The panel cannot be used. The game goes on without one."""


class Panel:
    """The real panel, by gpiozero. Handlers are called in a thread of the panel's own, one after the other."""

    virtual: bool = False

    def __init__(
        self,
        wiring: Wiring | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        factory: Any = None,
    ) -> None:
        """`clock` gives monotonic seconds for the debouncing and the lamps; `factory` is a gpiozero pin factory, None
        for the one gpiozero finds on this machine.

        Raises `PanelError` where there are no GPIO pins or another program holds them. A display that does not answer
        is no reason not to use the rest: `sentence` says so.
        """
        self.wiring = wiring or Wiring()
        self.when_pressed: Callable[[str], None] = ignore
        """Called with the button's name, "dudo" or "calza", at each press."""
        self.when_held: Callable[[str], None] = ignore
        """Called with the button's name when a long press is over; `when_pressed` was called when it began."""
        self.when_twice: Callable[[str], None] = ignore
        """Called with the button's name at the second press of a double one; `when_pressed` was called at the first."""
        self.when_turned: Callable[[int], None] = ignore
        """Called with 1 for a step of the dial clockwise, -1 for one back."""
        self.when_dial_pressed: Callable[[], None] = ignore
        """Called when a short push of the dial is over."""
        self.when_dial_held: Callable[[], None] = ignore
        """Called when a long push of the dial is over."""
        self.display: Display | None = None
        self.sentence: str = ""
        """What of the panel does not work, empty when all does."""
        self._clock = clock
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._closing = False
        self._lamps: dict[str, Any] = {}
        self._patterns: dict[str, Lamp] = {}
        self._lights: dict[str, Light] = {}
        self._flashes: dict[str, tuple[float, float]] = {}
        """When the flash of a lamp ends, and its brightness until then."""
        self._buttons: dict[str, Any] = {}
        self._contacts: dict[str, Debounce] = {}
        self._dial: Any = None
        self._buzzer: Any = None
        self._sound: tuple[Sound, float] | None = None
        self._devices: list[Any] = []
        self._threads: list[threading.Thread] = []
        self._told: queue.Queue[Callable[[], None] | None] = queue.Queue()
        try:
            self._open(factory)
        except Exception as error:
            self.close()
            raise PanelError(
                Message(
                    "The panel's pins cannot be used, so there are no buttons and lamps ({reason}). "
                    "Everything can be done from a phone.",
                    reason=str(error).rstrip(".!"),
                )
            ) from error
        self._threads += [threading.Thread(target=run, name="panel", daemon=True) for run in (self._beat, self._tell)]
        for thread in self._threads:
            thread.start()

    # Opening

    def _open(self, factory: Any) -> None:
        # A quarter of a second of imports.
        from gpiozero import RGBLED, Button, Buzzer, RotaryEncoder, TonalBuzzer  # noqa: PLC0415
        from gpiozero.tones import Tone  # noqa: PLC0415

        # Handed to every device and never set as gpiozero's global default: a virtual panel must not turn the
        # real pins of the same process into mock ones.
        self._factory = factory = _pins_of_this_machine() if factory is None else factory
        wiring = self.wiring
        for name, pin in wiring.lamps.items():
            self._lamp(name, pin)
        if wiring.status is not None:
            self._lamp("status", wiring.status)
        for n, pins in enumerate(wiring.coloured):
            self._lamps[f"seat{n}"] = self._kept(RGBLED(*pins, active_high=not wiring.anode, pin_factory=factory))
            self._lights[f"seat{n}"] = light(None)
        if not wiring.coloured:
            for n, pin in enumerate(wiring.seats):
                self._lamp(f"seat{n}", pin)
        self._patterns = dict.fromkeys(self._lamps, Lamp.OFF)
        if wiring.buzzer is not None:
            kind = TonalBuzzer if wiring.tones else Buzzer
            self._buzzer = self._kept(kind(wiring.buzzer, pin_factory=factory))
            self._tone = Tone.from_frequency
        buttons = dict(wiring.buttons)
        if wiring.dial is not None:
            a, b, buttons[DIAL] = wiring.dial
            self._dial = self._kept(RotaryEncoder(a, b, max_steps=0, pin_factory=factory))
            self._dial.when_rotated_clockwise = lambda: self._turned(1)
            self._dial.when_rotated_counter_clockwise = lambda: self._turned(-1)
        for name, pin in buttons.items():
            self._buttons[name] = self._kept(Button(pin, pull_up=True, pin_factory=factory))
            self._contacts[name] = Debounce(self._clock)
            self._watch(name, self._buttons[name])
        if wiring.display is not None:
            try:
                self.display = self._open_display(wiring.display)
            except DisplayError as error:
                log.warning("%s", error)
                self.sentence = error.message

    def _lamp(self, name: str, pin: int) -> None:
        from gpiozero import PWMLED  # noqa: PLC0415

        self._lamps[name] = self._kept(PWMLED(pin, pin_factory=self._factory))

    def _kept(self, device: Any) -> Any:
        self._devices.append(device)
        return device

    def _open_display(self, wiring: DisplayWiring) -> Display:
        from hardware.panel.luma_display import open_display  # noqa: PLC0415 - only where there is one

        return open_display(wiring, self._factory)

    # In: what fingers do

    def _watch(self, name: str, button: Any) -> None:
        button.when_pressed = lambda: self._edge(name, True)
        button.when_released = lambda: self._edge(name, False)

    def _edge(self, name: str, closed: bool) -> None:
        with self._lock:
            push = self._contacts[name].edge(closed)
            if push in (Push.DOWN, Push.TWICE):
                self._acknowledge(name)
            self._changed.notify_all()  # the dial's push may have to be asked how it ended
        self._pushed(name, push)

    def _acknowledge(self, name: str) -> None:
        """Turn the button's lamp over, and tick, here and now: a finger wants to know at once that it was felt."""
        now = self._clock()
        if name in self._lamps:
            shown = self._level(name, now)
            self._flashes[name] = (now + FLASH, 0.0 if shown >= 0.5 else 1.0)
        self._sound = (Sound.PRESS, now)
        self._at_once()

    def _pushed(self, name: str, push: Push | None) -> None:
        heard: Callable[[], None] | None = None
        if name == DIAL:
            # A second push right after one is none: nobody bids twice in half a second.
            if push is Push.UP:
                heard = self.when_dial_pressed
            elif push is Push.HELD:
                heard = self.when_dial_held
        elif push is not None:
            handlers = {Push.DOWN: self.when_pressed, Push.HELD: self.when_held, Push.TWICE: self.when_twice}
            if push in handlers:
                heard = partial(handlers[push], name)
        if heard is not None:
            self._told.put(heard)

    def _turned(self, steps: int) -> None:
        self._told.put(partial(self.when_turned, steps))

    def _tell(self) -> None:
        while (heard := self._told.get()) is not None:
            try:
                heard()
            except Exception:
                # An error here would end the thread, and with it every later press.
                log.exception("a press of the panel went wrong")
            finally:
                self._told.task_done()

    def wait_until_told(self) -> None:
        """Wait until all that fingers did so far has been told."""
        with self._told.all_tasks_done:
            self._told.all_tasks_done.wait_for(lambda: not self._told.unfinished_tasks, TOLD_WITHIN)

    # Out: lamps, sounds

    def show(self, lamps: Mapping[str, Lamp], colours: Sequence[str | None] = ()) -> None:
        """Set lamps by name: "dudo", "calza", "status", "seat0" to "seat5". Lamps not named go off.

        `colours` are the players' colours by their seats, for lamps that have colours. Raises nothing: what cannot be
        set now is logged, and tried again.
        """
        with self._lock:
            for name in self._lamps:
                self._patterns[name] = lamps.get(name, Lamp.OFF)
            for n, colour in enumerate(colours):
                if f"seat{n}" in self._lights:
                    self._lights[f"seat{n}"] = light(colour)
            self._at_once()

    def play(self, sound: Sound) -> None:
        """Play a sound, in place of one that is playing; without a buzzer nothing. Raises nothing, as `show`."""
        with self._lock:
            self._sound = (sound, self._clock())
            self._at_once()

    def _at_once(self) -> None:
        """Show what is to be shown now and go on from there; the panel's own thread tries again what fails."""
        try:
            self.tick()
        except Exception:  # a press counts and the game goes on, whatever became of a lamp
            log.exception("the lamps could not be set")
        self._changed.notify_all()

    def tick(self) -> float | None:
        """Have every lamp and the buzzer do what they do now. Returns the seconds until the next change, None when
        nothing will change by itself. The panel does this by itself; a test may want to by its own clock."""
        with self._lock:
            if self._closing:
                return None
            now = self._clock()
            waits = []
            for name, device in self._lamps.items():
                ends = self._flashes.get(name, (now, 0.0))[0]
                if now >= ends:
                    self._flashes.pop(name, None)
                    waits.append(changes_in(self._patterns[name], now))
                else:
                    waits.append(ends - now)
                shown = self._level(name, now)
                wanted = tuple(each * shown for each in self._lights[name]) if name in self._lights else shown
                if device.value != wanted:
                    device.value = wanted
            waits.append(self._buzz(now))
            if DIAL in self._contacts:
                self._pushed(DIAL, self._contacts[DIAL].rest())
                waits.append(self._contacts[DIAL].due())
            return min((wait for wait in waits if wait is not None), default=None)

    def _level(self, name: str, now: float) -> float:
        if name in self._flashes and now < self._flashes[name][0]:
            return self._flashes[name][1]
        return level(self._patterns[name], now)

    def _buzz(self, now: float) -> float | None:
        if self._buzzer is None or self._sound is None:
            return None
        playing = tone(self._sound[0], now - self._sound[1])
        hertz, left = playing or (0.0, None)
        if not self.wiring.tones:
            self._buzzer.value = bool(hertz)
        elif hertz:
            self._buzzer.play(self._tone(hertz))
        else:
            self._buzzer.stop()
        if playing is None:
            self._sound = None  # only now: a buzzer that could not be stopped is stopped at the next tick
        return left

    def _beat(self) -> None:
        with self._changed:
            while not self._closing:
                try:
                    wait = self.tick()
                except Exception:
                    log.exception("the lamps could not be set")
                    wait = 1.0
                self._changed.wait(None if wait is None else max(SOONEST, wait))

    # The end

    def close(self) -> None:
        """Lamps off, pins given back. Safe to call twice."""
        with self._changed:
            if self._closing:
                return
            self._closing = True
            self._changed.notify_all()
        self._told.put(None)
        for thread in self._threads:
            thread.join(timeout=2.0)
        for part in (self.display, *self._devices):
            try:
                if part is not None:
                    part.close()
            except Exception:  # a display that was pulled out keeps no lamp lit and no pin taken
                log.exception("a part of the panel could not be closed")


class VirtualPanel(Panel):
    """The same panel on mock pins, with fingers. It is public: the demo's page presses these buttons."""

    virtual = True

    def __init__(self, wiring: Wiring | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives monotonic seconds for the debouncing and the lamps."""
        from gpiozero.pins.mock import MockFactory, MockPWMPin  # noqa: PLC0415

        super().__init__(wiring, clock=clock, factory=MockFactory(pin_class=MockPWMPin))

    def _open_display(self, wiring: DisplayWiring) -> Display:  # noqa: ARG002 - all of them show lines
        return VirtualDisplay()

    def press(self, button: str) -> None:
        """Push a button ("dial" too) down: its pin goes low. Comes back when everybody has been told.

        Raises `KeyError` for a button there is not.
        """
        self.pin(button).drive_low()
        self.wait_until_told()

    def release(self, button: str) -> None:
        """Let a button up: its pin goes high. Raises `KeyError` for a button there is not."""
        self.pin(button).drive_high()
        self.wait_until_told()

    def turn(self, steps: int) -> None:
        """Turn the dial, clockwise, or back where `steps` is negative. Raises `ValueError` where there is none."""
        if self.wiring.dial is None:
            raise ValueError("this panel has no dial")
        first, second = (self._factory.pin(pin) for pin in self.wiring.dial[:2])
        if steps < 0:
            first, second = second, first
        for _ in range(abs(steps)):
            first.drive_low()
            second.drive_low()
            first.drive_high()
            second.drive_high()
        self.wait_until_told()

    def pin(self, name: str) -> Any:
        """The mock pin of a button, or of a lamp by its name with "-lamp" behind, or "status", "seat0" to "seat5"."""
        if name in self._buttons:
            return self._buttons[name].pin
        return self._lamps[name.removesuffix("-lamp")].pin

    def patterns(self) -> dict[str, Lamp]:
        """What every lamp is told to do."""
        with self._lock:
            return dict(self._patterns)

    def down(self) -> frozenset[str]:
        """The buttons that are pressed now."""
        return frozenset(name for name, button in self._buttons.items() if button.is_pressed)

    def lit(self) -> dict[str, float | Light]:
        """How every lamp shines now, as its pins have it: a brightness from 0 to 1, or red, green and blue."""
        with self._lock:
            return {name: device.value for name, device in self._lamps.items()}


def _pins_of_this_machine() -> Any:
    """The pin factory gpiozero finds here; raises its `BadPinFactory` where there is none."""
    from gpiozero import Device  # noqa: PLC0415

    # gpiozero warns of every library it tries in vain. Each is worth a line in the log, not on the screen.
    with warnings.catch_warnings(record=True) as tried:
        warnings.simplefilter("always")
        try:
            Device.ensure_pin_factory()
        finally:
            for warning in tried:
                log.info("%s", warning.message)
    return Device.pin_factory


def ignore(what: object = None) -> None:
    """Nobody listens to the panel yet."""
    log.info("%s was pressed, and nobody listens", what or "the dial")
