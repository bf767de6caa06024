"""What tests of several packages share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def photos() -> Path:
    """The folder of real photographs; they are not part of the repository."""
    named = os.environ.get("PERUDO_PHOTOS")
    folder = Path(named) if named else REPOSITORY.parent / "shared" / "photos"
    if not folder.is_dir():
        pytest.skip(f"no photographs here: {folder} is not a folder (PERUDO_PHOTOS names another)")
    return folder
