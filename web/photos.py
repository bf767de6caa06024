"""Pictures of the table from phones: each a POST of one JPEG file, which counts once under its key."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from flask import Blueprint, Response, g, request

from companion.camera.photos import MOST_PHOTOS, TOO_MANY, PhotoPlace, Photos, TooManyPhotosError
from companion.messages.message import Message
from companion.table import Table
from companion.table.game import sentences
from companion.table.game.table_position import Phase
from vision.image_file import LARGEST_PHOTO, HeicError, ImageError, ImageTooLargeError, check_photo
from web.body import MAX_BYTES
from web.errors import RequestError

PHOTO_PATH: Final = "/api/v1/photos/"
"""Where phones send pictures. Their bodies may be longer than others, up to `vision.image_file.LARGEST_PHOTO`."""
PIECE_PATH: Final = "/api/v1/box/restore/"
"""Where the host's phone sends a backup, in pieces that may be as long as a picture."""
LONG_BODIES: Final = (PHOTO_PATH, PIECE_PATH)
UNREAD: Final = "perudo.unread"
"""Whether the server has not read the body: it is too long, or too many pictures arrive at once."""
PHOTO_TYPE: Final = "image/jpeg"
SET_PATTERN: Final = "[0-9a-zA-Z]{8,64}"
_TOO_LARGE: Final = Message("This picture is too large for the box.")
_LATE: Final = Message("No picture of the dice is needed now.")
_TOO_MANY_TOGETHER: Final = Message("Choose {most} pictures of one table at most.", most=MOST_PHOTOS)
_BUSY: Final = Message("Too many pictures arrive at once. Try again in a moment.")


def register(api: Blueprint, photos: Photos, table: Table, answer: Callable[[], Response]) -> None:
    """Add `/photos/dice` and `/photos/before` to `api`."""

    def take(*, before: bool) -> Response:
        if request.mimetype != PHOTO_TYPE:
            raise RequestError(sentences.PHOTO_UNREADABLE, code="content_type")
        of, number = _number("of"), _number("number")
        together = request.args.get("set", "")
        if number > of or not re.fullmatch(SET_PATTERN, together):
            raise RequestError(f"A picture needs a set of 8 to 64 letters and digits, and a number up to {of}.")
        state = table.state()
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
        place = PhotoPlace(before, state.game_round, f"{g.tap.phone.id} {together}", of)
        try:
            photos.add(place, number, data)
        except TooManyPhotosError:
            raise RequestError(TOO_MANY, code="too-many-photos") from None
        return answer()

    api.add_url_rule("/photos/dice", "photo", lambda: take(before=False), methods=["POST"])
    api.add_url_rule("/photos/before", "photo_before", lambda: take(before=True), methods=["POST"])


def _number(name: str) -> int:
    value = request.args.get(name, 1, type=int)
    if value > MOST_PHOTOS:
        raise RequestError(_TOO_MANY_TOGETHER)
    if value < 1:
        raise RequestError(f'"{name}" must be a whole number from 1 to {MOST_PHOTOS}.')
    return value


def check_length() -> None:
    """Before every request: raise `RequestError` for a body too long for its address, and where it was not read."""
    length = request.content_length or 0
    if not request.path.startswith(LONG_BODIES):
        if length > MAX_BYTES:
            raise RequestError(f"The body is longer than {MAX_BYTES} bytes.", code="too_large")
    elif length <= LARGEST_PHOTO and request.environ.get(UNREAD):
        raise RequestError(_BUSY, code="busy", headers={"Retry-After": "1"})
