"""`/api/v1/box/backup.zip` and `/api/v1/box/restore`: the box as one file, and back, for the host's phone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Final

from flask import Blueprint, Response, jsonify, request, send_file
from msgspec import Meta, Struct

from companion.box.backup.desk import MOST_PIECES, BackupDesk
from companion.box.backup.errors import BackupError, StickError
from companion.table import Table
from vision.image_file import LARGEST_PHOTO
from web import body
from web.access.access import Access
from web.body import Nothing
from web.box.box import BoxState, check_host, check_no_game
from web.errors import RequestError
from web.headers import no_store
from web.photos import SET_PATTERN

PIECE_TYPE: Final = "application/octet-stream"


class WantedBackup(Struct, frozen=True, forbid_unknown_fields=True):
    """Which backup is wanted."""

    secrets: bool
    """Whether the table's code and the phones are in it."""
    stick: bool = False
    """Whether to write it to the USB stick."""


class ReplaceBox(Struct, frozen=True, forbid_unknown_fields=True):
    """What else of a backup is taken over, where this box can."""

    rename: bool
    """Its name."""
    configure: bool
    """Its configuration."""
    second: bool = False
    """Whether the box that made it is still used: then this one takes neither its place in the club nor its name."""


class StickChoice(Struct, frozen=True, forbid_unknown_fields=True):
    """A backup on the USB stick."""

    name: Annotated[str, Meta(min_length=1, max_length=100)]


def register(
    api: Blueprint, table: Table, access: Access, backups: BackupDesk | None, now: Callable[[], BoxState]
) -> None:
    """Add the addresses to `api`. `now` gives the box at this moment."""

    def desk() -> BackupDesk:
        check_host(access)
        if backups is None:
            raise RequestError("This table keeps nothing on a disk.", code="not_found")
        return backups

    def answer() -> Response:
        return no_store(jsonify(now()))

    @api.get("/box/backup.zip")
    def backup() -> Response:
        secrets = request.args.get("secrets") == "1"
        with _refusals():
            file, content = desk().open_file(secrets)
        response = send_file(
            content, mimetype="application/zip", as_attachment=True, download_name=file.name, etag=False, max_age=0
        )
        response.content_length = file.bytes
        return no_store(response)

    @api.post("/box/backup")
    def make_backup() -> Response:
        here, wanted = desk(), body.read(request, WantedBackup)
        with _refusals():
            (here.save_on_stick if wanted.stick else here.make)(wanted.secrets)
        return answer()

    @api.post("/box/backup/cancel")
    def cancel_restore() -> Response:
        here, _ = desk(), body.read(request, Nothing)
        with _refusals():
            here.cancel()
        return answer()

    @api.post("/box/backup/back")
    def undo_restore() -> Response:
        here, _ = desk(), body.read(request, Nothing)
        check_no_game(table)
        with _refusals():
            here.go_back()
        return answer()

    @api.post("/box/restore")
    def restore() -> Response:
        here, wanted = desk(), body.read(request, ReplaceBox)
        check_no_game(table)
        with _refusals():
            here.replace(rename=wanted.rename, configure=wanted.configure, second=wanted.second)
        return answer()

    @api.post("/box/restore/<together>")
    def restore_piece(together: str) -> Response:
        here = desk()
        if request.mimetype != PIECE_TYPE:
            raise RequestError(f"Send a piece of the file: the Content-Type must be {PIECE_TYPE}.", code="content_type")
        of, number = _number("of"), _number("number")
        data = request.get_data()
        if not re.fullmatch(SET_PATTERN, together) or number > of or not data:
            raise RequestError(f"A piece needs a name of 8 to 64 letters and digits, and a number up to {of}.")
        if len(data) > LARGEST_PHOTO:
            raise RequestError(f"A piece has {LARGEST_PHOTO} bytes at most.", code="too_large")
        with _refusals():
            here.take_piece(together, number, of, data)
        return answer()

    @api.post("/box/stick")
    def stick() -> Response:
        here, _ = desk(), body.read(request, Nothing)
        with _refusals():
            here.look_at_stick()
        return answer()

    @api.post("/box/stick/restore")
    def restore_from_stick() -> Response:
        here, wanted = desk(), body.read(request, StickChoice)
        with _refusals():
            here.take_from_stick(wanted.name)
        return answer()


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except StickError as error:
        raise RequestError(error.message, code="stick") from error
    except BackupError as error:
        raise RequestError(error.message, code="not-now") from error


def _number(name: str) -> int:
    value = request.args.get(name, 0, type=int)
    if not 1 <= value <= MOST_PIECES:
        raise RequestError(f'"{name}" must be a whole number from 1 to {MOST_PIECES}.')
    return value
