"""Decides whether to exit on a hung camera, so that systemd starts the program again.

A driver that never returns holds the camera until its process ends. If the camera hangs again soon after, exiting did
not help: then the page stays up, and players are told to switch the box off and on.
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
"""In the state folder: the boot in which the program last exited for a hang, and when."""

BOOT_FILE: Final = Path("/proc/sys/kernel/random/boot_id")

HANG_PATIENCE: Final = 10.0
"""Seconds that a camera must have hung; some drivers return late."""

RESTART_PAUSE: Final = 3600.0
"""Least time between two exits in seconds. While the program restarts there is no page."""


class HangRestart:
    """Decides for one box."""

    def __init__(self, file: Path, boot: str, clock: Callable[[], float], *, supervised: bool) -> None:
        """`boot` identifies the machine's current boot; `clock` returns monotonic seconds since then.

        supervised: something starts the program again when it exits.
        """
        self._file = file
        self._boot = boot
        self._clock = clock
        self._supervised = supervised

    def tried(self) -> bool:
        """True if the program has recently exited for a hang in this boot."""
        try:
            return read_kept(self._file, self._recent, "The program may end for a camera that hangs.") is True
        except OSError as error:
            log.warning("%s cannot be read (%s)", self._file, error)
            return True  # the page stays up

    def _recent(self, content: bytes) -> bool:
        boot, at = content.decode().split()
        return boot == self._boot and self._clock() - float(at) < RESTART_PAUSE

    def due(self, camera: SupervisedCamera) -> bool:
        """Return True to exit now, after noting it in the file. If that would not help, tell the players what would."""
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
    """The id of the machine's current boot; "-" if the kernel does not say."""
    try:
        return BOOT_FILE.read_text(encoding="utf-8").strip()
    except OSError:
        return "-"
