"""Endpoints of the demo only: its robots, and a look at the player's own dice. Elsewhere they answer 404."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from flask import request
from msgspec import Meta, Struct, convert

from companion.messages.message import Message
from companion.messages.sentence import Value
from companion.table import State, Table
from companion.table.commands import MOST_PLAYERS_SENT, DieFace, PlayerName
from companion.table.state.state import RobotStrength, Round
from web.access.access import Access
from web.access.tap import join_first
from web.endpoints import get, post
from web.errors import RequestError
from web.feature import Feature
from web.stream.stream import Feed

if TYPE_CHECKING:
    from companion.features.robots.robot_players import RobotPlayers  # a box does not import it

StrengthName = Annotated[
    Literal["easy", "medium", "hard"], Meta(extra_json_schema={"type": "string", "enum": ["easy", "medium", "hard"]})
]


class Robots(Struct, frozen=True, forbid_unknown_fields=True):
    """The players whom robots play."""

    players: Annotated[
        dict[PlayerName, StrengthName],
        Meta(
            max_length=MOST_PLAYERS_SENT,
            description="Player -> how well the robot plays. A player whose phone is here is played by no robot.",
        ),
    ]


class OwnDice(Value, frozen=True):
    """What a player sees under their own cup."""

    player: str
    dice: Annotated[tuple[DieFace, ...], Meta(description="Empty while there are none under the cup.")]


class RobotsFeature(Feature["RobotPlayers"]):
    """Robots, which only the demo has."""

    def __init__(self, players: RobotPlayers | None, table: Table, access: Access, feed: Feed) -> None:
        super().__init__(players, table)
        self._access, self._feed = access, feed
        self._looked: dict[str, tuple[Round | None, str]] = {}
        """Phone -> the last round in which it looked, and whose dice it saw."""

    @post("demo/robots", topic="demo", answers=State, refuses=(404,))
    def robots(self, body: Robots) -> bytes:
        """Set which players robots play from now on."""
        self.there.give_seats(convert(body.players, dict[str, RobotStrength]))
        return self._feed.state_json(self.table.state())

    @post("demo/hurry", topic="demo", answers=State, refuses=(404,))
    def hurry(self) -> bytes:
        """Make the thinking robot act at once; after an undo, let the robots continue."""
        self.there.hurry()
        return self._feed.state_json(self.table.state())

    @get("demo/dice", topic="demo", refuses=(401, 404))
    def own_dice(self) -> OwnDice:
        """The dice under the cup of the player whose phone asks, and nobody else's."""
        table = self.there
        phone = self._access.visitor(request).phone
        if phone is None:
            raise join_first()
        player = self._access.phones.player_of(phone)
        if player is None:
            raise RequestError(Message("Take a seat first: a phone sees only its own player's dice."), code="not-yours")
        this_round = self.table.state().game_round
        round_then, seen = self._looked.get(phone.id, (None, player))
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
        if dice is None:
            raise RequestError(
                Message("A robot plays this round for {player}. This phone plays from the next one on.", player=player),
                code="not-yours",
            )
        if dice:
            self._looked[phone.id] = (this_round, player)
        return OwnDice(player, dice)
