"""What a table's page is made of, as one value."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any

from companion.camera.photos import Photos
from companion.table import Table
from hardware.camera.protocol import Camera
from web.access.access import Access
from web.access.invitation import own_address
from web.answer_cache import AnswerCache
from web.feature import Feature
from web.stream.stream import Feed

if TYPE_CHECKING:
    from hardware.virtual.virtual_panel import VirtualPanel


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a table's page. None: there is no such part."""

    table: Table
    _: KW_ONLY
    access: Access = field(default_factory=Access)
    """The code and the phones; by default a new code, and phones in memory only."""
    answers: AnswerCache = field(default_factory=AnswerCache)
    """What took long to work out."""
    feed: Feed = field(default_factory=Feed)
    """The source of all streams."""
    addresses: Callable[[], Sequence[str]] = own_address
    """Where phones reach the page; by default the address of the request."""
    names: Sequence[str] = ()
    """By which browsers may ask for it, beside our own."""
    panel: VirtualPanel | None = None
    """None if the panel is real."""
    camera: Camera | None = None
    """For `frame.jpg`."""
    photos: Photos = field(default_factory=Photos)
    """Takes the phones' pictures."""
    language: str = ""
    """The page's where nobody has chosen one; "" takes the browser's."""
    clock: Callable[[], float] = time.monotonic
    """Seconds."""
    features: Sequence[Feature[Any]] = ()
    """What there is on `/box` and beside the game."""

    def lead(self) -> str | None:
        """As `Feature.lead`."""
        return next((address for feature in self.features if (address := feature.lead()) is not None), None)
