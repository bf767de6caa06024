"""Collects photographs from the players' phones, which replace the camera's frames, until the reveal reads them."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from companion.messages.message import Message
from companion.table.state.state import Round

MOST_PHOTOS: Final = 6
"""The most photographs of one table taken together."""
MOST_SETS: Final = 3
"""The most incomplete sets; beyond that the phone with the most sets loses its oldest."""
MOST_PER_ROUND: Final = 60
"""The most photographs accepted from one phone in one round."""

TOO_MANY: Final = Message("This round has no room for more pictures. Count the dice by hand.")


class TooManyPhotosError(RuntimeError):
    """There are more photographs than a round needs."""


@dataclass(frozen=True, slots=True)
class PhotoPlace:
    """Which table, round and set a photograph belongs to."""

    before: bool
    """It shows the table before the cups go up."""
    round: Round | None
    """As in `companion.table.table.RevealRequest`."""
    together: str
    """The id of the set of photographs of one table; different for every phone and every attempt."""
    of: int
    """The number of photographs in the set, 1 to `MOST_PHOTOS`."""
    phone: str
    """The phone that sends it."""


@dataclass(slots=True)
class Photos:
    """Photographs that have been sent and not yet read. Thread-safe."""

    _lock: threading.Lock = field(default_factory=threading.Lock)
    _coming: dict[PhotoPlace, dict[int, bytes]] = field(default_factory=dict)
    _ready: dict[str, tuple[PhotoPlace, tuple[bytes, ...]]] = field(default_factory=dict)
    """Phone -> its latest set, in reading order; phones do not replace each other's sets."""
    _before: tuple[PhotoPlace, tuple[bytes, ...]] | None = None
    _counted: Counter[str] = field(default_factory=Counter)
    """Phone -> its number of photographs in `_counted_in`."""
    _counted_in: Round | None = None
    taken: str = ""
    """The id of the set that was taken last."""

    def add(self, place: PhotoPlace, number: int, data: bytes) -> None:
        """Add photograph `number`, from 1, a JPEG file. The last one of a set makes the set ready.

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
        """Return a complete set of photographs for this round, once; empty if there is none."""
        with self._lock:
            while self._ready:
                place, photos = self._ready.pop(next(iter(self._ready)))
                if place.round == wanted:
                    self.taken = place.together
                    return photos
            return ()

    def forget(self) -> None:
        """Drop unread photographs, because their dice are no longer needed."""
        with self._lock:
            self._ready.clear()

    def before(self, wanted: Round | None) -> tuple[bytes, ...]:
        """The photographs of the table before the cups went up in this round; empty if there are none."""
        with self._lock:
            made = self._before
            return made[1] if made is not None and wanted is not None and made[0].round == wanted else ()
