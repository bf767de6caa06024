"""What the rest of the club asks of a connection to a broker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Broker(Protocol):
    """`companion.club.broker.connection.Connection`; a double in tests."""

    refused: bool
    """Whether the broker, when it answered last, did not know this client or its password."""

    @property
    def taken_over(self) -> bool:
        """Whether there was lately another client with this one's identity, such as a box with a copied memory card."""

    def give_way(self) -> None:
        """There is one: when it ends this connection, come back slowly, as each then ends the other's."""

    def open(self, heard: Callable[[str, bytes], None], up: Callable[[bool], None]) -> None:
        """Connect, and again whenever the connection is lost.

        `heard` gets the topic and the payload of each message; `up` whether the broker is there. Both are called in
        the connection's thread, and must not wait.
        """

    def subscribe(self, topic: str, *, retained: bool = True) -> None:
        """`retained`: whether what was published before is wanted, too."""

    def publish(self, topic: str, payload: bytes, *, qos: int = 0, retain: bool = False) -> None:
        """Send a message; without a connection it is dropped."""

    def close(self) -> None: ...
