"""A camera that speaks RTSP over TCP and sends JPEG or H.264 (RFC 2326, 2435, 6184), with a name and a password."""

from __future__ import annotations

import base64
import itertools
import re
import socketserver
import struct
import threading
from collections.abc import Callable
from contextlib import suppress

import cv2
import numpy as np

from tests.calibration.hostile_pictures import parts

_PACKET = 1400
JPEG_MEDIA = "m=video 0 RTP/AVP 26\r\n"
H264_MEDIA = "m=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=fmtp:96 packetization-mode=1\r\n"


def packets(grey: int, number: int, width: int = 160, height: int = 120) -> list[bytes]:
    """A picture in RTP packets, interleaved as channel 0."""
    segments, data = parts(bytes(cv2.imencode(".jpg", np.full((height, width, 3), grey, np.uint8))[1]))
    tables = b"".join(each[5:69] + each[70:134] for each in segments if each[1] == 0xDB)
    scan, made = data[:-2], []
    for at in range(0, len(scan), _PACKET):
        piece = scan[at : at + _PACKET]
        head = struct.pack(">BBHII", 0x80, 26 | (at + _PACKET >= len(scan)) << 7, number & 0xFFFF, 6000 * number, 7)
        head += struct.pack(">IBBBB", at, 1, 255, width // 8, height // 8)
        if at == 0:
            head += struct.pack(">HH", 0, len(tables)) + tables
        made.append(struct.pack(">BBH", 0x24, 0, len(head + piece)) + head + piece)
    return made


def h264_packets(units: list[bytes], stamp: int, number: int) -> list[bytes]:
    """The units of a picture in RTP packets, of which the first is `number`. `stamp`: in 1/90000 s."""
    payloads = []
    for unit in units:
        if len(unit) <= _PACKET:
            payloads.append(unit)
            continue
        head, kind, rest = unit[0] & 0xE0 | 28, unit[0] & 0x1F, unit[1:]
        for at in range(0, len(rest), _PACKET):
            ends = (at == 0) << 7 | (at + _PACKET >= len(rest)) << 6
            payloads.append(bytes((head, ends | kind)) + rest[at : at + _PACKET])
    made = []
    for n, payload in enumerate(payloads):
        marker = (n == len(payloads) - 1) << 7
        head = struct.pack(">BBHII", 0x80, 96 | marker, number + n & 0xFFFF, stamp & 0xFFFFFFFF, 7)
        made.append(struct.pack(">BBH", 0x24, 0, len(head + payload)) + head + payload)
    return made


def h264_pictures(data: bytes) -> list[list[bytes]]:
    """The units of each picture of an H.264 file, whose pictures have a slice each."""
    pictures: list[list[bytes]] = [[]]
    for unit in filter(None, re.split(rb"\x00*\x00\x00\x01", data)):
        pictures[-1].append(unit)
        if unit[0] & 0x1F in (1, 5):
            pictures.append([])
    return pictures[:-1]


class RtspCamera:
    """Listens from the beginning. `/table` has pictures; `sends_to` is where PLAY is redirected, if anywhere."""

    def __init__(
        self,
        named: str = "ana:s3cret-of-the-camera",
        sends_to: str = "",
        media: str = JPEG_MEDIA,
        picture: Callable[[int], list[bytes]] = lambda number: packets(90 + number % 8, number),
        every: float = 0.03,
    ) -> None:
        camera = self
        known = base64.b64encode(named.encode())
        self.over = threading.Event()
        self.asked: list[str] = []

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                with suppress(OSError):
                    while line := self.rfile.readline():
                        head = [line.decode()]
                        while (more := self.rfile.readline().strip()) != b"":
                            head.append(more.decode())
                        if not self.answer(head):
                            return

            def answer(self, head: list[str]) -> bool:
                method, url, _ = head[0].split()
                camera.asked.append(method)
                fields = dict(line.split(": ", 1) for line in head[1:])
                path, body, more = url.partition("//")[2].partition("/")[2], b"", ""
                status = "200 OK"
                if method == "OPTIONS":
                    more = "Public: OPTIONS, DESCRIBE, SETUP, PLAY\r\n"
                elif fields.get("Authorization") != f"Basic {known.decode()}":
                    status, more = "401 Unauthorized", 'WWW-Authenticate: Basic realm="camera"\r\n'
                elif not path.startswith("table"):
                    status = "404 Not Found"
                elif method == "DESCRIBE":
                    body = f"v=0\r\no=- 0 0 IN IP4 0.0.0.0\r\ns=x\r\nt=0 0\r\n{media}a=control:one\r\n".encode()
                    more = f"Content-Type: application/sdp\r\nContent-Length: {len(body)}\r\n"
                elif method == "SETUP":
                    more = f"Transport: {fields['Transport']}\r\nSession: 1\r\n"
                elif method == "PLAY" and sends_to:
                    status, more = "302 Found", f"Location: {sends_to}\r\n"
                self.wfile.write(f"RTSP/1.0 {status}\r\nCSeq: {fields['CSeq']}\r\n{more}\r\n".encode() + body)
                if method == "PLAY" and not sends_to:
                    for number in itertools.count():
                        for packet in picture(number):
                            self.wfile.write(packet)
                        if camera.over.wait(every):
                            return False
                return status[0] != "3"

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"rtsp://127.0.0.1:{self._server.server_address[1]}"
        self.named_url = self.url.replace("//", f"//{named}@")

    def close(self) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()
