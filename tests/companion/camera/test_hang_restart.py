"""When the program ends itself because its camera hangs, and when it must not."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.camera.hang_restart import HANG_PATIENCE, RESTART_PAUSE, HangRestart
from companion.camera.supervised_camera import SupervisedCamera
from tests.fakes.clock import FakeClock


class FakeSupervision(SupervisedCamera):
    """A fake supervised camera that hangs since `hung`."""

    def __init__(self, hung: float | None = None, *, kernel: bool = False) -> None:
        self._hung_since = hung
        self._kernel = kernel
        self.advised = False

    @property
    def unkillable(self) -> bool:
        return self._kernel

    def advise_power(self) -> None:
        self.advised = True


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(1000.0)


def decision(folder: Path, clock: FakeClock, boot: str = "boot-1", *, supervised: bool = True) -> HangRestart:
    """As it is after a start of the program."""
    return HangRestart(folder / "hang", boot, clock, supervised=supervised)


def test_a_camera_that_works_ends_nothing(tmp_path: Path, clock: FakeClock) -> None:
    camera = FakeSupervision()
    assert not decision(tmp_path, clock).due(camera)
    assert not camera.advised


def test_the_program_ends_once_the_camera_has_hung_for_a_while(tmp_path: Path, clock: FakeClock) -> None:
    camera = FakeSupervision(hung=clock.now)
    restart = decision(tmp_path, clock)
    clock.now += HANG_PATIENCE - 0.1
    assert not restart.due(camera)
    clock.now += 0.1
    assert restart.due(camera)
    assert not camera.advised


def test_when_the_restart_did_not_help_the_page_stays_and_the_power_is_advised(
    tmp_path: Path, clock: FakeClock
) -> None:
    clock.now += HANG_PATIENCE
    assert decision(tmp_path, clock).due(FakeSupervision(hung=1000.0))
    again = decision(tmp_path, clock)
    assert again.tried()
    for _ in range(5):
        clock.now += 600
        camera = FakeSupervision(hung=clock.now - HANG_PATIENCE)
        assert not again.due(camera)
        assert camera.advised
    clock.now = 1000.0 + HANG_PATIENCE + RESTART_PAUSE
    assert not again.tried()
    assert again.due(FakeSupervision(hung=1000.0))


def test_after_the_power_was_off_a_restart_may_help_again(tmp_path: Path, clock: FakeClock) -> None:
    clock.now += HANG_PATIENCE
    assert decision(tmp_path, clock).due(FakeSupervision(hung=1000.0))
    assert not decision(tmp_path, clock, "boot-2").tried()


def test_nothing_ends_that_nobody_starts_again_or_that_cannot_end(tmp_path: Path, clock: FakeClock) -> None:
    clock.now += HANG_PATIENCE
    by_hand = FakeSupervision(hung=1000.0)
    assert not decision(tmp_path, clock, supervised=False).due(by_hand)
    in_kernel = FakeSupervision(hung=1000.0, kernel=True)
    assert not decision(tmp_path, clock).due(in_kernel)
    assert by_hand.advised
    assert in_kernel.advised


@pytest.mark.parametrize("content", [b"", b"boot-1", b"boot-1 noon", b"\0\0", b"\xf3oot-1 1000"])
def test_a_broken_note_is_set_aside_and_written_anew(tmp_path: Path, clock: FakeClock, content: bytes) -> None:
    (tmp_path / "hang").write_bytes(content)
    clock.now += HANG_PATIENCE
    assert decision(tmp_path, clock).due(FakeSupervision(hung=1000.0))
    assert (tmp_path / "hang.damaged-1").read_bytes() == content
    assert not decision(tmp_path, clock).due(FakeSupervision(hung=1000.0)), "once"


def test_if_the_end_cannot_be_noted_the_page_stays(tmp_path: Path, clock: FakeClock) -> None:
    clock.now += HANG_PATIENCE
    assert not decision(tmp_path / "nowhere", clock).due(FakeSupervision(hung=1000.0))
