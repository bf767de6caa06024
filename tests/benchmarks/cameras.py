"""`python -m tests.benchmarks cameras`: what the pictures of each kind of camera cost, all day and in a game.

As in `tests.benchmarks.running`, processor time of `perudo run` and of what it starts. The cameras are of this
machine, but for the pictures' way: servers that send a drawn table, and a USB camera without its driver.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

import click
import cv2
import numpy as np

from calibration.image import Image
from companion.box.process import Phone
from companion.camera.supervised_camera import REST_AFTER
from companion.engine import DEFAULT_RULESET
from tests.benchmarks.reading_cost import DICE_COUNT, seen_from, spread_dice
from tests.benchmarks.running import PLAYERS, CostError
from tests.fakes.rtsp_camera import H264_MEDIA, RtspCamera, h264_packets, h264_pictures
from tests.proof.box import Box
from vision.evaluation.document_section import write_between
from vision.image_file import write_image

START, END = "<!-- cameras -->", "<!-- /cameras -->"
SIZE: Final = (1920, 1080)
RATE: Final = 25
"""Pictures a second."""
PICTURES: Final = 50
"""Pictures until they begin anew, with a key frame."""
NOISE: Final = 2.0
"""Standard deviation, in grey levels: it makes the pictures as large as a camera's."""
BIT_RATE: Final = "4M"
"""Bits a second of H.264: usual for an IP camera of this size."""
SETTLE_TIME: Final = 10.0
"""Seconds from the beginning of a state until it is measured."""
WAKE_TIMEOUT: Final = 30.0
USB_PICTURES: Final = "PERUDO_USB_PICTURES"
"""Names the folder with the pictures that the USB camera takes."""
USB: Final = """
from hardware.camera.settings import CameraSettings
from hardware.camera.webcam import Webcam
from tests.benchmarks.cameras import UsbCamera
Webcam.__init__.__defaults__ = None, CameraSettings(), UsbCamera
"""


@dataclass(frozen=True, slots=True)
class CameraCost:
    """Seconds of processor time a minute, and seconds of wall time."""

    camera: str
    no_game: float
    cups_down: float
    wake_s: float
    """Until there is a picture after a minute without a game."""


class UsbCamera:
    """What `Webcam` uses of `cv2.VideoCapture`: MJPG that is decoded when it is retrieved, as by its V4L2."""

    def __init__(self, number: int) -> None:
        self._jpegs = [np.fromfile(file, np.uint8) for file in Path(os.environ[USB_PICTURES]).glob("*.jpg")]
        self._number = 0
        self._values: dict[int, float] = {cv2.CAP_PROP_FRAME_WIDTH: SIZE[0], cv2.CAP_PROP_FRAME_HEIGHT: SIZE[1]}

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def getBackendName(self) -> str:  # noqa: N802
        return "none"

    def get(self, control: int) -> float:
        return self._values.get(control, 0.0)

    def set(self, control: int, value: float) -> bool:
        return control not in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT) and value > 0

    def grab(self) -> bool:
        time.sleep(1 / RATE)
        self._number += 1
        return True

    def retrieve(self) -> tuple[bool, Image]:
        jpeg = self._jpegs[self._number % len(self._jpegs)]
        return True, np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)

    def release(self) -> None:
        pass


def pictures() -> Iterator[Image]:
    """A table that lies still, with noise."""
    table, noise = seen_from(spread_dice(DICE_COUNT), SIZE).astype(np.float32), np.random.default_rng(1)
    for _ in range(PICTURES):
        grain = noise.standard_normal(table.shape, np.float32)
        yield np.clip(table + NOISE * grain, 0, 255).astype(np.uint8)


def jpegs() -> list[bytes]:
    return [cv2.imencode(".jpg", each, (cv2.IMWRITE_JPEG_QUALITY, 85))[1].tobytes() for each in pictures()]


@contextmanager
def still(folder: Path) -> Iterator[str]:
    write_image(folder / "table.bmp", next(pictures()))
    yield f"folder:{folder / 'table.bmp'}"


@contextmanager
def mjpeg(folder: Path) -> Iterator[str]:
    parts, over = jpegs(), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=picture")
            self.end_headers()
            number = 0
            with contextlib.suppress(OSError):
                while not over.wait(1 / RATE):
                    part = parts[number % PICTURES]
                    head = f"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: {len(part)}\r\n\r\n"
                    self.wfile.write(head.encode() + part + b"\r\n")
                    number += 1

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/video"
        over.set()
        server.shutdown()


@contextmanager
def rtsp(folder: Path) -> Iterator[str]:
    """Raises `CostError` where nothing encodes H.264."""
    if shutil.which("ffmpeg") is None:
        raise CostError("H.264 is encoded by ffmpeg, which is not installed: sudo apt install ffmpeg")
    file, raw = folder / "table.h264", f"-f rawvideo -pix_fmt bgr24 -s {SIZE[0]}x{SIZE[1]} -r {RATE} -i -"
    coded = (
        f"-c:v libx264 -preset veryfast -tune zerolatency -x264-params sliced-threads=0 -g {PICTURES} -b:v {BIT_RATE}"
    )
    with subprocess.Popen(
        ["ffmpeg", *raw.split(), *coded.split(), "-pix_fmt", "yuv420p", "-loglevel", "error", file],
        stdin=subprocess.PIPE,
    ) as ffmpeg:
        assert ffmpeg.stdin is not None
        for each in pictures():
            ffmpeg.stdin.write(each.tobytes())
    units, sent = h264_pictures(file.read_bytes()), 0

    def picture(number: int) -> list[bytes]:
        nonlocal sent
        made = h264_packets(units[number % len(units)], 90_000 // RATE * number, sent)
        sent += len(made)
        return made

    camera = RtspCamera(media=H264_MEDIA, picture=picture, every=1 / RATE)
    yield f"{camera.named_url}/table"
    camera.close()


@contextmanager
def usb(folder: Path) -> Iterator[str]:
    for number, jpeg in enumerate(jpegs()):
        (folder / f"{number}.jpg").write_bytes(jpeg)
    (folder / "sitecustomize.py").write_text(USB)
    changed = {USB_PICTURES: str(folder), "PYTHONPATH": os.pathsep.join((str(folder), str(Path.cwd())))}
    before = {name: os.environ.get(name) for name in changed}
    os.environ.update(changed)
    yield "webcam:0"
    for name, value in before.items():
        os.environ.pop(name)
        if value is not None:
            os.environ[name] = value


CAMERAS: Final = {
    "a picture that stays": still,
    f"MJPEG over HTTP, {RATE} a second": mjpeg,
    f"H.264 over RTSP, {RATE} a second, {BIT_RATE}bit/s": rtsp,
    f"a USB camera's MJPG, {RATE} a second": usb,
}


@click.command()
@click.option("--seconds", type=click.FloatRange(min=1), default=60.0, show_default=True,
              help="How long each state is measured.")  # fmt: skip
@click.option("--figures", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help=f"Write the table between {START} and {END} of FILE.")  # fmt: skip
def cameras(seconds: float, figures: Path | None) -> None:
    """Measure what each camera costs (with ffmpeg)."""
    try:
        costs = [measure(name, seconds) for name in CAMERAS]
    except CostError as error:
        raise click.ClickException(str(error)) from error
    table = markdown(costs)
    click.echo(table)
    if figures is not None:
        write_between(figures, START, END, table)


def markdown(costs: list[CameraCost]) -> str:
    return "\n".join(
        [
            f"| {SIZE[0]} x {SIZE[1]} | a minute without a game | with the cups down | a picture after a rest |",
            "|---|---|---|---|",
            *(
                f"| {cost.camera} | {cost.no_game:.1f} s | {cost.cups_down:.1f} s | {cost.wake_s:.1f} s |"
                for cost in costs
            ),
        ]
    )


def measure(name: str, seconds: float, rest: float = REST_AFTER) -> CameraCost:
    """Each state for so many seconds, the first after `rest`. Raises `CostError`."""
    with tempfile.TemporaryDirectory() as folder, CAMERAS[name](Path(folder)) as camera:
        try:
            box = Box("--no-panel", "--camera", camera, command=("run",))
        except RuntimeError as error:
            raise CostError(str(error)) from error
        with box, contextlib.closing(box.phone(role="table")) as phone:

            def minute(settle: float) -> float:
                time.sleep(settle)
                before, begun = box.processor_s, time.monotonic()
                time.sleep(seconds)
                return 60 * (box.processor_s - before) / (time.monotonic() - begun)

            no_game = minute(rest + SETTLE_TIME)
            phone.close()  # so long a silence has ended its connection
            wake_s = picture_after(phone)
            players = [{"name": player, "colour": colour} for colour, player in PLAYERS.items()]
            phone.change("game", {"players": players, "ruleset": DEFAULT_RULESET.id})
            return CameraCost(name, no_game, minute(SETTLE_TIME), wake_s)


def picture_after(phone: Phone) -> float:
    """Seconds until the camera has given a picture. Raises `CostError`."""
    begun = time.monotonic()
    while phone.request("GET", "frame.jpg")[0] != 200:
        if time.monotonic() - begun > WAKE_TIMEOUT:
            raise CostError(f"the camera gives no picture: {phone.state()['camera']}")
        time.sleep(0.1)
    return time.monotonic() - begun
