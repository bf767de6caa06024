"""The panel on gpiozero's mock pins: the code that reads real buttons reads these."""

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
    """A display whose lines can be read, in the characters of a real one."""

    def __init__(self) -> None:
        self.lines: tuple[str, ...] = ()

    def show(self, lines: Sequence[str]) -> None:
        """As `hardware.panel.display.Display.show`."""
        self.lines = tuple(map(displayable, lines))

    def close(self) -> None:
        """Go dark."""
        self.lines = ()


class VirtualPanel(Panel):
    """A panel whose buttons are pressed by calls. The demo's page presses them."""

    virtual = True
    close_time = 0.0
    """A call has no glitches, and a test's clock stands still while it presses."""

    def __init__(self, wiring: Wiring | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives monotonic seconds."""
        from gpiozero.pins.mock import MockFactory, MockPWMPin  # noqa: PLC0415 - slow to import

        super().__init__(wiring, clock=clock, factory=MockFactory(pin_class=MockPWMPin))

    def _open_display(self, wiring: DisplayWiring) -> Display:  # noqa: ARG002 - all of them show lines
        return VirtualDisplay()

    def press(self, button: str) -> None:
        """Push down a button or the "dial": its pin goes low. Returns when the handlers have been called.

        Raises `KeyError` for an unknown button.
        """
        self.pin(button).drive_low()
        self.flush()

    def release(self, button: str) -> None:
        """Let a button up: its pin goes high. Raises `KeyError` for an unknown button."""
        self.pin(button).drive_high()
        self.flush()

    def turn(self, steps: int) -> None:
        """Turn the dial clockwise, or back if `steps` is negative. Raises `ValueError` if there is no dial."""
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
        """The mock pin of a button, or of the dial's push."""
        return self._buttons[button].pin

    def lamp_pin(self, lamp: str) -> Any:
        """The mock pin of a lamp of one colour."""
        return self._lamps.devices[lamp].pin

    def patterns(self) -> dict[str, LampPattern]:
        """The pattern of every lamp."""
        with self._lock:
            return dict(self._lamps.patterns)

    def down(self) -> frozenset[str]:
        """The buttons that are pressed now."""
        return frozenset(name for name, button in self._buttons.items() if button.is_active)

    def lit(self) -> dict[str, float | Light]:
        """The light of every lamp by its pins: a brightness from 0 to 1, or red, green and blue."""
        with self._lock:
            return {name: device.value for name, device in self._lamps.devices.items()}
