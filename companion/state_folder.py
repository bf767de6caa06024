"""Where state is kept on this machine."""

from __future__ import annotations

import os
from pathlib import Path


def state_folder() -> Path:
    """systemd's $STATE_DIRECTORY (its first, should there be several), else the user's own state folder."""
    given = os.environ.get("STATE_DIRECTORY", "").split(":")[0]
    if given:
        return Path(given)
    import platformdirs

    return Path(platformdirs.user_state_dir("perudo"))
