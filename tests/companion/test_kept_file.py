"""A spoilt byte in any kept file: the box comes up, plays and keeps, and the damaged file lies beside the new one."""

from __future__ import annotations

import contextlib
import random
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from calibration.profiles import Profiles
from companion import app
from companion.box.doctor.examination import damaged_files
from companion.camera.example_file import ExampleFile, ExampleFileError
from companion.config import Config
from companion.features.backup.exchange import exchange, result_of
from companion.features.wifi.own_network import own_network
from companion.kept_file import set_aside
from companion.member.errors import ClubError
from companion.member.membership import Membership, read_membership, table_id, write_membership
from companion.table import Journal, Table, commands
from companion.table.journal.saved_games import import_record, saved_games
from hardware.virtual.virtual_camera import VirtualCamera
from hardware.virtual.virtual_panel import VirtualPanel
from tests.companion.table.journal.test_saved_games import RECORD
from tests.fakes.new_game import new_game
from tests.fakes.played_box import played_box
from web.access.access import Access

COMPANY = [("Ana", "red"), ("Ben", "blue")]
JOURNAL, PHONES, EXAMPLES = "journal.sqlite3", "phones.sqlite3", "examples/dice.sqlite3"


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("box") / "state"
    played_box(folder, games=1, learns=True)
    import_record(folder, "old.jsonl", RECORD)
    own_network(folder, random.Random(1), "machine")
    table_id(folder, random.Random(1))
    write_membership(folder, Membership(club="c", title="Club", table="t-1", name="Window", broker="mqtt://x"))
    (folder / "restored.json").write_text("{")
    return folder


@pytest.fixture
def state(box: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(box, tmp_path / "state"))


@contextlib.contextmanager
def started(state: Path) -> Iterator[Table]:
    """What a start opens of a state folder."""
    setup = app.Setup(Config(), state, lambda *_: VirtualCamera(None), lambda _: VirtualPanel())
    with contextlib.ExitStack() as stack:
        exchange(state)
        table = app._table(setup, stack)
        access = Access(state)
        phone = access.phones.join()
        assert Access(state).whose(access.token(phone)) == phone, "it is kept"
        Profiles.of(state).usable()
        own_network(state, random.Random(2), "machine")
        table_id(state, random.Random(2))
        result_of(state)
        with contextlib.suppress(ClubError):
            read_membership(state)
        examples = ExampleFile(state / EXAMPLES)
        with contextlib.suppress(ExampleFileError):
            examples.evidence("these")
        examples.evidence("these")
        examples.keep([], "these")
        yield table


def spoil(path: Path, place: int | bytes, byte: int) -> None:
    content = bytearray(path.read_bytes())
    at = place if isinstance(place, int) else content.index(place)
    assert content[at] != byte
    content[at] = byte
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("name", "place", "byte"),
    [
        (JOURNAL, 0, 0),
        (JOURNAL, 18, 3),  # which SQLite would only read
        (JOURNAL, 63, 130),  # its version
        (JOURNAL, 70, 0),  # whose it is
        (JOURNAL, b"CREATE TABLE event", 0xF3),
        (JOURNAL, b"TABLE event", 0xF3),
        (JOURNAL, b"event_fixed", 0xF3),
        (JOURNAL, b"seq INTEGER", 0x70),
        (JOURNAL, b'"ben"', 0xE1),  # in an imported record
        (JOURNAL, b'"opened"', 0xE1),
        (JOURNAL, b'"dice": [[', 0xF3),  # in an event
        (PHONES, 0, 0),
        (PHONES, 18, 3),
        (PHONES, b"CREATE TABLE phone", 0xF3),
        (PHONES, b"key TEXT", 0x61),
        (EXAMPLES, 0, 0),
        (EXAMPLES, 18, 3),
        (EXAMPLES, b"CREATE TABLE example", 0xF3),
        ("access.json", b"{", 0),
        ("access.json", b'"secret"', 0xF3),
        ("wifi.json", b"{", 0xF3),
        ("club.json", b"{", 0xF3),
        ("table-id", 0, 0xF3),
        ("profiles/attic.json", b"{", 0xF3),
        ("profiles/in-use", 0, 0xF3),
    ],
)
def test_a_box_comes_up_with_a_spoilt_byte(state: Path, name: str, place: int | bytes, byte: int) -> None:
    if isinstance(place, int) or place in (state / name).read_bytes():
        spoil(state / name, place, byte)
    for _ in range(2):
        with started(state) as table:
            table.do(new_game(COMPANY, starter="Ana", abandon=True))
            table.do(commands.MakeBid("Ana", 1, 4))
            assert table.state().journal.ok
        assert any(each.game.rounds for each in saved_games(state, lambda _: None))


def test_with_a_database_its_log_is_set_aside(tmp_path: Path) -> None:
    for end in ("", "-wal", "-journal"):
        (tmp_path / f"{PHONES}{end}").touch()
    set_aside(tmp_path / PHONES, ValueError(), "")
    assert sorted(path.name.removeprefix("phones.damaged-1.sqlite3") for path in tmp_path.iterdir()) == [
        *("", "-journal", "-wal")
    ]


def test_what_was_set_aside_is_named_and_stays_as_it_was(state: Path) -> None:
    content = b"\xf3" + (state / "access.json").read_bytes()
    (state / "access.json").write_bytes(content)
    Access(state)
    assert (state / "access.damaged-1.json").read_bytes() == content
    (check,) = damaged_files(state)
    assert check.said == "A damaged file was set aside as access.damaged-1.json; the box goes on without it."


@pytest.mark.parametrize("spoilt", ["a bit of the page", "its checksum", "the log's header"])
def test_a_spoilt_bit_of_the_log_costs_a_row_at_most(tmp_path: Path, spoilt: str) -> None:
    """The plug was pulled, and the card has changed a bit: SQLite would drop all that was played after it."""
    running, state = tmp_path / "running", tmp_path / "state"
    with Table(Journal(running)) as table:
        table.do(new_game(COMPANY, starter="Ana"))
        for count in range(1, 30):
            table.do(commands.MakeBid("Ana" if count % 2 else "Ben", count, 4))
        shutil.copytree(running, state)
    log = state / "journal.sqlite3-wal"
    frames = (log.stat().st_size - 32) // (24 + 4096)
    start = 32 + frames // 2 * (24 + 4096)
    place = {"a bit of the page": start + 3000, "its checksum": start + 17, "the log's header": 17}[spoilt]
    spoil(log, place, log.read_bytes()[place] ^ 0x5A)  # SQLite draws its salt: a byte may be anything
    with started(state) as table:
        assert (table.state().bid.count, table.state().notice.code) == (29, "repaired")


def test_after_a_round_the_log_is_in_the_file(tmp_path: Path) -> None:
    with Table(Journal(tmp_path)) as table:
        table.do(new_game(COMPANY, starter="Ana"))
        table.do(commands.MakeBid("Ana", 1, 4))
        table.do(commands.CallDudo())
        table.do(commands.CountByHand({"Ana": [4] * 5, "Ben": [4] * 5}))
        table.flush()
        copy = tmp_path / "copy.sqlite3"
        shutil.copyfile(tmp_path / JOURNAL, copy)  # without its log
    with contextlib.closing(sqlite3.connect(copy)) as database:
        assert database.execute("SELECT COUNT(*) FROM event WHERE kind = 'judged'").fetchone() == (1,)


def test_a_plan_that_cannot_be_read_keeps_no_box_from_starting(state: Path) -> None:
    """The power was cut while a backup was put in place, and its plan was spoilt."""
    moving = state / "restore.moving"
    (moving / "state").mkdir(parents=True)
    (state / "access.json").rename(moving / "state" / "access.json")
    (moving / "plan.json").write_bytes(b"\xf3")
    assert exchange(state) is None
    assert (state / "access.json").exists()
    assert not moving.exists()
