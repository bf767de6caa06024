"""What the page needs of a table's place in a club."""

from __future__ import annotations

from typing import Protocol

from companion.messages.sentence import Value


class ClubState(Value, frozen=True, kw_only=True):
    """The club of this table."""

    title: str
    """Empty while it is in none."""
    table: str
    """What the club calls this table."""
    online: bool
    """Whether the club's hub is there."""
    refused: bool = False
    """Whether the club's broker does not let the table in, as when it was taken out of the club."""
    taken_over: bool = False
    """Whether another box says that it is this table, as after its memory card was copied: each ends the other's
    connection."""
    names: tuple[str, ...]
    """The players who may be named; the others are called by their colours."""


class ClubRefusal(Exception):
    """Why something cannot be done in the club."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        """For people: a `Message`."""


class ClubDesk(Protocol):
    """What the page needs of `companion.club_desk.TableClub`."""

    def state(self) -> ClubState:
        """The club at this moment."""

    def join(self, address: str, name: str) -> None:
        """Join by an invitation. Raises `ClubRefusal`."""

    def leave(self) -> None:
        """Leave the club. Raises `ClubRefusal`."""

    def set_names(self, names: tuple[str, ...]) -> None:
        """Who may be named from now on. Raises `ClubRefusal`."""
