"""A connection to a real broker: TLS, wills, back-off, and last words that arrive."""

from __future__ import annotations

import logging
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from companion.club.mosquitto import Mosquitto
from companion.features.https.certificates import make_authority
from companion.member.address import BrokerAddress
from companion.member.connection import RECONNECT_DELAYS, TAKEN_OVER_DELAY, TAKEN_OVER_SECONDS, Connection, make_client
from companion.member.errors import UnreadableInClubError
from companion.member.topics import TableTopics
from tests.companion.club.mosquitto import ANONYMOUS, mosquitto
from tests.companion.conftest import GuestMaker, at_table
from tests.fakes.clock import FakeClock
from tests.wait import wait_until

pytestmark = pytest.mark.programs("mosquitto")

NOWHERE_IN_THE_CERTIFICATE = "127.0.0.2"

refused_by_us = pytest.mark.filterwarnings(
    "ignore:Exception ignored in. <ssl.SSLSocket:pytest.PytestUnraisableExceptionWarning"
)
"""paho leaves a connection to Python's memory management whose certificate is refused."""


def test_the_will_is_published_when_the_connection_breaks(tmp_path: Path, guest: GuestMaker) -> None:
    with mosquitto(tmp_path) as address:
        hub, table = guest(address).connected(), guest(address, will=("online", b"gone", True)).connected()
        assert hub.may_subscribe("online")
        connection = table.client.socket()
        assert isinstance(connection, socket.socket)
        connection.shutdown(socket.SHUT_RDWR)
        assert hub.next() == ("online", b"gone")
        late = guest(address).connected()
        assert late.may_subscribe("online")
        assert late.next() == ("online", b"gone")


def test_it_connects_again_and_the_broker_keeps_nothing_for_it(tmp_path: Path, guest: GuestMaker) -> None:
    with mosquitto(tmp_path) as address:
        table = guest(address, client_id="t-1").connected()
        assert table.may_subscribe("ack")
    wait_until(lambda: not table.client.is_connected())
    with mosquitto(tmp_path, port=address.port):
        table.connected()
        assert table.connections == 2
        hub = guest(address).connected()
        hub.publish("ack", b"unheard")
        assert table.may_subscribe("ack")
        hub.publish("ack", b"heard")
        assert table.next() == ("ack", b"heard")


def test_it_waits_for_a_broker_that_is_not_there_yet(tmp_path: Path, guest: GuestMaker) -> None:
    with mosquitto(tmp_path) as address:
        pass
    table = guest(address)
    wait_until(lambda: table.failures)
    with mosquitto(tmp_path, port=address.port):
        table.connected()


def test_an_exception_in_a_callback_is_logged_and_ends_nothing(
    tmp_path: Path, guest: GuestMaker, caplog: pytest.LogCaptureFixture
) -> None:
    with mosquitto(tmp_path) as address:
        table = guest(address).connected()
        assert table.may_subscribe("assign")
        table.client.message_callback_add("assign/bad", lambda *_: [].pop())
        assert table.may_subscribe("assign/bad")
        table.publish("assign/bad")
        table.publish("assign", b"good")
        assert table.next() == ("assign", b"good")
        table.close()
    errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert [record.exc_info and record.exc_info[0] for record in errors] == [IndexError]


def test_a_broker_that_is_away_is_no_error_in_the_log(guest: GuestMaker, caplog: pytest.LogCaptureFixture) -> None:
    table = guest(BrokerAddress("127.0.0.1", 9, tls=False))
    wait_until(lambda: table.failures > 2)
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


def test_a_dead_peer_is_missed_within_half_a_minute() -> None:
    """By the broker after 1.5 keepalives (MQTT 5, 3.1.2.10), by paho after 2, and a second."""
    assert 2 * make_client(BrokerAddress("127.0.0.1", 1, tls=False)).keepalive + 1 <= 30


def test_a_unix_socket_has_no_options_of_tcp(
    embedded: Mosquitto, guest: GuestMaker, caplog: pytest.LogCaptureFixture
) -> None:
    guest(embedded.address).connected()
    assert [each.getMessage() for each in caplog.records if "on_socket_open" in each.getMessage()] == []


def test_tls_with_the_clubs_authority_whatever_the_host(embedded: Mosquitto, guest: GuestMaker) -> None:
    address = replace(at_table(embedded), host=NOWHERE_IN_THE_CERTIFICATE)
    user, password = embedded.address.username, embedded.address.password
    guest(address, user, password, authority=embedded.authority).connected()


@refused_by_us
def test_another_clubs_authority_is_refused(embedded: Mosquitto, guest: GuestMaker, tmp_path: Path) -> None:
    other = make_authority(tmp_path, "club", 1e9).certificate.decode()
    for authority in (other, ""):
        table = guest(at_table(embedded), authority=authority)
        wait_until(lambda table=table: table.failures)
        assert not table.client.is_connected()


@refused_by_us
@pytest.mark.programs("openssl", "mosquitto")
def test_the_host_counts_under_any_other_authority(tmp_path: Path, guest: GuestMaker) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        [
            *(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "2",
            ),
            *("-subj", "/CN=A company", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate),
        ],
        check=True,
        capture_output=True,
    )
    with mosquitto(tmp_path, ANONYMOUS, tls=(certificate, key)) as address:
        authority = certificate.read_text()
        guest(address, authority=authority).connected()
        elsewhere = guest(replace(address, host="localhost"), authority=authority)
        wait_until(lambda: elsewhere.failures)
        assert not elsewhere.client.is_connected()


@pytest.mark.parametrize("authority", ["no PEM", "é", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
def test_an_authority_that_is_none(authority: str) -> None:
    with pytest.raises(UnreadableInClubError, match=r"PEM.*\.$"):
        make_client(BrokerAddress("broker", 8883, tls=True), authority=authority)


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
