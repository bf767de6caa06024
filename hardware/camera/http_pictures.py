"""Reads the pictures that a camera sends over HTTP: many in one answer (MJPEG), or one for each request.

Only the named camera is contacted, and only over HTTP: redirects are not followed, and nothing that an answer refers to
is fetched. Whatever a browser can show is read; the camera's first answer says what is wrong.
"""

from __future__ import annotations

import base64
import http.client
import logging
import socket
import ssl
import threading
import time
import urllib.request
from contextlib import suppress
from typing import Final
from urllib.parse import unquote, urlsplit

from calibration.image_decoder import ImageError, ImageTooLargeError, decode
from companion import MOST_PIXELS
from companion.messages.message import Message
from hardware.camera.protocol import CameraError, Image
from hardware.camera.stream_errors import no_pictures, refusal

log = logging.getLogger(__name__)

OPENING_TIMEOUT: Final = 5.0
"""Seconds that a camera may take to connect."""

READ_TIMEOUT: Final = 3.0
"""Seconds without a byte after which the answer is over; the program reports it sooner."""

POLL_EVERY: Final = (0.5, 0.1)
"""Seconds between two requests for single pictures: when nobody waits for one, and when somebody does."""

LARGEST_PICTURE: Final = 16 * 2**20
"""Largest picture, or other data between two pictures, in bytes."""
LONGEST_LINE: Final = 8 * 1024
"""Longest line above a picture in bytes."""
MOST_LINES: Final = 64
MOST_SKIPPED: Final = 20_000
"""The most lines that may be skipped to find a boundary."""
_CHUNK: Final = 1 << 16

_NO_ANSWER: Final = (OSError, http.client.HTTPException, ValueError, EOFError)
"""The errors of requesting and reading; `ValueError` means a malformed host name or line."""


class _Bytes:
    """The body of an answer, buffered only as far as needed to find the next line or part."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self._answer = answer
        self._kept = bytearray()

    def until(self, end: bytes, most: int) -> bytes:
        """Return the bytes before the next `end` and skip it. Raises `EOFError` if `most` bytes do not contain it."""
        seen = 0
        while (at := self._kept.find(end, seen)) < 0:
            seen = max(0, len(self._kept) - len(end) + 1)
            self._more(most)
        data = bytes(self._kept[:at])
        del self._kept[: at + len(end)]
        return data

    def exactly(self, length: int) -> bytearray:
        """Return the next `length` bytes. Raises `EOFError`."""
        data, there = bytearray(length), min(length, len(self._kept))
        data[:there] = self._kept[:there]
        del self._kept[:there]
        if there < length and self._answer.readinto(memoryview(data)[there:]) < length - there:
            raise EOFError
        return data

    def all(self, most: int) -> bytes:
        """Return the rest, at most `most` bytes. Raises `EOFError`."""
        data = bytes(self._kept) + self._answer.read(most + 1 - len(self._kept))
        if len(data) > most:
            raise EOFError
        return data

    def begin(self) -> bytes:
        """Peek at the first bytes."""
        while len(self._kept.lstrip()) < 4:
            self._more(_CHUNK)
        return bytes(self._kept.lstrip()[:64])

    def back(self, data: bytes) -> None:
        """Push these bytes back."""
        self._kept[:0] = data

    def _more(self, most: int) -> None:
        data = self._answer.read1(_CHUNK) if len(self._kept) <= most else b""
        if not data:
            raise EOFError
        self._kept += data


class HttpPictures:
    """The capture of `hardware.camera.capture.CaptureCamera` for an http or https address.

    One thread may use it, and any thread may `interrupt` it.
    """

    def __init__(self, address: str, shown: str) -> None:
        """Request the pictures at `address`. Raises `CameraError`, which says what is wrong.

        shown: the address without its password.
        """
        self._parts = urlsplit(address)
        self._shown = shown
        self._named = unquote(self._parts.username or ""), unquote(self._parts.password or "")
        bare = self._parts._replace(netloc=self._parts.netloc.rpartition("@")[2], fragment="")
        self._request = urllib.request.Request(bare.geturl())
        known = urllib.request.HTTPPasswordMgrWithDefaultRealm()
        known.add_password(None, bare.geturl(), *self._named)
        self._digest = urllib.request.AbstractDigestAuthHandler(known)
        self._challenges: list[str] = []
        self._socket: socket.socket | None = None
        self._answer: http.client.HTTPResponse | None = None
        self._boundary = b""
        self._lengths = True
        """The lengths of pictures that the camera sends can be trusted."""
        self._picture: bytes | bytearray = b""
        self._next_at = 0.0
        self._over = False
        self.fast = True
        self.failure: str | None = None
        """Why there are no more pictures, if known."""
        late = threading.Timer(OPENING_TIMEOUT, self.interrupt)
        late.start()
        try:
            self._body, self.single = self._open()
        except BaseException as error:
            self.release()
            if isinstance(error, _NO_ANSWER):
                log.info("%s: %s", shown, type(error).__name__)
                raise no_pictures(shown) from error
            raise
        finally:
            late.cancel()

    def grab(self) -> bool:
        """Wait for the next picture. Returns False once there are no more."""
        try:
            self._picture = self._single() if self.single else self._part()
        except _NO_ANSWER as error:
            log.info("%s: %s", self._shown, type(error).__name__)
            return False
        except CameraError as error:
            self.failure = error.message
            return False
        return True

    def retrieve(self) -> tuple[bool, Image | None]:
        """Return the picture; (False, None) if it is damaged. Raises `CameraError` if it is too large."""
        try:
            return True, decode(self._picture, turned=False)
        except ImageTooLargeError as error:
            raise CameraError(
                Message(
                    "{address} sends pictures of more than {n} million pixels. Choose smaller ones.",
                    address=self._shown,
                    n=MOST_PIXELS // 10**6,
                )
            ) from error
        except ImageError as error:
            log.info("%s: a picture of %d bytes: %s", self._shown, len(self._picture), error)
            self._lengths = False
            return False, None

    def interrupt(self) -> None:
        """End any wait."""
        self._over = True
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def release(self) -> None:
        """Close the connection."""
        self.interrupt()
        self._hang_up()

    # Requests

    def _open(self) -> tuple[_Bytes, bool]:
        """Return the body of the answer, and whether it is a single picture. Raises `CameraError` and what `_ask`
        raises."""
        answer = self._ask()
        if answer.status == http.client.UNAUTHORIZED and any(self._named):
            self._challenges = answer.headers.get_all("WWW-Authenticate", [])
            answer = self._ask()
        shown = self._shown
        if answer.status != http.client.OK:
            raise refusal(answer.status, shown, named=any(self._named))
        body, kind = _Bytes(answer), answer.headers.get_content_type()
        self._boundary = str(answer.headers.get_param("boundary") or "").strip('"').encode("latin-1", "replace")
        if kind.startswith("multipart/"):
            return body, False
        begin = body.begin()
        if begin.startswith(b"\xff\xd8"):
            return body, True
        if begin.startswith(b"--"):
            return body, False
        if begin.startswith(b"<"):
            raise CameraError(
                Message(
                    "{address} is a page, not the pictures. Try it with /video at the end, or look in the manual.",
                    address=shown,
                )
            )
        raise CameraError(Message("The box needs MJPEG or JPEG pictures; {address} sends neither.", address=shown))

    def _ask(self) -> http.client.HTTPResponse:
        """Send the request. Raises `OSError`, `HTTPException` and `ValueError`."""
        host, port = self._parts.hostname or "", self._parts.port
        connection: http.client.HTTPConnection
        if self._parts.scheme == "https":
            # Cameras have self-signed certificates.
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            connection = http.client.HTTPSConnection(host, port, timeout=READ_TIMEOUT, context=context)
        else:
            connection = http.client.HTTPConnection(host, port, timeout=READ_TIMEOUT)
        headers = {"Accept": "*/*", "Connection": "close", "User-Agent": "perudo"}
        if authorization := self._authorization():
            headers["Authorization"] = authorization
        self._hang_up()
        connection.connect()
        self._socket = connection.sock
        if self._over:
            raise EOFError
        connection.request("GET", self._request.selector, headers=headers)
        self._answer = connection.getresponse()
        return self._answer

    def _hang_up(self) -> None:
        for each in (self._answer, self._socket):
            if each is not None:
                each.close()

    def _authorization(self) -> str | None:
        """The Authorization header for the method that the camera demands, preferably digest."""
        for challenge in sorted(self._challenges, key=lambda each: each[:6].lower() != "digest"):
            scheme, _, rest = challenge.partition(" ")
            if scheme.lower() == "digest":
                with suppress(ValueError, KeyError):
                    fields = urllib.request.parse_keqv_list(urllib.request.parse_http_list(rest))
                    if value := self._digest.get_authorization(self._request, fields):
                        return f"Digest {value}"
            elif scheme.lower() == "basic":
                return "Basic " + base64.b64encode(":".join(self._named).encode()).decode()
        return None

    # Pictures

    def _single(self) -> bytes:
        """Request the next picture."""
        if self._picture:
            time.sleep(max(0.0, self._next_at - time.monotonic()))
            if self._over:
                raise EOFError
            self._body, single = self._open()
            if not single:
                raise EOFError
        self._next_at = time.monotonic() + POLL_EVERY[self.fast]
        return self._body.all(LARGEST_PICTURE)

    def _part(self) -> bytes | bytearray:
        """The next picture of a `multipart/x-mixed-replace`, whatever its declared type, if any."""
        for _ in range(MOST_LINES):
            length = self._head()
            if length is not None and self._lengths:
                data: bytes | bytearray = self._body.exactly(length)
            else:
                data = self._body.until(b"\n" + self._boundary, LARGEST_PICTURE)
                self._body.back(self._boundary)
            if data.startswith(b"\xff\xd8"):
                return data
        raise EOFError

    def _head(self) -> int | None:
        """Skip a boundary and the headers below it. Returns their Content-Length."""
        length, begun, skipped = None, False, 0
        for _ in range(MOST_SKIPPED):
            line = self._body.until(b"\n", LARGEST_PICTURE if not begun else LONGEST_LINE).strip()
            skipped += 1 + len(line)
            if skipped > (LARGEST_PICTURE if not begun else MOST_LINES * LONGEST_LINE):
                break
            if line.startswith(b"--") or (line and line == self._boundary):
                self._boundary, begun, length, skipped = line, True, None, 0
            elif begun and not line:
                return length
            elif begun and line[:15].lower() == b"content-length:":
                value = line[15:].strip()
                length = int(value) if value.isdigit() and 0 < int(value) <= LARGEST_PICTURE else None
        raise EOFError
