"""A one-time invitation of a table to a club, and what both sides make of it.

The address is `http://HUB/join/ID#SECRET`. What follows the # is not sent when a table joins: both sides prove that
they know it, and make the table's password of it (HMAC-SHA-256, RFC 2104). So who answers in the hub's place is
noticed. The address itself has to get to the table: in the lobby's answer to a manager, or on the table's own page, it
is on the network in the clear, as all of the lobby is; from a terminal at the hub to one at the table it is not.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from companion.club.errors import BadInvitationError
from companion.messages.message import Message

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
    """The invitation that an address contains. Raises `BadInvitationError`."""
    try:
        parts = urlsplit(address.strip())
        _ = parts.port
    except ValueError as error:
        raise BadInvitationError(
            Message("This is no address of an invitation ({reason}).", reason=str(error))
        ) from error
    found = _ID.fullmatch(parts.path)
    if parts.scheme not in ("http", "https") or not parts.hostname or found is None:
        raise BadInvitationError(
            Message(
                "An invitation is an address like {example}: copy all of it.",
                example="http://192.168.1.5:8080/join/1a2b3c4d#…",
            )
        )
    if not _SECRET.fullmatch(parts.fragment):
        raise BadInvitationError(Message("This invitation is not whole: copy all of it, what follows the # too."))
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
