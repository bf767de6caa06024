"""A connection to a broker that keeps itself up. paho's own thread does it all; nothing here waits for the network."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from paho.mqtt.client import MQTTMessageInfo
from paho.mqtt.subscribeoptions import SubscribeOptions

from companion.club.broker.address import BrokerAddress
from companion.club.broker.client import RECONNECT_DELAYS, Will, close_client, make_client

log = logging.getLogger(__name__)

GOODBYE_SECONDS: Final = 2.0
_REFUSALS: Final = (0x86, 0x87)
"""MQTT 5's reasons "Bad User Name or Password" and "Not authorized"."""
_TAKEN_OVER: Final = 0x8E
"""MQTT 5's reason "Session taken over": another client has connected with the same id. That is never this one itself,
whose connection before is closed here already. Debian 12's mosquitto ends the connection and does not say why."""
TAKEN_OVER_DELAY: Final = 60
"""Seconds until this client takes the connection back: each time it ends the other's."""
TAKEN_OVER_SECONDS: Final = 300.0
"""If nothing is heard of the other client within these, it has gone."""


class Connection:
    """A `Broker`, from `open` to `close`. `subscribe` and `publish` may be called from any thread."""

    def __init__(
        self,
        address: BrokerAddress,
        *,
        client_id: str,
        will: Will | None = None,
        authority: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """As `make_client`; `clock` gives seconds. Raises `BadAuthorityError`."""
        self.address = address
        self.client = make_client(address, authority=authority, client_id=client_id, will=will)
        self._heard: Callable[[str, bytes], None] = lambda _topic, _payload: None
        self._up: Callable[[bool], None] = lambda _up: None
        self._last: MQTTMessageInfo | None = None
        """What was published last of what the broker acknowledges."""
        self._trouble = ""
        """What was logged last, once."""
        self.refused = False
        self._clock = clock
        self._taken_over = float("-inf")
        """When another client of the same identity was noticed last."""
        self.client.on_connect = self._on_connect
        self.client.on_connect_fail = lambda *_: self._complain("does not answer")
        self.client.on_disconnect = self._on_disconnect
        self.client.on_message = lambda _client, _data, message: self._heard(message.topic, bytes(message.payload))

    @property
    def taken_over(self) -> bool:
        return self._clock() - self._taken_over < TAKEN_OVER_SECONDS

    def give_way(self) -> None:
        self._taken_over = self._clock()

    def open(self, heard: Callable[[str, bytes], None], up: Callable[[bool], None]) -> None:
        self._heard, self._up = heard, up
        self.client.loop_start()

    def subscribe(self, topic: str, *, retained: bool = True) -> None:
        handling = SubscribeOptions.RETAIN_SEND_ON_SUBSCRIBE if retained else SubscribeOptions.RETAIN_DO_NOT_SEND
        # No echo: the hub would take its own removal of a table for the goodbye of one that has just joined again.
        options = SubscribeOptions(qos=1, noLocal=True, retainHandling=handling)
        self.client.subscribe(topic, options=options)

    def publish(self, topic: str, payload: bytes, *, qos: int = 0, retain: bool = False) -> None:
        if self.client.is_connected():
            sent = self.client.publish(topic, payload, qos, retain)
            if qos:
                self._last = sent

    def close(self) -> None:
        """Say goodbye, and end. Safe to call twice.

        The broker has the last words first: what it answers to a closed socket would make it drop them, and say the
        will instead.
        """
        if self._last is not None and self.client.is_connected():
            with suppress(ValueError, RuntimeError):  # they were never sent: the connection went first
                self._last.wait_for_publish(GOODBYE_SECONDS)
        close_client(self.client)

    # From paho's thread

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
