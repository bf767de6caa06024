"""Views of the sheet through cameras that are computed (`rendered.py`), made once for all tests."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import rendered

from calibration.find import Sighting, find

STANDARD = rendered.Eye(1152, 648, 846.0, off=(6.0, -4.0))
"""The standard Camera Module 3, its pictures halved twice."""
WIDE = rendered.Eye(1152, 648, 491.0, off=(-5.0, 3.0), distortion=(-0.02, -0.01, 0.0004, -0.0003, 0.0), seed=2)
"""The wide one."""


def dance(eye: rendered.Eye) -> list[Sighting]:
    found = [find(eye.sheet(pose)) for pose in rendered.dance(eye)]
    return [view for view in found if view is not None]


@pytest.fixture(scope="session")
def standard() -> rendered.Eye:
    return STANDARD


@pytest.fixture(scope="session")
def wide() -> rendered.Eye:
    return WIDE


@pytest.fixture(scope="session")
def views() -> list[Sighting]:
    """Twelve of the standard lens."""
    return dance(STANDARD)


@pytest.fixture(scope="session")
def wide_views() -> list[Sighting]:
    return dance(WIDE)
