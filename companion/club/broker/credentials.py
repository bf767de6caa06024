"""Tables' credentials on the broker, made through mosquitto's dynamic-security plugin.

The plugin takes commands on a topic, and answers on another one to who asked; each answer has the number of its
command. A broker without the plugin, or one that does not let the hub use it, answers nothing: then there are no
credentials, and the club works without.
"""

from __future__ import annotations

import logging
import queue
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from msgspec import Struct
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import MQTTErrorCode

from companion.club.broker.access import (
    BrokerUser,
    SecurityCommand,
    home_user,
    put_commands,
    remove_commands,
    table_user,
    table_username,
)
from companion.club.broker.errors import CredentialError
from companion.club.topics import TableTopics
from companion.messages.message import Message
from companion.messages.sentence import read_json

log = logging.getLogger(__name__)

SECURITY_TOPIC: Final = "$CONTROL/dynamic-security/v1"
ANSWER_TOPIC: Final = f"{SECURITY_TOPIC}/response"

ANSWER_SECONDS: Final = 3.0
"""How long the broker may take. It takes some milliseconds."""
ASK_AGAIN_SECONDS: Final = 60.0
"""After this long a broker that did not answer may have the plugin."""

_NETWORK_THREAD: Final = "paho-mqtt-client-"
"""How paho names the thread of its callbacks."""


class SecurityAnswer(Struct, frozen=True, rename="camel"):
    """The plugin's answer to one command."""

    correlation_data: str = ""
    error: str = ""
    """Empty if the command was carried out."""


class _Answers(Struct, frozen=True):
    responses: list[SecurityAnswer]


class Credentials:
    """The credentials of one club's tables.

    All methods wait for the broker, up to `timeout` seconds. They may be called from any thread but that of the
    client's callbacks, in which the answers come.
    """

    def __init__(
        self,
        client: Client,
        club: str,
        *,
        timeout: float = ANSWER_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`client` is the hub's own, and connects by itself. `clock` gives seconds."""
        self._client, self._club, self._timeout, self._clock = client, club, timeout, clock
        self._lock = threading.Lock()
        """Held from a question to its answer."""
        self._answers: queue.SimpleQueue[SecurityAnswer] = queue.SimpleQueue()
        self._available: bool | None = None
        self._asked = 0.0
        client.message_callback_add(ANSWER_TOPIC, self._heard)

    @property
    def available(self) -> bool:
        """Whether the broker has the plugin and the hub may use it. Asks the broker, and remembers the answer.

        Raises `CredentialError` without a connection.
        """
        known = self._available
        if known is None or (not known and self._clock() - self._asked >= ASK_AGAIN_SECONDS):
            return self.probe()
        return known

    def probe(self) -> bool:
        """Ask the broker now. Raises `CredentialError` without a connection."""
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
        """Create or replace a table's credential, and give its user name. A connection of the table ends by that.

        Raises `CredentialError`.
        """
        return self._put(table_user(TableTopics(self._club, table), password))

    def admit_home(self, password: str) -> str:
        """Create or replace Home Assistant's credential, and give its user name. Raises `CredentialError`."""
        return self._put(home_user(self._club, password))

    def remove(self, table: str) -> None:
        """Take a table's credential away, if it has one. A connection of the table ends. Raises `CredentialError`."""
        answers = self._change(remove_commands(table_username(self._club, table)))
        if not answers[-1].error:
            log.warning(
                "the broker did not delete the password of %s: %s", table, answers[0].error or "it does not say why"
            )
            raise CredentialError(Message("The broker did not delete the password of {table}.", table=table))

    def _put(self, user: BrokerUser) -> str:
        answers = self._change(put_commands(user))
        for answer in (answers[1], answers[3]):
            if answer.error:
                raise CredentialError(
                    Message(
                        "The broker refuses a credential for {user}: {reason}.", user=user.name, reason=answer.error
                    )
                )
        return user.name

    def _change(self, commands: Sequence[SecurityCommand]) -> list[SecurityAnswer]:
        answers = self._ask(commands)
        if len(answers) < len(commands):
            raise CredentialError(
                Message("The broker does not answer the hub about credentials. Try again in a moment.")
            )
        return answers

    def _ask(self, commands: Sequence[SecurityCommand]) -> list[SecurityAnswer]:
        """The answers to `commands`, in order; fewer if time is up."""
        if threading.current_thread().name.startswith(_NETWORK_THREAD):
            raise RuntimeError("this would wait in paho's thread for what comes in paho's thread")
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
                if answer.correlation_data in names:  # another one is that of a question given up
                    found[answer.correlation_data] = answer
            return [found[name] for name in names if name in found]

    def _send(self, commands: bytes) -> None:
        """Subscribe each time: the client may have connected anew. Not by QoS 1: too late a command is none."""
        subscribed, _ = self._client.subscribe(ANSWER_TOPIC, qos=1)
        sent = self._client.publish(SECURITY_TOPIC, commands)
        if not self._client.is_connected() or {subscribed, sent.rc} != {MQTTErrorCode.MQTT_ERR_SUCCESS}:
            raise CredentialError(Message("The broker is away, so there are no credentials. Try again in a moment."))

    def _heard(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        try:
            answers = read_json(message.payload, _Answers).responses
        except ValueError as error:
            log.warning("The broker's answer about credentials cannot be read: %s.", error)
            return
        for answer in answers:
            self._answers.put(answer)
