"""A restored folder in place of the present one, at the start: all of the old or all of the new, even if killed."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion import app
from companion.features.backup.description import BackupDescription
from companion.features.backup.exchange import (
    MOST_BEFORE,
    RESTORE_DRAFT,
    RESTORE_READY,
    RestorePlan,
    before_folders,
    commit,
    exchange,
    names_of,
    next_number,
    plan_in,
    result_of,
)
from companion.table import Journal, JournalError, Table
from companion.table.journal.saved_games import saved_games
from tests.fakes.played_box import played_box

PARTS = ("games", "profiles")
NAMES = ("journal.sqlite3", "journal.sqlite3-wal", "journal.sqlite3-shm", "pictures", "profiles")
"""What these parts are. A log of the old journal would be played into the new one."""
STEPS = ("os.rename", "os.remove", "os.rmdir", "os.mkdir", "shutil.rmtree", "open")
"""What Python tells of before it does it."""


def description(name: str) -> BackupDescription:
    return BackupDescription(
        format=1,
        program="0.1.0",
        name=name,
        made="2026-05-03T18:30:00+00:00",
        games=1,
        last=None,
        pictures=1,
        profiles=1,
        configuration=False,
        examples=False,
        secrets=False,
    )


def plan(state: Path) -> RestorePlan:
    return RestorePlan(
        number=next_number(state), names=names_of(PARTS), description=description("new"), replaced=description("old")
    )


def contents(folder: Path) -> dict[str, bytes]:
    """What a backup replaces."""
    found = {}
    for name in NAMES:
        for path in [folder / name, *(folder / name).rglob("*")]:
            if path.is_file():
                found[path.relative_to(folder).as_posix()] = path.read_bytes()
    return found


@dataclass
class Boxes:
    state: Path
    old: dict[str, bytes]
    new: dict[str, bytes]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state folder with two games, and a draft with one to replace it."""
    folder = tmp_path_factory.mktemp("original")
    played_box(folder / "state", games=2, calibration="Attic")
    (folder / "state/journal.sqlite3-wal").write_bytes(b"of the old journal")  # as after a power cut
    played_box(folder / "draft/state", games=1, calibration=None)
    return folder


def boxes(original: Path, tmp_path: Path) -> Boxes:
    state = tmp_path / "state"
    for source, target in ((original / "state", state), (original / "draft", state / RESTORE_DRAFT)):
        for path in source.rglob("*"):
            if path.is_file():
                place = target / path.relative_to(source)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(path.read_bytes())
    for name in ("access.json", "phones.sqlite3"):
        (state / RESTORE_DRAFT / "state" / name).unlink()
    return Boxes(state, contents(state), contents(state / RESTORE_DRAFT / "state"))


@pytest.fixture
def there(original: Path, tmp_path: Path) -> Boxes:
    return boxes(original, tmp_path)


def make_ready(state: Path) -> None:
    commit(state, state / RESTORE_DRAFT, plan(state))


def put_in_place(state: Path) -> None:
    make_ready(state)
    exchange(state)


def killed_after(steps: int, state: Path) -> bool:
    """Put the draft in place in a process that is killed before its next step; whether it was."""
    child = os.fork()
    if child == 0:
        left = steps

        def watch(event: str, args: tuple[object, ...]) -> None:
            nonlocal left
            if event in STEPS and (event != "open" or (isinstance(args[2], int) and args[2] & os.O_CREAT)):
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                left -= 1

        sys.addaudithook(watch)
        try:
            put_in_place(state)
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def test_killed_between_any_two_steps_the_next_start_has_all_old_or_all_new(original: Path, tmp_path: Path) -> None:
    olds = news = steps = 0
    while True:
        there = boxes(original, tmp_path / str(steps))
        was_killed = killed_after(steps, there.state)
        committed = not (there.state / RESTORE_DRAFT / "state/journal.sqlite3").exists()
        exchange(there.state)
        now = contents(there.state)
        assert now in (there.old, there.new), f"a mixture after {steps} steps"
        if now == there.new:
            news += 1
            (before,) = before_folders(there.state)
            assert contents(before / "state") == there.old, "and what was there before is kept whole"
            assert result_of(there.state) is not None
        else:
            olds += 1
            assert not committed
        assert {path.name for path in there.state.iterdir() if path.name.startswith("restore")} <= {"restored.json"}
        if not was_killed:
            break
        steps += 1
    assert now == there.new
    assert olds > 2, "some were killed before it was ready"
    assert news > 15, "and some while it was put in place"


def test_what_was_there_before_can_be_put_back_and_that_undone(there: Boxes) -> None:
    keys = (there.state / "access.json").read_bytes()
    put_in_place(there.state)
    assert contents(there.state) == there.new
    assert not (there.state / "profiles").exists(), "the calibration of the old state is moved aside too"
    for wanted, back in ((there.old, True), (there.new, False)):
        before = there.state / f"before-restore-{result_of(there.state).number}"
        commit(there.state, before, replace(plan_in(before), number=next_number(there.state)))
        exchange(there.state)
        assert contents(there.state) == wanted
        assert result_of(there.state).back is back
    assert (there.state / "access.json").read_bytes() == keys
    with Table(Journal(there.state)):
        assert len(saved_games(there.state)) == 1


@pytest.mark.parametrize(("ends", "back"), [(JournalError("it does not open"), True), (KeyboardInterrupt(), False)])
def test_a_first_start_that_fails_has_the_next_one_put_back_what_was_there(
    there: Boxes, ends: BaseException, back: bool
) -> None:
    make_ready(there.state)
    trial = app._put_in_place(there.state)
    assert contents(there.state) == there.new
    trial.__exit__(type(ends), ends, None)
    app._put_in_place(there.state)
    assert contents(there.state) == (there.old if back else there.new)
    assert result_of(there.state).back is back


def test_an_error_after_the_start_keeps_the_backup(there: Boxes) -> None:
    make_ready(there.state)
    trial = app._put_in_place(there.state)
    trial.pop_all()
    trial.__exit__(RuntimeError, RuntimeError("an hour later"), None)
    assert exchange(there.state) is None
    assert contents(there.state) == there.new


def test_of_many_earlier_states_the_last_ones_stay(original: Path, tmp_path: Path) -> None:
    for number in range(MOST_BEFORE + 2):
        there = boxes(original, tmp_path)
        put_in_place(there.state)
        assert len(before_folders(there.state)) == min(number + 1, MOST_BEFORE)
    assert [each.name for each in before_folders(there.state)] == [f"before-restore-{n}" for n in (3, 4, 5)]


def test_if_it_cannot_be_moved_all_stays(there: Boxes, monkeypatch: pytest.MonkeyPatch) -> None:
    make_ready(there.state)
    rename = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if self.name == "profiles" and self.parent == there.state:
            raise OSError(5, "Input/output error")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse)
    assert exchange(there.state) is None
    assert contents(there.state) == there.old
    assert not (there.state / RESTORE_READY).exists()


def test_what_is_kept_already_is_not_overwritten(there: Boxes) -> None:
    """As after a power cut in the middle, if something made the file anew."""
    kept = there.state / "before-restore-1" / "state"
    kept.mkdir(parents=True)
    (kept / "journal.sqlite3").write_bytes(b"what was there before")
    commit(there.state, there.state / RESTORE_DRAFT, replace(plan(there.state), number=1))
    exchange(there.state)
    assert (kept / "journal.sqlite3").read_bytes() == b"what was there before"
    assert contents(there.state) == there.new


def test_a_folder_without_a_plan_is_not_put_in_place(there: Boxes) -> None:
    (there.state / RESTORE_DRAFT).rename(there.state / RESTORE_READY)
    assert exchange(there.state) is None
    assert contents(there.state) == there.old


def test_nothing_is_moved_under_a_program_that_runs(there: Boxes) -> None:
    (there.state / "journal.sqlite3-wal").unlink()
    with Table(Journal(there.state)):
        make_ready(there.state)
        assert exchange(there.state) is None
        assert (there.state / RESTORE_READY).is_dir()
    assert exchange(there.state) is not None
