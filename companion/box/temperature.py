"""The temperature of the processor, as Linux gives it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

THERMAL_ZONES: Final = Path("/sys/class/thermal")

_PROCESSOR: Final = re.compile(r"cpu|soc|x86_pkg_temp")
"""How the `type` of the processor's zone begins: `cpu-thermal` on a Raspberry Pi."""


def processor_temperature(zones: Path = THERMAL_ZONES) -> float | None:
    """Degrees Celsius; None where the kernel knows none, as in a container."""
    for zone in sorted(zones.glob("thermal_zone*")):
        try:
            if _PROCESSOR.match((zone / "type").read_text(encoding="utf-8")):
                return int((zone / "temp").read_text(encoding="utf-8")) / 1000
        except (OSError, ValueError):  # a sensor that is switched off cannot be read
            continue
    return None
