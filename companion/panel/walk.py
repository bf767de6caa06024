"""Tests a newly soldered panel: lights and names every lamp, and waits for every button."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from typing import Final

from hardware.panel.buzzer import Sound
from hardware.panel.debounce import Push
from hardware.panel.header import place_of
from hardware.panel.lamp_patterns import LampPattern
from hardware.panel.panel import Panel
from hardware.panel.wiring import DIAL

LIGHT_TIME: Final = 1.5
"""Seconds that each lamp is lit."""

BUTTON_PATIENCE: Final = 15.0
"""Seconds to wait for a button."""

Touch = tuple[str, str]
"""For example ("pressed", "dudo") or ("turned", "1")."""


class PanelWalk:
    """One walk through the panel. `say` gets one line at a time; `wait` waits for seconds."""

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
        self._touches: queue.Queue[Touch] = queue.Queue()
        self._missed: list[str] = []
        panel.when_pushed = self._pushed
        panel.when_turned = lambda steps: self._touches.put(("turned", str(steps)))

    def _pushed(self, button: str, push: Push) -> None:
        if push is Push.DOWN:
            self._touches.put(("pressed", button))

    def go(self) -> tuple[str, ...]:
        """Walk through the whole panel. Returns the names of the buttons, including the dial, that did not respond."""
        panel, wiring = self._panel, self._panel.wiring
        for name, colours, what in self._lamps():
            self._say(what)
            panel.show({name: LampPattern.ON}, colours)
            self._wait(LIGHT_TIME)
        if wiring.buzzer is not None:
            self._say(f"The buzzer ({place_of(wiring.buzzer)}) plays.")
            panel.play(Sound.WON)
            self._wait(LIGHT_TIME)
        if panel.display is not None:
            self._say("The display says: perudo 123.")
            panel.display.show(("perudo 123",))
            self._wait(LIGHT_TIME)
        if panel.sentence:
            self._say(panel.sentence)
        for name, place in panel.places.items():
            panel.show({name: LampPattern.BLINK} if name in wiring.lamps else {})
            silence = f"Nothing was felt at {place}. {panel.if_silent}"
            self._ask(f"Press {name.upper()}.", ("pressed", name), f"Felt at {place}.", silence)
        if wiring.dial is not None:
            self._dial(*wiring.dial)
        panel.show({})
        return tuple(dict.fromkeys(self._missed))

    def _lamps(self) -> Iterator[tuple[str, list[str | None], str]]:
        """Each lamp, the colours of the seats up to it, and what should be visible."""
        wiring = self._panel.wiring
        for name, pin in wiring.lamps.items():
            yield name, [], f"The lamp in {name.upper()} ({place_of(pin)}) is lit."
        if wiring.status is not None:
            yield "status", [], f"The status lamp ({place_of(wiring.status)}) is lit."
        if not wiring.coloured:
            for n, pin in enumerate(wiring.seats):
                yield f"seat{n}", [], f"The lamp of seat {n + 1} ({place_of(pin)}) is lit."
        for n, pins in enumerate(wiring.coloured):
            for colour, pin in zip(("red", "green", "blue"), pins, strict=True):
                yield f"seat{n}", [None] * n + [colour], f"The lamp of seat {n + 1} is {colour} ({place_of(pin)})."

    def _dial(self, a: int, b: int, push: int) -> None:
        silence = f"Nothing was felt at {place_of(a)} and {place_of(b)}. Is its middle contact on ground?"
        self._ask("Turn the dial clockwise.", ("turned", "1"), "Felt.", silence)
        silence = f"Nothing was felt at {place_of(push)}. Does the push close that pin to ground?"
        self._ask("Push the dial.", ("pressed", DIAL), f"Felt at {place_of(push)}.", silence)

    def _ask(self, question: str, wanted: Touch, success: str, silence: str) -> None:
        """Ask for a touch. Say `success` if it comes, `silence` if none comes, or what is wrong if another one
        comes."""
        while not self._touches.empty():
            self._touches.get()
        self._say(question)
        touch = self._next(wanted)
        if touch is None:
            answer = silence
        elif touch == wanted:
            answer = success
        elif touch == ("turned", "-1"):
            answer = "It turned the other way: exchange the first two pins of dial in [panel]."
        else:
            answer = f"That was {touch[1].upper()}: the wires of two parts are exchanged."
        self._say(f"  {answer}")
        if touch != wanted:
            self._missed.append(wanted[1] if wanted[0] == "pressed" else DIAL)

    def _next(self, wanted: Touch) -> Touch | None:
        """The next touch; None if none comes. Somebody pressing the dial may turn it first."""
        try:
            touch = self._touches.get(timeout=self._patience)
            while touch[0] == "turned" and wanted[0] == "pressed":
                touch = self._touches.get(timeout=self._patience)
        except queue.Empty:
            return None
        return touch
