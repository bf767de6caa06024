"""The supervised camera: any failure is noticed within two seconds, reported, and mended.

The clock is fake. It advances between two looks, while a fake camera waits for a frame that does not come, and while
the watch waits for a fake driver that never returns.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import sys
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from companion.camera.profile_in_use import LOOK_EVERY
from companion.camera.reveal import IDLE_LOOK, RETRY_PAUSE
from companion.camera.supervised_camera import (
    FIRST_PAUSE,
    HURRY_TIME,
    LONGEST_PAUSE,
    LOOK_IN_EVERY,
    MOST_FRUITLESS,
    OPENING_TIMEOUT,
    REST_AFTER,
    SupervisedCamera,
)
from companion.table.game import sentences
from companion.table.state.state import CameraStatus
from hardware.camera import capture, picamera
from hardware.camera.dead_frames import BLACK_PICTURE, FROZEN_PICTURE, DeadFrameDetector
from hardware.camera.picamera import PiCamera
from hardware.camera.protocol import BaseCamera, CameraBusyError, CameraError, Frame
from tests.fakes.camera import ScriptedCamera
from tests.fakes.clock import FakeClock
from tests.fakes.picamera2 import HangingPicamera2
from tests.wait import wait_until

LOOK = max(RETRY_PAUSE, IDLE_LOOK) + RETRY_PAUSE
"""Seconds between two looks while nobody plays: `Reveal` steps every `RETRY_PAUSE`."""

NOTICED = 2.0


class World:
    """A fake world with one camera in it, and a watch over the camera."""

    def __init__(self) -> None:
        self.now = 100.0
        self.state = "good"
        self.opening = "good"
        self.stuck = threading.Event()
        """A driver has been called that does not return."""
        self.free = threading.Event()
        """Every driver returns."""
        self.cameras: list[FakeCamera] = []
        self.told: list[CameraStatus] = []
        self.luck = np.random.default_rng(1)
        self.before = set(threading.enumerate())
        self.camera = SupervisedCamera(self.open, lambda: self.now, self.told.append, wait=self.wait)

    def open(self) -> FakeCamera:
        if self.opening == "stuck":
            self.hang()
        if self.opening == "absent":
            raise CameraError("No camera there.")
        if self.opening == "busy":
            raise CameraBusyError("It is used by another program.")
        self.cameras.append(FakeCamera(self))
        return self.cameras[-1]

    def hang(self) -> None:
        self.stuck.set()
        self.free.wait()

    def come_back(self) -> None:
        """Every hanging driver returns, and the threads waiting for one end."""
        self.free.set()
        for thread in set(threading.enumerate()) - self.before:
            thread.join(60)

    def wait(self, answer: Future[Any], seconds: float) -> bool:
        while not concurrent.futures.wait([answer], 0.01).done:
            if self.stuck.is_set():
                self.now += seconds
                return False
        return True

    def look(self) -> bool:
        """Look once, and move the clock on. Whether there was a frame."""
        try:
            self.camera.frame()
        except CameraError:
            return False
        finally:
            self.stuck.clear()  # whoever hangs has been told of; the next that is asked is another
            self.now += LOOK
        return True

    def live(self, seconds: float) -> None:
        until = self.now + seconds
        while self.now < until:
            self.look()

    def until(self, ok: bool) -> float:
        """Go on until the camera is (or is not) working. The seconds until that was reported."""
        begun = self.now
        for _ in range(1000):
            reports, before = len(self.told), self.now
            self.look()
            if any(status.ok is ok for status in self.told[reports:]):
                return max(before, self.now - LOOK) - begun
        raise AssertionError(f"never, within {self.now - begun} seconds")


class FakeCamera(BaseCamera):
    name = "fake"
    sensor = True
    size = (32, 24)

    def __init__(self, world: World) -> None:
        self.world = world
        self.closed = threading.Event()
        self.held: list[Mapping[str, float]] = []
        self.image = self.noise()

    def noise(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        return self.world.luck.integers(60, 90, (24, 32, 3)).astype(np.uint8)

    def frame(self, after: float = 0.0) -> Frame:
        world = self.world
        if world.state == "unplugged":
            world.now += max(picamera.FRAME_TIMEOUT, capture.FRAME_TIMEOUT)
            raise CameraError("It gives no frames.")
        if world.state == "stuck":
            world.hang()
        if world.state != "frozen":
            self.image = self.noise()
        if world.state == "black":
            self.image //= 20
        return Frame(self.image, world.now, noise=True)

    def lock(self, values: Mapping[str, float] | None = None) -> Mapping[str, float]:
        if self.world.state == "no lock":
            raise CameraError("It does not answer.")
        self.held.append(values or {"exposure": 10_000.0})
        return self.held[-1]

    def unlock(self) -> None:
        self.held.append({})

    def close(self) -> None:
        self.closed.set()


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def broken() -> None:
    raise RuntimeError("it cannot be closed")


@pytest.fixture
def world() -> Iterator[World]:
    world = World()
    yield world
    world.camera.close()
    world.come_back()


SAYS = {
    "unplugged": "gives no frames",
    "stuck": sentences.CAMERA_HANGS,
    "black": BLACK_PICTURE,
    "frozen": FROZEN_PICTURE,
}


@pytest.mark.parametrize("trouble", SAYS)
def test_trouble_is_noticed_within_two_seconds_and_mended(world: World, trouble: str) -> None:
    world.live(5.0)
    assert world.camera.status == CameraStatus(ok=True, name="fake")
    world.state = trouble
    assert world.until(ok=False) <= NOTICED
    assert SAYS[trouble] in world.camera.status.sentence
    world.state = "good"
    if trouble == "stuck":
        world.come_back()
    assert world.until(ok=True) <= FIRST_PAUSE + LOOK
    assert len(world.cameras) == 2
    assert world.cameras[0].closed.wait(60)


@pytest.mark.parametrize("trouble", SAYS)
def test_during_a_long_failure_the_camera_is_tried_less_and_less_often(world: World, trouble: str) -> None:
    world.live(5.0)
    world.state = trouble
    world.live(300.0)
    assert not world.camera.status.ok
    pauses = 300 / LONGEST_PAUSE + 6  # six are shorter: 0.5, 1, 2, 4, 8 and 16 seconds
    assert len(world.cameras) <= 1 + pauses
    assert (len(world.cameras) == 1) is (trouble == "stuck")
    world.state = "good"
    world.come_back()
    assert world.until(ok=True) <= LONGEST_PAUSE + LOOK
    world.live(5.0)
    world.state = "unplugged"  # the next failure is a first one again
    world.until(ok=False)
    world.state = "good"
    assert world.until(ok=True) <= FIRST_PAUSE + LOOK


def test_while_a_driver_hangs_no_other_camera_is_opened(world: World) -> None:
    world.look()
    assert world.camera.hung_since is None
    world.state = "stuck"
    begun = world.now
    world.live(60.0)
    assert len(world.cameras) == 1
    assert sentences.CAMERA_HANGS in world.camera.status.sentence
    assert world.camera.hung_since is not None
    assert world.camera.hung_since - begun <= NOTICED
    world.state = "good"
    world.come_back()
    world.until(ok=True)
    assert world.camera.hung_since is None


def test_a_camera_that_cannot_be_closed_and_is_busy_afterwards_hangs(world: World) -> None:
    world.look()
    world.state = "unplugged"
    world.cameras[0].close = broken  # type: ignore[method-assign]
    world.opening = "busy"
    world.live(5.0)
    assert sentences.CAMERA_HANGS in world.camera.status.sentence
    assert world.camera.hung_since is not None


@pytest.mark.parametrize(
    ("opening", "state", "sentence"),
    [("busy", "good", "used by another program"), ("good", "black", BLACK_PICTURE), ("good", "frozen", FROZEN_PICTURE)],
    ids=["another program uses it", "black pictures", "one picture"],
)
def test_a_camera_that_answers_does_not_hang(world: World, opening: str, state: str, sentence: str) -> None:
    world.opening, world.state = opening, state
    world.live(120.0)
    assert sentence in world.camera.status.sentence
    assert world.camera.hung_since is None


def test_a_camera_that_opens_again_and_again_and_gives_no_frame_hangs(world: World) -> None:
    world.look()
    world.state = "unplugged"
    while world.camera.hung_since is None:
        world.look()
    assert len(world.cameras) == MOST_FRUITLESS
    assert "gives no frames" in world.camera.status.sentence
    world.state = "good"
    world.until(ok=True)
    assert world.camera.hung_since is None


@pytest.mark.parametrize(("state", "unkillable"), [("S", False), ("D", True)])
def test_a_driver_that_waits_in_the_kernel_cannot_be_ended(
    world: World, monkeypatch: pytest.MonkeyPatch, state: str, unkillable: bool
) -> None:
    world.look()
    assert not world.camera.unkillable
    world.state = "stuck"
    world.look()
    assert not world.camera.unkillable, "this one waits for an event"
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: f"4711 (a D) name) {state} 1 4711 0")
    assert world.camera.unkillable is unkillable


def test_the_advice_to_switch_off_is_given_at_once_and_until_a_frame_comes(world: World) -> None:
    world.look()
    world.state = "stuck"
    world.live(20.0)
    world.camera.advise_power()
    assert world.told[-1].sentence == sentences.camera_failed(sentences.CAMERA_STUCK)
    world.live(60.0)
    assert sentences.CAMERA_STUCK in world.camera.status.sentence
    world.state = "good"
    world.come_back()
    world.until(ok=True)
    world.state = "unplugged"
    world.until(ok=False)
    assert sentences.CAMERA_STUCK not in world.camera.status.sentence


@pytest.mark.parametrize("hangs", [True, False], ids=["it hangs", "another program has it"])
def test_a_module_of_the_pi_costs_no_file_descriptor_a_try(
    world: World, monkeypatch: pytest.MonkeyPatch, hangs: bool
) -> None:
    module = ModuleType("picamera2")
    module.Picamera2 = HangingPicamera2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setitem(sys.modules, "libcamera", None)
    for event in (HangingPicamera2.hangs, HangingPicamera2.freed):
        event.clear()
    camera = world.camera = SupervisedCamera(PiCamera, lambda: world.now, world.told.append, hangs=0.2)
    monkeypatch.setattr(DeadFrameDetector, "see", lambda *_: None)  # the fake's pictures are all the same
    if hangs:
        camera.frame()
        HangingPicamera2.hangs.set()
        world.look()
    else:
        monkeypatch.setattr(HangingPicamera2, "holder", ["another program"])
    before = open_files()
    for _ in range(10):
        world.now += LONGEST_PAUSE
        assert not world.look()
        said = sentences.CAMERA_HANGS if hangs else "imx708_wide is used by another program"
        assert said in camera.status.sentence
    assert open_files() == before
    HangingPicamera2.freed.set()


def test_the_camera_of_a_driver_that_returns_late_is_closed(world: World) -> None:
    world.look()
    world.state = "stuck"
    world.look()
    assert not world.cameras[0].closed.is_set()
    world.free.set()
    assert world.cameras[0].closed.wait(60)


@pytest.mark.parametrize("while_closing", [False, True])
def test_closing_does_not_wait_for_a_driver_that_hangs(world: World, while_closing: bool) -> None:
    world.look()
    before = world.now
    if while_closing:
        world.cameras[0].close = world.hang  # type: ignore[method-assign]
    else:
        world.state = "stuck"
        with pytest.raises(CameraError):
            world.camera.frame()
        world.stuck.set()
    world.camera.close()
    world.camera.close()
    assert world.now - before <= NOTICED
    with pytest.raises(CameraError, match="closed"):
        world.camera.frame()


def test_a_camera_that_opens_slowly_is_starting_and_has_not_failed(world: World) -> None:
    world.opening = "stuck"
    for _ in range(3):
        world.stuck.set()
        assert not world.look()
        assert world.told == [CameraStatus(ok=False, name="", sentence=sentences.CAMERA_STARTS)]
    world.free.set()
    assert world.look()
    assert world.told[1:] == [CameraStatus(ok=True, name="fake")]


def test_a_camera_that_never_opens_hangs(world: World) -> None:
    world.opening = "stuck"
    begun = world.now
    while sentences.CAMERA_HANGS not in world.camera.status.sentence:
        world.stuck.set()
        world.look()
    assert OPENING_TIMEOUT <= world.now - begun <= OPENING_TIMEOUT + NOTICED + LOOK


# Locked values


def test_a_missing_camera_is_reported_and_one_that_is_looked_for_is_tried_at_once_and_soon_again(world: World) -> None:
    world.opening = "absent"
    assert world.until(ok=False) <= NOTICED
    assert "No camera there." in world.camera.status.sentence
    world.live(120.0)
    world.opening = "good"
    assert not world.look(), "it is too early to try again"
    world.camera.retry()
    assert world.look()
    world.opening, world.state = "absent", "unplugged"
    world.live(120.0)
    world.camera.retry()
    assert not world.look()
    world.opening = world.state = "good"
    assert world.until(ok=True) <= FIRST_PAUSE + LOOK


def test_a_reopened_camera_is_locked_to_the_same_values(world: World) -> None:
    def reopened() -> FakeCamera:
        world.state = "unplugged"
        world.look()
        world.state = "good"
        world.until(ok=True)
        return world.cameras[-1]

    world.look()
    assert world.camera.lock() == {"exposure": 10_000.0}
    assert reopened().held == [{"exposure": 10_000.0}]
    world.camera.unlock()
    assert reopened().held == []


@pytest.mark.parametrize(("opening", "sentence"), [("absent", "No camera there"), ("stuck", "starting")])
def test_values_set_while_the_camera_is_away_or_opens_are_locked_once_it_is_there(
    world: World, opening: str, sentence: str
) -> None:
    world.opening = opening
    with pytest.raises(CameraError, match=sentence):
        world.camera.lock({"exposure": 20_000.0})
    world.stuck.clear()
    world.free.set()
    world.opening = "good"
    world.now += FIRST_PAUSE
    assert world.look()
    assert world.cameras[0].held == [{"exposure": 20_000.0}]


def test_a_camera_that_refuses_the_locked_values_is_closed_and_tried_again(world: World) -> None:
    world.look()
    world.camera.lock()
    world.state = "unplugged"
    world.look()
    world.state = "no lock"
    assert world.until(ok=False) <= FIRST_PAUSE + LOOK
    assert world.cameras[1].closed.wait(60)
    world.state = "good"
    world.until(ok=True)


def test_the_watch_has_the_cameras_sizes_and_its_sensor(world: World) -> None:
    assert (world.camera.size, world.camera.sensor) == ((0, 0), False)
    world.look()
    assert (world.camera.size, world.camera.sensor) == ((32, 24), True)


def test_a_thread_that_takes_frame_after_frame_keeps_nobody_waiting() -> None:
    clock = FakeClock(100.0)
    taking, go_on = threading.Event(), threading.Event()

    class SlowCamera(ScriptedCamera):
        def frame(self, after: float = 0.0) -> Frame:
            if after:
                taking.set()
                assert go_on.wait(60)
            return super().frame(after)

    image = np.zeros((4, 4, 3), np.uint8)
    camera = SupervisedCamera(lambda: SlowCamera([image], clock), clock, lambda _: None, hangs=20.0)
    first = camera.frame()
    reveal = threading.Thread(target=lambda: camera.frame(after=100.5))
    reveal.start()
    assert taking.wait(60)
    assert camera.frame() is first, "the live picture does not wait"
    go_on.set()
    reveal.join(60)
    clock.sleep(5.0)
    assert camera.frame() is not first, "nobody takes one now"
    camera.close()


# Two paces, and looks


class FakePacedCamera(ScriptedCamera):
    """A fake camera with two paces, whose look is a small picture."""

    looks = True

    def __init__(self, clock: FakeClock) -> None:
        super().__init__([np.full((24, 32, 3), 90, np.uint8)], clock)
        self.paces: list[bool] = []
        self.given: list[str] = []

    def set_pace(self, fast: bool) -> None:
        self.paces.append(fast)

    def frame(self, after: float = 0.0) -> Frame:
        self.given.append("frame")
        return super().frame(after)

    def look(self, after: float = 0.0) -> Frame:
        self.given.append("look")
        small = np.full((12, 16, 3), 90, np.uint8)
        return Frame(small, max(self._clock(), after), small)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def paced(clock: FakeClock) -> Iterator[tuple[SupervisedCamera, list[FakePacedCamera]]]:
    opened: list[FakePacedCamera] = []

    def open_camera() -> FakePacedCamera:
        opened.append(FakePacedCamera(clock))
        return opened[-1]

    camera = SupervisedCamera(open_camera, clock, lambda status: None)
    yield camera, opened
    camera.close()


Paced = tuple[SupervisedCamera, list[FakePacedCamera]]


def test_a_camera_runs_slowly_once_nobody_has_waited_for_a_while_and_fast_from_the_call_on(
    paced: Paced, clock: FakeClock
) -> None:
    camera, opened = paced
    camera.frame()
    assert opened[0].paces == [], "a new one is to find its exposure first"
    clock.now += HURRY_TIME
    camera.frame()
    camera.frame()
    assert opened[0].paces == [False]
    camera.frame(after=clock.now)  # a call: its dice are waited for
    assert opened[0].paces == [False, True]
    clock.now += HURRY_TIME - 1
    camera.frame()
    assert opened[0].paces == [False, True]
    clock.now += 1
    camera.frame()
    assert opened[0].paces == [False, True, False]


def test_a_camera_that_is_opened_again_begins_fast(paced: Paced, clock: FakeClock) -> None:
    camera, opened = paced
    camera.frame()
    clock.now += HURRY_TIME
    camera.frame()
    opened[0]._script = iter(["it is gone"])
    with pytest.raises(CameraError):
        camera.frame()
    clock.now += FIRST_PAUSE
    camera.frame()
    assert (opened[1].paces, opened[0].paces) == ([], [False])
    clock.now += HURRY_TIME
    camera.frame()
    assert opened[1].paces == [False]


def test_a_look_is_a_small_picture_but_now_and_then_a_whole_one_for_the_others(paced: Paced, clock: FakeClock) -> None:
    """Whoever wants a frame while looks go on gets the last whole one."""
    camera, opened = paced
    assert not camera.looks, "nobody knows the camera before its first frame"
    camera.look(after=clock.now)
    assert camera.looks
    for _ in range(12):
        clock.now += 0.125
        camera.look(after=clock.now)
    assert opened[0].given == ["frame", *["look", "look", "look", "frame"] * 3]
    clock.now += REST_AFTER
    camera.look()
    assert opened[0].given[-1] == "look", "while nobody waits anybody may take one"
    assert camera.size == (32, 24)


def test_a_camera_with_one_pace_has_frames_for_looks(clock: FakeClock) -> None:
    camera = SupervisedCamera(
        lambda: ScriptedCamera([np.full((24, 32, 3), 90, np.uint8)], clock), clock, lambda status: None
    )
    assert (camera.look().image.shape, camera.look().image.shape, camera.looks) == ((24, 32, 3), (24, 32, 3), False)
    camera.close()


# A stream rests


class Stream:
    """A stream that is opened at once, or once it may be."""

    def __init__(self, clock: FakeClock) -> None:
        self.clock = clock
        self.opened: list[FakePacedCamera] = []
        self.opens = threading.Event()
        self.opens.set()
        self.lost = False
        self.told: list[CameraStatus] = []
        self.camera = SupervisedCamera(self.open, clock, self.told.append, wait=lambda each, _: self.wait(each))

    def open(self) -> FakePacedCamera:
        assert self.opens.wait(60)
        if self.lost:
            raise CameraError("It is gone.")
        self.opened.append(FakePacedCamera(self.clock))
        self.opened[-1].rests = True
        return self.opened[-1]

    def wait(self, answer: Future[Any]) -> bool:
        return bool(concurrent.futures.wait([answer], 60 if self.opens.is_set() else 0).done)

    def idle(self, seconds: float) -> None:
        """Look as often as the reveal does while nobody plays."""
        until = self.clock.now + seconds
        while self.clock.now < until:
            with contextlib.suppress(CameraError):
                self.camera.look()
            self.clock.now += IDLE_LOOK


@pytest.fixture
def stream(clock: FakeClock) -> Iterator[Stream]:
    stream = Stream(clock)
    yield stream
    stream.opens.set()
    stream.camera.close()


def test_a_stream_is_closed_while_nobody_plays_and_opened_as_soon_as_the_cups_are_down(stream: Stream) -> None:
    stream.camera.frame()
    stream.idle(REST_AFTER - 1)
    assert not stream.camera.asleep
    stream.idle(2)
    assert stream.camera.asleep
    wait_until(lambda: stream.opened[0].closed == 1)
    looks = len(stream.opened[0].given)
    stream.idle(LOOK_IN_EVERY / 2)
    assert (len(stream.opened), len(stream.opened[0].given)) == (1, looks), "it costs nothing"
    assert stream.camera.frame().at == stream.clock.now, "a frame of now"
    for _ in range(5):
        stream.clock.now += IDLE_LOOK
        stream.camera.frame()  # as while the cups are down
    stream.idle(REST_AFTER - 1)
    assert not stream.camera.asleep
    assert {status.ok for status in stream.told} == {True}


def test_a_check_of_the_picture_now_and_then_keeps_no_stream_open(stream: Stream) -> None:
    stream.camera.frame()
    for _ in range(round(REST_AFTER / LOOK_EVERY)):
        stream.idle(LOOK_EVERY)
        stream.camera.frame()
    now = stream.clock.now
    assert stream.camera.look(after=now + 0.1).at > now, "a call is no check"
    stream.idle(1)
    assert stream.camera.asleep


def test_a_stream_that_is_lost_while_nobody_plays_is_missed_at_the_next_look(stream: Stream) -> None:
    stream.camera.frame()
    stream.idle(REST_AFTER + LOOK_IN_EVERY + 2)
    assert (len(stream.opened), stream.camera.asleep) == (2, True), "it was seen to be there"
    stream.lost = True
    stream.idle(LOOK_IN_EVERY + 1)
    assert (stream.told[-1].ok, "It is gone." in stream.told[-1].sentence) == (False, True)
    stream.lost = False
    stream.idle(LONGEST_PAUSE + 1)
    assert (stream.told[-1].ok, stream.camera.asleep) == (True, True)


def test_only_who_needs_a_frame_hears_that_a_stream_starts(stream: Stream) -> None:
    stream.camera.frame()
    stream.idle(REST_AFTER + 1)
    stream.opens.clear()
    stream.idle(LOOK_IN_EVERY)
    with pytest.raises(CameraError, match="is starting"):
        stream.camera.look()
    assert stream.told[-1].ok
    with pytest.raises(CameraError, match="is starting"):
        stream.camera.frame(after=stream.clock.now)
    assert stream.told[-1].sentence == sentences.CAMERA_STARTS
    stream.opens.set()
    stream.camera.frame(after=stream.clock.now)
    assert (stream.told[-1].ok, len(stream.opened)) == (True, 2)


def test_a_camera_that_is_lent_has_given_its_device_back_and_is_opened_again(paced: Paced, clock: FakeClock) -> None:
    camera, opened = paced
    camera.frame()
    with camera.lent():
        assert opened[0].closed
        with pytest.raises(CameraError, match="closed"):
            camera.frame()
        assert len(opened) == 1
    camera.frame()
    assert len(opened) == 2


class FakeDetailedCamera(ScriptedCamera):
    """A fake camera that has the memory for all its pixels, or not."""

    def __init__(self, clock: FakeClock, *, has_memory: bool = False) -> None:
        super().__init__([np.full((24, 32, 3), 90, np.uint8)], clock)
        self.has_memory = has_memory
        self.asked_for: list[bool] = []

    def show_whole(self, whole: bool) -> None:
        self.asked_for.append(whole)
        if whole and not self.has_memory:
            raise CameraError("Cannot allocate memory")


def test_a_camera_that_fails_to_give_all_its_pixels_goes_on_without_them(clock: FakeClock) -> None:
    opened: list[FakeDetailedCamera] = []

    def open_camera() -> FakeDetailedCamera:
        opened.append(FakeDetailedCamera(clock))
        return opened[-1]

    camera = SupervisedCamera(open_camera, clock, lambda status: None)
    camera.frame()
    camera.show_whole(True)
    clock.now += FIRST_PAUSE
    assert camera.frame().image.shape == (24, 32, 3)
    camera.show_whole(False)
    camera.show_whole(True)
    assert camera.frame().image.shape == (24, 32, 3)
    assert [each.asked_for for each in opened] == [[True], [False]], "it is not asked again"
    camera.close()


def test_a_camera_that_was_away_is_asked_for_all_its_pixels_once_it_is_back(clock: FakeClock) -> None:
    plugged = [CameraError("No camera there."), FakeDetailedCamera(clock, has_memory=True)]

    def open_camera() -> FakeDetailedCamera:
        found = plugged.pop(0)
        if isinstance(found, CameraError):
            raise found
        back.append(found)
        return found

    back: list[FakeDetailedCamera] = []
    camera = SupervisedCamera(open_camera, clock, lambda status: None)
    camera.show_whole(True)
    clock.now += FIRST_PAUSE
    camera.frame()
    camera.show_whole(True)
    assert back[0].asked_for == [True]
    camera.close()
