"""The server: waitress, one process, a thread a stream, and a stop that leaves nothing behind."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
import time
from types import TracebackType
from typing import Any, Self

from flask import Flask
from waitress.channel import HTTPChannel
from waitress.server import create_server
from waitress.task import WSGITask

from web.stream.stream import Feed

THREADS = 96
"""Forty phones hold forty threads for their streams, and may all ask for a picture at once; a press must not wait."""
SWITCH = 0.0005
"""Seconds for which one thread may keep the others from running. Python's own 0.005 would be felt: to tell forty phones
takes forty threads their turns, and a frame that is being read takes every other one.
"""
SILENT_FOR = 20_000
"""Milliseconds after which the kernel gives up a phone that acknowledges nothing: asleep, or out of the
house.
"""
PATIENCE = 3.0
"""Seconds that running requests are given when the server stops."""
BUFFER = 256 * 1024
"""Bytes kept for a phone that reads too slowly before its answer is held back."""
UNDER_WAY = 64 * 1024
"""Bytes that the kernel takes for a phone before we hear that it does not read."""

UNREAD, CUT_OFF = "perudo.unread", "perudo.cut_off"
"""What a request's environment has: how many bytes of its answer wait to be sent, and how to end its connection."""


class _Task(WSGITask):  # type: ignore[misc]  # waitress has no types
    """A request, told how its phone reads."""

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        environ[UNREAD] = lambda: int(self.channel.total_outbufs_len)
        environ[CUT_OFF] = self.channel.cut_off
        return environ


class _Channel(HTTPChannel):  # type: ignore[misc]
    """A phone's connection."""

    task_class = _Task

    def cut_off(self) -> None:
        """End the connection at once, whatever was not sent yet. From the thread that serves a request."""
        self.cancel()
        with contextlib.suppress(OSError):  # it has ended by itself
            # Nothing waits in the kernel for a phone that will not read it.
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.socket.shutdown(socket.SHUT_RDWR)
        self.server.pull_trigger()


class Server:
    """A running server. Use `make_server`; `run` in the main thread, or `start` and `stop` round a test."""

    def __init__(self, app: Flask, listening: socket.socket, threads: int) -> None:
        self._app = app
        self.feed: Feed = app.extensions["feed"]
        self.host: str = listening.getsockname()[0]
        self.port: int = listening.getsockname()[1]
        self._thread: threading.Thread | None = None
        self._halt = threading.Event()
        self._closed = threading.Event()
        self._begun = False
        self._map: dict[int, Any] = {}
        self._server = create_server(
            app,
            map=self._map,
            sockets=[listening],
            threads=threads,
            ident=None,
            connection_limit=512,
            channel_request_lookahead=1,  # lets a stream learn at once that its phone has hung up
            outbuf_high_watermark=BUFFER,
            max_request_body_size=1024 * 1024,
            max_request_header_size=32 * 1024,
            clear_untrusted_proxy_headers=True,
        )
        self._server.channel_class = _Channel

    @property
    def url(self) -> str:
        """An address that this machine itself can open."""
        host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(self.host, self.host)
        return f"http://{f'[{host}]' if ':' in host and not host.startswith('[') else host}:{self.port}/"

    def run(self) -> None:
        """Serve until `stop` is called from elsewhere, or KeyboardInterrupt, which is raised on after
        cleaning up.
        """
        self._begun = True
        try:
            while not self._halt.is_set():
                self._turn(1.0)
        finally:
            self._close()

    def start(self) -> Self:
        """Serve in a thread of its own; the socket already listens when this returns."""
        self._thread = threading.Thread(target=self.run, name="web", daemon=True)
        self._begun = True
        self._thread.start()
        return self

    def stop(self) -> None:
        """End every stream, let running requests finish (at most `PATIENCE` seconds), close. Safe to call
        twice.

        From the thread that serves (a signal handler, say) it only asks, and `run` does the rest.
        """
        self.feed.stop()
        self._halt.set()
        if not self._begun:
            self._close()
            return
        if not self._closed.is_set():
            with contextlib.suppress(OSError):  # the pipe is closed when the server just ended by itself
                self._server.pull_trigger()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _turn(self, timeout: float) -> None:
        self._server.asyncore.loop(timeout=timeout, map=self._map, use_poll=True, count=1)

    def _close(self) -> None:
        if self._closed.is_set():
            return
        self.feed.stop()
        self._server.accepting = False
        until = time.monotonic() + PATIENCE
        while self._busy() and time.monotonic() < until:
            self._turn(0.05)
        self._closed.set()
        for channel in list(self._server.active_channels.values()):
            channel.handle_close()  # wakes a thread that waits for its phone to read
        self._server.task_dispatcher.shutdown()  # before the close: threads that end still wake the server
        self._server.close()

    def _busy(self) -> bool:
        return any(
            channel.requests or channel.total_outbufs_len for channel in list(self._server.active_channels.values())
        )

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def make_server(app: Flask, host: str = "0.0.0.0", port: int = 0, *, threads: int = THREADS) -> Server:
    """A server of `app` that listens already; port 0 takes a free one (ask `Server.port`).

    Raises `OSError` where the address cannot be had.
    """
    family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[
        0
    ]
    listening = socket.socket(family, kind, proto)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; accepted connections inherit it
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENT_FOR)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNDER_WAY)
        listening.bind(address)
        listening.listen(256)
        return Server(app, listening, threads)
    except BaseException:
        listening.close()
        raise
