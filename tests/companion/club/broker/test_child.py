"""A program that runs as long as its parent."""

from __future__ import annotations

import logging
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.club.broker import child as module
from companion.club.broker.child import Child
from tests.wait import wait_until


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SHORTEST_RESTART_PAUSE", 0.01)
    monkeypatch.setattr(module, "LONGEST_RESTART_PAUSE", 0.02)
    monkeypatch.setattr(module, "END_SECONDS", 0.2)


def test_it_is_started_again_whenever_it_ends(caplog: pytest.LogCaptureFixture) -> None:
    lines: list[str] = []
    child = Child(["/bin/sh", "-c", "echo one; exit 3"], lines.append)
    child.start()
    wait_until(lambda: len(lines) >= 3)
    child.stop()
    assert child.ended.is_set()
    assert set(child.lines) == {"one"}
    assert child.pid is None
    said = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert said[0] == "sh has ended (exit status 3). It is started again in 0.01 seconds."
    assert said[1] == "sh has ended (exit status 3). It is started again in 0.02 seconds."


def test_it_ends_with_stop() -> None:
    lines: list[str] = []
    child = Child(["/bin/sh", "-c", "trap 'echo bye; exit' TERM; echo up; while :; do sleep 0.01; done"], lines.append)
    child.start()
    wait_until(lambda: lines)
    child.stop()
    assert lines == ["up", "bye"]
    child.stop()


def test_what_does_not_end_is_killed() -> None:
    lines: list[str] = []
    child = Child([sys.executable, "-c", _STUBBORN], lines.append)
    child.start()
    wait_until(lambda: lines)
    child.stop()
    assert not Path(f"/proc/{lines[0]}").exists()


def test_it_can_be_stopped_before_it_was_started() -> None:
    Child(["/bin/true"], lambda _: None).stop()


def test_a_program_that_is_not_there(caplog: pytest.LogCaptureFixture) -> None:
    child = Child(["/nowhere/mosquitto"], lambda _: None)
    child.start()
    assert child.ended.wait(60)
    child.stop()
    assert any("/nowhere/mosquitto" in line for line in child.lines)


def test_ctrl_c_is_for_the_parent_alone() -> None:
    lines: list[str] = []
    child = Child(["/bin/sh", "-c", "echo up; exec sleep 60"], lines.append)
    child.start()
    wait_until(lambda: lines)
    assert child.pid is not None
    assert os.getpgid(child.pid) != os.getpgid(0)
    child.stop()


def test_it_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    ended = tmp_path / "ended"
    with subprocess.Popen(
        [sys.executable, "-c", _PARENT, f"trap 'touch {ended}; exit' TERM; echo up; while :; do sleep 0.01; done"],
        stdout=subprocess.PIPE,
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"up\n"
        assert not ended.exists()
        parent.send_signal(signal.SIGKILL)
    wait_until(ended.exists)


def test_it_does_not_begin_when_its_parent_has_died_already() -> None:
    """The kernel would tell it of no death that was before it asked."""
    done = launched("echo up", parent=1_000_000_000)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def test_it_may_open_all_the_files_that_it_can() -> None:
    """Each connection is a file."""
    assert launched("ulimit -S -n", files=(200, 400)).stdout == "400\n"


def test_it_runs_where_that_cannot_be_changed() -> None:
    done = subprocess.run([sys.executable, "-c", _NO_LIMITS], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("up\n", "")


def test_it_has_the_signals_of_any_program() -> None:
    """Python ignores SIGPIPE."""
    ignored = launched("grep SigIgn /proc/self/status").stdout.split()[1]
    assert int(ignored, 16) & (1 << (signal.SIGPIPE - 1) | 1 << (signal.SIGXFSZ - 1)) == 0


def launched(
    script: str, *, parent: int | None = None, files: tuple[int, int] = (200, 200)
) -> subprocess.CompletedProcess[str]:
    """A script of the shell, by the launcher."""
    return subprocess.run(
        [*module._LAUNCHER, str(parent or os.getpid()), "/bin/sh", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, files),
    )


_NO_LIMITS = """
import os, resource
resource.setrlimit = lambda *_: int("refused")
from companion.club.broker.launcher import launch
launch(os.getppid(), ["/bin/echo", "up"])
"""
_STUBBORN = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(os.getpid(), flush=True)
time.sleep(60)
"""
_PARENT = """
import sys, time
from companion.club.broker.child import Child
Child(["/bin/sh", "-c", sys.argv[1]], lambda line: print(line, flush=True)).start()
time.sleep(60)
"""
