"""Putting a restored state folder in place of the present one, at the start, before the journal is opened.

    restore.draft/          being made; removed at the next start
    restore/                complete: `state/` is put in place of what `plan.json` names
    restore.moving/         the present state lies aside; what replaces it is being moved in
    before-restore-N/       what was there before, in the same form, so that it can be put back in the same way
    restored.json           what was put in place last

The name of the folder says how far it has come, and each step is one rename, so that after a power cut the next start
goes on where the last one ended. The program never runs with a part of both.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from calibration.atomic_write import sync_folder, write_atomically
from companion.features.backup.description import EXAMPLES_FILE, PROFILES_FOLDER, SECRET_FILES, BackupDescription
from companion.kept_file import read_kept
from companion.messages.sentence import read_json
from companion.table.errors import NotAllowedNowError
from companion.table.journal.disk import hold_folder

log = logging.getLogger(__name__)

RESTORE_DRAFT: Final = "restore.draft"
RESTORE_READY: Final = "restore"
RESTORE_MOVING: Final = "restore.moving"
RESTORE_RESULT: Final = "restored.json"
"""Names in the state folder."""
PLAN_FILE: Final = "plan.json"
INCOMING: Final = "state"
"""Names in those folders."""
MOST_BEFORE: Final = 3
"""Earlier states kept; the oldest go."""

_BEFORE: Final = re.compile(r"before-restore-([1-9]\d{0,8})")

REPLACED_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "games": ("journal.sqlite3", "journal.sqlite3-wal", "journal.sqlite3-shm", "journal.sqlite3-journal", "pictures"),
    "profiles": (PROFILES_FOLDER, "profile.json"),
    "examples": (Path(EXAMPLES_FILE).parts[0],),
    "secrets": (*SECRET_FILES, f"{SECRET_FILES[1]}-journal"),
}
"""Part of a backup -> the names in the state folder that it replaces. What a backup does not have stays."""

Request = dict[str, str]
"""What root is asked for (`companion.box.root_requests`)."""


class RestorePlan(Struct, frozen=True, kw_only=True):
    """What is put in place, and what it replaces."""

    number: int
    """The N of `before-restore-N`."""
    names: tuple[str, ...]
    """What is moved aside, if it is there."""
    description: BackupDescription
    """What is put in place."""
    replaced: BackupDescription
    """What it replaces."""
    requests: tuple[Request, ...] = ()
    """What root is asked for once it is in place."""
    undoing: tuple[Request, ...] = ()
    """What root is asked for when it is undone."""
    back: bool = False
    """Whether this undoes an earlier one."""


def names_of(parts: tuple[str, ...]) -> tuple[str, ...]:
    """The names in the state folder that these parts replace."""
    return tuple(name for part in parts for name in REPLACED_NAMES[part])


def before_folders(state: Path) -> list[Path]:
    """The states kept, oldest first."""
    numbers = {int(match[1]): each for each in state.glob("before-restore-*") if (match := _match(each))}
    return [numbers[number] for number in sorted(numbers)]


def next_number(state: Path) -> int:
    """The number of the next `before-restore-N`."""
    return max((int(match[1]) for match in map(_match, before_folders(state)) if match), default=0) + 1


def plan_in(folder: Path) -> RestorePlan:
    """The plan of a folder. Raises `OSError` and `ValueError`."""
    return read_json((folder / PLAN_FILE).read_bytes(), RestorePlan)


def result_of(state: Path) -> RestorePlan | None:
    """What was put in place last; None if nothing was."""
    try:
        return _kept_plan(state / RESTORE_RESULT)
    except OSError as error:
        log.warning("%s cannot be read: %s", state / RESTORE_RESULT, error)
        return None


def _kept_plan(path: Path) -> RestorePlan | None:
    """The plan in a file; None if there is none, or a damaged one. Raises `OSError`."""
    return read_kept(path, lambda content: read_json(content, RestorePlan), "What was put in place is not known.")


def write_result(state: Path, plan: RestorePlan) -> None:
    """Write what was put in place last. Raises `OSError`."""
    write_atomically(state / RESTORE_RESULT, msgspec.json.encode(plan), mode=0o600)


def commit(state: Path, folder: Path, plan: RestorePlan) -> None:
    """From now on the next start puts `folder` in place. Raises `OSError`; then nothing is changed."""
    write_atomically(folder / PLAN_FILE, msgspec.json.encode(plan), mode=0o600)
    os.sync()  # all of it is on the disk before its name says so
    folder.rename(state / RESTORE_READY)
    sync_folder(state)


def undo_at_next_start(state: Path, done: RestorePlan) -> None:
    """From now on the next start puts back what was here before `done`. Raises `OSError` and `ValueError`."""
    before = state / f"before-restore-{done.number}"
    commit(state, before, replace(plan_in(before), number=next_number(state), replaced=done.description))


def exchange(state: Path) -> RestorePlan | None:
    """At the start: remove what was left half done, and put in place what is ready. The plan if there was one.

    Raises `OSError` if it cannot be finished; the next start goes on. If it cannot be begun, all stays as it was.
    """
    if not any(_steps(state)):
        return None
    try:
        with hold_folder(state):
            shutil.rmtree(state / RESTORE_DRAFT, ignore_errors=True)
            if (state / RESTORE_READY).is_dir() and not _put_aside(state):
                return None
            return _put_in_place(state) if (state / RESTORE_MOVING).is_dir() else None
    except NotAllowedNowError:
        return None  # another program uses the folder, and opening the journal will say so


def _steps(state: Path) -> Iterator[bool]:
    yield from ((state / name).is_dir() for name in (RESTORE_DRAFT, RESTORE_READY, RESTORE_MOVING))


def _put_aside(state: Path) -> bool:
    ready = state / RESTORE_READY
    try:
        plan = plan_in(ready)
        before = state / f"before-restore-{plan.number}"
        kept = before / INCOMING
        kept.mkdir(parents=True, exist_ok=True)
        undo = RestorePlan(
            number=plan.number,
            names=plan.names,
            description=plan.replaced,
            replaced=plan.description,
            requests=plan.undoing,
            undoing=plan.requests,
            back=not plan.back,
        )
        write_atomically(before / PLAN_FILE, msgspec.json.encode(undo), mode=0o600)
    except (OSError, ValueError):
        log.exception("what is in %s cannot be put in place", ready)
        _discard(ready)
        return False
    try:
        for name in plan.names:
            if os.path.lexists(state / name) and not os.path.lexists(kept / name):
                (state / name).rename(kept / name)
        sync_folder(kept)
        sync_folder(state)
        ready.rename(state / RESTORE_MOVING)
        sync_folder(state)
    except OSError:
        log.exception("what is in %s cannot be moved aside: all stays as it was", state)
        for name in plan.names:
            if os.path.lexists(kept / name):
                (kept / name).rename(state / name)
        _discard(ready)
        return False
    return True


def _put_in_place(state: Path) -> RestorePlan | None:
    moving = state / RESTORE_MOVING
    plan = _kept_plan(moving / PLAN_FILE)
    for each in sorted((moving / INCOMING).iterdir()):
        each.rename(state / each.name)
    sync_folder(state)
    if plan is None:  # what it replaces lies aside already
        _discard(moving)
        return None
    write_result(state, plan)
    _discard(moving)
    for old in before_folders(state)[:-MOST_BEFORE]:
        shutil.rmtree(old, ignore_errors=True)
    log.warning(
        "%s was put in place; what was there before is in before-restore-%d", plan.description.made, plan.number
    )
    return plan


def _discard(folder: Path) -> None:
    """Remove a folder; half of it never has its name."""
    draft = folder.with_name(RESTORE_DRAFT)
    shutil.rmtree(draft, ignore_errors=True)
    folder.rename(draft)
    shutil.rmtree(draft, ignore_errors=True)


def _match(folder: Path) -> re.Match[str] | None:
    return _BEFORE.fullmatch(folder.name)
