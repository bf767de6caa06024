"""Cameras in the network: a server of this machine sends what an app on an old phone sends."""

from __future__ import annotations

import base64
import hashlib
import logging
import threading
import time
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.camera.supervised_camera import REST_AFTER, SupervisedCamera
from hardware.camera import capture, http_pictures, stream
from hardware.camera.camera_choice import STREAM, UnknownCameraError, open_camera, parse_name
from hardware.camera.http_pictures import HttpPictures
from hardware.camera.protocol import CameraError
from hardware.camera.rtsp import RtspRelay
from hardware.camera.stream import StreamCamera
from tests.fakes.rtsp_camera import RtspCamera
from tests.wait import wait_until

PASSWORD = "s3cret-of-the-camera"
SHOWN = "http://127.0.0.1"


class FakePhone:
    """A phone whose app sends pictures over HTTP, as `multipart/x-mixed-replace`. What is asked for decides what comes:
    /video pictures, /shot.jpg one, /moved the address of another phone, /list a playlist with it, /page the app's page,
    /digest pictures for a password that is not sent, /none nothing; anything else wants a password.
    """

    def __init__(self, other: str = "") -> None:
        phone = self
        self.connections = 0
        self.size = 160, 120
        self.every = 0.02
        self.head = "--picture\r\nContent-Type: image/jpeg\r\nContent-Length: {length}\r\n\r\n"
        self.sent = 0
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
                if (self.path == "/video" and self._knows_password()) or (
                    self.path == "/digest" and self._knows_digest()
                ):
                    self._video()
                elif self.path == "/digest":
                    challenge = 'Digest realm="camera", nonce="n1", qop="auth", algorithm=MD5'
                    self._answer(401, b"", **{"WWW-Authenticate": challenge})
                elif self.path == "/shot.jpg" and self._knows_password():
                    self._answer(200, self._picture(), **{"Content-Type": "image/jpeg"})
                elif self.path == "/page":
                    self._answer(200, b"<!DOCTYPE html><html>IP Webcam</html>", **{"Content-Type": "text/html"})
                elif self.path == "/none":
                    self._answer(404, b"")
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

            def _knows_digest(self) -> bool:
                fields = urllib.request.parse_keqv_list(
                    urllib.request.parse_http_list(self.headers.get("Authorization", "Digest ")[7:])
                )
                if not fields:
                    return False
                first, second = (
                    hashlib.md5(each.encode()).hexdigest()
                    for each in (f"ana:camera:{PASSWORD}", f"GET:{fields['uri']}")
                )
                answer = f"{first}:n1:{fields['nc']}:{fields['cnonce']}:auth:{second}"
                return fields["response"] == hashlib.md5(answer.encode()).hexdigest()

            def _picture(self) -> bytes:
                phone.sent += 1
                image = np.full((phone.size[1], phone.size[0], 3), 90, np.uint8)
                image[:8] = phone.sent % 200
                return cv2.imencode(".jpg", image)[1].tobytes()

            def _video(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=picture")
                self.end_headers()
                while phone.on.is_set() and not phone.over.wait(phone.every):
                    jpeg = self._picture()
                    try:
                        self.wfile.write(phone.head.format(length=len(jpeg)).encode() + jpeg + b"\r\n")
                    except OSError:
                        break
                self.close_connection = True

        self.over = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
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
    assert camera.name == f"camera at {SHOWN}"
    assert camera.lock() == {}
    camera.close()


@pytest.mark.usefixtures("no_secrets")
def test_a_stream_that_ends_is_told_and_can_be_taken_up_again(phone: FakePhone) -> None:
    camera = open_camera(phone.with_password())
    phone.on.clear()
    with pytest.raises(CameraError, match=rf"^Camera at {SHOWN} sends no pictures. Is it still on"):
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
@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/moved", "{} leads to another address."),
        ("/list", "The box needs MJPEG or JPEG pictures; {} sends neither"),
        ("/page", "{} is a page, not the pictures"),
        ("/none", "The camera answers, but has nothing at {}. "),
        ("/other", "{} does not take this name and password."),
    ],
)
def test_a_wrong_address_is_told_and_nobody_else_asked(
    phone: FakePhone, other: FakePhone, path: str, says: str
) -> None:
    with pytest.raises(CameraError) as raised:
        open_camera(phone.with_password(path))
    assert str(raised.value).startswith(says.format(SHOWN))
    assert phone.asked
    assert other.connections == 0


def test_a_camera_that_wants_a_password_says_how_to_give_it(phone: FakePhone) -> None:
    with pytest.raises(CameraError, match=r"asks for a name and a password: put them before the address"):
        open_camera(f"{phone.url}/video")


@pytest.mark.usefixtures("no_secrets")
def test_a_password_is_not_sent_where_its_digest_will_do(phone: FakePhone) -> None:
    camera = open_camera(phone.with_password("/digest"))
    assert camera.frame().image.shape == (120, 160, 3)
    camera.close()


@pytest.mark.parametrize(
    "head",
    [
        "--picture\r\nContent-Type: image/jpg\r\nContent-Length: {length}\r\n\r\n",
        "--picture\r\nContent-Type: image/jpeg;size=1\r\n\r\n",
        "--picture\r\nContent-Length: {length}\r\n\r\n",
        "--picture\r\n\r\n",
        "--picture\ncontent-length: {length}\n\n",
        "--another\r\nX-Timestamp: 1\r\n\r\n",
        "--picture\r\nContent-Type: image/jpeg\r\nContent-Length: 99\r\n\r\n",
        "picture\r\n\r\n",
        "--picture\r\nContent-Type: text/plain\r\n\r\nhello\r\n--picture\r\n\r\n",
    ],
)
def test_what_a_browser_shows_is_read(phone: FakePhone, head: str) -> None:
    phone.head = head
    camera = open_camera(phone.with_password())
    assert camera.frame().image.shape == (120, 160, 3)
    camera.close()


@pytest.mark.usefixtures("no_secrets")
def test_a_still_picture_is_asked_for_again_and_again(phone: FakePhone) -> None:
    camera = open_camera(phone.with_password("/shot.jpg"))
    first = camera.frame()
    later = camera.frame(after=first.at)
    assert later.at > first.at
    assert not np.array_equal(first.image, later.image)
    camera.close()


def test_a_stream_that_turns_is_opened_again_and_not_squeezed(phone: FakePhone) -> None:
    camera = open_camera(phone.with_password())
    phone.size = 120, 160
    with pytest.raises(CameraError, match="has changed its size"):
        for _ in iter(camera.frame, None):
            pass
    camera.close()
    again = open_camera(phone.with_password())
    assert again.frame().image.shape == (160, 120, 3)
    again.close()


def test_a_slow_stream_is_called_slow(phone: FakePhone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "RATE_OVER", 0.4)  # 1 frame in it is too few
    phone.every = 0.6
    with pytest.raises(CameraError, match=r"is too slow: \d a second, 3 are needed"):
        open_camera(phone.with_password())
    phone.every = 0.02
    camera = open_camera(phone.with_password())
    monkeypatch.setattr(capture, "FRAME_TIMEOUT", 0.3)
    phone.every = 0.8
    with pytest.raises(CameraError, match="is too slow"):
        for _ in iter(lambda: camera.frame(after=time.monotonic()), None):
            pass
    camera.close()


@pytest.mark.parametrize(
    "flood",
    [
        b"X-A: " + b"a" * 60_000 + b"\r\n",
        b"Content-Type: image/jpeg\r\n\r\n\xff\xd8" + b"\0" * 65_536,
        b"Content-Length: 2000000000\r\n\r\n" + b"\0" * 65_536,
        b"\n" * 65_536,
    ],
    ids=["line", "picture", "length", "empty lines"],
)
def test_an_endless_part_ends_the_stream(flood: bytes) -> None:
    """What is kept of an answer is bounded, whatever the answer says."""

    class Endless:
        """An answer that goes on for ever, and counts."""

        def __init__(self) -> None:
            self.given = 0

        def read1(self, most: int) -> bytes:
            data = (b"--picture\r\n" if not self.given else b"") + flood[: most - 20]
            self.given += len(data)
            return data

        def readinto(self, into: memoryview) -> int:
            self.given += len(into)
            return len(into)

    pictures = object.__new__(HttpPictures)
    answer = Endless()
    pictures._body = http_pictures._Bytes(answer)  # type: ignore[arg-type]
    pictures._boundary, pictures._lengths = b"picture", True
    with pytest.raises(EOFError):
        pictures._part()
    assert answer.given < 2 * http_pictures.LARGEST_PICTURE


# The slow pace


def test_at_the_slow_pace_few_pictures_are_decoded_and_every_one_is_a_sign_of_life(
    phone: FakePhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = StreamCamera(phone.with_password(), "a phone")
    camera.frame()
    decoded: list[bool] = []
    real = camera._source.retrieve
    monkeypatch.setattr(camera._source, "retrieve", lambda: decoded.append(True) or real())
    monkeypatch.setattr(stream, "IDLE_FRAME_EVERY", 1000.0)
    monkeypatch.setattr(stream, "IDLE_LOOK_EVERY", 1000.0)
    monkeypatch.setattr(stream, "WATCHED", 0.0)
    camera.set_pace(False)
    frames = [*(camera.look() for _ in range(5)), *(camera.frame() for _ in range(5))]
    assert len(decoded) == 1
    assert all(each is frames[0] for each in frames)
    assert camera.frame(after=time.monotonic()).at > frames[-1].at, "a call waits for its own"
    monkeypatch.setattr(stream, "WATCHED", 1000.0)
    assert camera.frame().at > frames[-1].at, "somebody watches"
    phone.on.clear()
    with pytest.raises(CameraError, match="sends no pictures"):
        for _ in iter(camera.look, None):
            pass
    camera.close()


def test_no_stream_is_received_that_nobody_needs(phone: FakePhone) -> None:
    later = 0.0
    camera = SupervisedCamera(
        lambda: open_camera(phone.with_password()), lambda: time.monotonic() + later, lambda _: None, hangs=20.0
    )
    camera.frame()
    later = REST_AFTER
    wait_until(lambda: camera.look() is not None and camera.asleep)
    camera.close()


# RTSP


@pytest.fixture
def rtsp() -> Iterator[RtspCamera]:
    camera = RtspCamera()
    yield camera
    camera.close()


@pytest.mark.usefixtures("no_secrets")
def test_an_rtsp_cameras_pictures_are_frames(rtsp: RtspCamera) -> None:
    camera = open_camera(f"{rtsp.named_url}/table")
    first = camera.frame()
    assert camera.size == (160, 120) == first.image.shape[1::-1]
    assert 85 < int(first.image[60, 80, 0]) < 105
    assert camera.frame(after=first.at).at > first.at
    process = camera._source._process  # type: ignore[attr-defined]
    camera.close()
    wait_until(lambda: process.poll() is not None)


@pytest.mark.usefixtures("no_secrets")
@pytest.mark.parametrize(
    ("path", "says"),
    [("/none", "The camera answers, but has nothing at "), ("/table", "does not take this name and password")],
)
def test_what_is_wrong_with_an_rtsp_camera_is_said(rtsp: RtspCamera, path: str, says: str) -> None:
    address = rtsp.named_url if path == "/none" else rtsp.named_url.replace("s3cret", "s3cre")
    with pytest.raises(CameraError, match=says):
        open_camera(address + path)


@pytest.mark.usefixtures("no_secrets")
def test_an_rtsp_camera_that_sends_elsewhere_is_not_followed(other: FakePhone) -> None:
    camera = RtspCamera(sends_to=f"{other.url.replace('http', 'rtsp')}/video")
    with pytest.raises(CameraError, match="leads to another address"):
        open_camera(f"{camera.named_url}/table")
    camera.close()
    assert "PLAY" in camera.asked
    assert other.connections == 0


@pytest.mark.parametrize(
    "answer",
    [
        b"RTSP/1.0 302 Found\r\nCSeq: 1\r\n\r\n",
        b"RTSP/1.0 200 OK\r\nlocation: rtsp://other/\r\n\r\n",
        b"REDIRECT rtsp://a/ RTSP/1.0\r\nCSeq: 1\r\n\r\n",
        b"RTSP/1.0 200 OK\r\nTransport: RTP/AVP;unicast;client_port=1-2\r\n\r\n",
        b"RTSP/1.0 200 OK\r\n$\0\0\x40: x\r\n\r\n",
        b"RTSP/1.0 200 OK\r\nContent-Length: 4\r\ncontent-length: 9\r\n\r\n",
        b"RTSP/1.0 200 OK\nLocation: rtsp://other/\n\n\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: rtsp://other/\r\n\r\n",
    ],
)
def test_the_relay_ends_on_what_ffmpeg_might_follow(answer: bytes) -> None:
    relay = RtspRelay("127.0.0.1", 1)
    with pytest.raises(ValueError):  # noqa: PT011 - of no more kinds
        relay._length(bytearray(answer))
    assert relay._length(bytearray(b"RTSP/1.0 200 OK\r\nContent-Length: 4\r\n\r\nv=0\n$")) == 42
    assert relay._length(bytearray(b"$\0\0\2ab$")) == 6
    relay.close()


@pytest.mark.usefixtures("no_secrets")
def test_a_wrong_password_is_not_shown(phone: FakePhone) -> None:
    with pytest.raises(CameraError, match="does not take") as raised:
        open_camera(phone.with_password(password=PASSWORD[:-1]))
    assert PASSWORD[:-1] not in str(raised.value)


@pytest.mark.usefixtures("no_secrets")
def test_where_nothing_answers_the_address_is_named(phone: FakePhone) -> None:
    phone.close()
    with pytest.raises(CameraError, match=rf"^No pictures come from {SHOWN}\. "):
        open_camera(phone.with_password())


def test_a_frame_of_a_stream_may_be_as_old_as_any_stream_is_late(phone: FakePhone) -> None:
    camera = open_camera(phone.with_password())
    assert camera.frame().at < time.monotonic() - stream.LATENCY
    called = time.monotonic()
    assert camera.frame(after=called).at > called
    assert time.monotonic() > called + stream.LATENCY
    camera.close()


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("http://192.168.1.20:8080/video", "http://192.168.1.20:8080/video"),
        ("https://ana:x%40y@phone.local/video?key=7", "https://ana:x%40y@phone.local/video?key=7"),
        ("rtsp://[fe80::1]:554/h264", "rtsp://[fe80::1]:554/h264"),
        ("http://ana:pa#ss@cam/video", "http://ana:pa%23ss@cam/video"),
        ("rtsp://ana:12#34@cam:554/h264?a=1", "rtsp://ana:12%2334@cam:554/h264?a=1"),
        ("https://ana:a/b?c#d%40@cam/", "https://ana:a%2Fb%3Fc%23d%40@cam/"),
        ("http://cam:8080/shot?user=a@b.c", "http://cam:8080/shot?user=a@b.c"),
        ("http://ana:x@cam/a/b?c#d", "http://ana:x@cam/a/b?c#d"),
        ("http://ana:p@ss@cam/video", "http://ana:p@ss@cam/video"),
    ],
)
def test_an_address_of_a_stream_is_taken_as_people_type_it(typed: str, address: str) -> None:
    assert parse_name(typed) == (STREAM, address)


@pytest.mark.parametrize(
    "name",
    ["http://", "http:///video", "ftp://phone/video", "http://phone:99999/", "http://ana:s3cret@/x", "http://a b/"],
)
def test_what_is_no_address_of_a_stream_is_refused_without_its_password(name: str) -> None:
    with pytest.raises(UnknownCameraError, match="names no camera") as raised:
        parse_name(name)
    assert "s3cret" not in str(raised.value)
