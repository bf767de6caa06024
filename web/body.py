"""Request bodies: JSON in, checked Python values out, or a sentence that says what was wrong.

Only shapes, types and sizes are checked here. Whether a bid is legal or a player is at the table is the
table's to say.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from flask import Request

from calibration.palette import COLOURS
from web.errors import RequestError

MAX_BYTES = 16 * 1024
"""The longest body that is read; six players' dice counted by hand need a few hundred bytes."""
MAX_NAME = 24
"""Characters of a player's name: what fits on a 320 px phone."""
MAX_COUNT = 999
"""The highest count of a bid that is read. The rules set no limit, a number this long is a slip of the
finger.
"""
MAX_PLAYERS = 12
MAX_DICE = 20
MAX_PIXELS = 20_000

Body = Mapping[str, Any]

_BIDI = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}


def read(request: Request, required: Iterable[str] = (), optional: Iterable[str] = ()) -> Body:
    """The body of a request as an object with exactly the fields that are known.

    Raises `RequestError` for another content type, too many bytes, what is not a JSON object, a field that is
    missing and a field that nobody knows.
    """
    if not request.is_json:
        raise RequestError("Send JSON: the Content-Type must be application/json.", code="content_type", status=415)
    if request.content_length is not None and request.content_length > MAX_BYTES:
        raise RequestError(f"The body is longer than {MAX_BYTES} bytes.", code="too_large", status=413)
    try:
        data = json.loads(request.get_data(), parse_constant=_no_constant)
    except RecursionError:
        raise RequestError("The JSON is nested too deeply.") from None
    except ValueError:
        raise RequestError("The body is not JSON that can be read.") from None
    return fields(data, "The body", required, optional)


def fields(value: object, what: str, required: Iterable[str] = (), optional: Iterable[str] = ()) -> Body:
    """`value` as an object that has all of `required` and nothing besides those and `optional`."""
    if not isinstance(value, dict):
        raise RequestError(f"{what} must be a JSON object.")
    required = tuple(required)
    known = (*required, *optional)
    for name in value:
        if name not in known:
            wanted = f"it may have {_list(known)}" if known else "it must be empty: {}"
            raise RequestError(f"{what} has a field nobody knows, {_show(name)}; {wanted}.")
    for name in required:
        if name not in value:
            raise RequestError(f"{what} must have {_list(required)}; {_show(name)} is missing.")
    return value


def text(body: Body, field: str, limit: int = MAX_NAME) -> str:
    """A short line of text without control characters, trimmed. It is a name, never markup."""
    value = body[field]
    if not isinstance(value, str):
        raise RequestError(f"{_show(field)} must be text.")
    value = value.strip()
    if not 1 <= len(value) <= limit:
        raise RequestError(f"{_show(field)} must have between 1 and {limit} characters.")
    if any(unicodedata.category(letter) in {"Cc", "Cs", "Zl", "Zp"} or ord(letter) in _BIDI for letter in value):
        raise RequestError(f"{_show(field)} has characters in it that cannot be shown.")
    return value


def optional_text(body: Body, field: str) -> str | None:
    """As `text`, or None where the field is null or left out."""
    return None if body.get(field) is None else text(body, field)


def whole(body: Body, field: str, low: int, high: int) -> int:
    """A whole number from `low` to `high`."""
    value = body[field]
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise RequestError(f"{_show(field)} must be a whole number from {low} to {high}.")
    return value


def yes_or_no(body: Body, field: str, default: bool) -> bool:
    """true or false; `default` where the field is left out."""
    value = body.get(field, default)
    if not isinstance(value, bool):
        raise RequestError(f"{_show(field)} must be true or false.")
    return value


def colour(body: Body, field: str = "colour") -> str:
    """One of the colours a die can have."""
    value = body[field]
    if not isinstance(value, str) or value not in COLOURS:
        raise RequestError(f"{_show(field)} must be one of {_list(COLOURS)}.")
    return value


def box(body: Body, field: str = "box") -> tuple[float, float, float, float]:
    """x, y, width, height in pixels of the picture that was read; the die must have a size."""
    value = body[field]
    good = (
        isinstance(value, list)
        and len(value) == 4
        and all(isinstance(side, int | float) and not isinstance(side, bool) for side in value)
        and all(abs(side) <= MAX_PIXELS for side in value)  # false for NaN and infinity too
        and value[2] > 0
        and value[3] > 0
    )
    if not good:
        raise RequestError(f"{_show(field)} must be [x, y, width, height] in pixels, with a size above 0.")
    x, y, width, height = (float(side) for side in value)
    return x, y, width, height


def players(body: Body, field: str = "players") -> list[tuple[str, str]]:
    """(name, colour) of each player in the order of the seats."""
    value = body[field]
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_PLAYERS:
        raise RequestError(f"{_show(field)} must be a list of players.")
    seats = [fields(seat, "Each player", ("name", "colour")) for seat in value]
    return [(text(seat, "name"), colour(seat)) for seat in seats]


def counts_by_player(body: Body, field: str = "dice") -> dict[str, int]:
    """How many dice a player starts with, for those whom it names."""
    value = body[field]
    if not isinstance(value, dict) or len(value) > MAX_PLAYERS:
        raise RequestError(f"{_show(field)} must be an object with each player's number of dice.")
    return {
        text({"player": name}, "player"): whole({"the dice": count}, "the dice", 1, MAX_DICE)
        for name, count in value.items()
    }


def dice_by_player(body: Body, field: str = "dice") -> dict[str, list[int]]:
    """The faces each player counted by hand."""
    value = body[field]
    if not isinstance(value, dict) or len(value) > MAX_PLAYERS:
        raise RequestError(f"{_show(field)} must be an object with each player's faces.")
    counted: dict[str, list[int]] = {}
    for name, faces in value.items():
        seat = text({"player": name}, "player")
        if seat in counted:
            raise RequestError(f"{_show(seat)} is there twice.")
        if not isinstance(faces, list) or len(faces) > MAX_DICE:
            raise RequestError(f"The faces of {_show(seat)} must be a list.")
        counted[seat] = [whole({"a face": face}, "a face", 1, 6) for face in faces]
    return counted


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _show(name: str) -> str:
    """A name from outside, short and harmless enough to be said back."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in name[: MAX_NAME + 1])
    return f'"{shown}"' if len(name) <= MAX_NAME else f'"{shown}…"'


def _list(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
