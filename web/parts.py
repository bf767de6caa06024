"""What a table's page is made of, as one value."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.box.backup.backups import Backups
from companion.box.camera_setup import CameraSetup
from companion.box.maintenance import Maintenance
from companion.box.updates import Updates
from companion.box.wifi.wifi import Wifi
from companion.calibrating.session import CalibrationSession
from companion.camera.photos import Photos
from companion.member.table_club import TableClub
from companion.panel.table_panel import TablePanel
from companion.table import Table
from hardware.camera.protocol import Camera
from web.access.access import Access
from web.access.invitation import own_address
from web.answer_cache import AnswerCache
from web.stream.stream import Feed

if TYPE_CHECKING:
    from companion.demo.robot_players import RobotPlayers
    from companion.secure_page import SecurePage
    from hardware.virtual.virtual_panel import VirtualPanel

HEARTBEAT: Final = 10.0
"""Seconds of silence after which a stream sends a heartbeat."""
UNREAD_FOR: Final = 20.0
"""Seconds after which a phone that reads nothing loses its stream."""


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
    pictures: Path | None = None
    """The folder of the judged pictures, `<id>.jpg`."""
    calibrating: CalibrationSession | None = None
    photos: Photos = field(default_factory=Photos)
    """Takes the phones' pictures."""
    players: RobotPlayers | None = None
    """The demo's robots."""
    maintenance: Maintenance | None = None
    """What the host's phone does for the box."""
    camera_setup: CameraSetup | None = None
    buttons: TablePanel | None = None
    """The panel, if its keys can be learned."""
    backups: Backups | None = None
    https: SecurePage | None = None
    wifi: Wifi | None = None
    club: TableClub | None = None
    """None without the part for clubs."""
    updates: Updates | None = None
    language: str = ""
    """The page's where nobody has chosen one; "" takes the browser's."""
    heartbeat: float = HEARTBEAT
    unread_for: float = UNREAD_FOR
    clock: Callable[[], float] = time.monotonic
    """Seconds, for all of these."""
