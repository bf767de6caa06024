"""A fake of a table's place in a club, without broker or hub."""

from __future__ import annotations

from msgspec.structs import replace

from companion.features.club.service import ClubState
from companion.member.errors import ClubError
from companion.messages.message import Message

NO_CLUB_YET = ClubState(title="", table="", online=False, names=())
USED_UP = Message("This invitation has been used. Every table needs one of its own.")


class FakeClubDesk:
    """A fake of `companion.features.club.service.TableClub`.

    Every invitation but those in `used` is one to "Zur Kanne".
    """

    def __init__(self) -> None:
        self.now = NO_CLUB_YET
        self.used: set[str] = set()
        self.joined: list[tuple[str, str]] = []
        """The address and the table's name of every attempt, oldest first."""

    def state(self) -> ClubState:
        return self.now

    def join(self, address: str, name: str) -> None:
        self.joined.append((address, name))
        if address in self.used:
            raise ClubError(USED_UP)
        self.used.add(address)
        self.now = replace(NO_CLUB_YET, title="Zur Kanne", table=name, online=True)

    def leave(self) -> None:
        self.now = NO_CLUB_YET

    def set_names(self, names: tuple[str, ...]) -> None:
        self.now = replace(self.now, names=names)
