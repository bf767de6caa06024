"""After a kill at any instant or a power cut, everything announced is in the journal, and nothing is in it twice."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.table import Journal, Table, commands
from companion.table.game.events import BidMade, ReadingTaken, TableDie, to_json
from companion.table.game.history import History
from companion.table.journal import journal as journal_module
from companion.table.state.public_state import RuntimeStatus, public_state
from tests.companion.table.journal.killed_player import lasting
from tests.fakes.journal_lines import lines_of
from tests.fakes.new_game import new_game

HERE = Path(__file__).resolve().parent


def lived(*words: object) -> list[dict]:
    """Run lives until they are killed. Returns what each of them printed."""
    result = subprocess.run(
        [sys.executable, "-W", "error", str(HERE / "killed_player.py"), *map(str, words)],
        env={**os.environ, "PYTHONPATH": str(HERE.parents[3])},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (result.returncode, result.stderr) == (0, "")
    lives = [json.loads(line) for line in result.stdout.splitlines()]
    assert {life["signal"] for life in lives} == {signal.SIGKILL}
    return lives


@pytest.fixture
def quick() -> Iterator[Path]:
    """A folder in memory where there is one: these tests cut files themselves, and do not need a disk."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="perudo-", dir=memory if memory.is_dir() else None) as place:
        yield Path(place)


LIVES = 60


@pytest.mark.parametrize("seed", range(2))
def test_after_a_kill_at_any_instant_everything_announced_is_there_once(tmp_path: Path, seed: int) -> None:
    lives = lived(tmp_path, seed, LIVES)
    assert len(lives) == LIVES
    journal = Journal(tmp_path)
    lines = lines_of(journal)
    journal.close()
    replayed = [History()]
    for line in lines:
        replayed.append(replayed[-1].after(line))
    states = [json.loads(json.dumps(lasting(public_state(history, RuntimeStatus(), 0)))) for history in replayed]

    before, version = 0, 0
    attempts = {}
    """The content of each line, by the last life that tried to write it."""
    for life in lives:
        for word in life["said"]:
            if "about" in word:
                attempts[word["lines"]] = word["about"]
                continue
            if "resumed" in word:
                # At most one more than was announced: it was on disk, but not yet announced.
                assert word["lines"] in (before, before + 1)
                assert word["resumed"] == states[word["lines"]]
            else:
                assert word["lines"] == before + 1
                assert word["told"] == states[word["lines"]]
            assert word["version"] > version
            before, version = word["lines"], word["version"]
    assert len(lines) in (before, before + 1)
    for number, line in enumerate(lines, start=1):
        assert json.loads(json.dumps([to_json(event) for event in line])) == attempts[number]
    # A real game was played, and the kills came in the middle of it.
    phases = [word["resumed"]["phase"] for life in lives for word in life["said"] if "resumed" in word]
    assert {"bidding", "reading", "verdict"} <= set(phases)
    assert sum("told" in word for life in lives for word in life["said"]) > LIVES
    assert_rows_are_whole(tmp_path)


def assert_rows_are_whole(folder: Path) -> None:
    database = sqlite3.connect(folder / "journal.sqlite3")
    rows = database.execute("SELECT seq, step FROM event ORDER BY seq").fetchall()
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()
    assert [seq for seq, _ in rows] == list(range(1, len(rows) + 1))
    steps = [step for _, step in rows]
    assert steps == sorted(steps)


def test_a_creation_or_upgrade_that_was_killed_is_completed_the_next_time(tmp_path: Path) -> None:
    new, old = tmp_path / "new", tmp_path / "old"
    new.mkdir()
    old.mkdir()
    with Table(Journal(old)) as table:
        table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"))
        for count in range(1, 30):
            table.do(commands.MakeBid(table.state().turn, count, 4))
        lines = lines_of(table._journal)
    database = sqlite3.connect(old / "journal.sqlite3")
    database.execute("ALTER TABLE event DROP COLUMN step")
    database.execute("DROP TABLE record")
    database.execute("PRAGMA user_version=1")
    database.close()
    for template, expected in ((new, ()), (old, lines)):
        place = tmp_path / f"{template.name}-lives"
        place.mkdir()
        lives = lived(place, 5, 30, template)
        assert len(lives) == 30
        for number, life in enumerate(lives):
            announced = max((word["lines"] for word in life["said"] if "about" not in word), default=len(expected))
            journal = Journal(place / str(number))
            found_lines = lines_of(journal)
            assert found_lines[: len(expected)] == expected
            assert len(found_lines) in (announced, announced + 1)
            journal.append([BidMade("Ben", 1, 1)])
            journal.close()


# Switched off at the plug


def reading(number: int) -> ReadingTaken:
    """Large enough for a row to take more than one page."""
    die = TableDie(0, 4, "red" * 3000, (1.0, 2.0, 40.0, 40.0), 0.9, False, ((4, 0.9), (5, 0.1)))
    return ReadingTaken(number, (die,), 1280, 960)


@pytest.fixture
def no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that are no game are taken: a test is about the file."""
    monkeypatch.setattr(journal_module, "replay_rows", lambda *_: ())


def switched_off(folder: Path, database: bytes, wal: bytes) -> Journal:
    """Open what is on the disk after a power cut. The index of the WAL is never synced, so it is left out."""
    folder.mkdir()
    (folder / "journal.sqlite3").write_bytes(database)
    (folder / "journal.sqlite3-wal").write_bytes(wal)
    return Journal(folder)


@pytest.mark.usefixtures("no_game")
def test_a_power_cut_in_the_last_write_leaves_whole_commands_and_all_earlier_ones(tmp_path: Path, quick: Path) -> None:
    luck = random.Random(7)
    source = tmp_path / "source"
    journal = Journal(source)
    wal = source / "journal.sqlite3-wal"
    sure = [(wal.stat().st_size, 0)]
    """The size of the WAL on disk when that many commands had been announced."""
    for number in range(1, 41):
        journal.append([reading(number), BidMade("Ana", number, 4), BidMade("Ben", number, 5)][: luck.randint(1, 3)])
        sure.append((wal.stat().st_size, number))
    lines = lines_of(journal)
    subprocess.run(["cp", source / "journal.sqlite3", wal, tmp_path], check=True)
    journal.close()
    database, wal_bytes = ((tmp_path / name).read_bytes() for name in ("journal.sqlite3", wal.name))
    assert len(wal_bytes) == sure[-1][0]

    ends = [size for size, _ in sure]
    cuts = {luck.randrange(ends[0], len(wal_bytes) + 1) for _ in range(80)}
    cuts |= {end + luck.choice((-1, 0, 1)) for end in ends[1:-1]}
    for cut in sorted(cuts):
        torn = wal_bytes[:cut]
        # The last write may be partial: missing sectors have their old content.
        match luck.choice(("short", "zeros", "rubbish", "holes")):
            case "zeros":
                torn += bytes(luck.randrange(9000))
            case "rubbish":
                torn += luck.randbytes(luck.randrange(9000))
            case "holes":
                torn += bytes(512 * luck.randint(1, 9))
                torn += wal_bytes[len(torn) : next(end for end in [*ends, len(wal_bytes)] if end >= cut)]
        as_written = next((at for at, (a, b) in enumerate(zip(torn, wal_bytes, strict=False)) if a != b), len(torn))
        announced = max(number for size, number in sure if size <= as_written)
        journal = switched_off(quick / str(cut), database, torn)
        assert lines_of(journal) == lines[:announced], cut
        journal.append([BidMade("Cid", 1, 1)])
        journal.close()
        journal = Journal(quick / str(cut))
        assert lines_of(journal) == (*lines[:announced], (BidMade("Cid", 1, 1),)), cut
        journal.close()


@pytest.mark.usefixtures("no_game")
def test_a_power_cut_during_a_checkpoint_loses_nothing(tmp_path: Path, quick: Path) -> None:
    luck = random.Random(8)
    source = tmp_path / "source"
    journal = Journal(source)
    for number in range(1, 41):
        journal.append([reading(number), BidMade("Ana", number, 4)])
    lines = lines_of(journal)
    before, after = tmp_path / "before", tmp_path / "after"
    for place in (before, after):
        place.mkdir()
    subprocess.run(["cp", source / "journal.sqlite3", source / "journal.sqlite3-wal", before], check=True)
    journal._open().execute("PRAGMA wal_checkpoint(PASSIVE)")
    subprocess.run(["cp", source / "journal.sqlite3", after], check=True)
    journal.close()
    old, new = ((place / "journal.sqlite3").read_bytes() for place in (before, after))
    wal = (before / "journal.sqlite3-wal").read_bytes()
    assert len(new) > len(old) + 100_000
    for number in range(30):
        # Any of the pages may have reached the disk, and the file may or may not have grown.
        size = luck.choice((len(old), len(new), luck.randrange(len(old), len(new))))
        mixed = bytearray(old.ljust(size, b"\0")[:size])
        for at in range(0, size, 512):
            if luck.random() < 0.5:
                mixed[at : at + 512] = new[at : min(at + 512, size)]
        journal = switched_off(quick / str(number), bytes(mixed), wal)
        assert lines_of(journal) == lines
        journal.close()


def test_the_camera_is_asked_for_a_reading_again_after_a_power_cut(tmp_path: Path) -> None:
    with Table(Journal(tmp_path / "on")) as table:
        table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"))
        table.do(commands.MakeBid("Ana", 3, 4))
        table.do(commands.CallDudo())
        request = table.reveal_wanted()
        files = [tmp_path / "on" / name for name in ("journal.sqlite3", "journal.sqlite3-wal")]
        subprocess.run(["cp", *files, tmp_path], check=True)
    contents = [(tmp_path / path.name).read_bytes() for path in files]
    with Table(switched_off(tmp_path / "off", *contents)) as table:
        assert table.state().phase == "reading"
        assert table.reveal_wanted() == request
