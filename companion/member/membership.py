"""A table's membership in a club: the files of its state folder, joining and leaving."""

from __future__ import annotations

import http.client
import logging
import random
import re
import socket
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from calibration.atomic_write import write_atomically
from companion.kept_file import read_kept, set_aside
from companion.member.errors import ClubError, NotAllowedInClubError
from companion.member.invitation import (
    LONGEST_CLUB_TITLE,
    Admission,
    ClubInvitation,
    JoinClub,
    broker_seen_from,
    proof,
    proves,
    table_password,
)
from companion.member.outbox import last_row
from companion.member.topics import SLUG, Slug
from companion.messages.message import Message, Part, parts_of
from companion.messages.sentence import json_bytes, read_json
from companion.state_folder import CLUB_FILE, CONSENT_FILE, TABLE_ID_FILE
from companion.table.commands import Count
from companion.table.errors import JournalError

log = logging.getLogger(__name__)

HOME_CLUB: Final = "home"
"""The club id of a table that is in no club but publishes on a broker at home."""


class Membership(Struct, frozen=True, kw_only=True):
    """A table's place in a club."""

    club: Slug
    title: str
    """The club's name for people; empty if it has none."""
    table: Slug
    name: Annotated[str, Meta(max_length=40)]
    """The table's name for people."""
    broker: str
    """`mqtt://HOST:PORT` or `mqtts://HOST:PORT`."""
    authority: str = ""
    """See `companion.member.invitation.Admission`."""
    username: str = ""
    password: str = ""
    consent: tuple[str, ...] = ()
    """Players who may be named from now on; `companion.member.consent` has the history."""
    since: Count = 0
    """The journal's last row when the table joined: games that began before are not sent. Files without this field have
    0, so that all games are sent.
    """

    @property
    def in_club(self) -> bool:
        """True if it is in a club, rather than only publishing at home."""
        return self.club != HOME_CLUB


def read_membership(folder: Path) -> Membership | None:
    """The membership of the table in `folder`; None if it is in no club.

    Raises `ClubError` for an unreadable file; a damaged one is set aside.
    """
    path = folder / CLUB_FILE
    try:
        found = read_json(path.read_bytes(), Membership)
        if not found.in_club:
            raise ValueError("it names no club")  # noqa: TRY301 - as damaged as what cannot be decoded
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unreadable(path, error.strerror or str(error)) from error
    except ValueError as error:  # not `read_kept`: a table with a damaged file has not left its club
        set_aside(path, error, "The table has to join its club again.")
        raise _unreadable(path, str(error)) from error
    # Before titles had a limit, a hub could send any.
    return replace(found, title=found.title.strip()[:LONGEST_CLUB_TITLE] or found.club)


def write_membership(folder: Path, membership: Membership) -> None:
    """Save the membership. Raises `ClubError`."""
    path = folder / CLUB_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(path, msgspec.json.format(msgspec.json.encode(membership)), mode=0o600)
    except OSError as error:
        raise unwritten(path, error) from error


def home_membership(folder: Path, broker: str, rng: random.Random) -> Membership:
    """The membership of a table that is in no club but publishes on its own broker; its id is saved."""
    table = table_id(folder, rng)
    return Membership(club=HOME_CLUB, title="", table=table, name=socket.gethostname()[:40], broker=broker)


def table_id(folder: Path, rng: random.Random) -> str:
    """The id of the table in `folder`, drawn the first time and saved. Raises `ClubError`."""
    path = folder / TABLE_ID_FILE
    table = None
    with suppress(OSError):
        table = read_kept(path, _table_id, "The table has another id from now on.")
    if table is None:
        table = f"t-{rng.getrandbits(32):08x}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_atomically(path, table.encode())
        except OSError as error:
            raise unwritten(path, error) from error
    return table


def _table_id(content: bytes) -> str:
    table = content.decode().strip()
    if not re.fullmatch(SLUG, table):
        raise ValueError("it is no id")
    return table


def forget_membership(folder: Path) -> None:
    """Leave the club. Raises `ClubError`."""
    for path in (folder / CLUB_FILE, folder / CONSENT_FILE):
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise ClubError(
                Message("{file} cannot be removed: {reason}.", file=str(path), reason=error.strerror or str(error))
            ) from error


def unwritten(path: Path, error: OSError) -> ClubError:
    """The error for a file of the membership that could not be written."""
    return ClubError(
        Message("{file} cannot be written: {reason}.", file=str(path), reason=error.strerror or str(error))
    )


def _unreadable(path: Path, reason: str) -> ClubError:
    return ClubError(Message("{file} cannot be read ({reason}). Join the club again.", file=str(path), reason=reason))


JOIN_PATIENCE_SECONDS: Final = 10.0
NOT_UNDERSTOOD: Final = (400, 404, 405)
"""HTTP statuses of a server that is no hub, such as a table, whose page has an address of the same form."""
LARGEST_ANSWER: Final = 32 * 1024
"""In bytes, mostly for a certificate."""


def join_club(
    invitation: ClubInvitation, folder: Path, name: str, rng: random.Random, since: int | None = None
) -> Membership:
    """Join, and save the membership in `folder`. `since`: the last row of the journal there, by default looked up.

    The table's id is drawn once and saved, so that if the answer is lost, the table can use its invitation again and
    the hub recognises it. Raises `ClubError`.
    """
    try:
        since = last_row(folder) if since is None else since
    except JournalError as error:
        raise ClubError(error.message) from error
    before = _before(folder)
    table = table_id(folder, rng) if before is None else before.table
    said = JoinClub(invitation.id, table, name, "0" * 64).said()
    body = JoinClub(invitation.id, table, name, proof(invitation.secret, *said))
    admission = _ask(invitation, body)
    if not proves(invitation.secret, admission.proof, *admission.said(table)) or admission.club == HOME_CLUB:
        raise ClubError(Message("What answers at {hub} is not the hub that wrote the invitation.", hub=invitation.hub))
    membership = Membership(
        club=admission.club,
        title=admission.title,
        table=table,
        name=name,
        broker=broker_seen_from(admission.broker, invitation.host),
        authority=admission.authority,
        username=admission.username,
        password=table_password(invitation.secret, table) if admission.username else "",
        consent=before.consent if before is not None and before.club == admission.club else (),
        since=since,
    )
    write_membership(folder, membership)
    return membership


def _before(folder: Path) -> Membership | None:
    try:
        return read_membership(folder)
    except ClubError:
        return None  # joining again replaces a damaged file


def _ask(invitation: ClubInvitation, body: JoinClub) -> Admission:
    request = urllib.request.Request(
        f"{invitation.hub}/api/v1/join", json_bytes(body), {"Content-Type": "application/json"}
    )
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # the hub is on the local network
    try:
        with opener.open(request, timeout=JOIN_PATIENCE_SECONDS) as answer:
            return read_json(answer.read(LARGEST_ANSWER), Admission)
    except urllib.error.HTTPError as error:
        with error:
            said = error.read(LARGEST_ANSWER)
        if error.code in NOT_UNDERSTOOD:
            log.warning("%s answers to a table that joins: %s", invitation.hub, _refusal(said, error.code))
            raise _no_hub(invitation) from error
        raise NotAllowedInClubError(_refusal(said, error.code)) from error
    except ValueError as error:
        raise _no_hub(invitation) from error
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        raise ClubError(
            Message(
                "The hub at {hub} does not answer ({reason}). Is it running?", hub=invitation.hub, reason=str(reason)
            )
        ) from error


class _Refusal(msgspec.Struct):
    """`web.errors.Refusal`, from a hub that may be a newer program."""

    message: str
    said: tuple[Part, ...] = ()


def _refusal(body: bytes, status: int) -> Message:
    """The hub's message."""
    try:
        refused = read_json(body, _Refusal)
    except ValueError:
        return Message("The hub refuses ({status}).", status=status)
    return Message.from_parts(refused.message, refused.said or parts_of(refused.message))


def _no_hub(invitation: ClubInvitation) -> ClubError:
    return ClubError(Message("{hub} answers, but is not a hub.", hub=invitation.hub))
