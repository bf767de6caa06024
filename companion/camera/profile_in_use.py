"""The profile that the dice are read by: whether it can be of this camera, and whether the camera was moved since."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable
from typing import Final

from calibration.profile import Profile
from calibration.profiles import Profiles
from calibration.quality.camera_shift import CameraShift, ShiftWatch, reference_picture
from companion.table.game import sentences
from companion.table.state.state import CalibrationNotice, CalibrationStatus
from hardware.camera.protocol import Camera, CameraError, Frame, small_picture
from vision.pipeline.rectify import Rectifier, RectifyError

log = logging.getLogger(__name__)

LOOK_EVERY: Final = 10.0
"""Seconds between two looks at whether the camera was moved; three in a row have to say so."""

_NUMBER: Final = re.compile(r" \d+$")


class ProfileInUse:
    """Has the dice read by the profile in use. Any method may be called from any thread."""

    def __init__(
        self,
        profiles: Profiles,
        camera: Camera,
        read_with: Callable[[Profile | None], None],
        tell: Callable[[CalibrationStatus], None],
    ) -> None:
        """`read_with` has the dice read by a profile from then on, or by none. `tell` tells everybody how it is."""
        self._profiles = profiles
        self._camera = camera
        self._read_with = read_with
        self._tell = tell
        self._lock = threading.Lock()
        self._profile: Profile | None = None
        self._fits: tuple[int, int, str] | None = None
        """Width and height of the frames, and the camera's name, for which it was found out whether it fits."""
        self._without = False
        """Whether the dice are read without the profile, because it is of another camera."""
        self._watch: ShiftWatch | None = None
        self._looked_at = float("-inf")
        self._renew = False
        """Whether the next picture becomes the one that later ones are held against."""

    @property
    def profile(self) -> Profile | None:
        """The profile in use, whether the dice can be read by it or not."""
        return self._profile

    @property
    def fitting(self) -> Profile | None:
        """The profile that the dice are read by; None also where the one in use is of another camera."""
        return None if self._without else self._profile

    def load(self) -> None:
        """Take what `Profiles.in_use` says. Raises `calibration.profile.ProfileError`,
        `vision.models.networks.ModelError`.
        """
        with self._lock:
            profile = self._profiles.in_use
            kept = self._profiles.reference(profile.name) if profile is not None else None
            self._profile, self._fits, self._without, self._renew = profile, None, False, False
            self._watch = None if kept is None else ShiftWatch(kept)
            if profile is not None:
                log.info("The camera is calibrated: %s, %s", profile.name, profile.made)
            self.hold()
            width, height = self._camera.sizes.still
            if width and height:
                self._fit(width, height)
            if not self._without:
                self._read_with(profile)
                self._say()

    def hold(self) -> None:
        """Have the camera hold what it held when it was calibrated, or choose for itself."""
        profile = self.fitting
        if profile is None or not profile.lock:
            self.release()
            return
        try:
            self._camera.lock(profile.lock)
        except CameraError as error:
            log.warning("the camera's exposure cannot be held: %s", error)

    def release(self) -> None:
        """Have the camera choose for itself."""
        try:
            self._camera.unlock()
        except CameraError as error:
            log.warning("the camera's exposure cannot be let go: %s", error)

    def is_due(self, now: float) -> bool:
        """Whether the table is to be looked at again, at the monotonic time `now`."""
        return self._profile is not None and now - self._looked_at >= LOOK_EVERY

    def look(self, now: float) -> None:
        """Look whether the camera was moved. Only while no dice are read."""
        self._looked_at = now
        try:
            self._see(self._camera.frame())
        except CameraError as error:
            log.debug("no frame while idle: %s", error)

    def _see(self, frame: Frame) -> None:
        with self._lock:
            if self._profile is None:
                return
            height, width = frame.image.shape[:2]
            self._fit(width, height)
            if self._renew:
                self._watch, self._renew = ShiftWatch(reference_picture(small_picture(frame))), False
            if self._watch is None or self._without:
                return
            if self._watch.see(small_picture(frame)).moved is CameraShift.MOVED:
                log.warning("the camera was moved")
                self._watch = None
                self._say(CalibrationNotice(code="moved", sentence=sentences.MOVED))

    def ignore(self) -> None:
        """The players go on all the same: it is said no more, until the camera is moved again."""
        with self._lock:
            self._renew = self._profile is not None and self._watch is None
            self._say()

    def _fit(self, width: int, height: int) -> None:
        """Find out whether the profile is of a camera that takes frames of this size; read without it where not."""
        profile, now = self._profile, (width, height, self._camera.name)
        if profile is None or self._fits == now:
            return
        self._fits = now
        other = bool(profile.camera and self._camera.name) and not _same(profile.camera, self._camera.name)
        try:
            if not other:
                Rectifier.of(profile, width, height)
        except RectifyError as error:
            log.warning("the profile %s is of another camera: %s", profile.name, error)
            other = True
        if other and not self._without:
            self._without = True
            self.release()
            self._read_with(None)
            self._say(CalibrationNotice(code="other-camera", sentence=sentences.other_camera(profile.name)))
        elif self._without and not other:  # the camera it is of was plugged in again
            self._without = False
            self.hold()
            self._read_with(profile)
            self._say()

    def _say(self, notice: CalibrationNotice | None = None) -> None:
        self._tell(CalibrationStatus(self._profile.name if self._profile is not None else None, notice))


def _same(one: str, other: str) -> bool:
    """Whether a profile of the camera `one` is of `other`.

    The number that the system gave it does not count: plugged in elsewhere it is the same camera. A profile that was
    made of pictures names the model alone ("imx708"), which is one word of what the camera calls itself.
    """
    return _NUMBER.sub("", one) == _NUMBER.sub("", other) or one in other.split()
