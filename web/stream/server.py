"""The server: waitress in one process, with a thread for each stream."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
import time
from typing import Any, Self

from flask import Flask
from waitress.channel import HTTPChannel
from waitress.server import create_server
from waitress.task import WSGITask

from web.stream.stream import Connection, Feed

THREADS = 96
"""Forty streams hold forty threads, and forty phones may request a picture at once; a press must not wait."""
SWITCH_INTERVAL = 0.0005
"""Seconds between thread switches. Python's own 0.005 would be noticed: forty phones take forty turns, and while dice
are read, the reader takes every other one."""
SILENCE_MS = 20_000
"""Milliseconds after which the kernel drops a phone that acknowledges nothing."""
STOP_PATIENCE = 3.0
"""Seconds that running requests are given when the server stops."""
OUTPUT_BUFFER = 256 * 1024
"""Bytes buffered for a phone that reads too slowly, before its answer is held back."""
SEND_BUFFER = 64 * 1024
"""Bytes the kernel buffers for a phone before we notice that it does not read."""

CONNECTION = "perudo.connection"
"""The key of a request's environment with its `Connection`."""


class _Task(WSGITask):  # type: ignore[misc]  # waitress has no types
    """A request that knows its connection."""

    def get_environment(self) -> dict[str, object]:
        environ: dict[str, object] = super().get_environment()
        environ[CONNECTION] = self.channel
        return environ


class _Channel(HTTPChannel, Connection):  # type: ignore[misc]
    """A phone's connection."""

    task_class = _Task

    def hung_up(self) -> bool:
        return not self.connected

    def unread(self) -> int:
        return int(self.total_outbufs_len)

    def cut_off(self) -> None:
        """End the connection at once, from the thread that serves a request."""
        self.cancel()
        with contextlib.suppress(OSError):  # it has ended by itself
            # Discard what the kernel still buffers.
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.socket.shutdown(socket.SHUT_RDWR)
        self.server.pull_trigger()


class Server:
    """A server that serves in a thread of its own, from `start` to `stop`. Made by `make_server`."""

    def __init__(self, app: Flask, listening: socket.socket, threads: int) -> None:
        self.feed: Feed = app.extensions["feed"]
        self._host, self.port = listening.getsockname()[:2]
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._map: dict[int, Any] = {}
        self._server = create_server(
            app,
            map=self._map,
            sockets=[listening],
            threads=threads,
            ident=None,
            connection_limit=512,
            channel_request_lookahead=1,  # lets a stream learn at once that its phone has hung up
            outbuf_high_watermark=OUTPUT_BUFFER,
            max_request_body_size=1024 * 1024,
            max_request_header_size=32 * 1024,
            clear_untrusted_proxy_headers=True,
        )
        self._server.channel_class = _Channel

    @property
    def url(self) -> str:
        """The page's address, if the host is an IPv4 address."""
        return f"http://{self._host}:{self.port}/"

    def start(self) -> Self:
        """Serve in a thread."""
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)
        self._thread.start()
        return self

    def stop(self) -> None:
        """End every stream, wait up to `STOP_PATIENCE` seconds for running requests, close. Safe to call twice."""
        if self._stopping.is_set():
            return
        self._stopping.set()
        if self._thread is None:
            self._close()
            return
        with contextlib.suppress(OSError):  # the thread has just ended by itself
            self._server.pull_trigger()
        self._thread.join()

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                self._turn(1.0)
        finally:
            self._close()

    def _turn(self, timeout: float) -> None:
        self._server.asyncore.loop(timeout=timeout, map=self._map, use_poll=True, count=1)

    def _close(self) -> None:
        self.feed.close()
        self._server.accepting = False
        until = time.monotonic() + STOP_PATIENCE
        while self._busy() and time.monotonic() < until:
            self._turn(0.05)
        for channel in list(self._server.active_channels.values()):
            channel.handle_close()  # wakes a thread that waits for its phone
        self._server.task_dispatcher.shutdown()  # before the close: threads that end still wake the server
        self._server.close()

    def _busy(self) -> bool:
        return any(
            channel.requests or channel.total_outbufs_len for channel in list(self._server.active_channels.values())
        )

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


def make_server(app: Flask, host: str, port: int, *, threads: int = THREADS) -> Server:
    """A server of `app` that already listens; port 0 takes a free one (see `Server.port`).

    Raises `OSError` if the address is not available.
    """
    (family, kind, proto, _, address), *_ = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    listening = socket.socket(family, kind, proto)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Connections inherit both of these.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENCE_MS)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        listening.bind(address)
        listening.listen(256)
        return Server(app, listening, threads)
    except BaseException:
        listening.close()
        raise
