"""Updates on the page: the version in use, whether there is a newer one, and the result of the last update."""

from __future__ import annotations

import json
import logging
import subprocess
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from companion.box.release.release import SIGNERS_FILE, Release, ReleaseError, fetch_manifest
from companion.box.release.versions import Versions
from companion.box.root_requests import RootRequestError, RootRequests
from companion.messages.message import Message
from companion.messages.sentence import Sentence, Value
from companion.table.commands import Count

log = logging.getLogger(__name__)


class ReleaseInfo(Value, frozen=True, kw_only=True):
    """A version of the program."""

    name: str
    version: str
    made: str
    """ISO 8601, UTC."""
    notes: tuple[str, ...]
    """What is new, in English."""


class LastUpdate(Value, frozen=True, kw_only=True):
    """The last update that was tried."""

    release: str
    passed: bool
    """False: it did not answer within three minutes, and the previous version is in use again."""
    at: str
    """ISO 8601, UTC, from the box's clock."""


class UpdateState(Value, frozen=True, kw_only=True):
    """The versions of the box."""

    current: ReleaseInfo
    before: ReleaseInfo | None
    """The previous version, to which the box can return."""
    newer: ReleaseInfo | None
    """The newer version found by the last check."""
    looked: bool
    """True if somebody has checked since the program started."""
    last: LastUpdate | None
    working: bool
    """True while a version is being downloaded or installed."""
    trouble: Sentence | None
    """Why the last check or update failed."""
    lost: Count | None
    """How many games the previous version cannot read correctly; None until somebody wanted to return to it."""


class GoBack(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to return to the previous version."""

    lose: Annotated[bool, Meta(description="Also without the games that it does not read.")] = False


def games_read(program: Path, state: Path) -> set[tuple[object, ...]]:
    """A summary of each game in a state folder as a version of the program reads it; empty if it cannot read them.

    Raises `OSError` if that version cannot be run.
    """
    command = [str(program), "games", "--json", "--state", str(state)]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
    )
    lines = done.stdout.splitlines() if done.returncode == 0 else []
    return {tuple(json.loads(line).get(key) for key in ("game", "rounds", "ending", "winner")) for line in lines}


class Updates:
    """The versions of a box that is updated from an address. Thread-safe."""

    def __init__(
        self,
        address: str,
        root: RootRequests,
        versions: Versions,
        state: Path,
        signers: Path = Path(SIGNERS_FILE),
        spawn: Callable[[Callable[[], None]], None] | None = None,
    ) -> None:
        """`address`: where releases are published, "" if none is configured. `state`: the state folder. `spawn` runs a
        long job.
        """
        self._address = address
        self._root = root
        self._versions = versions
        self._folder = state
        self._signers = signers
        self._spawn = spawn or (lambda job: threading.Thread(target=job, name="update", daemon=True).start())
        self._lock = threading.Lock()
        self._newer: Release | None = None
        self._looked = False
        self._working = False
        self._trouble: Message | None = None
        self._lost: int | None = None

    def state(self) -> UpdateState | None:
        """The state; None if the program was not installed as one of several versions."""
        current, before, last = self._versions.current, self._versions.before, self._versions.last_trial
        if current is None:
            return None
        with self._lock:
            newer = self._newer if self._newer is not None and self._newer.made > current.made else None
            return UpdateState(
                current=_info(current),
                before=None if before is None else _info(before),
                newer=None if newer is None else _info(newer),
                looked=self._looked,
                last=None if last is None else LastUpdate(release=last.release, passed=last.passed, at=last.at),
                working=self._working,
                trouble=None if self._trouble is None else Sentence(sentence=self._trouble),
                lost=self._lost,
            )

    def look(self) -> None:
        """Check for a newer version."""
        found, trouble = None, None
        if not self._address:
            trouble = Message("No address for updates is configured: address in [update] of perudo.toml.")
        else:
            with tempfile.TemporaryDirectory(prefix="perudo-update-") as folder:
                try:
                    found = fetch_manifest(self._address, Path(folder), self._signers)
                except ReleaseError as error:
                    log.warning("no look for a newer version: %s", error)
                    trouble = Message("Looking for updates failed: {reason}", reason=str(error))
        with self._lock:
            self._newer, self._looked, self._trouble = found, True, trouble

    def update(self) -> None:
        """Ask root to download, install and try the newer version. It takes minutes, and ends this program."""
        self._ask({"do": "update", "address": self._address})

    def go_back(self, *, lose: bool = False) -> None:
        """Ask root to return to the previous version, which ends this program.

        Without `lose`, this checks first that the previous version reads all games correctly: otherwise it would set
        the journal aside and continue without them.
        """
        self._ask({"do": "go-back"}, None if lose else self._check_games)

    def _check_games(self) -> Message | None:
        """Why the previous version is not used; None if it reads every game."""
        now, before = (
            games_read(self._versions.place / link / "bin" / "perudo", self._folder) for link in ("current", "before")
        )
        with self._lock:
            self._lost = len(now - before)
        if self._lost:
            return Message("Nothing has changed yet: the previous version cannot read all games. Tap again to go on.")
        return None

    def _ask(self, request: dict[str, str], check: Callable[[], Message | None] | None = None) -> None:
        with self._lock:
            if self._working:
                return
            self._working, self._trouble = True, None

        def job() -> None:
            try:
                trouble = None if check is None else check()
                if trouble is None:
                    self._root.ask(request)
            except (RootRequestError, OSError, ValueError) as error:
                log.warning("%s: %s", request["do"], error)
                trouble = Message("The update failed: {reason}", reason=str(error))
            with self._lock:
                self._working, self._trouble = False, trouble

        self._spawn(job)


def _info(release: Release) -> ReleaseInfo:
    return ReleaseInfo(name=release.name, version=release.version, made=release.made, notes=release.notes)
