"""The commands as POSTs: each reads its request, has the table do it and returns the new state."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

from companion.table.commands import COMMANDS, Command
from web import body
from web.access.tap import Taps

BUTTONS: Final = ("dudo", "calza")

Answer = Callable[[], Response]
"""Makes the new state into a response."""


class PanelFingers(Protocol):
    """The virtual panel, whose pins the code of the real buttons reads."""

    def press(self, button: str) -> None: ...
    def release(self, button: str) -> None: ...


def register(api: Blueprint, panel: PanelFingers | None, taps: Taps, answer: Answer) -> None:
    """Add every command to `api`, and the virtual panel's buttons."""

    def carry_out(kind: type[Command], empty: str, **address: int) -> Response:
        taps.do(body.read(request, kind, empty=empty, **address))
        return answer()

    for kind in COMMANDS:
        if kind.at is not None:
            rule = "/" + kind.at.path.replace("{", "<int:").replace("}", ">")
            api.add_url_rule(rule, kind.at.operation, partial(carry_out, kind, kind.at.empty), methods=["POST"])

    @api.post("/panel/<button>/<action>")
    def press(button: str, action: str) -> Response:
        if panel is None or button not in BUTTONS or action not in {"press", "release"}:
            raise NotFound
        body.read(request, body.Nothing)
        (panel.press if action == "press" else panel.release)(button)
        return answer()
