"""What systemd hears, on a socket like its own; and that it hears of life only while all the parts live."""

from __future__ import annotations

import itertools
import logging
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.box.service.notifier import LONGEST_STATUS, Heartbeat, Notifier

NUMBERS = itertools.count()


@pytest.fixture(params=["a path", "the abstract namespace"])
def systemd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[socket.socket, str]]:
    """A socket as systemd listens on, and what $NOTIFY_SOCKET calls it."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        if request.param == "a path":
            name = str(tmp_path / "notify")
            listening.bind(name)
        else:
            name = f"@perudo-test-{tmp_path.name}-{next(NUMBERS)}"
            listening.bind(f"\0{name[1:]}")
        listening.settimeout(5)
        yield listening, name


def heard(listening: socket.socket) -> list[str]:
    """The next message, line by line."""
    return listening.recv(4096).decode().split("\n")


def nothing_more(listening: socket.socket) -> bool:
    listening.setblocking(False)
    try:
        listening.recv(4096)
    except BlockingIOError:
        return True
    return False


def test_systemd_hears_that_it_is_ready_how_it_is_that_it_lives_and_that_it_stops(
    systemd: tuple[socket.socket, str],
) -> None:
    listening, name = systemd
    notifier = Notifier.from_environment({"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "30000000"})
    notifier.ready("http://box.local:8000/ - Küche")
    notifier.alive()
    notifier.status("no camera\nplug one in")
    notifier.stopping()
    assert heard(listening) == ["READY=1", "STATUS=http://box.local:8000/ - Küche"]
    assert heard(listening) == ["WATCHDOG=1"]
    assert heard(listening) == ["STATUS=no camera plug one in"]  # a second line would be another variable
    assert heard(listening) == ["STOPPING=1"]


def test_the_same_status_is_not_told_twice_and_a_long_one_is_cut(systemd: tuple[socket.socket, str]) -> None:
    listening, name = systemd
    notifier = Notifier(name)
    notifier.status("x" * 1000)
    notifier.status("x" * 1000)
    (told,) = heard(listening)
    assert len(told) == len("STATUS=") + LONGEST_STATUS
    assert nothing_more(listening)


def test_without_systemd_nobody_is_told_and_nothing_fails() -> None:
    notifier = Notifier.from_environment({})
    notifier.ready("here")
    notifier.alive()
    assert not notifier.under_systemd
    assert notifier.watchdog is None


def test_a_socket_that_is_gone_is_logged_and_the_game_goes_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
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
def test_the_watchdog_is_as_systemd_says(
    environ: dict[str, str], seconds: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getpid", lambda: 77)
    assert Notifier.from_environment(environ).watchdog == seconds


# The health check


class Told(Notifier):
    """Keeps what would be told."""

    def __init__(self, watchdog: float | None = 30.0) -> None:
        super().__init__("@nobody", watchdog)
        self.lines: list[str] = []

    def _send(self, *lines: str) -> None:
        self.lines += lines


class Parts:
    """Two parts that live until they are told otherwise, and a clock."""

    def __init__(self) -> None:
        self.server = self.reader = True
        self.asked = 0
        self.now = 100.0

    def ask(self) -> bool:
        self.asked += 1
        return self.server


def heartbeat(told: Told, parts: Parts) -> Heartbeat:
    return Heartbeat(told, {"the server": parts.ask, "the reader": lambda: parts.reader}, lambda: parts.now)


def test_while_all_live_it_pings_three_times_as_often_as_it_must() -> None:
    told, parts = Told(), Parts()
    beating = heartbeat(told, parts)
    for _ in range(12):  # a minute, as the station beats
        assert beating.beat("well") == ()
        parts.now += 5.0
    assert told.lines.count("WATCHDOG=1") == 6
    assert told.lines.count("STATUS=well") == 1
    assert parts.asked == 6


def test_when_a_part_dies_there_is_no_ping_and_it_is_said_which(caplog: pytest.LogCaptureFixture) -> None:
    told, parts = Told(), Parts()
    beating = heartbeat(told, parts)
    parts.reader = False
    for _ in range(12):
        beating.beat("well")
        parts.now += 5.0
    assert told.lines == ["STATUS=not alive: the reader"]
    assert caplog.text.count("not alive: the reader") == 1
    parts.reader = True
    assert beating.beat("well") == ()
    assert told.lines[1:] == ["STATUS=well", "WATCHDOG=1"]


def test_one_slow_moment_is_looked_at_again_before_systemd_loses_patience() -> None:
    told, parts = Told(), Parts()
    beating = heartbeat(told, parts)
    beating.beat("well")
    parts.server = False
    for passed in (10.0, 5.0):
        parts.now += passed
        assert beating.beat("well") == ("the server",)
    parts.server = True
    parts.now += 5.0
    assert beating.beat("well") == ()
    assert told.lines[-1] == "WATCHDOG=1"


def test_a_part_that_breaks_when_it_is_asked_does_not_live(caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> bool:
        raise RuntimeError("no table")

    told = Told()
    assert Heartbeat(told, {"the table": broken}, lambda: 0.0).beat("well") == ("the table",)
    assert "WATCHDOG=1" not in told.lines
    assert caplog.records[0].levelno == logging.ERROR


def test_without_a_watchdog_nothing_is_asked_and_the_status_is_told() -> None:
    told, parts = Told(watchdog=None), Parts()
    parts.server = False
    assert heartbeat(told, parts).beat("well") == ()
    assert told.lines == ["STATUS=well"]
    assert parts.asked == 0
