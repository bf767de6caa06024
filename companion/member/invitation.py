"""A one-time invitation of a table to a club, and what both sides make of it.

The address is `http://HUB/join/ID#SECRET`. What follows the # is not sent when a table joins: both sides prove that
they know it, and make the table's password of it (HMAC-SHA-256, RFC 2104). So anybody who answers in the hub's place is
noticed. The address itself has to get to the table: in the lobby's answer to a manager, or on the table's own page, it
is on the network in the clear, as all of the lobby is; from a terminal at the hub to one at the table it is not.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import urlsplit

from msgspec import Meta, Struct

from companion.member.errors import UnreadableInClubError
from companion.member.topics import Slug
from companion.messages.message import Message
from companion.messages.sentence import TEXT_END, Value

_ID: Final = re.compile(r"/join/([0-9a-f]{8})/?")
_SECRET: Final = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class ClubInvitation:
    """An invitation."""

    hub: str
    """The lobby's address, as "http://192.168.1.5:8080"."""
    id: str
    secret: str

    def __str__(self) -> str:
        return f"{self.hub}/join/{self.id}#{self.secret}"

    @property
    def host(self) -> str:
        """The hub's host."""
        return urlsplit(self.hub).hostname or ""


def parse_invitation(address: str) -> ClubInvitation:
    """The invitation that an address contains. Raises `UnreadableInClubError`."""
    try:
        parts = urlsplit(address.strip())
        _ = parts.port
    except ValueError as error:
        raise UnreadableInClubError(
            Message("This is no address of an invitation ({reason}).", reason=str(error))
        ) from error
    found = _ID.fullmatch(parts.path)
    if parts.scheme not in ("http", "https") or not parts.hostname or found is None:
        raise UnreadableInClubError(
            Message(
                "An invitation is an address like {example}: copy all of it.",
                example="http://192.168.1.5:8080/join/1a2b3c4d#…",
            )
        )
    if not _SECRET.fullmatch(parts.fragment):
        raise UnreadableInClubError(Message("This invitation is not whole: copy all of it, what follows the # too."))
    return ClubInvitation(f"{parts.scheme}://{parts.netloc}", found[1], parts.fragment)


def proof(secret: str, *said: str) -> str:
    """What only somebody who knows `secret` can add to what is `said`."""
    text = "\0".join(said)
    return hmac.new(bytes.fromhex(secret), text.encode(), hashlib.sha256).hexdigest()


def proves(secret: str, given: str, *said: str) -> bool:
    """Whether `given` is the `proof` of what is `said`."""
    return hmac.compare_digest(proof(secret, *said).encode(), given.encode())


def table_password(secret: str, table: str) -> str:
    """The password of a table on the broker."""
    return base64.urlsafe_b64encode(bytes.fromhex(proof(secret, "password", table))).decode().rstrip("=")


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
