"""paho's client, as tables and the hub use it, on a real broker."""

from __future__ import annotations

import logging
import socket
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from companion.box.https.certificates import make_authority
from companion.club.mosquitto import Mosquitto
from companion.member.address import BrokerAddress
from companion.member.connection import make_client
from companion.member.errors import UnreadableInClubError
from tests.companion.club.mosquitto import ANONYMOUS, mosquitto
from tests.companion.conftest import GuestMaker, at_table
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
