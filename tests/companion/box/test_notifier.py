"""What systemd is told, on a socket like its own, and that it is pinged only while every part is alive."""

from __future__ import annotations

import itertools
import logging
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.box.notifier import LONGEST_STATUS, Heartbeat, Notifier

NUMBERS = itertools.count()


@pytest.fixture(params=["a path", "the abstract namespace"])
def systemd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[socket.socket, str]]:
    """A socket like the one systemd listens on, and its name for $NOTIFY_SOCKET."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        if request.param == "a path":
            name = str(tmp_path / "notify")
            listening.bind(name)
        else:
            name = f"@perudo-test-{tmp_path.name}-{next(NUMBERS)}"
            listening.bind(f"\0{name[1:]}")
        listening.settimeout(60)
        yield listening, name


def next_message(listening: socket.socket) -> list[str]:
    return listening.recv(4096).decode().split("\n")


def nothing_more(listening: socket.socket) -> bool:
    listening.setblocking(False)
    try:
        listening.recv(4096)
    except BlockingIOError:
        return True
    return False


def test_systemd_is_told_of_ready_status_watchdog_and_stopping(systemd: tuple[socket.socket, str]) -> None:
    listening, name = systemd
    notifier = Notifier.from_environment({"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "30000000"})
    notifier.starting()
    notifier.ready("http://box.local:8000/ - Küche")
    notifier.alive()
    notifier.status("no camera\nplug one in")
    notifier.stopping()
    assert next_message(listening) == ["EXTEND_TIMEOUT_USEC=60000000"]
    assert next_message(listening) == ["READY=1", "STATUS=http://box.local:8000/ - Küche"]
    assert next_message(listening) == ["WATCHDOG=1"]
    assert next_message(listening) == ["STATUS=no camera plug one in"]  # a second line would be another variable
    assert next_message(listening) == ["STOPPING=1"]


def test_a_status_is_sent_once_and_cut_when_it_is_long(systemd: tuple[socket.socket, str]) -> None:
    listening, name = systemd
    notifier = Notifier(name)
    notifier.status("x" * 1000)
    notifier.status("x" * 1000)
    (message,) = next_message(listening)
    assert len(message) == len("STATUS=") + LONGEST_STATUS
    assert nothing_more(listening)


def test_without_systemd_nothing_is_sent_and_nothing_fails() -> None:
    notifier = Notifier.from_environment({})
    notifier.ready("here")
    notifier.alive()
    assert not notifier.under_systemd
    assert notifier.watchdog is None


def test_a_missing_socket_is_logged_and_the_game_goes_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    Notifier(str(tmp_path / "gone")).alive()
    assert "WATCHDOG=1" in caplog.text


@pytest.mark.parametrize(
    ("environ", "seconds"),
    [
        ({"WATCHDOG_USEC": "30000000"}, 30.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "77"}, 30.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "78"}, None),  # of another process
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({}, None),
    ],
)
def test_the_watchdog_interval_comes_from_systemd(
    environ: dict[str, str], seconds: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getpid", lambda: 77)
    assert Notifier.from_environment(environ).watchdog == seconds


# The health check


class FakeNotifier(Notifier):
    def __init__(self, watchdog: float | None = 30.0) -> None:
        super().__init__("@nobody", watchdog)
        self.lines: list[str] = []

    def _send(self, *lines: str) -> None:
        self.lines += lines


class Parts:
    """Two parts that are alive until a test says otherwise, and a clock."""

    def __init__(self) -> None:
        self.server = self.reader = True
        self.asked = 0
        self.now = 100.0

    def ask(self) -> bool:
        self.asked += 1
        return self.server


def heartbeat(fake: FakeNotifier, parts: Parts) -> Heartbeat:
    return Heartbeat(fake, {"the server": parts.ask, "the reader": lambda: parts.reader}, lambda: parts.now)


def test_while_all_parts_are_alive_it_pings_three_times_per_interval() -> None:
    fake, parts = FakeNotifier(), Parts()
    beating = heartbeat(fake, parts)
    for _ in range(12):  # a minute, as the station beats
        assert beating.beat("well") == ()
        parts.now += 5.0
    assert fake.lines.count("WATCHDOG=1") == 6
    assert fake.lines.count("STATUS=well") == 1
    assert parts.asked == 6


def test_when_a_part_dies_the_pings_stop_and_the_log_names_it(caplog: pytest.LogCaptureFixture) -> None:
    fake, parts = FakeNotifier(), Parts()
    beating = heartbeat(fake, parts)
    parts.reader = False
    for _ in range(12):
        beating.beat("well")
        parts.now += 5.0
    assert fake.lines == ["STATUS=not alive: the reader"]
    assert caplog.text.count("not alive: the reader") == 1
    parts.reader = True
    assert beating.beat("well") == ()
    assert fake.lines[1:] == ["STATUS=well", "WATCHDOG=1"]


def test_a_slow_part_is_checked_again_before_the_watchdog_expires() -> None:
    fake, parts = FakeNotifier(), Parts()
    beating = heartbeat(fake, parts)
    beating.beat("well")
    parts.server = False
    for passed in (10.0, 5.0):
        parts.now += passed
        assert beating.beat("well") == ("the server",)
    parts.server = True
    parts.now += 5.0
    assert beating.beat("well") == ()
    assert fake.lines[-1] == "WATCHDOG=1"


def test_a_part_whose_check_raises_counts_as_dead(caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> bool:
        raise RuntimeError("no table")

    fake = FakeNotifier()
    assert Heartbeat(fake, {"the table": broken}, lambda: 0.0).beat("well") == ("the table",)
    assert "WATCHDOG=1" not in fake.lines
    assert caplog.records[0].levelno == logging.ERROR


def test_without_a_watchdog_only_the_status_is_sent() -> None:
    fake, parts = FakeNotifier(watchdog=None), Parts()
    parts.server = False
    assert heartbeat(fake, parts).beat("well") == ()
    assert fake.lines == ["STATUS=well"]
    assert parts.asked == 0
