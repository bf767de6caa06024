"""The panel on gpiozero's mock pins, read by the code that reads real buttons."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from hardware.panel.display import Display, displayable
from hardware.panel.lamp_patterns import LampPattern
from hardware.panel.lamps import Light
from hardware.panel.panel import Panel
from hardware.panel.wiring import DisplayWiring, Wiring


class VirtualDisplay:
    """A display whose lines can be read back, in a real display's characters."""

    def __init__(self) -> None:
        self.lines: tuple[str, ...] = ()

    def show(self, lines: Sequence[str]) -> None:
        """As `hardware.panel.display.Display.show`."""
        self.lines = tuple(map(displayable, lines))

    def close(self) -> None:
        """Switch off."""
        self.lines = ()


class VirtualPanel(Panel):
    """A panel whose buttons are pressed by calls. The demo's page presses them."""

    virtual = True
    close_time = 0.0
    """Calls have no glitches, and a test's clock stands still while it presses."""

    def __init__(self, wiring: Wiring | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` returns monotonic seconds."""
        from gpiozero.pins.mock import MockFactory, MockPWMPin  # noqa: PLC0415 - slow to import

        super().__init__(wiring, clock=clock, factory=MockFactory(pin_class=MockPWMPin))

    def _open_display(self, wiring: DisplayWiring) -> Display:  # noqa: ARG002 - all of them show lines
        return VirtualDisplay()

    def press(self, button: str) -> None:
        """Press a button or the "dial": its pin goes low. Returns once the handlers have run.

        Raises `KeyError` for an unknown button.
        """
        self.pin(button).drive_low()
        self.flush()

    def release(self, button: str) -> None:
        """Release a button: its pin goes high. Raises `KeyError` for an unknown button."""
        self.pin(button).drive_high()
        self.flush()

    def turn(self, steps: int) -> None:
        """Turn the dial clockwise, or back if `steps` is negative. Raises `ValueError` without a dial."""
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
        self.flush()

    def pin(self, button: str) -> Any:
        """The mock pin of a button or of the dial's push."""
        return self._buttons[button].pin

    def patterns(self) -> dict[str, LampPattern]:
        with self._lock:
            return dict(self._lamps.patterns)

    def down(self) -> frozenset[str]:
        """The pressed buttons."""
        return frozenset(name for name, button in self._buttons.items() if button.is_active)

    def lit(self) -> dict[str, float | Light]:
        """Brightness of each lamp, 0 to 1, by its pin, or its red, green and blue."""
        with self._lock:
            return {name: device.value for name, device in self._lamps.devices.items()}
