"""What sees the dice: the camera, the reader with the profile in use, and the reveal."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from calibration.profile import ProfileError
from calibration.profiles import Profiles
from companion.camera.example_file import EXAMPLE_FILE, ExampleFile
from companion.camera.example_writer import ExampleWriter, own_threshold
from companion.camera.hang_restart import HANG_FILE, HangRestart, this_boot
from companion.camera.phone_camera import PhoneCamera
from companion.camera.photos import Photos
from companion.camera.profile_in_use import ProfileInUse
from companion.camera.reveal import RevealWorker
from companion.camera.supervised_camera import HANG_TIMEOUT, SupervisedCamera
from companion.config import CameraConfig, Config
from companion.table import Table
from hardware.camera.camera_choice import PHONE
from hardware.camera.protocol import Camera, CameraError
from vision.models.integrity import networks_id
from vision.models.network import ModelError
from vision.models.networks import Networks
from vision.pipeline.confidence import Confidence
from vision.reader import Reader
from vision.stillness import StillnessCheck

PAINT_TIME: Final = threading.TIMEOUT_MAX
"""Seconds that drawing the demo's table may take: however slow on a busy machine, it does not hang."""


@dataclass(frozen=True, slots=True)
class Eyes:
    """What sees the dice."""

    camera: SupervisedCamera | PhoneCamera
    hang: HangRestart | None
    """Knows whether the camera hangs so that the program is to be started again; None without one over the table."""
    reveal: RevealWorker
    photos: Photos
    profiles: Profiles
    profile: ProfileInUse
    examples: ExampleWriter | None
    """Keeps examples, if this box learns."""

    @property
    def supervised(self) -> SupervisedCamera | None:
        """The camera over the table; None if the phones take the pictures."""
        return self.camera if isinstance(self.camera, SupervisedCamera) else None

    @property
    def hangs(self) -> bool:
        """True if the program must restart because of the camera."""
        return self.hang is not None and self.supervised is not None and self.hang.due(self.supervised)

    def open(self, stack: contextlib.ExitStack) -> None:
        """Take a frame, so that the page shows from the start whether there is a camera, and begin to read."""
        with contextlib.suppress(CameraError):
            self.camera.frame()
        self.profile.load()
        self.reveal.start()
        stack.callback(self.reveal.stop)


def open_eyes(
    table: Table,
    config: Config,
    state: Path,
    open_camera: Callable[[CameraConfig], Camera],
    stack: contextlib.ExitStack,
    *,
    demo: bool,
    supervised: bool,
) -> Eyes:
    """The eyes, which `stack` closes. The camera opens at its first frame. `state`: the state folder.

    demo: the camera paints the table. supervised: systemd starts the program again if it ends. Raises `ModelError` and
    `ProfileError`.
    """
    camera: SupervisedCamera | PhoneCamera
    hang = None
    if config.camera.source == PHONE and not demo:
        camera = PhoneCamera(table.set_camera)
    else:
        camera = SupervisedCamera(
            lambda: open_camera(config.camera),
            time.monotonic,
            table.set_camera,
            hangs=PAINT_TIME if demo else HANG_TIMEOUT,
        )
        hang = HangRestart(state / HANG_FILE, this_boot(), time.monotonic, supervised=supervised)
        if hang.tried():
            camera.advise_power()
    stack.callback(camera.close)
    reader, examples = _reader(table, config, state)
    photos = Photos()
    reveal = RevealWorker(
        table,
        camera,
        reader,
        StillnessCheck(),
        patience=config.table.patience,
        give_up=config.table.give_up,
        photos=photos,
    )
    profiles = _profiles(state)
    profile = ProfileInUse(
        profiles, camera, lambda profile: reveal.read_with(reader.with_profile(profile), profile), table.set_calibration
    )
    return Eyes(camera, hang, reveal, photos, profiles, profile, examples)


def _reader(table: Table, config: Config, state: Path) -> tuple[Reader, ExampleWriter | None]:
    """The reader; and if this box learns, what keeps the examples that its doubt threshold is set by."""
    confidence = Confidence.load()
    writer = None
    if config.camera.learn:
        try:
            networks = networks_id()
        except OSError as error:
            raise ModelError(f"The networks' hashes cannot be read: {error}. Install the program again.") from error
        file = ExampleFile(state / EXAMPLE_FILE)
        threshold = own_threshold(file, networks, confidence.ask_below)
        confidence = confidence.asking_below(threshold.ask_below)
        writer = ExampleWriter(table, file, threshold.ask_below, networks)
    return Reader(Networks(), confidence), writer


def _profiles(state: Path) -> Profiles:
    try:
        return Profiles.of(state)
    except OSError as error:
        raise ProfileError(f"The profiles in {state} cannot be used: {error.strerror or error}.") from error
