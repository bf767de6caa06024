"""The seconds round a judged frame: which frames are kept, and as what."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.image import Image
from companion.camera.clip import CLIP_SECONDS, CLIP_WIDTH, ClipRecorder, Film


def grey(level: int) -> Image:
    return np.full((480, 640, 3), level, np.uint8)


def seen(recorder: ClipRecorder, begin: float, end: float, every: float = 0.05) -> Film | None:
    for at in np.arange(begin, end, every):
        recorder.see(grey(round(10 * at) % 256), float(at))
        if (film := recorder.film(float(at))) is not None:
            return film
    return None


def test_two_seconds_before_and_after_the_judged_frame_are_kept_five_a_second() -> None:
    recorder = ClipRecorder()
    assert seen(recorder, 0, 10.5) is None
    recorder.judge(7, 9.0)
    film = seen(recorder, 10.5, 20)
    clip = film.clip
    assert (film.reading, clip.picture) == (7, "/api/v1/pictures/7-clip.jpg")
    assert clip.seconds == pytest.approx(2 * CLIP_SECONDS, abs=0.2)
    assert 15 <= clip.frames <= 21
    assert clip.judged == pytest.approx(clip.frames / 2, abs=1)
    sheet = cv2.imdecode(np.frombuffer(film.data, np.uint8), cv2.IMREAD_COLOR)
    assert sheet.shape == (-(-clip.frames // clip.columns) * clip.height, clip.columns * clip.width, 3)
    assert clip.width == CLIP_WIDTH
    middle = [
        sheet[n // clip.columns * clip.height + 9, n % clip.columns * clip.width + 9, 0] for n in range(clip.frames)
    ]
    assert middle == sorted(middle), "in the order in which they were taken"
    assert abs(int(middle[clip.judged]) - 90) <= 3
    assert not recorder.waits


def test_the_memory_is_bounded_however_long_the_wait() -> None:
    recorder = ClipRecorder()
    seen(recorder, 0, 60, 0.1)
    assert sum(frame.nbytes for _, frame in recorder._frames) < 13_000_000
    assert max(frame.shape[1] for _, frame in recorder._frames) == CLIP_WIDTH


def test_what_is_forgotten_is_in_no_clip() -> None:
    recorder = ClipRecorder()
    seen(recorder, 0, 10)
    recorder.judge(7, 9.0)
    recorder.forget()
    assert not recorder.waits
    assert seen(recorder, 10, 20) is None


def test_two_frames_are_no_clip() -> None:
    recorder = ClipRecorder()
    recorder.see(grey(1), 1.0)
    recorder.judge(7, 1.0)
    recorder.see(grey(1), 1.5)
    assert recorder.film(3.1) is None
    assert not recorder.waits
