"""Every POST of docs/reference/api.md: reads its request, tells the table, answers the new state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

from web import body
from web.access.tap import Acting
from web.errors import RequestError
from web.port import Panel, Table

BUTTONS = ("dudo", "calza")
MAX_STEP = 10**9


Answer = Callable[[], Response]
"""Makes the new state into a response."""


def register(api: Blueprint, table: Table, panel: Panel | None, acting: Acting, answer: Answer) -> None:
    """Add every command to `api`."""
    _calls(api, table, acting, answer)
    _counting(api, table, acting, answer)
    _company(api, table, acting, answer)

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


def _calls(api: Blueprint, table: Table, acting: Acting, answer: Answer) -> None:
    """What is said in a game, and taking it back."""

    @api.post("/bid")
    def bid() -> Response:
        asked = body.read(request, ("player", "count", "face"))
        player = body.text(asked, "player")
        count, face = body.whole(asked, "count", 1, body.MAX_COUNT), body.whole(asked, "face", 1, 6)
        with acting.tap():
            table.bid(player, count, face)
        return answer()

    @api.post("/dudo")
    def dudo() -> Response:
        player = body.optional_text(body.read(request, (), ("player",)), "player")
        with acting.tap():
            table.dudo(player)
        return answer()

    @api.post("/calza")
    def calza() -> Response:
        player = body.optional_text(body.read(request, (), ("player",)), "player")
        with acting.tap():
            table.calza(player)
        return answer()

    @api.post("/caller")
    def caller() -> Response:
        player = body.text(body.read(request, ("player",)), "player")
        with acting.tap():
            table.caller(player)
        return answer()

    @api.post("/next")
    def next_round() -> Response:
        body.read(request)
        with acting.tap():
            table.next()
        return answer()

    @api.post("/tell")
    def tell() -> Response:
        asked = body.read(request, ("call", "caller", "bidder", "count", "face"))
        call, caller, bidder = (body.text(asked, field) for field in ("call", "caller", "bidder"))
        count, face = body.whole(asked, "count", 1, body.MAX_COUNT), body.whole(asked, "face", 1, 6)
        with acting.tap():
            table.tell(call, caller, bidder, count, face)
        return answer()

    @api.post("/undo")
    def undo() -> Response:
        step = body.whole(body.read(request, ("step",)), "step", 1, MAX_STEP)
        with acting.tap():
            table.undo(step)
        return answer()

    @api.post("/redo")
    def redo() -> Response:
        step = body.whole(body.read(request, ("step",)), "step", 1, MAX_STEP)
        with acting.tap():
            table.redo(step)
        return answer()


def _counting(api: Blueprint, table: Table, acting: Acting, answer: Answer) -> None:
    """What the dice show."""

    @api.post("/dice")
    def add_die() -> Response:
        asked = body.read(request, ("box", "face", "colour"))
        box, face, colour = body.box(asked), body.whole(asked, "face", 1, 6), body.colour(asked)
        with acting.tap():
            table.add_die(box, face, colour)
        return answer()

    @api.post("/dice/<int:die>")
    def set_die(die: int) -> Response:
        asked = body.read(request, (), ("face", "colour"))
        if not asked:
            raise RequestError('Say what the die is: "face", "colour" or both.')
        face = body.whole(asked, "face", 1, 6) if "face" in asked else None
        colour = body.colour(asked) if "colour" in asked else None
        with acting.tap():
            table.set_die(die, face=face, colour=colour)
        return answer()

    @api.post("/dice/<int:die>/strike")
    def strike_die(die: int) -> Response:
        body.read(request)
        with acting.tap():
            table.strike_die(die)
        return answer()

    @api.post("/again")
    def again() -> Response:
        body.read(request)
        with acting.tap():
            table.again()
        return answer()

    @api.post("/byhand")
    def by_hand() -> Response:
        dice = body.dice_by_player(body.read(request, ("dice",)))
        with acting.tap():
            table.by_hand(dice)
        return answer()

    @api.post("/count")
    def count() -> Response:
        call = body.text(body.read(request, ("call",)), "call")
        with acting.tap():
            table.count_now(call)
        return answer()


def _company(api: Blueprint, table: Table, acting: Acting, answer: Answer) -> None:
    """Who plays, and whether."""

    @api.post("/game")
    def game() -> Response:
        asked = body.read(request, ("players", "ruleset"), ("calza", "starter", "abandon", "roll", "dice", "open_lost"))
        new: dict[str, Any] = {
            "players": body.players(asked),
            "ruleset": body.text(asked, "ruleset"),
            "calza": body.yes_or_no(asked, "calza", True),
            "starter": body.optional_text(asked, "starter"),
            "abandon": body.yes_or_no(asked, "abandon", False),
            "roll": body.yes_or_no(asked, "roll", False),
            "dice": body.counts_by_player(asked) if "dice" in asked else {},
            "open_lost": body.yes_or_no(asked, "open_lost", True) if "open_lost" in asked else None,
        }
        with acting.tap():
            table.new_game(**new)
        return answer()

    @api.post("/leave")
    def leave() -> Response:
        asked = body.read(request, ("player",), ("concede",))
        player, concede = body.text(asked, "player"), body.yes_or_no(asked, "concede", False)
        with acting.tap():
            table.leave(player, concede)
        return answer()

    @api.post("/back")
    def back() -> Response:
        player = body.text(body.read(request, ("player",)), "player")
        with acting.tap():
            table.come_back(player)
        return answer()

    @api.post("/pause")
    def pause() -> Response:
        body.read(request)
        with acting.tap():
            table.pause()
        return answer()

    @api.post("/resume")
    def resume() -> Response:
        body.read(request)
        with acting.tap():
            table.resume()
        return answer()

    @api.post("/end")
    def end() -> Response:
        body.read(request)
        with acting.tap():
            table.end_game()
        return answer()
