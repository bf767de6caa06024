"""The panel on the table: a DUDO button, a CALZA button, a lamp in each and a lamp a seat.

    HardwareError (RuntimeError)
    └── PanelError                    there are no pins here, or they are taken

`VirtualPanel` is `Panel` on gpiozero's mock pins: the code that reads the real button is the code that runs.
"""

from __future__ import annotations

import logging
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto
from typing import Any, Final

from companion.engine.said import Said
from hardware.camera import HardwareError

log = logging.getLogger(__name__)

BUTTONS: Final = ("dudo", "calza")
SEATS: Final = 6
"""Lamps for seats, numbered clockwise from 0."""

QUIET: Final = 0.03
"""Seconds a contact must have been quiet before a press counts. Push buttons bounce for 1 to 10 ms."""

BLINK: Final = 0.4
"""Seconds on, and seconds off, of a blinking lamp."""


class PanelError(HardwareError):
    """The panel cannot be used. The game goes on without one."""


class Lamp(StrEnum):
    """What a lamp does."""

    OFF = "off"
    ON = "on"
    BLINK = "blink"


@dataclass(frozen=True, slots=True)
class Wiring:
    """GPIO numbers (BCM). Buttons close to ground; lamps light when their pin is high."""

    buttons: Mapping[str, int] = field(default_factory=lambda: {"dudo": 17, "calza": 27})
    lamps: Mapping[str, int] = field(default_factory=lambda: {"dudo": 23, "calza": 24})
    """The lamps in the buttons."""
    seats: tuple[int, ...] = (5, 6, 13, 19, 26, 21)


HELD: Final = 0.8
"""Seconds from which on a press is a long one."""


class Push(Enum):
    """What a finger did."""

    DOWN = auto()
    """A press; it counts at once, however long it will be."""
    HELD = auto()
    """The press that counted before was a long one, and is over."""


class Debounce:
    """Tells a press, and a long one, from the bouncing of a contact.

    A press counts when the contact had been quiet for `QUIET` seconds before it. So the first edge of a press
    counts at once, the bounces after it and those of the release do not, and no timer is needed that could
    miss the end of a bounce. gpiozero's own `bounce_time` is not used: its mock pins ignore it, and what runs
    in the tests must be what runs on the table.
    """

    def __init__(self, clock: Callable[[], float], quiet: float = QUIET, held: float = HELD) -> None:
        """`clock` gives monotonic seconds; `quiet` and `held` are in seconds."""
        self._clock = clock
        self._quiet = quiet
        self._held = held
        self._last = float("-inf")
        self._down: float | None = None

    def edge(self, pressed: bool) -> Push | None:
        """Take note of a change of the contact; say what the finger did, None when it only bounced or let go."""
        now = self._clock()
        since, self._last = now - self._last, now
        if pressed:
            if since < self._quiet:
                return None
            self._down = now
            return Push.DOWN
        if self._down is None or now - self._down < self._held:
            return None
        self._down = None
        return Push.HELD


class Panel:
    """The real panel, by gpiozero. Handlers are called in gpiozero's thread."""

    virtual: bool = False

    def __init__(
        self,
        wiring: Wiring | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        factory: Any = None,
    ) -> None:
        """`clock` gives monotonic seconds for the debouncing; `factory` is a gpiozero pin factory, None for the
        one gpiozero finds on this machine.

        Raises `PanelError` where there are no GPIO pins or another program holds them.
        """
        self.wiring = wiring or Wiring()
        self.when_pressed: Callable[[str], None] = ignore
        """Called with the button's name, "dudo" or "calza", at each press."""
        self.when_held: Callable[[str], None] = ignore
        """Called with the button's name when a long press is over; `when_pressed` was called when it began."""
        self._lock = threading.Lock()
        self._shown: dict[str, Lamp] = {}
        self._devices: list[Any] = []
        try:
            self._open(clock, factory)
        except Exception as error:
            self.close()
            raise PanelError(
                Said(
                    "The panel's pins cannot be used, so there are no buttons and lamps ({reason}). "
                    "Everything can be done from a phone.",
                    reason=str(error).rstrip(".!"),
                )
            ) from error

    def _open(self, clock: Callable[[], float], factory: Any) -> None:
        from gpiozero import LED, Button  # noqa: PLC0415 - a quarter of a second of imports

        # Handed to every device and never set as gpiozero's global default: a virtual panel must not turn the
        # real pins of the same process into mock ones.
        if factory is None:
            factory = _pins_of_this_machine()
        self._factory = factory
        self._lamps: dict[str, Any] = {}
        self._buttons: dict[str, Any] = {}
        named = {**self.wiring.lamps, **{f"seat{n}": pin for n, pin in enumerate(self.wiring.seats)}}
        for name, pin in named.items():
            self._lamps[name] = LED(pin, pin_factory=factory)
            self._devices.append(self._lamps[name])
            self._shown[name] = Lamp.OFF
        for name, pin in self.wiring.buttons.items():
            button = Button(pin, pull_up=True, pin_factory=factory)
            self._devices.append(button)
            self._buttons[name] = button
            self._watch(name, button, Debounce(clock))

    def _watch(self, name: str, button: Any, debounce: Debounce) -> None:
        def pressed() -> None:
            self._pushed(name, debounce.edge(True))

        def released() -> None:
            self._pushed(name, debounce.edge(False))

        button.when_pressed = pressed
        button.when_released = released

    def _pushed(self, name: str, push: Push | None) -> None:
        if push is None:
            return
        try:
            (self.when_pressed if push is Push.DOWN else self.when_held)(name)
        except Exception:
            # An error here would end gpiozero's thread, and with it every later press.
            log.exception("the press of %s went wrong", name)

    def show(self, lamps: Mapping[str, Lamp]) -> None:
        """Set lamps by name: "dudo", "calza", "seat0" to "seat5". Lamps not named go off."""
        with self._lock:
            for name, device in self._lamps.items():
                wanted = lamps.get(name, Lamp.OFF)
                if self._shown[name] is wanted:
                    continue  # starting a blink anew would make it stutter
                self._shown[name] = wanted
                if wanted is Lamp.BLINK:
                    device.blink(on_time=BLINK, off_time=BLINK, background=True)
                elif wanted is Lamp.ON:
                    device.on()
                else:
                    device.off()

    def close(self) -> None:
        """Lamps off, pins given back. Safe to call twice."""
        devices, self._devices = self._devices, []
        for device in devices:
            device.close()


class VirtualPanel(Panel):
    """The same panel on mock pins, with fingers. It is public: the demo's page presses these buttons."""

    virtual = True

    def __init__(self, wiring: Wiring | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives monotonic seconds for the debouncing."""
        from gpiozero.pins.mock import MockFactory, MockPWMPin  # noqa: PLC0415

        super().__init__(wiring, clock=clock, factory=MockFactory(pin_class=MockPWMPin))

    def press(self, button: str) -> None:
        """Push a button down: its pin goes low. Raises `KeyError` for a button there is not."""
        self.pin(button).drive_low()

    def release(self, button: str) -> None:
        """Let a button up: its pin goes high. Raises `KeyError` for a button there is not."""
        self.pin(button).drive_high()

    def pin(self, name: str) -> Any:
        """The mock pin of a button, or of a lamp by its name with "-lamp" behind or "seat0" to "seat5"."""
        if name in self._buttons:
            return self._buttons[name].pin
        return self._lamps[name.removesuffix("-lamp")].pin


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


def ignore(button: str) -> None:
    """Nobody listens to the panel yet."""
    log.info("%s was pressed, and nobody listens", button)
