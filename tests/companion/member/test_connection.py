"""A connection's last words reach the broker."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from companion.club.mosquitto import Mosquitto
from companion.member.address import BrokerAddress
from companion.member.connection import RECONNECT_DELAYS, TAKEN_OVER_DELAY, TAKEN_OVER_SECONDS, Connection
from companion.member.topics import TableTopics
from tests.companion.club.mosquitto import mosquitto
from tests.companion.conftest import at_table
from tests.fakes.clock import FakeClock
from tests.wait import wait_until

pytestmark = pytest.mark.programs("mosquitto")

GOODBYES = 12
"""Without waiting for the broker, every second one is lost."""


def test_a_goodbye_is_heard_and_not_the_will(embedded: Mosquitto) -> None:
    heard: list[bytes] = []
    hub = Connection(embedded.address, client_id="hub-of-goodbyes")
    hub.open(lambda _, payload: heard.append(payload), lambda up: hub.subscribe("goodbye/#") if up else None)
    wait_until(hub.client.is_connected)
    address = replace(at_table(embedded), username=embedded.address.username, password=embedded.address.password)
    topics = TableTopics("c", "t-1")
    for number in range(GOODBYES):
        will = ("goodbye/will", b"the will", False)
        table = Connection(address, client_id=f"table-{number}", will=will, authority=embedded.authority)
        up = threading.Event()
        table.open(lambda *_: None, lambda there, up=up: up.set() if there else None)
        assert up.wait(60)
        table.subscribe(topics.ack)
        for word in (b"home", b"state", b"%d" % number):
            table.publish("goodbye/words", word, qos=1)
        table.close()
    wait_until(lambda: b"%d" % (GOODBYES - 1) in heard or b"the will" in heard)
    hub.close()
    assert b"the will" not in heard


def opened(connection: Connection) -> Connection:
    connection.open(lambda *_: None, lambda _: None)
    wait_until(connection.client.is_connected)
    return connection


def delay(connection: Connection) -> int | None:
    """The seconds between the attempts to connect, once it waits for the next one."""
    return connection.client._reconnect_delay


@contextmanager
def broker_that_says_why() -> Iterator[BrokerAddress]:
    """It lets every client in, and tells it at once that another one has taken its place; Debian 12's mosquitto only
    ends the connection.
    """
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            with suppress(OSError):  # it is closed
                while True:
                    client, _ = listening.accept()
                    with client:
                        client.recv(1024)
                        client.sendall(b"\x20\x03\x00\x00\x00" + b"\xe0\x02\x8e\x00")

        thread = threading.Thread(target=answer)
        thread.start()
        yield BrokerAddress(*listening.getsockname(), tls=False)
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()


def test_who_is_told_that_another_client_took_its_place_comes_back_slowly(clock: FakeClock) -> None:
    with broker_that_says_why() as broker:
        table = Connection(broker, client_id="club-1-t-1", clock=clock)
        table.open(lambda *_: None, lambda _: None)
        wait_until(lambda: delay(table) == TAKEN_OVER_DELAY)
        assert (table.taken_over, table.refused) == (True, False)
        table.close()


def test_who_gives_way_comes_back_slowly_until_nothing_is_heard_of_the_other(tmp_path: Path, clock: FakeClock) -> None:
    with mosquitto(tmp_path) as broker:
        first, other, alone = (
            Connection(broker, client_id=name, clock=clock) for name in ("club-1-t-1", "club-1-t-1", "club-1-t-2")
        )
        opened(alone)
        opened(first).give_way()
        opened(other)
        wait_until(lambda: delay(first) == TAKEN_OVER_DELAY)
        assert first.taken_over
        assert other.client.is_connected()
        clock.now += TAKEN_OVER_SECONDS
        assert not first.taken_over
        other.give_way()
        clock.now += TAKEN_OVER_SECONDS
    wait_until(lambda: delay(alone) is not None and delay(other) is not None)
    assert [delay(each) <= RECONNECT_DELAYS[1] for each in (alone, other)] == [True, True]
    assert not alone.taken_over, "its broker is away, and nobody is in its place"
    for each in (first, other, alone):
        each.close()
