"""`/api/v1/box/health`: whether the box is well, in words, and what its host can do about it from a phone."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Annotated, Final, Literal

from flask import Blueprint, Response, jsonify, request
from msgspec import Meta

from companion.box.doctor.diagnosis import Diagnosis, Mend, Severity
from companion.box.upkeep import Upkeep
from companion.messages.message import Message
from companion.messages.sentence import Sentence, Value
from companion.table import Table
from web import body
from web.access.access import Access
from web.box.box import BoxState, check_host, check_no_game
from web.errors import RequestError
from web.headers import no_store

_SEVERITIES: Final = {
    Severity.GOOD: "good", Severity.ABSENT: "absent", Severity.POOR: "poor", Severity.BAD: "bad"
}  # fmt: skip


class BoxFinding(Sentence, frozen=True, kw_only=True):
    """What was found of one part of the box."""

    part: str
    severity: Annotated[
        Literal["good", "absent", "poor", "bad"],
        Meta(description="absent: missing, but not needed. poor: it works, but not well. bad: it does not work."),
    ]
    mend: Annotated[Mend | None, Meta(description="What the box can do about it: POST `/box/camera` or `/box/repair`.")]


class BoxHealth(Value, frozen=True, kw_only=True):
    """How the box is."""

    findings: tuple[BoxFinding, ...]


def box_finding(diagnosis: Diagnosis) -> BoxFinding:
    """A diagnosis for the host."""
    return BoxFinding(
        sentence=diagnosis.host or diagnosis.sentence,
        part=diagnosis.part,
        severity=_SEVERITIES[diagnosis.severity],  # type: ignore[arg-type]
        mend=diagnosis.mend,
    )


def register(
    api: Blueprint, table: Table, access: Access, upkeep: Upkeep | None, box_now: Callable[[], BoxState]
) -> None:
    """Add `/box/health`, the report, and what mends the box, which answers `box_now`.

    `upkeep`: None if nothing can be done.
    """

    def there() -> Upkeep:
        check_host(access)
        if upkeep is None:
            raise RequestError("This program has no box to look after.", code="not_found")
        return upkeep

    def to_mend() -> Upkeep:
        body.read(request, body.Nothing)
        return there()

    def to_restart() -> Upkeep:
        found = to_mend()
        check_no_game(table)
        return found

    def answer() -> Response:
        return no_store(jsonify(box_now()))

    @api.get("/box/health")
    def box_health() -> Response:
        return no_store(jsonify(BoxHealth(findings=tuple(map(box_finding, there().examine())))))

    @api.get("/box/bundle.zip")
    def box_bundle() -> Response:
        response = no_store(Response(there().report(), mimetype="application/zip"))
        response.headers["Content-Disposition"] = f'attachment; filename="perudo-{socket.gethostname()}.zip"'
        return response

    @api.post("/box/camera")
    def box_camera() -> Response:
        found = to_mend()
        if not found.has_camera:
            raise RequestError(
                Message("There is no camera to look for: the phones take the pictures."), code="no_camera"
            )
        found.look_for_camera()
        return answer()

    def saved(found: Upkeep) -> Upkeep:
        if not table.state().journal.ok:
            raise RequestError(
                Message("What was played last is only in memory, and would be lost. Mend first what keeps it there."),
                code="unsaved",
            )
        return found

    def note(act: Callable[[], None]) -> Response:
        try:
            act()
        except OSError as error:
            raise RequestError(
                Message("Nothing can be written to the memory card ({reason}).", reason=error.strerror or str(error)),
                code="unsaved",
            ) from error
        return answer()

    @api.post("/box/restart")
    def box_restart() -> Response:
        saved(to_restart()).start_anew()
        return answer()

    @api.post("/box/repair")
    def box_repair() -> Response:
        return note(to_restart().repair)

    @api.post("/box/second")
    def box_second() -> Response:
        return note(saved(to_restart()).become_second)
