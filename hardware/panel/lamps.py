"""The lamps of the panel: their patterns and colours, and the flash that confirms a press."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any, Final

from hardware.panel.lamp_patterns import LampPattern, changes_in, level, winks
from hardware.panel.wiring import Wiring

Light = tuple[float, float, float]
"""Red, green and blue, each from 0 to 1."""

WHITE: Final[Light] = (1.0, 0.85, 0.7)
"""For a lamp without a player's colour. The blue and green of an LED are brighter than its red."""

LIGHTS: Final[Mapping[str, Light]] = {
    "red": (1.0, 0.0, 0.0),
    "orange": (1.0, 0.28, 0.0),
    "yellow": (1.0, 0.72, 0.0),
    "green": (0.0, 0.5, 0.04),
    "blue": (0.0, 0.05, 0.7),
    "purple": (0.4, 0.0, 0.9),
    "black": (0.75, 0.62, 0.55),  # no light is black: a winking white
    "white": (1.0, 0.9, 0.85),
}
"""The players' colours, named as in `calibration.palette.COLOURS`.

They differ in brightness as well as in hue, for colour-blind players. A colour only says whose lamp it is, as does its
place; the pattern carries the meaning.
"""

WINKING: Final = "black"
"""No light can show this colour, so its lamp goes dark for a moment now and then."""

FLASH_TIME: Final = 0.12
"""Seconds that a lamp is inverted when its button is pressed."""


class Lamps:
    """All lamps, by name: "dudo", "calza", "status", "seat0" to "seat5". Not thread-safe."""

    def __init__(self, wiring: Wiring, factory: Any, parts: ExitStack) -> None:
        """`factory` is a gpiozero pin factory; `parts` closes the lamps. All lamps start off."""
        from gpiozero import PWMLED, RGBLED  # noqa: PLC0415 - slow to import

        pins = dict(wiring.lamps)
        if wiring.status is not None:
            pins["status"] = wiring.status
        if not wiring.coloured:
            pins |= {f"seat{n}": pin for n, pin in enumerate(wiring.seats)}
        self.devices: dict[str, Any] = {
            name: parts.enter_context(PWMLED(pin, pin_factory=factory)) for name, pin in pins.items()
        }
        self._lights: dict[str, Light] = {}
        self._winking: set[str] = set()
        for n, three in enumerate(wiring.coloured):
            lamp = RGBLED(*three, active_high=not wiring.anode, pin_factory=factory)
            self.devices[f"seat{n}"] = parts.enter_context(lamp)
            self._lights[f"seat{n}"] = WHITE
        self.patterns: dict[str, LampPattern] = dict.fromkeys(self.devices, LampPattern.OFF)
        self._flashes: dict[str, tuple[float, float]] = {}
        """Lamp -> when its flash ends, and its brightness until then."""

    def show(self, patterns: Mapping[str, LampPattern], colours: Sequence[str | None]) -> None:
        """Set the lamps from the next `tick` on. Lamps not named go off; `colours` are the players', by seat."""
        for name in self.devices:
            self.patterns[name] = patterns.get(name, LampPattern.OFF)
        for n, colour in enumerate(colours):
            if f"seat{n}" in self._lights:
                self._lights[f"seat{n}"] = LIGHTS.get(colour or "", WHITE)
                (self._winking.add if colour == WINKING else self._winking.discard)(f"seat{n}")

    def flash(self, name: str, now: float) -> None:
        """Invert a lamp for a moment, if there is one with that name."""
        if name in self.devices:
            self._flashes[name] = (now + FLASH_TIME, 0.0 if self._level(name, now) >= 0.5 else 1.0)

    def tick(self, now: float) -> float | None:
        """Set the lamps for the present moment. Returns the seconds until they change; None if they do not."""
        waits = []
        for name, device in self.devices.items():
            ends = self._flashes.get(name, (now, 0.0))[0]
            if now >= ends:
                self._flashes.pop(name, None)
                waits.append(changes_in(self.patterns[name], now))
            else:
                waits.append(ends - now)
            shown = self._level(name, now)
            if name in self._winking and self.patterns[name] is not LampPattern.OFF:
                dark, wait = winks(now)
                shown = 0.0 if dark else shown
                waits.append(wait)
            wanted = tuple(each * shown for each in self._lights[name]) if name in self._lights else shown
            if device.value != wanted:
                device.value = wanted
        return min((wait for wait in waits if wait is not None), default=None)

    def _level(self, name: str, now: float) -> float:
        if name in self._flashes and now < self._flashes[name][0]:
            return self._flashes[name][1]
        return level(self.patterns[name], now)
