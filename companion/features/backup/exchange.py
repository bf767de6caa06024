"""Replaces the state folder with a restored one, at the start, before the journal is opened.

    restore.draft/          incomplete; removed at the next start
    restore/                complete: its `state/` will replace what `plan.json` names
    restore.moving/         the present state is aside; its replacement is being moved in
    before-restore-N/       the previous state, in the same form, so that it can be restored in the same way
    restored.json           the last restore

The folder's name says how far the restore has come, and each step is one rename, so after a power cut the next start
continues where the last one ended. The program never runs with a mixture of both states.
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
"""Previous states that are kept; the oldest are removed."""

_BEFORE: Final = re.compile(r"before-restore-([1-9]\d{0,8})")

REPLACED_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "games": ("journal.sqlite3", "journal.sqlite3-wal", "journal.sqlite3-shm", "journal.sqlite3-journal", "pictures"),
    "profiles": (PROFILES_FOLDER, "profile.json"),
    "examples": (Path(EXAMPLES_FILE).parts[0],),
    "secrets": (*SECRET_FILES, f"{SECRET_FILES[1]}-journal"),
}
"""Part of a backup -> the names in the state folder that it replaces. Parts missing from the backup stay."""

Request = dict[str, str]
"""A request to root: see `companion.box.root_requests`."""


class RestorePlan(Struct, frozen=True, kw_only=True):
    """What is restored, and what it replaces."""

    number: int
    """The N of `before-restore-N`."""
    names: tuple[str, ...]
    """What is moved aside, if it exists."""
    description: BackupDescription
    """The restored state."""
    replaced: BackupDescription
    """The replaced state."""
    requests: tuple[Request, ...] = ()
    """The requests to root after the restore."""
    undoing: tuple[Request, ...] = ()
    """The requests to root that undo them."""
    back: bool = False
    """True if this undoes an earlier restore."""


def names_of(parts: tuple[str, ...]) -> tuple[str, ...]:
    """The names in the state folder that these parts replace."""
    return tuple(name for part in parts for name in REPLACED_NAMES[part])


def before_folders(state: Path) -> list[Path]:
    """The folders of the previous states, oldest first."""
    numbers = {int(match[1]): each for each in state.glob("before-restore-*") if (match := _match(each))}
    return [numbers[number] for number in sorted(numbers)]


def next_number(state: Path) -> int:
    """The number of the next `before-restore-N`."""
    return max((int(match[1]) for match in map(_match, before_folders(state)) if match), default=0) + 1


def plan_in(folder: Path) -> RestorePlan:
    """The plan in a folder. Raises `OSError` and `ValueError`."""
    return read_json((folder / PLAN_FILE).read_bytes(), RestorePlan)


def result_of(state: Path) -> RestorePlan | None:
    """The plan of the last restore; None if there was none."""
    try:
        return _kept_plan(state / RESTORE_RESULT)
    except OSError as error:
        log.warning("%s cannot be read: %s", state / RESTORE_RESULT, error)
        return None


def _kept_plan(path: Path) -> RestorePlan | None:
    """The plan in a file; None if it is missing or damaged. Raises `OSError`."""
    return read_kept(path, lambda content: read_json(content, RestorePlan), "What was put in place is not known.")


def write_result(state: Path, plan: RestorePlan) -> None:
    """Save the plan of the last restore. Raises `OSError`."""
    write_atomically(state / RESTORE_RESULT, msgspec.json.encode(plan), mode=0o600)


def commit(state: Path, folder: Path, plan: RestorePlan) -> None:
    """Commit to restoring `folder` at the next start. Raises `OSError`, with nothing changed."""
    write_atomically(folder / PLAN_FILE, msgspec.json.encode(plan), mode=0o600)
    os.sync()  # everything is on the disk before its name says so
    folder.rename(state / RESTORE_READY)
    sync_folder(state)


def undo_at_next_start(state: Path, done: RestorePlan) -> None:
    """Commit to restoring the state before `done` at the next start. Raises `OSError` and `ValueError`."""
    before = state / f"before-restore-{done.number}"
    commit(state, before, replace(plan_in(before), number=next_number(state), replaced=done.description))


def exchange(state: Path) -> RestorePlan | None:
    """At the start: remove incomplete drafts, and carry out a restore that is ready. Returns its plan, if any.

    Raises `OSError` if it cannot be finished; the next start continues. If it cannot begin, nothing changes.
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
        return None  # another program uses the folder; opening the journal will report it


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
    if plan is None:  # the replaced state is already aside
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
    """Remove a folder: rename it to a draft, then delete."""
    draft = folder.with_name(RESTORE_DRAFT)
    shutil.rmtree(draft, ignore_errors=True)
    folder.rename(draft)
    shutil.rmtree(draft, ignore_errors=True)


def _match(folder: Path) -> re.Match[str] | None:
    return _BEFORE.fullmatch(folder.name)
