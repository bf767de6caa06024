"""What root does in a folder that is somebody else's: as that somebody, so that nothing in it leads further."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from companion.state_folder import as_owner_of
from companion.table import Journal, Table
from companion.table.errors import JournalError
from companion.table.journal.backup import restore_backup, write_backup
from companion.table.journal.saved_games import journal_file
from tests.companion.cli.conftest import play_two

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as somebody else")

NOBODY = 65534


def give(*paths: Path) -> None:
    """Make the paths, and all in them, nobody's."""
    for path in paths:
        for each in (path, *path.rglob("*")):
            os.lchown(each, NOBODY, NOBODY)


def owners(folder: Path) -> set[int]:
    return {each.lstat().st_uid for each in (folder, *folder.rglob("*"))}


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that everybody may enter: those above pytest's are shut to others."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def roots(place: Path) -> Path:
    """A folder for root only, with a secret in it."""
    folder = place / "roots"
    folder.mkdir(mode=0o700)
    (folder / "secret").write_text("a password")
    (folder / "secret").chmod(0o600)
    return folder


@pytest.fixture
def state(place: Path) -> Path:
    """Nobody's state folder, with a game and its judged picture."""
    folder = place / "state"
    with Table(Journal(folder), clock=count().__next__) as table:
        play_two(table)
    assert (folder / "pictures" / "1.jpg").is_file()
    give(folder)
    return folder


def perudo(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the program as root, as its users do: what it imports late must still be readable."""
    return subprocess.run(
        (sys.executable, "-m", "companion.cli", *map(str, arguments)), capture_output=True, text=True, check=False
    )


def test_what_root_restores_belongs_to_the_owner_of_the_folder(state: Path, roots: Path, place: Path) -> None:
    write_backup(state, roots / "all.sqlite3")
    assert owners(roots) == {0}, "the file is root's, where only root may write"
    other = place / "other"
    other.mkdir()
    give(other)
    assert perudo("import", roots / "all.sqlite3", "--state", other).returncode == 0
    assert owners(other) == {NOBODY}


def test_a_link_in_the_folder_leads_root_nowhere(state: Path, roots: Path, place: Path) -> None:
    write_backup(state, place / "all.sqlite3")
    other = place / "other"
    other.mkdir()
    (other / "pictures").symlink_to(roots)
    give(other)
    with pytest.raises(JournalError):
        restore_backup(place / "all.sqlite3", other)
    assert owners(roots) == {0}
    assert [each.name for each in roots.iterdir()] == ["secret"]


def test_a_link_in_place_of_the_folder_leads_root_nowhere(place: Path, roots: Path) -> None:
    (place / "link").symlink_to(roots)
    (roots / "club").mkdir()
    os.lchown(place / "link", NOBODY, NOBODY)
    for folder in (place / "link", place / "link" / "club"):
        with pytest.raises(PermissionError), as_owner_of(folder):
            (folder / "file").write_text("x")
    assert os.geteuid() == 0


def test_what_the_owner_may_not_read_is_in_no_backup(state: Path, roots: Path, place: Path) -> None:
    (state / "pictures" / "1.jpg").unlink()
    (state / "pictures" / "1.jpg").symlink_to(roots / "secret")
    done = write_backup(state, place / "all.sqlite3")
    assert done.missing == 1
    assert b"a password" not in (place / "all.sqlite3").read_bytes()


def test_a_bundle_has_no_picture_that_the_owner_may_not_read(state: Path, roots: Path) -> None:
    (state / "pictures" / "1.jpg").unlink()
    (state / "pictures" / "1.jpg").symlink_to(roots / "secret")
    give(state)
    file = roots / "report.zip"
    done = perudo("doctor", "--state", state, "--bundle", file, "--with-pictures", "--with-games")
    assert "doctor.txt" in done.stderr
    assert "game-2-part-1.jsonl" in done.stderr
    assert "pictures/1.jpg" not in done.stderr
    assert "pictures/2.jpg" in done.stderr
    assert owners(state) == {NOBODY}


@pytest.mark.parametrize("command", ["games", "stats", "export", "doctor", "review", "import"])
def test_a_command_of_root_does_its_work_and_leaves_the_owner_all(state: Path, roots: Path, command: str) -> None:
    record = roots / "record.jsonl"
    record.write_text(perudo("export", 2, "--out", "-", "--state", state).stdout.replace("Cid", "Dot"))
    arguments = {"export": ["--out", roots], "doctor": ["--repair"], "review": [1], "import": [record]}.get(command, [])
    done = perudo(command, *arguments, "--state", state)
    assert done.returncode == 0 or command == "doctor", done.stderr
    assert "cannot" not in done.stderr
    assert owners(state) == {NOBODY}


def test_a_damaged_journal_that_root_repairs_stays_the_owners(state: Path) -> None:
    os.truncate(journal_file(state), journal_file(state).stat().st_size - 4096)
    done = perudo("doctor", "--repair", "--state", state)
    assert "The damaged journal is in" in done.stdout + done.stderr, done.stderr
    assert owners(state) == {NOBODY}


def test_a_folder_that_its_owner_cannot_enter_is_told(state: Path, roots: Path) -> None:
    done = perudo("games", "--state", state.rename(roots / "state"))
    assert done.returncode == 2
    assert "it belongs to the user nobody, who cannot enter it" in done.stderr
