"""New versions, for the page: which one is in use, whether there is a newer one, and what became of the last update."""

from __future__ import annotations

import logging
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from companion.box.release.release import SIGNERS_FILE, Release, ReleaseError, fetch_manifest
from companion.box.release.versions import Versions
from companion.box.root_requests import RootRequestError, RootRequests
from companion.messages.message import Message
from companion.messages.sentence import Sentence, Value

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
    """The update that was tried last."""

    release: str
    passed: bool
    """False: it did not answer within three minutes, and the version before is in use again."""
    at: str
    """ISO 8601, UTC, by the box's clock."""


class UpdateState(Value, frozen=True, kw_only=True):
    """The versions of the box."""

    current: ReleaseInfo
    before: ReleaseInfo | None
    """To which the box can go back."""
    newer: ReleaseInfo | None
    """What the last look has found."""
    looked: bool
    """Whether somebody has looked since the start of the program."""
    last: LastUpdate | None
    working: bool
    """Whether a version is being fetched or installed."""
    trouble: Sentence | None
    """Why the last look or update failed."""


class Updates:
    """The versions of a box that is updated from an address. Thread-safe."""

    def __init__(
        self,
        address: str,
        roots: RootRequests,
        versions: Versions,
        signers: Path = Path(SIGNERS_FILE),
        spawn: Callable[[Callable[[], None]], None] | None = None,
    ) -> None:
        """`address`: where releases are, "" if none is configured. `spawn` runs what takes minutes."""
        self._address = address
        self._roots = roots
        self._versions = versions
        self._signers = signers
        self._spawn = spawn or (lambda job: threading.Thread(target=job, name="update", daemon=True).start())
        self._lock = threading.Lock()
        self._newer: Release | None = None
        self._looked = False
        self._working = False
        self._trouble: Message | None = None

    def state(self) -> UpdateState | None:
        """How it is now; None if the program is not one of several versions."""
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
            )

    def look(self) -> None:
        """Look for a newer version."""
        found, trouble = None, None
        if not self._address:
            trouble = Message("No address for updates is configured: address in [update] of perudo.toml.")
        else:
            with tempfile.TemporaryDirectory(prefix="perudo-update-") as folder:
                try:
                    found = fetch_manifest(self._address, Path(folder), self._signers)
                except ReleaseError as error:
                    log.warning("no look for a newer version: %s", error)
                    trouble = Message("The updates could not be looked at: {reason}", reason=str(error))
        with self._lock:
            self._newer, self._looked, self._trouble = found, True, trouble

    def update(self) -> None:
        """Have the newer version fetched, installed and tried. It takes minutes, and ends this program."""
        self._ask({"do": "update", "address": self._address})

    def go_back(self) -> None:
        """Have the version before used again, which ends this program."""
        self._ask({"do": "go-back"})

    def _ask(self, request: dict[str, str]) -> None:
        with self._lock:
            if self._working:
                return
            self._working, self._trouble = True, None

        def job() -> None:
            trouble = None
            try:
                self._roots.ask(request)
            except RootRequestError as error:
                log.warning("%s: %s", request["do"], error.message)
                trouble = Message("The update failed: {reason}", reason=error.message)
            with self._lock:
                self._working, self._trouble = False, trouble

        self._spawn(job)


def _info(release: Release) -> ReleaseInfo:
    return ReleaseInfo(name=release.name, version=release.version, made=release.made, notes=release.notes)
