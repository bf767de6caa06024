"""Cameras in the network: a server of this machine sends what an app on an old phone sends."""

from __future__ import annotations

import base64
import logging
import socketserver
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera import stream
from hardware.camera.camera_choice import STREAM, UnknownCameraError, open_camera, parse_name
from hardware.camera.protocol import CameraError

PASSWORD = "s3cret-of-the-camera"


class FakePhone:
    """A phone whose app sends pictures over HTTP, as `multipart/x-mixed-replace`. What is asked for decides what comes:
    /video pictures, /moved the address of another phone, /list a playlist with it, anything else nothing.
    """

    def __init__(self, other: str = "") -> None:
        phone = self
        self.connections = 0
        self.asked: list[str] = []
        self.on = threading.Event()
        self.on.set()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self) -> None:
                phone.connections += 1
                super().setup()

            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                phone.asked.append(self.path)
                if self.path == "/video" and self._knows_password():
                    self._video()
                elif self.path == "/moved":
                    self._answer(302, b"", Location=f"{other}/video")
                elif self.path == "/list":
                    lines = f"#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\n{other}/video\n"
                    self._answer(200, lines.encode(), **{"Content-Type": "application/vnd.apple.mpegurl"})
                else:
                    self._answer(401, b"", **{"WWW-Authenticate": 'Basic realm="camera"'})

            def _knows_password(self) -> bool:
                known = base64.b64encode(f"ana:{PASSWORD}".encode()).decode()
                return self.headers.get("Authorization") == f"Basic {known}"

            def _answer(self, status: int, body: bytes, **headers: str) -> None:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def _video(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=picture")
                self.end_headers()
                jpeg = cv2.imencode(".jpg", np.full((120, 160, 3), 90, np.uint8))[1].tobytes()
                head = f"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n".encode()
                while phone.on.is_set() and not phone.over.wait(0.02):
                    try:
                        self.wfile.write(head + jpeg + b"\r\n")
                    except OSError:
                        break
                self.close_connection = True

        self.over = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def with_password(self, path: str = "/video", password: str = PASSWORD) -> str:
        return self.url.replace("//", f"//ana:{password}@") + path

    def close(self) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def other() -> Iterator[FakePhone]:
    phone = FakePhone()
    yield phone
    phone.close()


@pytest.fixture
def phone(other: FakePhone) -> Iterator[FakePhone]:
    phone = FakePhone(other.with_password(""))
    yield phone
    phone.close()


@pytest.fixture
def no_secrets(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Whatever happens: nothing that is logged or printed has the password."""
    caplog.set_level(logging.DEBUG)
    yield
    printed = capfd.readouterr()
    assert PASSWORD not in caplog.text + printed.out + printed.err


@pytest.mark.usefixtures("no_secrets")
def test_an_old_phones_pictures_are_frames(phone: FakePhone) -> None:
    camera = open_camera(phone.with_password())
    first = camera.frame()
    assert camera.size == (160, 120) == first.image.shape[1::-1]
    assert abs(int(first.image[60, 80, 0]) - 90) < 3
    assert camera.frame(after=first.at).at > first.at
    assert camera.name == f"camera at {phone.url}/video"
    assert camera.lock() == {}
    camera.close()


@pytest.mark.usefixtures("no_secrets")
def test_a_stream_that_ends_is_told_and_can_be_taken_up_again(phone: FakePhone) -> None:
    camera = open_camera(phone.with_password())
    phone.on.clear()
    with pytest.raises(CameraError, match=rf"^Camera at {phone.url}/video sends no pictures. Is it still on"):
        for _ in iter(camera.frame, None):
            pass  # those that were under way
    camera.close()
    phone.on.set()
    again = open_camera(phone.with_password())
    assert again.frame().image.shape == (120, 160, 3)
    again.close()


def test_a_video_on_the_disk_can_be_opened_after_a_stream(phone: FakePhone, tmp_path: Path) -> None:
    open_camera(phone.with_password()).close()
    video = str(tmp_path / "throw.avi")
    writer = cv2.VideoWriter(video, cv2.VideoWriter.fourcc(*"MJPG"), 10, (16, 12))
    writer.write(np.zeros((12, 16, 3), np.uint8))
    writer.release()
    assert cv2.VideoCapture(video, cv2.CAP_FFMPEG).read()[0]


@pytest.mark.usefixtures("no_secrets")
@pytest.mark.parametrize("path", ["/moved", "/list", "/other"])
def test_nobody_is_asked_but_who_is_named(phone: FakePhone, other: FakePhone, path: str) -> None:
    with pytest.raises(CameraError, match=rf"^No pictures come from {phone.url}{path}. Is the camera"):
        open_camera(phone.with_password(path))
    assert phone.asked
    assert other.connections == 0


@pytest.mark.usefixtures("no_secrets")
def test_an_rtsp_camera_that_sends_elsewhere_is_not_followed(other: FakePhone) -> None:
    answer = f"RTSP/1.0 302 Moved\r\nCSeq: 1\r\nLocation: {other.url.replace('http', 'rtsp')}/video\r\n\r\n".encode()

    class Redirect(socketserver.StreamRequestHandler):
        """Answers every request with the address of another camera."""

        def handle(self) -> None:
            while self.rfile.readline().strip():
                pass
            self.wfile.write(answer)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Redirect) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"127.0.0.1:{server.server_address[1]}/h264"
        with pytest.raises(CameraError, match=f"^No pictures come from rtsp://{address}. "):
            open_camera(f"rtsp://ana:{PASSWORD}@{address}")
        server.shutdown()
    assert other.connections == 0


@pytest.mark.usefixtures("no_secrets")
def test_a_wrong_password_is_not_shown(phone: FakePhone) -> None:
    with pytest.raises(CameraError) as raised:
        open_camera(phone.with_password(password=PASSWORD[:-1]))
    assert PASSWORD[:-1] not in str(raised.value)


@pytest.mark.usefixtures("no_secrets")
def test_where_nothing_answers_the_address_is_named(phone: FakePhone) -> None:
    phone.close()
    with pytest.raises(CameraError, match=rf"^No pictures come from {phone.url}/video\. "):
        open_camera(phone.with_password())


def test_a_frame_of_a_stream_may_be_as_old_as_any_stream_is_late(phone: FakePhone) -> None:
    camera = open_camera(phone.with_password())
    assert camera.frame().at < time.monotonic() - stream.LATENCY
    called = time.monotonic()
    assert camera.frame(after=called).at > called
    assert time.monotonic() > called + stream.LATENCY
    camera.close()


@pytest.mark.parametrize(
    "name",
    [
        "http://192.168.1.20:8080/video",
        "https://ana:x%40y@phone.local/video?key=7",
        "rtsp://[fe80::1]:554/h264",
    ],
)
def test_addresses_of_streams(name: str) -> None:
    assert parse_name(name) == (STREAM, name)


@pytest.mark.parametrize(
    "name",
    ["http://", "http:///video", "ftp://phone/video", "http://phone:99999/", "http://ana:s3cret@/x", "http://a b/"],
)
def test_what_is_no_address_of_a_stream_is_refused_without_its_password(name: str) -> None:
    with pytest.raises(UnknownCameraError, match="names no camera") as raised:
        parse_name(name)
    assert "s3cret" not in str(raised.value)
