"""Views of the sheet through simulated cameras (`rendered.py`), made once for all tests."""

from __future__ import annotations

import pytest

from calibration.sheet.sighting import Sighting, find_sheet
from tests.calibration import rendered


def dance(eye: rendered.Eye) -> list[Sighting]:
    sightings = [find_sheet(eye.sheet(pose)) for pose in rendered.dance(eye)]
    return [view for view in sightings if view is not None]


@pytest.fixture(scope="session")
def standard() -> rendered.Eye:
    return rendered.STANDARD


@pytest.fixture(scope="session")
def wide() -> rendered.Eye:
    return rendered.WIDE


@pytest.fixture(scope="session")
def views() -> list[Sighting]:
    """Twelve views through the standard lens."""
    return dance(rendered.STANDARD)


@pytest.fixture(scope="session")
def wide_views() -> list[Sighting]:
    return dance(rendered.WIDE)
