"""The journal: what was told is there after any death of the process, and nothing is there twice."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from companion.engine import house_rules
from companion.table import Journal, JournalError, Table
from companion.table.events import BidMade, DudoCalled, GameOpened

GAME = GameOpened(("Ana", "Ben"), ("red", "blue"), "asmodee-fr", True, "Ana", (("raises", "any-face"),))

OLD_GAME = {
    "players": ["Ana", "Ben"],
    "colours": ["red", "blue"],
    "ruleset": "asmodee-fr",
    "calza": True,
    "starter": "Ana",
}
"""A game in a journal from before there were house rules."""

REPOSITORY = Path(__file__).resolve().parents[2]


def kept(folder: Path) -> list[tuple[str, str]]:
    """The kinds and bodies in the file, read past our own code."""
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
    assert journal.events() == (GAME, BidMade("Ana", 3, 4), DudoCalled("Ben"))
    assert journal.start == 2
    journal.close()


def test_the_disk_is_made_sure_of_at_every_commit(tmp_path: Path) -> None:
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


def test_two_processes_cannot_write_one_journal(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    with pytest.raises(JournalError, match="Another perudo"):
        Journal(tmp_path)
    journal.close()
    Journal(tmp_path).close()


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="cannot be used"):
        Journal(tmp_path / "file" / "state")


def test_a_file_that_is_no_database_is_said_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    path.write_bytes(b"not a database at all, " * 100)
    with pytest.raises(JournalError, match="cannot be used"):
        Journal(tmp_path)
    assert path.read_bytes() == b"not a database at all, " * 100


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "journal.sqlite3") as database:
        database.execute("PRAGMA application_id=77")
        database.execute("CREATE TABLE theirs (x)")
    database.close()
    with pytest.raises(JournalError, match="another program"):
        Journal(tmp_path)


def test_a_journal_of_a_later_version_is_refused(tmp_path: Path) -> None:
    Journal(tmp_path).close()
    with sqlite3.connect(tmp_path / "journal.sqlite3") as database:
        database.execute("PRAGMA user_version=99")
    database.close()
    with pytest.raises(JournalError, match="newer perudo"):
        Journal(tmp_path)


def written(folder: Path, kind: str, body: str) -> None:
    """A line put into a new journal past our own code."""
    Journal(folder).close()
    with sqlite3.connect(folder / "journal.sqlite3") as database:
        database.execute("INSERT INTO event (start, at, kind, body) VALUES (1, '', ?, ?)", (kind, body))
    database.close()


def test_a_game_from_before_there_were_house_rules_goes_on_by_the_book(tmp_path: Path) -> None:
    written(tmp_path, "game", json.dumps(OLD_GAME))
    with Table(Journal(tmp_path), house=house_rules({"raises": "any-face"})) as table:
        assert table.state()["phase"] == "bidding"
        assert "rules" not in table.state()


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
def test_a_line_that_makes_no_sense_is_said_not_skipped(tmp_path: Path, kind: str, body: str) -> None:
    written(tmp_path, kind, body)
    journal = Journal(tmp_path)
    with pytest.raises(JournalError, match=r"cannot be understood|does not fit together"):
        Table(journal)
    journal.close()


def bid_on(table: Table, times: int) -> None:
    for _ in range(times):
        state = table.state()
        table.bid(state["turn"], (state["bid"] or {"count": 0})["count"] + 1, 2)


def test_what_cannot_be_written_was_not_done(tmp_path: Path) -> None:
    with Table(Journal(tmp_path)) as table:
        table.new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana")
        full = table._journal._open()
        full.execute("PRAGMA max_page_count=1")
        with pytest.raises(JournalError, match="not done"):
            bid_on(table, 50)
        told = table.state()
        full.execute("PRAGMA max_page_count=100000")
        assert len(kept(tmp_path)) - 1 == (told["bid"]["count"] if told["bid"] else 0)
        bid_on(table, 1)
        assert table.state()["bid"]["count"] == (told["bid"] or {"count": 0})["count"] + 1


def test_a_picture_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.keep_picture(1, b"jpeg")
    assert (tmp_path / "pictures" / "1.jpg").read_bytes() == b"jpeg"
    assert list((tmp_path / "pictures").glob("*.part")) == []
    journal.close()


# Killed


PLAY = """
import os, signal, sys
from pathlib import Path

from companion.table import Journal, Table
from companion.table.scripted import laid_out

folder, point, number = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
count = 0

def die(here):
    global count
    count += here == point
    if here == point and count == number:
        os.kill(os.getpid(), signal.SIGKILL)

journal = Journal(folder)
append, keep = journal.append, journal.keep_picture
journal._open().set_trace_callback(lambda sql: die("commit") if sql == "COMMIT" else None)

def appended(events):
    die("before")
    append(events)
    die("after")

def kept(number, jpeg):
    keep(number, jpeg)
    die("picture")

journal.append, journal.keep_picture = appended, kept
table = Table(journal)

def tell(state):
    print(state["phase"], state["round"], (state["bid"] or {}).get("count"), flush=True)

tell(table.new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"))
for _ in range(3):
    tell(table.bid(table.state()["turn"], 9, 4))
    tell(table.dudo())
    wanted = table.reveal_wanted()
    shown = {player.colour: [3] * player.dice for player in wanted.players}
    tell(table.take_reading(wanted.reveal, laid_out(shown), b"a picture"))
    tell(table.set_die(0, face=2))
    tell(table.next())
"""

TOLD_PER_ROUND = ["bid", "dudo", "reading+judged", "die-set+judged", "round"]


def killed(folder: Path, point: str, number: int) -> list[str]:
    """Play until the process is killed at that point; everything it had told by then."""
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    done = subprocess.run(
        [sys.executable, "-c", PLAY, str(folder), point, str(number)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    return done.stdout.splitlines()


def told_again(folder: Path) -> str:
    with Table(Journal(folder)) as table:
        state = table.state()
        return f"{state['phase']} {state['round']} {(state['bid'] or {}).get('count')}"


@pytest.mark.parametrize("number", [1, 2, 4, 5, 6, 9])
@pytest.mark.parametrize("point", ["before", "commit", "after"])
def test_killed_at_any_step_the_table_goes_on_where_it_was(tmp_path: Path, point: str, number: int) -> None:
    told = killed(tmp_path, point, number)
    commands = ["game", *TOLD_PER_ROUND * 3]
    done = number if point == "after" else number - 1
    expected = [kind for command in commands[:done] for kind in command.split("+")]
    assert [kind for kind, _ in kept(tmp_path)] == expected
    assert len(told) == number - 1  # killed before the last one was told, whether or not it was on disk
    if told and point != "after":
        assert told_again(tmp_path) == told[-1]


def test_killed_between_a_picture_and_its_reading_the_dice_are_read_again(tmp_path: Path) -> None:
    told = killed(tmp_path, "picture", 1)
    assert told[-1].startswith("reading")
    with Table(Journal(tmp_path)) as table:
        assert table.state()["phase"] == "reading"
        assert table.reveal_wanted() is not None


def test_every_reading_in_the_journal_has_its_picture(tmp_path: Path) -> None:
    killed(tmp_path, "after", 10)
    readings = sum(kind == "reading" for kind, _ in kept(tmp_path))
    assert readings == 2
    assert {path.name for path in (tmp_path / "pictures").iterdir()} == {"1.jpg", "2.jpg"}
