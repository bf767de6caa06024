"""Pictures for the page: the camera's current view, and the judged pictures.

While dice may lie under cups, players peek at them, and a camera overhead may see what they see. Then only the host's
phone gets a picture of the table, so that the camera can still be aimed and calibrated.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from flask import Blueprint, Response, request, send_from_directory
from werkzeug.exceptions import NotFound

from calibration.image import jpeg as encode_jpeg
from calibration.image import shrunk
from companion.messages.message import Message
from companion.table import State, Table
from hardware.camera.protocol import Camera, CameraError, Image
from web.access.access import YEAR, Access
from web.access.phones import Phone, Phones
from web.errors import RequestError
from web.headers import no_store

FRAME_WIDTH = 960
"""The width of the live picture in pixels; a phone shows no more, and a Pi's Wi-Fi carries no more five times a
second."""
FRAME_SHARED_FOR = 0.1
"""Seconds for which a frame is shared: forty phones cost the camera as much as one."""
FAILURE_SHARED_FOR = 1.0
"""Seconds for which a failure is shared."""
FRAME_STALE_AFTER = 1.0
"""Seconds after which a frame is too old for a request that could wait for the next one."""
FRAME_WAIT = 4.0
"""Seconds to wait for another request's frame if there is none to show; a camera may take two to fail."""
MOST_FRAME_WAITING = 16
"""Requests that may wait for it at once. Each holds one of the server's threads (`web.stream.guests.Limits`)."""
FRAME_QUALITY = 80
_PICTURE_NAME = re.compile(r"\d{1,9}(-clip)?", re.ASCII)
CUPS_DOWN = Message("While dice may lie under cups, only the host's phone sees the camera's picture.")


def jpeg(image: Image) -> bytes:
    """`image` (height x width x 3, BGR) as a JPEG file no wider than `FRAME_WIDTH`. Raises `CameraError`."""
    try:
        return encode_jpeg(shrunk(image, FRAME_WIDTH), FRAME_QUALITY)
    except ValueError as error:
        raise CameraError("The camera's picture could not be written as a JPEG file.") from error


def hidden_from(phone: Phone | None, state: State, phones: Phones) -> bool:
    """Whether `phone` (None: a stranger) must not see the table now."""
    return state.cups_down and (phone is None or not phones.is_host(phone))


def check_may_look(state: State, access: Access) -> None:
    """Raise `RequestError` (403) if the phone that asks must not see the table now."""
    if hidden_from(access.visitor(request).phone, state, access.phones):
        raise RequestError(CUPS_DOWN, code="hidden")


def judged_picture(folder: Path | None, name: str, *, hidden: bool) -> Response:
    """The judged picture of that name. Raises `RequestError`: 404 if there is none, 403 while dice are `hidden`."""
    if hidden:
        raise RequestError("How many dice lie under the cups is hidden now.", code="hidden")
    if folder is not None:
        with contextlib.suppress(NotFound):  # removed for a newer one, never written, or no such reading
            return send_from_directory(folder.resolve(), f"{name}.jpg", mimetype="image/jpeg")
    raise RequestError("This picture is not kept, or not any more.", code="not_found")


@dataclass(frozen=True, slots=True)
class _Frame:
    """A JPEG file, or why there is none."""

    at: float
    data: bytes = b""
    failure: str = ""


class LiveFrame:
    """The camera's latest frame as a JPEG file, taken once for all requests at the same time.

    A failing camera takes seconds to say so. So failures are shared too, and requests do not queue: a thread that waits
    here cannot serve the DUDO button.
    """

    def __init__(self, camera: Camera | None, clock: Callable[[], float]) -> None:
        self._camera = camera
        self._clock = clock
        self._lock = threading.Lock()
        self._places = threading.BoundedSemaphore(MOST_FRAME_WAITING)
        self._latest: _Frame | None = None

    def get(self) -> bytes:
        """The JPEG file. Raises `RequestError` (503) if there is none."""
        if self._camera is None:
            raise RequestError("This table has no camera.", code="no_camera")
        before = self._younger(FRAME_STALE_AFTER)
        if self._acquire(wait=before is None):
            try:
                frame = self._younger(FRAME_SHARED_FOR, FAILURE_SHARED_FOR) or self._look(self._camera)
            finally:
                self._lock.release()
        elif before:
            frame = before  # another request is taking one; this is good enough to watch the hands
        else:
            raise RequestError("The camera has not answered yet.", code="camera")
        if frame.failure:
            raise RequestError(frame.failure, code="camera")
        return frame.data

    def _acquire(self, *, wait: bool) -> bool:
        """Whether this request may take a frame now; with `wait`, in a while, unless many wait already."""
        if not wait or not self._places.acquire(blocking=False):
            return self._lock.acquire(blocking=False)
        try:
            return self._lock.acquire(timeout=FRAME_WAIT)
        finally:
            self._places.release()

    def _younger(self, seconds: float, failed: float = 0.0) -> _Frame | None:
        """The latest frame if it is younger than `seconds`, or than `failed` if it is a failure."""
        frame = self._latest
        if frame is not None and self._clock() - frame.at < (failed if frame.failure else seconds):
            return frame
        return None

    def _look(self, camera: Camera) -> _Frame:
        try:
            data = jpeg(camera.frame().image)
        except CameraError as error:
            self._latest = _Frame(self._clock(), failure=str(error))
        else:
            self._latest = _Frame(self._clock(), data)
        return self._latest


def register(
    api: Blueprint,
    table: Table,
    access: Access,
    camera: Camera | None,
    folder: Path | None,
    *,
    run: str,
    clock: Callable[[], float],
) -> None:
    """Add `/frame.jpg` and `/pictures/<name>.jpg` to `api`. `run` names this start of the program."""
    live = LiveFrame(camera, clock)

    @api.get("/frame.jpg")
    def frame() -> Response:
        check_may_look(table.state(), access)
        data = live.get()
        check_may_look(table.state(), access)  # the camera may have taken seconds
        return no_store(Response(data, mimetype="image/jpeg"))

    @api.get("/pictures/<name>.jpg")
    def picture(name: str) -> Response:
        state = table.state()
        number = int(name.removesuffix("-clip")) if _PICTURE_NAME.fullmatch(name) else 0
        response = judged_picture(folder, name, hidden=number <= max(table.hidden_games().values(), default=-1))
        # Every state folder numbers its pictures from 1. Only with the run, which the page adds, does a number always
        # mean the same picture; without it the browser has to ask again.
        same = request.args.get("run") == run
        response.headers["Cache-Control"] = f"private, max-age={YEAR}, immutable" if same else "private, no-cache"
        if not state.open_lost:
            no_store(response)  # it shows how many dice each player has, which will be hidden
        return response
