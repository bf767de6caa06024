"""Backups from the host's phone: one is downloaded, or uploaded in pieces and restored."""

from __future__ import annotations

import re
from typing import Final

from flask import Response, request, send_file
from msgspec import Struct

from companion.features.backup.description import BackupError
from companion.features.backup.service import MOST_PIECES, Backups, BackupState
from vision.image_file import LARGEST_PHOTO
from web.endpoints import Schema, Who, get, one_of, query
from web.errors import RequestError, no_store
from web.feature import Feature, change
from web.pictures import SET_PATTERN

PIECE_TYPE: Final = "application/octet-stream"
PIECES: Final[Schema] = {"type": "integer", "minimum": 1, "maximum": MOST_PIECES}


class WantedBackup(Struct, frozen=True, forbid_unknown_fields=True):
    secrets: bool
    """True to include the table's code and the phones."""


class ReplaceBox(Struct, frozen=True, forbid_unknown_fields=True):
    """What to restore besides the state, if this box can."""

    rename: bool
    """Its name."""
    configure: bool
    """Its configuration."""
    second: bool = False
    """True if the box that made it is still used: this one then takes neither its place in the club nor its name."""


class BackupFeature(Feature[Backups]):
    key, shows = "backup", BackupState
    refuses = BackupError, "not-now"

    def absence(self) -> RequestError:
        return RequestError("This table keeps nothing on a disk.", code="not_found")

    def start(self) -> None:
        if self.service is not None:
            self.service.ask_root()

    def step(self) -> None:
        if self.service is not None:
            self.service.expire()

    @get(
        "box/backup.zip",
        topic="box",
        who=Who.HOST,
        answers="application/zip",
        parameters=(
            query(
                "secrets", one_of("1"), "1 adds the table's code and the phones: whoever has the file can then join."
            ),
        ),
        refuses=(404, 409),
    )
    def backup(self) -> Response:
        """The box as one file: the backup that is ready, or a new one."""
        file, content = self.there.open_file(request.args.get("secrets") == "1")
        response = send_file(
            content, mimetype="application/zip", as_attachment=True, download_name=file.name, etag=False, max_age=0
        )
        response.content_length = file.bytes
        return no_store(response)

    @change("box/backup", refuses=(404,))
    def make_backup(self, body: WantedBackup) -> None:
        """Begin to write a backup, which `backup.zip` then serves."""
        self.there.make(body.secrets)

    @change("box/backup/cancel", refuses=(404,))
    def cancel_restore(self) -> None:
        """Discard the uploaded backup."""
        self.there.cancel()

    @change("box/backup/back", refuses=(404,))
    def undo_restore(self) -> None:
        """Restore what was here before the last restore. The program restarts."""
        self.idle.go_back()

    @change("box/restore", refuses=(404,))
    def restore(self, body: ReplaceBox) -> None:
        """Restore the uploaded backup. The program restarts."""
        self.idle.replace(rename=body.rename, configure=body.configure, second=body.second)

    @change(
        "box/restore/{together}",
        takes=PIECE_TYPE,
        fields={"together": {"type": "string", "pattern": f"^{SET_PATTERN}$", "description": "Names the file."}},
        parameters=(
            query("of", PIECES, "How many pieces there are."),
            query("number", PIECES, "Which of them this is."),
        ),
        refuses=(404,),
    )
    def restore_piece(self, together: str) -> None:
        """Upload a piece of a backup, at most 4 MiB. Pieces come in order; after the last one the file is checked."""
        backups = self.there
        if request.mimetype != PIECE_TYPE:
            raise RequestError(f"Send a piece of the file: the Content-Type must be {PIECE_TYPE}.", code="content_type")
        of, number = _piece("of"), _piece("number")
        data = request.get_data()
        if not re.fullmatch(SET_PATTERN, together) or number > of or not data:
            raise RequestError(f"A piece needs a name of 8 to 64 letters and digits, and a number up to {of}.")
        if len(data) > LARGEST_PHOTO:
            raise RequestError(f"A piece has {LARGEST_PHOTO} bytes at most.", code="too_large")
        backups.take_piece(together, number, of, data)


def _piece(name: str) -> int:
    value = request.args.get(name, 0, type=int)
    if not 1 <= value <= MOST_PIECES:
        raise RequestError(f'"{name}" must be a whole number from 1 to {MOST_PIECES}.')
    return value
