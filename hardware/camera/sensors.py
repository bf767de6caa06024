"""The sensors of the Raspberry Pi's camera modules, and the choice of their mode."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from hardware.camera.settings import PREVIEW_SIZE

Size = tuple[int, int]
"""Width and height in pixels."""

STILLS: Final[Mapping[str, Size]] = {"imx708": (2304, 1296), "imx219": (1640, 1232), "imx477": (2028, 1520)}
"""Sensor -> size of the still: the fast mode with half the pixels each way and the full field of view.

The sensors of Module 3 and 3 Wide, of Module 2 and of the HQ camera, with their modes: raspberrypi/documentation,
"Camera hardware" and the output of `rpicam-hello --list-cameras` there. A model's name may be longer: "imx708_wide".
"""

DEFAULT_STILL: Final = (1280, 960)
"""Size of the still for a camera that lists no modes."""

LEAST_WIDTH: Final = 1280
"""Least width of the still for a sensor that is not in `STILLS`, if it has such a mode."""


class SensorMode(NamedTuple):
    """One mode of a sensor."""

    size: Size
    bits: int
    crop: tuple[int, int, int, int]
    """The x, y, width and height that it reads, in pixels of the full sensor."""


def sensor_modes(modes: Iterable[Mapping[str, Any]]) -> tuple[SensorMode, ...]:
    """Convert picamera2's `sensor_modes`, leaving out those without a size or crop.

    See the picamera2 manual, section 4.2.2, "Raw streams and the sensor configuration".
    """
    return tuple(
        SensorMode((mode["size"][0], mode["size"][1]), int(mode["bit_depth"]), tuple(mode["crop_limits"]))
        for mode in modes
        if {"size", "bit_depth", "crop_limits"} <= mode.keys()
    )


def full_view(modes: Sequence[SensorMode]) -> list[SensorMode]:
    """The modes with the full field of view; a calibration is not valid in a cropped one."""
    areas = [mode.crop[2] * mode.crop[3] for mode in modes]
    return [mode for mode, area in zip(modes, areas, strict=True) if area == max(areas)]


def in_hdr(modes: Sequence[SensorMode]) -> bool:
    """True if a sensor of Module 3 is in its HDR mode, where no mode has all its pixels."""
    whole = max((mode.crop[2:] for mode in modes), default=None)
    return whole is not None and all(mode.size != whole for mode in modes)


def still_size(model: str, modes: Sequence[SensorMode]) -> Size:
    """The size of the still if none is configured."""
    for sensor, size in STILLS.items():
        if model.startswith(sensor):
            return size
    sizes = sorted({mode.size for mode in full_view(modes)})
    return next((size for size in sizes if size[0] >= LEAST_WIDTH), sizes[-1] if sizes else DEFAULT_STILL)


def whole_size(still: Size, modes: Sequence[SensorMode]) -> Size | None:
    """The size of a picture with all pixels of the sensor in the shape of `still`; None if that has no more pixels."""
    across, down = max((mode.size for mode in full_view(modes)), default=still)
    times = min(across / still[0], down / still[1])
    return (2 * round(times * still[0] / 2), 2 * round(times * still[1] / 2)) if times > 1 else None


def mode_for(still: Size, modes: Sequence[SensorMode]) -> SensorMode | None:
    """The smallest mode with the full field of view that is at least as large as `still`, else the largest.

    Of two modes of one size, the one with more bits. None if there are no modes.
    """
    full = full_view(modes)
    enough = [mode for mode in full if mode.size[0] >= still[0] and mode.size[1] >= still[1]]
    if enough:
        return min(enough, key=lambda mode: (mode.size, -mode.bits))
    return max(full, key=lambda mode: (mode.size, mode.bits), default=None)


def preview_size(still: Size, longer: int = PREVIEW_SIZE) -> Size | None:
    """The size of the small stream beside a still, in even numbers. None if the still is no larger."""
    width, height = still
    if max(width, height) <= longer:
        return None
    scale = longer / max(width, height)
    return max(2, 2 * round(width * scale / 2)), max(2, 2 * round(height * scale / 2))


def on_monotonic(stamp: float, monotonic: float, boottime: float) -> float:
    """Convert a sensor's time stamp, in seconds, to the clock of `time.monotonic`, given the present time of both
    clocks.

    libcamera documents SensorTimestamp as CLOCK_BOOTTIME (control_ids_core.yaml); the Pi's kernel drivers stamp with
    `ktime_get_ns`, which is CLOCK_MONOTONIC (unicam's interrupt handler), and picamera2 compares with that. The clocks
    differ by the time that the machine was suspended, which is none on a Pi. A stamp in one clock's future is of the
    other.
    """
    return stamp if stamp <= monotonic else stamp - max(0.0, boottime - monotonic)
