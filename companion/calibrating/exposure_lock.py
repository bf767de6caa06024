"""The camera's exposure during a calibration: its own choice at first, and held from where colours count.

Colours belong to one exposure. Going back to them, after the lamp was moved, has it chosen again; leaving them out
keeps the former ones together with the exposure of then. A reading of the game comes first: for it, the camera is held
as the profile in use wants it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from companion.calibrating.changes import CalibrationStep
from companion.calibrating.progress import Progress
from companion.camera.profile_in_use import ProfileInUse
from hardware.camera.protocol import Camera, CameraError

log = logging.getLogger(__name__)

EXPOSURE_SETTLES: Final = 1.5
"""Seconds in which a camera that was held finds its exposure again."""


class ExposureLock:
    """What the camera is held at. For one thread at a time."""

    def __init__(self, camera: Camera, in_use: ProfileInUse, clock: Callable[[], float]) -> None:
        """`clock` gives monotonic seconds."""
        self._camera = camera
        self._in_use = in_use
        self._clock = clock
        self._lent = False
        self._hold_from: float | None = None
        self.values: dict[str, float] | None = None
        """As the camera's `lock()` gave them; None while it chooses for itself."""

    @property
    def settling(self) -> bool:
        """Whether it is still to be held: no die is read before."""
        return self._hold_from is not None

    def begin(self) -> None:
        """A calibration begins: the camera chooses for itself."""
        self._lent, self.values, self._hold_from = False, None, None
        self._in_use.release()

    def end(self) -> None:
        """It is over: the camera holds what the profile in use wants."""
        self._in_use.hold()

    def enter(self, progress: Progress) -> None:
        """A step was entered."""
        before, palette = self._in_use.fitting, progress.draft.palette
        if progress.step is CalibrationStep.CHECK and palette is None and before is not None and before.palette:
            self.values, self._hold_from = dict(before.lock) or None, None
            self.restore()
        elif progress.step is CalibrationStep.COLOURS and self.values is not None:
            self.values, self._hold_from = None, self._clock() + EXPOSURE_SETTLES
            self._in_use.release()
        elif progress.step in (CalibrationStep.COLOURS, CalibrationStep.CHECK) and self.values is None:
            self._hold_from = self._clock()

    def update(self, reading: bool) -> None:
        """Before each look, and instead of it while dice are read: hold what is to be held now."""
        if reading:
            if not self._lent:
                self._lent = True
                self._in_use.hold()
        elif self._lent:
            self._lent = False
            self.restore()
        elif self._hold_from is not None and self._clock() >= self._hold_from:
            self.values, self._hold_from = {}, None
            try:
                self.values = dict(self._camera.lock())
            except CameraError as error:
                log.warning("the camera's exposure cannot be held: %s", error)

    def restore(self) -> None:
        """Have the camera hold what this calibration had it hold."""
        if not self.values:
            self._in_use.release()
            return
        try:
            self._camera.lock(self.values)
        except CameraError as error:
            log.warning("the camera's exposure cannot be held: %s", error)
