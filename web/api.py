"""`/api/v1`: what everybody on the network may read about the game. docs/reference/api.md lists every address."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from companion.table import Table
from web import rules
from web.headers import no_store
from web.openapi import document


def state(table: Table) -> Response:
    """The public state, which also answers every command."""
    return no_store(jsonify(table.state()))


def register(api: Blueprint, table: Table) -> None:
    """Add `/state`, `/story`, `/choices`, `/rules` and `/openapi.json` to `api`."""
    api.add_url_rule("/state", "state", lambda: state(table))

    @api.get("/story")
    def story() -> Response:
        return no_store(jsonify(table.story()))

    @api.get("/choices")
    def choices() -> Response:
        return jsonify(rules.choices())

    @api.get("/rules")
    def rules_in_words() -> Response:
        return no_store(jsonify(rules.rules(table.state(), request.args.get("compare"))))

    @api.get("/openapi.json")
    def openapi() -> Response:
        return jsonify(document.document())
