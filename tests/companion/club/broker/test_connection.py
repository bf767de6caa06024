"""A connection's last words reach the broker."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from companion.club.broker.connection import Connection
from companion.club.broker.own_broker import EmbeddedBroker
from companion.club.topics import TableTopics
from tests.companion.club.broker.conftest import at_table
from tests.wait import wait_until

pytestmark = pytest.mark.programs("mosquitto")

GOODBYES = 12
"""Without waiting for the broker, every second one is lost."""


def test_a_goodbye_is_heard_and_not_the_will(embedded: EmbeddedBroker) -> None:
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
