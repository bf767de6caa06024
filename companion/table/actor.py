"""Who gives the table a command."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from companion.messages.message import Message
from companion.table.errors import NotYoursError, RobotsTurnError


@dataclass(frozen=True, slots=True)
class Actor:
    """A phone, the panel or the box."""

    id: str
    name: str
    """A player's name, or a `Message`."""
    version: int | None = None
    """The version of the state that the command was based on; None for the current one."""
    phone_players: frozenset[str] = frozenset()
    """The players who bid and call on other phones."""
    robot: bool = False
    """Whether this is a robot, which plays its `name`."""

    def check_speaks_for(self, player: str | None, robots: Collection[str] = ()) -> None:
        """Raise `NotYoursError` if `player` bids and calls on another phone, `RobotsTurnError` if a robot plays it."""
        if player is not None and player in self.phone_players:
            raise NotYoursError(player)
        if player in robots and not (self.robot and self.name == player):
            raise RobotsTurnError(str(player))


PANEL: Final = Actor("the panel", Message("the panel"))
BOX: Final = Actor("the box", Message("the box"))
SOMEBODY: Final = Actor("", Message("another phone"))
"""An unknown phone."""
