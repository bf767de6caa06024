"""The parts of a table's page, as one value."""

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
    """The parts of a table's page. None means that there is no such part."""

    table: Table
    _: KW_ONLY
    access: Access = field(default_factory=Access)
    """The code and the phones; by default a new code, and phones kept in memory only."""
    answers: AnswerCache = field(default_factory=AnswerCache)
    """The cache of slow answers."""
    feed: Feed = field(default_factory=Feed)
    """The source of all streams."""
    addresses: Callable[[], Sequence[str]] = own_address
    """Returns the page's addresses for phones; by default the address of the request."""
    names: Sequence[str] = ()
    """More host names by which browsers may reach it."""
    panel: VirtualPanel | None = None
    """None if the panel is real."""
    camera: Camera | None = None
    """For `frame.jpg`."""
    photos: Photos = field(default_factory=Photos)
    """Takes the phones' pictures."""
    language: str = ""
    """The page's language until somebody chooses one; "" means the browser's."""
    clock: Callable[[], float] = time.monotonic
    """Returns monotonic seconds."""
    features: Sequence[Feature[Any]] = ()
    """The features of the box."""

    def lead(self) -> str | None:
        """See `Feature.lead`."""
        return next((address for feature in self.features if (address := feature.lead()) is not None), None)
