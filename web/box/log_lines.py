"""`/api/v1/box/log`: the last lines of the box's log, without secrets, for the host's phone."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from companion.box.doctor.redaction import redact
from companion.box.recent_log import RecentLog
from companion.messages.sentence import Value
from web.access.access import Access
from web.box.box import check_host
from web.headers import no_store


class LogLines(Value, frozen=True):
    """The last lines of the log, oldest first, in English."""

    lines: tuple[str, ...]


def register(api: Blueprint, access: Access, recent: RecentLog | None) -> None:
    """Add `/box/log`. `recent`: None if nothing is kept."""

    @api.get("/box/log")
    def box_log() -> Response:
        check_host(access)
        text = redact("\n".join(recent.lines if recent is not None else ()), (access.code, access.invitation))
        return no_store(jsonify(LogLines(tuple(text.splitlines()))))
