"""A panel of buttons that need no soldering: keys of anything that is a keyboard to Linux. It has no lamps."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from companion.messages.message import Message
from hardware.panel.buzzer import PanelBuzzer
from hardware.panel.debounce import Debounce
from hardware.panel.input_devices import LOOK_EVERY, InputDevice, InputDevices, Plugged, Stroke
from hardware.panel.lamps import Lamps
from hardware.panel.panel import Panel, PanelError
from hardware.panel.wiring import Key, Wiring

log = logging.getLogger(__name__)

NO_PINS: Final = Wiring(buttons={}, lamps={}, seats=())
"""No pins are used."""


class UsbPanel(Panel):
    """DUDO and CALZA on keys of USB and Bluetooth devices, which may be unplugged and plugged in again."""

    close_time = 0.0
    """Devices debounce their own keys, and some Bluetooth ones send press and release together."""
    if_silent = "Is it plugged in, and charged? `perudo panel --learn` takes another key."

    def __init__(
        self,
        keys: Mapping[str, Sequence[Key]],
        *,
        clock: Callable[[], float] = time.monotonic,
        folder: Path | None = None,
        open_device: Callable[[str], InputDevice] | None = None,
    ) -> None:
        """`keys` are the keys of each button; `open_device` opens a file of `folder`.

        Raises `PanelError` without evdev, without keys, and if Linux has no such key. If a device is missing, the panel
        waits for it, and `sentence` says so.
        """
        self._keys = {name: tuple(each) for name, each in keys.items() if each}
        self._folder = folder
        self._open_device = open_device
        self._devices: InputDevices | None = None
        self._down: dict[str, set[tuple[Plugged, int]]] = {}
        super().__init__(NO_PINS, clock=clock)

    def _open(self, factory: Any) -> None:
        if not self._keys:
            raise _unusable("no key has been learned: `perudo panel --learn`")
        wanted = {key.device for keys in self._keys.values() for key in keys}
        self._devices = devices = open_devices(wanted, folder=self._folder, open_device=self._open_device)
        self._parts.callback(devices.close)
        self._codes = {name: {(key.device, _code(devices, key)) for key in keys} for name, keys in self._keys.items()}
        self._lamps = Lamps(self.wiring, factory, self._parts)
        self._buzzer = PanelBuzzer(self.wiring, factory, self._parts)
        for name in self._keys:
            self._contacts[name], self._down[name] = Debounce(self._clock, self.close_time), set()
            self._buttons[name] = _Contact(self._down[name])
        self.sentence = _trouble(devices)
        if self.sentence:
            log.warning("%s", self.sentence)
        self._threads.append(threading.Thread(target=self._follow, args=[devices], name="panel's keys", daemon=True))

    @property
    def places(self) -> dict[str, str]:
        """The keys of each button."""
        return {name: " or ".join(map(str, keys)) for name, keys in self._keys.items()}

    @property
    def missing(self) -> set[str]:
        """The buttons without any of their devices."""
        gone = set() if self._devices is None else set(self._devices.missing)
        return {name for name, keys in self._keys.items() if gone.issuperset(key.device for key in keys)}

    def _follow(self, devices: InputDevices) -> None:
        while not self._closing:
            try:
                self._step(devices)
            except Exception as error:  # whatever a device does, later presses must not be lost
                if not self.sentence:
                    log.exception("the buttons could not be read")
                self._say(_unusable(f"they cannot be read: {error}").message)
                with self._changed:
                    self._changed.wait(LOOK_EVERY)

    def _step(self, devices: InputDevices) -> None:
        complete = not devices.missing and not devices.busy and not self.sentence
        for stroke in devices.strokes(None if complete else LOOK_EVERY):
            self._struck(stroke)
        devices.look()
        self._say(_trouble(devices))

    def _say(self, sentence: str) -> None:
        """Set `sentence` to why a button does not respond, empty if all do, and report the change."""
        if sentence == self.sentence:
            return
        log.warning("%s", sentence or "Every button is there again.")
        self.sentence = sentence
        self._calls.put(self.when_changed)

    def _struck(self, stroke: Stroke) -> None:
        names = {(name, stroke.code) for name in stroke.plugged.names}
        for button, codes in self._codes.items():
            if not codes & names:
                continue
            with self._lock:
                down = self._down[button]
                (down.add if stroke.down else down.discard)((stroke.plugged, stroke.code))
                if stroke.lost:
                    self._contacts[button].forget_end()  # unplugging is no long press
                self._edge(button, bool(down))

    def _stop(self) -> None:
        if self._devices is not None:
            self._devices.wake()


class _Contact:
    """A button's contact, closed while any of its keys is pressed."""

    def __init__(self, down: set[tuple[Plugged, int]]) -> None:
        self._down = down

    @property
    def is_active(self) -> bool:
        """True if it is closed."""
        return bool(self._down)


def open_devices(
    wanted: set[str] | None,
    *,
    folder: Path | None = None,
    open_device: Callable[[str], InputDevice] | None = None,
) -> InputDevices:
    """Open `InputDevices`. Raises `PanelError` without evdev."""
    try:
        return InputDevices(wanted, folder=folder, open_device=open_device)
    except ImportError as error:
        raise _unusable("the program's extra `usb` is not installed") from error


def _code(devices: InputDevices, key: Key) -> int:
    code = devices.code_of(key.name)
    if code is None:
        near = get_close_matches(key.name, devices.key_names(), n=1)
        raise _unusable(f"Linux has no key {key.name}" + (f"; is {near[0]} meant" if near else ""))
    return code


def _trouble(devices: InputDevices) -> str:
    """Why a button does not respond, as a sentence; empty if all do."""
    if devices.busy:
        return _unusable(f"another program has taken {devices.busy[0]}").message
    if not devices.missing:
        return ""
    if devices.shut:
        return _unusable(f"{devices.shut[0]} may not be read; it takes the group input").message
    return Message("The button {device} is not there: plug it in, or switch it on.", device=devices.missing[0])


def _unusable(reason: str) -> PanelError:
    return PanelError(
        Message("The buttons cannot be used ({reason}). Everything can be done from a phone.", reason=reason)
    )
