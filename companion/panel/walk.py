"""A test of a newly soldered panel: every lamp is lit and named, every button waited for."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from hardware.panel.buzzer import Sound
from hardware.panel.debounce import Push
from hardware.panel.header import pin_of
from hardware.panel.lamp_patterns import LampPattern
from hardware.panel.panel import Panel
from hardware.panel.wiring import DIAL

LIGHT_TIME: Final = 1.5
"""Seconds each lamp is lit."""

BUTTON_PATIENCE: Final = 15.0
"""Seconds to wait for a button."""

Heard = tuple[str, str]
"""What was felt: ("pressed", "dudo"), ("turned", "1")."""


class PanelWalk:
    """One walk through the panel. `say` gets a line at a time; `wait` lets seconds pass."""

    def __init__(
        self,
        panel: Panel,
        say: Callable[[str], None],
        wait: Callable[[float], object],
        patience: float = BUTTON_PATIENCE,
    ) -> None:
        """`patience` is how long to wait for each button, in seconds. Replaces the panel's handlers."""
        self._panel = panel
        self._say = say
        self._wait = wait
        self._patience = patience
        self._heard: queue.Queue[Heard] = queue.Queue()
        self._missed: list[str] = []
        panel.when_pushed = self._pushed
        panel.when_turned = lambda steps: self._heard.put(("turned", str(steps)))

    def _pushed(self, button: str, push: Push) -> None:
        if push is Push.DOWN:
            self._heard.put(("pressed", button))

    def go(self) -> tuple[str, ...]:
        """Returns the names of the buttons, and of the dial, that were not felt."""
        for name, where in self._lamps():
            self._lamp(name, where)
        for n, pins in enumerate(self._panel.wiring.coloured):
            for colour, pin in zip(("red", "green", "blue"), pins, strict=True):
                self._lamp(f"seat{n}", f"The lamp of seat {n + 1} is {colour} ({_pin(pin)}).", [None] * n + [colour])
        if self._panel.wiring.buzzer is not None:
            self._say(f"The buzzer ({_pin(self._panel.wiring.buzzer)}) plays.")
            self._panel.play(Sound.WON)
            self._wait(LIGHT_TIME)
        if self._panel.display is not None:
            self._say("The display says: perudo 123.")
            self._panel.display.show(("perudo 123",))
            self._wait(LIGHT_TIME)
        if self._panel.sentence:
            self._say(self._panel.sentence)
        for name, pin in self._panel.wiring.buttons.items():
            self._button(name, pin)
        if self._panel.wiring.dial is not None:
            self._dial(*self._panel.wiring.dial)
        self._panel.show({})
        return tuple(dict.fromkeys(self._missed))

    def _lamps(self) -> Iterator[tuple[str, str]]:
        wiring = self._panel.wiring
        for name, pin in wiring.lamps.items():
            yield name, f"The lamp in {name.upper()} ({_pin(pin)}) is lit."
        if wiring.status is not None:
            yield "status", f"The status lamp ({_pin(wiring.status)}) is lit."
        if not wiring.coloured:
            for n, pin in enumerate(wiring.seats):
                yield f"seat{n}", f"The lamp of seat {n + 1} ({_pin(pin)}) is lit."

    def _lamp(self, name: str, where: str, colours: Sequence[str | None] = ()) -> None:
        self._say(where)
        self._panel.show({name: LampPattern.ON}, colours)
        self._wait(LIGHT_TIME)

    def _button(self, name: str, pin: int) -> None:
        lamp = {name: LampPattern.BLINK} if name in self._panel.wiring.lamps else {}
        self._panel.show(lamp)
        self._felt(
            f"Press {name.upper()}.",
            ("pressed", name),
            f"felt at {_pin(pin)}.",
            f"Nothing was felt at {_pin(pin)}. Does the button close that pin to ground?",
        )

    def _dial(self, a: int, b: int, push: int) -> None:
        self._felt(
            "Turn the dial clockwise.",
            ("turned", "1"),
            "felt.",
            f"Nothing was felt at {_pin(a)} and {_pin(b)}. Is its middle contact on ground?",
            wrong={("turned", "-1"): "it turned the other way: exchange the first two pins of dial in [panel]."},
        )
        self._felt(
            "Push the dial.",
            ("pressed", DIAL),
            f"felt at {_pin(push)}.",
            f"Nothing was felt at {_pin(push)}. Does the push close that pin to ground?",
        )

    def _felt(self, ask: str, wanted: Heard, good: str, bad: str, wrong: dict[Heard, str] | None = None) -> None:
        while not self._heard.empty():
            self._heard.get()
        self._say(ask)
        try:
            heard = self._heard.get(timeout=self._patience)
            while heard[0] == "turned" and wanted[0] == "pressed":  # a hand seldom turns a dial by one step only
                heard = self._heard.get(timeout=self._patience)
        except queue.Empty:
            self._say(f"  {bad}")
            self._missed.append(wanted[1] if wanted[0] == "pressed" else DIAL)
            return
        if heard == wanted:
            self._say(f"  {good[0].upper()}{good[1:]}")
            return
        said = (wrong or {}).get(heard, f"that was {heard[1].upper()}: the wires of two parts are exchanged.")
        self._say(f"  {said[0].upper()}{said[1:]}")
        self._missed.append(wanted[1] if wanted[0] == "pressed" else DIAL)


def _pin(gpio: int) -> str:
    return f"GPIO {gpio}, pin {pin_of(gpio)}"
