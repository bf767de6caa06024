"""A camera in the network: the pictures that an IP camera, or an app on an old phone, sends over HTTP or RTSP."""

from __future__ import annotations

import os
import socket
import threading
from typing import Final
from urllib.parse import urlsplit

import cv2

from companion.messages.message import Message
from hardware.camera.capture import CaptureCamera
from hardware.camera.protocol import CameraError, FixedExposure

LATENCY: Final = 0.6
"""Seconds from exposure to frame, at most. Apps on phones take 0.2 in a good Wi-Fi and RTSP cameras up to 0.5, but no
stream says so, and a frame from before the call must not count."""

OPENING_TIMEOUT: Final = 5.0
"""Seconds a stream may take to begin."""

READ_TIMEOUT: Final = 3.0
"""Seconds without any byte after which the stream is over; the program says so sooner."""

OPTIONS: Final = {
    # What is named is asked, and nobody else: no redirects, and no playlists, whose parts may lie anywhere.
    "max_redirects": "0",
    "format_whitelist": "mpjpeg,mjpeg,jpeg_pipe,rtsp,h264,hevc",
    # Over TCP: lost packets would tear pictures, and the sound is not wanted.
    "rtsp_transport": "tcp",
    "allowed_media_types": "video",
    "fflags": "nobuffer",
    "flags": "low_delay",
}
"""Options of FFmpeg's protocols and formats."""

OPTIONS_VARIABLE: Final = "OPENCV_FFMPEG_CAPTURE_OPTIONS"
"""Where cv2 reads them from, and nowhere else, whenever it opens something."""

_OPENING: Final = threading.Lock()

RTSP_PORT: Final = 554


def sends_elsewhere(address: str) -> bool:
    """Whether an RTSP camera redirects to another address: FFmpeg would follow it, and has no option not to."""
    parts = urlsplit(address)
    if parts.scheme != "rtsp":
        return False
    asked = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    try:
        with socket.create_connection((parts.hostname, parts.port or RTSP_PORT), OPENING_TIMEOUT) as connection:
            connection.sendall(f"DESCRIBE {asked} RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\n\r\n".encode())
            return connection.recv(16).startswith(b"RTSP/1.0 3")
    except OSError:
        return False  # FFmpeg finds the same


def open_stream(address: str) -> cv2.VideoCapture:
    """Open a stream with the FFmpeg that comes with cv2.

    The options are the process's only meanwhile: a video on the disk could not be opened with them.
    """
    timeouts = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, round(1000 * OPENING_TIMEOUT)]
    timeouts += [cv2.CAP_PROP_READ_TIMEOUT_MSEC, round(1000 * READ_TIMEOUT)]
    with _OPENING:
        before = os.environ.get(OPTIONS_VARIABLE)
        os.environ[OPTIONS_VARIABLE] = "|".join(f"{name};{value}" for name, value in OPTIONS.items())
        try:
            return cv2.VideoCapture(address, cv2.CAP_FFMPEG, timeouts)
        finally:
            if before is None:
                del os.environ[OPTIONS_VARIABLE]
            else:
                os.environ[OPTIONS_VARIABLE] = before


class StreamCamera(FixedExposure, CaptureCamera):
    """A camera that sends a stream. Safe to use from several threads. It chooses its exposure itself."""

    def __init__(self, address: str, shown: str) -> None:
        """Open the stream at `address`, of http, https or rtsp. Raises `CameraError` when nothing answers.

        shown: the address without the password.
        """
        capture = None if sends_elsewhere(address) else open_stream(address)
        if capture is None or not capture.isOpened():
            raise CameraError(
                Message(
                    "No pictures come from {address}. Is the camera, or its app, on and in this Wi-Fi? "
                    "Try the address in a browser.",
                    address=shown,
                )
            )
        name = Message("camera at {address}", address=shown)
        silence = Message("{camera} sends no pictures. Is it still on, and in this Wi-Fi?", camera=name)
        super().__init__(name, capture, LATENCY, silence)
