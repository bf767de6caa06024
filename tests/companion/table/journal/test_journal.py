"""The journal: events come out as they went in, once and in order; and files it must not write to are left alone."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import chain
from pathlib import Path
from unittest.mock import Mock

import pytest

from companion.engine import house_rules
from companion.table import Journal, JournalError, Table, commands
from companion.table.errors import DamagedJournalError
from companion.table.game.events import BidMade, DudoCalled, GameOpened, Undone
from companion.table.game.new_game import GameDefaults
from companion.table.journal.picture_folder import MOST_CLIPS, PictureFolder
from tests.fakes.journal_lines import lines_of
from tests.fakes.new_game import new_game
from tests.fakes.public_state import in_json
from tests.fakes.reader import laid_out

GAME = GameOpened(("Ana", "Ben"), ("red", "blue"), "asmodee-fr", True, "Ana", (("raises", "any-face"),))

OLD_GAME = {
    "players": ["Ana", "Ben"],
    "colours": ["red", "blue"],
    "ruleset": "asmodee-fr",
    "calza": True,
    "starter": "Ana",
}
"""A game in a journal from before there were house rules."""


def rows_on_disk(folder: Path) -> list[tuple[str, str]]:
    """The kinds and bodies in the file, read without our own code."""
    with sqlite3.connect(folder / "journal.sqlite3") as database:
        rows = database.execute("SELECT kind, body FROM event ORDER BY seq").fetchall()
    database.close()
    return rows


def test_events_come_back_as_they_went_in(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.append([GAME, BidMade("Ana", 3, 4)])
    journal.append([DudoCalled("Ben")])
    journal.close()
    journal.close()
    journal = Journal(tmp_path)
    assert lines_of(journal) == ((GAME, BidMade("Ana", 3, 4)), (DudoCalled("Ben"),))
    assert (journal.start, journal.trouble) == (2, "")
    journal.close()
    with pytest.raises(JournalError, match="closed"):
        journal.append([DudoCalled("Ana")])


def test_every_commit_is_synced_to_disk(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    database = journal._open()
    assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert database.execute("PRAGMA synchronous").fetchone() == (2,)
    journal.close()


@pytest.mark.parametrize("statement", ["DELETE FROM event", "UPDATE event SET kind = 'bid'"])
def test_nothing_can_be_erased_or_changed(tmp_path: Path, statement: str) -> None:
    journal = Journal(tmp_path)
    journal.append([GAME])
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        journal._open().execute(statement)
    journal.close()


# A clock that is wrong


def test_a_clock_that_jumps_backwards_does_not_change_the_order_of_events(tmp_path: Path) -> None:
    times = iter([f"{year}-01-01T00:00:00.000+00:00" for year in range(2030, 1930, -1)])

    def play(table: Table, times: int) -> list[dict]:
        states = []
        for _ in range(times):
            state = table.state()
            states.append(table.do(commands.MakeBid(state.turn, (state.bid.count if state.bid else 0) + 1, 2)))
        return states

    states = []
    with Table(Journal(tmp_path, lambda: next(times))) as table:
        table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"))
        states += play(table, 5)
        states.append(table.do(commands.Undo(table.state().undo.step)))
    with Table(Journal(tmp_path, lambda: next(times))) as table:
        state = table.state()
        assert in_json(state.bid) == {"player": "Ben", "count": 4, "face": 2, "accepted": False}
        states += [state, *play(table, 3)]
    versions = [state.version for state in states]
    assert versions == sorted(set(versions))
    with Table(Journal(tmp_path, lambda: next(times))) as table:
        assert table.state().bid.count == 7
        assert list(chain.from_iterable(lines_of(table._journal)))[6] == Undone()
    with sqlite3.connect(tmp_path / "journal.sqlite3") as database:
        times_on_disk = [at for (at,) in database.execute("SELECT at FROM event ORDER BY seq")]
    database.close()
    assert times_on_disk == sorted(times_on_disk, reverse=True)  # as the wrong clock said


# Files that must not be written to


def test_two_processes_cannot_write_one_journal(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    with pytest.raises(JournalError, match=r"Another perudo is using .*--state"):
        Journal(tmp_path)
    journal.append([GAME])
    journal.close()
    Journal(tmp_path).close()


def test_a_folder_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="cannot be used"):
        Journal(tmp_path / "file" / "state")


def no_database(path: Path) -> None:
    path.write_bytes(b"not a database at all, " * 100)


def of_another_program(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA application_id=77")
        database.execute("CREATE TABLE theirs (x)")
    database.close()


def of_a_program_that_says_nothing(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE theirs (x)")
    database.close()


def of_a_later_version(path: Path) -> None:
    Journal(path.parent).close()
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE later (x)")
        database.execute("PRAGMA user_version=99")
    database.close()


def filled(path: Path) -> None:
    """A journal over several pages."""
    journal = Journal(path.parent)
    for count in range(1, 200):
        journal.append([BidMade("Ana", count, 4)])
    journal.close()


def with_a_page_of_nonsense(path: Path) -> None:
    filled(path)
    with path.open("r+b") as file:
        file.seek(4096 * 7)
        file.write(b"\xa5" * 4096)


def cut_short(path: Path) -> None:
    filled(path)
    os.truncate(path, path.stat().st_size // 2)


def empty_beside_its_wal(path: Path) -> None:
    path.write_bytes(b"")
    path.with_name(f"{path.name}-wal").write_bytes(b"what was written last")


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (no_database, "damaged"),
        (with_a_page_of_nonsense, "damaged"),
        (cut_short, "damaged"),
        (empty_beside_its_wal, "damaged"),
        (of_another_program, "another program"),
        (of_a_program_that_says_nothing, "another program"),
        (of_a_later_version, "newer perudo"),
    ],
)
def test_a_damaged_or_foreign_file_is_reported_and_left_as_it_is(
    tmp_path: Path, make: Callable[[Path], None], sentence: str
) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    make(folder / "journal.sqlite3")
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    for _ in range(2):
        with pytest.raises(JournalError, match=rf"{sentence}.*--state"):
            Journal(folder)
        assert {path: path.read_bytes() for path in before} == before
    assert {path.suffix for path in folder.iterdir()} <= {".sqlite3", ".sqlite3-wal", ".sqlite3-shm"}


def journal_with(folder: Path, kind: str, body: str) -> None:
    """A new journal with one line written without our own code."""
    Journal(folder).close()
    with sqlite3.connect(folder / "journal.sqlite3") as database:
        database.execute("INSERT INTO event (start, at, kind, body) VALUES (1, '', ?, ?)", (kind, body))
    database.close()


def test_a_game_from_before_there_were_house_rules_goes_on_by_the_book(tmp_path: Path) -> None:
    journal_with(tmp_path, "game", json.dumps(OLD_GAME))
    with Table(Journal(tmp_path), defaults=GameDefaults(house_rules({"raises": "any-face"}))) as table:
        assert table.state().phase == "bidding"
        assert table.state().rules == ()


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("coronation", "{}"),
        ("bid", '{"player": "Ana"}'),
        ("bid", "{"),
        ("dudo", '{"player": "Ana"}'),
        ("game", json.dumps(OLD_GAME | {"ruleset": "monopoly"})),
        ("game", json.dumps(OLD_GAME | {"rules": [["raises", "any"]]})),
        ("game", json.dumps(OLD_GAME | {"rules": [["rule of tomorrow", True]]})),
        ("game", json.dumps(OLD_GAME | {"rules": "raises"})),
        ("game", json.dumps(OLD_GAME | {"rules": 5})),
        ("game", json.dumps(OLD_GAME | {"rules": [[5, []]]})),
    ],
)
def test_an_invalid_line_is_reported_and_not_skipped(tmp_path: Path, kind: str, body: str) -> None:
    journal_with(tmp_path, kind, body)
    before = (tmp_path / "journal.sqlite3").read_bytes()
    with pytest.raises(DamagedJournalError, match=r"(cannot be understood|does not fit together).*doctor --repair"):
        Journal(tmp_path)
    assert (tmp_path / "journal.sqlite3").read_bytes() == before


# From an older version

FIRST = """
CREATE TABLE event (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    start INTEGER NOT NULL,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE TABLE start (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL
) STRICT;
CREATE TRIGGER event_kept BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER event_fixed BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
PRAGMA application_id=1346720341;
PRAGMA user_version=1;
INSERT INTO start (at) VALUES ('2025-01-01T20:00:00.000+00:00');
"""
"""A journal of version 1, before there were steps."""


def die(number: int, face: int, colour: str) -> dict:
    return {
        "id": number,
        "face": face,
        "colour": colour,
        "box": [40.0 + 60 * number, 40.0, 40.0, 40.0],
        "confidence": 0.98,
        "uncertain": False,
        "likeliest": [[face, 0.98]],
        "corrected": False,
    }


DICE = [die(n, 3, "red" if n < 5 else "blue") for n in range(10)]
SHOWN = [["Ana", [3] * 5], ["Ben", [3] * 5]]


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("bid", {"player": "Ana", "count": "3", "face": 4}),
        ("reading", {"id": 1, "dice": [DICE[0] | {"face": None}], "width": 1280, "height": 960}),
    ],
)
def test_unknown_values_are_reported(tmp_path: Path, kind: str, body: dict) -> None:
    journal_with(tmp_path, kind, json.dumps(body))
    with pytest.raises(
        DamagedJournalError, match=f"Line 1 .* cannot be understood: the event '{kind}' has other values"
    ):
        Journal(tmp_path)


OLD = [
    ("game", OLD_GAME),
    ("bid", {"player": "Ana", "count": 9, "face": 3}),
    ("dudo", {"player": "Ben"}),
    ("reading", {"id": 1, "dice": DICE, "width": 1280, "height": 960, "picture": False}),
    ("judged", {"dice": SHOWN}),  # followed automatically
    ("die-set", {"die": 0, "face": 2, "colour": None}),
    ("judged", {"dice": [["Ana", [2, 3, 3, 3, 3]], ["Ben", [3] * 5]]}),  # so did this one
    ("round", {}),
    ("bid", {"player": "Ben", "count": 2, "face": 5}),
]
OLD_LINES = [1, 1, 1, 2, 2, 1, 1]
"""The number of events of each command."""


def test_fields_of_a_later_version_are_read_over(tmp_path: Path) -> None:
    now, later = tmp_path / "now", tmp_path / "later"
    for folder, more in ((now, {}), (later, {"of tomorrow": {"what": True}})):
        Journal(folder).close()
        dice = [each | more for each in DICE]
        with closing(sqlite3.connect(folder / "journal.sqlite3")) as database:
            for kind, values in OLD:
                body = values | more | ({"dice": dice} if kind == "reading" else {})
                database.execute(
                    "INSERT INTO event (start, at, kind, body) VALUES (1, '', ?, ?)", (kind, json.dumps(body))
                )
            database.commit()
    with closing(Journal(now)) as one, closing(Journal(later)) as other:
        assert one.history == other.history


def old(folder: Path) -> Path:
    path = folder / "journal.sqlite3"
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode=WAL")
    database.executescript(FIRST)
    for kind, values in OLD:
        row = (1, "2025-01-01T20:00:00.000+00:00", kind, json.dumps(values))
        database.execute("INSERT INTO event (start, at, kind, body) VALUES (?, ?, ?, ?)", row)
    database.commit()
    database.close()
    return path


def dump(path: Path) -> list[str]:
    database = sqlite3.connect(path)
    lines = [*database.iterdump(), str(database.execute("PRAGMA user_version").fetchone())]
    database.close()
    return lines


def test_a_journal_from_before_there_were_steps_goes_on_and_can_be_undone_step_by_step(tmp_path: Path) -> None:
    old(tmp_path)
    journal = Journal(tmp_path)
    assert [len(line) for line in lines_of(journal)] == OLD_LINES
    with Table(journal) as table:
        state = table.state()
        assert (state.phase, state.round, state.turn) == ("bidding", 2, "Ana")
        assert (state.last.count, state.last.loses) == (9, "Ben")
        assert (state.undo.step, state.undo.sentence) == (6, "Ben's bid of 2 fives")
        table.do(commands.Undo(6))
        assert table.do(commands.Undo(5)).phase == "verdict"
        assert table.do(commands.Undo(4)).verdict.count == 10  # before the correction
        assert table.do(commands.Undo(3)).phase == "bidding"  # the reading belongs to the step of the press
        assert table.do(commands.Redo(3)).verdict.count == 10
        assert table.do(commands.Redo(4)).verdict.count == 9
        table.do(commands.OpenRound())
        table.do(commands.MakeBid("Ben", 1, 6))
    with Table(Journal(tmp_path)) as table:
        assert in_json(table.state().bid) == {"player": "Ben", "count": 1, "face": 6, "accepted": False}
    assert [kind for kind, _ in rows_on_disk(tmp_path)][: len(OLD)] == [kind for kind, _ in OLD]


def test_a_copy_of_the_older_journal_is_kept_and_can_be_read(tmp_path: Path) -> None:
    before = dump(old(tmp_path))
    Journal(tmp_path).close()
    copy = tmp_path / "journal.v1.sqlite3"
    assert dump(copy) == before
    assert dump(tmp_path / "journal.sqlite3")[-1] == "(2,)"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    copy.rename(elsewhere / "journal.sqlite3")
    with Table(Journal(elsewhere)) as table:
        assert table.state().round == 2


@pytest.mark.parametrize(
    "broken", ["CREATE TABLE record (;", "SELECT RAISE(ABORT, 'no');", "INSERT INTO nowhere VALUES (1);"]
)
def test_an_upgrade_that_fails_half_way_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    path = old(tmp_path)
    before = dump(path)
    steps = ("", f"ALTER TABLE event ADD COLUMN step INTEGER; CREATE TABLE one_more (x); {broken}")
    with monkeypatch.context() as patched:
        patched.setattr("companion.table.journal.schema.UPGRADES", steps)
        for _ in range(2):
            with pytest.raises(JournalError, match="cannot be used"):
                Journal(tmp_path)
            assert dump(path) == before
    with Table(Journal(tmp_path)) as table:
        assert table.state().round == 2


# Pictures


def shot(table: Table) -> dict:
    request = table.reveal_wanted()
    faces = {player.colour: [2] * player.dice for player in request.players}
    return table.take_reading(request.reveal, laid_out(faces), b"p" * 400_000)


def test_a_clip_goes_with_its_picture_and_only_the_latest_are_kept(tmp_path: Path) -> None:
    folder = PictureFolder(tmp_path, most=1)
    for number in range(1, MOST_CLIPS + 6):
        folder.keep(number, b"p" * 1000)
        folder.keep_clip(number, b"c" * 1000)
    assert not folder.clip_path(5).exists()
    assert folder.path(5).exists()
    assert folder.clip_path(6).exists()
    folder.keep(99, b"p" * 950_000)
    left = sorted(int(path.stem.removesuffix("-clip")) for path in tmp_path.glob("*.jpg"))
    assert sum(path.stat().st_size for path in tmp_path.glob("*.jpg")) <= 1_000_000
    assert {number for number in left if number < 99} == {n for n in left if folder.path(n).exists()} - {99}
    assert not folder.clip_path(6).exists()
    assert not folder.path(6).exists()


def test_the_oldest_pictures_go_first_whatever_the_clock_says(tmp_path: Path) -> None:
    journal = Journal(tmp_path, pictures=1)
    for number in range(1, 13):
        journal.keep_picture(number, b"p" * 100_000)
        os.utime(tmp_path / "pictures" / f"{number}.jpg", (10**9 - number, 10**9 - number))
    (tmp_path / "pictures" / "a guest.jpg").write_bytes(b"p" * 1_000_000)
    assert numbers_of_ours(tmp_path) == list(range(3, 13))
    journal.keep_picture(13, b"p" * 450_000)
    assert numbers_of_ours(tmp_path) == [8, 9, 10, 11, 12, 13]
    journal.keep_picture(14, b"p" * 2_000_000)
    assert numbers_of_ours(tmp_path) == [14]  # over the limit, but the last one stays
    journal.close()


def numbers_of_ours(folder: Path) -> list[int]:
    return sorted(int(path.stem) for path in (folder / "pictures").glob("*.jpg") if path.stem.isdecimal())


def test_a_picture_is_kept_without_a_look_at_all_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "7.jpg").write_bytes(b"p" * 500_000)
    looked = Mock(wraps=tmp_path.glob)
    monkeypatch.setattr(Path, "glob", lambda _folder, pattern: looked(pattern))
    folder = PictureFolder(tmp_path, most=1)
    for number in range(8, 12):
        folder.keep(number, b"p" * 200_000)
    assert looked.call_count == 1
    assert not folder.has(7)
    assert folder.has(8)


def test_the_last_picture_stays_even_with_a_limit_of_none(tmp_path: Path) -> None:
    with Table(Journal(tmp_path, pictures=0)) as table:
        table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"))
        for number in (1, 2, 3):
            table.do(commands.MakeBid(table.state().turn, 3, 4))
            table.do(commands.CallDudo())
            assert shot(table).reading.picture == f"/api/v1/pictures/{number}.jpg"
            assert numbers_of_ours(tmp_path) == [number]
            table.do(commands.OpenRound())


def test_a_state_that_named_a_removed_picture_names_none_after_a_restart_or_an_undo(tmp_path: Path) -> None:
    with Table(Journal(tmp_path, pictures=1)) as table:
        table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"))
        for _ in range(3):
            table.do(commands.MakeBid(table.state().turn, 3, 4))
            table.do(commands.CallDudo())
            state = shot(table)
            table.do(commands.OpenRound())
        assert numbers_of_ours(tmp_path) == [2, 3]
        undone = table.do(commands.Undo(table.state().undo.step))
        assert undone.reading == state.reading
        for _ in range(3):  # back to the verdict of the second round, and to that of the first
            undone = table.do(commands.Undo(undone.undo.step))
        assert (undone.reading.id, undone.reading.picture) == (2, "/api/v1/pictures/2.jpg")
        for _ in range(3):
            undone = table.do(commands.Undo(undone.undo.step))
        assert (undone.reading.id, undone.reading.picture) == (1, None)
        assert len(undone.reading.dice) == 10
    with Table(Journal(tmp_path)) as table:
        assert table.state().reading == undone.reading
        assert (table.state().journal.ok, table.state().verdict.count) == (True, 0)
