"""Photographs from the players' phones, which stand in for the camera's frames: taken in here, read by the reveal."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from companion.messages.message import Message
from companion.table.state.state import Round

MOST_PHOTOS: Final = 6
"""Photographs of one table, taken together."""
MOST_SETS: Final = 3
"""Sets of which some photographs are still to come; beyond that the phone with the most loses its oldest."""
MOST_PER_ROUND: Final = 60
"""Photographs that are taken of one phone in one round."""

TOO_MANY: Final = Message("That is more pictures than this table takes in a round. Count the dice by hand.")


class TooManyPhotosError(RuntimeError):
    """More photographs than a round needs."""


@dataclass(frozen=True, slots=True)
class PhotoPlace:
    """Where a photograph belongs."""

    before: bool
    """Whether it shows the table before the cups go up."""
    round: Round | None
    """As in `companion.table.table.RevealRequest`."""
    together: str
    """Names the photographs of one table; different for every phone and every try."""
    of: int
    """How many they are, 1 to `MOST_PHOTOS`."""
    phone: str
    """Who sends it."""


@dataclass(slots=True)
class Photos:
    """The photographs that were sent and not yet read. Thread-safe."""

    _lock: threading.Lock = field(default_factory=threading.Lock)
    _coming: dict[PhotoPlace, dict[int, bytes]] = field(default_factory=dict)
    _ready: dict[str, tuple[PhotoPlace, tuple[bytes, ...]]] = field(default_factory=dict)
    """Phone -> its last set, in the order in which they are read: no phone's replaces another's."""
    _before: tuple[PhotoPlace, tuple[bytes, ...]] | None = None
    _counted: Counter[str] = field(default_factory=Counter)
    """Phone -> its photographs in `_counted_in`."""
    _counted_in: Round | None = None

    def add(self, place: PhotoPlace, number: int, data: bytes) -> None:
        """Take photograph `number`, from 1, as a JPEG file. The last of a set makes it ready.

        Raises `TooManyPhotosError`.
        """
        with self._lock:
            if self._counted_in != place.round:
                self._counted_in = place.round
                self._counted.clear()
            if self._counted[place.phone] >= MOST_PER_ROUND:
                raise TooManyPhotosError(TOO_MANY)
            self._counted[place.phone] += 1
            photos = self._coming.setdefault(place, {})
            photos[number] = data
            if len(photos) == place.of:
                del self._coming[place]
                made = place, tuple(photos[n] for n in sorted(photos))
                if place.before:
                    self._before = made
                else:
                    self._ready[place.phone] = made
                    if len(self._ready) > MOST_SETS:
                        del self._ready[next(iter(self._ready))]
            if len(self._coming) > MOST_SETS:
                most = Counter(each.phone for each in self._coming).most_common(1)[0][0]
                del self._coming[next(each for each in self._coming if each.phone == most)]

    def take(self, wanted: Round | None) -> tuple[bytes, ...]:
        """The photographs to read for this round, a set that is complete, once; else none."""
        with self._lock:
            while self._ready:
                place, photos = self._ready.pop(next(iter(self._ready)))
                if place.round == wanted:
                    return photos
            return ()

    def forget(self) -> None:
        """Drop what was sent and not read: the dice that it shows are no longer looked for."""
        with self._lock:
            self._ready.clear()

    def before(self, wanted: Round | None) -> tuple[bytes, ...]:
        """The photographs of this round's table before the cups went up; else none."""
        with self._lock:
            made = self._before
            return made[1] if made is not None and wanted is not None and made[0].round == wanted else ()
