"""A broker of the club's own: Debian's mosquitto as a child."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import socket
import ssl
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from string import Template

import pytest

from companion.club import mosquitto as installed
from companion.club.credentials import Credentials, table_client_id, table_username
from companion.club.mosquitto import Mosquitto, machine_names, mosquitto_program
from companion.member.address import BrokerAddress
from companion.member.errors import ClubError
from companion.member.payloads import LARGEST_PAYLOAD
from companion.member.topics import TableTopics
from tests.companion.club.mosquitto import answers
from tests.companion.conftest import BrokerGuest, GuestMaker, at_table
from tests.wait import WAIT_PATIENCE, wait_until

pytestmark = pytest.mark.programs("mosquitto")

CLUB = "crown"
TABLE = TableTopics(CLUB, "t-1")

_paho_leaves_sockets = pytest.mark.filterwarnings(
    "ignore:Exception ignored in. <socket.socket:pytest.PytestUnraisableExceptionWarning"
)
"""It leaves a Unix socket to Python's memory management on which nobody listens."""


def names() -> tuple[str, ...]:
    return "localhost", "127.0.0.1"


def table_guest(guest: GuestMaker, broker: Mosquitto, password: str = "secret") -> BrokerGuest:
    user, client_id = table_username(CLUB, "t-1"), table_client_id(CLUB, "t-1")
    return guest(at_table(broker), user, password, client_id=client_id, authority=broker.authority)


def test_its_files_are_nobody_elses_and_the_hubs_password_is_nowhere(embedded: Mosquitto, guest: GuestMaker) -> None:
    hub = guest(embedded.address).connected()
    Credentials(hub.client, CLUB).admit("t-1", "secret of a table")
    folder = _folder(embedded)
    assert folder.stat().st_mode & 0o777 == 0o700
    files = [file for file in folder.rglob("*") if file.is_file()]
    everything = b"".join(file.read_bytes() for file in files) + Path(f"/proc/{embedded.pid}/cmdline").read_bytes()
    assert b"perudo.crown.t-1" in everything
    assert embedded.address.password.encode() not in everything
    assert b"secret of a table" not in everything
    assert [file for file in files if file.stat().st_mode & 0o077] == []
    Credentials(hub.client, CLUB).remove("t-1")


def test_the_hub_connects_by_a_socket_in_the_brokers_folder_and_no_port(embedded: Mosquitto) -> None:
    """A port of a mosquitto that was killed could be anybody's, and the hub would tell its password there."""
    assert answers(at_table(embedded))
    assert listening_ports(embedded.pid) == {at_table(embedded).port}
    assert embedded.address.is_unix
    assert Path(embedded.address.host).resolve().parent == _folder(embedded)


def listening_ports(pid: int | None) -> set[int]:
    """The TCP ports on which a process listens (proc(5))."""
    opened = set()
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            opened.add(str(file.readlink()))
    rows = [
        line.split() for name in ("tcp", "tcp6") for line in Path(f"/proc/{pid}/net/{name}").read_text().splitlines()
    ]
    return {int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in opened}


def test_whoever_fills_the_port_for_tables_does_not_keep_the_hub_out(
    tmp_path: Path, guest: GuestMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = installed.CONFIGURATION.template.replace("max_connections 10000", "max_connections 3")
    monkeypatch.setattr(installed, "CONFIGURATION", Template(few))
    with Mosquitto(tmp_path, port=0, names=names) as broker, contextlib.ExitStack() as stack:
        address = at_table(broker)
        *_, last = (
            stack.enter_context(socket.create_connection((address.host, address.port), timeout=5.0)) for _ in range(4)
        )
        assert last.recv(1) == b"", "it is closed"
        guest(broker.address).connected().close()


def test_it_listens_where_the_lobby_does(tmp_path: Path) -> None:
    """`perudo club --host 127.0.0.2` is for this machine alone."""
    with Mosquitto(tmp_path, host="127.0.0.2", port=0, names=names) as broker:
        port = int(broker.for_tables.rpartition(":")[2])
        socket.create_connection(("127.0.0.2", port), timeout=60).close()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), timeout=60)


@pytest.mark.parametrize("folder", ["d" * 120 + "/e", "a club's own", "."])
def test_any_folder_will_do(tmp_path: Path, guest: GuestMaker, monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    """The path of a Unix socket has at most 107 bytes, and mosquitto reads none with spaces."""
    monkeypatch.chdir(tmp_path)
    with Mosquitto(Path(folder), port=0, names=names) as broker:
        guest(broker.address).connected().close()
    assert list(Path(folder, "broker").glob("*.sock")) == []


def test_sockets_of_a_broker_that_was_killed_are_taken_away(tmp_path: Path, guest: GuestMaker) -> None:
    folder = tmp_path / "broker"
    folder.mkdir()
    with socket.socket(socket.AF_UNIX) as left, socket.socket(socket.AF_UNIX) as ending:
        left.bind(str(folder / "hub-1.sock"))
        ending.bind(str(folder / "hub-2.sock"))
        ending.listen()
        with Mosquitto(tmp_path, port=0, names=names) as broker:
            guest(broker.address).connected().close()
            assert [each.name for each in folder.glob("*.sock")] == [Path(broker.address.host).name]


@pytest.mark.parametrize("killed", [True, False])
def test_the_hub_is_told_when_its_broker_ends_unless_it_stops_it(tmp_path: Path, killed: bool) -> None:
    ended = threading.Event()
    with Mosquitto(tmp_path, port=0, names=names, ended=ended.set) as broker:
        assert not broker.ended
        if killed:
            os.kill(broker.pid, signal.SIGKILL)
            assert ended.wait(WAIT_PATIENCE)
    assert ended.is_set() is killed
    assert broker.ended == ("mosquitto has ended (SIGKILL), and the hub with it." if killed else "")
    assert not Path(f"/proc/{broker.pid}").exists()
    broker.stop()


def test_a_broker_that_does_not_end_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "END_SECONDS", 0.1)
    with Mosquitto(tmp_path, port=0, names=names) as broker:
        os.kill(broker.pid, signal.SIGSTOP)
    assert not Path(f"/proc/{broker.pid}").exists()


def test_the_broker_may_open_all_the_files_that_it_can(tmp_path: Path) -> None:
    """Each connection is a file."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[1] - 1, before[1]))
    try:
        with Mosquitto(tmp_path, port=0, names=names) as broker:
            assert resource.prlimit(broker.pid, resource.RLIMIT_NOFILE) == (before[1], before[1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_ctrl_c_is_for_the_hub_alone(embedded: Mosquitto) -> None:
    assert os.getpgid(embedded.pid) != os.getpgid(0)


@_paho_leaves_sockets
def test_a_new_start_has_a_new_password_for_the_hub_and_the_old_ones_for_tables(
    tmp_path: Path, guest: GuestMaker
) -> None:
    with Mosquitto(tmp_path, port=0, names=names) as first:
        hub = guest(first.address).connected()
        Credentials(hub.client, CLUB).admit("t-1", "secret")
        table = table_guest(guest, first).connected()
        table.publish(TABLE.state, b"kept", retain=True)
        table.close()
        hub.close()
    assert not answers(first.address)
    with Mosquitto(tmp_path, port=0, names=names) as second:
        assert second.authority == first.authority
        old = replace(second.address, password=first.address.password)
        assert guest(old).refused() == "Not authorized"
        hub = guest(second.address).connected()
        assert hub.may_subscribe(TABLE.state)
        assert hub.next() == (TABLE.state, b"kept")
        table_guest(guest, second).connected().close()
        hub.close()


def test_the_broker_ends_when_the_hub_is_killed(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", _HUB, tmp_path], stdout=subprocess.PIPE, text=True) as hub:
        port = int(hub.stdout.readline().rpartition(":")[2])
        address = BrokerAddress("127.0.0.1", port, tls=True)
        assert answers(address)
        hub.send_signal(signal.SIGKILL)
    wait_until(lambda: not answers(address))


def test_the_largest_payload_passes_and_a_larger_one_harms_nobody(embedded: Mosquitto, guest: GuestMaker) -> None:
    hub, other = guest(embedded.address).connected(), guest(embedded.address).connected()
    assert hub.may_subscribe("large")
    other.publish("large", b"x" * LARGEST_PAYLOAD)
    assert hub.next() == ("large", b"x" * LARGEST_PAYLOAD)
    other.client.publish("large", b"x" * 500_000)
    wait_until(lambda: other.connections == 2 and other.client.is_connected())
    other.publish("large", b"next")
    assert hub.next() == ("large", b"next")
    assert hub.connections == 1


def test_a_new_address_of_the_machine_gets_into_the_certificate(tmp_path: Path, guest: GuestMaker) -> None:
    now = ["localhost"]
    with Mosquitto(tmp_path, port=0, names=lambda: now) as broker:
        hub = guest(broker.address).connected()
        table = guest(replace(at_table(broker), username=broker.address.username, password=broker.address.password),
                      authority=broker.authority).connected()  # fmt: skip
        address, before = at_table(broker), certificate(at_table(broker))
        broker.look()
        assert certificate(address) == before
        now.append("10.0.0.7")
        broker.look()
        wait_until(lambda: certificate(address) != before)
        checked = ssl.create_default_context(cadata=broker.authority)
        with socket.create_connection((address.host, address.port)) as plain:
            checked.wrap_socket(plain, server_hostname="10.0.0.7").close()
        assert hub.connections == table.connections == 1
        table.close()
        hub.close()


def certificate(address: BrokerAddress) -> bytes | None:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection((address.host, address.port)) as plain, context.wrap_socket(plain) as secured:
        return secured.getpeercert(binary_form=True)


def test_python_3_13_believes_the_certificate(embedded: Mosquitto) -> None:
    """It demands more of certificates."""
    context = ssl.create_default_context(cadata=embedded.authority)
    context.verify_flags |= ssl.VERIFY_X509_STRICT | ssl.VERIFY_X509_PARTIAL_CHAIN
    address = at_table(embedded)
    with socket.create_connection((address.host, address.port)) as plain:
        context.wrap_socket(plain, server_hostname="127.0.0.1").close()


def test_a_port_that_is_in_use(tmp_path: Path) -> None:
    with socket.create_server(("", 0)) as taken:
        port = taken.getsockname()[1]
        broker = Mosquitto(tmp_path, port=port, names=names)
        with pytest.raises(ClubError, match=rf"uses port {port} .*\.$"):
            broker.start()
        broker.stop()


def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "broker").write_text("a file")
    with pytest.raises(ClubError, match=r"cannot use .*\.$"):
        Mosquitto(tmp_path, port=0, names=names).start()


@pytest.mark.parametrize(("file", "said"), [("dynamic-security.json", "invite each table again"), ("mosquitto.db", "")])
def test_damaged_passwords_and_retained_messages_are_set_aside(
    tmp_path: Path, guest: GuestMaker, caplog: pytest.LogCaptureFixture, file: str, said: str
) -> None:
    (tmp_path / "broker").mkdir()
    (tmp_path / "broker" / file).write_text("{")
    with Mosquitto(tmp_path, port=0, names=names) as broker:
        guest(broker.address).connected().close()
    assert (tmp_path / "broker" / f"{file}.damaged").read_text() == "{"
    assert said in caplog.text


@pytest.mark.parametrize("missing", ["program", "plugin"])
def test_without_mosquitto(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    if missing == "program":
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.setattr(installed, "_SYSTEM_PATH", str(tmp_path))
    else:
        monkeypatch.setattr(installed, "SECURITY_PLUGIN", "another.so")
    with pytest.raises(ClubError, match=r"sudo apt install mosquitto.*service of its own.*not needed.*\.$"):
        Mosquitto(tmp_path)


def test_a_users_path_without_sbin(monkeypatch: pytest.MonkeyPatch) -> None:
    found = mosquitto_program()
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert mosquitto_program() == found


def test_this_machines_names_are_for_the_house() -> None:
    assert {"localhost", "127.0.0.1", "::1"} <= set(machine_names())


def _folder(broker: Mosquitto) -> Path:
    *_, configuration = Path(f"/proc/{broker.pid}/cmdline").read_bytes().rstrip(b"\0").split(b"\0")
    return Path(configuration.decode()).parent


_HUB = """
import sys, time
from pathlib import Path
from string import Template
from companion.club.mosquitto import Mosquitto, machine_names, mosquitto_program
broker = Mosquitto(Path(sys.argv[1]), port=0, names=lambda: ("localhost",))
broker.start()
print(broker.for_tables, flush=True)
time.sleep(60)
"""
