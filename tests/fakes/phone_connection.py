"""A fake of Tornado's connection of an open stream."""

from __future__ import annotations

import asyncio


class FakePhoneConnection:
    """Keeps what is written. It counts as read at once, or when `read` is called if the phone is slow."""

    def __init__(self, *, slow: bool = False) -> None:
        self.received: list[bytes] = []
        self.end = ""
        """`finished` or `cut off`."""
        self.stream = self.socket = self
        self._slow = slow
        self._written: asyncio.Future[None] | None = None

    def write(self, data: bytes) -> asyncio.Future[None]:
        self.received.append(data)
        self._written = asyncio.get_running_loop().create_future()
        if not self._slow:
            self.read()
        return self._written

    def read(self) -> None:
        """The phone reads everything."""
        if self._written is not None:
            self._written.set_result(None)

    def finish(self) -> None:
        self.end = "finished"

    def setsockopt(self, *_: object) -> None:
        """The kernel is to forget what it buffers."""

    def close(self) -> None:
        self.end = "cut off"
