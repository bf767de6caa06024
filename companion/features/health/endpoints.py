"""The health of the box, its log, and the host's remedies."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Final, Literal

from flask import Response
from msgspec import Meta

from companion.box.doctor import Diagnosis, Remedy, Severity
from companion.box.doctor.bundle import redact
from companion.features.health.service import Maintenance
from companion.messages.message import Message
from companion.messages.sentence import Sentence, Value
from companion.table import Table
from web.access.access import Access
from web.endpoints import Who, get
from web.errors import RequestError, no_store
from web.feature import Feature, change

_SEVERITIES: Final = {
    Severity.GOOD: "good", Severity.ABSENT: "absent", Severity.POOR: "poor", Severity.BAD: "bad"
}  # fmt: skip


class LogLines(Value, frozen=True):
    """The last lines of the log, oldest first, in English."""

    lines: tuple[str, ...]


class BoxFinding(Sentence, frozen=True, kw_only=True):
    """A finding about one part of the box."""

    part: str
    severity: Annotated[
        Literal["good", "absent", "poor", "bad"],
        Meta(description="absent: missing, but not needed. poor: it works, but not well. bad: it does not work."),
    ]
    mend: Annotated[
        Remedy | None, Meta(description="What the box can do about it: POST `/box/camera` or `/box/repair`.")
    ]


class BoxHealth(Value, frozen=True, kw_only=True):
    findings: tuple[BoxFinding, ...]


def box_finding(diagnosis: Diagnosis) -> BoxFinding:
    """A diagnosis for the host."""
    return BoxFinding(
        sentence=diagnosis.said,
        part=diagnosis.part,
        severity=_SEVERITIES[diagnosis.severity],  # type: ignore[arg-type]
        mend=diagnosis.remedy,
    )


class HealthFeature(Feature[Maintenance]):
    """What the host can examine and do about a problem."""

    def absence(self) -> RequestError:
        return RequestError("This program has no box to look after.", code="not_found")

    def __init__(self, maintenance: Maintenance | None, table: Table, access: Access) -> None:
        super().__init__(maintenance, table)
        self._access = access

    @get("box/health", topic="box", who=Who.HOST, refuses=(404,))
    def box_health(self) -> BoxHealth:
        """The condition of the box, in words."""
        return BoxHealth(findings=tuple(map(box_finding, self.there.examine())))

    @get("box/log", topic="box", who=Who.HOST)
    def box_log(self) -> LogLines:
        """The last 500 lines of the log, without secrets."""
        text = "" if self.service is None else "\n".join(self.service.recent_log.lines)
        return LogLines(tuple(redact(text, (self._access.code, self._access.invitation)).splitlines()))

    @get("box/bundle.zip", topic="box", who=Who.HOST, answers="application/zip", refuses=(404,))
    def box_bundle(self) -> Response:
        """The zip file for a bug report, without secrets."""
        response = no_store(Response(self.there.report(), mimetype="application/zip"))
        response.headers["Content-Disposition"] = f'attachment; filename="perudo-{socket.gethostname()}.zip"'
        return response

    @change("box/camera", refuses=(404,))
    def box_camera(self) -> None:
        """Search for the camera at once, even if that failed a moment ago."""
        maintenance = self.there
        if not maintenance.has_camera:
            raise RequestError(
                Message("There is no camera to look for: the phones take the pictures."), code="no_camera"
            )
        maintenance.look_for_camera()

    @change("box/restart", refuses=(404,))
    def box_restart(self) -> None:
        """Restart the program. Not while a game is going on."""
        maintenance = self.idle
        self.check_saved()
        maintenance.restart()

    @change("box/repair", refuses=(404,))
    def box_repair(self) -> None:
        """Restart the program, and set the journal aside if it is damaged. Not while a game is going on."""
        with _writes():
            self.idle.repair()

    @change("box/second", refuses=(404,))
    def box_second(self) -> None:
        """Restart as a different box from the one whose memory card was copied: in no club, without certificates, \
with another name for its own Wi-Fi. Not while a game is going on."""
        maintenance = self.idle
        self.check_saved()
        with _writes():
            maintenance.become_second()


@contextmanager
def _writes() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise RequestError(
            Message("Nothing can be written to the memory card ({reason}).", reason=error.strerror or str(error)),
            code="unsaved",
        ) from error
