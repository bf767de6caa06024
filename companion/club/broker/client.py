"""paho-mqtt's client, set up as tables and the hub use it: MQTT 5, TLS, back-off, and a dead peer noticed soon.

paho's rules, for whoever uses it:

- `loop_start` starts the network thread, which connects, again and again until `disconnect`; set all callbacks before.
- Callbacks run in the network thread. One that waits stops pings, acknowledgements and everything else: only pass on
  what came. An exception in a callback is logged, and does not end the thread.
- A session is clean: after each connection, subscribe again, in `on_connect`. While a client is away the broker keeps
  nothing for it.
- `publish` may be called from any thread, and in callbacks, and never waits. Without a connection, a message with QoS 0
  is lost, and one with QoS 1 waits in memory and is sent after the next connection; it may arrive twice.
- `loop_stop`, as `close_client` here, waits for the network thread: not in a callback.
"""

from __future__ import annotations

import logging
import socket
import ssl
import sys
from typing import Final

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from companion.club.broker.address import MQTT_PORTS, BrokerAddress
from companion.club.broker.errors import BadAuthorityError

_log = logging.getLogger(__name__)
"""paho's."""

PING_SECONDS: Final = 14
"""The broker misses a client after one and a half of these; paho misses the broker after two, and a second."""
RECONNECT_DELAYS: Final = (1, 30)
"""Seconds between two attempts: at first, and at most."""
MOST_UNSENT: Final = 10_000
"""Messages with QoS 1 that wait in memory; `publish` refuses more (`MQTT_ERR_QUEUE_SIZE`)."""

OWN_AUTHORITY: Final = "Perudo box "
"""How the name of an authority of `companion.box.https.certificates` begins."""

Will = tuple[str, bytes, bool]
"""A topic, a payload, and whether it is retained: what the broker publishes if the client ends without a goodbye."""


def make_client(
    address: BrokerAddress, *, authority: str = "", client_id: str = "", will: Will | None = None
) -> Client:
    """A client that connects to `address` at `loop_start`. A will has QoS 1.

    `authority` is the certificate (PEM) of who vouches for the broker: with it no other one is believed. Empty for
    those that the system knows. With an empty `client_id` the broker chooses one.

    Raises `BadAuthorityError`.
    """
    client = Client(
        CallbackAPIVersion.VERSION2,
        client_id,
        protocol=MQTTProtocolVersion.MQTTv5,
        transport="unix" if address.is_unix else "tcp",
    )
    client.enable_logger(_log)
    client.suppress_exceptions = True
    client.reconnect_delay_set(*RECONNECT_DELAYS)
    if not address.is_unix:
        # An acknowledgement is small, and is not to wait for another packet (Nagle's algorithm, 40 ms).
        client.on_socket_open = _send_at_once
    client.max_queued_messages_set(MOST_UNSENT)
    if address.username:
        client.username_pw_set(address.username, address.password)
    if address.tls:
        client.tls_set_context(tls_context(authority))
    if will is not None:
        topic, payload, retained = will
        client.will_set(topic, payload, qos=1, retain=retained)
    port = MQTT_PORTS["mqtt"] if address.is_unix else address.port  # paho wants one, and does not use it
    client.connect_async(address.host, port, keepalive=PING_SECONDS, clean_start=True)
    return client


def _send_at_once(_client: object, _data: object, opened: object) -> None:
    if isinstance(opened, socket.socket):
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def tls_context(authority: str) -> ssl.SSLContext:
    """What a client needs for TLS. `authority` as in `make_client`. Raises `BadAuthorityError`.

    The broker's host must be in its certificate, except under an authority that a hub of ours made: that one signs for
    one broker alone, which stays itself when its address changes.
    """
    try:
        context = ssl.create_default_context(cadata=authority or None)
    except (ssl.SSLError, TypeError) as error:
        raise BadAuthorityError(
            "The authority is no certificate: a PEM file has -----BEGIN CERTIFICATE-----."
        ) from error
    if authority and all(_is_own(each) for each in context.get_ca_certs()):
        context.check_hostname = False
    return context


def _is_own(certificate: object) -> bool:
    """Whether an authority, as `SSLContext.get_ca_certs` describes it, is one of a hub of ours."""
    subject = certificate.get("subject", ()) if isinstance(certificate, dict) else ()
    names = [value for part in subject for key, value in part if key == "commonName"]
    return len(names) == 1 and str(names[0]).startswith(OWN_AUTHORITY)


def _exceptions_alone(record: logging.LogRecord) -> bool:
    """Of errors, let those in callbacks pass: paho calls it an error, too, each second that a broker is away."""
    if str(record.msg).startswith("Caught exception"):
        record.exc_info = sys.exc_info()
        return True
    return record.levelno < logging.ERROR


_log.addFilter(_exceptions_alone)


def close_client(client: Client) -> None:
    """Disconnect and end the network thread. paho would leave a pair of sockets open. Safe to call twice."""
    client.disconnect()
    client.loop_stop()
    client.reinitialise()
