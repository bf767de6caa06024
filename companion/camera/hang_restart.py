"""Whether the program ends itself because its camera hangs, so that systemd starts it again.

A driver that never returns keeps the camera until its process ends. A second hang soon after says that this did not
help; then the page stays, and the players are told to switch the box off and on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final

from companion.camera.supervised_camera import SupervisedCamera
from companion.kept_file import read_kept

log = logging.getLogger(__name__)

HANG_FILE: Final = Path("camera-hang")
"""In the state folder: the boot in which the program ended itself last, and when."""

BOOT_FILE: Final = Path("/proc/sys/kernel/random/boot_id")

HANG_PATIENCE: Final = 10.0
"""Seconds a camera must have hung: some drivers return late."""

RESTART_PAUSE: Final = 3600.0
"""Seconds, at least, between two ends. While the program starts again there is no page."""


class HangRestart:
    """The decision, for one box."""

    def __init__(self, file: Path, boot: str, clock: Callable[[], float], *, supervised: bool) -> None:
        """`boot` is the machine's current boot; `clock` gives monotonic seconds since it.

        supervised: whether somebody starts the program again when it ends.
        """
        self._file = file
        self._boot = boot
        self._clock = clock
        self._supervised = supervised

    def tried(self) -> bool:
        """Whether the program has ended itself for a hang in this boot, not long ago."""
        try:
            return read_kept(self._file, self._recent, "The program may end for a camera that hangs.") is True
        except OSError as error:
            log.warning("%s cannot be read (%s)", self._file, error)
            return True  # the page stays

    def _recent(self, content: bytes) -> bool:
        boot, at = content.decode().split()
        return boot == self._boot and self._clock() - float(at) < RESTART_PAUSE

    def due(self, camera: SupervisedCamera) -> bool:
        """Whether to end now, noted in the file. If that would not help, the players are told what would."""
        since = camera.hung_since
        if since is None or self._clock() - since < HANG_PATIENCE:
            return False
        if not self._supervised or camera.unkillable or self.tried() or not self._noted():
            camera.advise_power()
            return False
        return True

    def _noted(self) -> bool:
        try:
            self._file.write_text(f"{self._boot} {self._clock():.0f}\n", encoding="utf-8")
        except OSError as error:
            log.warning("%s cannot be written (%s)", self._file, error)
            return False
        return True


def this_boot() -> str:
    """The machine's current boot; "-" where the kernel does not tell."""
    try:
        return BOOT_FILE.read_text(encoding="utf-8").strip()
    except OSError:
        return "-"
