"""The first start of a card, but for what it installs."""

from __future__ import annotations

import http.server
import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from email.utils import formatdate
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.bootstrap import apt
from companion.bootstrap.apt import Need
from companion.box.doctor import machine
from companion.box.first_start_report import REPORT_FILE, Hindrance
from companion.card import first_start as first
from companion.card import mirror, state_partition
from companion.card.status_file import STATUS_FILE, StatusFile

NOW = 1_800_000_000.0


class Box:
    """A card in a machine, whose packages, commands and mirror are the test's."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.card, self.state = folder / "boot" / "perudo", folder / "state"
        self.card.mkdir(parents=True)
        self.state.mkdir()
        for name in ("access.json", "wifi.json", first.CARD_FILE):
            (self.card / name).write_text("{}", encoding="utf-8")
        (self.card / "release").mkdir()
        (self.card / "release" / "pip-26-py3-none-any.whl").touch()
        self.run: list[str] = []
        self.fails: set[str] = set()
        """Commands that fail."""
        self.missing = {"Avahi", "picamera2"}
        self.to_be_had: set[str] = {"Avahi", "picamera2"}
        self.hindrance: Hindrance | None = None
        self.asleep: list[float] = []
        self.said: list[str] = []
        self.playing = 0
        """For how many more questions a game is going on."""
        self.done = folder / "done"
        needs = [Need(name, "reasons", (name,), lambda name=name: name not in self.missing) for name in self.missing]  # type: ignore[misc]
        for module, name, value in (
            (first, "STATE", self.state),
            (first, "DONE", self.done),
            (first, "_copy", lambda source, *_: self.run.append(source.name)),
            (first, "box_needs", lambda **_: needs),
            (first, "_playing", self._playing),
            (apt, "pi_needs", list),
            (apt, "provide", self._provide),
            (apt, "quietly", self._quietly),
            (mirror, "lists", list),
            (mirror, "set_clock", lambda *_: self.hindrance),
            (shutil, "which", lambda *_, **__: None),
        ):
            monkeypatch.setattr(module, name, value)
        self.versions: Any = SimpleNamespace(place=folder, install=lambda *_: "one", use=self.run.append)
        self.status = StatusFile(self.card.parent / STATUS_FILE, self.said.append)

    def _playing(self) -> bool:
        self.playing -= 1
        return self.playing >= 0

    def _provide(self, wanted: list[Need]) -> None:
        self.run.append("provide")
        self.missing -= {need.what for need in wanted} & self.to_be_had
        if self.missing:
            raise apt.SetupError(f"{' and '.join(self.missing)} could not be installed")

    def _quietly(self, command: list[str]) -> tuple[bool, str]:
        self.run.append(" ".join(command))
        return not any(word in command for word in self.fails), "no answer"

    def start(self, nights: int = 0) -> None:
        """A start that the power cuts after so many sleeps; without a cut it comes to its end."""

        def sleep(seconds: float) -> None:
            self.asleep.append(seconds)
            if nights and len(self.asleep) >= nights:
                raise KeyboardInterrupt

        first.first_start(self.card, self.versions, self.status, sleep)

    @property
    def told(self) -> str:
        """The status on the card, unwrapped."""
        return " ".join((self.card.parent / STATUS_FILE).read_text(encoding="utf-8").split())


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Box:
    return Box(tmp_path, monkeypatch)


@pytest.mark.parametrize("starts", [True, False])
def test_secrets_stay_on_the_card_until_the_box_has_them(starts: bool, box: Box) -> None:
    """And a system without rfkill has no Wi-Fi to unblock."""
    box.fails = set() if starts else {"install-service"}
    if starts:
        box.start()
    else:
        with pytest.raises(apt.SetupError, match="no answer"):
            box.start()
    assert {"access.json", "wifi.json"} <= set(box.run)
    assert (box.card / "access.json").exists() == (box.card / "wifi.json").exists() == (not starts)


@pytest.mark.parametrize("made_for", [None, "perudo-attic"])
def test_a_card_from_an_archive_gets_its_cards_to_print(made_for: str | None, box: Box) -> None:
    """Nobody has them: code and Wi-Fi were drawn by the box itself."""
    (box.card / first.CARD_FILE).write_text(json.dumps({"made_for": made_for}), encoding="utf-8")
    box.start()
    written = [command for command in box.run if " cards " in command]
    assert len(written) == (made_for is None)
    for command in written:
        assert command.startswith(f"env STATE_DIRECTORY={box.state} ")
        assert f"--out {box.card.parent}/perudo-cards.html" in command, "on the boot partition"


@pytest.mark.parametrize(("made_for", "left"), [("perudo-attic", False), (None, True)])
def test_the_wifis_password_does_not_stay_where_everybody_reads_it(made_for: str | None, left: bool, box: Box) -> None:
    """What Imager has written beside an archive is Imager's."""
    (box.card / first.CARD_FILE).write_text(json.dumps({"made_for": made_for}), encoding="utf-8")
    seed = box.card.parent / "network-config"
    seed.write_text("corrected: by hand, achtung!", encoding="utf-8")
    box.start()
    assert ("achtung!" in seed.read_text(encoding="utf-8")) == left


GIB = 2**30


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """A card of so many bytes, with so many partitions. Returns what sfdisk(8) is told to change."""

    def disk(size: int, parts: int = 2) -> list[str]:
        each = {"start": GIB // 2 // 512, "size": 5 * GIB // 2 // 512}
        table = {"partitiontable": {"partitions": [{"node": f"p{n}", **each} for n in range(parts)]}}
        answers = {"findmnt": "p1", "lsblk": "mmcblk0", "sfdisk": json.dumps(table), "blockdev": str(size)}
        changes: list[str] = []

        def said(*command: str, given: str | None = None, fails: bool = False) -> str:
            changes.extend([given] if given else [])
            return answers.get(command[0], "")

        monkeypatch.setattr(state_partition, "_said", said)
        return changes

    return disk


def test_a_card_of_8_gb_has_room_for_a_partition_for_the_games(
    disk: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    least = 7_580_155_904  # bytes that are sold as 8 GB
    changes = disk(least)
    monkeypatch.setattr(state_partition, "MOUNT", tmp_path)
    monkeypatch.setattr(state_partition, "FOLDERS", {})
    monkeypatch.setattr(state_partition, "_FSTAB", tmp_path / "fstab")
    (tmp_path / "fstab").touch()
    state_partition.make_state_partition(print)
    root, games = (int(each.strip("\n,L").split(",")[-1]) * 512 for each in changes)
    assert root >= 5 * GIB
    assert games >= GIB // 2 + root
    assert least - games >= 1.5 * GIB


@pytest.mark.parametrize(("size", "parts"), [(7_300_000_000, 2), (16 * GIB, 3)])
def test_a_card_without_room_is_not_tried_for_ever(
    size: int, parts: int, disk: Callable[..., list[str]], box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = disk(size, parts)
    (box.card / first.CARD_FILE).write_text('{"read_only": true}', encoding="utf-8")
    monkeypatch.setattr(first, "Versions", lambda: box.versions)
    monkeypatch.setattr("sys.argv", ["first_start", str(box.card)])
    monkeypatch.setattr(time, "sleep", lambda _: pytest.fail("it was tried again"))
    assert first.main() == 0, "else systemd starts it again"
    assert "take one of 8 GB or more" in box.told
    assert not changes


def test_the_page_comes_first_and_what_lacks_is_said_until_it_is_there(box: Box) -> None:
    box.hindrance = Hindrance.OFFLINE
    with pytest.raises(KeyboardInterrupt):
        box.start(nights=9)
    assert "provide" not in box.run, "apt-get has nobody to ask"
    assert box.asleep == [20, 40, 80, 160, 320, 600, 600, 600, 600]
    assert sum("not complete yet" in each for each in box.said) == 1, "once"
    assert "- Avahi: reasons" in box.told
    assert "- picamera2: reasons" in box.told
    assert "not on the internet" in box.told
    (finding,) = machine.first_start(box.state)
    assert "the box's name in the network" in finding.said
    assert "the Pi's own camera" in finding.said
    assert finding.said.endswith("has to be on the internet for that, once. The box keeps trying.")
    # The power was cut. The page is not set up again: it may have been updated since.
    box.hindrance = None
    box.run.clear()
    box.start()
    assert "one" not in box.run
    assert box.run.count(f"{box.versions.place}/current/bin/perudo install-service --port 80") == 1, "which sees them"
    assert box.done.exists()
    assert "The box is ready." in box.told
    assert not (box.state / REPORT_FILE).exists()
    assert list(machine.first_start(box.state)) == []


def test_one_package_that_cannot_be_had_keeps_no_other_away(box: Box) -> None:
    box.to_be_had = {"Avahi"}
    with pytest.raises(KeyboardInterrupt):
        box.start(nights=1)
    assert box.run.count(f"{box.versions.place}/current/bin/perudo install-service --port 80") == 2
    assert "Avahi" not in box.told
    assert "picamera2 could not be installed" in box.told
    (finding,) = machine.first_start(box.state)
    assert "perudo-status.txt on the memory card says why" in str(finding.said)


def test_a_release_without_pip_needs_debians(box: Box) -> None:
    box.missing.clear()
    box.start()
    assert "provide" not in box.run
    (box.card / "release" / "pip-26-py3-none-any.whl").unlink()
    box.done.unlink()
    box.start()
    assert box.run.index("provide") < len(box.run) - 1 - box.run[::-1].index("one")


def test_a_game_is_not_interrupted_by_what_was_installed(box: Box) -> None:
    box.playing = 3
    box.start()
    assert box.asleep == [first.AGAIN] * 3


def test_a_network_that_wants_a_login_is_told_from_none(box: Box) -> None:
    box.hindrance = Hindrance.LOGIN
    with pytest.raises(KeyboardInterrupt):
        box.start(nights=1)
    assert "wants a login on a page" in box.told
    (finding,) = machine.first_start(box.state)
    assert "wants a login" in str(finding.said)


def test_the_status_is_read_on_any_computer_and_a_card_that_is_full_stops_nothing(tmp_path: Path) -> None:
    said: list[str] = []
    StatusFile(tmp_path / STATUS_FILE, said.append).tell("The box runs.", "", "word " * 40)
    content = (tmp_path / STATUS_FILE).read_bytes()
    assert content.count(b"\r\n") == content.count(b"\n")
    assert max(map(len, content.split(b"\r\n"))) <= 80
    StatusFile(tmp_path / "none" / STATUS_FILE, said.append).tell("The box runs.")
    assert "cannot be written" in said[-1]


class Mirror(http.server.BaseHTTPRequestHandler):
    """A mirror, or a network's login page, by its path."""

    def do_GET(self) -> None:
        self.send_response_only(511 if "refused" in self.path else 200)
        self.send_header("Date", formatdate(NOW, usegmt=True))
        self.end_headers()
        self.wfile.write(b"<html>" if "login" in self.path else b"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n")

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Mirror) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize(
    ("late", "servers", "set_to"),
    [(0, False, None), (-86_400, False, None), (30 * 86_400, True, None), (30 * 86_400, False, NOW)],
)
def test_a_late_clock_waits_for_the_time_servers_and_else_gets_the_mirrors_time(
    late: int, servers: bool, set_to: float | None, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is ahead is not set back: what the mirror signs is valid for it."""
    clock: list[float] = []
    said: list[str] = []
    waited: list[float] = []
    monkeypatch.setattr(mirror, "SYNCHRONIZED", tmp_path / "synchronized")
    monkeypatch.setattr(time, "time", lambda: NOW - late)
    monkeypatch.setattr(time, "clock_settime", lambda _, seconds: clock.append(seconds))

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        if servers and len(waited) == 5:
            (tmp_path / "synchronized").touch()

    assert mirror.set_clock([f"{address}/dists/trixie/InRelease"], said.append, sleep) is None
    assert clock == ([] if set_to is None else [pytest.approx(set_to, abs=60)])
    assert any("720.0 hours late" in each for each in said) == (set_to is not None)
    assert len(waited) == (0 if late <= 0 else 5 if servers else mirror.CLOCK_PATIENCE)


@pytest.mark.parametrize(
    ("paths", "hindrance"),
    [
        ([], None),
        (["http://127.0.0.1:1/InRelease"], Hindrance.OFFLINE),
        (["/login"], Hindrance.LOGIN),
        (["/refused"], Hindrance.LOGIN),
        (["http://127.0.0.1:1/InRelease", "/InRelease"], None),
    ],
)
def test_what_answers_in_the_mirrors_place_is_known(
    paths: list[str], hindrance: Hindrance | None, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: NOW)
    addresses = [each if "://" in each else address + each for each in paths]
    assert mirror.set_clock(addresses, print, lambda _: None) is hindrance


def test_the_mirrors_are_those_that_apt_asks_by_http(monkeypatch: pytest.MonkeyPatch) -> None:
    uris = (
        "'http://deb.debian.org/debian/dists/trixie/InRelease' deb.debian.org_debian_dists_trixie_InRelease 0 \n"
        "'https://mirror.example/dists/trixie/InRelease' mirror.example_dists_trixie_InRelease 0 \n"
        "'http://deb.debian.org/debian/dists/trixie/main/binary-arm64/Packages.xz' deb.debian.org_x 0 \n"
    )
    monkeypatch.setattr(apt, "quietly", lambda _: (True, uris))
    assert mirror.lists() == ["http://deb.debian.org/debian/dists/trixie/InRelease"]
