"""The game: what everybody on the network may read about it, and the commands. docs/reference/api.md lists them all."""

from __future__ import annotations

from typing import Final

from flask import Response, request
from werkzeug.exceptions import NotFound

from companion.messages.sentence import Value, json_bytes
from companion.table import State
from companion.table.commands import COMMANDS, Command, Count
from companion.table.game.table_position import Phase
from companion.table.past.story import Story
from companion.table.state.state import Turn
from web import rules
from web.access import tap
from web.endpoints import JSON, TEXT, get, one_of, post, query
from web.errors import no_store
from web.parts import Parts
from web.rules import Choices, Rules

BUTTONS: Final = ("dudo", "calza")
ACTIONS: Final = ("press", "release")


class Health(Value, frozen=True, kw_only=True):
    """The table's health; if a game cannot be judged and saved now, the reasons."""

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


class GameEndpoints:
    def __init__(self, parts: Parts) -> None:
        self._parts, self._table, self._feed, self._answers = parts, parts.table, parts.feed, parts.answers

    @get("state", answers=State)
    def state(self) -> bytes:
        """The whole public state."""
        return self._feed.state_json(self._table.state())

    @get("story", answers=Story, refuses=(503,))
    def story(self) -> bytes:
        """The story of the game, and its statistics."""
        joined = self._parts.access.visitor(request).phone is not None
        table = self._table
        return self._answers.get(
            "story", lambda: json_bytes(table.story()), lambda: table.state().version, joined=joined
        )

    @get("turn")
    def turn(self) -> Turn:
        """The seconds left for this turn, in a game with a clock."""
        return self._table.turn()

    @get("choices", answers=Choices)
    def choices(self) -> bytes:
        """The choices for a new game."""
        table = self._table
        return self._answers.get(
            "choices",
            lambda: json_bytes(rules.choices(table.house, table.named_rules(), open_lost=table.open_lost)),
            lambda: table.state().game,
        )

    @get("rules", parameters=(query("compare", TEXT, "The id of a book to compare with."),), refuses=(404,))
    def rules(self) -> Rules:
        """The rules in play, in words."""
        return rules.rules(self._table.state(), request.args.get("compare"))

    @get(
        "/healthz",
        answers=Health,
        responses={"503": "It cannot: the camera gives no pictures, or the journal cannot be written."},
    )
    def healthz(self) -> Health | Response:
        """The table's health: 200 if a game can be judged and saved now, else 503."""
        now = health(self._table.state(), self._feed.count)
        return now if now.ok else no_store(Response(json_bytes(now), 503, mimetype=JSON))

    @post(
        "panel/{button}/{action}",
        topic="game",
        answers=State,
        fields={"button": one_of(*BUTTONS), "action": one_of(*ACTIONS)},
    )
    def press(self, button: str, action: str) -> bytes:
        """Press the virtual panel. A refused press also answers 200, and `notice` says why."""
        panel = self._parts.panel
        if panel is None or button not in BUTTONS or action not in ACTIONS:
            raise NotFound
        (panel.press if action == "press" else panel.release)(button)
        return self._feed.state_json(self._table.state())

    def do(self, body: Command) -> bytes:
        """Carry out a command."""
        tap.do(body, self._parts)
        return self._feed.state_json(self._table.state())


for command in COMMANDS:
    if command.at is not None:
        post(
            command.at.path.replace("{", "{int:"),
            name=command.at.operation,
            words=(command.__doc__ or "").partition("\n")[0],
            topic=command.at.topic,
            takes=command,
            answers=State,
            versioned=True,
        )(GameEndpoints.do)
