"""What a verdict costs, as a ratio to a network that everybody knows: milliseconds depend on the machine.

Every verdict is timed between two forward passes of `tests.benchmarks.yardstick` through the same engine on one
thread, in every round, so that other work on the machine slows both alike. Time is processor time (`time.process_time`,
all threads of this process): waiting for a busy processor does not count, and work on another thread does.
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

from calibration.image import Image
from calibration.palette import COLOURS
from tests.benchmarks.yardstick import YARDSTICK_SIDE, Yardstick, write_yardstick
from vision.cloth import Ignore
from vision.drawn.table_scene import DIE_MM, WIDTH_MM, SceneDie, TableScene, render_table
from vision.in_play import read_in_play
from vision.models.network import Network
from vision.quiet_table import QuietTable
from vision.reading import Reading
from vision.stillness import StillnessCheck

FRAME_SIZE: Final = (2304, 1296)
"""Width and height in pixels of the frames the box reads."""
DICE_COUNT: Final = 30
"""Six players with five dice each."""
HEIGHTS_MM: Final = (500.0, 750.0, 1100.0)
"""Of the camera above the table: lowest, usual, highest."""
CAMERA_FIELD: Final = 66.0
"""Camera Module 3's horizontal angle of view in degrees
(https://www.raspberrypi.com/documentation/accessories/camera.html).
"""
DICE_COUNTS: Final = (0, 5, 10, 20)
FRAME_SIZES: Final = ((640, 480), (1280, 960), (4608, 2592))
PREVIEW_SIZES: Final = ((640, 480), (1280, 720))

RATIO_BAR: Final = 2.5
"""A verdict may cost this many forward passes."""
SENSOR_NOISE: Final = 2.0
"""Standard deviation, in grey levels, by which the frame that confirms a reading differs."""
SETTLE_BAR: Final = 5.0
"""Milliseconds."""
READING_MEMORY_BAR: Final = 300.0
"""Megabytes (10^6 bytes)."""

_DEPTH_MM: Final = 350.0
"""Depth of the drawn table, whose width is `vision.drawn.table_scene.WIDTH_MM`; bare cloth surrounds it."""
_CHECKS_PER_ROUND: Final = 20
"""One settle check alone is too short to time."""
_READ_ONCE: Final = """
import sys
from pathlib import Path
from vision.image_file import read_image
from vision.in_play import read_in_play
from vision.quiet_table import QuietTable
from vision.reader import Reader
print(len(Reader.load().read(read_image(Path(sys.argv[1]))).dice))
print(next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")))
"""


class BenchmarkError(RuntimeError):
    """Something could not be measured here. The message says what."""


class FrameReader(Protocol):
    def read(
        self, image: Image, die_width: float | None = None, *, closely: bool = False, ignore: Ignore | None = None
    ) -> Reading:
        """Read one frame, BGR."""

    def confirms(self, reading: Reading, before: Image, image: Image) -> bool:
        """Look at a later frame."""


@dataclass(frozen=True, slots=True)
class TableCase:
    """A frame to read."""

    image: Image
    dice: int
    """How many dice lie in it."""
    die_px: float
    """Width of a die in pixels."""
    quiet: tuple[QuietTable, ...] = ()
    """The table before the cups went up."""


@dataclass(frozen=True, slots=True)
class ReadingCost:
    """What a verdict took, from the table lying still."""

    width: int
    height: int
    dice: int
    die_px: float
    seen: int
    """How many dice the reader found."""
    ms: float
    """Processor time, the median of the rounds."""
    ratio: float
    """The same in forward passes of the yardstick, the median of the rounds."""
    low: float
    """The lowest ratio of any round."""
    high: float


@dataclass(frozen=True, slots=True)
class SettleCost:
    """What one settle check took on a preview frame of this size."""

    width: int
    height: int
    ms: float


@dataclass(frozen=True, slots=True)
class Bar:
    """A measured value and the limit it must not exceed."""

    name: str
    value: float
    limit: float
    unit: str

    @property
    def within(self) -> bool:
        return self.value <= self.limit


@dataclass(frozen=True, slots=True)
class ReadingBenchmark:
    """Everything measured in one run."""

    opencv: str
    machine: str
    """As `uname -m` names it."""
    cores: int
    rounds: int
    weights: int
    """Of the yardstick."""
    gflop: float
    yard_ms: float
    """The yardstick's forward pass, the median of all."""
    heights: tuple[ReadingCost, ...]
    """The frame seen from each of `HEIGHTS_MM`."""
    dice: tuple[ReadingCost, ...]
    """The frame with fewer dice, and with all."""
    pixels: tuple[ReadingCost, ...]
    """The same table in other frame sizes."""
    checks: tuple[SettleCost, ...]
    memory_mb: float

    def bars(self) -> tuple[Bar, ...]:
        """The limits; of several measurements the worst counts."""
        return (
            Bar("30 dice in 2304x1296, from the worst height", max(c.ratio for c in self.heights), RATIO_BAR, "passes"),
            Bar("settle check", max(c.ms for c in self.checks), SETTLE_BAR, "ms"),
            Bar("memory", self.memory_mb, READING_MEMORY_BAR, "MB"),
        )


def spread_dice(dice: int) -> TableScene:
    """Up to `DICE_COUNT` dice of six colours spread over the table, none touching."""
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


def table_case(
    dice: int = DICE_COUNT, size: tuple[int, int] = FRAME_SIZE, camera_mm: float = HEIGHTS_MM[1]
) -> TableCase:
    """The table seen by a camera `camera_mm` above it, in `size` = (width, height) pixels."""
    image, empty = (seen_from(scene, size, camera_mm) for scene in (spread_dice(dice), TableScene()))
    die_px = DIE_MM * _scale(camera_mm) * size[0] / FRAME_SIZE[0]
    return TableCase(image, dice, die_px, (QuietTable(empty, ()),))


def seen_from(scene: TableScene, size: tuple[int, int], camera_mm: float = HEIGHTS_MM[1]) -> Image:
    """`scene` seen by a camera `camera_mm` above it, in `size` = (width, height) pixels.

    It is drawn 2304 pixels wide and then resized, so that every size shows the same table.
    """
    width, height = FRAME_SIZE[0], round(FRAME_SIZE[0] * size[1] / size[0])
    scale = _scale(camera_mm)
    inner = (min(width, round(WIDTH_MM * scale)), min(height, round(_DEPTH_MM * scale)))
    image = render_table(TableScene(), (width, height))
    left, top = (width - inner[0]) // 2, (height - inner[1]) // 2
    image[top : top + inner[1], left : left + inner[0]] = render_table(scene, inner)
    how = cv2.INTER_AREA if size[0] < width else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image, size, interpolation=how), np.uint8)


def _scale(camera_mm: float) -> float:
    """Pixels a millimetre of the table, in a frame of the width of `FRAME_SIZE`."""
    scale = FRAME_SIZE[0] / (2 * camera_mm * np.tan(np.radians(CAMERA_FIELD / 2)))
    return float(min(FRAME_SIZE[0], round(WIDTH_MM * scale)) / WIDTH_MM)


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep OpenCV to one thread, and restore the number afterwards."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(threads)


def forward_pass(image: Image) -> tuple[Yardstick, Callable[[], object]]:
    """The yardstick, and its forward pass over `image`."""
    with tempfile.TemporaryDirectory() as folder:
        yard = write_yardstick(Path(folder) / "yardstick")
        network = Network(Path(folder) / "yardstick")
    square = np.asarray(cv2.resize(image, (YARDSTICK_SIDE, YARDSTICK_SIDE)), np.uint8)
    return yard, lambda: network.run(square)


def time_readings(
    reader: FrameReader,
    forward: Callable[[], object],
    table_cases: Sequence[TableCase],
    rounds: int,
    clock: Callable[[], float] = time.process_time,
) -> tuple[tuple[ReadingCost, ...], float]:
    """Judge every table in every round, each between two forward passes; also return the median pass in milliseconds.

    A verdict is what a reveal does: a frame is read, whose dice have the width of those read before; it is compared
    with the table before the cups went up; and another frame confirms it. A warm-up round before the first is not
    counted. `clock` returns seconds.
    """

    def ms(work: Callable[[], object]) -> float:
        begin = clock()
        work()
        return (clock() - begin) * 1000

    passes: list[float] = []
    times: list[list[tuple[float, float]]] = [[] for _ in table_cases]
    readings = [reader.read(each.image) for each in table_cases]
    later = [_noisy(each.image) for each in table_cases]

    def judge(n: int) -> None:
        dice, image = readings[n].dice, table_cases[n].image
        width = statistics.median(die.width for die in dice) if dice else None
        play = read_in_play(reader.read, image, table_cases[n].quiet, die_width=width)
        reader.confirms(play.reading, image, later[n])

    forward()
    for _ in range(rounds):
        before = ms(forward)
        passes.append(before)
        for n, milliseconds in enumerate(times):
            verdict = ms(lambda n=n: judge(n))  # type: ignore[misc]
            after = ms(forward)
            passes.append(after)
            milliseconds.append((verdict, verdict / ((before + after) / 2)))
            before = after
    costs = []
    for each, reading, milliseconds in zip(table_cases, readings, times, strict=True):
        ratios = [ratio for _, ratio in milliseconds]
        height, width = each.image.shape[:2]
        costs.append(
            ReadingCost(
                width,
                height,
                each.dice,
                each.die_px,
                len(reading.dice),
                statistics.median(t for t, _ in milliseconds),
                statistics.median(ratios),
                min(ratios),
                max(ratios),
            )
        )
    return tuple(costs), statistics.median(passes)


def _noisy(image: Image) -> Image:
    noise = np.random.default_rng(2).normal(0, SENSOR_NOISE, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def time_settle_check(size: tuple[int, int], rounds: int, clock: Callable[[], float] = time.process_time) -> SettleCost:
    """Time `StillnessCheck.see` on a noisy preview of `size` = (width, height) pixels."""
    still = table_case(DICE_COUNT, size).image
    frames = [_noisy(still), still]
    milliseconds = []
    for _ in range(rounds + 1):
        settle = StillnessCheck()
        begin = clock()
        for k in range(_CHECKS_PER_ROUND):
            settle.see(frames[k % 2], k / 15)
        milliseconds.append((clock() - begin) * 1000 / _CHECKS_PER_ROUND)
    return SettleCost(*size, statistics.median(milliseconds[1:]))


def peak_memory(image: Image) -> tuple[float, int]:
    """Peak memory in megabytes of a fresh process that loads the reader and reads `image`, and the dice it found.

    The kernel's own figure (VmHWM); `resource.getrusage` would start from this process's memory. OpenCV may use every
    core there, as at a table. Raises `BenchmarkError`.
    """
    if not Path("/proc/self/status").exists():
        raise BenchmarkError("memory is read from /proc, which this system has not: measure on Linux")
    with tempfile.TemporaryDirectory() as folder:
        frame = Path(folder) / "frame.png"
        frame.write_bytes(cv2.imencode(".png", image)[1].tobytes())
        result = subprocess.run(
            [sys.executable, "-c", _READ_ONCE, str(frame)],
            capture_output=True, text=True, check=False, cwd=Path(__file__).resolve().parents[2],
        )  # fmt: skip
    if result.returncode:
        raise BenchmarkError(f"the process whose memory is measured failed: {result.stderr.strip()}")
    dice, peak = result.stdout.splitlines()
    return int(peak.split()[1]) * 1024 / 1e6, int(dice)


def benchmark_reader(
    reader: FrameReader, rounds: int = 7, tell: Callable[[str], None] = lambda _: None
) -> ReadingBenchmark:
    """Measure everything, calling `tell` with each step. Raises `BenchmarkError` where it cannot be measured."""
    with one_thread():
        tell("Drawing tables")
        heights = [table_case(camera_mm=mm) for mm in HEIGHTS_MM]
        usual = heights[1]
        fewer = [table_case(n) for n in DICE_COUNTS]
        sizes = [table_case(size=size) for size in FRAME_SIZES]
        yard, forward = forward_pass(usual.image)
        tell(f"Reading {len(heights + fewer + sizes)} tables {rounds + 1} times each")
        costs, yard_ms = time_readings(reader, forward, [*heights, *fewer, *sizes], rounds)
        tell("The settle check")
        checks = tuple(time_settle_check(size, rounds) for size in PREVIEW_SIZES)
    tell("Memory")
    peak = max(peak_memory(each.image)[0] for each in heights)
    n, m = len(heights), len(heights) + len(fewer)
    return ReadingBenchmark(
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
