"""Every POST of docs/api.md: reads its request, tells the table, answers the new state."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

from web import body
from web.errors import RequestError
from web.port import Panel, Table

BUTTONS = ("dudo", "calza")
MAX_STEP = 10**9


Answer = Callable[[], Response]
"""Makes the new state into a response."""


def register(api: Blueprint, table: Table, panel: Panel | None, answer: Answer) -> None:
    """Add every command to `api`."""
    _calls(api, table, answer)
    _counting(api, table, answer)
    _company(api, table, answer)

    @api.post("/panel/<button>/<action>")
    def press(button: str, action: str) -> Response:
        if panel is None or button not in BUTTONS or action not in {"press", "release"}:
            raise NotFound
        body.read(request)
        if action == "press":
            panel.press(button)
        else:
            panel.release(button)
        return answer()


def _calls(api: Blueprint, table: Table, answer: Answer) -> None:
    """What is said in a game, and taking it back."""

    @api.post("/bid")
    def bid() -> Response:
        asked = body.read(request, ("player", "count", "face"))
        table.bid(
            body.text(asked, "player"),
            body.whole(asked, "count", 1, body.MAX_COUNT),
            body.whole(asked, "face", 1, 6),
        )
        return answer()

    @api.post("/dudo")
    def dudo() -> Response:
        table.dudo(body.optional_text(body.read(request, (), ("player",)), "player"))
        return answer()

    @api.post("/calza")
    def calza() -> Response:
        table.calza(body.optional_text(body.read(request, (), ("player",)), "player"))
        return answer()

    @api.post("/caller")
    def caller() -> Response:
        table.caller(body.text(body.read(request, ("player",)), "player"))
        return answer()

    @api.post("/next")
    def next_round() -> Response:
        body.read(request)
        table.next()
        return answer()

    @api.post("/tell")
    def tell() -> Response:
        asked = body.read(request, ("call", "caller", "bidder", "count", "face"))
        table.tell(
            body.text(asked, "call"),
            body.text(asked, "caller"),
            body.text(asked, "bidder"),
            body.whole(asked, "count", 1, body.MAX_COUNT),
            body.whole(asked, "face", 1, 6),
        )
        return answer()

    @api.post("/undo")
    def undo() -> Response:
        table.undo(body.whole(body.read(request, ("step",)), "step", 1, MAX_STEP))
        return answer()

    @api.post("/redo")
    def redo() -> Response:
        table.redo(body.whole(body.read(request, ("step",)), "step", 1, MAX_STEP))
        return answer()


def _counting(api: Blueprint, table: Table, answer: Answer) -> None:
    """What the dice show."""

    @api.post("/dice")
    def add_die() -> Response:
        asked = body.read(request, ("box", "face", "colour"))
        table.add_die(body.box(asked), body.whole(asked, "face", 1, 6), body.colour(asked))
        return answer()

    @api.post("/dice/<int:die>")
    def set_die(die: int) -> Response:
        asked = body.read(request, (), ("face", "colour"))
        if not asked:
            raise RequestError('Say what the die is: "face", "colour" or both.')
        table.set_die(
            die,
            face=body.whole(asked, "face", 1, 6) if "face" in asked else None,
            colour=body.colour(asked) if "colour" in asked else None,
        )
        return answer()

    @api.post("/dice/<int:die>/strike")
    def strike_die(die: int) -> Response:
        body.read(request)
        table.strike_die(die)
        return answer()

    @api.post("/again")
    def again() -> Response:
        body.read(request)
        table.again()
        return answer()

    @api.post("/byhand")
    def by_hand() -> Response:
        table.by_hand(body.dice_by_player(body.read(request, ("dice",))))
        return answer()

    @api.post("/count")
    def count() -> Response:
        table.count_now(body.text(body.read(request, ("call",)), "call"))
        return answer()


def _company(api: Blueprint, table: Table, answer: Answer) -> None:
    """Who plays, and whether."""

    @api.post("/game")
    def game() -> Response:
        asked = body.read(request, ("players", "ruleset"), ("calza", "starter", "abandon", "roll", "dice", "open_lost"))
        table.new_game(
            players=body.players(asked),
            ruleset=body.text(asked, "ruleset"),
            calza=body.yes_or_no(asked, "calza", True),
            starter=body.optional_text(asked, "starter"),
            abandon=body.yes_or_no(asked, "abandon", False),
            roll=body.yes_or_no(asked, "roll", False),
            dice=body.counts_by_player(asked) if "dice" in asked else {},
            open_lost=body.yes_or_no(asked, "open_lost", True) if "open_lost" in asked else None,
        )
        return answer()

    @api.post("/leave")
    def leave() -> Response:
        asked = body.read(request, ("player",), ("concede",))
        table.leave(body.text(asked, "player"), body.yes_or_no(asked, "concede", False))
        return answer()

    @api.post("/back")
    def back() -> Response:
        table.come_back(body.text(body.read(request, ("player",)), "player"))
        return answer()

    @api.post("/pause")
    def pause() -> Response:
        body.read(request)
        table.pause()
        return answer()

    @api.post("/resume")
    def resume() -> Response:
        body.read(request)
        table.resume()
        return answer()

    @api.post("/end")
    def end() -> Response:
        body.read(request)
        table.end_game()
        return answer()
