"""Measurements that need a real camera, for `perudo doctor` and for reports from the first boxes.

Figures only: no picture, and nothing of a game.
"""

from __future__ import annotations

import contextlib
import platform
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np

from companion.box.doctor.machine import power, processor_temperature
from hardware.camera.picamera import FRAME_DURATIONS, SLOW_DURATIONS, PiCamera
from hardware.camera.protocol import Camera, Frame

FRAMES: Final = 20
"""Frames of each measurement."""
MOST_FRAMES: Final = 30
"""A camera must change its pace within this many frames."""
CLIPPED: Final = 250
"""A colour value from here on counts as clipped."""
MODEL: Final = Path("/proc/device-tree/model")
MEMORY: Final = Path("/proc/meminfo")

Figure = tuple[str, str]
"""What was measured, and its value."""


def camera_report(camera: Camera, clock: Callable[[], float] = time.monotonic) -> Iterator[Figure]:
    """Yield each figure as soon as it is measured. Raises `CameraError`."""
    yield "machine", f"{_board()}, {platform.system()} {platform.release()}, Python {platform.python_version()}"
    yield "program", f"perudo {_version('perudo-companion')}, picamera2 {_version('picamera2')}"
    yield "temperature before", _temperature()
    yield "camera", camera.name
    if isinstance(camera, PiCamera):
        yield from _of_a_module(camera, clock)
    else:
        yield from _of_any(camera, clock)
    yield "temperature after", _temperature()
    yield "power", str(power())


def _of_any(camera: Camera, clock: Callable[[], float]) -> Iterator[Figure]:
    frames, waits = _taken(camera.frame, clock)
    yield "size", "{} x {}".format(*camera.size)
    yield "frames", _rate([frame.at for frame in frames])
    yield "from call to frame", _spread(waits)
    yield "light", _light(frames[-1])


def _of_a_module(camera: PiCamera, clock: Callable[[], float]) -> Iterator[Figure]:
    modes = ", ".join(f"{mode.size[0]} x {mode.size[1]} ({mode.bits} bits)" for mode in camera.modes)
    yield "modes", modes or "none listed"
    yield "size", "{} x {}".format(*camera.size) + f", {camera.buffers} buffers, looks: {camera.looks}"
    yield "memory for buffers", _memory()
    yield "controls", ", ".join(camera.controls)

    fast = [camera.measure(after=clock()) for _ in range(FRAMES)]
    yield "fast", f"{_rate([frame.at for frame, _ in fast])}; {_duration(fast[-1][1])}"
    yield "exposure", _exposure(fast[-1][1])
    yield "light", _light(fast[-1][0])
    yield "sensor's temperature", _said(fast[-1][1], "SensorTemperature", "{:.0f} degrees")
    yield "from call to frame, fast", _spread(_taken(camera.frame, clock)[1])
    yield "from call to small picture, fast", _spread(_taken(camera.look, clock)[1])

    camera.set_pace(fast=False)
    begun, (count, metadata) = clock(), _until(camera, clock, lambda duration: duration >= 0.9 * SLOW_DURATIONS[0])
    yield "slow after", f"{count} frames, {clock() - begun:.1f} s"
    slow = [camera.measure() for _ in range(FRAMES // 4)]
    yield "slow", f"{_rate([frame.at for frame, _ in slow])}; {_duration(metadata)}"
    yield "exposure, slow", _exposure(slow[-1][1])

    begun = clock()
    camera.set_pace(fast=True)
    frame = camera.frame(after=begun)
    yield "from call to frame, slow", f"{_ms(clock() - begun)}, exposed until {_ms(frame.at - begun)}"
    count, metadata = _until(camera, clock, lambda duration: duration <= 1.1 * FRAME_DURATIONS[1])
    yield "fast again after", f"{count + 1} frames, {_ms(clock() - begun)}; {_duration(metadata)}"

    locked = camera.lock()
    kept = [camera.measure(after=clock()) for _ in range(FRAMES // 2)]
    yield "locked", ", ".join(f"{name} {value:.2f}" for name, value in locked.items()) or "nothing"
    yield "exposure, locked", _exposure(kept[-1][1])
    levels = [float(np.mean(frame.image[::8, ::8])) for frame, _ in kept]
    yield "brightness, locked", f"{min(levels):.1f} to {max(levels):.1f} of 255"
    camera.unlock()


def _taken(take: Callable[..., Frame], clock: Callable[[], float]) -> tuple[list[Frame], list[float]]:
    """`FRAMES` frames, and the seconds waited for each."""
    frames, waits = [], []
    for _ in range(FRAMES):
        begun = clock()
        frames.append(take(after=begun))
        waits.append(clock() - begun)
    return frames, waits


def _until(
    camera: PiCamera, clock: Callable[[], float], changed: Callable[[float], bool]
) -> tuple[int, Mapping[str, Any]]:
    """Wait until the frame duration (microseconds) has changed: the number of frames taken, the last one's metadata."""
    metadata: Mapping[str, Any] = {}
    for count in range(1, MOST_FRAMES + 1):
        _, metadata = camera.measure(after=clock())
        if "FrameDuration" not in metadata or changed(metadata["FrameDuration"]):
            return count, metadata
    return MOST_FRAMES, metadata


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms"


def _spread(seconds: Sequence[float]) -> str:
    return f"{_ms(statistics.median(seconds))} (median of {len(seconds)}), at most {_ms(max(seconds))}"


def _rate(times: Sequence[float]) -> str:
    return f"a frame every {_spread([after - before for before, after in pairwise(times)])}"


def _duration(metadata: Mapping[str, Any]) -> str:
    return _said(metadata, "FrameDuration", "the sensor says {:.0f} microseconds")


def _said(metadata: Mapping[str, Any], name: str, words: str) -> str:
    return words.format(metadata[name]) if name in metadata else f"{name} is not told"


def _exposure(metadata: Mapping[str, Any]) -> str:
    parts = ("ExposureTime", "AnalogueGain", "DigitalGain", "ColourGains", "ColourTemperature", "Lux", "LensPosition")
    return ", ".join(f"{name} {metadata[name]}" for name in parts if name in metadata) or "not told"


def _light(frame: Frame) -> str:
    part = frame.image[::4, ::4]
    clipped = float(np.mean(part.max(axis=2) >= CLIPPED))
    return f"mean {float(np.mean(part)):.0f} of 255, {100 * clipped:.2f} % of the pixels are clipped"


def _temperature() -> str:
    degrees = processor_temperature()
    return "not told" if degrees is None else f"{degrees:.0f} degrees"


def _memory() -> str:
    with contextlib.suppress(OSError):
        lines = [" ".join(line.split()) for line in MEMORY.read_text(encoding="utf-8").splitlines()]
        return ", ".join(line for line in lines if line.startswith(("Cma", "MemAvailable")))
    return "not told"


def _board() -> str:
    with contextlib.suppress(OSError):
        return MODEL.read_text(encoding="utf-8", errors="replace").strip("\0\n")
    return platform.machine()


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "is not installed"
