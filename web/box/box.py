"""`/api/v1/box`, for the page `/box`. Everybody may see what the box is; the host's phone keeps it going.

Each change answers what the box is then.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from typing import Annotated, Final, Literal
from urllib.parse import urlsplit

from flask import Response, request, send_file
from msgspec import Meta, Struct

from companion.box.backup.backups import MOST_PIECES, Backups, BackupState
from companion.box.backup.description import BackupError
from companion.box.camera_setup import CameraSetup, CameraSetupState
from companion.box.doctor import Diagnosis, Remedy, Severity
from companion.box.doctor.bundle import redact
from companion.box.https.certificates import CertificateError
from companion.box.maintenance import Maintenance
from companion.box.network_name import network_name
from companion.box.updates import GoBack, Updates, UpdateState
from companion.box.wifi.network_manager import HOTSPOT_ADDRESS
from companion.box.wifi.wifi import Wifi, WifiState
from companion.config.settings_file import SettingsError
from companion.member.errors import ClubError
from companion.member.table_club import ClubState, TableClub
from companion.messages.message import Message
from companion.messages.sentence import Sentence, Value
from companion.panel.table_panel import ButtonsState, TablePanel
from companion.table import Table
from companion.table.commands import MOST_PLAYERS_SENT, PlayerName
from vision.image_file import LARGEST_PHOTO
from web.box.https import HttpsState
from web.endpoints import Schema, Who, get, one_of, post, query
from web.errors import RequestError, no_store
from web.parts import Parts
from web.pictures import SET_PATTERN, jpeg

PROGRAM_VERSION: Final = version("perudo-companion")
PIECE_TYPE: Final = "application/octet-stream"
LONGEST_SSID: Final = 32
"""Bytes of a Wi-Fi's name; a letter with an accent has two."""
TABLE: Final = f"http://{HOTSPOT_ADDRESS}/"
CHOOSING: Final = f"{TABLE}box#wifi"

_SEVERITIES: Final = {
    Severity.GOOD: "good", Severity.ABSENT: "absent", Severity.POOR: "poor", Severity.BAD: "bad"
}  # fmt: skip


class BoxState(Value, frozen=True, kw_only=True):
    """What everybody may know of the box. It answers every change, too."""

    version: str
    name: str
    """The machine's. Phones find it as `name.local` where it runs Avahi."""
    address: str
    """Where phones find the page, without http://: by `name.local` if anything here answers to that, else by number."""
    playing: bool
    """Whether a game is going on. The box is not updated or restored meanwhile."""
    backup: BackupState | None
    """None where nothing is kept."""
    https: HttpsState | None
    """None where there is no such thing."""
    camera: CameraSetupState | None
    """None where no camera can be chosen."""
    buttons: ButtonsState | None
    """None where none can be learned."""
    wifi: WifiState | None
    """None where the box does not look after it."""
    club: ClubState | None
    """None where the program was installed without the part for clubs."""
    update: UpdateState | None
    """None where it is not updated from the page."""


class LogLines(Value, frozen=True):
    """The last lines of the log, oldest first, in English."""

    lines: tuple[str, ...]


class BoxFinding(Sentence, frozen=True, kw_only=True):
    """What was found of one part of the box."""

    part: str
    severity: Annotated[
        Literal["good", "absent", "poor", "bad"],
        Meta(description="absent: missing, but not needed. poor: it works, but not well. bad: it does not work."),
    ]
    mend: Annotated[
        Remedy | None, Meta(description="What the box can do about it: POST `/box/camera` or `/box/repair`.")
    ]


class BoxHealth(Value, frozen=True, kw_only=True):
    """How the box is."""

    findings: tuple[BoxFinding, ...]


class WantedBackup(Struct, frozen=True, forbid_unknown_fields=True):
    """Which backup is wanted."""

    secrets: bool
    """Whether the table's code and the phones are in it."""


class ReplaceBox(Struct, frozen=True, forbid_unknown_fields=True):
    """What else of a backup is taken over, where this box can."""

    rename: bool
    """Its name."""
    configure: bool
    """Its configuration."""
    second: bool = False
    """Whether the box that made it is still used: then this one takes neither its place in the club nor its name."""


class ChooseWifi(Struct, frozen=True, forbid_unknown_fields=True):
    """A network for the box to join."""

    name: Annotated[str, Meta(min_length=1, max_length=LONGEST_SSID)]
    password: Annotated[str, Meta(max_length=63, description='"" for an open network, or one that the box knows.')]
    hidden: Annotated[bool, Meta(description="Whether it does not say its name, so that no list has it.")] = False


class TryCamera(Struct, frozen=True, forbid_unknown_fields=True):
    """A camera to try."""

    source: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=300,
            description="One that was found; an address that begins with http://, https:// or rtsp://; or phone.",
        ),
    ]


class JoinByInvitation(Struct, frozen=True, forbid_unknown_fields=True):
    """Join a club."""

    address: Annotated[str, Meta(min_length=1, max_length=300, description="The invitation.")]
    name: Annotated[str, Meta(min_length=1, max_length=40, description="What the club is to call this table.")]


class ClubNames(Struct, frozen=True, forbid_unknown_fields=True):
    """Who may be named."""

    names: Annotated[list[PlayerName], Meta(max_length=10 * MOST_PLAYERS_SENT)]


def box_finding(diagnosis: Diagnosis) -> BoxFinding:
    """A diagnosis for the host."""
    return BoxFinding(
        sentence=diagnosis.host or diagnosis.sentence,
        part=diagnosis.part,
        severity=_SEVERITIES[diagnosis.severity],  # type: ignore[arg-type]
        mend=diagnosis.remedy,
    )


def leading(table: Table, wifi: Wifi | None) -> str | None:
    """Where a phone is led that asks for any name on the box's own network; None while that is not open.

    Phones ask for a name of their maker's to see whether they are online, and show their owner what answers.
    """
    if wifi is None or not wifi.hotspot:
        return None
    return TABLE if table.state().playing else CHOOSING


_change = partial(post, topic="box", who=Who.HOST)
_PIECES: Final[Schema] = {"type": "integer", "minimum": 1, "maximum": MOST_PIECES}


def _shown(addresses: Sequence[str]) -> str:
    """The address to type, of those of the page: the best is first, and the machine's name last."""
    named = (urlsplit(addresses[-1]).hostname or "").endswith(".local")
    return urlsplit(addresses[-1 if named else 0]).netloc


class BoxEndpoints:
    """The box's endpoints."""

    def __init__(self, parts: Parts) -> None:
        self._parts, self._table = parts, parts.table

    @get("box")
    def box(self) -> BoxState:
        """What the box is: its version, its name."""
        parts = self._parts
        return BoxState(
            version=PROGRAM_VERSION,
            name=network_name(),
            address=_shown(parts.addresses()),
            playing=self._table.state().playing,
            backup=None if parts.backups is None else parts.backups.state(),
            https=None if parts.https is None else parts.https.state(),
            camera=None if parts.camera_setup is None else parts.camera_setup.state(),
            buttons=None if parts.buttons is None else parts.buttons.state(),
            wifi=None if parts.wifi is None else parts.wifi.state(),
            club=None if parts.club is None else parts.club.state(),
            update=None if parts.updates is None else parts.updates.state(),
        )

    def _check_no_game(self) -> None:
        """Raise `RequestError` while a game is going on."""
        if self._table.state().playing:
            raise RequestError(Message("A game is going on: end it first, or wait for its end."), code="wrong-phase")

    # Whether it is well

    @get("box/health", topic="box", who=Who.HOST, refuses=(404,))
    def box_health(self) -> BoxHealth:
        """Whether the box is well, in words."""
        return BoxHealth(findings=tuple(map(box_finding, self._maintenance().examine())))

    @get("box/log", topic="box", who=Who.HOST)
    def box_log(self) -> LogLines:
        """The last 500 lines of the log, without secrets."""
        maintenance, access = self._parts.maintenance, self._parts.access
        text = "" if maintenance is None else "\n".join(maintenance.recent_log.lines)
        return LogLines(tuple(redact(text, (access.code, access.invitation)).splitlines()))

    @get("box/bundle.zip", topic="box", who=Who.HOST, answers="application/zip", refuses=(404,))
    def box_bundle(self) -> Response:
        """The report for a bug, without secrets."""
        response = no_store(Response(self._maintenance().report(), mimetype="application/zip"))
        response.headers["Content-Disposition"] = f'attachment; filename="perudo-{socket.gethostname()}.zip"'
        return response

    @_change("box/camera", refuses=(404,))
    def box_camera(self) -> BoxState:
        """Look for the camera at once, even if it failed a moment ago."""
        maintenance = self._maintenance()
        if not maintenance.has_camera:
            raise RequestError(
                Message("There is no camera to look for: the phones take the pictures."), code="no_camera"
            )
        maintenance.look_for_camera()
        return self.box()

    @_change("box/restart", refuses=(404,))
    def box_restart(self) -> BoxState:
        """Start the program anew. Not while a game is going on."""
        maintenance = self._maintenance()
        self._check_no_game()
        self._check_saved()
        maintenance.restart()
        return self.box()

    @_change("box/repair", refuses=(404,))
    def box_repair(self) -> BoxState:
        """Start it anew, and set the journal aside if it is damaged. Not while a game is going on."""
        maintenance = self._maintenance()
        self._check_no_game()
        with _writes():
            maintenance.repair()
        return self.box()

    @_change("box/second", refuses=(404,))
    def box_second(self) -> BoxState:
        """Start it anew as another box than the one whose memory card was copied: in no club, without certificates, \
its own Wi-Fi under another name. Not while a game is going on."""
        maintenance = self._maintenance()
        self._check_no_game()
        self._check_saved()
        with _writes():
            maintenance.become_second()
        return self.box()

    def _maintenance(self) -> Maintenance:
        if self._parts.maintenance is None:
            raise RequestError("This program has no box to look after.", code="not_found")
        return self._parts.maintenance

    def _check_saved(self) -> None:
        """Raise `RequestError` if a restart would lose something."""
        if not self._table.state().journal.ok:
            raise RequestError(
                Message("What was played last is only in memory, and would be lost. Mend first what keeps it there."),
                code="unsaved",
            )

    # Backups

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
        """The box as one file: the one that is ready, or one made now."""
        with _backups():
            file, content = self._backups().open_file(request.args.get("secrets") == "1")
        response = send_file(
            content, mimetype="application/zip", as_attachment=True, download_name=file.name, etag=False, max_age=0
        )
        response.content_length = file.bytes
        return no_store(response)

    @_change("box/backup", refuses=(404,))
    def make_backup(self, body: WantedBackup) -> BoxState:
        """Begin to write a backup, for `backup.zip`."""
        backups = self._backups()
        with _backups():
            backups.make(body.secrets)
        return self.box()

    @_change("box/backup/cancel", refuses=(404,))
    def cancel_restore(self) -> BoxState:
        """Forget the backup that was sent."""
        with _backups():
            self._backups().cancel()
        return self.box()

    @_change("box/backup/back", refuses=(404,))
    def undo_restore(self) -> BoxState:
        """Put back what was here before. The program starts anew."""
        backups = self._backups()
        self._check_no_game()
        with _backups():
            backups.go_back()
        return self.box()

    @_change("box/restore", refuses=(404,))
    def restore(self, body: ReplaceBox) -> BoxState:
        """Put the backup that was sent in place. The program starts anew."""
        backups = self._backups()
        self._check_no_game()
        with _backups():
            backups.replace(rename=body.rename, configure=body.configure, second=body.second)
        return self.box()

    @_change(
        "box/restore/{together}",
        takes=PIECE_TYPE,
        fields={"together": {"type": "string", "pattern": f"^{SET_PATTERN}$", "description": "Names the file."}},
        parameters=(
            query("of", _PIECES, "How many pieces there are."),
            query("number", _PIECES, "Which of them this is."),
        ),
        refuses=(404,),
    )
    def restore_piece(self, together: str) -> BoxState:
        """A piece of a backup, 4 MiB at most. They come in order; after the last one the whole is checked."""
        backups = self._backups()
        if request.mimetype != PIECE_TYPE:
            raise RequestError(f"Send a piece of the file: the Content-Type must be {PIECE_TYPE}.", code="content_type")
        of, number = _piece("of"), _piece("number")
        data = request.get_data()
        if not re.fullmatch(SET_PATTERN, together) or number > of or not data:
            raise RequestError(f"A piece needs a name of 8 to 64 letters and digits, and a number up to {of}.")
        if len(data) > LARGEST_PHOTO:
            raise RequestError(f"A piece has {LARGEST_PHOTO} bytes at most.", code="too_large")
        with _backups():
            backups.take_piece(together, number, of, data)
        return self.box()

    def _backups(self) -> Backups:
        if self._parts.backups is None:
            raise RequestError("This table keeps nothing on a disk.", code="not_found")
        return self._parts.backups

    # The camera

    @_change("box/camera/try", refuses=(404,))
    def try_camera(self, body: TryCamera) -> BoxState:
        """Begin to open a camera and take a picture, which the state then tells of. Not while a game is going on."""
        setup = self._camera_setup()
        self._check_no_game()
        with _settings():
            setup.try_camera(body.source)
        return self.box()

    @_change("box/camera/keep", refuses=(404,))
    def keep_camera(self) -> BoxState:
        """Write the camera that was tried into the configuration. The program starts anew."""
        setup = self._camera_setup()
        self._check_no_game()
        self._check_saved()
        setup.keep()
        return self.box()

    @get("box/camera.jpg", topic="box", who=Who.HOST, answers="image/jpeg", refuses=(404,))
    def tried_picture(self) -> bytes:
        """The picture of the camera that was tried last, at most 960 pixels wide."""
        picture = self._camera_setup().picture
        if picture is None:
            raise RequestError("No camera was tried that gives pictures.", code="not_found")
        return jpeg(picture)

    def _camera_setup(self) -> CameraSetup:
        if self._parts.camera_setup is None:
            raise RequestError("No camera can be chosen here.", code="not_found")
        return self._parts.camera_setup

    # Its buttons

    @_change("box/buttons/learn", refuses=(404,))
    def learn_buttons(self) -> BoxState:
        """Begin to learn DUDO and CALZA from keys that are pressed. The state has what to press. Not while a game is \
going on."""
        buttons = self._buttons()
        self._check_no_game()
        with _settings():
            buttons.learn()
        return self.box()

    @_change("box/buttons/stop", refuses=(404,))
    def stop_learning(self) -> BoxState:
        """End learning. The buttons stay as they were."""
        self._buttons().stop()
        return self.box()

    def _buttons(self) -> TablePanel:
        if self._parts.buttons is None:
            raise RequestError("No buttons can be learned here.", code="not_found")
        return self._parts.buttons

    # Wi-Fi

    @post("box/wifi", topic="box", who=Who.SETUP)
    def choose_wifi(self, body: ChooseWifi) -> BoxState:
        """Have the box join a Wi-Fi. On the box's own Wi-Fi any phone may, while nobody plays, and needs no token."""
        wifi = self._wifi()
        if body.password and len(body.password) < 8:
            raise RequestError(Message("A Wi-Fi password has at least eight characters."), code="wifi")
        if len(body.name.encode()) > LONGEST_SSID:
            raise RequestError(Message("This name is too long for a Wi-Fi."), code="wifi")
        wifi.choose(body.name, body.password, hidden=body.hidden)
        return self.box()

    @_change("box/wifi/own")
    def open_own_wifi(self) -> BoxState:
        """Open the box's own Wi-Fi."""
        self._wifi().open_own()
        return self.box()

    def _wifi(self) -> Wifi:
        if self._parts.wifi is None:
            raise RequestError(Message("This box does not look after Wi-Fi."), code="wifi")
        return self._parts.wifi

    # https

    @_change("box/certificate")
    def make_certificate(self) -> BoxState:
        """Make the box's own certificate, so that the page is there over https too."""
        if self._parts.https is None:
            raise RequestError(Message("This program serves no https."), code="certificate")
        try:
            self._parts.https.make()
        except CertificateError as error:
            raise RequestError(
                Message("The certificate could not be made: {reason}.", reason=str(error)), code="certificate"
            ) from error
        return self.box()

    # The club

    @_change("box/club")
    def join_club(self, body: JoinByInvitation) -> BoxState:
        """Join a club by an invitation of its hub."""
        with self._club() as club:
            club.join(body.address, body.name)
        return self.box()

    @_change("box/club/leave")
    def leave_club(self) -> BoxState:
        """Leave the club. What is in its books stays there."""
        with self._club() as club:
            club.leave()
        return self.box()

    @_change("box/club/names")
    def club_names(self, body: ClubNames) -> BoxState:
        """Who may be named in the club, from now on."""
        with self._club() as club:
            club.set_names(tuple(body.names))
        return self.box()

    @contextmanager
    def _club(self) -> Iterator[TableClub]:
        if self._parts.club is None:
            raise RequestError(Message("This program was installed without the part for clubs."), code="club")
        try:
            yield self._parts.club
        except ClubError as error:
            raise RequestError(error.sentence, code="club") from error

    # Updates

    @_change("box/update/look")
    def look_for_update(self) -> BoxState:
        """Look for a newer version."""
        self._updates()[0].look()
        return self.box()

    @_change("box/update")
    def update(self) -> BoxState:
        """Fetch the newer version and try it. The program starts anew."""
        updates, state = self._updates()
        self._check_no_game()
        if state.newer is None:
            raise RequestError(Message("There is no newer version: look again."), code="update")
        updates.update()
        return self.box()

    @_change("box/update/back")
    def go_back(self, body: GoBack) -> BoxState:
        """Use the version before again. The program starts anew.

        Unless `lose`, it does not if that version does not read every game as it is: `lost` then says how many.
        """
        updates, state = self._updates()
        self._check_no_game()
        if state.before is None:
            raise RequestError(Message("There is no version before to go back to."), code="update")
        updates.go_back(lose=body.lose)
        return self.box()

    def _updates(self) -> tuple[Updates, UpdateState]:
        updates = self._parts.updates
        state = None if updates is None else updates.state()
        if updates is None or state is None:
            raise RequestError(Message("This program is not updated from the page."), code="update")
        return updates, state


@contextmanager
def _settings() -> Iterator[None]:
    try:
        yield
    except SettingsError as error:
        raise RequestError(error.message, code="settings") from error


@contextmanager
def _backups() -> Iterator[None]:
    try:
        yield
    except BackupError as error:
        raise RequestError(error.message, code="not-now") from error


@contextmanager
def _writes() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise RequestError(
            Message("Nothing can be written to the memory card ({reason}).", reason=error.strerror or str(error)),
            code="unsaved",
        ) from error


def _piece(name: str) -> int:
    value = request.args.get(name, 0, type=int)
    if not 1 <= value <= MOST_PIECES:
        raise RequestError(f'"{name}" must be a whole number from 1 to {MOST_PIECES}.')
    return value
