"""Choosing the camera on the page: the host tries one, and keeps it after seeing its picture."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from importlib.util import find_spec
from typing import Final, Literal

from companion.box.restart import Restart
from companion.camera.supervised_camera import HANG_TIMEOUT, OPENING_TIMEOUT, CameraThread, wait_for
from companion.config.settings_file import SettingsError, SettingsFile
from companion.messages.message import Message
from companion.messages.sentence import Sentence, Value
from companion.messages.shown_address import shown_address
from companion.table.game import sentences
from hardware.camera.camera_choice import (
    PHONE,
    STREAM,
    UnknownCameraError,
    parse_name,
)
from hardware.camera.protocol import Camera, CameraError, Image
from hardware.camera.v4l2 import usb_camera_names

log = logging.getLogger(__name__)

PI: Final = "pi"
NO_SUCH_CAMERA: Final = Message(
    "No camera is called that. An address begins with http://, https:// or rtsp://, and has no spaces."
)


class FoundCamera(Value, frozen=True):
    """A camera that can be tried."""

    source: str
    """As in the configuration."""
    name: str
    """The name given by its maker; "" for the Pi's own camera."""


class CameraTrial(Value, frozen=True, kw_only=True):
    """The last camera that was tried."""

    source: str
    """As in the configuration, without secrets."""
    step: Literal["trying", "tried", "failed", "keeping", "kept"]
    """tried: it works. kept: it is in the configuration, and the program restarts."""
    picture: int | None
    """The number of its picture, `/box/camera.jpg`; None without one, as when the phones take the pictures."""
    trouble: Sentence | None
    """Why it failed, or could not be kept."""


class CameraSetupState(Value, frozen=True, kw_only=True):
    """The cameras to choose from."""

    source: str | None
    """The configured camera, without secrets; None for the first that answers."""
    found: tuple[FoundCamera, ...]
    trial: CameraTrial | None


def found_cameras() -> dict[str, str]:
    """This machine's cameras: name in the configuration -> name given by the maker. No camera is opened.

    Only opening it would show whether a Pi's own camera is connected.
    """
    return ({PI: ""} if find_spec("picamera2") else {}) | usb_camera_names()


class CameraSetup:
    """Tries cameras and keeps one. Thread-safe."""

    def __init__(
        self,
        source: str | None,
        open_camera: Callable[[str], Camera],
        settings: SettingsFile,
        restart: Restart,
        *,
        lent: Callable[[], AbstractContextManager[None]] = nullcontext,
        found: Callable[[], Mapping[str, str]] = found_cameras,
    ) -> None:
        """`source` is the camera in use, None for the first that answers. `open_camera` raises `CameraError`.

        lent: a context manager that makes the camera in use release its device.
        """
        self._source = source
        self._open_camera = open_camera
        self._settings = settings
        self._restart = restart
        self._lent = lent
        self._found = found
        self._lock = threading.Lock()
        self._wanted = ""
        """The last source that was tried, with its password."""
        self._trial: CameraTrial | None = None
        self._pictures = 0
        self.picture: Image | None = None
        """The picture of the last camera that was tried."""

    def state(self) -> CameraSetupState:
        return CameraSetupState(
            source=None if self._source is None else shown_address(self._source),
            found=tuple(FoundCamera(source, name) for source, name in self._found().items()),
            trial=self._trial,
        )

    def try_camera(self, source: str) -> None:
        """Begin to open a camera that was found, an address or "phone", and take a picture.

        Raises `SettingsError` for any other source, and if the choice could not be saved.
        """
        self._check(source)
        with self._lock:
            if self._works:
                return
            self._wanted, self.picture = source, None
            self._become("trying")
        if source == PHONE:
            self._become("tried")
        else:
            self._begin(self._try)

    def keep(self) -> None:
        """Begin to save the tested camera in the configuration; then the program restarts."""
        with self._lock:
            if self._trial is None or self._trial.step != "tried":
                return
            self._become("keeping", picture=self._trial.picture)
        self._begin(self._keep)

    @property
    def _works(self) -> bool:
        return self._trial is not None and self._trial.step in ("trying", "keeping", "kept")

    def _check(self, source: str) -> None:
        try:
            kind, _ = parse_name(source)
        except UnknownCameraError as error:
            raise SettingsError(NO_SUCH_CAMERA) from error
        if kind not in (STREAM, PHONE) and source not in self._found():  # not just any folder or device
            raise SettingsError(NO_SUCH_CAMERA)
        self._settings.check("camera", {"source": source})

    def _begin(self, job: Callable[[], None]) -> None:
        threading.Thread(target=job, name="trial of a camera", daemon=True).start()

    def _become(
        self,
        step: Literal["trying", "tried", "failed", "keeping", "kept"],
        *,
        picture: int | None = None,
        trouble: str = "",
    ) -> None:
        self._trial = CameraTrial(
            source=shown_address(self._wanted),
            step=step,
            picture=picture,
            trouble=Sentence(sentence=trouble) if trouble else None,
        )

    def _try(self) -> None:
        try:
            with self._lent():
                self.picture = self._take_picture()
        except CameraError as error:
            log.info("%s: %s", shown_address(self._wanted), error)
            self._become("failed", trouble=error.message)
        except Exception as error:  # a driver may raise anything
            log.exception("a camera could not be tried")
            self._become("failed", trouble=Message("The camera broke: {reason}.", reason=str(error)))
        else:
            self._pictures += 1
            self._become("tried", picture=self._pictures)

    def _take_picture(self) -> Image:
        """Take a picture in a thread, which may hang in the driver. Raises `CameraError`, or what the driver raises."""
        thread = CameraThread(lambda: self._open_camera(self._wanted))
        try:
            image = thread.ask(lambda: thread.opened.result().frame().image)
            if not wait_for(image, OPENING_TIMEOUT):
                raise CameraError(sentences.CAMERA_HANGS)
            return image.result()
        finally:
            thread.leave()
            wait_for(thread.end, HANG_TIMEOUT)  # otherwise the camera in use would find its device busy

    def _keep(self) -> None:
        try:
            self._settings.change("camera", {"source": self._wanted})
        except SettingsError as error:
            self._become("failed", trouble=error.message)
        else:
            self._become("kept")
            self._restart.ask()
