"""Whether the box is well, its log, and what the host does to keep it going."""

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


def box_finding(diagnosis: Diagnosis) -> BoxFinding:
    """A diagnosis for the host."""
    return BoxFinding(
        sentence=diagnosis.host or diagnosis.sentence,
        part=diagnosis.part,
        severity=_SEVERITIES[diagnosis.severity],  # type: ignore[arg-type]
        mend=diagnosis.remedy,
    )


class HealthFeature(Feature[Maintenance]):
    """What the host looks at and does where something is wrong."""

    def absence(self) -> RequestError:
        return RequestError("This program has no box to look after.", code="not_found")

    def __init__(self, maintenance: Maintenance | None, table: Table, access: Access) -> None:
        super().__init__(maintenance, table)
        self._access = access

    @get("box/health", topic="box", who=Who.HOST, refuses=(404,))
    def box_health(self) -> BoxHealth:
        """Whether the box is well, in words."""
        return BoxHealth(findings=tuple(map(box_finding, self.there.examine())))

    @get("box/log", topic="box", who=Who.HOST)
    def box_log(self) -> LogLines:
        """The last 500 lines of the log, without secrets."""
        text = "" if self.service is None else "\n".join(self.service.recent_log.lines)
        return LogLines(tuple(redact(text, (self._access.code, self._access.invitation)).splitlines()))

    @get("box/bundle.zip", topic="box", who=Who.HOST, answers="application/zip", refuses=(404,))
    def box_bundle(self) -> Response:
        """The report for a bug, without secrets."""
        response = no_store(Response(self.there.report(), mimetype="application/zip"))
        response.headers["Content-Disposition"] = f'attachment; filename="perudo-{socket.gethostname()}.zip"'
        return response

    @change("box/camera", refuses=(404,))
    def box_camera(self) -> None:
        """Look for the camera at once, even if it failed a moment ago."""
        maintenance = self.there
        if not maintenance.has_camera:
            raise RequestError(
                Message("There is no camera to look for: the phones take the pictures."), code="no_camera"
            )
        maintenance.look_for_camera()

    @change("box/restart", refuses=(404,))
    def box_restart(self) -> None:
        """Start the program anew. Not while a game is going on."""
        maintenance = self.idle
        self.check_saved()
        maintenance.restart()

    @change("box/repair", refuses=(404,))
    def box_repair(self) -> None:
        """Start it anew, and set the journal aside if it is damaged. Not while a game is going on."""
        with _writes():
            self.idle.repair()

    @change("box/second", refuses=(404,))
    def box_second(self) -> None:
        """Start it anew as another box than the one whose memory card was copied: in no club, without certificates, \
its own Wi-Fi under another name. Not while a game is going on."""
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
