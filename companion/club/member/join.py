"""A table joins a club: the invitation becomes its own credential."""

from __future__ import annotations

import http.client
import logging
import random
import urllib.error
import urllib.request
from pathlib import Path
from typing import Final

import msgspec

from companion.club.admission import Admission, JoinClub, broker_seen_from
from companion.club.errors import ClubError, HubUnreachableError, NotAllowedInClubError
from companion.club.invitation import ClubInvitation, proof, proves, table_password
from companion.club.member.journal_lines import last_row
from companion.club.member.membership import HOME_CLUB, Membership, read_membership, table_id, write_membership
from companion.messages.message import Message, Part, parts_of
from companion.messages.sentence import json_bytes, read_json
from companion.table.errors import JournalError

log = logging.getLogger(__name__)

JOIN_PATIENCE_SECONDS: Final = 10.0
NOT_UNDERSTOOD: Final = (400, 404, 405)
"""What a table answers, for example, whose page has the same form of address."""
LARGEST_ANSWER: Final = 32 * 1024
"""Bytes; most of them are a certificate."""


def join_club(
    invitation: ClubInvitation, folder: Path, name: str, rng: random.Random, since: int | None = None
) -> Membership:
    """Join, and keep the membership in `folder`. `since`: the last row of the journal there; None: look.

    The table's id is drawn once and kept. So if the answer is lost on its way, the table can use its invitation again,
    and is the same one to the hub. Raises `ClubError`.
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
        raise HubUnreachableError(
            Message("What answers at {hub} is not the hub that wrote the invitation.", hub=invitation.hub)
        )
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
        return None  # a spoilt file is what joining again mends


def _ask(invitation: ClubInvitation, body: JoinClub) -> Admission:
    request = urllib.request.Request(
        f"{invitation.hub}/api/v1/join", json_bytes(body), {"Content-Type": "application/json"}
    )
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # the hub is on the table's own network
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
        raise HubUnreachableError(
            Message(
                "The hub at {hub} does not answer ({reason}). Is it running?", hub=invitation.hub, reason=str(reason)
            )
        ) from error


class _Refusal(msgspec.Struct):
    """As `web.errors.Refusal`, from a hub that may be a newer program."""

    message: str
    said: tuple[Part, ...] = ()


def _refusal(body: bytes, status: int) -> Message:
    """What the hub says to it."""
    try:
        refused = read_json(body, _Refusal)
    except ValueError:
        return Message("The hub refuses ({status}).", status=status)
    return Message.from_parts(refused.message, refused.said or parts_of(refused.message))


def _no_hub(invitation: ClubInvitation) -> HubUnreachableError:
    return HubUnreachableError(Message("What answers at {hub} is no hub.", hub=invitation.hub))
