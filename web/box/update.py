"""Updating the box from its page."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, jsonify, request

from companion.box.updates import Updates, UpdateState
from companion.messages.message import Message
from companion.table import Table
from web import body
from web.access.access import Access
from web.box.box import BoxState, check_host, check_no_game
from web.errors import RequestError
from web.headers import no_store


def register(
    api: Blueprint, table: Table, access: Access, updates: Updates | None, now: Callable[[], BoxState]
) -> None:
    """Add the addresses under `/box/update`. `updates`: None if this program is not updated from the page."""

    def there() -> tuple[Updates, UpdateState]:
        body.read(request, body.Nothing)
        check_host(access)
        state = None if updates is None else updates.state()
        if updates is None or state is None:
            raise RequestError(Message("This program is not updated from the page."), code="update")
        return updates, state

    @api.post("/box/update/look")
    def look_for_update() -> Response:
        there()[0].look()
        return no_store(jsonify(now()))

    @api.post("/box/update")
    def update() -> Response:
        desk, state = there()
        check_no_game(table)
        if state.newer is None:
            raise RequestError(Message("There is no newer version: look again."), code="update")
        desk.update()
        return no_store(jsonify(now()))

    @api.post("/box/update/back")
    def go_back() -> Response:
        desk, state = there()
        check_no_game(table)
        if state.before is None:
            raise RequestError(Message("There is no version before to go back to."), code="update")
        desk.go_back()
        return no_store(jsonify(now()))
