"""`/healthz`: whether a game can be judged and saved now."""

from __future__ import annotations

from flask import Flask, Response, jsonify

from companion.messages.sentence import Value
from companion.table import State, Table
from companion.table.commands import Count
from companion.table.game.table_position import Phase
from web.headers import no_store
from web.stream.stream import Feed


class Health(Value, frozen=True, kw_only=True):
    """Whether a game can be judged and kept now; if not, why."""

    ok: bool
    reasons: tuple[str, ...]
    version: Count
    phase: Phase
    camera: str
    """Its name; empty if there is none."""
    listeners: Count


def health(state: State, listeners: int) -> Health:
    """The health of the box. `listeners` is the number of open streams."""
    reasons = [] if state.camera.ok else [state.camera.sentence or "The camera gives no pictures."]
    if not state.journal.ok:
        reasons.append(state.journal.sentence)
    return Health(
        ok=not reasons,
        reasons=tuple(reasons),
        version=state.version,
        phase=state.phase,
        camera=state.camera.name,
        listeners=listeners,
    )


def register(app: Flask, table: Table, feed: Feed) -> None:
    """Add `/healthz` to `app`: 200 if a game can be judged now, otherwise 503 with the reasons."""

    @app.get("/healthz")
    def healthz() -> Response:
        now = health(table.state(), feed.count)
        response = no_store(jsonify(now))
        response.status_code = 200 if now.ok else 503
        return response
