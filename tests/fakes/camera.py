"""A fake camera that plays a script and records its calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np
import numpy.typing as npt

from hardware.camera.protocol import BaseCamera, CameraError, Frame, Image


def plain(grey: int) -> Image:
    """A small picture of one grey."""
    return np.full((12, 16, 3), grey, np.uint8)


class ScriptedCamera(BaseCamera):
    """A fake camera that gives the images of a script; a string in the script is a `CameraError` with that sentence.

    The last entry of the script is repeated for ever.
    """

    def __init__(
        self, script: Iterable[Image | str], clock: Callable[[], float], name: str = "scripted", *, sensor: bool = False
    ) -> None:
        """`clock` gives the time, in seconds, at which each frame counts as taken."""
        self._script: Iterator[Image | str] = iter(script)
        self._clock = clock
        self.name = name
        self.sensor = sensor
        self.size = (0, 0)
        self._now: Image | str = "the script is empty"
        self.asked: list[float] = []
        """The `after` of every call so far."""
        self.taken = float("-inf")
        """When the last frame was."""
        self.closed = 0
        """How often it was closed."""

    def frame(self, after: float = 0.0) -> Frame:
        """The next image of the script. Raises `CameraError` where the script has a sentence instead."""
        self.asked.append(after)
        self._now = next(self._script, self._now)
        if isinstance(self._now, str):
            raise CameraError(self._now)
        self.size = self._now.shape[1], self._now.shape[0]
        self.taken = max(self._clock(), after)
        return Frame(self._now, self.taken, noise=self.sensor)

    def close(self) -> None:
        """Counted in `closed`."""
        self.closed += 1


class LitCamera(ScriptedCamera):
    """A fake camera that exposes light with a sensor's noise, as long and with as much gain as it is locked to."""

    USUAL: Mapping[str, float] = {"exposure": 10_000.0, "gain": 4.0}

    def __init__(self, light: npt.NDArray[np.float32], clock: Callable[[], float], noise: float = 0.02) -> None:
        """light: height x width x 3, linear, blue first; 1 is white at the usual exposure. noise: that of white."""
        super().__init__([np.zeros(light.shape, np.uint8)], clock)
        self._light, self._noise = light, noise
        self._rng = np.random.default_rng(5)
        self._values = self.USUAL

    def frame(self, after: float = 0.0) -> Frame:
        """The light as it is exposed now."""
        frame = super().frame(after)
        gain = self._values["gain"] / self.USUAL["gain"]
        light = self._light * (gain * self._values["exposure"] / self.USUAL["exposure"])
        grain = self._rng.standard_normal(light.shape, np.float32)
        light = light + grain * np.sqrt((light + 0.01) * gain) * self._noise  # shot noise is that of fewer photons
        return Frame(np.round(np.clip(light, 0, 1) ** (1 / 2.2) * 255).astype(np.uint8), frame.at)

    def lock(self, values: Mapping[str, float] | None = None) -> Mapping[str, float]:
        """Lock exposure and gain."""
        self._values = dict(self._values if values is None else values)
        return self._values

    def unlock(self) -> None:
        """Expose as usual."""
        self._values = self.USUAL
