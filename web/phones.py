"""The phones that have joined this table, and which seat each has.

They are kept in SQLite in the state folder, so that Ana's phone is Ana's again after a restart. There are few, so all
of them are written at every change. A disk that cannot be written costs the seats at the next start, and nothing more.
"""

from __future__ import annotations

import contextlib
import logging
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

log = logging.getLogger(__name__)

FILE: Final = "phones.sqlite3"
"""The file in the state folder."""

MOST_PHONES: Final = 200
"""Phones that are remembered. Of more, the one that was not heard of for longest and has no seat is forgotten."""

SILENT: Final = 600.0
"""Seconds without a word from the host's phone after which another may be the host."""

PLAYER, SHARED, WATCHING = "player", "table", "watching"
ROLES: Final = (PLAYER, SHARED, WATCHING)

_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without those that are taken for one another when they are read aloud."""

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS phone (
    place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, key TEXT NOT NULL, role TEXT, player TEXT UNIQUE, host INTEGER
)
"""


@dataclass(frozen=True, slots=True)
class Phone:
    """One phone, tablet or program that has joined."""

    id: str
    """Four letters; known to everybody at the table."""
    key: str
    """Tells it from an earlier phone of this id. It is signed with the id."""
    role: str | None = None
    """One of `ROLES`, None until it has said."""
    player: str | None = None
    """Whose seat it has, where `role` is `PLAYER`."""

    @property
    def watching(self) -> bool:
        """Whether it only watches."""
        return self.role == WATCHING


class SeatTakenError(RuntimeError):
    """Another phone has this seat. Nothing has changed."""


class Phones:
    """Every phone that has joined. Any method may be called from any thread."""

    def __init__(
        self,
        folder: Path | None = None,
        *,
        rng: random.Random | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """The phones kept in `folder`; None keeps them in memory. `rng` draws their names, `clock` gives seconds."""
        self._path = None if folder is None else folder / FILE
        self._rng = rng or random.SystemRandom()
        self._clock = clock
        self._lock = threading.RLock()
        self._phones: dict[str, Phone] = {}
        """In the order in which they were heard of, latest last."""
        self._host: str | None = None
        self._heard: dict[str, float] = {}
        """When a phone was heard of last; only of those that were, in this run."""
        self._streams: dict[str, int] = {}
        self._began = clock()
        self._names: tuple[str, ...] = ()
        self._changed: Callable[[], None] = lambda: None
        self._load()

    def on_change(self, tell: Callable[[], None]) -> None:
        """Have `tell` called after every change of who sits where. It must not wait for anything."""
        self._changed = tell

    # Who is there

    def get(self, name: str, key: str) -> Phone | None:
        """The phone of this id and key, None where there is none (any more). It has been heard of now."""
        with self._lock:
            phone = self._phones.get(name)
            if phone is None or phone.key != key:
                return None
            self._phones[name] = self._phones.pop(name)
            if name not in self._heard:
                self._heard[name] = self._clock()
                self._changed()  # it is back, and may be handed a seat
            self._heard[name] = self._clock()
            return phone

    def is_host(self, phone: Phone) -> bool:
        """Whether this phone is the host's."""
        return self._host == phone.id

    def seated(self, player: str) -> str | None:
        """The id of the phone on this seat, None where there is none."""
        with self._lock:
            return next((phone.id for phone in self._phones.values() if phone.player == player), None)

    def seats(self) -> dict[str, str | None]:
        """Player -> the id of the phone on that seat, for those of the company."""
        with self._lock:
            return {name: self.seated(name) for name in self._names}

    def listed(self) -> list[Mapping[str, Any]]:
        """Every phone that has a seat, or was heard of since the program started."""
        with self._lock:
            return [
                {"phone": phone.id, "role": phone.role, "player": phone.player, "host": phone.id == self._host}
                for phone in sorted(self._phones.values(), key=lambda phone: phone.id)
                if phone.player is not None or phone.id in self._heard
            ]

    # What changes

    def follow(self, names: Iterable[str]) -> None:
        """The company is `names` now: seats of others end. Nobody loses a seat while nobody plays."""
        now = tuple(names)
        if now == self._names:
            return
        with self._lock:
            before, self._names = self._names, now
            ended = [phone for phone in self._phones.values() if now and phone.player not in (None, *now)]
            for phone in ended:
                self._phones[phone.id] = replace(phone, role=None, player=None)
            if ended:
                self._save()
            if ended or before != now:
                self._changed()

    def join(self) -> Phone:
        """A new phone. The first is the host's."""
        with self._lock:
            name = self._draw(4)
            while name in self._phones:
                name = self._draw(4)
            phone = self._phones[name] = Phone(name, self._draw(8))
            self._heard[name] = self._clock()
            if self._host is None:
                self._host = name
            self._forget_some()
            self._save()
            self._changed()
            return phone

    def sit(self, phone: Phone, role: str, player: str | None = None) -> None:
        """Give `phone` a role; and, for `PLAYER`, the seat of `player`. What it had before ends.

        Raises `SeatTakenError` where another phone has the seat.
        """
        with self._lock:
            if player is not None and self.seated(player) not in (None, phone.id):
                raise SeatTakenError(player)
            self._phones[phone.id] = replace(self._phones.get(phone.id, phone), role=role, player=player)
            self._follow_host()
            self._save()
            self._changed()

    def hand(self, player: str, to: str) -> bool:
        """Give the seat of `player` to the phone `to`, whoever had it; False where there is no such phone."""
        with self._lock:
            if to not in self._phones:
                return False
            before = self.seated(player)
            if before is not None:
                self._phones[before] = replace(self._phones[before], role=None, player=None)
            self._phones[to] = replace(self._phones[to], role=PLAYER, player=player)
            self._save()
            self._changed()
            return True

    def hand_host(self, to: str) -> bool:
        """Make the phone `to` the host's; False where there is no such phone."""
        with self._lock:
            if to not in self._phones:
                return False
            self._host = to
            self._save()
            self._changed()
            return True

    def host_silent(self) -> bool:
        """Whether the host's phone is not there: no stream, and no word for ten minutes."""
        with self._lock:
            if self._host is None:
                return True
            heard = self._heard.get(self._host, self._began)
            return not self._streams.get(self._host) and self._clock() - heard >= SILENT

    # Who listens

    def listens(self, name: str) -> None:
        """A stream of this phone has begun."""
        with self._lock:
            self._streams[name] = self._streams.get(name, 0) + 1

    def leaves(self, name: str) -> None:
        """A stream of this phone has ended."""
        with self._lock:
            left = self._streams.get(name, 0) - 1
            if left > 0:
                self._streams[name] = left
            else:
                self._streams.pop(name, None)
            self._heard[name] = self._clock()

    # Inside

    def _follow_host(self) -> None:
        # A score board that joined first only watches, and has no buttons: the host's part is another phone's.
        host = self._phones.get(self._host or "")
        acting = [phone.id for phone in self._phones.values() if phone.role in (PLAYER, SHARED)]
        if acting and (host is None or host.watching):
            self._host = acting[-1]

    def _draw(self, letters: int) -> str:
        return "".join(self._rng.choice(_LETTERS) for _ in range(letters))

    def _forget_some(self) -> None:
        for phone in list(self._phones.values())[:-1]:
            if len(self._phones) <= MOST_PHONES:
                return
            if phone.player is None and phone.id != self._host and not self._streams.get(phone.id):
                del self._phones[phone.id]
                self._heard.pop(phone.id, None)

    def _load(self) -> None:
        if self._path is None or not self._path.exists():
            return
        try:
            with closing(sqlite3.connect(self._path)) as database:
                rows = database.execute("SELECT id, key, role, player, host FROM phone ORDER BY place").fetchall()
        except sqlite3.Error as error:
            log.warning("The phones in %s cannot be read (%s): every phone has to join again.", self._path, error)
            with contextlib.suppress(OSError):
                self._path.replace(self._path.with_suffix(".damaged"))  # for whoever wants to look; a new one begins
            return
        for name, key, role, player, host in rows:
            self._phones[name] = Phone(name, key, role, player)
            if host:
                self._host = name

    def _save(self) -> None:
        if self._path is None:
            return
        rows = [
            (place, phone.id, phone.key, phone.role, phone.player, phone.id == self._host)
            for place, phone in enumerate(self._phones.values())
        ]
        try:
            self._write(self._path, rows)
        except sqlite3.Error as error:
            log.warning("The phones cannot be kept in %s (%s): they join again after a restart.", self._path, error)

    @staticmethod
    def _write(path: Path, rows: Iterable[tuple[object, ...]]) -> None:
        with closing(sqlite3.connect(path)) as database, database:
            database.execute(_TABLES)
            database.execute("DELETE FROM phone")
            database.executemany("INSERT INTO phone VALUES (?, ?, ?, ?, ?, ?)", rows)
