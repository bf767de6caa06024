"""The parts of a page with all features of a box, most of which have nothing behind them."""

from __future__ import annotations

from typing import Any

from companion.features.backup.endpoints import BackupFeature
from companion.features.buttons.endpoints import ButtonsFeature
from companion.features.calibration.endpoints import CalibrationFeature
from companion.features.camera.endpoints import CameraFeature
from companion.features.club.endpoints import ClubFeature
from companion.features.health.endpoints import HealthFeature
from companion.features.health.metrics import MetricsFeature
from companion.features.https.endpoints import HttpsFeature
from companion.features.robots.endpoints import RobotsFeature
from companion.features.updates.endpoints import UpdatesFeature
from companion.features.wifi.endpoints import WifiFeature
from web.access.access import Access
from web.parts import Parts
from web.stream.stream import Feed


def box_parts(
    table: Any,
    *,
    access: Access | None = None,
    calibration: Any = None,
    robots: Any = None,
    maintenance: Any = None,
    backups: Any = None,
    https: Any = None,
    camera_setup: Any = None,
    buttons: Any = None,
    wifi: Any = None,
    club: Any = None,
    updates: Any = None,
    **more: Any,
) -> Parts:
    """`Parts` with the features in the order of `companion.app`. `more`: its other fields."""
    access, feed = access or Access(), Feed()
    features = (
        CalibrationFeature(calibration, table, access, feed),
        RobotsFeature(robots, table, access, feed),
        MetricsFeature(table, feed, *([more["clock"]] if "clock" in more else [])),
        HealthFeature(maintenance, table, access),
        BackupFeature(backups, table),
        HttpsFeature(https, table),
        CameraFeature(camera_setup, table),
        ButtonsFeature(buttons, table),
        WifiFeature(wifi, table),
        ClubFeature(club, table),
        UpdatesFeature(updates, table),
    )
    return Parts(table, access=access, feed=feed, features=features, **more)
