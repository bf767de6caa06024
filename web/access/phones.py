"""The phones that have joined this table, and which seat each has.

They are saved in the state folder (`web.access.phone_file`), so that Ana's phone is Ana's again after a restart. A disk
that cannot be written costs the seats at the next start, and nothing more.

A phone is present while it has a stream, and for `AWAY_AFTER` seconds after it was last heard of. The seat of an absent
phone is free: anybody may speak for that player, and whoever takes the seat has it. Until then the phone keeps its
claim, and has the seat again when it comes back.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta

from companion.messages.sentence import Value
from web.access.phone_file import HOST, LENT, PhoneFile, PhoneRow

REMEMBERED_PHONES: Final = 200
"""Phones remembered at most; one without a part in the game is forgotten first."""

AWAY_AFTER: Final = 120.0
"""Seconds without a stream or a request after which a phone is absent."""

READ_RETRY: Final = 5.0
"""Seconds until a file that could not be read is tried again."""

PLAYER, SHARED, WATCHING = "player", "table", "watching"
ROLES: Final = (PLAYER, SHARED, WATCHING)
ACTING: Final = (PLAYER, SHARED)
"""The roles that change the game."""

_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without letters that sound or look alike."""


@dataclass(frozen=True, slots=True)
class Phone:
    """One phone, tablet or program that has joined."""

    id: str
    """Four letters, public."""
    key: str
    """Tells it from an earlier phone of the same id; signed with the id."""
    role: str | None = None
    """One of `ROLES`, None until it has chosen."""
    player: str | None = None
    """The seat it claims, where `role` is `PLAYER`."""
    acted: bool = False
    """Whether it ever had a role in `ACTING`."""

    @property
    def watching(self) -> bool:
        return self.role == WATCHING


LONGEST_PHONE_ID: Final = 8
PhoneId = Annotated[str, Meta(min_length=1, max_length=LONGEST_PHONE_ID, description="The id of a phone, as k3f9.")]
Role = Annotated[str, Meta(extra_json_schema={"enum": list(ROLES)})]
Seats = Annotated[dict[str, PhoneId | None], Meta(description="Player -> the phone on that seat.")]


class PhonePresence(Value, frozen=True):
    """One phone, as everybody at the table is told of it."""

    phone: PhoneId
    role: Role | None
    player: str | None
    host: bool


class Presence(Value, frozen=True):
    """Who sits where."""

    seats: Seats
    phones: tuple[PhonePresence, ...]


class SeatTakenError(RuntimeError):
    """Another phone has this seat."""


class Phones:
    """Every phone that has joined. Any method may be called from any thread."""

    def __init__(
        self,
        folder: Path | None = None,
        *,
        rng: random.Random | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """The phones saved in `folder`; None saves nothing. `rng` draws ids, `clock` gives seconds."""
        self._rng = rng or random.SystemRandom()
        self._clock = clock
        self._disk = threading.Lock()
        """Held while the file is read or written; taken before `_lock`, never after it."""
        self._lock = threading.RLock()
        self._phones: dict[str, Phone] = {}
        """In the order in which they were last heard of."""
        self._host: str | None = None
        self._lent: str | None = None
        """The first host, whose part another phone has while this one only watches or is absent."""
        self._heard: dict[str, float] = {}
        """When a phone was last heard of in this run."""
        self._streams: dict[str, int] = {}
        self._names: tuple[str, ...] = ()
        self._last_seats: dict[str, str | None] = {}
        self._changed: Callable[[], None] = lambda: None
        self._file = PhoneFile(folder)
        self._read = False
        self._try_at = clock()
        self._load()

    def on_change(self, tell: Callable[[], None]) -> None:
        """Call `tell` after every change of seats. It must not block."""
        self._changed = tell

    # Who is there

    def get(self, name: str, key: str) -> Phone | None:
        """The phone of this id and key, None where there is none. It counts as heard of."""
        self._load()
        with self._lock:
            phone = self._phones.get(name)
            if phone is None or phone.key != key:
                return None
            self._phones[name] = self._phones.pop(name)
            back = name not in self._heard or not self._is_there(name)
            self._heard[name] = self._clock()
            if back:
                self._tell()  # it has its seat again
            return phone

    def is_host(self, phone: Phone) -> bool:
        """Whether this phone is the host's."""
        return self._host == phone.id

    def seated(self, player: str) -> str | None:
        """The id of the phone present on this seat, or None."""
        with self._lock:
            claim = self._claim(player)
            return claim if claim is not None and self._is_there(claim) else None

    def seats(self) -> dict[str, str | None]:
        """Player -> the id of the phone present on that seat, or None."""
        with self._lock:
            return {name: self.seated(name) for name in self._names}

    def listed(self) -> tuple[PhonePresence, ...]:
        """Every phone heard of in this run.

        A claim on a seat of another company is not shown: it waits in case that game is taken back.
        """
        with self._lock:
            heard = [phone for phone in self._phones.values() if phone.id in self._heard]
            return tuple(
                PhonePresence(phone.id, phone.role, phone.player, phone.id == self._host)
                if phone.player in (None, *self._names) or not self._names
                else PhonePresence(phone.id, None, None, phone.id == self._host)
                for phone in sorted(heard, key=lambda phone: phone.id)
            )

    def host_gone(self) -> bool:
        """Whether the host's phone is absent."""
        with self._lock:
            return self._host is None or not self._is_there(self._host)

    def look(self) -> None:
        """Notice phones that have gone: they do not say so themselves."""
        with self._lock:
            if self.seats() != self._last_seats:
                self._tell()

    # What changes

    def follow(self, names: Iterable[str], stay: Container[str] | None = ()) -> bool:
        """Take `names` as the company. Claims of others end, except those in `stay` (None: everybody's).

        Returns whether any ended: then call `save`. Nobody loses a seat while nobody plays.
        """
        now = tuple(names)
        with self._lock:
            before, self._names = self._names, now
            ended = [
                phone
                for phone in self._phones.values()
                if now and stay is not None and phone.player not in (None, *now) and phone.player not in stay
            ]
            for phone in ended:
                self._phones[phone.id] = replace(phone, role=None, player=None)
            if ended or before != now:
                self._tell()
        return bool(ended)

    def join(self) -> Phone:
        """Add a phone. The first is the host's."""
        self._load()
        with self._lock:
            name = self._draw(4)
            while name in self._phones:
                name = self._draw(4)
            phone = self._phones[name] = Phone(name, self._draw(8))
            self._heard[name] = self._clock()
            if self._host is None:
                self._host = name
            self._forget_some(name)
            self._tell()
        self.save()
        return phone

    def sit(self, phone: Phone, role: str, player: str | None = None) -> None:
        """Give `phone` a role and, for `PLAYER`, the seat of `player`, in place of what it had.

        Raises `SeatTakenError` where a phone that is present has the seat.
        """
        with self._lock:
            if player is not None:
                if self.seated(player) not in (None, phone.id):
                    raise SeatTakenError(player)
                self._end_claim(player)
            sits = self._phones.get(phone.id, phone)
            self._phones[phone.id] = replace(sits, role=role, player=player, acted=sits.acted or role in ACTING)
            self._follow_host(phone.id)
            self._tell()
        self.save()

    def hand(self, player: str, to: str) -> bool:
        """Give the seat of `player` to the phone `to`; False where there is no such phone."""
        with self._lock:
            if to not in self._phones:
                return False
            self._end_claim(player)
            self._phones[to] = replace(self._phones[to], role=PLAYER, player=player, acted=True)
            self._tell()
        self.save()
        return True

    def hand_host(self, to: str) -> bool:
        """Make the phone `to` the host's; False where there is no such phone."""
        with self._lock:
            if to not in self._phones:
                return False
            self._host, self._lent = to, None
            self._tell()
        self.save()
        return True

    def clear(self) -> None:
        """Forget all phones; their tokens are void."""
        self._load()
        with self._lock:
            self._phones.clear()
            self._heard.clear()
            self._host = self._lent = None
            self._tell()
        self.save()

    def save(self) -> None:
        """Write what changed to disk. It may take long: do not call it under a lock."""
        with self._disk:
            with self._lock:
                parts = {self._lent: LENT, self._host: HOST}
                rows = {
                    phone.id: (phone.id, phone.key, phone.role, phone.player, int(phone.acted), parts.get(phone.id, 0))
                    for phone in self._phones.values()
                }
            self._file.write(rows)

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
            if name in self._phones:
                self._heard[name] = self._clock()

    # Internal; all but `_load` are called with the lock held

    def _is_there(self, name: str) -> bool:
        if self._streams.get(name):
            return True
        heard = self._heard.get(name)
        return heard is not None and self._clock() - heard < AWAY_AFTER

    def _claim(self, player: str) -> str | None:
        return next((phone.id for phone in self._phones.values() if phone.player == player), None)

    def _end_claim(self, player: str) -> None:
        before = self._claim(player)
        if before is not None:
            self._phones[before] = replace(self._phones[before], role=None, player=None)

    def _tell(self) -> None:
        self._last_seats = self.seats()
        self._changed()

    def _follow_host(self, sat: str) -> None:
        # A score board that joined first has no buttons, and an absent phone cannot hand the part over: then another
        # phone becomes the host's. One that played and watches for a while keeps the part.
        if sat == self._lent and self._phones[sat].role in ACTING:
            self._host, self._lent = sat, None
        host = self._phones.get(self._host or "")
        if host is not None:
            idle = host.watching and not host.acted
            if host.role in ACTING or (self._is_there(host.id) and not idle):
                return
        acting = [phone.id for phone in self._phones.values() if phone.role in ACTING and self._is_there(phone.id)]
        if acting:
            self._lent = self._lent or self._host
            self._host = acting[-1]

    def _draw(self, letters: int) -> str:
        return "".join(self._rng.choice(_LETTERS) for _ in range(letters))

    def _forget_some(self, new: str) -> None:
        # First phones without a role, then those that watch; of each, those unheard of for longest.
        spared = (new, self._host, self._lent)
        idle = [
            phone
            for phone in self._phones.values()
            if phone.role not in ACTING and phone.id not in spared and not self._streams.get(phone.id)
        ]
        idle.sort(key=lambda phone: phone.watching)
        for phone in idle[: max(0, len(self._phones) - REMEMBERED_PHONES)]:
            del self._phones[phone.id]
            self._heard.pop(phone.id, None)

    def _load(self) -> None:
        """Read the file, unless that is done."""
        if self._read:
            return
        with self._disk:
            if self._read or self._clock() < self._try_at:
                return
            self._try_at = self._clock() + READ_RETRY
            rows = self._file.read()
            if rows is None:
                return
            with self._lock:
                self._merge(rows)
                self._read = True

    def _merge(self, rows: Iterable[PhoneRow]) -> None:
        joined, self._phones = self._phones, {}
        sit = {phone.player for phone in joined.values() if phone.player is not None}
        for name, key, role, player, acted, part in rows:
            self._phones[name] = Phone(name, key, role, player, bool(acted))
            if player in sit:
                self._phones[name] = replace(self._phones[name], role=None, player=None)
            if part == HOST:
                self._host = name
            elif part == LENT:
                self._lent = name
        self._phones |= joined
