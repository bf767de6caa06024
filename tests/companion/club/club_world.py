"""A real broker, a real hub with its lobby, and real tables in this process."""

from __future__ import annotations

import random
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from flask.testing import FlaskClient

from companion.club.hub.hub import Hub
from companion.club.hub.store import Store
from companion.club.hub_program import for_tables
from companion.club.lobby.app import create_lobby
from companion.config.sections import ClubConfig
from companion.features.club.service import TableClub
from companion.member.address import BrokerAddress
from companion.member.connection import Connection
from companion.member.invitation import JoinClub, proof
from companion.member.membership import Membership, write_membership
from companion.member.payloads import Online, encode
from companion.member.topics import hub_topic
from tests.companion.club.mosquitto import mosquitto
from tests.fakes.club_broker import NoCredentials
from tests.fakes.club_table import ClubTable
from tests.wait import wait_until
from web.access.access import Access

HUB_URL = "http://127.0.0.1:8100"

LOBBY = "http://192.168.1.8:8100/"


class ClubHub:
    """A hub on that broker; `restart` is a power cut, and another start."""

    def __init__(self, folder: Path, broker: BrokerAddress) -> None:
        self.folder, self.broker = folder, broker
        self._start()

    def _start(self) -> None:
        self.store = Store(self.folder)
        club = self.store.setting("club", lambda: "club-1")
        gone = (hub_topic(club), encode(Online(online=False)), True)
        self.connection = Connection(self.broker, client_id="hub", will=gone)
        reach = (for_tables(self.broker), "")
        self.hub = Hub(self.store, self.connection, NoCredentials(), reach, title="Summer club", rng=random.Random(1))
        self.client: FlaskClient = create_lobby(self.hub, Access(code="4711"), lambda: [LOBBY]).test_client()
        self.hub.start()
        wait_until(lambda: self.hub.connected)

    def restart(self) -> None:
        self.close()
        self._start()

    def close(self) -> None:
        self.hub.stop()
        self.store.close()

    def get(self, path: str) -> dict:
        answer = self.client.get(f"/api/v1/{path}")
        assert answer.status_code == 200, answer.get_data()
        return dict(answer.json or {})


class ClubWorld:
    """All of it, until the end of a `with`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._stack = ExitStack()
        self.broker = self._stack.enter_context(mosquitto(folder / "broker"))
        self.hub = ClubHub(folder / "hub", self.broker)
        self._stack.callback(self._close_hub)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _close_hub(self) -> None:
        self.hub.close()  # which may be another one by then

    def member(self, name: str, *players: str, consent: tuple[str, ...] | None = None, seed: int = 1) -> Member:
        """A table that has joined. Its players are named, unless `consent` says who."""
        member = Member(self, name, players or ("Ana", "Ben", "Cid"), consent, seed)
        self._stack.callback(member.close)
        return member

    def admit(self, member: Member) -> None:
        """The hub admits the table by a new invitation, as when it has joined again."""
        invitation = self.hub.hub.invite(HUB_URL)
        asked = JoinClub(invitation.id, member.id, member.membership.name, "0" * 64)
        self.hub.hub.join(JoinClub(asked.invitation, asked.table, asked.name, proof(invitation.secret, *asked.said())))


class Member:
    """A table of the club."""

    def __init__(
        self, world: ClubWorld, name: str, players: tuple[str, ...], consent: tuple[str, ...] | None, seed: int
    ) -> None:
        self.folder, self.id = world.folder / name, f"t-{name}"
        self.membership = Membership(
            club=world.hub.hub.club,
            title="Summer club",
            table=self.id,
            name=name,
            broker=str(world.broker),
            consent=players if consent is None else consent,
        )
        write_membership(self.folder, self.membership)
        self.rng = random.Random(seed)
        self.played = ClubTable(self.folder, players, self.rng, trouble=0.0)
        self.desk = TableClub(self.folder, self.played.table, ClubConfig(), self.rng)

    def connect(self) -> Self:
        self.desk.follow()
        wait_until(lambda: self.desk.state().online)
        return self

    def disconnect(self) -> None:
        self.desk.close()
        self.desk = TableClub(self.folder, self.played.table, ClubConfig(), self.rng)

    def close(self) -> None:
        self.desk.close()
        self.played.close()
