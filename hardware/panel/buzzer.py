"""The sounds of the panel, and the buzzer that plays them."""

from __future__ import annotations

from contextlib import ExitStack
from enum import Enum
from typing import Any

from hardware.panel.wiring import Wiring


class Sound(Enum):
    """A short sound as a series of (hertz, seconds); 0 hertz is silence. A buzzer without tones only beeps."""

    PRESS = ((660.0, 0.04),)
    """A button was pressed."""
    LOOK = ((440.0, 0.08), (0.0, 0.04), (660.0, 0.08))
    """The cups are up and the camera looks."""
    ASKED = ((660.0, 0.1), (0.0, 0.1), (660.0, 0.1))
    """The players have a question to answer."""
    JUDGED = ((440.0, 0.1), (550.0, 0.1), (660.0, 0.2))
    """There is a verdict."""
    WON = ((440.0, 0.12), (550.0, 0.12), (660.0, 0.12), (880.0, 0.4))
    """Somebody has won."""
    REFUSED = ((220.0, 0.25),)
    """A press had no effect."""
    VOID = ((440.0, 0.12), (0.0, 0.06), (330.0, 0.12), (0.0, 0.06), (330.0, 0.12))
    """The round is void."""
    OFF = ((660.0, 0.2), (440.0, 0.2), (330.0, 0.4))
    """The box switches off."""


def tone(sound: Sound, since: float) -> tuple[float, float] | None:
    """The pitch in hertz `since` seconds after a sound began, and its remaining seconds; None after the sound."""
    for hertz, seconds in sound.value:
        if since < seconds:
            return hertz, seconds - since
        since -= seconds
    return None


class PanelBuzzer:
    """The panel's buzzer, silent if none is wired. Not thread-safe."""

    def __init__(self, wiring: Wiring, factory: Any, parts: ExitStack) -> None:
        """`factory` is a gpiozero pin factory; `parts` closes the buzzer."""
        from gpiozero import Buzzer, TonalBuzzer  # noqa: PLC0415 - slow to import
        from gpiozero.tones import Tone  # noqa: PLC0415

        self._tone = Tone.from_frequency
        self._tones = wiring.tones
        self.device: Any = None
        if wiring.buzzer is not None:
            kind = TonalBuzzer if wiring.tones else Buzzer
            self.device = parts.enter_context(kind(wiring.buzzer, pin_factory=factory))
        self._sound: tuple[Sound, float] | None = None

    def play(self, sound: Sound, now: float) -> None:
        """Start a sound at the next `tick`, in place of the current one."""
        self._sound = (sound, now)

    def tick(self, now: float) -> float | None:
        """Play the present tone. Returns the seconds until it changes; None if it does not."""
        if self.device is None or self._sound is None:
            return None
        playing = tone(self._sound[0], now - self._sound[1])
        hertz, wait = playing or (0.0, None)
        if not self._tones:
            self.device.value = bool(hertz)
        elif hertz:
            self.device.play(self._tone(hertz))
        else:
            self.device.stop()
        if playing is None:
            self._sound = None  # only now: a buzzer that could not be stopped is stopped at the next tick
        return wait
