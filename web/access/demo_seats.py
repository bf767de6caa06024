"""The demo's own addresses: its robots, and a look at the phone's own dice. Elsewhere they answer 404."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Protocol

from flask import Blueprint, Response, jsonify, request
from msgspec import Meta, Struct, convert
from werkzeug.exceptions import NotFound

from companion.messages.message import Message
from companion.messages.sentence import Value
from companion.table.commands import MOST_PLAYERS_SENT, DieFace, PlayerName
from companion.table.state.state import RobotStrength, Round, State
from web import body
from web.access.access import Access
from web.access.tap import join_first
from web.errors import RequestError
from web.headers import no_store


class DemoPlayers(Protocol):
    """The robots at the demo's table, and who sees which dice."""

    def give_seats(self, wanted: Mapping[str, RobotStrength]) -> None: ...
    def hurry(self) -> None: ...
    def peek(self, player: str) -> tuple[int, ...]: ...


StrengthName = Annotated[
    str, Meta(extra={"one_of": ("easy", "medium", "hard")}, extra_json_schema={"enum": ["easy", "medium", "hard"]})
]


class Robots(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to let robots play some players, and nobody else."""

    players: Annotated[
        dict[PlayerName, StrengthName],
        Meta(
            max_length=MOST_PLAYERS_SENT,
            description="Player -> how well the robot plays. A player whose phone is here is played by no robot.",
            extra={"must": "be an object with each robot's strength", "each": '"the strength"'},
        ),
    ]


class OwnDice(Value, frozen=True):
    """What a player sees who looks under the own cup."""

    player: str
    dice: Annotated[tuple[DieFace, ...], Meta(description="Empty while there are none under the cup.")]


def register(
    api: Blueprint, demo: DemoPlayers | None, access: Access, answer: Callable[[], Response], state: Callable[[], State]
) -> None:
    """Add `/demo/robots`, `/demo/hurry` and `/demo/dice` to `api`."""
    looked: dict[str, tuple[Round | None, str]] = {}  # phone -> whose dice it has seen, in the last round it looked in

    @api.post("/demo/robots")
    def robots() -> Response:
        wanted = body.read(request, Robots).players
        _require(demo).give_seats(convert(wanted, dict[str, RobotStrength]))
        return answer()

    @api.post("/demo/hurry")
    def hurry() -> Response:
        body.read(request, body.Nothing)
        _require(demo).hurry()
        return answer()

    @api.get("/demo/dice")
    def own_dice() -> Response:
        table = _require(demo)
        phone = access.visitor(request).phone
        if phone is None:
            raise join_first()
        player = access.phones.player_of(phone)
        if player is None:
            raise RequestError(
                Message("A phone sees only the dice of its own player: take a seat first."), code="not-yours"
            )
        this_round = state().game_round
        round_then, seen = looked.get(phone.id, (None, player))
        if round_then == this_round and seen != player:
            raise RequestError(
                Message(
                    "This phone has seen {seen}'s dice in this round. It can look at {player}'s in the next one.",
                    seen=seen,
                    player=player,
                ),
                code="not-yours",
            )
        dice = table.peek(player)
        if dice:
            looked[phone.id] = (this_round, player)
        return no_store(jsonify(OwnDice(player, dice)))


def _require(demo: DemoPlayers | None) -> DemoPlayers:
    if demo is None:
        raise NotFound
    return demo
