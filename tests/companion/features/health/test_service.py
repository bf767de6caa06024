"""Looking after a running box: what its host reads, and what is done about it."""

from __future__ import annotations

import io
import json
import logging
import random
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
from msgspec.structs import replace

from companion import app
from companion.box import restart as restarts
from companion.box.doctor import Diagnosis, Severity, bundle, good, machine
from companion.box.doctor.bundle import REMOVED
from companion.box.restart import REPAIR_FILE, Restart, become_second
from companion.camera.supervised_camera import SupervisedCamera
from companion.features.health import service as health
from companion.features.health.recent_log import RecentLog
from companion.features.health.service import Maintenance, give_up_identity
from companion.features.https.certificates import AUTHORITY_FILE, HTTPS_FOLDER, SERVER_FILE
from companion.features.wifi import own_network as own_networks
from companion.features.wifi.own_network import own_network
from companion.member.membership import table_id
from companion.messages.message import PLAIN_TEXT, Message, parts_of
from companion.table import Journal, State, Table
from companion.table.state.state import CameraStatus
from hardware.camera.protocol import Camera, CameraError
from tests.fakes.clock import FakeClock
from tests.fakes.new_game import new_game
from tests.fakes.states import STATES
from tests.fakes.table import FakeCamera
from tests.wait import wait_until

SEATING = STATES["seating"]


@pytest.fixture(autouse=True)
def quiet_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No command answers, and there is no configuration."""
    monkeypatch.setattr(machine, "command_output", lambda *_: None)
    monkeypatch.setattr(bundle, "command_output", lambda *_: None)
    monkeypatch.setattr(machine, "NEARLY_FULL", 0)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("PERUDO_CONFIG", raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """That of a table with one game."""
    with Table(Journal(tmp_path / "state")) as table:
        table.do(new_game([("Ana", "red"), ("Ben", "blue")]))
    return tmp_path / "state"


def looked_after(folder: Path, state: State = SEATING) -> Maintenance:
    return Maintenance(folder, lambda: state, RecentLog(), Restart())


def graver(maintenance: Maintenance) -> dict[str, Diagnosis]:
    """What is not as it should be."""
    return {each.part: each for each in maintenance.examine() if each.severity in (Severity.POOR, Severity.BAD)}


def test_a_box_that_is_well_has_nothing_to_be_seen_to_and_every_line_is_for_a_host(folder: Path) -> None:
    well = looked_after(folder)
    assert graver(well) == {}
    for each in well.examine():
        said = parts_of(each.said)
        assert said[0].msgid != PLAIN_TEXT, f"{each.part} is not translated"
        assert "perudo " not in each.said, "a host has no terminal"


def test_what_the_table_knows_of_camera_and_journal_is_said(folder: Path) -> None:
    trouble = Message("No camera answers.")
    state = replace(STATES["journal-full"], camera=CameraStatus(ok=False, name="", sentence=trouble))
    box = looked_after(folder, state)
    found = graver(box)
    assert [each.part for each in box.examine()].count("journal") == 1
    assert (found["camera"].sentence, found["camera"].remedy) == (trouble, "camera")
    assert (found["journal"].severity, found["journal"].sentence) == (Severity.BAD, state.journal.sentence)


def test_a_damaged_journal_can_be_set_aside_from_the_page(folder: Path) -> None:
    (folder / "journal.sqlite3").write_bytes(b"no journal at all " * 1000)
    journal = graver(looked_after(folder))["journal"]
    assert journal.remedy == "journal"
    assert "doctor --repair" in journal.sentence
    assert "set aside" in str(journal.said)


def test_during_a_game_the_journal_is_not_read_to_its_end(folder: Path) -> None:
    (folder / "journal.sqlite3").write_bytes(b"no journal at all " * 1000)
    found = {each.part: each for each in looked_after(folder, STATES["bidding"]).examine()}
    assert found["journal"] == good("journal", "What is played is saved.")


@pytest.mark.parametrize(
    ("limit", "severity", "words"), [("FULL", Severity.BAD, "an evening"), ("NEARLY_FULL", Severity.POOR, "room soon")]
)
def test_a_full_memory_card_is_named_in_words(
    limit: str, severity: Severity, words: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, limit, 2**70)
    disk = graver(looked_after(folder))["disk"]
    assert disk.severity is severity
    assert words in str(disk.said)
    assert str(folder) not in str(disk.said)


def test_low_voltage_and_heat_are_said_with_their_cures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "command_output", lambda *_: "throttled=0x50005\n")
    power = machine.power()
    cures = (
        "Use the power supply made for this Pi, with its own cable: phone chargers are too weak. "
        "Give it a heat sink or a fan, and air round its case."
    )
    assert power.said == f"The voltage is too low now; the processor is throttled now. {cures}"
    assert power.sentence == f"{power.said} (0x50005)"
    assert len(parts_of(power.said)) == 3


# One examination at a time


class Doorbell:
    """A lock that says when somebody waits for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.rung = threading.Semaphore(0)

    def __enter__(self) -> None:
        self.rung.release()
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def test_who_asks_during_an_examination_gets_its_answer_and_who_asks_later_a_new_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    examined, go_on = [0], threading.Event()

    def examine(*_: object) -> Iterator[Diagnosis]:
        examined[0] += 1
        assert go_on.wait(60)
        yield good("disk", f"number {examined[0]}")

    monkeypatch.setattr(health, "examine_running", examine)
    box, bell = looked_after(folder), Doorbell()
    monkeypatch.setattr(box, "_lock", bell)
    answers: list[str] = []
    threads = [threading.Thread(target=lambda: answers.append(box.examine()[0].sentence)) for _ in range(3)]
    for thread in threads:
        thread.start()
        assert bell.rung.acquire(timeout=60)
    go_on.set()
    for thread in threads:
        thread.join(60)
    assert answers == ["number 1"] * 3
    assert box.examine()[0].sentence == "number 2"


# What mends


def test_a_camera_that_was_plugged_in_is_there_at_once(folder: Path) -> None:
    clock, plugged = FakeClock(), [False]

    def open_camera() -> Camera:
        if not plugged[0]:
            raise CameraError(Message("No camera answers."))
        return FakeCamera()

    told: list[CameraStatus] = []
    camera = SupervisedCamera(open_camera, clock, told.append)
    box = Maintenance(folder, lambda: SEATING, RecentLog(), Restart(), camera)
    box.look_for_camera()
    assert not told[-1].ok
    plugged[0] = True
    with pytest.raises(CameraError):
        camera.frame()
    box.look_for_camera()

    def looked() -> bool:
        box.look_for_camera()
        return told[-1].ok

    wait_until(looked)  # it opens in a thread of its own
    camera.close()


def test_a_repair_is_noted_for_the_next_start(folder: Path) -> None:
    restart, stop = Restart(), threading.Event()
    restart.attach(stop)
    box = Maintenance(folder, lambda: SEATING, RecentLog(), restart)
    box.repair()
    assert (folder / REPAIR_FILE).exists()
    assert restart.due
    assert stop.is_set()
    assert restarts.repair_wanted(folder)
    assert not restarts.repair_wanted(folder), "once"


def test_the_report_has_the_log_of_the_program_and_no_secrets_games_or_pictures(folder: Path) -> None:
    (folder / "access.json").write_text(json.dumps({"code": "4711", "secret": "ab" * 32, "invitation": "5e" * 16}))
    box = looked_after(folder)
    box.recent_log.handle(logging.LogRecord("companion", logging.WARNING, "", 0, "code 4711: no camera", None, None))
    with zipfile.ZipFile(io.BytesIO(box.report())) as report:
        files = {name: report.read(name).decode() for name in report.namelist()}
    assert f"code {REMOVED}: no camera" in files["log.txt"]
    assert "4711" not in "".join(files.values())
    assert "camera" in files["doctor.txt"]
    assert not any("game" in name or "pictures" in name for name in files)


MACHINE = "0123456789abcdef"
"""The same on both, since the card was copied."""
OF_ONE_BOX = (
    "club.json",
    "consent.json",
    "table-id",
    f"{HTTPS_FOLDER}/{AUTHORITY_FILE}",
    f"{HTTPS_FOLDER}/{SERVER_FILE}",
)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    (tmp_path / HTTPS_FOLDER).mkdir()
    for name in (*OF_ONE_BOX, "access.json", "journal.sqlite3"):
        (tmp_path / name).write_text("of the first box")
    (tmp_path / "table-id").write_text("t-0000000a")
    return tmp_path


def there(copied: Path) -> list[str]:
    return [name for name in OF_ONE_BOX if (copied / name).exists()]


def test_a_box_keeps_what_it_is_unless_it_was_asked(copied: Path) -> None:
    before = own_network(copied, random.Random(1), MACHINE)
    give_up_identity(copied, random.Random(2))
    assert there(copied) == [*OF_ONE_BOX]
    assert own_network(copied, random.Random(3), MACHINE) == before


def test_a_second_box_has_no_place_of_the_other_and_keeps_the_games(copied: Path) -> None:
    before = own_network(copied, random.Random(1), MACHINE)
    become_second(copied)
    give_up_identity(copied, random.Random(2))
    now = own_network(copied, random.Random(3), MACHINE)
    assert now.name.startswith("Perudo-")
    assert (now.name == before.name, now.password) == (False, before.password)
    assert there(copied) == []
    assert table_id(copied, random.Random(4)) != "t-0000000a"
    assert {"access.json", "journal.sqlite3"} <= {each.name for each in copied.iterdir()}
    give_up_identity(copied, random.Random(5))
    assert own_network(copied, random.Random(6), MACHINE) == now, "once"


def test_a_second_box_that_had_no_own_network_yet_does_not_get_the_name_of_the_other(copied: Path) -> None:
    become_second(copied)
    give_up_identity(copied, random.Random(2))
    other = own_network(copied / "other", random.Random(1), MACHINE)
    assert own_network(copied, random.Random(3), MACHINE).name != other.name


def test_what_could_not_be_given_up_is_at_the_next_start(
    copied: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    before = own_network(copied, random.Random(1), MACHINE)
    become_second(copied)

    with monkeypatch.context() as patched:
        patched.setattr(own_networks, "write_atomically", Mock(side_effect=OSError(28, "No space left on device")))
        give_up_identity(copied, random.Random(2))
    assert "No space left on device" in caplog.text
    assert own_network(copied, random.Random(3), MACHINE) == before
    give_up_identity(copied, random.Random(4))
    assert own_network(copied, random.Random(5), MACHINE).name != before.name


def test_the_program_gives_it_up_before_it_does_anything_else(copied: Path) -> None:
    become_second(copied)
    app._put_in_place(copied)
    assert there(copied) == []
