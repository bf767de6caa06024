"""A network camera: an IP camera, or an app on an old phone, that sends pictures over HTTP or RTSP."""

from __future__ import annotations

import time
from typing import Final
from urllib.parse import urlsplit

from companion.messages.message import Message
from hardware.camera.capture import FIRST_FRAME_TIMEOUT, CaptureCamera
from hardware.camera.http_pictures import HttpPictures
from hardware.camera.protocol import CameraError, Frame, Image
from hardware.camera.rtsp import PATIENCE, RtspPictures

LATENCY: Final = 0.6
"""The most seconds from exposure to frame. Apps on phones take 0.2 s in good Wi-Fi and RTSP cameras up to 0.5 s. No
stream states it, and a frame from before the call must not count."""

NEEDED_RATE: Final = 3
"""Least frames per second; with fewer nobody can tell whether the dice lie still."""
RATE_OVER: Final = 1.5
"""Seconds over which the rate is measured when a stream begins."""
RATE_AFTER: Final = 5.0
"""Seconds within which frames must have come, or the camera is too slow."""

CHANGED_SIZE: Final = Message("The camera's picture has changed its size, as a phone's does when it is turned.")

IDLE_FRAME_EVERY: Final = 1.0
"""Seconds for which a frame is reused at the slow pace."""
IDLE_LOOK_EVERY: Final = 3.0
"""The same for a look, whose picture nobody needs."""
WATCHED: Final = 0.3
"""In seconds; whoever asks for the next frame sooner than this is watching."""


class StreamCamera(CaptureCamera):
    """A camera that sends a stream and controls its own exposure. Safe to use from several threads.

    Decoding is the expensive part: at the slow pace every picture is awaited, as a sign of life, but few are decoded.
    """

    looks = rests = True

    def __init__(self, address: str, shown: str) -> None:
        """Open the stream at `address` (http, https or rtsp). Raises `CameraError`, which says what is wrong.

        shown: the address without its password.
        """
        name = Message("camera at {address}", address=shown)
        silence = Message("{camera} sends no pictures. Is it still on, and in this Wi-Fi?", camera=name)
        video = urlsplit(address).scheme == "rtsp"
        self._source = (RtspPictures if video else HttpPictures)(address, shown)
        self._fast = True
        self._asked_at = float("-inf")
        self._last: tuple[float, Frame] | None = None
        """The last frame decoded at the slow pace, and when."""
        super().__init__(name, self._source, LATENCY, silence, first_frame=PATIENCE if video else FIRST_FRAME_TIMEOUT)
        if not video:
            try:
                self._check_rate()
            except CameraError:
                self.close()
                raise

    def set_pace(self, fast: bool) -> None:
        """Decode every requested frame, or few."""
        self._fast = self._source.fast = fast

    def frame(self, after: float = 0.0) -> Frame:
        """As `Camera.frame`. At the slow pace, without `after`, the last frame is reused for a while."""
        now = time.monotonic()
        watched, self._asked_at = now - self._asked_at < WATCHED, now
        if self._fast or after or watched:
            return super().frame(after)
        return self._sparing(IDLE_FRAME_EVERY)

    def look(self, after: float = 0.0) -> Frame:
        """Like `frame`, reusing the last frame for longer."""
        return super().frame(after) if self._fast or after else self._sparing(IDLE_LOOK_EVERY)

    def close(self) -> None:
        """As `CaptureCamera.close`, without waiting for the camera."""
        self._source.interrupt()
        super().close()

    def _check_rate(self) -> None:
        """Check that frames come often enough. Raises `CameraError`."""
        needed = int(NEEDED_RATE * RATE_OVER)
        with self._news:
            self._wait_for(lambda: self._count > 0)
            self._news.wait_for(lambda: self._failed or self._count > needed, RATE_OVER)
            if not self._failed and self._count <= needed:
                raise self._too_slow((self._count - 1) / RATE_OVER)

    def _silent(self) -> CameraError:
        recent = sum(time.monotonic() - each < RATE_AFTER for each in self._arrivals)
        slow = not self._failed and 1 < recent < NEEDED_RATE * RATE_AFTER
        return self._too_slow(recent / RATE_AFTER) if slow else super()._silent()

    def _too_slow(self, rate: float) -> CameraError:
        return CameraError(
            Message(
                "{camera} is too slow: {n} a second, {needed} are needed. "
                "Choose smaller pictures, or a better place in the Wi-Fi.",
                camera=self.name,
                n=max(1, int(rate)),
                needed=NEEDED_RATE,
            )
        )

    def _retrieve(self) -> tuple[bool, Image | None]:
        good, image = self._source.retrieve()
        if image is not None and self.size not in ((0, 0), image.shape[1::-1]):
            raise CameraError(CHANGED_SIZE)
        return good, image

    def _why(self) -> str | None:
        return self._source.failure

    def _sparing(self, every: float) -> Frame:
        """The last frame, until it is `every` seconds old, once another has arrived. Raises `CameraError`."""
        if self._last is not None and time.monotonic() - self._last[0] < every:
            self.wait_for_arrival()
            return self._last[1]
        frame = super().frame()
        self._last = time.monotonic(), frame
        return frame
