"""Users and permissions on the broker: the tables, Home Assistant and the hub, through mosquitto's dynamic-security
plugin (https://mosquitto.org/documentation/dynamic-security/).

The plugin takes commands on one topic and answers on another; each answer carries the number of its command. A broker
without the plugin, or one that does not let the hub use it, does not answer: then there are no credentials, and the
club works without them.

On the club's own broker the hub's user is written to the plugin's file before mosquitto starts. `mosquitto_ctrl dynsec
init` would do it, but takes the password from its command line, which everybody on the machine can read, or from a
terminal. The format is that of mosquitto 2.0, which later versions read. The plugin rewrites the file on every change.
"""

from __future__ import annotations

import base64
import hashlib
import json
import logging
import queue
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import MQTTErrorCode

from companion.member.errors import ClubError
from companion.member.topics import TableTopics, hub_topic
from companion.messages.message import Message
from companion.messages.sentence import read_json

log = logging.getLogger(__name__)

SECURITY_TOPIC: Final = "$CONTROL/dynamic-security/v1"
ANSWER_TOPIC: Final = f"{SECURITY_TOPIC}/response"

ANSWER_SECONDS: Final = 3.0
"""Seconds that the broker may take to answer; it takes a few milliseconds."""
ASK_AGAIN_SECONDS: Final = 60.0
"""Seconds before a broker that did not answer is asked again; it may have the plugin by then."""

SECURITY_FILE: Final = "dynamic-security.json"
HUB_USER: Final = "perudo.hub"
"""The hub's user and role."""

SALT_BYTES: Final = 12
"""Length of a password's salt, as the plugin reads it."""
HASH_ROUNDS: Final = 101
"""Mosquitto's own number. A password of 256 random bits needs none."""

_PUBLISHES: Final = ("#", "$CONTROL/dynamic-security/#")
_HEARS: Final = ("#", "$CONTROL/dynamic-security/#", "$SYS/#")

SecurityCommand = Mapping[str, object]
"""A command of the plugin, or a part of one."""

ALLOWED_PRIORITY: Final = 10
REFUSED_PRIORITY: Final = 0
"""The plugin tries rules with a higher priority first."""

_ALL: Final = ("#", "$CONTROL/#", "$SYS/#")
"""All topics; # does not include those that begin with $."""


def table_username(club: str, table: str) -> str:
    """The name of a table's user, which nobody else on the broker has, whatever the table calls itself."""
    return f"perudo.{club}.{table}"


def table_client_id(club: str, table: str) -> str:
    """The only client id that a table may connect with: with another one it could end that client's connection."""
    return f"{club}-{table}"


def home_username(club: str) -> str:
    """The name of Home Assistant's user."""
    return f"perudo.{club}.home-assistant"


def table_commands(topics: TableTopics, password: str) -> list[SecurityCommand]:
    """Create or replace a table's user, which may write only its own topics and read only those meant for it."""
    club, table = topics.club, topics.table
    discovery = f"homeassistant/device/perudo-{club}-{table}/config"
    return _put_commands(
        table_username(club, table),
        password,
        publish=(topics.online, topics.state, topics.event, topics.home, topics.home_event, discovery),
        # A table that takes no commands does not subscribe to them.
        subscribe=(topics.ack, topics.assign, hub_topic(club), topics.command),
        clientid=table_client_id(club, table),
    )


def home_commands(club: str, password: str) -> list[SecurityCommand]:
    """Create or replace the user of Home Assistant on the club's own broker: it may read what tables tell it, press
    their buttons, and remove them.
    """
    tables = TableTopics(club, "+")
    return _put_commands(
        home_username(club),
        password,
        publish=(tables.command, "homeassistant/status", "homeassistant/device/+/config"),
        subscribe=("homeassistant/#", tables.online, tables.home, tables.home_event),
    )


def _put_commands(
    name: str, password: str, *, publish: tuple[str, ...], subscribe: tuple[str, ...], **client_id: str
) -> list[SecurityCommand]:
    """Create or replace a user and the role of the same name. The first and third may fail: then they exist."""
    role = {"rolename": name, "acls": _access_rules(publish, subscribe)}
    client = {"username": name, **client_id, "password": password, "roles": [{"rolename": name}]}
    return [
        {"command": "createRole", **role},
        {"command": "modifyRole", **role},
        {"command": "createClient", **client},
        {"command": "modifyClient", **client},
    ]


def remove_commands(username: str) -> list[SecurityCommand]:
    """Remove a user and its role. The last command looks the user up, and should fail."""
    return [
        {"command": "deleteClient", "username": username},
        {"command": "deleteRole", "rolename": username},
        {"command": "getClient", "username": username},
    ]


def _access_rules(publish: Sequence[str], hears: Sequence[str]) -> list[SecurityCommand]:
    """The rules of a role that allow this and nothing else, whatever the broker's defaults are."""
    patterns = tuple(each for each in hears if "+" in each or "#" in each)
    single = tuple(each for each in hears if each not in patterns)
    return [
        *_rules(ALLOWED_PRIORITY, True, publishClientSend=publish),
        *_rules(ALLOWED_PRIORITY, True, publishClientReceive=hears, subscribeLiteral=single, unsubscribeLiteral=single),
        *_rules(ALLOWED_PRIORITY, True, subscribePattern=patterns, unsubscribePattern=patterns),
        *_rules(REFUSED_PRIORITY, False, publishClientSend=_ALL, publishClientReceive=_ALL, subscribePattern=_ALL),
    ]


def _rules(priority: int, allow: bool, **topics: Sequence[str]) -> list[SecurityCommand]:
    return [
        {"acltype": kind, "topic": topic, "priority": priority, "allow": allow}
        for kind, each in topics.items()
        for topic in each
    ]


class SecurityAnswer(Struct, frozen=True, rename="camel"):
    """The plugin's answer to one command."""

    correlation_data: str = ""
    error: str = ""
    """Empty if the command succeeded."""


class _Answers(Struct, frozen=True):
    responses: list[SecurityAnswer]


class Credentials:
    """The credentials of one club's tables.

    All methods wait for the broker, up to `timeout` seconds. Do not call them from the thread of the client's
    callbacks, which receives the answers.
    """

    def __init__(
        self,
        client: Client,
        club: str,
        *,
        timeout: float = ANSWER_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`client` is the hub's own, which keeps itself connected. `clock` returns seconds."""
        self._client, self._club, self._timeout, self._clock = client, club, timeout, clock
        self._lock = threading.Lock()
        """Held from a command to its answer."""
        self._answers: queue.SimpleQueue[SecurityAnswer] = queue.SimpleQueue()
        self._available: bool | None = None
        self._asked = 0.0
        client.message_callback_add(ANSWER_TOPIC, self._heard)

    @property
    def available(self) -> bool:
        """True if the broker has the plugin and the hub may use it. Asks the broker, and caches the answer.

        Raises `ClubError` without a connection.
        """
        known = self._available
        if known is None or (not known and self._clock() - self._asked >= ASK_AGAIN_SECONDS):
            return self.probe()
        return known

    def probe(self) -> bool:
        """Ask the broker now. Raises `ClubError` if not connected."""
        answers = self._ask([{"command": "getDefaultACLAccess"}])
        available = bool(answers) and not answers[0].error
        if available != self._available:
            log.info(
                "The broker gives each table its own credential."
                if available
                else "The broker has no dynamic-security plugin for the hub: it makes no credentials for tables."
            )
        self._available, self._asked = available, self._clock()
        return available

    def admit(self, table: str, password: str) -> str:
        """Create or replace a table's credential, and return its user name. The table is disconnected.

        Raises `ClubError`.
        """
        return self._put(table_username(self._club, table), table_commands(TableTopics(self._club, table), password))

    def admit_home(self, password: str) -> str:
        """Create or replace Home Assistant's credential, and return its user name. Raises `ClubError`."""
        return self._put(home_username(self._club), home_commands(self._club, password))

    def remove(self, table: str) -> None:
        """Delete a table's credential, if any. The table is disconnected. Raises `ClubError`."""
        answers = self._change(remove_commands(table_username(self._club, table)))
        if not answers[-1].error:
            log.warning(
                "the broker did not delete the password of %s: %s", table, answers[0].error or "it does not say why"
            )
            raise ClubError(Message("The broker did not delete the password of {table}.", table=table))

    def _put(self, user: str, commands: Sequence[SecurityCommand]) -> str:
        """Create or replace `user`, and return its name."""
        for answer in self._change(commands)[1::2]:
            if answer.error:
                raise ClubError(
                    Message("The broker refuses a credential for {user}: {reason}.", user=user, reason=answer.error)
                )
        return user

    def _change(self, commands: Sequence[SecurityCommand]) -> list[SecurityAnswer]:
        answers = self._ask(commands)
        if len(answers) < len(commands):
            raise ClubError(Message("The broker does not answer the hub about credentials. Try again in a moment."))
        return answers

    def _ask(self, commands: Sequence[SecurityCommand]) -> list[SecurityAnswer]:
        """The answers to `commands`, in order; fewer if the time ran out."""
        with self._lock:
            until = self._clock() + self._timeout
            batch = secrets.token_hex(8)
            names = [f"{batch}-{number}" for number in range(len(commands))]
            numbered = [{**each, "correlationData": name} for each, name in zip(commands, names, strict=True)]
            self._send(msgspec.json.encode({"commands": numbered}))
            found: dict[str, SecurityAnswer] = {}
            while len(found) < len(commands) and (remaining := until - self._clock()) > 0:
                try:
                    answer = self._answers.get(timeout=remaining)
                except queue.Empty:
                    break
                if answer.correlation_data in names:  # others answer a request that was given up
                    found[answer.correlation_data] = answer
            return [found[name] for name in names if name in found]

    def _send(self, commands: bytes) -> None:
        """Subscribe every time, because the client may have reconnected. QoS 0, because a command must not arrive
        late."""
        subscribed, _ = self._client.subscribe(ANSWER_TOPIC, qos=1)
        sent = self._client.publish(SECURITY_TOPIC, commands)
        if not self._client.is_connected() or {subscribed, sent.rc} != {MQTTErrorCode.MQTT_ERR_SUCCESS}:
            raise ClubError(Message("The broker is away, so there are no credentials. Try again in a moment."))

    def _heard(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        try:
            answers = read_json(message.payload, _Answers).responses
        except ValueError as error:
            log.warning("The broker's answer about credentials cannot be read: %s.", error)
            return
        for answer in answers:
            self._answers.put(answer)


def with_hub(content: bytes | None, password: str, salt: bytes) -> bytes:
    """The file's content with the hub's user, who may do everything; tables' users stay. None means there was no file.

    Raises `ValueError` if the file is damaged.
    """
    old = {} if content is None else json.loads(content)
    if not isinstance(old, dict):
        raise ValueError("it is no JSON object")  # noqa: TRY004
    clients = _without(old.get("clients", []), "username")
    roles = _without(old.get("roles", []), "rolename")
    new = {
        "defaultACLAccess": {
            "publishClientSend": False,
            "publishClientReceive": False,
            "subscribe": False,
            "unsubscribe": True,
        },
        **old,
        "clients": [_hub_client(password, salt), *clients],
        "roles": [{"rolename": HUB_USER, "acls": _hub_rules()}, *roles],
    }
    return json.dumps(new, indent="\t").encode()


def _without(listed: object, key: str) -> list[Mapping[str, object]]:
    """The clients or roles that are not the hub's."""
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        raise ValueError("it has no list of clients and roles")
    return [each for each in listed if each.get(key) != HUB_USER]


def _hub_client(password: str, salt: bytes) -> Mapping[str, object]:
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, HASH_ROUNDS)
    return {
        "username": HUB_USER,
        "textname": "The club's hub",
        "roles": [{"rolename": HUB_USER}],
        "password": base64.b64encode(digest).decode(),
        "salt": base64.b64encode(salt).decode(),
        "iterations": HASH_ROUNDS,
    }


def _hub_rules() -> Sequence[SecurityCommand]:
    kinds = {"publishClientSend": _PUBLISHES, "publishClientReceive": _HEARS, "subscribePattern": _HEARS}
    return [
        {"acltype": kind, "topic": topic, "priority": 0, "allow": True}
        for kind, topics in kinds.items()
        for topic in topics
    ]
