"""Builds a request's WSGI environment: PEP 3333."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping
from typing import IO, Final, NamedTuple, Self
from urllib.parse import unquote_to_bytes
from wsgiref.types import WSGIEnvironment

FORWARDED: Final = frozenset({"forwarded", *(f"x-forwarded-{name}" for name in ("for", "host", "proto", "port", "by"))})
"""Headers by which a proxy describes its client. They are ignored: no proxy is known here, and any guest can forge
them.
"""

HTTP_PORT: Final = "perudo.http_port"
"""The environment's key for the page's http port."""
FILE_PIECE: Final = 256 * 1024
"""Bytes of a file that are read and sent at once."""

SMALL_FILE: Final = 1 << 20
"""Bytes."""


class FileBody:
    """A response body that is a file: `wsgi.file_wrapper`. The server reads and sends it in pieces."""

    def __init__(self, file: IO[bytes], size: int = FILE_PIECE) -> None:
        self._file = file
        self._size = size

    def piece(self) -> bytes:
        """The next bytes; empty at the end."""
        return self._file.read(self._size)

    def small(self) -> bool:
        """True if the file is sent like any other response: a picture, but not a backup."""
        try:
            return os.fstat(self._file.fileno()).st_size <= SMALL_FILE
        except OSError:  # not a file on disk
            return False

    def __iter__(self) -> Self:
        """Itself, so that a range response, which closes what it iterates, closes the file."""
        return self

    def __next__(self) -> bytes:
        if piece := self.piece():
            return piece
        raise StopIteration

    def close(self) -> None:
        self._file.close()


_NOT_PASSED = FORWARDED | {"content-type", "content-length", "transfer-encoding"}


class Door(NamedTuple):
    """The port through which a connection came in."""

    port: int
    scheme: str = "http"
    http_port: int | None = None
    """For https, the port of the same page over http."""


def environment(
    method: str, target: str, version: str, headers: Mapping[str, str], body: bytes, address: str, door: Door
) -> WSGIEnvironment:
    """The environment of a request from `address` through `door`. `target` and `headers` are decoded as Latin-1."""
    if not target.startswith("/"):  # an absolute URL, as sent to proxies
        target = "/" + target.partition("://")[2].partition("/")[2]
    path, _, query = target.partition("?")
    fields = {
        f"HTTP_{name.upper().replace('-', '_')}": value
        for name, value in headers.items()
        if "_" not in name and name.lower() not in _NOT_PASSED
    }
    if "Content-Type" in headers:
        fields["CONTENT_TYPE"] = headers["Content-Type"]
    return {
        **fields,
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path.encode("latin-1")).decode("latin-1"),
        "QUERY_STRING": query,
        "CONTENT_LENGTH": headers.get("Content-Length", str(len(body))),
        "REMOTE_ADDR": address,
        "SERVER_NAME": "perudo",
        "SERVER_PORT": str(door.port),
        "SERVER_PROTOCOL": version,
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": door.scheme,
        HTTP_PORT: door.port if door.http_port is None else door.http_port,
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.file_wrapper": FileBody,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
