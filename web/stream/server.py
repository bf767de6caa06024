"""The server: one event loop for all connections and streams, and threads that run the application.

Tornado reads the requests and sends the answers, so a slow guest holds no thread. The page is served over http and, if
there is a certificate, also over https on a second port, with the same limits.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple, Self, cast
from wsgiref.types import WSGIEnvironment

from flask import Flask
from tornado.http1connection import HTTP1Connection, HTTP1ConnectionParameters, HTTP1ServerConnection
from tornado.httputil import (
    HTTPConnection,
    HTTPHeaders,
    HTTPInputError,
    HTTPMessageDelegate,
    HTTPServerConnectionDelegate,
    RequestStartLine,
    ResponseStartLine,
    format_timestamp,
)
from tornado.iostream import IOStream, SSLIOStream, StreamClosedError

from companion.listening_socket import listen
from vision.image_file import LARGEST_PHOTO
from web.access.wrong_codes import network_of
from web.pictures import UNREAD
from web.stream.events import STREAM
from web.stream.guests import GuestConnection, GuestConnections, Limits
from web.stream.stream import Client, Streams, StreamSource
from web.stream.wsgi import Door, FileBody, environment

log = logging.getLogger(__name__)

SWITCH_INTERVAL: Final = 0.0005
"""Seconds between thread switches. Python's default of 0.005 would be noticeable: during a reading, the reader takes
every other turn.
"""
STOP_PATIENCE: Final = 3.0
"""Seconds that running requests have left when the server stops."""
MAX_HEAD: Final = 32 * 1024
"""The longest request head in bytes."""
MAX_BODY: Final = 64 * 1024
"""The longest body that is read, in bytes. The application accepts less, and refuses the rest itself."""

_BUFFER: Final = 4 * MAX_HEAD + MAX_BODY
STANDARD_LIMITS: Final = Limits()
ACCEPT_PAUSE: Final = 1.0
"""Seconds until connections are accepted again after a failure, such as a lack of file descriptors."""
ACCEPT_AT_ONCE: Final = 128
"""Connections accepted before other tasks get a turn."""
READ_PATIENCE: Final = 60.0
"""Seconds that a phone may take to read one piece of a file."""

MOST_PHOTO_BODIES: Final = 8
"""Long bodies that may arrive at once, half of them from one address. Further ones are refused as busy."""
PHOTO_TIMEOUT: Final = 30.0
"""Seconds for such a body: a distant phone sends 1 Mbit/s."""


class AppAnswer(NamedTuple):
    """The application's response."""

    status: str
    headers: list[tuple[str, str]]
    body: Any
    """Bytes; a `FileBody`; or for a stream, a response to close when it ends."""


class Entrance:
    """Accepts connections on a listening socket, in the running event loop.

    Tornado's own acceptor would fail repeatedly without a free descriptor, and keep the loop busy.
    """

    def __init__(self, listening: socket.socket, admit: Callable[[socket.socket, Any], None]) -> None:
        """`admit` is called with each connection and its address."""
        self._listening = listening
        self._admit = admit
        self._loop = asyncio.get_running_loop()
        self._pause: asyncio.TimerHandle | None = None
        self._open()

    def _open(self) -> None:
        self._pause = None
        self._loop.add_reader(self._listening, self._accept)

    def _accept(self) -> None:
        for _ in range(ACCEPT_AT_ONCE):
            try:
                connection, address = self._listening.accept()
            except (BlockingIOError, ConnectionAbortedError):
                return
            except OSError as error:
                log.warning("No connection is accepted now: %s.", error.strerror or error)
                self._loop.remove_reader(self._listening)
                self._pause = self._loop.call_later(ACCEPT_PAUSE, self._open)
                return
            self._admit(connection, address)

    def close(self) -> None:
        """Accept no more connections. Open ones continue."""
        if self._pause is not None:
            self._pause.cancel()
        self._loop.remove_reader(self._listening)
        self._listening.close()


class Acceptor(HTTPServerConnectionDelegate):
    """Admits connections, and runs the application for their requests."""

    def __init__(self, app: Flask, port: int, limits: Limits) -> None:
        self.streams: Streams = app.extensions["streams"]
        self.files: tuple[str, ...] = app.extensions.get("files", ())
        self.guests = GuestConnections(limits)
        self.door = Door(port)
        self.answers: set[asyncio.Task[None]] = set()
        """The running requests."""
        self.photos: Counter[str] = Counter()
        """Network -> the number of pictures arriving from it."""
        self._app = app
        self._pool = ThreadPoolExecutor(limits.threads, "web-request")
        self._head_timeout = limits.head_timeout
        self._parameters = HTTP1ConnectionParameters(
            max_header_size=4 * MAX_HEAD,
            header_timeout=limits.keep_alive,
            max_body_size=MAX_BODY,
            body_timeout=limits.body_timeout,
        )

    def accept(self, connection: socket.socket, address: Any) -> None:
        """Serve a connection over http."""
        self.admit(IOStream(connection, max_buffer_size=_BUFFER), address, self.door)

    def admit(self, stream: IOStream, address: Any, door: Door) -> None:
        """Serve a connection that came in through `door`, unless there is no room for it."""
        host = address[0].removeprefix("::ffff:")  # the kernel's form of an IPv4 address on an IPv6 socket
        guest = GuestConnection(host, network_of(host), stream, door)
        if not self.guests.admit(guest):
            stream.close()
            return
        guest.deadline = asyncio.get_running_loop().call_later(self._head_timeout, stream.close)
        HTTP1ServerConnection(stream, self._parameters, guest).start_serving(self)

    def start_request(self, _server_conn: object, request_conn: HTTPConnection) -> HTTPMessageDelegate:
        connection = cast(HTTP1Connection, request_conn)
        guest = cast(GuestConnection, connection.context)
        guest.busy = False
        return Request(self, guest, connection)

    def on_close(self, server_conn: object) -> None:
        self.guests.leave(cast(GuestConnection, cast(HTTP1ServerConnection, server_conn).context))

    async def answer(self, guest: GuestConnection, environ: WSGIEnvironment) -> AppAnswer | None:
        """The application's response, from one of the threads; None if the guest has disconnected."""
        async with guest.turns:
            if guest.stream.closed():
                return None
            return await asyncio.get_running_loop().run_in_executor(self._pool, _answer, self._app, environ)

    async def close(self) -> None:
        """Wait up to `STOP_PATIENCE` seconds for running requests and unsent data, then close."""
        until = time.monotonic() + STOP_PATIENCE
        while (self.answers or any(guest.stream.writing() for guest in self.guests)) and time.monotonic() < until:
            await asyncio.sleep(0.02)
        for guest in list(self.guests):
            guest.stream.close()
        self._pool.shutdown(wait=False, cancel_futures=True)


class SecureDoor:
    """Accepts https connections. Handshakes have the same limits as request heads."""

    def __init__(self, acceptor: Acceptor, listening: socket.socket, context: ssl.SSLContext) -> None:
        self._acceptor = acceptor
        self._context = context
        self._door = Door(listening.getsockname()[1], "https", acceptor.door.port)
        self._entrance = Entrance(listening, self._accept)
        logging.getLogger("tornado.general").addFilter(_is_no_handshake)

    def _accept(self, connection: socket.socket, address: Any) -> None:
        try:
            secure = self._context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        except OSError:  # it has disconnected
            connection.close()
            return
        self._acceptor.admit(SSLIOStream(secure, max_buffer_size=_BUFFER), address, self._door)

    def close(self) -> None:
        """Accept no more connections. Open ones continue."""
        self._entrance.close()


def _is_no_handshake(record: logging.LogRecord) -> bool:
    """A log filter: otherwise every device that does not trust the box could fill the log."""
    return not str(record.msg).startswith("SSL Error on")


def _answer(app: Flask, environ: WSGIEnvironment) -> AppAnswer:
    begun: list[tuple[str, list[tuple[str, str]]]] = []

    def start_response(status: str, headers: list[tuple[str, str]], _error: object = None) -> Any:
        begun.append((status, headers))

    body: Any = app(environ, start_response)
    if STREAM in environ and environ["REQUEST_METHOD"] == "GET":
        return AppAnswer(*begun[-1], body)
    if isinstance(body, FileBody) and not body.small():
        return AppAnswer(*begun[-1], body)
    with contextlib.closing(body):
        data = b"".join(body)
    return AppAnswer(*begun[-1], data)


class Request(HTTPMessageDelegate):
    """One request, from its head to its answer."""

    def __init__(self, acceptor: Acceptor, guest: GuestConnection, connection: HTTP1Connection) -> None:
        self._acceptor = acceptor
        self._guest = guest
        self._connection = connection
        self._body = bytearray()
        self._more: tuple[tuple[str, str], ...] = ()
        """Headers added to the application's."""
        self._sends_photo = False

    def headers_received(
        self, start_line: RequestStartLine | ResponseStartLine, headers: HTTPHeaders
    ) -> asyncio.Future[None] | None:
        self._guest.busy = True
        if self._guest.deadline is not None:
            self._guest.deadline.cancel()
        self._start_line = cast(RequestStartLine, start_line)
        self._headers = headers
        if sum(len(name) + len(value) for name, value in headers.get_all()) > MAX_HEAD:
            raise HTTPInputError("The head is too long.")  # answered with 400; beyond Tornado's own limit nothing is
        length = headers.get("Content-Length", "")
        if length.isdecimal() and MAX_BODY < int(length) <= LARGEST_PHOTO and self._may_send_photo():
            return None
        if length.isdecimal() and int(length) > MAX_BODY:
            self._more = (("Connection", "close"),)  # sent before the body, which the application refuses
            return self._begin()
        return None

    def _may_send_photo(self) -> bool:
        """True if this path takes a file, whose body may be long, and not too many files are arriving already."""
        photos, network = self._acceptor.photos, self._guest.network
        if not self._start_line.path.startswith(self._acceptor.files) or (
            photos.total() >= MOST_PHOTO_BODIES or photos[network] >= MOST_PHOTO_BODIES // 2
        ):
            return False
        photos[network] += 1
        self._sends_photo = True
        self._connection.set_max_body_size(LARGEST_PHOTO)
        self._connection.set_body_timeout(PHOTO_TIMEOUT)
        return True

    def _photo_arrived(self) -> None:
        if self._sends_photo:
            self._sends_photo = False
            self._acceptor.photos[self._guest.network] -= 1

    def data_received(self, chunk: bytes) -> None:
        self._body += chunk

    def finish(self) -> None:
        self._photo_arrived()
        self._begin()

    def on_connection_close(self) -> None:
        """The connection was closed before the request was complete."""
        self._photo_arrived()

    def _begin(self) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(self._serve())
        self._acceptor.answers.add(task)
        task.add_done_callback(self._acceptor.answers.discard)
        return task

    async def _serve(self) -> None:
        environ = environment(
            *self._start_line, self._headers, bytes(self._body), self._guest.address, self._guest.door
        )
        environ[UNREAD] = bool(self._more)
        try:
            answer = await self._acceptor.answer(self._guest, environ)
        except BaseException:
            self._connection.close()
            raise
        if answer is None:
            return
        if isinstance(answer.body, FileBody):
            with contextlib.closing(answer.body):
                await self._send(answer, answer.body)
            return
        data = answer.body if isinstance(answer.body, bytes) else None
        self._write_head(answer, data)
        if data is None:
            self._hold(environ[STREAM], answer.body.close)
        else:
            self._connection.finish()

    def _write_head(self, answer: AppAnswer, data: bytes | None) -> asyncio.Future[None]:
        status, reason = answer.status.split(" ", 1)
        headers = HTTPHeaders()
        for name, value in (("Date", format_timestamp(time.time())), *answer.headers, *self._more):
            headers.add(name, value)
        start = ResponseStartLine("HTTP/1.1", int(status), reason)
        return self._connection.write_headers(start, headers, data)

    async def _send(self, answer: AppAnswer, body: FileBody) -> None:
        """Send a file, each piece once the phone has read the previous one. A phone that does not read is cut off."""
        try:
            await asyncio.wait_for(self._write_head(answer, None), READ_PATIENCE)
            while piece := await asyncio.to_thread(body.piece):
                await asyncio.wait_for(self._connection.write(piece), READ_PATIENCE)
            self._connection.finish()
        except (StreamClosedError, TimeoutError):
            self._connection.close()
        except BaseException:
            self._connection.close()  # cut off, so that the phone does not mistake a part for the whole
            raise

    def _hold(self, client: Client, leave: Callable[[], None]) -> None:
        """Hand the connection over to the stream."""
        if self._connection.stream.closed():
            leave()
            return
        self._connection.stream.set_nodelay(True)
        self._acceptor.streams.add(client, self._connection, leave)
        self._connection.set_close_callback(lambda: self._acceptor.streams.remove(client))


class Server:
    """A server in a separate thread, from `start` to `stop`."""

    def __init__(self, app: Flask, listening: socket.socket, limits: Limits = STANDARD_LIMITS) -> None:
        """`listening` is a socket from `companion.listening_socket.listen`."""
        self.feed: StreamSource = app.extensions["feed"]
        self._host, self.port = listening.getsockname()[:2]
        app.extensions["server"] = self
        self._app = app
        self._listening = listening
        self._limits = limits
        self._thread: threading.Thread | None = None
        self._loop = asyncio.new_event_loop()
        self._stopping = asyncio.Event()
        self._secure: asyncio.Queue[tuple[socket.socket, ssl.SSLContext] | None] = asyncio.Queue()
        """The next socket to serve https on; None closes https."""

    @property
    def url(self) -> str:
        """The page's address if the host is an IPv4 address."""
        return f"http://{self._host}:{self.port}/"

    def start(self) -> Self:
        """Start the thread."""
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)
        self._thread.start()
        return self

    def open_https(self, listening: socket.socket, context: ssl.SSLContext) -> None:
        """Also serve the page over https, on a socket from `companion.listening_socket.listen`. Thread-safe."""
        self._tell((listening, context))

    def close_https(self) -> None:
        """Accept no more https connections. Thread-safe."""
        self._tell(None)

    def _tell(self, what: tuple[socket.socket, ssl.SSLContext] | None) -> None:
        try:
            self._loop.call_soon_threadsafe(self._secure.put_nowait, what)
        except RuntimeError:  # the loop has ended
            if what is not None:
                what[0].close()

    def stop(self) -> None:
        """End every stream, wait up to `STOP_PATIENCE` seconds for running requests, and close. Can be called twice."""
        if self._thread is None:
            self._listening.close()
            self._loop.close()
            return
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        acceptor = Acceptor(self._app, self.port, self._limits)
        entrance = Entrance(self._listening, acceptor.accept)
        async with asyncio.TaskGroup() as group:
            streams = group.create_task(acceptor.streams.serve())
            doors = group.create_task(self._watch_doors(acceptor))
            await self._stopping.wait()
            doors.cancel()
            self.feed.close()
            acceptor.streams.turn()  # ends them all
            entrance.close()
            await acceptor.close()
            streams.cancel()

    async def _watch_doors(self, acceptor: Acceptor) -> None:
        """Open and close https as requested, until cancelled."""
        door: SecureDoor | None = None
        try:
            while True:
                wanted = await self._secure.get()
                if door is not None:
                    door.close()
                door = None if wanted is None else SecureDoor(acceptor, *wanted)
        finally:
            if door is not None:
                door.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


def make_server(app: Flask, host: str, port: int, limits: Limits = STANDARD_LIMITS) -> Server:
    """A server for `app` that already listens; port 0 takes a free one (see `Server.port`).

    Raises `OSError` if the address is not available.
    """
    return Server(app, listen(host, port), limits)
