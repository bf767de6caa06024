"""Learns which keys are DUDO and CALZA, by having somebody press them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from companion.messages.message import Message
from hardware.panel.input_devices import InputDevices, Stroke
from hardware.panel.wiring import BUTTONS, Key

PATIENCE: Final = 15.0
"""Seconds to wait for each button."""


NO_DEVICE: Final = Message("There is no button or keyboard here. Plug one in, or pair it.")


LOCK_KEYS: Final = frozenset({"KEY_NUMLOCK", "KEY_CAPSLOCK", "KEY_SCROLLLOCK"})
"""Never buttons: keypads send one before and after each of their keys."""


def learn_keys(
    devices: InputDevices,
    say: Callable[[Message], None],
    clock: Callable[[], float] = time.monotonic,
    patience: float = PATIENCE,
    *,
    stopped: Callable[[], bool] = lambda: False,
) -> dict[str, tuple[Key, ...]]:
    """The keys of each button: for DUDO and CALZA, for DUDO alone, or for none, for example if `stopped`.

    A button is pressed until it repeats a key, because a presenter may send two keys in turn. Of keys sent together,
    such as Shift and F5, the last one counts.
    """
    learned: dict[str, tuple[Key, ...]] = {}
    last: Stroke | None = None
    for button in BUTTONS:
        name, pushed = button.upper(), list[Key]()
        say(Message("Press the button, pedal or key for {button}.", button=name))
        deadline = clock() + patience
        while button not in learned and not stopped() and (left := deadline - clock()) > 0:
            for stroke in devices.strokes(left):
                if stroke.down:
                    last = stroke
                    continue
                if last is None or button in learned:
                    continue
                key, last = devices.key_of(last), None
                if key is None:
                    say(Message("Linux has no name for that key. Press another one."))
                elif key.name in LOCK_KEYS:
                    continue
                elif any(key in keys for keys in learned.values()):
                    say(Message("That one is DUDO. Press another one."))
                elif key in pushed:
                    learned[button] = tuple(pushed)
                    say(Message("{button} is {key}.", button=name, key=" or ".join(map(str, pushed))))
                else:
                    pushed.append(key)
                    deadline = clock() + patience
                    say(Message("Press {button} once more.", button=name))
            devices.look()
        if stopped():
            return {}
        if button not in learned:
            say(Message("Nothing was pressed for {button}.", button=name))
            break
    return learned


def keys_of_panel(learned: Mapping[str, Sequence[Key]]) -> dict[str, object]:
    """The learned keys as keys of [panel]."""
    return {"input": "usb"} | {f"{button}_keys": tuple(map(str, learned.get(button, ()))) for button in BUTTONS}
