"""Reads the pictures of an RTSP camera. FFmpeg decodes them in a process of its own, which only connects to this
machine.

FFmpeg follows an RTSP camera to whatever address it names, and has no option not to. So it is given the address of a
relay in this process, which passes on the traffic between FFmpeg and the named camera, and stops when the camera names
another address. The FFmpeg process has a memory limit, and is ended when no frame comes.
"""

from __future__ import annotations

import logging
import os
import re
import resource
import socket
import struct
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final
from urllib.parse import urlsplit

import numpy as np

from companion import MOST_PIXELS
from companion.messages.message import Message
from hardware.camera.protocol import Image
from hardware.camera.stream_errors import no_pictures, refusal

log = logging.getLogger(__name__)

PORT: Final = 554
CONNECT_TIMEOUT: Final = 5.0
"""Seconds that the camera may take to connect."""
PATIENCE: Final = 15.0
"""Seconds that FFmpeg may take for a frame: some cameras send a key frame only every ten."""
MOST_MEMORY: Final = 1 << 29
"""Memory limit of FFmpeg's process in bytes, including its threads' stacks."""
THREADS: Final = 2
"""Decoding threads of FFmpeg: each holds some frames in memory and delays the stream by one frame."""

OPTIONS: Final = "rtsp_transport;tcp|allowed_media_types;video|fflags;nobuffer|flags;low_delay"
"""FFmpeg's options. TCP, because lost packets tear pictures; no sound."""
OPTIONS_VARIABLE: Final = "OPENCV_FFMPEG_CAPTURE_OPTIONS"
"""The environment variable from which cv2 reads them; there is no other way."""

_LONGEST: Final = 256 * 1024
"""Longest answer with its body in bytes."""
_HEAD: Final = re.compile(rb"(RTSP/1\.[01] \d{3}|[A-Z_]+ )[^\r\n]*(\r\n[^$\r\n][^\r\n]*)*\r\n\r\n")
"""The head of an answer, or of a request by the camera. A line that begins with $ would be a packet to FFmpeg."""
_FIELD: Final = rb"(?im)^%s:[ \t]*([^\r\n]*)"
_FRAME: Final = struct.Struct("<II")
"""Height and width, sent before the pixels."""


class RtspRelay:
    """Relays between FFmpeg and one camera."""

    def __init__(self, host: str, port: int) -> None:
        """Listen for FFmpeg. Raises `OSError`."""
        self._camera = host, port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(PATIENCE)
        self.port: int = self._listening.getsockname()[1]
        self._sockets = [self._listening]
        self.status = 0
        """The camera's last status code, as in HTTP; 0 if it has not answered."""
        self.elsewhere = False
        """The camera named another address."""
        self.untaken = False
        """FFmpeg ignored its options."""
        threading.Thread(target=self._serve, name="rtsp relay", daemon=True).start()

    def close(self) -> None:
        """Close the connections. Safe to call twice."""
        for each in self._sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _serve(self) -> None:
        try:
            ours, _ = self._listening.accept()
            self._sockets.append(ours)
            camera = socket.create_connection(self._camera, CONNECT_TIMEOUT)
            self._sockets.append(camera)
            camera.settimeout(None)
            threading.Thread(target=self._pass_questions, args=(ours, camera), name="rtsp relay", daemon=True).start()
            self._pass_answers(camera, ours)
        except (OSError, ValueError) as error:
            log.info("an RTSP camera's connection ended: %s", type(error).__name__)
        finally:
            self.close()

    def _pass_questions(self, ours: socket.socket, camera: socket.socket) -> None:
        with suppress(OSError):
            while data := ours.recv(1 << 16):
                if b"\r\nTransport:" in data and b"RTP/AVP/TCP" not in data:
                    self.untaken = True
                    break
                camera.sendall(data)
        self.close()

    def _pass_answers(self, camera: socket.socket, ours: socket.socket) -> None:
        """Pass on whole packets and answers. Raises `OSError`, and `ValueError` for anything else."""
        kept = bytearray()
        while data := camera.recv(1 << 16):
            kept += data
            while length := self._length(kept):
                if length > len(kept):
                    break
                ours.sendall(kept[:length])
                del kept[:length]

    def _length(self, kept: bytearray) -> int:
        """The length in bytes of the next packet or answer; 0 until known. Raises `ValueError`."""
        if kept.startswith(b"$"):
            return 4 + int.from_bytes(kept[2:4], "big") if len(kept) >= 4 else 0
        if b"\r\n\r\n" not in kept:
            if len(kept) > _LONGEST:
                raise ValueError
            return 0
        head = _HEAD.match(kept)
        if head is None:
            raise ValueError
        text = head[0]
        if text.startswith(b"RTSP"):
            self.status = int(text[9:12])
        self.elsewhere = 300 <= self.status < 400 or text.startswith(b"REDIRECT") or bool(_field(b"Location", text))
        transports, lengths = _field(b"Transport", text), _field(b"Content-Length", text)
        if self.elsewhere or len(lengths) > 1 or any(b"TCP" not in each or b"UDP" in each for each in transports):
            raise ValueError
        length = int(lengths[0]) if lengths else 0
        if not 0 <= length <= _LONGEST:
            raise ValueError
        return head.end() + length


def _field(name: bytes, head: bytes) -> list[bytes]:
    return re.findall(_FIELD % name, head)


class RtspPictures:
    """The capture of `hardware.camera.capture.CaptureCamera` for an rtsp address.

    One thread may use it, and any thread may `interrupt` it.
    """

    def __init__(self, address: str, shown: str) -> None:
        """Start opening the stream at `address`. Raises `CameraError`. shown: the address without its password."""
        parts = urlsplit(address)
        self._shown, self._named = shown, parts.username is not None
        names, at, _ = parts.netloc.rpartition("@")
        try:
            self._relay = RtspRelay(parts.hostname or "", parts.port or PORT)
        except OSError as error:
            raise no_pictures(shown) from error
        ours = parts._replace(netloc=f"{names}{at}127.0.0.1:{self._relay.port}").geturl()
        root = str(Path(__file__).parents[2])
        path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "hardware.camera.rtsp"],
            # numpy's threads would take memory from the start, and have nothing to do.
            env={**os.environ, OPTIONS_VARIABLE: OPTIONS, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # FFmpeg would name the address
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to: BinaryIO = self._process.stdin  # type: ignore[assignment]
        self._from: BinaryIO = self._process.stdout  # type: ignore[assignment]
        self._begun = False
        self._write(ours.encode() + b"\n")
        self.fast = True
        self.failure: str | None = None
        """Why there are no more pictures, if known."""

    def grab(self) -> bool:
        """Wait for the next frame. Returns False once there are no more."""
        self._write(b"g")
        good = self._read(1) == b"1"
        if not good:
            self.failure = self._fault()
        self._begun = self._begun or good
        return good

    def retrieve(self) -> tuple[bool, Image | None]:
        """Return the frame; (False, None) if it is damaged."""
        self._write(b"r")
        head = self._read(_FRAME.size)
        height, width = _FRAME.unpack(head) if len(head) == _FRAME.size else (0, 0)
        data = self._read(3 * height * width) if height * width <= MOST_PIXELS else b""
        if not data or len(data) < 3 * height * width:
            return False, None
        return True, np.frombuffer(data, np.uint8).reshape(height, width, 3)

    def interrupt(self) -> None:
        """End any wait."""
        self._process.kill()
        self._relay.close()

    def release(self) -> None:
        """End the process and close the connection."""
        self.interrupt()
        for each in (self._to, self._from):
            with suppress(OSError):
                each.close()
        self._process.wait()

    def _fault(self) -> str | None:
        relay = self._relay
        if relay.untaken:
            return Message(
                "The OpenCV of this machine takes no options for rtsp:// cameras, so none is used. Take the camera's "
                "http:// address, or install the program again."
            )
        if self._begun and not relay.elsewhere:
            return None
        return refusal(302 if relay.elsewhere else relay.status, self._shown, named=self._named).message

    def _write(self, data: bytes) -> None:
        with suppress(OSError):  # the process has ended; the next read reports it
            self._to.write(data)
            self._to.flush()

    def _read(self, length: int) -> bytes:
        return self._from.read(length)


def main() -> None:
    """Run FFmpeg's process: open the stream named by the first line, then obey: g to grab, r to decode and write."""
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    import cv2  # noqa: PLC0415 - with the limit, and only in this process

    commands, answers = sys.stdin.buffer, sys.stdout.buffer
    address = commands.readline().decode().strip()
    parameters = (cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 15_000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 15_000)
    capture = cv2.VideoCapture(address, cv2.CAP_FFMPEG, [*parameters, cv2.CAP_PROP_N_THREADS, THREADS])
    while command := commands.read(1):
        if command == b"g":
            answers.write(b"1" if capture.isOpened() and capture.grab() else b"0")
        else:
            good, image = capture.retrieve()
            answers.write(_FRAME.pack(*image.shape[:2]) + image.tobytes() if good else _FRAME.pack(0, 0))
        answers.flush()


if __name__ == "__main__":
    main()
