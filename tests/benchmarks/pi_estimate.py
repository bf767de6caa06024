"""What a verdict takes on a Raspberry Pi, estimated from its forward passes here and from passes that others measured.

The published times are for a network like the yardstick, 640 x 640, by ncnn on four threads:

- Pi 4: YOLOv8n, 3.1 frames a second at 1.95 GHz, so 350 ms at 1.8 GHz (Q-engineering on GitHub, read in November 2026);
  380 to 420 ms (coloradmin.cn/o/2496715.html, read then).
- Pi 5: YOLO11n, 6.5 GFLOP, in 32 bits, 88 ms, so 118 ms for 8.7 GFLOP (docs.ultralytics.com/guides/raspberry-pi, of
  version 8.3.39, late 2024); YOLOv8n, 115 ms (rpkg.in/Bing1002/rpi-deploy, read in November 2026). Q-engineering's 20
  frames a second at 2.9 GHz are left out: nothing says that they are without 16-bit arithmetic, which the box does not
  use.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from tests.benchmarks.reading_cost import ReadingCost

PI_PASSES: Final[Mapping[str, tuple[float, float]]] = {
    "Pi 4 (1.8 GHz)": (3.1**-1 * 1950 / 1800 * 1000, 420.0),
    "Pi 5 (2.4 GHz)": (115.0, 88.0 * 8.7 / 6.5),
}
"""Milliseconds of a forward pass on four threads, the least and the most published."""

TWO_THREADS: Final = 1.7
"""How much longer it takes on the two threads that the box uses; assumed."""


def pi_markdown(costs: Iterable[ReadingCost], yard_ms: float) -> str:
    """The table of the estimate, and where its figures are from. `yard_ms`: a forward pass on one thread here."""
    passes = {name: (TWO_THREADS * low, TWO_THREADS * high) for name, (low, high) in PI_PASSES.items()}
    lines = [
        f"| | here, measured | {' | '.join(f'{name}, estimated' for name in PI_PASSES)} |",
        "|---|---|---|---|",
        f"| a forward pass on four threads, by others | | {' | '.join(_ms(*each) for each in PI_PASSES.values())} |",
        f"| on two threads, {TWO_THREADS} times as long (assumed) | {yard_ms:.0f} ms (one thread) | "
        f"{' | '.join(_ms(*each) for each in passes.values())} |",
        *(
            f"| a verdict on {cost.dice} dice, {cost.ratio:.2f} passes | {cost.ms:.0f} ms | "
            f"{' | '.join(_seconds(cost.ratio * low, cost.ratio * high) for low, high in passes.values())} |"
            for cost in costs
        ),
        "",
        "Nobody has timed a verdict on a Pi. The box uses two of its four cores, and leaves two for the phones. "
        "Not included: that the table has to lie still first, about a second; the camera's driver; a processor "
        "that is too hot. Published, for YOLOv8n's size by ncnn: Pi 4 "
        "[Q-engineering](https://github.com/Qengineering/YoloX-ncnn-Raspberry-Pi-4) (3.1 frames a second at 1.95 "
        "GHz) and [a Pi 4B](http://www.coloradmin.cn/o/2496715.html) (380 to 420 ms), both read in November 2026; "
        "Pi 5 [Ultralytics 8.3.39](https://docs.ultralytics.com/guides/raspberry-pi/), late 2024 (YOLO11n in 32 "
        "bits, 88 ms for 6.5 GFLOP) and [rpi-deploy](https://rpkg.in/Bing1002/rpi-deploy), read in November 2026 "
        "(115 ms).",
    ]
    return "\n".join(lines)


def _ms(low: float, high: float) -> str:
    return f"{low:.0f} to {high:.0f} ms"


def _seconds(low: float, high: float) -> str:
    first, last = f"{low / 1000:.1f}", f"{high / 1000:.1f}"
    return f"{first} s" if first == last else f"{first} to {last} s"
