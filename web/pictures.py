"""Pictures: the camera's live view and the judged pictures for the page, and the pictures that phones take.

While dice may be under cups, players peek at them, and a camera overhead may see what they see. Then only the host's
phone gets a picture of the table, so that the camera can still be aimed and calibrated.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from flask import Response, current_app, g, request, send_from_directory
from werkzeug.exceptions import NotFound

from calibration.image import jpeg as encode_jpeg
from calibration.image import shrunk
from calibration.image_decoder import HeicError, ImageError, ImageTooLargeError, decode
from companion.camera.photos import MOST_PHOTOS, TOO_MANY, PhotoPlace, TooManyPhotosError
from companion.messages.message import Message
from companion.table import State
from companion.table.game import sentences
from companion.table.game.table_position import Phase
from companion.table.state.state import Place
from hardware.camera.protocol import Camera, CameraError, Image
from vision.close_up import close_ups
from vision.image_file import LARGEST_PHOTO, check_photo
from web.access.access import YEAR, Access
from web.access.phones import Phone, Phones
from web.endpoints import COUNT, MAX_BYTES, TEXT, Schema, get, post, query
from web.errors import RUN, RequestError, no_store
from web.parts import Parts

FRAME_WIDTH = 960
"""The width of the live picture in pixels; a phone shows no more, and a Pi's Wi-Fi cannot carry more five times a
second.
"""
FRAME_SHARED_FOR = 0.1
"""Seconds for which a frame is shared: forty phones cost the camera as much as one."""
FAILURE_SHARED_FOR = 1.0
"""Seconds for which a failure is shared."""
FRAME_STALE_AFTER = 1.0
"""Seconds after which a frame is too old for a request that can wait for the next one."""
FRAME_WAIT = 4.0
"""Seconds to wait for another request's frame if there is none to show; a camera may take two to fail."""
MOST_FRAME_WAITING = 16
"""Requests that may wait for it at once. Each holds one of the server's threads (`web.stream.guests.Limits`)."""
FRAME_QUALITY = 80
MARK = (46, 157, 255)
"""The colour, BGR, of the frame around what is still moving."""
CLOSE_UP_SIDE = 96
"""The side in pixels of a die's close-up: twice its size on a phone."""
_PICTURE_NAME = re.compile(r"\d{1,9}(-clip)?", re.ASCII)
CUPS_DOWN = Message("While dice may lie under cups, only the host's phone sees the camera's picture.")


def jpeg(image: Image) -> bytes:
    """`image` (height x width x 3, BGR) as a JPEG file no wider than `FRAME_WIDTH`. Raises `CameraError`."""
    try:
        return encode_jpeg(shrunk(image, FRAME_WIDTH), FRAME_QUALITY)
    except ValueError as error:
        raise CameraError("The camera's picture could not be written as a JPEG file.") from error


def _marked(image: Image, place: Place | None) -> Image:
    """The picture with a frame around `place`."""
    if place is None:
        return image
    height, width = image.shape[:2]
    x, y, w, h = place
    corners = (round(x * width), round(y * height)), (round((x + w) * width), round((y + h) * height))
    thickness = max(2, width // 160)
    return np.asarray(cv2.rectangle(image.copy(), *corners, MARK, thickness), np.uint8)


def hidden_from(phone: Phone | None, state: State, phones: Phones) -> bool:
    """True if `phone` (None: one that has not joined) must not see the table now."""
    return state.cups_down and (phone is None or not phones.is_host(phone))


def check_may_look(state: State, access: Access) -> None:
    """Raise `RequestError` (403) if the requesting phone must not see the table now."""
    if hidden_from(access.visitor(request).phone, state, access.phones):
        raise RequestError(CUPS_DOWN, code="hidden")


def judged_picture(folder: Path | None, name: str, *, hidden: bool) -> Response:
    """The judged picture with that name. Raises `RequestError`: 404 if there is none, 403 while dice are `hidden`."""
    if hidden:
        raise RequestError("How many dice lie under the cups is hidden now.", code="hidden")
    if folder is not None:
        with contextlib.suppress(NotFound):  # deleted for a newer one, never written, or no such reading
            return send_from_directory(folder.resolve(), f"{name}.jpg", mimetype="image/jpeg")
    raise RequestError("This picture is not kept, or not any more.", code="not_found")


@dataclass(frozen=True, slots=True)
class _Frame:
    """A JPEG file, or the reason why there is none."""

    at: float
    data: bytes = b""
    failure: str = ""


class LiveFrame:
    """The camera's latest frame as a JPEG file, taken once for all simultaneous requests.

    A failing camera takes seconds to report an error. So failures are shared too, and requests do not queue: a thread
    waiting here cannot serve the DUDO button.
    """

    def __init__(
        self, camera: Camera | None, clock: Callable[[], float], place: Callable[[], Place | None] = lambda: None
    ) -> None:
        """`place` returns what to mark in the picture."""
        self._camera = camera
        self._place = place
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
        """True if this request may take a frame now. With `wait`, wait for that unless many requests already do."""
        if not wait or not self._places.acquire(blocking=False):
            return self._lock.acquire(blocking=False)
        try:
            return self._lock.acquire(timeout=FRAME_WAIT)
        finally:
            self._places.release()

    def _younger(self, seconds: float, failed: float = 0.0) -> _Frame | None:
        """The latest frame if it is younger than `seconds`; a failure, if it is younger than `failed`."""
        frame = self._latest
        if frame is not None and self._clock() - frame.at < (failed if frame.failure else seconds):
            return frame
        return None

    def _look(self, camera: Camera) -> _Frame:
        try:
            data = jpeg(_marked(camera.frame().image, self._place()))
        except CameraError as error:
            self._latest = _Frame(self._clock(), failure=str(error))
        else:
            self._latest = _Frame(self._clock(), data)
        return self._latest


class PictureEndpoints:
    def __init__(self, parts: Parts) -> None:
        self._table, self._access, self._folder = parts.table, parts.access, parts.table.pictures
        self._run, self._answers = parts.feed.run, parts.answers
        self._live = LiveFrame(parts.camera, parts.clock, self._moving_place)

    def _moving_place(self) -> Place | None:
        waiting = self._table.state().waiting
        return waiting.place if waiting else None

    @get("frame.jpg", answers="image/jpeg", refuses=(503,))
    def frame(self) -> bytes:
        """The camera's current view, at most 960 pixels wide; only for the host while dice may be under cups."""
        check_may_look(self._table.state(), self._access)
        data = self._live.get()
        check_may_look(self._table.state(), self._access)  # the camera may have taken seconds
        return data

    @get(
        "pictures/{name}.jpg",
        answers="image/jpeg",
        parameters=(query("run", TEXT, f"The stream's {RUN}: a browser may then keep it for ever."),),
        refuses=(404,),
    )
    def picture(self, name: str) -> Response:
        """A picture that was judged."""
        state = self._table.state()
        number = int(name.removesuffix("-clip")) if _PICTURE_NAME.fullmatch(name) else 0
        hidden = number <= max(self._table.hidden_games().values(), default=-1)
        response = judged_picture(self._folder, name, hidden=hidden)
        # Every state folder numbers its pictures from 1. Only together with the run, which the page adds, does a number
        # always mean the same picture; without it the browser has to ask again.
        same = request.args.get("run") == self._run
        response.headers["Cache-Control"] = f"private, max-age={YEAR}, immutable" if same else "private, no-cache"
        if not state.open_lost:
            no_store(response)  # it shows how many dice each player has, which will be hidden
        return response

    @get(
        "pictures/{name}/dice.jpg",
        answers="image/jpeg",
        parameters=(
            query("dice", TEXT, "The ids of the dice that are cut out, as in the reading: 0,1,3."),
            query("run", TEXT, f"The stream's {RUN}: a browser may then keep it for ever."),
        ),
        refuses=(404, 503),
    )
    def dice_pictures(self, name: str) -> Response:
        """The dice of the current reading, cut out of its picture and turned upright, side by side in squares."""
        reading, wanted = self._table.state().reading, request.args.get("dice", "")
        if reading is None or f"{reading.id}" != name or wanted != ",".join(f"{die.id}" for die in reading.dice):
            raise RequestError("There are no such dice in the reading that is shown.", code="not_found")
        picture = self.picture(name)  # whoever may not see the picture may not see its dice
        picture.close()

        def cut() -> bytes:
            assert self._folder is not None, "a picture from nowhere"
            frame = decode((self._folder / f"{name}.jpg").read_bytes())
            scale = frame.shape[1] / reading.width
            boxes = [tuple(scale * side for side in die.box) for die in reading.dice]
            return encode_jpeg(close_ups(frame, boxes, CLOSE_UP_SIDE), FRAME_QUALITY)

        joined = self._access.visitor(request).phone is not None
        try:
            answer = Response(self._answers.get(("dice", name, wanted), cut, joined=joined), mimetype="image/jpeg")
        except (ImageError, OSError):
            raise RequestError("This picture is damaged, or was just removed.", code="not_found") from None
        answer.headers["Cache-Control"] = picture.headers["Cache-Control"]
        return answer


# Pictures from phones: each is a POST of one JPEG file with an idempotency key

UNREAD: Final = "perudo.unread"
"""Set if the server has not read the body: it is too long, or too many pictures arrive at once."""
PHOTO_TYPE: Final = "image/jpeg"
SET_PATTERN: Final = "[0-9a-zA-Z]{8,64}"
_TOO_LARGE: Final = Message("This picture is too large for the box.")
_LATE: Final = Message("No picture of the dice is needed now.")
_TOO_MANY_TOGETHER: Final = Message("Choose at most {most} pictures of one table.", most=MOST_PHOTOS)
_BUSY: Final = Message("Too many pictures arrive at once. Try again in a moment.")


_SOME: Final[Schema] = {"type": "integer", "minimum": 1, "maximum": MOST_PHOTOS}
_SENT: Final = partial(
    post,
    topic="dice",
    takes=PHOTO_TYPE,
    answers=State,
    parameters=(
        query("round", COUNT, "The round of the state; 0 if it has none."),
        query("set", {"type": "string", "pattern": f"^{SET_PATTERN}$"}, "Names the pictures of one table."),
        query("of", _SOME, "How many they are; 1 if left out."),
        query("number", _SOME, "Which of them this is; 1 if left out."),
    ),
    refuses=(404,),
)


class PhotoEndpoints:
    """The endpoints for phones that take the pictures."""

    def __init__(self, parts: Parts) -> None:
        self._photos, self._table, self._feed = parts.photos, parts.table, parts.feed

    @_SENT("photos/dice")
    def photo(self) -> bytes:
        """Send a phone's picture of the dice while they are to be read. It is read once its set is complete."""
        return self._take(before=False)

    @_SENT("photos/before")
    def photo_before(self) -> bytes:
        """Send a picture of the table before the cups go up: what lies there is not in play."""
        return self._take(before=True)

    def _take(self, *, before: bool) -> bytes:
        if request.mimetype != PHOTO_TYPE:
            raise RequestError(sentences.PHOTO_UNREADABLE, code="content_type")
        of, number = _number("of"), _number("number")
        together = request.args.get("set", "")
        if number > of or not re.fullmatch(SET_PATTERN, together):
            raise RequestError(f"A picture needs a set of 8 to 64 letters and digits, and a number up to {of}.")
        state = self._table.state()
        wanted = Phase.BIDDING if before else Phase.READING
        if state.phase is not wanted or request.args.get("round", "") != str(state.round or 0):
            raise RequestError(_LATE, code="late-photo")
        data = request.get_data()
        try:
            check_photo(data)
        except HeicError:
            raise RequestError(sentences.PHOTO_HEIC, code="bad-photo") from None
        except ImageTooLargeError:
            raise RequestError(_TOO_LARGE, code="too_large") from None
        except ImageError:
            raise RequestError(sentences.PHOTO_UNREADABLE, code="bad-photo") from None
        place = PhotoPlace(before, state.game_round, together, of, g.tap.phone.id)
        try:
            self._photos.add(place, number, data)
        except TooManyPhotosError:
            raise RequestError(TOO_MANY, code="too-many-photos") from None
        return self._feed.state_json(self._table.state())


def _number(name: str) -> int:
    value = request.args.get(name, 1, type=int)
    if value > MOST_PHOTOS:
        raise RequestError(_TOO_MANY_TOGETHER)
    if value < 1:
        raise RequestError(f'"{name}" must be a whole number from 1 to {MOST_PHOTOS}.')
    return value


def check_length() -> None:
    """Before every request: raise `RequestError` if the body is too long for its address, or was not read."""
    length = request.content_length or 0
    if not request.path.startswith(current_app.extensions["files"]):
        if length > MAX_BYTES:
            raise RequestError(f"The body is longer than {MAX_BYTES} bytes.", code="too_large")
    elif length <= LARGEST_PHOTO and request.environ.get(UNREAD):
        raise RequestError(_BUSY, code="busy", headers={"Retry-After": "1"})
