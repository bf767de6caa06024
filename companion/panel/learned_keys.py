"""Which key is DUDO and which is CALZA: whoever sets the box up presses them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from hardware.panel.input_devices import InputDevices, Stroke
from hardware.panel.wiring import BUTTONS, Key

PATIENCE: Final = 15.0
"""Seconds to wait for each button."""


def learn_keys(
    devices: InputDevices,
    say: Callable[[str], None],
    clock: Callable[[], float] = time.monotonic,
    patience: float = PATIENCE,
) -> dict[str, Key]:
    """The key that was pressed for each button; nothing for one that was not pressed.

    Where a button sends several keys, as Shift and F5, it is the last of them.
    """
    learned: dict[str, Key] = {}
    last: Stroke | None = None
    for button in BUTTONS:
        say(f"Press what shall be {button.upper()}: a button, a pedal, a key.")
        deadline = clock() + patience
        while button not in learned and (left := deadline - clock()) > 0:
            for stroke in devices.strokes(left):
                if stroke.down:
                    last = stroke
                elif last is not None and button not in learned:
                    key, last = devices.key_of(last), None
                    if key is None:
                        say("  Linux has no name for that key. Press another one.")
                    elif key in learned.values():
                        say("  That one is DUDO. Press another one.")
                    else:
                        learned[button] = key
                        say(f"  {button.upper()} is {key}.")
            devices.look()
        if button not in learned:
            say("  Nothing was pressed.")
    return learned
