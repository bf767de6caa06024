"""What everybody on the network may read about the game. docs/reference/api.md lists every address."""

from __future__ import annotations

from flask import Blueprint, Flask, Response, jsonify, request

from companion.messages.sentence import Value, json_bytes
from companion.table import State, Table
from companion.table.commands import Count
from companion.table.game.table_position import Phase
from web import rules
from web.access.access import Access
from web.answer_cache import AnswerCache
from web.headers import no_store
from web.stream.stream import Feed


class Health(Value, frozen=True, kw_only=True):
    """Whether a game can be judged and saved now; if not, why."""

    ok: bool
    reasons: tuple[str, ...]
    version: Count
    phase: Phase
    camera: str
    """The camera's name; empty if there is none."""
    listeners: Count
    """The number of open streams."""


def health(state: State, listeners: int) -> Health:
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


def state(table: Table) -> Response:
    """The public state, which also answers every command."""
    return no_store(jsonify(table.state()))


def register(app: Flask, api: Blueprint, table: Table, feed: Feed, access: Access, answers: AnswerCache) -> None:
    """Add `/state`, `/story`, `/turn`, `/choices` and `/rules` to `api`, and `/healthz` to `app`."""

    api.add_url_rule("/state", "state", lambda: state(table))

    @api.get("/story")
    def story() -> Response:
        joined = access.visitor(request).phone is not None
        told = answers.get("story", lambda: json_bytes(table.story()), lambda: table.state().version, joined=joined)
        return no_store(Response(told, mimetype="application/json"))

    api.add_url_rule("/turn", "turn", lambda: no_store(jsonify(table.turn())))

    def game() -> int:
        return table.state().game

    @api.get("/choices")
    def choices() -> Response:
        made = answers.get("choices", lambda: json_bytes(rules.choices(table.house, table.named_rules())), game)
        return no_store(Response(made, mimetype="application/json"))

    @api.get("/rules")
    def rules_in_words() -> Response:
        return no_store(jsonify(rules.rules(table.state(), request.args.get("compare"))))

    @app.get("/healthz")
    def healthz() -> tuple[Response, int]:
        now = health(table.state(), feed.count)
        return no_store(jsonify(now)), 200 if now.ok else 503
