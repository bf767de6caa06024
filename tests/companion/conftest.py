"""Clients for the tests of the broker."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt.client import Client, MQTTMessage

from companion.club.mosquitto import Mosquitto
from companion.member.address import BrokerAddress
from companion.member.connection import Will, close_client, make_client
from tests.wait import WAIT_PATIENCE, wait_until


class BrokerGuest:
    """A client that remembers what happens to it."""

    def __init__(self, address: BrokerAddress, **options: Any) -> None:
        self.client = make_client(address, **options)
        self.client.reconnect_delay_set(0.05, 0.1)
        self.refusals: list[str] = []
        self.failures = 0
        self.connections = 0
        self._messages: queue.SimpleQueue[tuple[str, bytes]] = queue.SimpleQueue()
        self._granted: queue.SimpleQueue[tuple[int, bool]] = queue.SimpleQueue()
        self.client.on_connect = self._on_connect
        self.client.on_connect_fail = self._on_connect_fail
        self.client.on_message = self._on_message
        self.client.on_subscribe = lambda _c, _d, number, reasons, _p: self._granted.put(
            (number, not reasons[0].is_failure)
        )
        self.client.loop_start()

    def connected(self) -> BrokerGuest:
        """Itself, once it is connected."""
        wait_until(self.client.is_connected)
        return self

    def refused(self) -> str:
        """Why the broker refuses it, once it does."""
        wait_until(lambda: self.refusals)
        return self.refusals[0]

    def may_subscribe(self, topic: str) -> bool:
        _, asked = self.client.subscribe(topic, qos=1)
        while True:
            number, granted = self._granted.get(timeout=WAIT_PATIENCE)
            if number == asked:
                return granted

    def publish(self, topic: str, payload: bytes = b"x", *, retain: bool = False) -> None:
        """Publish, and wait until the broker has it."""
        self.client.publish(topic, payload, qos=1, retain=retain).wait_for_publish(WAIT_PATIENCE)

    def next(self) -> tuple[str, bytes]:
        """The next message: topic and payload."""
        return self._messages.get(timeout=WAIT_PATIENCE)

    def close(self) -> None:
        close_client(self.client)

    def _on_connect(self, _client: Client, _data: object, _flags: object, reason: Any, _properties: object) -> None:
        if reason.is_failure:
            self.refusals.append(str(reason))
        else:
            self.connections += 1

    def _on_connect_fail(self, _client: Client, _data: object) -> None:
        self.failures += 1

    def _on_message(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        self._messages.put((message.topic, message.payload))


GuestMaker = Callable[..., BrokerGuest]


@pytest.fixture
def guest() -> Iterator[GuestMaker]:
    """Makes clients, which are closed in the end."""
    with ExitStack() as stack:

        def make(
            address: BrokerAddress, user: str = "", password: str = "", *, will: Will | None = None, **options: Any
        ) -> BrokerGuest:
            made = BrokerGuest(
                replace(address, username=user, password=password) if user else address, will=will, **options
            )
            stack.callback(made.close)
            return made

        yield make


@pytest.fixture(scope="session")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    """A broker of the club's own, that no test harms."""
    with _embedded(tmp_path_factory.mktemp("hub")) as broker:
        yield broker


@pytest.fixture
def own_embedded(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker of the club's own, for one test."""
    with _embedded(tmp_path) as broker:
        yield broker


@contextmanager
def _embedded(folder: Path) -> Iterator[Mosquitto]:
    with Mosquitto(folder, port=0, names=lambda: ("localhost", "127.0.0.1")) as broker:
        yield broker


def at_table(broker: Mosquitto) -> BrokerAddress:
    """The address of an embedded broker as a table on this machine uses it."""
    return BrokerAddress("127.0.0.1", int(broker.for_tables.rpartition(":")[2]), tls=True)
