"""Photographs from the players' phones, which stand in for the camera's frames: taken in here, read by the reveal."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Final

from companion.messages.message import Message
from companion.table.state.state import Round

MOST_PHOTOS: Final = 6
"""Photographs of one table, taken together."""
MOST_SETS: Final = 3
"""Sets of which some photographs are still to come; the oldest is forgotten."""
MOST_PER_ROUND: Final = 60
"""Photographs that are taken in one round."""

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


@dataclass(slots=True)
class Photos:
    """The photographs that were sent and not yet read. Thread-safe."""

    _lock: threading.Lock = field(default_factory=threading.Lock)
    _coming: dict[PhotoPlace, dict[int, bytes]] = field(default_factory=dict)
    _ready: tuple[PhotoPlace, tuple[bytes, ...]] | None = None
    _before: tuple[PhotoPlace, tuple[bytes, ...]] | None = None
    _counted: tuple[Round | None, int] = (None, 0)

    def add(self, place: PhotoPlace, number: int, data: bytes) -> None:
        """Take photograph `number`, from 1, as a JPEG file. The last of a set makes it ready.

        Raises `TooManyPhotosError`.
        """
        with self._lock:
            of_round, count = self._counted
            count = count + 1 if of_round == place.round else 1
            if count > MOST_PER_ROUND:
                raise TooManyPhotosError(TOO_MANY)
            self._counted = place.round, count
            photos = self._coming.setdefault(place, {})
            photos[number] = data
            if len(photos) == place.of:
                del self._coming[place]
                made = place, tuple(photos[n] for n in sorted(photos))
                if place.before:
                    self._before = made
                else:
                    self._ready = made
            while len(self._coming) > MOST_SETS:
                del self._coming[next(iter(self._coming))]

    def take(self, wanted: Round | None) -> tuple[bytes, ...]:
        """The photographs to read for this round, the last set that is complete, once; else none."""
        with self._lock:
            made, self._ready = self._ready, None
            return made[1] if made is not None and made[0].round == wanted else ()

    def forget(self) -> None:
        """Drop what was sent and not read: the dice that it shows are no longer looked for."""
        with self._lock:
            self._ready = None

    def before(self, wanted: Round | None) -> tuple[bytes, ...]:
        """The photographs of this round's table before the cups went up; else none."""
        with self._lock:
            made = self._before
            return made[1] if made is not None and wanted is not None and made[0].round == wanted else ()
