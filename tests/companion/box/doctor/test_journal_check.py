"""What the doctor says of the journal."""

from __future__ import annotations

from pathlib import Path

from companion.box.doctor.diagnosis import Severity
from companion.box.doctor.journal import journal
from companion.table import Journal, Table
from tests.fakes.new_game import new_game


def test_a_sound_journal_is_good_and_none_is_no_fault(tmp_path: Path) -> None:
    assert journal(tmp_path).severity is Severity.ABSENT
    with Table(Journal(tmp_path)) as table:
        table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"))
    found = journal(tmp_path)
    assert (found.severity, "1 game, every event can be read" in found.sentence) == (Severity.GOOD, True)


def test_a_file_of_nonsense_is_bad_and_the_cure_is_named(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite3").write_bytes(b"nonsense " * 1000)
    found = journal(tmp_path)
    assert (found.severity, "perudo doctor --repair" in found.sentence) == (Severity.BAD, True)


def test_a_folder_in_its_place_is_bad(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite3").mkdir()
    found = journal(tmp_path)
    assert (found.severity, "cannot be read" in found.sentence) == (Severity.BAD, True)
