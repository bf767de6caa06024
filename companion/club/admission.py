"""What a table and the hub say when the table joins, by HTTP: `POST /api/v1/join`."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from companion.club.payloads import Slug
from companion.messages.sentence import TEXT_END, Value

LONGEST_CLUB_TITLE: Final = 60
"""Characters of a club's title."""

ClubTitle = Annotated[str, Meta(min_length=1, max_length=LONGEST_CLUB_TITLE)]
TableName = Annotated[str, Meta(min_length=1, max_length=40)]
_Proof = Annotated[
    str, Meta(pattern=f"^[0-9a-f]{{64}}{TEXT_END}", description="HMAC-SHA-256 with the secret of the invitation.")
]


class JoinClub(Struct, frozen=True, forbid_unknown_fields=True):
    """A table wants to join."""

    invitation: Annotated[str, Meta(pattern=f"^[0-9a-f]{{8}}{TEXT_END}")]
    table: Annotated[str, Meta(pattern=f"^t-[0-9a-f]{{8}}{TEXT_END}")]
    """The id that it has chosen, once and for all."""
    name: TableName
    proof: _Proof
    """Of "join", `table` and `name`."""

    def said(self) -> tuple[str, ...]:
        """What `proof` is of."""
        return ("join", self.table, self.name)


class HomeAccess(Value, frozen=True, kw_only=True):
    """How Home Assistant reaches the club's broker. The password is told once."""

    broker: str
    """As in `Admission`."""
    authority: str
    username: str
    password: str


class Admission(Value, frozen=True, kw_only=True):
    """The table has joined: how it reaches the broker."""

    club: Slug
    title: ClubTitle
    """What people call the club."""
    broker: str
    """`mqtt://HOST:PORT` or `mqtts://`; without HOST it is the hub's own."""
    authority: str
    """The certificate, as PEM, of who vouches for the broker; empty for those that the system knows."""
    username: str
    """Empty where the broker asks for none."""
    proof: _Proof
    """Of "joined" and the fields before, in order."""

    def said(self, table: str) -> tuple[str, ...]:
        """What `proof` is of."""
        return ("joined", table, self.club, self.title, self.broker, self.authority, self.username)


def broker_seen_from(broker: str, hub: str) -> str:
    """The broker's address with the hub's host where it has none."""
    scheme, _, rest = broker.partition("://")
    host = f"[{hub}]" if ":" in hub else hub
    return f"{scheme}://{host}{rest}" if rest.startswith(":") else broker
