"""A connection to a broker that keeps itself up: paho-mqtt with MQTT 5, TLS, back-off, and detection of a dead peer.

Rules for using paho:

- `loop_start` starts the network thread, which connects again and again until `disconnect`; set all callbacks before.
- Callbacks run in the network thread. One that waits stops pings, acknowledgements and everything else, so only pass on
  what came. An exception in a callback is logged, and does not end the thread.
- Sessions are clean: subscribe again after each connection, in `on_connect`. The broker keeps nothing for an absent
  client.
- `publish` may be called from any thread, including callbacks, and never waits. Without a connection, a message with
  QoS 0 is lost, and one with QoS 1 waits in memory until the next connection; it may arrive twice.
- `loop_stop`, as in `close_client`, waits for the network thread: do not call it in a callback.
"""

from __future__ import annotations

import logging
import socket
import ssl
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from paho.mqtt.client import Client, MQTTMessageInfo
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.subscribeoptions import SubscribeOptions

from companion.member.address import MQTT_PORTS, BrokerAddress
from companion.member.errors import UnreadableInClubError

log = logging.getLogger(__name__)
_paho_log = logging.getLogger(f"{__name__}.paho")

PING_SECONDS: Final = 14
"""The broker gives up a client after one and a half of these; paho gives up the broker after two, and a second."""
RECONNECT_DELAYS: Final = (1, 30)
"""Seconds between two attempts: the first, and the most."""
MOST_UNSENT: Final = 10_000
"""The most messages with QoS 1 that wait in memory; `publish` refuses more (`MQTT_ERR_QUEUE_SIZE`)."""

OWN_AUTHORITY: Final = "Perudo box "
"""How the name of an authority of `companion.features.https.certificates` begins."""

Will = tuple[str, bytes, bool]
"""Topic, payload and retained flag of what the broker publishes if the client ends without saying goodbye."""


def make_client(
    address: BrokerAddress, *, authority: str = "", client_id: str = "", will: Will | None = None
) -> Client:
    """A client that connects to `address` at `loop_start`. The will has QoS 1.

    `authority` is the certificate (PEM) of the authority that signed the broker's, and then the only one trusted; empty
    means the system's authorities. With an empty `client_id` the broker chooses one.

    Raises `UnreadableInClubError`.
    """
    client = Client(
        CallbackAPIVersion.VERSION2,
        client_id,
        protocol=MQTTProtocolVersion.MQTTv5,
        transport="unix" if address.is_unix else "tcp",
    )
    client.enable_logger(_paho_log)
    client.suppress_exceptions = True
    client.reconnect_delay_set(*RECONNECT_DELAYS)
    if not address.is_unix:
        # Acknowledgements are small, and must not wait for another packet (Nagle's algorithm, 40 ms).
        client.on_socket_open = _send_at_once
    client.max_queued_messages_set(MOST_UNSENT)
    if address.username:
        client.username_pw_set(address.username, address.password)
    if address.tls:
        client.tls_set_context(tls_context(authority))
    if will is not None:
        topic, payload, retained = will
        client.will_set(topic, payload, qos=1, retain=retained)
    port = MQTT_PORTS["mqtt"] if address.is_unix else address.port  # paho requires one, but does not use it
    client.connect_async(address.host, port, keepalive=PING_SECONDS, clean_start=True)
    return client


def _send_at_once(_client: object, _data: object, opened: object) -> None:
    if isinstance(opened, socket.socket):
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def tls_context(authority: str) -> ssl.SSLContext:
    """The TLS context of a client. `authority`: see `make_client`. Raises `UnreadableInClubError`.

    The broker's host must be in its certificate, unless a hub of ours made the authority: that one signs for a single
    broker, which remains the same when its address changes.
    """
    try:
        context = ssl.create_default_context(cadata=authority or None)
    except (ssl.SSLError, TypeError) as error:
        raise UnreadableInClubError(
            "The authority is no certificate: a PEM file has -----BEGIN CERTIFICATE-----."
        ) from error
    if authority and all(_is_own(each) for each in context.get_ca_certs()):
        context.check_hostname = False
    return context


def _is_own(certificate: object) -> bool:
    """True if a hub of ours made the authority, as described by `SSLContext.get_ca_certs`."""
    subject = certificate.get("subject", ()) if isinstance(certificate, dict) else ()
    names = [value for part in subject for key, value in part if key == "commonName"]
    return len(names) == 1 and str(names[0]).startswith(OWN_AUTHORITY)


def _exceptions_alone(record: logging.LogRecord) -> bool:
    """Pass only exceptions in callbacks: paho logs an error every second while a broker is away."""
    if str(record.msg).startswith("Caught exception"):
        record.exc_info = sys.exc_info()
        return True
    return record.levelno < logging.ERROR


_paho_log.addFilter(_exceptions_alone)


def close_client(client: Client) -> None:
    """Disconnect and end the network thread. paho would leave a pair of sockets open. Safe to call twice."""
    client.disconnect()
    client.loop_stop()
    client.reinitialise()


GOODBYE_SECONDS: Final = 2.0
_REFUSALS: Final = (0x86, 0x87)
"""MQTT 5's reasons "Bad User Name or Password" and "Not authorized"."""
_TAKEN_OVER: Final = 0x8E
"""MQTT 5's reason "Session taken over": another client has connected with the same id. It is never this client, which
closes its old connection itself. Debian 12's mosquitto ends the connection without a reason."""
TAKEN_OVER_DELAY: Final = 60
"""Seconds until this client takes the connection back, which ends the other client's."""
TAKEN_OVER_SECONDS: Final = 300.0
"""After this many seconds without a sign of the other client, it is considered gone."""


class Connection:
    """A connection, from `open` to `close`. `subscribe` and `publish` may be called from any thread; nothing waits for
    the network.
    """

    def __init__(
        self,
        address: BrokerAddress,
        *,
        client_id: str,
        will: Will | None = None,
        authority: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """See `make_client`; `clock` returns seconds. Raises `UnreadableInClubError`."""
        self.address = address
        self.client = make_client(address, authority=authority, client_id=client_id, will=will)
        self._heard: Callable[[str, bytes], None] = lambda _topic, _payload: None
        self._up: Callable[[bool], None] = lambda _up: None
        self._last: MQTTMessageInfo | None = None
        """The last message that the broker will acknowledge."""
        self._trouble = ""
        """The last warning; each is logged once."""
        self.refused = False
        """The broker, when it last answered, rejected this client or its password."""
        self._clock = clock
        self._taken_over = float("-inf")
        """When another client with the same identity was last noticed."""
        self.client.on_connect = self._on_connect
        self.client.on_connect_fail = lambda *_: self._complain("does not answer")
        self.client.on_disconnect = self._on_disconnect
        self.client.on_message = lambda _client, _data, message: self._heard(message.topic, bytes(message.payload))

    @property
    def taken_over(self) -> bool:
        """True if another client has recently had this identity, such as a box with a copied memory card."""
        return self._clock() - self._taken_over < TAKEN_OVER_SECONDS

    def give_way(self) -> None:
        """There is another client: reconnect slowly when it ends this connection, because each ends the other's."""
        self._taken_over = self._clock()

    def open(self, heard: Callable[[str, bytes], None], up: Callable[[bool], None]) -> None:
        """Connect, and reconnect whenever the connection is lost.

        `heard` gets the topic and payload of each message; `up` is told if the broker is connected. Both are called in
        the connection's thread, and must not wait.
        """
        self._heard, self._up = heard, up
        self.client.loop_start()

    def subscribe(self, topic: str, *, retained: bool = True) -> None:
        """`retained`: also receive messages published before."""
        handling = SubscribeOptions.RETAIN_SEND_ON_SUBSCRIBE if retained else SubscribeOptions.RETAIN_DO_NOT_SEND
        # No echo: the hub would mistake its own removal of a table for the goodbye of a table that has just rejoined.
        options = SubscribeOptions(qos=1, noLocal=True, retainHandling=handling)
        self.client.subscribe(topic, options=options)

    def publish(self, topic: str, payload: bytes, *, qos: int = 0, retain: bool = False) -> None:
        """Send a message; without a connection it is dropped."""
        if self.client.is_connected():
            sent = self.client.publish(topic, payload, qos, retain)
            if qos:
                self._last = sent

    def close(self) -> None:
        """Say goodbye and close. Safe to call twice.

        Waits until the broker has the last messages: if the socket closed first, it would drop them and publish the
        will.
        """
        if self._last is not None and self.client.is_connected():
            with suppress(ValueError, RuntimeError):  # never sent, because the connection was lost first
                self._last.wait_for_publish(GOODBYE_SECONDS)
        close_client(self.client)

    # Called by paho's thread

    def _on_connect(self, _client: object, _data: object, _flags: object, reason: Any, _properties: object) -> None:
        self.refused = reason.value in _REFUSALS
        if reason.is_failure:
            self._complain(f"refuses: {reason}")
            return
        self._trouble = ""
        log.info("connected to the broker %s", self.address)
        self._up(True)

    def _on_disconnect(self, _client: object, _data: object, _flags: object, reason: Any, _properties: object) -> None:
        if reason.value == _TAKEN_OVER:
            self.give_way()
        self.client.reconnect_delay_set(*((TAKEN_OVER_DELAY,) * 2 if self.taken_over else RECONNECT_DELAYS))
        self._up(False)

    def _complain(self, what: str) -> None:
        if what != self._trouble:
            self._trouble = what
            log.warning("The broker %s %s. It is tried again.", self.address, what)
