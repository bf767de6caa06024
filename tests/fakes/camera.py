"""A fake camera that plays a script and records its calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from hardware.camera.protocol import CameraError, FixedExposure, Frame, Image


class ScriptedCamera(FixedExposure):
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
        return Frame(self._now, self.taken)

    def close(self) -> None:
        """Counted in `closed`."""
        self.closed += 1
