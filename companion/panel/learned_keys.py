"""Which key is DUDO and which is CALZA: whoever sets the box up presses them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Final

from companion.messages.message import Message
from hardware.panel.input_devices import InputDevices, Stroke
from hardware.panel.wiring import BUTTONS, Key

PATIENCE: Final = 15.0
"""Seconds to wait for each button."""


NO_DEVICE: Final = Message("There is no button or keyboard here. Plug one in, or pair it.")


def learn_keys(
    devices: InputDevices,
    say: Callable[[Message], None],
    clock: Callable[[], float] = time.monotonic,
    patience: float = PATIENCE,
    *,
    stopped: Callable[[], bool] = lambda: False,
) -> dict[str, Key]:
    """The key that was pressed for each button: for DUDO and CALZA, DUDO alone, or none, as when it was `stopped`.

    Where a button sends several keys, as Shift and F5, it is the last of them.
    """
    learned: dict[str, Key] = {}
    last: Stroke | None = None
    for button in BUTTONS:
        name = button.upper()
        say(Message("Press what shall be {button}: a button, a pedal, a key.", button=name))
        deadline = clock() + patience
        while button not in learned and not stopped() and (left := deadline - clock()) > 0:
            for stroke in devices.strokes(left):
                if stroke.down:
                    last = stroke
                elif last is not None and button not in learned:
                    key, last = devices.key_of(last), None
                    if key is None:
                        say(Message("Linux has no name for that key. Press another one."))
                    elif key in learned.values():
                        say(Message("That one is DUDO. Press another one."))
                    else:
                        learned[button] = key
                        say(Message("{button} is {key}.", button=name, key=str(key)))
            devices.look()
        if stopped():
            return {}
        if button not in learned:
            say(Message("Nothing was pressed for {button}.", button=name))
            break
    return learned


def keys_of_panel(learned: Mapping[str, Key]) -> dict[str, object]:
    """What was learned as keys of [panel]."""
    return {"input": "usb"} | {
        f"{button}_keys": (str(learned[button]),) if button in learned else () for button in BUTTONS
    }
