"""When the disk fails, play goes on in memory and says so; later everything is written, once and in order.

Where this user may mount file systems, real ones are filled, made read-only and taken away.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import msgspec
import pytest

from companion.table import Journal, JournalError, Table, commands
from companion.table.game.events import BidMade, DudoCalled
from companion.table.journal import journal as journal_module
from companion.table.state.listener import NewestState
from tests.fakes.journal_lines import lines_of
from tests.fakes.new_game import new_game
from tests.fakes.public_state import in_json
from tests.fakes.reader import laid_out

COMPANY = [("Ana", "red"), ("Ben", "blue")]
FULL = "The journal cannot be written: the disk is full. "
READ_ONLY = "The journal cannot be written: the disk is read-only. "


def opened(folder: Path) -> Table:
    return Table(Journal(folder, reserve=0))


def play(table: Table, rounds: int = 1) -> dict:
    """Whole rounds with a reading and a picture, four lines of the journal each."""
    for _ in range(rounds):
        if table.state().phase in ("seating", "over"):
            table.do(new_game(COMPANY, starter="Ana"))
        if called(table).phase == "verdict":
            table.do(commands.OpenRound())
    return table.state()


def called(table: Table) -> dict:
    """A bid that holds, and its reading with a picture."""
    table.do(commands.MakeBid(table.state().turn, 1, 2))
    table.do(commands.CallDudo())
    request = table.reveal_wanted()
    faces = {player.colour: [2] * player.dice for player in request.players}
    return table.take_reading(request.reveal, laid_out(faces), b"p" * 20_000)


def lines(folder: Path) -> list[tuple]:
    """The lines in the file, read without our own code."""
    database = sqlite3.connect(folder / "journal.sqlite3")
    rows = database.execute("SELECT seq, step, kind, body FROM event ORDER BY seq").fetchall()
    database.close()
    return rows


def assert_whole(folder: Path, table: Table) -> None:
    """Check that everything is in the file, once and in order, and that it gives the same table."""
    happened = lines_of(table._journal)
    state = table.state()
    assert in_json(state.journal) == {"ok": True, "sentence": ""}
    rows = lines(folder)
    assert [seq for seq, *_ in rows] == list(range(1, len(rows) + 1))
    table.close()
    with opened(folder) as again:
        assert lines_of(again._journal) == happened
        after = again.state()
        assert after.version > state.version
        live = {"version": state.version, "camera": state.camera, "waiting": state.waiting, "undone": state.undone}
        assert msgspec.structs.replace(after, **live) == state


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """After a round."""
    table = opened(tmp_path)
    play(table)
    return table


# A disk that is full


def shut(table: Table, full: bool) -> None:
    """Have SQLite believe that the disk is full, or that it is not."""
    table._journal._open().execute(f"PRAGMA max_page_count={1 if full else 1_000_000}")


def test_on_a_full_disk_play_goes_on_in_memory_until_there_is_room(table: Table, tmp_path: Path) -> None:
    shut(table, full=True)
    state = play(table, 4)
    before = len(lines(tmp_path))
    assert (state.round, state.journal.ok) == (6, False)
    assert state.journal.sentence.startswith(FULL)
    shut(table, full=False)
    assert in_json(play(table).journal) == {"ok": True, "sentence": ""}
    assert len(lines(tmp_path)) > before
    assert_whole(tmp_path, table)


def test_rows_that_wait_are_counted(table: Table, tmp_path: Path) -> None:
    written = table.last_row()
    shut(table, full=True)
    play(table, 4)
    waiting = table.last_row()
    assert waiting > written > 0
    shut(table, full=False)
    table.close()
    with opened(tmp_path) as again:
        assert again.last_row() == waiting


def test_waiting_events_are_written_even_if_nobody_plays(table: Table, tmp_path: Path) -> None:
    shut(table, full=True)
    waiting = play(table, 4)
    states = NewestState()
    table.attach(states)
    states.get(timeout=60)
    table.flush()
    assert table.state() is waiting  # nothing has changed, so there is no news
    shut(table, full=False)
    table.flush()
    state = states.get(timeout=60)
    assert (state.version, state.journal.ok) == (waiting.version + 1, True)
    assert_whole(tmp_path, table)


def test_an_undo_waits_for_the_disk_too(table: Table, tmp_path: Path) -> None:
    shut(table, full=True)
    play(table, 3)
    for _ in range(5):
        state = table.do(commands.Undo(table.state().undo.step))
    state = table.do(commands.Redo(state.redo.step))
    assert not state.journal.ok
    shut(table, full=False)
    table.flush()
    assert_whole(tmp_path, table)


def test_a_write_that_succeeded_despite_an_error_is_not_repeated(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = Journal._write

    def written(keeping: Journal) -> None:
        waiting, last = list(keeping._waiting), keeping._last
        write(keeping)
        keeping._waiting[:], keeping._last = waiting, last
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "_write", written)
        state = table.do(commands.MakeBid(table.state().turn, 1, 2))
        assert "disk I/O error" in state.journal.sentence
        table.do(commands.MakeBid(state.turn, 2, 2))
    play_on = table.do(commands.MakeBid(table.state().turn, 3, 2))
    assert play_on.bid.count == 3
    assert_whole(tmp_path, table)


def test_nothing_is_written_after_rows_of_another_program(table: Table, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "journal.sqlite3") as other:
        other.execute("INSERT INTO event (start, at, kind, body) VALUES (1, '', 'round', '{}')")
    other.close()
    before = lines(tmp_path)
    state = play(table)
    assert "was changed from outside" in state.journal.sentence
    assert lines(tmp_path) == before
    table.close()


def test_damage_to_the_file_during_play_is_reported(table: Table, tmp_path: Path) -> None:
    database = table._journal._open()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.execute("PRAGMA shrink_memory")
    with (tmp_path / "journal.sqlite3").open("r+b") as file:
        file.write(b"\xa5" * 40_000)
    state = play(table, 3)
    assert not state.journal.ok
    assert state.round == 5
    table.close()


def test_no_sequence_of_failures_loses_or_repeats_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "replay_rows", lambda *_: ())  # its lines are no game
    for seed in range(8):
        luck = random.Random(seed)
        folder = tmp_path / str(seed)
        journal = Journal(folder)
        happened: list[tuple] = []
        full = False
        for count in range(60):
            match luck.choice(("append", "append", "append", "full", "flush", "remove", "wal", "restart")):
                case "append":
                    line = tuple(BidMade("Ana", count, face + 1) for face in range(luck.randint(1, 3)))
                    happened.append(line)
                    journal.append(line)
                case "full":
                    full = not full
                case "flush":
                    journal.flush()
                case "remove":
                    for end in luck.choice((("",), ("", "-wal"), ("", "-wal", "-shm"))):
                        (folder / f"journal.sqlite3{end}").unlink(missing_ok=True)
                case "wal":
                    (folder / "journal.sqlite3-wal").unlink(missing_ok=True)
                case "restart":
                    full = False
                    limit(journal, full)
                    journal.flush()
                    journal.close()
                    journal = Journal(folder)
            limit(journal, full)
            assert list(lines_of(journal)) == happened, seed
        limit(journal, False)
        journal.flush()
        assert journal.trouble == "", seed
        journal.close()
        journal = Journal(folder)
        assert list(lines_of(journal)) == happened, seed
        journal.close()


def limit(journal: Journal, full: bool) -> None:
    database = journal._database
    if database is not None:
        database.execute(f"PRAGMA max_page_count={1 if full else 1_000_000}")


# Files that disappear


@pytest.mark.parametrize(
    "ends", [("",), ("-wal",), ("-shm",), ("", "-wal"), ("-wal", "-shm"), ("", "-wal", "-shm")], ids="+".join
)
def test_a_removed_journal_is_written_again_in_full(tmp_path: Path, ends: tuple[str, ...]) -> None:
    table = opened(tmp_path)
    play(table, 2)
    for end in ends:
        (tmp_path / f"journal.sqlite3{end}").unlink()
    assert play(table).journal.ok
    assert len(lines(tmp_path)) == len(list(chain.from_iterable(lines_of(table._journal))))
    assert_whole(tmp_path, table)


def test_a_removed_journal_is_written_again_even_if_nobody_plays(tmp_path: Path) -> None:
    table = opened(tmp_path)
    play(table, 2)
    (tmp_path / "journal.sqlite3").unlink()
    table.flush()
    assert len(lines(tmp_path)) == len(list(chain.from_iterable(lines_of(table._journal))))
    assert_whole(tmp_path, table)


def test_a_folder_moved_away_and_back_has_everything(tmp_path: Path) -> None:
    folder, away = tmp_path / "state", tmp_path / "away"
    table = opened(folder)
    play(table)
    folder.rename(away)
    state = play(table)
    assert state.journal.sentence.startswith(f"The journal cannot be written: the folder {folder} is gone. ")
    assert (state.last.count, state.round) == (9, 3)
    assert not folder.exists()
    folder.mkdir()  # another folder, as after mounting a file system
    play(table)
    assert list(folder.iterdir()) == []
    folder.rmdir()
    away.rename(folder)
    assert play(table).journal.ok
    assert_whole(folder, table)


def test_a_copy_of_the_journal_in_a_new_folder_of_the_same_name_is_continued(tmp_path: Path) -> None:
    folder, away = tmp_path / "state", tmp_path / "away"
    table = opened(folder)
    play(table)
    subprocess.run(["cp", "-r", folder, away], check=True)
    folder.rename(tmp_path / "old")
    play(table)
    away.rename(folder)
    assert play(table).journal.ok
    with pytest.raises(JournalError, match="Another perudo"):
        Journal(folder)
    Journal(tmp_path / "old").close()
    assert_whole(folder, table)


def test_an_older_copy_put_back_in_its_place_is_not_written_to(table: Table, tmp_path: Path) -> None:
    """It would silently lack the lines between the copy and now."""
    path = tmp_path / "journal.sqlite3"
    older = tmp_path / "older.sqlite3"
    with contextlib.closing(sqlite3.connect(path)) as now, contextlib.closing(sqlite3.connect(older)) as copy:
        now.backup(copy)
    play(table, 2)
    newest = lines(tmp_path)
    aside = tmp_path / "aside.sqlite3"
    with contextlib.closing(sqlite3.connect(path)) as now, contextlib.closing(sqlite3.connect(aside)) as copy:
        now.backup(copy)
    for end in ("-wal", "-shm"):
        Path(f"{path}{end}").unlink(missing_ok=True)
    older.replace(path)
    lines_before = lines(tmp_path)
    state = play(table)
    assert not state.journal.ok
    assert "was changed from outside" in state.journal.sentence
    assert lines(tmp_path) == lines_before
    for end in ("-wal", "-shm"):
        Path(f"{path}{end}").unlink(missing_ok=True)
    aside.replace(path)
    table.flush()
    assert table.state().journal.ok
    assert lines(tmp_path)[: len(newest)] == newest
    assert_whole(tmp_path, table)


def test_a_log_removed_while_another_program_reads_is_not_given_up(table: Table, tmp_path: Path) -> None:
    """The log can be moved into the file only when nobody reads; until then it stays open."""
    reader = sqlite3.connect(tmp_path / "journal.sqlite3", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM event").fetchone()
    play(table)
    (tmp_path / "journal.sqlite3-wal").unlink()
    state = play(table)
    assert not state.journal.ok
    assert "another program is using" in state.journal.sentence
    reader.close()
    table.flush()
    assert table.state().journal.ok
    assert_whole(tmp_path, table)


def test_another_journal_in_its_place_is_not_written_to(tmp_path: Path) -> None:
    other = tmp_path / "other"
    with opened(other) as table:
        play(table, 3)
    theirs = lines(other)
    folder = tmp_path / "state"
    table = opened(folder)
    play(table)
    for path in folder.glob("journal.*"):
        path.rename(tmp_path / path.name)
    shutil.copy(other / "journal.sqlite3", folder)
    state = play(table)
    assert "was changed from outside" in state.journal.sentence
    assert lines(folder) == theirs
    for path in folder.glob("journal.*"):
        path.unlink()
    for path in tmp_path.glob("journal.*"):
        path.rename(folder / path.name)
    assert play(table).journal.ok
    assert_whole(folder, table)


# Pictures


def test_a_picture_that_cannot_be_saved_is_reported_until_one_can(table: Table, tmp_path: Path) -> None:
    shutil.rmtree(table.pictures)
    table.pictures.write_text("in the way")
    state = called(table)
    assert state.reading.picture is None
    assert state.journal.sentence.startswith("The judged picture could not be kept: ")
    assert lines(tmp_path)[-1][2] == "judged"
    table.pictures.unlink()
    table.do(commands.OpenRound())
    assert play(table).journal.ok
    assert_whole(tmp_path, table)


def test_pictures_leave_room_for_events(tmp_path: Path) -> None:
    free = os.statvfs(tmp_path)
    journal = Journal(tmp_path, reserve=2 * free.f_blocks * free.f_frsize)
    journal.append([DudoCalled("Ana")])
    assert journal.trouble == ""
    with pytest.raises(JournalError, match="the disk is full"):
        journal.keep_picture(1, b"p")
    assert journal.trouble.endswith("The game goes on without it.")
    assert not (tmp_path / "pictures" / "1.jpg").exists()
    journal.close()


# Real disks


class Disk:
    """A small file system of its own, mounted at `folder`."""

    def __init__(self, place: Path) -> None:
        self._store, self.folder = place / "store", place / "state"
        self._store.mkdir()
        self.folder.mkdir()
        mount("-t", "tmpfs", "-o", "size=400k", "tmpfs", self._store)
        (self._store / "state").mkdir()
        self.come()

    def come(self) -> None:
        mount("--bind", self._store / "state", self.folder)

    def go(self) -> None:
        subprocess.run(["umount", "-l", self.folder], check=True)

    def fill(self) -> None:
        with (self._store / "filling").open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(b"x" * 1024)

    def make_room(self) -> None:
        (self._store / "filling").unlink()

    def read_only(self, only: bool) -> None:
        for place in (self.folder, self._store):
            mount("-o", f"remount,{'ro' if only else 'rw'}{',bind' if place == self.folder else ''}", place)

    def end(self) -> None:
        for place in (self.folder, self._store):
            subprocess.run(["umount", "-l", place], check=False, capture_output=True)


def mount(*words: str | Path) -> None:
    subprocess.run(["mount", *map(str, words)], check=True, capture_output=True)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    if shutil.which("mount") is None or os.geteuid() != 0:
        pytest.skip("this user cannot mount a file system")
    place = tmp_path / "disk"
    place.mkdir()
    try:
        disk = Disk(place)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no file system can be mounted here: {error.stderr.decode().strip()}")
    try:
        yield disk
    finally:
        disk.end()


def test_a_disk_fills_up_during_play_and_is_emptied(disk: Disk) -> None:
    table = opened(disk.folder)
    play(table)
    disk.fill()
    state = play(table, 4)
    assert state.journal.sentence.startswith(FULL)
    assert state.round == 6
    state = called(table)
    assert (state.phase, state.reading.picture) == ("verdict", None)
    assert not list(table.pictures.glob("*.part"))
    disk.make_room()
    table.do(commands.OpenRound())
    assert play(table).journal.ok
    assert_whole(disk.folder, table)


def test_the_last_room_on_a_disk_is_for_lines_and_not_for_pictures(disk: Disk) -> None:
    table = Table(Journal(disk.folder, reserve=100_000))
    state = play(table, 3)
    while state.journal.ok:
        state = play(table)
    assert state.journal.sentence.startswith("The judged picture could not be kept: the disk is full. ")
    play(table)
    assert len(lines(disk.folder)) == len(list(chain.from_iterable(lines_of(table._journal))))
    table.close()


@pytest.mark.parametrize("cut_off", [False, True])
@pytest.mark.parametrize("how", ["full", "read-only"])
def test_a_journal_on_an_unwritable_disk_is_read_at_the_start_and_continued_in_memory(
    disk: Disk, tmp_path: Path, how: str, cut_off: bool
) -> None:
    table = opened(tmp_path / "first")
    played = play(table, 2)
    if not cut_off:
        table.close()
    for path in (tmp_path / "first").glob("journal.sqlite3*"):
        if not path.name.endswith("-shm"):
            subprocess.run(["cp", path, disk.folder], check=True)
    table.close()
    disk.fill()
    if how == "read-only":
        disk.read_only(True)
    table = opened(disk.folder)
    state = table.state()
    assert state.journal.sentence.startswith(READ_ONLY if how == "read-only" else FULL), state.journal
    assert (state.round, state.bid, state.last) == (played.round, played.bid, played.last)
    assert play(table).round == 4
    with pytest.raises(JournalError, match="Another perudo"):
        Journal(disk.folder)
    if how == "read-only":
        disk.read_only(False)
    disk.make_room()
    assert play(table).journal.ok
    assert_whole(disk.folder, table)


def test_a_journal_killed_on_a_disk_that_is_then_read_only_is_written_once_it_can_be(disk: Disk) -> None:
    """With its WAL and the WAL's index there, SQLite opens the file for reading only without a word."""
    child = os.fork()
    if not child:
        try:
            play(opened(disk.folder), 2)
        finally:
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    assert {path.suffix for path in disk.folder.glob("journal*")} == {".sqlite3", ".sqlite3-wal", ".sqlite3-shm"}
    disk.read_only(True)
    table = opened(disk.folder)
    state = play(table)
    assert (state.round, state.journal.sentence.startswith(READ_ONLY)) == (4, True)
    disk.read_only(False)
    table.flush()
    assert_whole(disk.folder, table)


def test_an_older_journal_on_a_read_only_disk_is_read_at_the_start(disk: Disk) -> None:
    with opened(disk.folder) as table:
        play(table, 2)
    path = disk.folder / "journal.sqlite3"
    database = sqlite3.connect(path)
    database.execute("ALTER TABLE event DROP COLUMN step")
    database.execute("DROP TABLE record")
    database.execute("PRAGMA user_version=1")
    database.commit()
    database.close()
    disk.read_only(True)
    before = path.read_bytes()
    table = opened(disk.folder)
    state = play(table)
    assert (state.round, state.journal.sentence.startswith(READ_ONLY)) == (4, True)
    assert path.read_bytes() == before
    disk.read_only(False)
    assert play(table).journal.ok
    assert (disk.folder / "journal.v1.sqlite3").exists()
    assert_whole(disk.folder, table)


@pytest.mark.parametrize("how", ["full", "read-only"])
def test_a_table_can_be_played_on_an_unwritable_disk_without_a_journal(disk: Disk, how: str) -> None:
    disk.fill()
    if how == "read-only":
        disk.read_only(True)
    folder = disk.folder / "state"
    table = opened(folder)
    assert play(table, 2).round == 3
    assert not table.state().journal.ok
    if how == "read-only":
        disk.read_only(False)
    disk.make_room()
    table.flush()
    assert_whole(folder, table)


def test_a_disk_that_is_removed_and_returned_has_everything(disk: Disk) -> None:
    table = opened(disk.folder)
    play(table)
    disk.go()
    state = play(table, 2)
    assert "is gone" in state.journal.sentence
    assert state.reading is None
    assert list(disk.folder.iterdir()) == []  # nothing is written where the disk was
    disk.come()
    assert play(table).journal.ok
    assert_whole(disk.folder, table)


# Another user's folder


@pytest.fixture
def theirs() -> Iterator[Path]:
    """A read-only folder, and a user who is bound by its permissions."""
    place = Path(tempfile.mkdtemp(prefix="perudo-"))
    place.chmod(0o755)
    folder = place / "state"
    with opened(folder) as table:
        play(table, 2)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield folder
    finally:
        os.seteuid(user)
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
        shutil.rmtree(place)


def test_a_journal_in_a_read_only_folder_is_read_and_continued_in_memory(theirs: Path) -> None:
    with opened(theirs) as table:
        assert table.state().round == 3
        state = play(table)
        assert (state.round, state.journal.ok) == (4, False)
    with opened(theirs) as table:
        assert table.state().round == 3


def test_a_folder_without_permission_to_make_it_is_reported(theirs: Path) -> None:
    with pytest.raises(JournalError, match="cannot be used"):
        opened(theirs / "state")
