"""Sets a damaged journal aside, and continues with its readable part.

The damaged file stays in the folder, unchanged, under another name. After a power cut at any moment, either the damaged
journal or the new one is in its place.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from calibration.atomic_write import sync_folder
from companion.kept_file import asides
from companion.table.errors import DamagedJournalError, JournalError
from companion.table.journal.disk import hold_folder, reason
from companion.table.journal.saved_games import ReadableRows, journal_file, readable_rows
from companion.table.journal.schema import a_copy, check_log, version_in, write_new


@dataclass(frozen=True, slots=True)
class Repair:
    """The result of repairing a damaged journal."""

    aside: Path
    """The damaged journal, unchanged."""
    damage: tuple[str, ...]
    """A sentence for every part that cannot be read."""


def repair_journal(folder: Path, found: DamagedJournalError | None = None) -> Repair | None:
    """Set the journal in `folder` aside if it is damaged, and replace it with its readable part.

    `found`: the damage that kept it from being opened. Returns None if nothing is damaged. Raises `JournalError` if the
    repair fails or the file is not ours, and `NotAllowedNowError` while another perudo uses the folder; the journal
    then stays as it is. Root acts as the folder's owner, who must be able to write the new file.
    """
    path = journal_file(folder)
    with hold_folder(folder):
        try:
            if not path.exists():
                return None
            damage = [] if found is None else [found.what]
            if found is None:
                try:
                    check_log(path)
                    version_in(path)
                except DamagedJournalError as error:
                    damage.append(error.what)
            # An earlier repair, interrupted by a power cut, set the log aside but did not replace the file.
            aside = next((each for each in asides(path) if each.exists() and each.samefile(path)), None)
            with a_copy(aside or path, whole_log=True) as database:
                rows = readable_rows(database, path)
            damage += rows.damage
            if not damage:
                return None
            return Repair(_replace(path, aside, rows), tuple(damage))
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"The journal {path} cannot be set aside: {reason(error, folder)}.") from error


def damage_in(folder: Path) -> tuple[str, ...]:
    """A sentence for every part of the journal in `folder` that cannot be read. Raises `JournalError` and `OSError`."""
    path = journal_file(folder)
    if not path.exists():
        return ()
    try:
        version_in(path)
    except DamagedJournalError as error:
        return (error.what,)
    with a_copy(path) as database:
        return tuple(readable_rows(database, path).damage)


def _replace(path: Path, aside: Path | None, rows: ReadableRows) -> Path:
    """Write these rows to a new journal in place of the old one. Returns the path of the old one."""
    draft = path.with_suffix(".repaired")
    for end in ("", "-journal"):
        Path(f"{draft}{end}").unlink(missing_ok=True)
    write_new(draft, rows.starts, rows.events, rows.records)
    draft.chmod(path.stat().st_mode & 0o777)
    if aside is None:
        *_, aside = asides(path)
        aside.hardlink_to(path)
    log = Path(f"{path}-wal")
    if log.exists() and log.stat().st_size:
        log.rename(f"{aside}-wal")
    for end in ("-wal", "-shm"):
        Path(f"{path}{end}").unlink(missing_ok=True)
    sync_folder(path.parent)
    draft.replace(path)
    sync_folder(path.parent)
    return aside
