"""Who gives the table a command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from companion.messages.message import Message
from companion.table.errors import NotYoursError


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

    def check_speaks_for(self, player: str | None) -> None:
        """Raise `NotYoursError` if `player` bids and calls on another phone."""
        if player is not None and player in self.phone_players:
            raise NotYoursError(player)


PANEL: Final = Actor("the panel", Message("the panel"))
BOX: Final = Actor("the box", Message("the box"))
SOMEBODY: Final = Actor("", Message("another phone"))
"""An unknown phone."""
