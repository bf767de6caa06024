"""A one-time invitation of a table to a club, and how both sides use it.

The address is `http://HUB/join/ID#SECRET`. The part after the # is not sent when a table joins: both sides prove that
they know it, and derive the table's password from it (HMAC-SHA-256, RFC 2104). So an impostor in the hub's place is
detected. The address itself has to get to the table: in the lobby's answer to a manager, or on the table's own page, it
crosses the network unencrypted, like everything in the lobby; from a terminal at the hub to one at the table it does
not.
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
    hub: str
    """The lobby's address, such as "http://192.168.1.5:8080"."""
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
        raise UnreadableInClubError(
            Message("This invitation is not complete: copy all of it, including the part after the #.")
        )
    return ClubInvitation(f"{parts.scheme}://{parts.netloc}", found[1], parts.fragment)


def proof(secret: str, *said: str) -> str:
    """The proof that the sender of `said` knows `secret`."""
    text = "\0".join(said)
    return hmac.new(bytes.fromhex(secret), text.encode(), hashlib.sha256).hexdigest()


def proves(secret: str, given: str, *said: str) -> bool:
    """True if `given` is the `proof` of `said`."""
    return hmac.compare_digest(proof(secret, *said).encode(), given.encode())


def table_password(secret: str, table: str) -> str:
    """The password of a table on the broker."""
    return base64.urlsafe_b64encode(bytes.fromhex(proof(secret, "password", table))).decode().rstrip("=")


LONGEST_CLUB_TITLE: Final = 60
"""In characters."""

ClubTitle = Annotated[str, Meta(min_length=1, max_length=LONGEST_CLUB_TITLE)]
TableName = Annotated[str, Meta(min_length=1, max_length=40)]
_Proof = Annotated[
    str, Meta(pattern=f"^[0-9a-f]{{64}}{TEXT_END}", description="HMAC-SHA-256 with the secret of the invitation.")
]


class JoinClub(Struct, frozen=True, forbid_unknown_fields=True):
    """A table wants to join."""

    invitation: Annotated[str, Meta(pattern=f"^[0-9a-f]{{8}}{TEXT_END}")]
    table: Annotated[str, Meta(pattern=f"^t-[0-9a-f]{{8}}{TEXT_END}")]
    """The table's id, which it has chosen once and for all."""
    name: TableName
    proof: _Proof
    """The proof of "join", `table` and `name`."""

    def said(self) -> tuple[str, ...]:
        """The values that `proof` covers."""
        return ("join", self.table, self.name)


class HomeAccess(Value, frozen=True, kw_only=True):
    """How Home Assistant reaches the club's broker. The password is told once."""

    broker: str
    """See `Admission`."""
    authority: str
    username: str
    password: str


class Admission(Value, frozen=True, kw_only=True):
    """The table has joined: how it reaches the broker."""

    club: Slug
    title: ClubTitle
    """The club's name for people."""
    broker: str
    """`mqtt://HOST:PORT` or `mqtts://`; without HOST it is on the hub's host."""
    authority: str
    """The certificate (PEM) of the authority that signed the broker's; empty for one that the system knows."""
    username: str
    """Empty if the broker asks for none."""
    proof: _Proof
    """The proof of "joined" and the fields before, in order."""

    def said(self, table: str) -> tuple[str, ...]:
        """The values that `proof` covers."""
        return ("joined", table, self.club, self.title, self.broker, self.authority, self.username)


def broker_seen_from(broker: str, hub: str) -> str:
    """The broker's address, with the hub's host if it has none."""
    scheme, _, rest = broker.partition("://")
    host = f"[{hub}]" if ":" in hub else hub
    return f"{scheme}://{host}{rest}" if rest.startswith(":") else broker
