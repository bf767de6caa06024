"""Many phones that listen, in a process of their own: what they cost is not the box's."""

from __future__ import annotations

import multiprocessing
import re
import selectors
import socket
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from typing import NamedTuple, Self

LAST_WORDS = 2.0
"""Seconds in which what was sent may still arrive."""


class Heard(NamedTuple):
    """What came to the phones."""

    statuses: tuple[int, ...]
    """Of the answer to each phone, in their order; 0 if it was closed without one."""
    refusal: bytes
    """The first answer that was not 200."""
    last: dict[int, int]
    """Phone -> the last version that it heard of."""
    times: tuple[tuple[int, float], ...]
    """Each version and when (`time.monotonic`) a phone heard of it."""


class Audience:
    """Phones that ask for the stream, each from an address of its own, until `heard`."""

    def __init__(self, host: str, port: int, tokens: Sequence[str | None]) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_listen, args=(host, port, list(tokens), theirs))
        self._process.start()
        self._pipe.recv()  # all have an answer

    def heard(self) -> Heard:
        self._pipe.send("enough")
        heard: Heard = self._pipe.recv()
        self._process.join()
        return heard

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()


class _Listener:
    def __init__(self) -> None:
        self.status: int | None = None
        self.data = b""


def _listen(host: str, port: int, tokens: Sequence[str | None], pipe: Connection) -> None:
    watch = selectors.DefaultSelector()
    watch.register(pipe, selectors.EVENT_READ)
    phones = [_Listener() for _ in tokens]
    for number, token in enumerate(tokens):
        at = f"127.0.{1 + number // 200}.{1 + number % 200}"
        phone = socket.create_connection((host, port), 20, source_address=(at, 0))
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        phone.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: {host}\r\n{bearer}\r\n".encode())
        phone.setblocking(False)
        watch.register(phone, selectors.EVENT_READ, number)
    last: dict[int, int] = {}
    times: list[tuple[int, float]] = []
    refusal, told, until = b"", False, float("inf")
    while time.monotonic() < until:
        for key, _ in watch.select(0.1):
            if key.fileobj is pipe:
                pipe.recv()
                watch.unregister(pipe)
                until = time.monotonic() + LAST_WORDS
                continue
            assert isinstance(key.fileobj, socket.socket)
            phone, number = phones[key.data], key.data
            try:
                data = key.fileobj.recv(1 << 20)
            except OSError:
                data = b""
            now = time.monotonic()
            phone.data += data
            if phone.status is None:
                phone.status = int(phone.data.split()[1]) if phone.data else 0
                refusal = refusal or (phone.data if phone.status != 200 else b"")
            if not data or phone.status != 200:
                watch.unregister(key.fileobj)
                key.fileobj.close()
                last.pop(number, None)
                continue
            *events, phone.data = phone.data.split(b"\n\n")
            for event in events:
                for version in map(int, re.findall(rb"^id: \w+-(\d+)$", event, re.MULTILINE)):
                    last[number] = version
                    times.append((version, now))
        if not told and all(phone.status is not None for phone in phones):
            told = True
            pipe.send("all have an answer")
    pipe.send(Heard(tuple(phone.status or 0 for phone in phones), refusal, last, tuple(times)))
