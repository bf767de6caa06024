"""The mode of a sensor, the size of its pictures, and their time."""

from __future__ import annotations

import pytest

from hardware.camera.sensors import (
    SensorMode,
    full_view,
    mode_for,
    on_monotonic,
    preview_size,
    sensor_modes,
    still_size,
)


def mode(width: int, height: int, bits: int, *crop: int) -> dict[str, object]:
    """A mode as listed by picamera2."""
    return {"size": (width, height), "bit_depth": bits, "crop_limits": crop, "fps": 30.0, "unpacked": "x"}


# From the listings of `rpicam-hello --list-cameras` in raspberrypi/documentation and of picamera2's issues 683 and 899.
IMX219 = sensor_modes(
    [mode(640, 480, bits, 1000, 752, 1280, 960) for bits in (10, 8)]
    + [mode(1640, 1232, bits, 0, 0, 3280, 2464) for bits in (10, 8)]
    + [mode(1920, 1080, bits, 680, 692, 1920, 1080) for bits in (10, 8)]
    + [mode(3280, 2464, bits, 0, 0, 3280, 2464) for bits in (10, 8)]
)
IMX477 = sensor_modes(
    [
        mode(1332, 990, 10, 696, 528, 2664, 1980),
        mode(2028, 1080, 12, 0, 440, 4056, 2160),
        mode(2028, 1520, 12, 0, 0, 4056, 3040),
        mode(4056, 3040, 12, 0, 0, 4056, 3040),
    ]
)
IMX708 = sensor_modes(
    [
        mode(1536, 864, 10, 768, 432, 3072, 1728),
        mode(2304, 1296, 10, 0, 0, 4608, 2592),
        mode(4608, 2592, 10, 0, 0, 4608, 2592),
    ]
)


@pytest.mark.parametrize(
    ("model", "modes", "still"),
    [
        ("imx219", IMX219, (1640, 1232)),
        ("imx477", IMX477, (2028, 1520)),
        ("imx708", IMX708, (2304, 1296)),
        ("imx708_wide_noir", IMX708, (2304, 1296)),
        ("imx999", IMX477, (2028, 1520)),  # an unknown sensor: by its modes
        ("ov9281", sensor_modes([mode(640, 400, 10, 0, 0, 1280, 800)]), (640, 400)),
        ("virtual", (), (1280, 960)),
    ],
)
def test_every_module_has_a_sensible_still(model: str, modes: tuple[SensorMode, ...], still: tuple[int, int]) -> None:
    assert still_size(model, modes) == still


@pytest.mark.parametrize(
    ("modes", "still", "size"),
    [
        (IMX708, (2304, 1296), (2304, 1296)),
        (IMX708, (1280, 720), (2304, 1296)),  # never the cropped one of 1536 x 864
        (IMX708, (4608, 2592), (4608, 2592)),
        (IMX219, (1920, 1080), (3280, 2464)),  # its own mode of that size sees a third of the table
        (IMX477, (2028, 1080), (2028, 1520)),
        (IMX477, (9000, 9000), (4056, 3040)),
    ],
)
def test_all_of_the_view_is_used(modes: tuple[SensorMode, ...], still: tuple[int, int], size: tuple[int, int]) -> None:
    chosen = mode_for(still, modes)
    assert chosen in full_view(modes)
    assert chosen.size == size


def test_of_two_similar_modes_the_one_with_more_bits_is_used() -> None:
    assert mode_for((1640, 1232), IMX219) == SensorMode((1640, 1232), 10, (0, 0, 3280, 2464))
    assert mode_for((3280, 2464), IMX219) == SensorMode((3280, 2464), 10, (0, 0, 3280, 2464))


def test_no_mode_is_requested_from_a_camera_that_lists_none() -> None:
    assert sensor_modes([{"format": "NV12"}]) == ()
    assert mode_for((1280, 960), ()) is None


@pytest.mark.parametrize(
    ("still", "preview"),
    [((2304, 1296), (640, 360)), ((1640, 1232), (640, 480)), ((1232, 1640), (480, 640)), ((640, 480), None)],
)
def test_the_preview_has_the_stills_shape(still: tuple[int, int], preview: tuple[int, int] | None) -> None:
    assert preview_size(still) == preview


def test_a_timestamp_of_either_clock_is_converted_to_the_monotonic_one() -> None:
    # A machine that slept for an hour has clocks an hour apart.
    assert on_monotonic(999.9, 1000.0, 4600.0) == 999.9
    assert on_monotonic(4599.9, 1000.0, 4600.0) == pytest.approx(999.9)
    # A Pi never sleeps.
    assert on_monotonic(999.9, 1000.0, 1000.0) == 999.9
