"""Who gives the table a command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from companion.table.errors import NotYoursError
from companion.table.game import sentences


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody or something that acts, on the state it saw."""

    id: str
    """Tells one from another."""
    name: str
    """A player's name, or a `Message`."""
    seen: int | None = None
    """The version of that state; None acts on whatever is so."""
    others: frozenset[str] = frozenset()
    """Players whose bids and calls are for other phones to make."""

    def speak_for(self, player: str | None) -> None:
        """Raise `NotYoursError` where a bid or call of `player` is for another phone to make."""
        if player is not None and player in self.others:
            raise NotYoursError(player)


PANEL: Final = Actor("the panel", sentences.THE_PANEL)
BOX: Final = Actor("the box", sentences.THE_BOX)
SOMEBODY: Final = Actor("", sentences.ANOTHER_PHONE)
"""Nobody in particular."""
