"""Backups on the page: making one, uploading one in pieces, checking it, and restoring it with a restart."""

from __future__ import annotations

import logging
import re
import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import IO, Final

from msgspec.structs import replace

from companion.box.restart import Restart, become_second
from companion.box.root_requests import HOST_NAME, RootRequestError, RootRequests
from companion.config.secrets import for_this_box, shortened_addresses
from companion.features.backup.archive import (
    LARGEST_BACKUP,
    check_room,
    lay_out_state,
    settings_in,
    unpack_archive,
    write_archive,
)
from companion.features.backup.description import (
    BACKUP_FORMAT,
    BackupDescription,
    BackupError,
    BackupNotNowError,
    Number,
)
from companion.features.backup.exchange import (
    INCOMING,
    RESTORE_DRAFT,
    Request,
    RestorePlan,
    commit,
    names_of,
    next_number,
    plan_in,
    result_of,
    write_result,
)
from companion.messages.message import Message
from companion.messages.sentence import Sentence, Value, read_json
from companion.state_folder import CLUB_FILE
from companion.table.errors import JournalError
from companion.table.journal.saved_games import saved_games

log = logging.getLogger(__name__)

BACKUP_FOLDER: Final = "backup.tmp"
"""In the state folder: for the backup that is being made or uploaded. Emptied at every start."""
KEEP_READY: Final = 1800.0
"""Seconds for which a finished backup is kept after it was made or last downloaded."""
KEEP_ARRIVAL: Final = 3600.0
"""Seconds for which an uploaded backup is kept after its last piece."""
MOST_PIECES: Final = 4096


class BackupStep(StrEnum):
    IDLE = "idle"
    MAKING = "making"
    """A backup is being written."""
    ARRIVING = "arriving"
    """A backup is being uploaded."""
    CHECKING = "checking"
    """The upload is being unpacked and checked."""
    OFFERED = "offered"
    """The upload can be restored."""
    RESTARTING = "restarting"
    """The program is about to restart and restore it."""


class ReadyBackup(Value, frozen=True):
    """A backup that can be downloaded."""

    name: str
    """The file's name."""
    bytes: Number
    secrets: bool


class RestoreOffer(Value, frozen=True):
    """An uploaded backup that was checked."""

    description: BackupDescription
    may_rename: bool
    """True if this box can take over its name."""
    may_configure: bool
    """True if this box can take over its configuration."""
    place: bool = False
    """True if it contains another box's place in a club, which only one box can have."""
    shortened: tuple[str, ...] = ()
    """Addresses in its configuration that have to be entered again: this box does not know them in full either."""


class RestoredBackup(Value, frozen=True):
    """The last restore."""

    description: BackupDescription
    back: bool
    """True if it undid an earlier restore."""
    undo: bool
    """True if it can be undone."""


class BackupState(Value, frozen=True, kw_only=True):
    """The state of backups on this box."""

    step: BackupStep
    trouble: Sentence | None
    """The last error."""
    file: ReadyBackup | None
    offer: RestoreOffer | None
    restored: RestoredBackup | None


_BUSY_STEPS: Final = frozenset({*BackupStep} - {BackupStep.IDLE, BackupStep.ARRIVING, BackupStep.OFFERED})
_BUSY: Final = Message("The box is busy with a backup. Wait until it is done.")
_AGAIN: Final = Message("The file did not arrive whole. Choose it again.")
_TOO_LARGE: Final = Message("This file is too large for a backup of this box.")
_FAULT: Final = Message("Something went wrong inside the box; its log says what. Nothing was changed.")


@dataclass
class _Arrival:
    """An upload in progress."""

    together: str
    of: int
    got: int = 0
    size: int = 0


class Backups:
    """The backups of one state folder. Thread-safe."""

    def __init__(
        self,
        state: Path,
        *,
        program: str,
        name: Callable[[], str],
        restart: Restart,
        settings: Path | None = None,
        root: RootRequests | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock: Callable[[], float] = time.monotonic,
        trouble: str = "",
    ) -> None:
        """`program` is its version, `name` returns the machine's name, `restart` is used to restore a backup.

        settings: the configuration file in use. root: None where nothing runs as root. `now` returns the time of day,
        `clock` seconds. trouble: an error in the configuration before this start.
        """
        self._state = state
        self._folder = state / BACKUP_FOLDER
        self._program = program
        self._name = name
        self._restart = restart
        self._settings = settings
        self._root = root
        self._now = now
        self._clock = clock
        self._lock = threading.Lock()
        self._worker: threading.Thread | None = None
        self._step = BackupStep.IDLE
        self._trouble = trouble
        self._file: ReadyBackup | None = None
        self._arrival: _Arrival | None = None
        self._offer: RestoreOffer | None = None
        self._parts: tuple[str, ...] = ()
        self._used = clock()
        self._result = result_of(state)
        shutil.rmtree(self._folder, ignore_errors=True)

    def state(self) -> BackupState:
        result = self._result
        with self._lock:
            return BackupState(
                step=self._step,
                trouble=Sentence(sentence=self._trouble) if self._trouble else None,
                file=self._file,
                offer=self._offer,
                restored=None
                if result is None
                else RestoredBackup(
                    result.description, result.back, (self._state / f"before-restore-{result.number}").is_dir()
                ),
            )

    def wait(self) -> None:
        """Wait until the current job is finished."""
        worker = self._worker
        if worker is not None:
            worker.join()

    def expire(self) -> None:
        """Remove a backup that has not been used for a while."""
        with self._lock:
            if self._step in _BUSY_STEPS:
                return
            idle = self._clock() - self._used
            if self._file is not None and idle > KEEP_READY:
                self._forget_file()
            if (self._arrival or self._offer) and idle > KEEP_ARRIVAL:
                self._forget_arrival()

    # Downloading

    def make(self, secrets: bool) -> None:
        """Begin to write a backup; `state` says when it is ready. Raises `BackupNotNowError`."""
        self._begin(BackupStep.MAKING, lambda: self._make(secrets))

    def open_file(self, secrets: bool) -> tuple[ReadyBackup, IO[bytes]]:
        """A backup and its open file; one is made first if necessary. Raises `BackupError`."""
        with self._lock:
            ready = self._file is not None and self._file.secrets == secrets
        if not ready:
            self.make(secrets)
            self.wait()
        with self._lock:
            self._used = self._clock()
            if self._file is None or self._file.secrets != secrets:
                raise BackupNotNowError(self._trouble or _BUSY)
            try:
                return self._file, (self._folder / self._file.name).open("rb")
            except OSError as error:
                self._file = None
                raise BackupNotNowError(_FAULT) from error

    def _make(self, secrets: bool) -> None:
        made = self._now()
        name = re.sub(r"[^A-Za-z0-9-]+", "-", self._name()).strip("-")[:40] or "box"
        full = name if name.lower().startswith("perudo") else f"perudo-{name}"
        file = self._folder / f"{full}-{made.astimezone():%Y-%m-%d}.zip"
        with self._lock:
            self._forget_file()
        self._folder.mkdir(mode=0o700, exist_ok=True)
        write_archive(
            self._state,
            file,
            program=self._program,
            name=self._name()[:64],
            made=made,
            settings=self._settings_text(),
            secrets=secrets,
        )
        with self._lock:
            self._used = self._clock()
            self._file = ReadyBackup(file.name, file.stat().st_size, secrets)

    def _settings_text(self) -> str | None:
        if self._settings is None:
            return None
        try:
            return self._settings.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            log.warning("%s is not in the backup: %s", self._settings, error)
            return None

    # Uploading and restoring

    def take_piece(self, together: str, number: int, of: int, data: bytes) -> None:
        """Take piece `number` (from 1, in order) of `of` of the file named `together`.

        The last piece starts the check. Raises `BackupNotNowError`.
        """
        with self._lock:
            if self._step in _BUSY_STEPS:
                raise BackupNotNowError(_BUSY)
            if number == 1:
                self._forget_arrival()
                self._forget_file()
                if of * len(data) > LARGEST_BACKUP + len(data):
                    raise BackupNotNowError(_TOO_LARGE)
                check_room(self._state, 3 * of * len(data))
                self._folder.mkdir(mode=0o700, exist_ok=True)
                self._arrival, self._step, self._trouble = _Arrival(together, of), BackupStep.ARRIVING, ""
            arrival = self._arrival
            if arrival is None or (arrival.together, arrival.of, arrival.got + 1) != (together, of, number):
                raise BackupNotNowError(_AGAIN)
            try:
                check_room(self._state, len(data))
                with self._arriving.open("wb" if number == 1 else "ab") as file:
                    file.write(data)
            except OSError as error:
                log.warning("the backup could not be written: %s", error)
                self._forget_arrival()
                raise BackupNotNowError(
                    Message("The backup could not be unpacked ({reason}).", reason=error.strerror or str(error))
                ) from error
            arrival.got, arrival.size, self._used = number, arrival.size + len(data), self._clock()
            if arrival.size > LARGEST_BACKUP:
                self._forget_arrival()
                raise BackupNotNowError(_TOO_LARGE)
            whole = number == of
        if whole:
            self._begin(BackupStep.CHECKING, self._check)

    def cancel(self) -> None:
        """Discard the uploaded backup and the last error. Raises `BackupNotNowError`."""
        with self._lock:
            if self._step in _BUSY_STEPS:
                raise BackupNotNowError(_BUSY)
            self._forget_arrival()
            self._trouble = ""

    def replace(self, *, rename: bool, configure: bool, second: bool = False) -> None:
        """Ask for a restart that restores the checked backup.

        rename, configure: True to take over its name and its configuration. second: True if the box that made it is
        still used: this one then takes neither its place nor its name. Raises `BackupNotNowError`.
        """
        with self._lock:
            offer = self._offer
            if self._step is not BackupStep.OFFERED or offer is None:
                raise BackupNotNowError(Message("There is no backup to restore now. Choose the file again."))
            draft = self._state / RESTORE_DRAFT
            rename = rename and offer.may_rename and not second
            requests, undoing = self._requests(draft, offer, rename=rename, configure=configure and offer.may_configure)
            plan = RestorePlan(
                number=next_number(self._state),
                names=names_of(self._parts),
                description=offer.description,
                replaced=self._present(),
                requests=requests,
                undoing=undoing,
            )
            self._commit(draft, plan, second=second)

    def go_back(self) -> None:
        """Ask for a restart that undoes the last restore. Raises `BackupNotNowError`."""
        with self._lock:
            if self._step in _BUSY_STEPS:
                raise BackupNotNowError(_BUSY)
            before = self._state / f"before-restore-{self._result.number if self._result else 0}"
            try:
                plan = plan_in(before)
            except (OSError, ValueError) as error:
                raise BackupNotNowError(Message("What was here before is no longer there.")) from error
            self._forget_arrival()
            self._commit(before, replace(plan, number=next_number(self._state), replaced=self._present()))

    def ask_root(self) -> None:
        """After a start: send root the requests of the restore, and restart if necessary."""
        plan, root = self._result, self._root
        if plan is None or not plan.requests or root is None:
            return

        def ask() -> None:
            try:
                for request in plan.requests:
                    root.ask(request)
            except RootRequestError as error:
                raise BackupError(error.message) from error
            finally:  # only once: a request that is refused now would be refused later
                self._result = replace(plan, requests=())
                write_result(self._state, self._result)
            if any(request["do"] == "configure" for request in plan.requests):
                self._restart.ask()

        self._begin(BackupStep.RESTARTING, ask)

    @property
    def _arriving(self) -> Path:
        return self._folder / "arriving.zip"

    def _check(self) -> None:
        draft = self._state / RESTORE_DRAFT
        try:
            described = unpack_archive(self._arriving, draft)
            self._arriving.unlink()
            parts = lay_out_state(draft)
            here, text, now = self._name(), settings_in(draft) or "", self._settings_text() or ""
            known = shortened_addresses(for_this_box(text, now, secrets=described.secrets), text)
            offer = RestoreOffer(
                described,
                self._root is not None and described.name != here and HOST_NAME.fullmatch(described.name) is not None,
                self._root is not None
                and self._settings is not None
                and settings_in(draft) not in (None, self._settings_text()),
                _place(draft / INCOMING) not in (None, _place(self._state)),
                tuple(each for each in described.shortened if each not in known),
            )
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise
        finally:
            self._arriving.unlink(missing_ok=True)
        with self._lock:
            self._arrival, self._offer, self._parts, self._used = None, offer, parts, self._clock()

    def _requests(
        self, draft: Path, offer: RestoreOffer, *, rename: bool, configure: bool
    ) -> tuple[tuple[Request, ...], tuple[Request, ...]]:
        """The requests to root, and those that undo them."""
        requests: list[Request] = []
        undoing: list[Request] = []
        if rename:
            requests.append({"do": "rename", "name": offer.description.name})
            undoing.append({"do": "rename", "name": self._name()})
        text, now = settings_in(draft), self._settings_text()
        if configure and text is not None and now is not None:
            fitted = for_this_box(text, now, secrets=offer.description.secrets)
            requests.append({"do": "configure", "text": fitted})
            undoing.append({"do": "configure", "text": now})
        return tuple(requests), tuple(undoing)

    def _present(self) -> BackupDescription:
        """A description of the present state."""
        try:
            games = saved_games(self._state, log.warning)
        except JournalError as error:
            log.warning("%s", error)
            games = []
        now = self._now().astimezone(UTC).isoformat(timespec="seconds")
        return BackupDescription(
            format=BACKUP_FORMAT,
            program=self._program,
            name=self._name()[:64],
            made=now,
            games=len(games),
            last=now if games else None,
            pictures=sum(1 for _ in (self._state / "pictures").glob("*.jpg")),
            profiles=0,
            configuration=False,
            examples=False,
            secrets=True,
        )

    def _commit(self, folder: Path, plan: RestorePlan, *, second: bool = False) -> None:
        try:
            if second:
                become_second(folder / INCOMING)
            commit(self._state, folder, plan)
        except OSError as error:
            log.exception("nothing was put in place")
            raise BackupNotNowError(_FAULT) from error
        self._step, self._offer = BackupStep.RESTARTING, None
        self._restart.ask()

    # Work in a separate thread

    def _begin(self, step: BackupStep, work: Callable[[], None]) -> None:
        with self._lock:
            if self._step in _BUSY_STEPS:
                raise BackupNotNowError(_BUSY)
            self._step, self._trouble = step, ""
            self._worker = threading.Thread(target=self._work, args=(work,), name="backup", daemon=True)
        self._worker.start()

    def _work(self, work: Callable[[], None]) -> None:
        trouble = ""
        try:
            work()
        except BackupError as error:
            trouble = error.message
        except Exception:
            log.exception("a backup failed")
            trouble = _FAULT
        with self._lock:
            self._trouble = trouble
            self._step = BackupStep.OFFERED if self._offer is not None else BackupStep.IDLE

    # Called with the lock held

    def _forget_file(self) -> None:
        if self._file is not None:
            (self._folder / self._file.name).unlink(missing_ok=True)
            self._file = None

    def _forget_arrival(self) -> None:
        self._arriving.unlink(missing_ok=True)
        shutil.rmtree(self._state / RESTORE_DRAFT, ignore_errors=True)
        self._arrival, self._offer, self._parts, self._step = None, None, (), BackupStep.IDLE


def _place(state: Path) -> tuple[object, object] | None:
    """The club in a state folder and the table's id there; None if it is in no club."""
    try:
        found = read_json((state / CLUB_FILE).read_bytes(), dict[str, object])
        return found["club"], found["table"]
    except (OSError, ValueError, LookupError):
        return None
