"""A whole box, away and back, over HTTP: `perudo demo` is played at, saved, put back into an empty one, and undone."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.table.journal.saved_games import saved_games
from tests.fakes.played_box import played_box
from tests.wait import wait_until

SOON = 60.0


class DemoBox:
    """A running demo, and the host's phone."""

    def __init__(self, phone: Callable[..., Any], *state: str) -> None:
        command = [sys.executable, "-m", "companion.cli", "demo", "--host", "127.0.0.1", "--port", "0", *state]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url, code = (self.process.stdout.readline().strip() for _ in range(2))
        self.phone = phone(self.url, code.rpartition(" ")[2])

    @property
    def now(self) -> dict[str, Any]:
        return dict(json.loads(self.phone.get("api/v1/box")))

    def wait(self, so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The box once `so`, also if it starts anew meanwhile."""

        def found() -> dict[str, Any] | None:
            try:
                return now if so(now := self.now) else None
            except (urllib.error.URLError, ConnectionError):
                return None

        return wait_until(found)

    def send(self, data: bytes, size: int = 50_000) -> None:
        pieces = [data[at : at + size] for at in range(0, len(data), size)]
        for number, piece in enumerate(pieces, 1):
            request = self.phone._request(f"api/v1/box/restore/abcdefgh?of={len(pieces)}&number={number}")
            request.data = piece
            request.add_header("Content-Type", "application/octet-stream")
            request.add_header("Idempotency-Key", f"piece-{number:04}")
            with urllib.request.urlopen(request, timeout=SOON) as answer:
                assert answer.status == 200

    @property
    def games(self) -> list[Any]:
        return list(json.loads(self.phone.get("api/v1/games"))["games"])

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(timeout=SOON)
        self.process.stdout.close()
        return status


@pytest.fixture
def demo(remote_phone: Callable[..., Any]) -> Iterator[Callable[..., DemoBox]]:
    running: list[DemoBox] = []

    def started(*state: str) -> DemoBox:
        running.append(DemoBox(remote_phone, *state))
        return running[-1]

    yield started
    for each in running:
        if each.process.poll() is None:
            assert each.stop() == 0


def test_a_demo_is_saved_and_put_back_into_another_and_both_go_on(demo: Callable[..., DemoBox], tmp_path: Path) -> None:
    played_box(tmp_path / "state", games=3)
    for name in ("access.json", "phones.sqlite3"):  # the first phone to join is the host's
        (tmp_path / "state" / name).unlink()
    games = saved_games(tmp_path / "state")
    old = demo("--state", str(tmp_path / "state"))
    statistics = old.phone.get("api/v1/statistics")
    data = old.phone.get("api/v1/box/backup.zip")
    picture = (tmp_path / "state/pictures/2.jpg").read_bytes()
    assert len(old.games) == 3
    assert old.stop() == 0
    assert saved_games(tmp_path / "state")[:3] == games

    new = demo()  # in a folder that it removes at its end
    new.phone.post("end")
    assert new.games == []
    new.send(data)
    now = new.wait(lambda now: now["backup"]["step"] == "offered")
    assert now["backup"]["offer"]["description"]["games"] in (3, 4)
    new.phone.post("box/restore", {"rename": False, "configure": False})
    now = new.wait(lambda now: now["backup"]["restored"] is not None)
    assert now["backup"]["restored"]["undo"]
    assert new.phone.me["host"], "the phone stays joined, at the same address"
    assert len(new.games) == 3
    assert new.phone.get("api/v1/statistics") == statistics
    assert new.phone.get("api/v1/pictures/2.jpg") == picture

    if now["playing"]:
        new.phone.post("end")
    new.phone.post("box/backup/back")
    new.wait(lambda now: now["backup"]["restored"]["back"])
    assert new.games == []
    assert new.phone.me["host"]
