"""The camera's exposure during a calibration: automatic at first, locked from the step `colours` on.

Colours are valid for one exposure. Going back to the colours, perhaps after moving the lamp, makes the exposure
automatic again; skipping them keeps the former colours with their exposure. Readings for the game take precedence:
for them, the camera is locked as in the profile in use.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from companion.camera.profile_in_use import ProfileInUse
from companion.features.calibration.changes import CalibrationStep
from companion.features.calibration.progress import Progress
from hardware.camera.protocol import Camera, CameraError

log = logging.getLogger(__name__)

EXPOSURE_SETTLES: Final = 1.5
"""Seconds that a camera needs to settle on an automatic exposure."""


class ExposureLock:
    """Locks and unlocks the camera's exposure. Not thread-safe."""

    def __init__(self, camera: Camera, in_use: ProfileInUse, clock: Callable[[], float]) -> None:
        """`clock` returns monotonic seconds."""
        self._camera = camera
        self._in_use = in_use
        self._clock = clock
        self._lent = False
        """True while dice are read for the game."""
        self._lock_at: float | None = None
        """When to lock the camera, in monotonic seconds; None if it is locked already, or should not be."""
        self.values: dict[str, float] | None = None
        """The settings returned by the camera's `lock()`; None while the exposure is automatic."""

    @property
    def settling(self) -> bool:
        """True if the camera is about to be locked: until then no dice are read."""
        return self._lock_at is not None

    def begin(self) -> None:
        """Begin a calibration, with automatic exposure."""
        self._lent, self.values, self._lock_at = False, None, None
        self._in_use.release()

    def end(self) -> None:
        """End the calibration, and lock the camera as in the profile in use."""
        self._in_use.hold()

    def enter(self, progress: Progress) -> None:
        """Follow the calibration to another step."""
        before, palette = self._in_use.fitting, progress.draft.palette
        if progress.step is CalibrationStep.CHECK and palette is None and before is not None and before.palette:
            self.values, self._lock_at = dict(before.lock) or None, None
            self.restore()
        elif progress.step is CalibrationStep.COLOURS and self.values is not None:
            self.values, self._lock_at = None, self._clock() + EXPOSURE_SETTLES
            self._in_use.release()
        elif progress.step in (CalibrationStep.COLOURS, CalibrationStep.CHECK) and self.values is None:
            self._lock_at = self._clock()

    def update(self, reading: bool) -> None:
        """Lock the camera if it is time. Call this before each look, and while dice are read for the game."""
        if reading:
            if not self._lent:
                self._lent = True
                self._in_use.hold()
        elif self._lent:
            self._lent = False
            self.restore()
        elif self._lock_at is not None and self._clock() >= self._lock_at:
            self.values, self._lock_at = {}, None
            try:
                self.values = dict(self._camera.lock())
            except CameraError as error:
                log.warning("the camera's exposure cannot be held: %s", error)

    def restore(self) -> None:
        """Lock the camera again with the calibration's settings."""
        self._in_use.hold_at(self.values or {})
