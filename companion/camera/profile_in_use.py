"""Watches the profile in use: whether it fits the camera, the camera has moved, and its pictures are good enough."""

from __future__ import annotations

import logging
import re
import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import Final

from calibration.profile import Profile
from calibration.profiles import Profiles
from calibration.quality.camera_shift import CameraShift, ShiftWatch, reference_picture
from calibration.quality.picture_quality import faults
from companion.messages.message import Message
from companion.table.game import sentences
from companion.table.state.state import CalibrationNotice, CalibrationStatus
from hardware.camera.protocol import Camera, CameraError, small_picture
from vision.pipeline.rectify import Rectifier, RectifyError

log = logging.getLogger(__name__)

LOOK_EVERY: Final = 10.0
"""Seconds between two checks of the camera; three in a row must agree."""
FAULT_LOOKS: Final = 3
"""A picture counts as faulty, or well again, after this many checks in a row: a hand may pass before the lens."""

_NUMBER: Final = re.compile(r" \d+$")


class ProfileInUse:
    """The profile that dice are read with. Thread-safe."""

    def __init__(
        self,
        profiles: Profiles,
        camera: Camera,
        read_with: Callable[[Profile | None], None],
        tell: Callable[[CalibrationStatus], None],
    ) -> None:
        """`read_with` sets the profile for reading dice. `tell` publishes the calibration's status."""
        self._profiles = profiles
        self._camera = camera
        self._read_with = read_with
        self._tell = tell
        self._lock = threading.Lock()
        self._profile: Profile | None = None
        self._fits: tuple[int, int, str] | None = None
        """Width and height of the frames, and the camera's name, at the last check of the fit."""
        self._other_camera = False
        """Dice are read without the profile because it is another camera's."""
        self._watch: ShiftWatch | None = None
        self._last_look = float("-inf")
        self._renew = False
        """The next picture becomes the reference for later ones."""
        self._faults = deque[Message | None](maxlen=FAULT_LOOKS)
        """What was wrong with the last pictures."""
        self._fault: Message | None = None
        """What is wrong with the pictures, also if the players have dismissed it."""
        self._notice: CalibrationNotice | None = None

    @property
    def profile(self) -> Profile | None:
        """The profile in use, even if it does not fit the camera."""
        return self._profile

    @property
    def fitting(self) -> Profile | None:
        """The profile that dice are read with; None if the profile in use is another camera's."""
        return None if self._other_camera else self._profile

    def load(self) -> None:
        """Load the profile in use; a damaged one is set aside. Raises `ModelError`."""
        with self._lock:
            profile = self._profiles.usable()
            reference = self._profiles.reference(profile.name) if profile is not None else None
            self._profile, self._fits, self._other_camera, self._renew = profile, None, False, False
            self._watch = None if reference is None else ShiftWatch(reference)
            if profile is not None:
                log.info("The camera is calibrated: %s, %s", profile.name, profile.made)
            self.hold()
            width, height = self._camera.size
            if width and height:
                self._fit(width, height)
            if not self._other_camera:
                self._read_with(profile)
                self._say()

    def hold(self) -> None:
        """Lock the camera to the profile's settings; unlock it if there are none."""
        profile = self.fitting
        self.hold_at({} if profile is None else profile.lock)

    def hold_at(self, lock: Mapping[str, float]) -> None:
        """Lock the camera to these settings; unlock it if there are none."""
        if not lock:
            self.release()
            return
        try:
            self._camera.lock(lock)
        except CameraError as error:
            log.warning("the camera's exposure cannot be locked: %s", error)

    def release(self) -> None:
        """Make the camera's settings automatic."""
        try:
            self._camera.unlock()
        except CameraError as error:
            log.warning("the camera's exposure cannot be unlocked: %s", error)

    def is_due(self, now: float) -> bool:
        """True if a check is due at the monotonic time `now`."""
        return now - self._last_look >= LOOK_EVERY

    def look(self, now: float) -> None:
        """Check if the camera was moved or its pictures are poor. Call it only while no dice are being read."""
        self._last_look = now
        if self._camera.asleep:
            return
        try:
            frame = self._camera.frame()
        except CameraError as error:
            log.debug("no frame while idle: %s", error)
            return
        with self._lock:
            height, width = frame.image.shape[:2]
            self._fit(width, height)
            picture = small_picture(frame)
            if self._renew:
                self._watch, self._renew = ShiftWatch(reference_picture(picture)), False
            if self._watch is not None and not self._other_camera and self._watch.see(picture) is CameraShift.MOVED:
                log.warning("the camera was moved")
                self._watch = None
                self._say(CalibrationNotice(code="moved", sentence=sentences.MOVED))
            self._judge(next(iter(faults(frame.image)), None))

    def _judge(self, fault: Message | None) -> None:
        """Publish what is wrong with the pictures, unless there is something worse to publish."""
        self._faults.append(fault)
        if len(self._faults) < FAULT_LOOKS or set(self._faults) != {fault} or fault == self._fault:
            return
        self._fault = fault
        if self._notice is None or self._notice.code == "picture":
            why = None if fault is None else Message.sequence(sentences.POOR_PICTURES, fault)
            self._say(None if why is None else CalibrationNotice(code="picture", sentence=why))

    def ignore(self) -> None:
        """Dismiss the notice, because the players go on anyway, until the camera is moved again."""
        with self._lock:
            self._renew = self._profile is not None and self._watch is None
            self._say()

    def _fit(self, width: int, height: int) -> None:
        """Check that the profile fits frames of this size and this camera; otherwise read without it."""
        profile, now = self._profile, (width, height, self._camera.name)
        if profile is None or self._fits == now:
            return
        self._fits = now
        other = bool(profile.camera and self._camera.name) and not _same(profile.camera, self._camera.name)
        try:
            if not other and profile.lens is not None:
                Rectifier(profile, width, height)
        except RectifyError as error:
            log.warning("the profile %s is of another camera: %s", profile.name, error)
            other = True
        if other and not self._other_camera:
            self._other_camera = True
            self.release()
            self._read_with(None)
            sentence = Message(
                "The profile {profile} is for another camera, and is not used. Calibrate again, or choose another "
                "profile.",
                profile=profile.name,
            )
            self._say(CalibrationNotice(code="other-camera", sentence=sentence))
        elif self._other_camera and not other:  # the profile's camera was plugged in again
            self._other_camera = False
            self.hold()
            self._read_with(profile)
            self._say()

    def _say(self, notice: CalibrationNotice | None = None) -> None:
        self._notice = notice
        self._tell(CalibrationStatus(self._profile.name if self._profile is not None else None, notice))


def _same(one: str, other: str) -> bool:
    """True if `one`, a profile's camera, is the camera `other`.

    The number that the system appends is ignored, because it depends on the socket. A profile made from pictures names
    only the model ("imx708"), which is one word of the camera's name.
    """
    return _NUMBER.sub("", one) == _NUMBER.sub("", other) or one in other.split()
