"""Opens a camera by its name, or the first that answers."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit

from companion.messages.message import Message
from companion.messages.shown_address import shown_address
from hardware.camera.protocol import Camera, CameraError, CameraLibraryError
from hardware.camera.settings import CameraSettings
from hardware.camera.v4l2 import video_number

log = logging.getLogger(__name__)

CAMERA_NAMES: Final = (
    "pi, pi:NUMBER, webcam, webcam:NUMBER, webcam:/dev/v4l/by-id/NAME, http://ADDRESS, https://ADDRESS, "
    "rtsp://ADDRESS, folder:PATH or phone"
)
"""The forms of a camera's name in the configuration."""

STREAM_PROTOCOLS: Final = ("http", "https", "rtsp")
STREAM: Final = "stream"
"""The kind of camera that has an address."""

_RAW_PASSWORD: Final = re.compile(r"((?:https?|rtsp)://[^/?#@:\s]+:)(?!\d{1,5}[/?])([^/?#@\s]*[/?#][^@\s]*)(@[^@\s]+)")

PHONE: Final = "phone"
"""The name for no camera: pictures are taken with phones."""
PHONE_TAKES: Final = Message("Take a picture of the dice with a phone.")


class UnknownCameraError(CameraError, ValueError):
    """The name is not one of `CAMERA_NAMES`."""


def _quoted(name: str) -> str:
    """The address with its password percent-encoded: people type a #, / or ? in it unencoded.

    The text between the name and an @ is the password, unless it begins with a port.
    """
    found = _RAW_PASSWORD.fullmatch(name)
    if found is None:
        return name
    before, password, after = found.groups()
    return f"{before}{quote(password, safe='%')}{after}"


def _is_address(name: str) -> bool:
    """True if the name is a complete address of a stream."""
    try:
        parts = urlsplit(name)
        return (
            parts.scheme in STREAM_PROTOCOLS
            and bool(parts.hostname)
            and parts.port != 0
            and not re.search(r"\s|;", name)
        )
    except ValueError:
        return False


def parse_name(name: str) -> tuple[str, str]:
    """Return the kind of camera ("pi", "webcam", "folder", "phone" or `STREAM`) and which one; empty means the first.

    Raises `UnknownCameraError`.
    """
    if _is_address(address := _quoted(name)):
        return STREAM, address
    kind, colon, which = name.partition(":")
    if (
        (kind == PHONE and not colon)
        or (kind == "folder" and which)
        or (kind in ("pi", "webcam") and (not which or which.isdecimal()))
        or (kind == "webcam" and which.startswith("/dev/"))
    ):
        return kind, which
    raise UnknownCameraError(f"{shown_address(name)!r} names no camera. It can be {CAMERA_NAMES}.")


def open_camera(name: str, settings: CameraSettings = CameraSettings()) -> Camera:  # noqa: B008 - a frozen value
    """Open the camera with that `name` and take a first frame, to see that it works.

    Raises `UnknownCameraError`, and `CameraError` if the camera does not answer.
    """
    kind, which = parse_name(name)
    camera: Camera
    if kind == PHONE:
        raise CameraError(PHONE_TAKES)
    # Each adapter has slow imports of its own.
    if kind == "folder":
        from hardware.camera.folder import FolderCamera  # noqa: PLC0415

        camera = FolderCamera(Path(which).expanduser())
    elif kind == "pi":
        from hardware.camera.picamera import PiCamera  # noqa: PLC0415

        camera = PiCamera(int(which or 0), settings)
    elif kind == STREAM:
        from hardware.camera.stream import StreamCamera  # noqa: PLC0415

        camera = StreamCamera(which, shown_address(which))
    else:
        from hardware.camera.webcam import Webcam  # noqa: PLC0415

        camera = Webcam(video_number(which) if which else None, settings)
    try:
        camera.frame()
    except CameraError:
        camera.close()
        raise
    return camera


def choose_camera(name: str | None, settings: CameraSettings) -> Camera:
    """Open the camera with that `name`; None means the first that answers: the Pi's own, then a USB camera.

    Raises `CameraError`. Without a name, the log says why each camera failed.
    """
    if name is not None:
        return open_camera(name, settings)
    library: CameraLibraryError | None = None
    for candidate in ("pi", "webcam"):
        try:
            return open_camera(candidate, settings)
        except CameraError as error:
            log.info("no camera at %s: %s", candidate, error)
            library = error if isinstance(error, CameraLibraryError) else library
    raise library or CameraError(Message("No camera answers. Plug one in; `perudo doctor` says what was tried."))
