"""The games in a state folder, read while the table plays; imported records; and the whole folder as one file."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import NoReturn

import pytest

from companion.table import Journal, JournalError, NotAllowedNowError, Table, commands
from companion.table.errors import RecordFileError
from companion.table.journal import backup
from companion.table.journal.backup import BackupContent, restore_backup, write_backup
from companion.table.journal.saved_games import ImportedRecord, import_record, record_lines, saved_games
from companion.table.past.games import Ending
from tests.fakes.new_game import new_game
from tests.fakes.reader import laid_out

COMPANY = [("Ana", "red"), ("Ben", "blue")]
RECORD = b"""{"event":"game","ruleset":"asmodee-fr","players":["ana","ben"],"starter":"ana","dice":{"ana":1,"ben":1}}
{"event":"bid","player":"ana","count":2,"face":2,"mood":"bold"}
{"event":"dudo","player":"ben"}
{"event":"reveal","dice":{"ana":[3],"ben":[4]}}
"""
NOW = "2026-11-21T18:30:00.000+00:00"

REPOSITORY = Path(__file__).resolve().parents[4]


def play(table: Table) -> None:
    """A round with a picture, and a bid in the next."""
    table.do(new_game(COMPANY, starter="Ana"))
    table.do(commands.MakeBid("Ana", 9, 6))
    table.do(commands.CallDudo())
    request = table.reveal_wanted()
    table.take_reading(request.reveal, laid_out({"red": [2] * 5, "blue": [2] * 5}), b"the picture")
    table.do(commands.OpenRound())
    table.do(commands.MakeBid("Ana", 1, 2))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "state"
    with Table(Journal(folder, now=lambda: NOW)) as table:
        play(table)
    return folder


def database(folder: Path) -> sqlite3.Connection:
    return sqlite3.connect(folder / "journal.sqlite3", isolation_level=None)


def test_a_folder_in_which_nobody_played_has_no_games(tmp_path: Path) -> None:
    assert saved_games(tmp_path) == saved_games(tmp_path / "nowhere") == []
    assert list(tmp_path.iterdir()) == []
    Journal(tmp_path).close()
    assert saved_games(tmp_path) == []


def test_games_are_listed_with_the_time_they_were_opened(folder: Path) -> None:
    (game,) = saved_games(folder)
    assert (game.key, game.at, game.name, game.game.ending) == ("1", NOW, None, Ending.PLAYING)


def test_a_game_opened_again_keeps_the_time_it_was_opened(tmp_path: Path) -> None:
    times = iter(f"2026-11-21T18:3{n}:00+00:00" for n in range(9))
    with Table(Journal(tmp_path, now=lambda: next(times))) as table:
        table.do(new_game(COMPANY))
        opened = saved_games(tmp_path)[0].at
        table.do(commands.Undo(table.state().undo.step))
        assert saved_games(tmp_path) == []
        table.do(commands.Redo(table.state().redo.step))
        assert saved_games(tmp_path)[0].at == opened


def test_games_are_read_and_records_imported_while_the_table_plays(tmp_path: Path) -> None:
    with Table(Journal(tmp_path)) as table:
        play(table)
        assert len(saved_games(tmp_path)[0].game.rounds) == 2
        assert import_record(tmp_path, "a.jsonl", RECORD) == ImportedRecord("r1", new=True)
        table.do(commands.MakeBid("Ben", 2, 2))
        assert [len(each.game.rounds[-1].bids) for each in saved_games(tmp_path)] == [2, 1]
        assert write_backup(tmp_path, tmp_path / "all.sqlite3") == BackupContent(games=2, pictures=1, missing=0)
        table.do(commands.MakeBid("Ana", 3, 2))
    with Table(Journal(tmp_path)) as table:
        assert table.state().bid.count == 3


def test_a_journal_that_was_not_closed_is_read_to_its_end(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    code = "import sys, os; from pathlib import Path; from companion.table import Journal, Table\n"
    code += (
        "from companion.table.commands import MakeBid, NewPlayer, OpenGame\n"
        "table = Table(Journal(Path(sys.argv[1])))\n"
        "table.do(OpenGame([NewPlayer('Ana', 'red'), NewPlayer('Ben', 'blue')], 'asmodee-fr', starter='Ana'))\n"
    )
    code += "table.do(MakeBid('Ana', 1, 2)); os._exit(0)"
    journal.close()
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, timeout=60, env=environment)
    assert len(saved_games(tmp_path)[0].game.rounds) == 1


def test_reading_leaves_a_journal_of_an_older_version_as_it_is(folder: Path) -> None:
    with closing(database(folder)) as old:
        old.execute("ALTER TABLE event DROP COLUMN step")
        old.execute("DROP TABLE record")
        old.execute("PRAGMA user_version=1")
    assert [len(each.game.rounds) for each in saved_games(folder)] == [2]
    with closing(database(folder)) as old:
        assert old.execute("PRAGMA user_version").fetchone() == (1,)
    assert import_record(folder, "a.jsonl", RECORD).new
    assert [each.key for each in saved_games(folder)] == ["1", "r1"]


def test_a_read_only_folder_can_be_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in another user's folder: SQLite cannot make its files beside the journal."""
    connect = sqlite3.connect

    class Refusing(sqlite3.Connection):
        def execute(self, sql: str, *values: object) -> sqlite3.Cursor:
            if sql.startswith("SELECT"):
                raise sqlite3.OperationalError("attempt to write a readonly database")
            return super().execute(sql, *values)

    def connected(name: object, **options: object) -> sqlite3.Connection:
        return connect(name, **(options | ({"factory": Refusing} if "mode=ro" in str(name) else {})))

    monkeypatch.setattr(sqlite3, "connect", connected)
    assert [each.key for each in saved_games(folder)] == ["1"]


@pytest.mark.parametrize(
    ("spoilt", "sentence"),
    [
        ("PRAGMA user_version=99", "was written by a newer perudo"),
        ("PRAGMA application_id=5", "is not a journal"),
        ("INSERT INTO event (step, start, at, kind, body) VALUES (99, 1, '', 'bid', '{')", "cannot be understood"),
        ("INSERT INTO event (step, start, at, kind, body) VALUES (99, 1, '', 'bid', '[]')", "cannot be understood"),
        (
            "INSERT INTO event (step, start, at, kind, body) VALUES (99, 1, '', 'rolled', '{\"dice\": []}')",
            "fit together",
        ),
        ("INSERT INTO event (step, start, at, kind, body) VALUES (99, 1, '', 'redone', '{}')", "does not fit together"),
        ("INSERT INTO record (at, name, lines) VALUES ('', '', 'x')", "Record 1 in .* cannot be replayed"),
        ("DROP TABLE record", "no such table"),
    ],
)
def test_an_invalid_journal_is_reported(folder: Path, spoilt: str, sentence: str) -> None:
    with closing(database(folder)) as journal:
        journal.execute(spoilt)
    with pytest.raises(JournalError, match=sentence):
        saved_games(folder)


def test_a_file_that_is_no_journal_is_reported(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite3").write_bytes(b"not a database at all, " * 100)
    with pytest.raises(JournalError, match="cannot be read"):
        saved_games(tmp_path)


# Records


def test_an_imported_record_is_a_game_like_the_others(tmp_path: Path) -> None:
    assert import_record(tmp_path, "a.jsonl", RECORD, now=lambda: NOW) == ImportedRecord("r1", new=True)
    (game,) = saved_games(tmp_path)
    assert (game.key, game.at, game.name, game.game.winner) == ("r1", NOW, "a.jsonl", "ben")


def test_the_same_record_is_imported_once_however_it_is_formatted(tmp_path: Path) -> None:
    assert import_record(tmp_path, "a.jsonl", RECORD).new
    otherwise = RECORD.replace(b',"mood":"bold"', b"").replace(b":", b": ").replace(b"\n", b"\r\n").rstrip()
    assert import_record(tmp_path, "b.jsonl", otherwise) == ImportedRecord("r1", new=False)
    assert len(saved_games(tmp_path)) == 1


def test_the_record_of_a_game_played_here_is_recognised(folder: Path) -> None:
    (own,) = saved_games(folder)
    text = "".join(f"{line}\n" for line in own.game.record[0])
    assert import_record(folder, "game-1.jsonl", text.encode()) == ImportedRecord("1", new=False)
    turned = []
    for each in map(json.loads, text.splitlines()):
        if each["event"] == "reveal":  # the players in another order, and the dice of each
            each["dice"] = {name: faces[::-1] for name, faces in reversed(each["dice"].items())}
        turned.append(json.dumps(each, ensure_ascii=True))
    assert any('"reveal"' in each for each in turned)
    assert import_record(folder, "turned.jsonl", "\n".join(turned).encode()) == ImportedRecord("1", new=False)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "The file is empty"),
        (b"\n", "Line 1: this line is empty."),
        (RECORD + b"\n", "Line 5: this line is empty."),
        (RECORD.replace(b"[3]", b"[3, 3]"), "Line 4: dice of ana: two shown, one expected."),
        (RECORD + RECORD, "Line 5: a game has begun already."),
        (b"\xff\xfe", "Line 1: this line is not UTF-8 text."),
    ],
)
def test_a_record_with_an_illegal_line_is_not_imported(tmp_path: Path, content: bytes, sentence: str) -> None:
    with pytest.raises(RecordFileError, match=sentence):
        import_record(tmp_path, "a.jsonl", content)
    assert list(tmp_path.iterdir()) == []


def test_a_byte_order_mark_before_a_record_is_ignored() -> None:
    """Some editors put one there."""
    assert record_lines(b"\xef\xbb\xbf" + RECORD) == record_lines(RECORD)


def test_an_endless_file_is_no_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.table.journal.saved_games.LARGEST_RECORD", 100)
    with pytest.raises(RecordFileError, match="too large"):
        record_lines(RECORD)


def test_a_record_that_cannot_be_saved_is_reported(folder: Path) -> None:
    with closing(database(folder)) as journal:
        journal.execute("CREATE TRIGGER no BEFORE INSERT ON record BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
    with pytest.raises(JournalError, match="the disk is full"):
        import_record(folder, "a.jsonl", RECORD)


# Everything as one file


def test_an_export_is_restored_and_the_table_goes_on(folder: Path, tmp_path: Path) -> None:
    import_record(folder, "a.jsonl", RECORD)
    file, other = tmp_path / "all.sqlite3", tmp_path / "new" / "state"
    assert write_backup(folder, file) == BackupContent(games=2, pictures=1, missing=0)
    assert {path.name for path in tmp_path.iterdir()} == {"state", "all.sqlite3"}
    assert restore_backup(file, other) == BackupContent(games=2, pictures=1, missing=0)
    assert saved_games(other) == saved_games(folder)
    assert (other / "pictures" / "1.jpg").read_bytes() == b"the picture"
    with Table(Journal(other)) as table:
        assert table.state().bid.count == 1
        table.do(commands.MakeBid("Ben", 2, 2))
    with closing(database(other)) as journal, pytest.raises(sqlite3.IntegrityError, match="append-only"):
        journal.execute("DELETE FROM event")
    with closing(database(other)) as journal:
        assert journal.execute("SELECT 1 FROM sqlite_master WHERE name = 'picture'").fetchone() is None


def test_the_pictures_of_undone_steps_are_exported_too(tmp_path: Path) -> None:
    with Table(Journal(tmp_path / "state")) as table:
        play(table)
        for _ in range(3):
            table.do(commands.Undo(table.state().undo.step))
        assert table.state().phase == "bidding"
    assert write_backup(tmp_path / "state", tmp_path / "all.sqlite3").pictures == 1


def test_a_copy_of_the_journal_itself_can_be_restored(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "copy.sqlite3").write_bytes((folder / "journal.sqlite3").read_bytes())
    assert restore_backup(tmp_path / "copy.sqlite3", tmp_path / "other") == BackupContent(1, pictures=0, missing=1)


def test_nothing_is_overwritten_unless_forced(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "all.sqlite3"
    file.write_text("something else")
    with pytest.raises(NotAllowedNowError, match="left as it is"):
        write_backup(folder, file)
    assert file.read_text() == "something else"
    write_backup(folder, file, overwrite=True)
    assert restore_backup(file, tmp_path / "other").games == 1
    with pytest.raises(NotAllowedNowError, match="the journal itself"):
        write_backup(folder, folder / "journal.sqlite3", overwrite=True)


def test_a_failed_export_is_reported_and_leaves_no_file(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"nowhere.* cannot be written"):
        write_backup(folder, tmp_path / "nowhere" / "all.sqlite3")
    with pytest.raises(JournalError, match="nothing has been played"):
        write_backup(tmp_path, tmp_path / "all.sqlite3")
    assert {path.name for path in tmp_path.iterdir()} == {"state"}


def test_nothing_is_restored_over_a_journal(folder: Path, tmp_path: Path) -> None:
    write_backup(folder, tmp_path / "all.sqlite3")
    before = saved_games(folder)
    with pytest.raises(NotAllowedNowError, match="--state"):
        restore_backup(tmp_path / "all.sqlite3", folder)
    with Table(Journal(tmp_path / "fresh")), pytest.raises(NotAllowedNowError, match="Another perudo"):
        restore_backup(tmp_path / "all.sqlite3", tmp_path / "fresh")
    assert saved_games(folder) == before


@pytest.mark.parametrize("left_behind", ["journal.sqlite3-wal", "pictures/1.jpg"])
def test_remains_of_another_journal_are_not_mixed_in(folder: Path, tmp_path: Path, left_behind: str) -> None:
    """SQLite would apply an old log to the new file, and an old picture would pass for the judged one."""
    write_backup(folder, tmp_path / "all.sqlite3")
    other = tmp_path / "other"
    (other / "pictures").mkdir(parents=True)
    (other / left_behind).write_bytes(b"old")
    with pytest.raises(NotAllowedNowError, match="move the files"):
        restore_backup(tmp_path / "all.sqlite3", other)
    assert not (other / "journal.sqlite3").exists()


@pytest.mark.parametrize(
    ("spoilt", "sentence"),
    [
        ("PRAGMA user_version=99", "newer perudo"),
        ("PRAGMA application_id=5", "is not a journal"),
        (
            "DROP TABLE picture; CREATE TABLE picture (reading, jpeg); INSERT INTO picture VALUES ('../x', 'y')",
            "damaged",
        ),
        ("DROP TABLE picture; CREATE TABLE picture (reading)", "damaged"),
    ],
)
def test_a_file_that_is_no_export_is_not_restored(folder: Path, tmp_path: Path, spoilt: str, sentence: str) -> None:
    file = tmp_path / "all.sqlite3"
    write_backup(folder, file)
    with closing(sqlite3.connect(file, isolation_level=None)) as exported:
        exported.executescript(spoilt)
    with pytest.raises(RecordFileError, match=sentence):
        restore_backup(file, tmp_path / "other")
    assert not (tmp_path / "other").exists()


def test_a_damaged_file_is_not_restored(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "all.sqlite3"
    write_backup(folder, file)
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])
    with pytest.raises(RecordFileError):
        restore_backup(file, tmp_path / "other")
    assert not (tmp_path / "other").exists()


def test_a_restore_that_was_killed_can_be_begun_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_backup(folder, tmp_path / "all.sqlite3")
    other = tmp_path / "other"

    def killed(_database: object) -> NoReturn:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(backup, "_picture_numbers", killed)  # after the pictures, before the journal
        with pytest.raises(KeyboardInterrupt):
            restore_backup(tmp_path / "all.sqlite3", other)
    restore_backup(tmp_path / "all.sqlite3", other)
    assert saved_games(other) == saved_games(folder)
    assert {each.name for each in other.iterdir()} == {"journal.sqlite3", "pictures"}
