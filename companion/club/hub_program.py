"""Runs the hub as a program: its database, the broker, the lobby."""

from __future__ import annotations

import logging
import os
import random
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import urlsplit

import click
import msgspec

from companion.club.credentials import Credentials
from companion.club.hub.hub import Hub
from companion.club.hub.store import Store
from companion.club.lobby.answers import ClubAnswer
from companion.club.lobby.app import create_lobby
from companion.club.mosquitto import Mosquitto
from companion.member.address import MQTT_PORTS, BrokerAddress
from companion.member.connection import Connection
from companion.member.errors import ClubError
from companion.member.invitation import HomeAccess, broker_seen_from
from companion.member.payloads import Online, encode
from companion.member.topics import hub_topic
from companion.messages.sentence import read_json
from companion.page_address import PageAddress, print_qr
from companion.stop_signals import stop_signals
from companion.table.journal.disk import lock_folder
from web.access.access import Access
from web.access.keys import load
from web.endpoints import API
from web.errors import CSRF, Refusal
from web.stream.server import SWITCH_INTERVAL, make_server

log = logging.getLogger(__name__)

Answered = TypeVar("Answered", bound=msgspec.Struct)

LOBBY_START_SECONDS: Final = 10.0
LOBBY_FOLDER: Final = "lobby"
"""In the hub's folder: the managers' code and their phones."""
CLIENT_ID_SETTING: Final = "client_id"
ADDRESS_SETTING: Final = "address"
"""The lobby's address, for `perudo club invite`."""


@dataclass(frozen=True, slots=True)
class HubSetup:
    """The settings that a hub starts with."""

    state: Path
    host: str
    port: int
    broker: BrokerAddress | None
    """None starts mosquitto as a child."""
    broker_port: int = MQTT_PORTS["mqtts"]
    """The port on which the hub's own broker listens for tables; 0 takes a free one."""
    authority: str = ""
    """The certificate (PEM) of the authority that signed the broker's; empty for one of the system's."""
    database: str | None = None
    """An SQLAlchemy URL; None means a file in `state`."""
    title: str = ""
    rng: random.Random = field(default_factory=random.SystemRandom)


def run_hub(setup: HubSetup) -> None:
    """Run until Ctrl-C or SIGTERM. The first line of standard output is the lobby's address, once it answers.

    Raises `ClubError`, also if the hub's own mosquitto ends, so that systemd starts both again.
    """
    sys.setswitchinterval(SWITCH_INTERVAL)
    with ExitStack() as stack:
        stop = stack.enter_context(stop_signals())
        stack.enter_context(_locked(setup.state))
        store = Store(setup.state, setup.database)
        stack.callback(store.close)
        if setup.broker is None:
            own = stack.enter_context(Mosquitto(setup.state, host=setup.host, port=setup.broker_port, ended=stop.set))
            address, authority, reach = own.address, "", (own.for_tables, own.authority)
        else:
            own, address, authority = None, setup.broker, setup.authority
            reach = (for_tables(address), authority)
        club = store.club(setup.rng)
        gone = (hub_topic(club), encode(Online(online=False)), True)
        connection = Connection(address, authority=authority, client_id=_client_id(store, setup.rng), will=gone)
        credentials = Credentials(connection.client, club)
        hub = Hub(store, connection, credentials, reach, title=setup.title, rng=setup.rng)
        access = Access(setup.state / LOBBY_FOLDER)
        try:
            server = make_server(create_lobby(hub, access, lambda: page.urls), setup.host, setup.port)
        except OSError as error:
            raise ClubError(
                f"The lobby cannot be served on {setup.host} port {setup.port}: {error.strerror or error}. "
                "--port names another port, --port 0 takes a free one."
            ) from error
        stack.callback(server.stop)
        stack.callback(hub.stop)
        hub.start()
        server.start()
        page = PageAddress(setup.host, server.port, f"{API}club")
        store.set(ADDRESS_SETTING, page.urls[0].rstrip("/"))
        try:
            if page.wait(stop, LOBBY_START_SECONDS):
                announce(page, access.code)
        except TimeoutError as error:
            raise ClubError(str(error)) from error
        stop.wait()
        if own is not None and own.ended:
            raise ClubError(own.ended)


def announce(page: PageAddress, code: str) -> None:
    """Print the lobby's address on a line of its own, and the managers' code; on a terminal also a QR code of the
    address if phones can reach it.
    """
    click.echo(page.urls[0])
    click.echo(f"Code for running the tournaments: {code}")
    if sys.stdout.isatty() and not page.only_here:
        print_qr(page.urls[0])
        click.echo(f"Point a phone on the same Wi-Fi at this, or open {' or '.join(page.urls)} there.")
    click.echo("A table joins by an invitation: perudo club invite. Ctrl-C stops.")
    sys.stdout.flush()


def lobby_address(store: Store) -> str:
    """The lobby's address at the hub's last start. Raises `ClubError` if there was none."""
    found = store.setting(ADDRESS_SETTING, lambda: "")
    if not found:
        raise ClubError("The hub has not been started yet: perudo club.")
    return found


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock the folder against a second hub."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = lock_folder(folder)
    except BlockingIOError as error:
        raise ClubError(f"Another hub is using {folder}. Stop it, or name another folder (--state).") from error
    except OSError as error:
        raise ClubError(f"The folder {folder} cannot be used: {error.strerror or error}.") from error
    try:
        yield
    finally:
        os.close(lock)


def _client_id(store: Store, rng: random.Random) -> str:
    """The hub's client id, drawn once and kept secret: anybody who knew it could end the hub's connection.

    It is the same at each start, so that the broker ends an old connection, and publishes its will, before the new one
    announces the hub.
    """
    return store.setting(CLIENT_ID_SETTING, lambda: f"hub-{rng.getrandbits(64):016x}")


def for_tables(address: BrokerAddress) -> str:
    """The address of a broker as tables use it; without a host if that would be their own machine."""
    local = address.host in ("localhost", "::1") or address.host.startswith("127.")
    if local:
        return f"mqtt{'s' * address.tls}://:{address.port}"
    return str(replace(address, username="", password=""))


def ask_home_access(lobby: str, folder: Path) -> HomeAccess:
    """Have the running hub create a password for Home Assistant. Raises `ClubError`.

    `folder` is the hub's; it contains the code.
    """
    code = load(folder / LOBBY_FOLDER, random.SystemRandom()).code
    jar = urllib.request.HTTPCookieProcessor()
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), jar)
    try:
        club = _post(opener, f"{lobby}{API}manage", {"code": code}, {}, ClubAnswer)
        headers = {CSRF: club.csrf or ""}
        found = _post(opener, f"{lobby}{API}home-assistant", {}, headers, HomeAccess)
    except urllib.error.HTTPError as error:
        with error:
            raise ClubError(read_json(error.read(), Refusal).message) from error
    except (OSError, ValueError) as error:
        raise ClubError(f"The hub at {lobby} does not answer. Is it running?") from error
    return msgspec.structs.replace(found, broker=broker_seen_from(found.broker, urlsplit(lobby).hostname or ""))


def _post(
    opener: urllib.request.OpenerDirector, url: str, body: object, headers: dict[str, str], kind: type[Answered]
) -> Answered:
    request = urllib.request.Request(url, msgspec.json.encode(body), {"Content-Type": "application/json", **headers})
    with opener.open(request, timeout=30.0) as answer:
        return read_json(answer.read(), kind)
