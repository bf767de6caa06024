"""A client whose broker answers about credentials only when a test says so."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

from paho.mqtt.enums import MQTTErrorCode


class SlowSecurityPlugin:
    """As much of paho's client as `Credentials` uses."""

    def __init__(self) -> None:
        self.heard: Any = None
        self.asked: list[list[dict[str, Any]]] = []
        self.prompt = False
        """Whether it answers at once."""

    def message_callback_add(self, _topic: str, heard: Any) -> None:
        self.heard = heard

    def is_connected(self) -> bool:
        return True

    def subscribe(self, _topic: str, qos: int) -> tuple[MQTTErrorCode, int]:
        return MQTTErrorCode.MQTT_ERR_SUCCESS, qos

    def publish(self, _topic: str, payload: bytes) -> SimpleNamespace:
        self.asked.append(json.loads(payload)["commands"])
        if self.prompt:
            self.answer(-1)
        return SimpleNamespace(rc=MQTTErrorCode.MQTT_ERR_SUCCESS)

    def answer(self, number: int, error: str | None = None) -> None:
        """Answer what was asked as number `number`."""
        answers = [
            {
                "command": each["command"],
                "correlationData": each["correlationData"],
                **({"error": error} if error else {}),
            }
            for each in self.asked[number]
        ]
        self.say(json.dumps({"responses": answers}).encode())

    def say(self, payload: bytes) -> None:
        self.heard(self, None, SimpleNamespace(payload=payload))
