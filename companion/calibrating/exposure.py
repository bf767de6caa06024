"""The camera's exposure while somebody calibrates: its own choice at first, and held from where colours count.

Colours are those of one exposure: whoever goes back to them, having moved the lamp, has it chosen anew; whoever leaves
them out keeps those of before together with what the camera was held at then. A reading comes first: while dice are
read the camera holds what the profile in use wants.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from companion.calibrating.work import Step, Work
from companion.camera.profile_in_use import ProfileInUse
from hardware.camera.protocol import Camera, CameraError

log = logging.getLogger(__name__)

SETTLES: Final = 1.5
"""Seconds in which a camera that was held finds out anew how light it is."""


class Exposure:
    """Whose the exposure is. For one thread at a time."""

    def __init__(self, camera: Camera, in_use: ProfileInUse, clock: Callable[[], float]) -> None:
        """`clock` gives monotonic seconds."""
        self._camera = camera
        self._in_use = in_use
        self._clock = clock
        self._lent = False

    def begin(self) -> None:
        """A calibration begins: the camera chooses for itself."""
        self._lent = False
        self._in_use.release()

    def end(self) -> None:
        """It is over: the camera holds what the profile in use wants."""
        self._in_use.hold()

    def enter(self, work: Work) -> None:
        """A step was entered; what is to be held anew is held by `look`."""
        before = self._in_use.fitting
        if work.step is Step.CHECK and work.learned is None and before is not None and before.palette:
            work.lock, work.hold_from = dict(before.lock) or None, None
            self.put(work)
        elif work.step is Step.COLOURS and work.lock is not None:
            work.lock, work.hold_from = None, self._clock() + SETTLES
            self._in_use.release()
        elif work.step in (Step.COLOURS, Step.CHECK) and work.lock is None:
            work.hold_from = self._clock()

    def look(self, work: Work, reading: bool) -> None:
        """Before each look, and instead of it while dice are read: hold what is to be held now."""
        if reading:
            if not self._lent:
                self._lent = True
                self._in_use.hold()
        elif self._lent:
            self._lent = False
            self.put(work)
        elif work.hold_from is not None and self._clock() >= work.hold_from:
            work.lock, work.hold_from = {}, None
            try:
                work.lock = dict(self._camera.lock())
            except CameraError as error:
                log.warning("the camera's exposure cannot be held: %s", error)

    def put(self, work: Work) -> None:
        """Have the camera hold what this calibration had it hold."""
        if not work.lock:
            self._in_use.release()
            return
        try:
            self._camera.lock(work.lock)
        except CameraError as error:
            log.warning("the camera's exposure cannot be held: %s", error)
