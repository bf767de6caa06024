"""Whether the machine's clock is right, as far as anybody can tell.

A Pi has no clock that runs without power, or one without a battery: until the network sets it, it goes on from about
where it was switched off.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

TIMESYNC: Final = "run/systemd/timesync"
"""The folder of systemd-timesyncd while it runs; `synchronized` is in it once it has set the clock."""
HARDWARE_CLOCK: Final = "sys/class/rtc/rtc0/since_epoch"
AGREES: Final = 3600
"""Seconds by which a clock with a battery may differ. Without one it begins in 1970."""


def clock_set(root: Path = Path("/"), now: float | None = None) -> bool:
    """Whether the network or a clock with a battery has set `now`, the seconds since 1970, since the machine started.

    Where systemd-timesyncd does not run, somebody else looks after the clock: then it counts as set.
    """
    timesync = root / TIMESYNC
    if not timesync.is_dir() or (timesync / "synchronized").exists():
        return True
    try:
        kept = int((root / HARDWARE_CLOCK).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return False
    return abs((time.time() if now is None else now) - kept) < AGREES
