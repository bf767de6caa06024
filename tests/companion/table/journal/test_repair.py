"""A damaged journal: its other games can be read, it is left as it is, and a repair keeps it beside the new one."""

from __future__ import annotations

import contextlib
import hashlib
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion import app
from companion.box.restart import REPAIR_FILE
from companion.config import Config
from companion.table import Journal, Table, commands
from companion.table.errors import DamagedJournalError, JournalError, NotAllowedNowError
from companion.table.journal.backup import restore_backup, write_backup
from companion.table.journal.repair import damage_in, repair_journal
from companion.table.journal.saved_games import saved_games
from hardware.virtual.virtual_camera import VirtualCamera
from hardware.virtual.virtual_panel import VirtualPanel
from tests.fakes.new_game import new_game

COMPANY = [("Ana", "red"), ("Ben", "blue")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three games of a round each, and one that has a bid."""
    state = tmp_path / "state"
    with Table(Journal(state)) as table:
        for game in range(1, 4):
            table.do(new_game(COMPANY, starter="Ana"))
            table.do(commands.MakeBid("Ana", game, 4))
            table.do(commands.CallDudo())
            table.do(commands.CountByHand({"Ana": [4] * 5, "Ben": [4] * 5}))
            table.do(commands.EndGame())
        table.do(new_game(COMPANY, starter="Ben"))
        table.do(commands.MakeBid("Ben", 4, 4))
    return state


def spoil(folder: Path, old: bytes, new: bytes) -> str:
    """Write other bytes over these; the file's hash is returned."""
    path = folder / "journal.sqlite3"
    content = path.read_bytes()
    assert content.count(old) == 1
    path.write_bytes(content.replace(old, new))
    return sha(path)


def sha(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def bids(folder: Path) -> list[list[int]]:
    """The number of dice in every bid, by game."""
    return [[bid.bid.count for entry in each.game.rounds for bid in entry.bids] for each in saved_games(folder)]


SECOND = b'{"player": "Ana", "count": 2, "face": 4}'
SPOILT = {
    "no JSON": b'["player": "Ana", "count": 2, "face": 4}',
    "another player": b'{"player": "Ano", "count": 2, "face": 4}',
    "no UTF-8": b'{"player": "An\xe1", "count": 2, "face": 4}',
    "another kind of value": b'{"player": "Ana", "count":"2","face": 4}',
}


@pytest.mark.parametrize("how", SPOILT)
@pytest.mark.parametrize("killed", [False, True])
def test_one_spoilt_event_costs_the_rest_of_its_game_and_nothing_else(folder: Path, how: str, killed: bool) -> None:
    before = spoil(folder, SECOND, SPOILT[how])
    path = folder / "journal.sqlite3"
    if killed:  # a log beside it, which SQLite would write into the file when it is closed
        with closing(sqlite3.connect(path, isolation_level=None)) as open_one:
            open_one.execute("INSERT INTO start (at) VALUES ('')")
            for end in ("", "-wal"):
                shutil.copyfile(f"{path}{end}", f"{path}{end}.kept")
        for end in ("", "-wal"):
            Path(f"{path}{end}.kept").replace(f"{path}{end}")
        before = sha(path)
    with pytest.raises(DamagedJournalError, match="perudo doctor --repair"):
        Journal(folder)
    assert sha(path) == before
    told: list[str] = []
    read = saved_games(folder, told.append)
    assert ([each.key for each in read], len(told)) == (["1", "3", "4"], 1)  # without its bid the second is no game
    assert sha(path) == before

    done = repair_journal(folder)
    assert (sha(done.aside), len(done.damage)) == (before, 1)
    assert damage_in(folder) == ()
    assert bids(folder) == [[1], [3], [4]]
    with Table(Journal(folder)) as table:
        assert table.state().bid.count == 4  # the game that was being played goes on
        table.do(commands.MakeBid("Ana", 5, 4))
    assert bids(folder) == [[1], [3], [4, 5]]
    assert repair_journal(folder) is None


def test_what_is_undone_does_not_go_back_to_a_game_that_cannot_be_read(folder: Path) -> None:
    with Table(Journal(folder)) as table:
        table.do(new_game(COMPANY, starter="Ana", abandon=True))
        table.do(commands.Undo(table.state().undo.step))
        table.do(commands.MakeBid("Ana", 6, 4))  # in the game before
    spoil(folder, b'{"player": "Ben", "count": 4, "face": 4}', b'["player": "Ben", "count": 4, "face": 4}')
    assert repair_journal(folder) is not None
    assert bids(folder) == [[1], [2], [3], []]
    Table(Journal(folder)).close()


def test_a_file_of_random_bytes_is_set_aside_and_a_new_journal_begins(folder: Path) -> None:
    path = folder / "journal.sqlite3"
    path.write_bytes(random.Random(1).randbytes(9000))
    before = sha(path)
    assert "not a database" in damage_in(folder)[0]
    done = repair_journal(folder)
    assert sha(done.aside) == before
    assert saved_games(folder) == []
    Table(Journal(folder)).close()


def test_a_page_of_nonsense_costs_what_was_on_it(tmp_path: Path) -> None:
    with Table(Journal(tmp_path)) as table:
        for _ in range(150):
            table.do(new_game(COMPANY, starter="Ana", abandon=True))
            table.do(commands.MakeBid("Ana", 1, 4))
    path = tmp_path / "journal.sqlite3"
    pages = path.stat().st_size // 4096
    games = 0
    for page in range(2, pages, 3):
        one = tmp_path / str(page)
        one.mkdir()
        content = bytearray(path.read_bytes())
        content[page * 4096 : page * 4096 + 4096] = b"\xa5" * 4096
        (one / path.name).write_bytes(content)
        if repair_journal(one) is not None:
            games = max(games, len(saved_games(one)))
            Table(Journal(one)).close()
    assert games > 100


def test_a_repair_that_a_power_cut_ended_is_finished(folder: Path) -> None:
    before = spoil(folder, SECOND, SPOILT["no JSON"])
    path = folder / "journal.sqlite3"
    aside = folder / "journal.damaged-1.sqlite3"
    aside.hardlink_to(path)
    (folder / "journal.repaired").write_bytes(b"half of it")
    done = repair_journal(folder)
    assert (done.aside, sha(aside)) == (aside, before)
    assert bids(folder) == [[1], [3], [4]]
    assert {each.name for each in folder.iterdir()} == {"journal.sqlite3", "journal.damaged-1.sqlite3"}


def test_an_earlier_damaged_journal_is_kept_too(folder: Path) -> None:
    first = spoil(folder, SECOND, SPOILT["no JSON"])
    repair_journal(folder)
    second = spoil(folder, SECOND.replace(b"2", b"3"), SPOILT["no JSON"])
    repair_journal(folder)
    assert [sha(folder / f"journal.damaged-{n}.sqlite3") for n in (1, 2)] == [first, second]


def test_a_sound_journal_one_in_use_and_one_of_a_newer_program_are_left_alone(folder: Path) -> None:
    assert repair_journal(folder) is None
    with Table(Journal(folder)), pytest.raises(NotAllowedNowError, match="Another perudo"):
        repair_journal(folder)
    with closing(sqlite3.connect(folder / "journal.sqlite3")) as database:
        database.execute("CREATE TABLE later (x)")
        database.execute("PRAGMA user_version=99")
    with pytest.raises(JournalError, match="newer perudo"):
        repair_journal(folder)
    assert [each.name for each in folder.glob("*damaged*")] == []


def test_an_export_of_a_damaged_journal_has_everything_and_what_can_be_read_is_back(
    folder: Path, tmp_path: Path
) -> None:
    spoil(folder, SECOND, SPOILT["no JSON"])
    write_backup(folder, tmp_path / "all.sqlite3")
    restore_backup(tmp_path / "all.sqlite3", tmp_path / "other")
    told: list[str] = []
    assert len(saved_games(tmp_path / "other", told.append)) == 3
    assert told == [], "it is as good as new"
    Journal(tmp_path / "other").close()


def test_a_box_comes_up_with_a_damaged_journal_and_says_so(folder: Path) -> None:
    before = spoil(folder, b'{"player": "Ben", "count": 4, "face": 4}', b'["player": "Ben", "count": 4, "face": 4}')
    setup = app.Setup(Config(), folder, lambda *_: VirtualCamera(None), lambda _: VirtualPanel())
    with contextlib.ExitStack() as stack:
        table = app._table(setup, stack)
        state = table.state()
        assert (state.notice.code, state.journal.ok) == ("repaired", True)
        state = table.do(new_game(COMPANY, starter="Ana", abandon=True))
        assert state.notice is None
    assert sha(folder / "journal.damaged-1.sqlite3") == before
    assert bids(folder) == [[1], [2], [3], []]


def test_a_box_that_is_asked_to_repair_its_journal_does_so_once_at_its_next_start(folder: Path) -> None:
    """A damaged record of an imported game keeps no box from starting, so only this sets it aside."""
    with closing(sqlite3.connect(folder / "journal.sqlite3")) as database:
        database.execute("INSERT INTO record (id, at, name, lines) VALUES (1, '', 'old', 'no record')")
        database.commit()
    setup = app.Setup(Config(), folder, lambda *_: VirtualCamera(None), lambda _: VirtualPanel())
    (folder / REPAIR_FILE).touch()
    for notice in ("repaired", None):
        with contextlib.ExitStack() as stack:
            state = app._table(setup, stack).state()
        assert (state.notice and state.notice.code) == notice
        assert damage_in(folder) == ()
    assert [path.name for path in folder.glob("*damaged*.sqlite3")] == ["journal.damaged-1.sqlite3"]
    assert bids(folder) == [[1], [2], [3], [4]]


def test_a_whole_journal_stays_where_it_is_when_a_repair_is_asked_for(folder: Path) -> None:
    (folder / REPAIR_FILE).touch()
    setup = app.Setup(Config(), folder, lambda *_: VirtualCamera(None), lambda _: VirtualPanel())
    with contextlib.ExitStack() as stack:
        assert app._table(setup, stack).state().notice is None
    assert list(folder.glob("*damaged*")) == []
    assert not (folder / REPAIR_FILE).exists()
