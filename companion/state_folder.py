"""The folder in which everything is saved."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

KEYS_FILE: Final = "access.json"
"""The table's code and secret. Named here because the doctor must run even if Flask does not import."""
PHONES_FILE: Final = "phones.sqlite3"
"""The phones that have joined."""
CLUB_FILE: Final = "club.json"
"""The club that the table has joined, and its password there."""
CONSENT_FILE: Final = "consent.json"
"""Who agreed to be named in the club, and when."""


def state_folder() -> Path:
    """systemd's $STATE_DIRECTORY (the first, if there are several), else the user's own state folder."""
    if folder := os.environ.get("STATE_DIRECTORY", "").split(":")[0]:
        return Path(folder)
    import platformdirs

    return Path(platformdirs.user_state_dir("perudo"))
