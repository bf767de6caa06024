"""What the host can do about a running box from a phone, and how a box becomes a different one."""

from __future__ import annotations

import contextlib
import io
import logging
import random
import threading
from collections.abc import Callable
from pathlib import Path

from companion.box.doctor import Diagnosis, bundle
from companion.box.doctor.examination import examine_running
from companion.box.restart import REPAIR_FILE, Restart, become_second
from companion.camera.supervised_camera import SupervisedCamera
from companion.features.health.recent_log import RecentLog
from companion.features.https.certificates import remove_certificates
from companion.features.wifi.own_network import rename_own_network
from companion.state_folder import CLUB_FILE, CONSENT_FILE, SECOND_FILE, TABLE_ID_FILE
from companion.table import State
from hardware.camera.protocol import CameraError

log = logging.getLogger(__name__)


class Maintenance:
    """What the host can examine and do on the page. Thread-safe."""

    def __init__(
        self,
        folder: Path,
        state: Callable[[], State],
        recent_log: RecentLog,
        restart: Restart,
        camera: SupervisedCamera | None = None,
    ) -> None:
        """`folder` contains the games, `state` returns the table's. `camera`: None if the phones take the pictures."""
        self.recent_log = recent_log
        self._folder = folder
        self._state = state
        self._camera = camera
        self._restart = restart
        self._lock = threading.Lock()
        self._found: tuple[Diagnosis, ...] = ()
        self._examinations = 0

    @property
    def has_camera(self) -> bool:
        """True if there is a camera to search for."""
        return self._camera is not None

    def examine(self) -> tuple[Diagnosis, ...]:
        """Examine the box: about a second on a Pi with many games. Concurrent calls share one examination."""
        before = self._examinations
        with self._lock:
            if self._examinations == before:
                self._found = tuple(examine_running(self._folder, self._state()))
                self._examinations += 1
            return self._found

    def look_for_camera(self) -> None:
        """Try the camera at once, even if that failed a moment ago. The state shows the result."""
        assert self._camera is not None
        self._camera.retry()
        with contextlib.suppress(CameraError):
            self._camera.frame()

    def restart(self) -> None:
        """Restart the program soon."""
        self._restart.ask()

    def repair(self) -> None:
        """Restart, and set the journal aside if it is damaged. Raises `OSError` if that cannot be saved."""
        (self._folder / REPAIR_FILE).touch()
        self.restart()

    def become_second(self) -> None:
        """Restart as a different box from the one these files are from. Raises `OSError` if that cannot be saved."""
        become_second(self._folder)
        self.restart()

    def report(self) -> bytes:
        """The zip file for a bug report, without games, pictures and secrets."""
        file = io.BytesIO()
        bundle.pack(file, bundle.texts(self.examine(), self._folder, self.recent_log.lines))
        return file.getvalue()


# A second box with the files of another: its card was copied, or its backup was restored here, and both are in use.
# This one gives up what only one box may have: the place in a club and the table's id there, the name of its own Wi-Fi,
# and the certificates. New ones are made when needed. The club is not told, since the other box stays in it.


def give_up_identity(folder: Path, rng: random.Random) -> None:
    """At the start: give up the other box's identity, if requested. After a power cut the next start does it again."""
    if not (folder / SECOND_FILE).exists():
        return
    try:
        for name in (CLUB_FILE, CONSENT_FILE, TABLE_ID_FILE):
            (folder / name).unlink(missing_ok=True)
        remove_certificates(folder)
        rename_own_network(folder, rng)
        (folder / SECOND_FILE).unlink()
    except OSError as error:
        log.error("This box cannot become a second one (%s). The next start tries again.", error)  # noqa: TRY400 - not a bug
    else:
        log.warning("This is a second box now: it is in no club, and its own Wi-Fi has another name.")
