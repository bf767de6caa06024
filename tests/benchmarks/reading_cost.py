"""What a reading costs, beside a network that everybody knows: ratios, because milliseconds are the machine's.

Every reading is timed between two forward passes of `tests.benchmarks.yardstick` through the same cv2.dnn, on one
thread, and again in every round: a machine that is busy with something else then slows both alike. Time is the
processor's own (`time.process_time`, every thread of this process together): waiting for a busy processor is not in it,
and work on another thread cannot hide. On an idle machine it is the time on the clock.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import cv2
import numpy as np

from calibration.palette import COLOURS
from tests.benchmarks.yardstick import SIDE, yardstick
from vision.drawn.table import DIE_MM, WIDTH_MM, SceneDie, TableScene, render_table
from vision.models.networks import Image
from vision.reading import Reading
from vision.stillness import Settle

FRAME: Final = (2304, 1296)
"""Width and height in pixels of what the box reads."""
DICE: Final = 30
"""Six players with five dice each."""
HEIGHTS_MM: Final = (500.0, 750.0, 1100.0)
"""Of the camera over the table: lowest, usual, highest."""
FIELD: Final = 66.0
"""Degrees across that Camera Module 3 sees (https://www.raspberrypi.com/documentation/accessories/camera.html)."""
FEWER: Final = (0, 5, 10, 20)
SIZES: Final = ((640, 480), (1280, 960), (4608, 2592))
PREVIEWS: Final = ((640, 480), (1280, 720))

RATIO_BAR: Final = 2.0
"""A frame costs no more than so many forward passes."""
SETTLE_BAR: Final = 5.0
"""Milliseconds."""
MEMORY_BAR: Final = 300.0
"""Megabytes (10^6 bytes)."""

_DEEP_MM: Final = 350.0
"""How deep the drawn table is; its width is `vision.drawn.table.WIDTH_MM`, and bare cloth lies round it."""
_LOOKS: Final = 20
"""Settle checks a round: one alone is too short to time."""
_CHILD: Final = """
import sys
from pathlib import Path
from vision.files import read_image
from vision.reader import Reader
print(len(Reader.load().read(read_image(Path(sys.argv[1]))).dice))
print(next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")))
"""


class BenchmarkError(RuntimeError):
    """Something could not be measured here. The message says what."""


class Reads(Protocol):
    """Whatever reads a frame: `vision.reader.Reader`."""

    def read(self, image: Image) -> Reading:
        """Read one frame, BGR."""


@dataclass(frozen=True, slots=True)
class Case:
    """A frame to be read."""

    image: Image
    dice: int
    """How many lie in it."""
    die_px: float
    """How wide a die is in it, in pixels."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What reading one frame took."""

    width: int
    height: int
    dice: int
    die_px: float
    seen: int
    """How many dice the reader found."""
    ms: float
    """Processor time: the median of the rounds."""
    ratio: float
    """Forward passes of the yardstick that take as long: the median of the rounds."""
    low: float
    """The lowest ratio of a round."""
    high: float


@dataclass(frozen=True, slots=True)
class Check:
    """What one settle check took on a preview frame of this size."""

    width: int
    height: int
    ms: float


@dataclass(frozen=True, slots=True)
class Bar:
    """Something measured against what was asked for."""

    name: str
    value: float
    limit: float
    unit: str

    @property
    def within(self) -> bool:
        """Whether it is low enough."""
        return self.value <= self.limit


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Everything measured in one run."""

    opencv: str
    machine: str
    """The processor's kind, as `uname -m` names it."""
    cores: int
    rounds: int
    weights: int
    """Of the yardstick."""
    gflop: float
    yard_ms: float
    """Its forward pass: the median of all."""
    heights: tuple[Cost, ...]
    """The frame as the camera sees it from each of `HEIGHTS_MM`."""
    dice: tuple[Cost, ...]
    """The frame with fewer dice, last with all."""
    pixels: tuple[Cost, ...]
    """The same table in other sizes."""
    checks: tuple[Check, ...]
    memory_mb: float

    def bars(self) -> tuple[Bar, ...]:
        """What was asked for, the dearest of each kind."""
        return (
            Bar("30 dice in 2304x1296, from the worst height", max(c.ratio for c in self.heights), RATIO_BAR, "passes"),
            Bar("settle check", max(c.ms for c in self.checks), SETTLE_BAR, "ms"),
            Bar("memory", self.memory_mb, MEMORY_BAR, "MB"),
        )


def scene(dice: int) -> TableScene:
    """`dice` of six colours spread over the table, none touching another. At most `DICE`."""
    rng = np.random.default_rng(30)
    spread = [(x, y) for y in (-124.0, -62.0, 0.0, 62.0, 124.0) for x in (-250.0, -150.0, -50.0, 50.0, 150.0, 250.0)]
    order = rng.permutation(len(spread))[:dice]
    return TableScene(
        tuple(
            SceneDie(
                spread[k][0] + float(rng.uniform(-20, 20)),
                spread[k][1] + float(rng.uniform(-12, 12)),
                float(rng.uniform(0, 2 * np.pi)),
                int(rng.integers(1, 7)),
                COLOURS[n % 6],
            )
            for n, k in enumerate(order)
        )
    )


def case(dice: int = DICE, size: tuple[int, int] = FRAME, camera_mm: float = HEIGHTS_MM[1]) -> Case:
    """The table as a camera `camera_mm` above it sees it, in `size` = (width, height) pixels.

    It is drawn for a frame of 2304 pixels' width and then shrunk or enlarged, so that the same table is in every size.
    """
    width, height = FRAME[0], round(FRAME[0] * size[1] / size[0])
    seen_mm = 2 * camera_mm * np.tan(np.radians(FIELD / 2))
    scale = width / seen_mm
    inner = (min(width, round(WIDTH_MM * scale)), min(height, round(_DEEP_MM * scale)))
    scale = inner[0] / WIDTH_MM
    image = render_table(TableScene(), (width, height))
    left, top = (width - inner[0]) // 2, (height - inner[1]) // 2
    image[top : top + inner[1], left : left + inner[0]] = render_table(scene(dice), inner)
    how = cv2.INTER_AREA if size[0] < width else cv2.INTER_CUBIC
    image = np.asarray(cv2.resize(image, size, interpolation=how), dtype=np.uint8)
    return Case(image, dice, DIE_MM * scale * size[0] / width)


@contextmanager
def one_thread() -> Iterator[None]:
    """OpenCV on one thread, and as before afterwards."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(threads)


def compare(
    reader: Reads,
    forward: Callable[[], object],
    cases: Sequence[Case],
    rounds: int,
    clock: Callable[[], float] = time.process_time,
) -> tuple[tuple[Cost, ...], float]:
    """Read every case in every round, each between two forward passes. Also gives the median pass in milliseconds.

    A round before the first warms everything up and is not counted. `clock` gives seconds.
    """

    def ms(work: Callable[[], object]) -> float:
        begin = clock()
        work()
        return (clock() - begin) * 1000

    passes: list[float] = []
    times: list[list[tuple[float, float]]] = [[] for _ in cases]
    seen = [len(reader.read(each.image).dice) for each in cases]
    forward()
    for _ in range(rounds):
        before = ms(forward)
        passes.append(before)
        for each, taken in zip(cases, times, strict=True):
            reading = ms(lambda image=each.image: reader.read(image))  # type: ignore[misc]
            after = ms(forward)
            passes.append(after)
            taken.append((reading, reading / ((before + after) / 2)))
            before = after
    costs = []
    for each, found, taken in zip(cases, seen, times, strict=True):
        ratios = [ratio for _, ratio in taken]
        height, width = each.image.shape[:2]
        costs.append(
            Cost(
                width,
                height,
                each.dice,
                each.die_px,
                found,
                statistics.median(t for t, _ in taken),
                statistics.median(ratios),
                min(ratios),
                max(ratios),
            )
        )
    return tuple(costs), statistics.median(passes)


def settle_check(size: tuple[int, int], rounds: int, clock: Callable[[], float] = time.process_time) -> Check:
    """What one look of `vision.stillness.Settle` takes on a noisy preview of `size` = (width, height) pixels."""
    still = case(DICE, size).image
    noise = np.random.default_rng(1).normal(0, 2, (2, *still.shape))
    frames = [np.clip(still + each, 0, 255).astype(np.uint8) for each in noise]
    taken = []
    for _ in range(rounds + 1):
        settle = Settle()
        begin = clock()
        for k in range(_LOOKS):
            settle.see(frames[k % 2], k / 15)
        taken.append((clock() - begin) * 1000 / _LOOKS)
    return Check(*size, statistics.median(taken[1:]))


def memory(image: Image) -> tuple[float, int]:
    """The most memory, in megabytes, of a fresh process that loads the reader and reads `image`; and the dice it saw.

    It is the kernel's own peak of that process (VmHWM). `resource.getrusage` would not do: its ru_maxrss begins at what
    the process that started this one holds. OpenCV may use every core there, as it does at a table. Raises
    `BenchmarkError`.
    """
    if not Path("/proc/self/status").exists():
        raise BenchmarkError("memory is read from /proc, which this system has not: measure on Linux")
    with tempfile.TemporaryDirectory() as folder:
        frame = Path(folder) / "frame.png"
        frame.write_bytes(cv2.imencode(".png", image)[1].tobytes())
        done = subprocess.run(
            [sys.executable, "-c", _CHILD, str(frame)],
            capture_output=True, text=True, check=False, cwd=Path(__file__).resolve().parents[2],
        )  # fmt: skip
    if done.returncode:
        raise BenchmarkError(f"the process whose memory is measured failed: {done.stderr.strip()}")
    dice, peak = done.stdout.splitlines()
    return int(peak.split()[1]) * 1024 / 1e6, int(dice)


def run(reader: Reads, rounds: int = 7, tell: Callable[[str], None] = lambda _: None) -> Benchmark:
    """Measure everything; `tell` hears what is being done. Raises `BenchmarkError` when it cannot be measured here."""
    with one_thread():
        tell("Drawing tables")
        heights = [case(camera_mm=mm) for mm in HEIGHTS_MM]
        usual = heights[1]
        fewer = [case(n) for n in FEWER]
        sizes = [case(size=size) for size in SIZES]
        yard = yardstick()
        net = cv2.dnn.readNetFromONNX(np.frombuffer(yard.onnx, np.uint8))
        blob = cv2.dnn.blobFromImage(usual.image, 1 / 255, (SIDE, SIDE))

        def forward() -> None:
            net.setInput(blob)
            net.forward()

        tell(f"Reading {len(heights + fewer + sizes)} tables {rounds + 1} times each")
        costs, yard_ms = compare(reader, forward, [*heights, *fewer, *sizes], rounds)
        tell("The settle check")
        checks = tuple(settle_check(size, rounds) for size in PREVIEWS)
    tell("Memory")
    peak = max(memory(each.image)[0] for each in heights)
    n, m = len(heights), len(heights) + len(fewer)
    return Benchmark(
        opencv=cv2.__version__,
        machine=platform.machine(),
        cores=os.cpu_count() or 1,
        rounds=rounds,
        weights=yard.weights,
        gflop=yard.gflop,
        yard_ms=yard_ms,
        heights=costs[:n],
        dice=(*costs[n:m], costs[1]),
        pixels=tuple(sorted((*costs[m:], costs[1]), key=lambda c: c.width)),
        checks=checks,
        memory_mb=peak,
    )
