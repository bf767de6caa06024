"""Tables' credentials on a real mosquitto: what they can do, and that they can do nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.club.credentials import (
    ANSWER_TOPIC,
    ASK_AGAIN_SECONDS,
    HUB_USER,
    SALT_BYTES,
    SECURITY_TOPIC,
    Credentials,
    table_client_id,
    table_username,
    with_hub,
)
from companion.club.mosquitto import Mosquitto, mosquitto_plugin
from companion.member.address import BrokerAddress
from companion.member.errors import ClubError
from companion.member.topics import TableTopics, hub_topic
from tests.companion.club.mosquitto import mosquitto
from tests.companion.conftest import BrokerGuest, GuestMaker, at_table
from tests.fakes.clock import FakeClock
from tests.fakes.security_plugin import SlowSecurityPlugin
from tests.wait import wait_until

pytestmark = pytest.mark.programs("mosquitto")

CLUB = "crown"
MINE, OTHER = TableTopics(CLUB, "t-1"), TableTopics(CLUB, "t-2")
DISCOVERY = "homeassistant/device/perudo-crown-t-1/config"
COMMAND = f"{MINE.base}/command"
WRITES = [MINE.online, MINE.state, MINE.event, DISCOVERY]
HEARS = [MINE.ack, MINE.assign, hub_topic(CLUB), COMMAND]
MAY_NOT_WRITE = [
    *(MINE.ack, MINE.assign, hub_topic(CLUB), MINE.base, f"{MINE.state}/more", f"{MINE.base}/camera", COMMAND),
    *(OTHER.online, OTHER.state, OTHER.event, OTHER.ack, TableTopics("other", "t-1").state),
    *("perudo/v2/crown/t/t-1/state", "homeassistant/device/perudo-crown-t-2/config", f"{DISCOVERY}/more"),
    *("homeassistant/status", "anything"),
]
MAY_NOT_HEAR = [
    *("#", "+/#", "perudo/#", f"{MINE.base}/#", f"{MINE.base}/+", "$SYS/#", "$share/group/#", "$CONTROL/#"),
    *(ANSWER_TOPIC, MINE.state, MINE.event, MINE.online, DISCOVERY),
    *(OTHER.online, OTHER.state, OTHER.event, OTHER.ack, OTHER.assign),
    *("perudo/v1/crown/t/+/ack", "homeassistant/status"),
]


class HubOnBroker:
    """The hub's client on a broker, and its credentials for tables."""

    def __init__(self, address: BrokerAddress, tables: BrokerAddress, authority: str, guest: GuestMaker) -> None:
        self.address, self.authority, self.tables = address, authority, tables
        self._guest = guest
        self.hub = self.another_hub()
        self.credentials = Credentials(self.hub.client, CLUB)

    def another_hub(self) -> BrokerGuest:
        return self._guest(self.address).connected()

    def table(self, table: str, password: str, **options: Any) -> BrokerGuest:
        """A client with this table's name and password."""
        options.setdefault("client_id", table_client_id(CLUB, table))
        name = table_username(CLUB, table)
        return self._guest(self.tables, name, password, authority=self.authority, **options)


@pytest.fixture
def desk(embedded: Mosquitto, guest: GuestMaker) -> Iterator[HubOnBroker]:
    """A club's own broker, on which no table is left in the end."""
    made = HubOnBroker(embedded.address, at_table(embedded), embedded.authority, guest)
    yield made
    for table in ("t-1", "t-2"):
        made.credentials.remove(table)


def check_access(desk: HubOnBroker) -> None:
    """Check that the table t-1 can do what it may, and nothing else."""
    table, hub = desk.table("t-1", "secret").connected(), desk.another_hub()
    assert hub.may_subscribe("#")
    for topic in WRITES:
        table.publish(topic)
        assert hub.next() == (topic, b"x")
    for topic in MAY_NOT_WRITE:
        table.publish(topic, b"forged")
    table.publish(MINE.event, b"last")
    assert hub.next() == (MINE.event, b"last")

    for topic in HEARS:
        assert table.may_subscribe(topic)
    for topic in MAY_NOT_HEAR:
        assert not table.may_subscribe(topic)
        if not topic.startswith(("#", "+", "$")) and "/+" not in topic and "/#" not in topic:
            hub.publish(topic, b"overheard")
    for topic in HEARS:
        hub.publish(topic, b"y")
        assert table.next() == (topic, b"y")
    table.close()


def test_a_table_can_do_its_own_and_nothing_else(desk: HubOnBroker) -> None:
    assert desk.credentials.available
    assert desk.credentials.admit("t-1", "secret") == table_username(CLUB, "t-1")
    desk.credentials.admit("t-2", "secret")
    check_access(desk)


def test_it_does_not_depend_on_what_the_broker_allows_by_default(tmp_path: Path, guest: GuestMaker) -> None:
    everything = b'{"defaultACLAccess": {"publishClientSend": true, "publishClientReceive": true, "subscribe": true}}'
    security = tmp_path / "dynamic-security.json"
    security.write_bytes(with_hub(everything, "secret", b"0" * SALT_BYTES))
    plugin = mosquitto_plugin()
    settings = f"allow_anonymous false\nplugin {plugin}\nplugin_opt_config_file {security}\n"
    with mosquitto(tmp_path, settings) as address:
        desk = HubOnBroker(replace(address, username=HUB_USER, password="secret"), address, "", guest)
        desk.credentials.admit("t-1", "secret")
        check_access(desk)


def test_a_table_cannot_make_credentials(desk: HubOnBroker) -> None:
    desk.credentials.admit("t-1", "secret")
    table = desk.table("t-1", "secret").connected()
    assert not Credentials(table.client, CLUB, timeout=0.3).available
    table.publish(SECURITY_TOPIC, b'{"commands": [{"command": "setClientPassword", "username": "perudo.hub"}]}')
    assert desk.credentials.probe()


def test_who_has_no_password_is_refused(desk: HubOnBroker, guest: GuestMaker) -> None:
    desk.credentials.admit("t-1", "secret")
    assert desk.table("t-1", "wrong").refused() == "Not authorized"
    assert desk.table("t-2", "secret").refused() == "Not authorized"
    assert guest(desk.tables, authority=desk.authority).refused() == "Not authorized"
    assert guest(replace(desk.address, username="", password="")).refused() == "Not authorized"


def test_a_table_cannot_take_the_place_of_another(desk: HubOnBroker) -> None:
    """Two clients with one id: MQTT ends the first."""
    desk.credentials.admit("t-1", "secret")
    desk.credentials.admit("t-2", "other secret")
    desk.table("t-1", "secret").connected()
    assert desk.table("t-2", "other secret", client_id=table_client_id(CLUB, "t-1")).refused() == "Not authorized"


@pytest.mark.parametrize("topic", [MINE.online, OTHER.online, MINE.ack])
def test_the_will_of_a_table_is_only_about_itself(desk: HubOnBroker, topic: str) -> None:
    desk.credentials.admit("t-1", "secret")
    table = desk.table("t-1", "secret", will=(topic, b"gone", False)).connected()
    assert desk.hub.may_subscribe("#")
    table.client.socket().shutdown(2)
    wait_until(lambda: table.connections == 2)
    table.publish(MINE.event, b"back")
    assert desk.hub.next() == ((topic, b"gone") if topic == MINE.online else (MINE.event, b"back"))


def test_a_new_password_ends_the_old_one(desk: HubOnBroker) -> None:
    desk.credentials.admit("t-1", "old")
    table = desk.table("t-1", "old").connected()
    desk.credentials.admit("t-1", "new")
    assert table.refused() == "Not authorized"
    desk.table("t-1", "new").connected()


def test_a_table_that_was_removed_is_out(desk: HubOnBroker) -> None:
    desk.credentials.admit("t-1", "secret")
    table = desk.table("t-1", "secret").connected()
    desk.credentials.remove("t-1")
    assert table.refused() == "Not authorized"
    desk.credentials.remove("t-1")
    desk.credentials.admit("t-1", "secret")
    table.connected()


@pytest.mark.parametrize("name", ["hub", "admin", "perudo-hub"])
def test_a_table_is_nobody_else_whatever_it_calls_itself(desk: HubOnBroker, name: str) -> None:
    desk.credentials.admit(name, "secret")
    assert desk.credentials.probe()
    desk.credentials.remove(name)
    assert desk.credentials.probe()


def test_many_threads_at_once(desk: HubOnBroker) -> None:
    names = [f"t-{number}" for number in range(10, 30)]
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda name: desk.credentials.admit(name, "secret"), names))
        assert made == [table_username(CLUB, name) for name in names]
        desk.table("t-29", "secret").connected()
        list(threads.map(desk.credentials.remove, names))


def test_a_broker_without_the_plugin(tmp_path: Path, guest: GuestMaker) -> None:
    with mosquitto(tmp_path) as address:
        credentials = Credentials(guest(address).connected().client, CLUB, timeout=0.3)
        assert not credentials.available
        with pytest.raises(ClubError, match=r"does not answer.*\.$"):
            credentials.admit("t-1", "secret")


def test_without_a_connection(tmp_path: Path, guest: GuestMaker) -> None:
    with mosquitto(tmp_path) as address:
        pass
    credentials = Credentials(guest(address).client, CLUB)
    with pytest.raises(ClubError, match=r"is away.*\.$"):
        credentials.available  # noqa: B018
    with pytest.raises(ClubError, match=r"is away.*\.$"):
        credentials.admit("t-1", "secret")


def test_it_works_after_the_hub_has_connected_again(desk: HubOnBroker) -> None:
    desk.credentials.admit("t-1", "secret")
    desk.hub.client.socket().shutdown(2)
    wait_until(lambda: desk.hub.connections == 2 and desk.hub.client.is_connected())
    desk.credentials.admit("t-1", "new")
    desk.table("t-1", "new").connected()


def test_a_late_answer_is_nobodys() -> None:
    plugin = SlowSecurityPlugin()
    credentials = Credentials(plugin, CLUB, timeout=0.05)  # type: ignore[arg-type]
    assert not credentials.probe()
    plugin.answer(0)
    plugin.say(b"no JSON")
    plugin.say(b'{"responses": [{}]}')
    assert not credentials.probe()
    plugin.prompt = True
    assert credentials.probe()


def test_a_broker_that_had_no_plugin_is_asked_again_after_a_while(clock: FakeClock) -> None:
    plugin = SlowSecurityPlugin()
    credentials = Credentials(plugin, CLUB, timeout=0.01, clock=clock)  # type: ignore[arg-type]
    assert not credentials.available
    plugin.prompt = True
    clock.now += ASK_AGAIN_SECONDS - 1
    assert not credentials.available
    clock.now += 1
    assert credentials.available
    assert credentials.available
    assert len(plugin.asked) == 2


def test_what_the_broker_refuses_is_said() -> None:
    plugin = SlowSecurityPlugin()
    credentials = Credentials(plugin, CLUB)  # type: ignore[arg-type]
    publish = plugin.publish

    def refuse(topic: str, payload: bytes) -> object:
        sent = publish(topic, payload)
        plugin.answer(-1, "Internal error")
        return sent

    plugin.publish = refuse  # type: ignore[assignment]
    assert not credentials.available
    with pytest.raises(ClubError, match=r"t-1: Internal error\.$"):
        credentials.admit("t-1", "secret")
    plugin.publish, plugin.prompt = publish, True
    with pytest.raises(ClubError, match=r"did not delete the password of t-1.*\.$"):
        credentials.remove("t-1")


SALT = bytes(range(SALT_BYTES))


def test_a_new_file_lets_the_hub_do_everything_and_nobody_else_anything() -> None:
    made = json.loads(with_hub(None, "secret", SALT))
    assert not any(
        made["defaultACLAccess"][kind] for kind in ("publishClientSend", "publishClientReceive", "subscribe")
    )
    assert [client["username"] for client in made["clients"]] == [HUB_USER]
    assert b"secret" not in with_hub(None, "secret", SALT)


def test_what_the_plugin_has_written_stays() -> None:
    table = {"username": "perudo.crown.t-1", "roles": [{"rolename": "perudo.crown.t-1"}], "encoded_password": "x"}
    role = {"rolename": "perudo.crown.t-1", "acls": []}
    old = json.loads(with_hub(None, "old", SALT)) | {"groups": [], "later": 1}
    old["clients"].append(table)
    old["roles"].append(role)
    new = json.loads(with_hub(json.dumps(old).encode(), "new", SALT))
    assert new["later"] == 1
    assert [client["username"] for client in new["clients"]] == [HUB_USER, "perudo.crown.t-1"]
    assert table in new["clients"]
    assert role in new["roles"]
    assert new["clients"][0]["password"] != old["clients"][0]["password"]
    assert len(new["roles"]) == 2


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b'{"clients": {}}', b'{"roles": [1]}'])
def test_a_damaged_file(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        with_hub(content, "secret", SALT)
