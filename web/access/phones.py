"""The phones that have joined this table, and the seat of each.

They are saved in the state folder (`web.access.phone_file`), so that Ana's phone is Ana's again after a restart. If the
disk cannot be written, only the seats are lost, at the next start. A file that could not be read is not overwritten.

A phone is present while it has a stream, and for `AWAY_AFTER` seconds after its last request. The seat of an absent
phone is free: anybody may act for that player, and another phone may take the seat. Until then the phone keeps its
claim, and gets the seat back when it returns. During its player's turn this is quicker: after `MISSED_AFTER` seconds
others may act for that player, until the phone returns.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta

from companion.messages.sentence import Value
from companion.table import State
from companion.table.game.table_position import Phase
from web.access import phone_file
from web.access.phone_file import HELD, HOST, LENT, PhoneRow

REMEMBERED_PHONES: Final = 200
"""The most phones that are remembered; those without a part in the game are forgotten first."""
AWAY_AFTER: Final = 120.0
"""Seconds without a stream or a request after which a phone is absent."""
MISSED_AFTER: Final = 10.0
"""Seconds of silence during its player's turn after which others may act for that player."""
READ_RETRY: Final = 5.0
"""Seconds until another attempt to read a file that could not be read."""

PLAYER, SHARED, WATCHING = "player", "table", "watching"
ROLES: Final = (PLAYER, SHARED, WATCHING)

_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""The letters of ids, without those that look or sound alike."""


@dataclass(frozen=True, slots=True)
class Phone:
    """One phone, tablet or program that has joined."""

    id: str
    """Four letters, public."""
    key: str
    """Distinguishes it from an earlier phone with the same id; signed together with the id."""
    role: str | None = None
    """One of `ROLES`; None until it has chosen."""
    player: str | None = None
    """The seat it claims, if `role` is `PLAYER`."""
    acted: bool = False
    """True if it ever had a role that acts."""
    held: bool = False
    """True if the host restricts it to watching."""

    @property
    def acts(self) -> bool:
        """True if its role can change the game."""
        return self.role in (PLAYER, SHARED)

    @property
    def watching(self) -> bool:
        return self.role == WATCHING


LONGEST_PHONE_ID: Final = 8
PhoneId = Annotated[str, Meta(min_length=1, max_length=LONGEST_PHONE_ID, description="The id of a phone, as k3f9.")]
Role = Annotated[str, Meta(extra_json_schema={"enum": list(ROLES)})]
Seats = Annotated[dict[str, PhoneId | None], Meta(description="Player -> the phone on that seat.")]


class PhonePresence(Value, frozen=True):
    """One phone, as everybody at the table sees it."""

    phone: PhoneId
    role: Role | None
    player: str | None
    host: bool
    held: bool = False
    """True if the host restricts it to watching."""
    away: bool = False
    """True if its player is on turn and it has been silent for ten seconds: others may act for that player."""
    gone: bool = False
    """True if it has been silent for two minutes."""
    had: str | None = None
    """For a phone without a seat, the player whose seat it had before in this run."""


class Presence(Value, frozen=True):
    """Who sits where."""

    seats: Seats
    phones: tuple[PhonePresence, ...]


class SeatTakenError(RuntimeError):
    """Another phone has this seat."""


class HeldError(RuntimeError):
    """The host restricts this phone to watching."""


class Phones:
    """Every phone that has joined. Thread-safe."""

    def __init__(
        self,
        folder: Path | None = None,
        *,
        rng: random.Random | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """The phones saved in `folder`; None saves nothing. `rng` draws ids, `clock` returns seconds."""
        self._folder = folder
        self._rng = rng or random.SystemRandom()
        self._clock = clock
        self._disk_lock = threading.Lock()
        """Acquired before `_lock`, never after it."""
        self._lock = threading.RLock()
        self._phones: dict[str, Phone] = {}
        """In the order of their last requests."""
        self._host: str | None = None
        self._lent: str | None = None
        """The first host, while another phone is the host because the first one only watches or is absent."""
        self._last_times: dict[str, float] = {}
        """The time of each phone's last request or stream in this run."""
        self._addresses: dict[str, str] = {}
        """The address of each phone's last change in this run."""
        self._streams: Counter[str] = Counter()
        self._company: tuple[str, ...] = ()
        """All players with a seat."""
        self._version = -1
        """The version of the newest state passed to `follow`."""
        self._last_games: dict[str, int] = {}
        """Player -> the last game with this player in its company."""
        self._had: dict[str, str] = {}
        """Phone -> the player whose seat it last got, in this run."""
        self._turn: str | None = None
        self._turn_since = 0.0
        self._told: object = None
        """The last announced result of `_tells`."""
        self._changed: Callable[[], None] = lambda: None
        self._loaded = folder is None
        self._try_at = clock()
        self._load()

    def on_change(self, changed: Callable[[], None]) -> None:
        """Call `changed` after every change of seats. It must not block."""
        self._changed = changed

    # Presence

    def get(self, name: str, key: str) -> Phone | None:
        """The phone with this id and key, which then counts as present; None if there is none."""
        self._load()
        with self._lock:
            phone = self._phones.get(name)
            if phone is None or phone.key != key:
                return None
            self._phones[name] = self._phones.pop(name)
            back = name not in self._last_times or not self._is_there(name) or name == self._missed()
            self._last_times[name] = self._clock()
            if back:
                self._announce()  # it has its seat again
            return phone

    def is_host(self, phone: Phone) -> bool:
        return self._host == phone.id

    def on_seat(self, player: str) -> str | None:
        """The id of the present phone with this seat, or None."""
        with self._lock:
            claims = (phone.id for phone in self._phones.values() if phone.player == player)
            return next(filter(self._is_there, claims), None)

    def player_of(self, phone: Phone) -> str | None:
        """The player in whose seat this phone is; None if it has none, or another phone took it."""
        with self._lock:
            claimed = self._phones.get(phone.id, phone).player
            return claimed if claimed is not None and self.on_seat(claimed) == phone.id else None

    def players_elsewhere(self, phone: Phone) -> frozenset[str]:
        """The players who bid and call on other present phones than `phone`."""
        with self._lock:
            free = (None, phone.id, self._missed())
            return frozenset(player for player, its in self.seats().items() if its not in free)

    def seats(self) -> dict[str, str | None]:
        """Player -> the id of the present phone with that seat, or None."""
        with self._lock:
            return {player: self.on_seat(player) for player in self._company}

    def presence(self) -> Presence:
        """Who sits where, and every phone that was present in this run.

        A claim to a seat of another company is not shown: it is kept in case that game is undone.
        """
        with self._lock:
            phones, missed = [], self._missed()
            for name in sorted(self._last_times.keys() & self._phones.keys()):
                phone = self._phones[name]
                if self._company and phone.player not in (None, *self._company):
                    phone = replace(phone, role=None, player=None)
                had = self._had.get(name)
                phones.append(
                    PhonePresence(
                        phone=name,
                        role=phone.role,
                        player=phone.player,
                        host=name == self._host,
                        held=phone.held,
                        away=name == missed,
                        gone=not self._is_there(name),
                        had=had if phone.player is None and had in self._company else None,
                    )
                )
            return Presence(self.seats(), tuple(phones))

    def is_host_absent(self) -> bool:
        with self._lock:
            return self._host is None or not self._is_there(self._host)

    def look(self) -> None:
        """Announce phones that have become absent: they do not say so themselves."""
        with self._lock:
            if self._tells() != self._told:
                self._announce()

    # Changes

    def follow(self, state: State) -> None:
        """Take the company of `state`, and end claims to the seats of players who are no longer in it.

        A claim ends once a game without its player has begun, so that undoing a new game costs nobody a seat. Nobody
        loses a seat while there is no game. States may arrive late and out of order: older ones are ignored.
        """
        with self._lock:
            if state.version <= self._version:
                return
            self._version = state.version
            before, self._company = self._company, _company(state)
            if state.turn != self._turn:
                self._turn, self._turn_since = state.turn, self._clock()
            self._last_games |= dict.fromkeys(self._company, state.game)
            ended = []
            if self._company and _begun(state):
                self._last_games = {name: game for name, game in self._last_games.items() if game == state.game}
                claims = [phone for phone in self._phones.values() if phone.player is not None]
                ended = [phone.id for phone in claims if phone.player not in self._last_games]
            for name in ended:
                self._take_role(name)
            if ended or before != self._company:
                self._announce()
        self.look()
        if ended:
            self.save()

    def join(self) -> Phone:
        """Add a phone. The first one becomes the host's."""
        self._load()
        with self._lock:
            name = self._draw(4)
            while name in self._phones:
                name = self._draw(4)
            phone = self._phones[name] = Phone(name, self._draw(8))
            self._last_times[name] = self._clock()
            if self._host is None:
                self._host = name
            self._forget_some(name)
            self._announce()
        self.save()
        return phone

    def sit(self, phone: Phone, role: str, player: str | None = None) -> None:
        """Give `phone` a role and, for `PLAYER`, the seat of `player`, replacing its previous ones.

        Raises `SeatTakenError` if a present phone has the seat, and `HeldError` if the phone may only watch.
        """
        with self._lock:
            if role != WATCHING and self._phones.get(phone.id, phone).held:
                raise HeldError(phone.id)
            if player is not None:
                if self.on_seat(player) not in (None, phone.id):
                    raise SeatTakenError(player)
                self._end_claim(player)
                self._had[phone.id] = player
            sits = replace(self._phones.get(phone.id, phone), role=role, player=player)
            self._phones[phone.id] = replace(sits, acted=sits.acted or sits.acts)
            self._choose_host(phone.id)
            self._announce()
        self.save()

    def hand(self, player: str, to: str) -> bool:
        """Give the seat of `player` to the phone `to`; False if that does not exist."""
        with self._lock:
            if to not in self._phones:
                return False
            self._end_claim(player)
            self._had[to] = player
            self._phones[to] = replace(self._phones[to], role=PLAYER, player=player, acted=True, held=False)
            self._announce()
        self.save()
        return True

    def hold(self, name: str, held: bool) -> bool:
        """Restrict the phone `name` to watching, or lift that; False if it does not exist or is the host's."""
        with self._lock:
            if name not in self._phones or name == self._host:
                return False
            role, player = (WATCHING, None) if held else (None, None)
            self._phones[name] = replace(self._phones[name], role=role, player=player, held=held)
            self._announce()
        self.save()
        return True

    def turn_out(self, name: str) -> str | None:
        """Forget the phone `name`, invalidate its token, and return its last address ("" if unknown).

        None if it does not exist or is the host's.
        """
        with self._lock:
            if name not in self._phones or name == self._host:
                return None
            del self._phones[name]
            self._last_times.pop(name, None)
            if self._lent == name:
                self._lent = None
            address = self._addresses.pop(name, "")
            shared = address in self._addresses.values()
            self._announce()
        self.save()
        return "" if shared else address

    def note_address(self, name: str, address: str) -> None:
        """Record that the phone `name` sent a change from `address`."""
        with self._lock:
            self._addresses[name] = address

    def hand_host(self, to: str) -> bool:
        """Make the phone `to` the host's; False if it does not exist."""
        with self._lock:
            if to not in self._phones:
                return False
            self._host, self._lent = to, None
            self._phones[to] = replace(self._phones[to], held=False)
            self._announce()
        self.save()
        return True

    def clear(self) -> None:
        """Forget all phones and invalidate their tokens."""
        self._load()
        with self._lock:
            self._phones.clear()
            self._last_times.clear()
            self._host = self._lent = None
            self._announce()
        self.save()

    def save(self) -> None:
        """Write the changes to disk. This may take long: do not call it with a lock held."""
        with self._disk_lock:
            if self._folder is None or not self._loaded:
                return
            with self._lock:
                parts = {self._lent: LENT, self._host: HOST}
                rows = {
                    phone.id: (
                        phone.id,
                        phone.key,
                        phone.role,
                        phone.player,
                        int(phone.acted),
                        parts.get(phone.id, HELD if phone.held else 0),
                    )
                    for phone in self._phones.values()
                }
            phone_file.write(self._folder, rows)

    # Streams

    def add_stream(self, name: str) -> None:
        """Record that a stream of this phone has begun."""
        with self._lock:
            self._streams[name] += 1

    def remove_stream(self, name: str) -> None:
        """Record that a stream of this phone has ended."""
        with self._lock:
            self._streams -= Counter([name])
            if name in self._phones:
                self._last_times[name] = self._clock()

    # Internal; all but `_load` are called with the lock held

    def _is_there(self, name: str) -> bool:
        if name in self._streams:
            return True
        last = self._last_times.get(name)
        return last is not None and self._clock() - last < AWAY_AFTER

    def _missed(self) -> str | None:
        """The phone of the player on turn, if it has been silent for `MISSED_AFTER` seconds of the turn."""
        name = None if self._turn is None else self.on_seat(self._turn)
        if name is None or name in self._streams:
            return None
        return name if self._clock() - max(self._last_times[name], self._turn_since) >= MISSED_AFTER else None

    def _end_claim(self, player: str) -> None:
        for name in [phone.id for phone in self._phones.values() if phone.player == player]:
            self._take_role(name)

    def _take_role(self, name: str) -> None:
        self._phones[name] = replace(self._phones[name], role=None, player=None)

    def _announce(self) -> None:
        self._told = self._tells()
        self._changed()

    def _tells(self) -> object:
        """What can change just by time passing: the seats, the missed phone, and the absence of the host."""
        return self.seats(), self._missed(), self.is_host_absent()

    def _choose_host(self, sat: str) -> None:
        # A score board that joined first has no buttons, and an absent phone cannot hand over the role: then another
        # phone becomes the host. A host who played and only watches for a while stays the host.
        if sat == self._lent and self._phones[sat].acts:
            self._host, self._lent = sat, None
        host = self._phones.get(self._host or "")
        if host is not None:
            idle = host.watching and not host.acted
            if host.acts or (self._is_there(host.id) and not idle):
                return
        acting = [phone.id for phone in self._phones.values() if phone.acts and self._is_there(phone.id)]
        if acting:
            self._lent = self._lent or self._host
            self._host = acting[-1]

    def _draw(self, letters: int) -> str:
        return "".join(self._rng.choice(_LETTERS) for _ in range(letters))

    def _forget_some(self, new: str) -> None:
        # Phones without a role go first, then those that watch; in each group, the longest absent first.
        spared = (new, self._host, self._lent, *self._streams)
        idle = [phone for phone in self._phones.values() if not phone.acts and phone.id not in spared]
        idle.sort(key=lambda phone: phone.watching)
        for phone in idle[: max(0, len(self._phones) - REMEMBERED_PHONES)]:
            del self._phones[phone.id]
            self._last_times.pop(phone.id, None)
            self._addresses.pop(phone.id, None)

    def _load(self) -> None:
        """Read the file if it has not been read yet."""
        if self._folder is None or self._loaded:
            return
        with self._disk_lock:
            if self._loaded or self._clock() < self._try_at:
                return
            self._try_at = self._clock() + READ_RETRY
            rows = phone_file.read(self._folder)
            if rows is None:
                return
            with self._lock:
                self._merge(rows)
                self._loaded = True

    def _merge(self, rows: Iterable[PhoneRow]) -> None:
        self._version = -1  # the next state that is followed ends outdated claims
        joined, self._phones = self._phones, {}
        taken = {phone.player for phone in joined.values() if phone.player is not None}
        for name, key, role, player, acted, part in rows:
            self._phones[name] = Phone(name, key, role, player, bool(acted), held=part == HELD)
            if player in taken:
                self._take_role(name)
            if part == HOST:
                self._host = name
            elif part == LENT:
                self._lent = name
        self._phones |= joined


def _company(state: State) -> tuple[str, ...]:
    """All players with a seat, clockwise: those in the game, those away, and those of the last game."""
    names = [player.name for player in state.players] + [player.name for player in state.away]
    if state.company is not None:
        names += [seat.name for seat in state.company.players]
    return tuple(dict.fromkeys(names))


def _begun(state: State) -> bool:
    """True if the game has begun: somebody bid, or dice were counted."""
    if state.phase in (Phase.SEATING, Phase.ROLLING):
        return False
    return state.phase is not Phase.BIDDING or state.bid is not None or (state.round or 0) > 1
