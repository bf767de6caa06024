"""Whether the machine's clock has been set since its start."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.box.doctor.clock import HARDWARE_CLOCK, TIMESYNC, clock_set

NOW = 1_795_000_000.0


@pytest.mark.parametrize(
    ("timesync", "synchronized", "kept", "right"),
    [
        (True, False, None, False),  # a Pi 4 without the internet
        (True, True, None, True),
        (True, False, "1204\n", False),  # a Pi 5 without a battery
        (True, False, "1794999990\n", True),  # with one, or a computer
        (True, False, "", False),
        (False, False, None, True),  # chrony, or no systemd
    ],
)
def test_a_clock_is_set_by_the_network_or_by_one_with_a_battery(
    timesync: bool, synchronized: bool, kept: str | None, right: bool, tmp_path: Path
) -> None:
    if timesync:
        (tmp_path / TIMESYNC).mkdir(parents=True)
    if synchronized:
        (tmp_path / TIMESYNC / "synchronized").touch()
    if kept is not None:
        (tmp_path / HARDWARE_CLOCK).parent.mkdir(parents=True)
        (tmp_path / HARDWARE_CLOCK).write_text(kept)
    assert clock_set(tmp_path, NOW) == right
