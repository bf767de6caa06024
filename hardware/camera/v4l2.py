"""Lists Linux's video devices, and sets the one control that cv2 lacks.

The numbers are from linux/videodev2.h and linux/v4l2-controls.h.
"""

from __future__ import annotations

import os
import struct
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.messages.message import Message
from hardware.camera.protocol import CameraError

VIDEO_CLASS: Final = Path("/sys/class/video4linux")
LINKS: Final = Path("/dev/v4l/by-id")
_SET_CONTROL: Final = 0xC008561C
"""VIDIOC_S_CTRL, with an id and a value of 32 bits each."""
_POWER_LINE_FREQUENCY: Final = 0x00980918
_HERTZ: Final = {50: 1, 60: 2}


def usb_cameras(devices: Path = VIDEO_CLASS) -> list[int]:
    """The numbers of the USB cameras, in order.

    A Pi's own cameras and codecs, and a USB camera's metadata, are video devices too. A USB camera's pictures come from
    the device with index 0.
    """
    numbers = []
    for device in devices.glob("video*"):
        number = device.name.removeprefix("video")
        index = device / "index"
        if (
            number.isdecimal()
            and "/usb" in str((device / "device").resolve())
            and index.is_file()
            and index.read_text().strip() == "0"
        ):
            numbers.append(int(number))
    return sorted(numbers)


def usb_camera_names(devices: Path = VIDEO_CLASS, links: Path = LINKS) -> dict[str, str]:
    """The name in the configuration of each USB camera -> its maker's name, in order.

    The name is its udev link, which does not change when others are plugged in, or its number without one. Two cameras
    of one model with the same serial number share one link, so they are named by the port they are plugged into.
    """
    makers = {}
    for number in usb_cameras(devices):
        with suppress(OSError):  # it has just been unplugged
            name = devices / f"video{number}" / "name"
            makers[number] = name.read_text(encoding="utf-8", errors="replace").strip()
    by_id, by_path = (_links(folder) for folder in (links, links.with_name("by-path")))
    twins = {
        maker
        for number, maker in makers.items()
        if number not in by_id and sum(maker == each for each in makers.values()) > 1
    }
    found = {number: (by_path if maker in twins else by_id).get(number, number) for number, maker in makers.items()}
    return {f"webcam:{which}": makers[number] for number, which in found.items()}


def _links(folder: Path) -> dict[int, Path]:
    """The number of each video device with a link in the folder -> its first link."""
    numbers = ((link.resolve().name.removeprefix("video"), link) for link in sorted(folder.glob("*"), reverse=True))
    return {int(number): link for number, link in numbers if number.isdecimal()}


def video_number(which: str) -> int:
    """The number of a video device, given as a number, /dev/videoN, or a udev link such as those in /dev/v4l/by-id.

    Raises `CameraError` if there is no such device, because the camera with that name is not plugged in.
    """
    if which.isdecimal():
        return int(which)
    number = Path(which).resolve().name.removeprefix("video")
    if not number.isdecimal():
        raise CameraError(Message("There is no USB camera at {path}. Is it plugged in?", path=which))
    return int(number)


def set_mains(number: int, hertz: int, folder: Path = Path("/dev")) -> bool:
    """Make automatic exposure avoid the flicker of 50 or 60 Hz mains. Returns False if the device cannot."""
    if sys.platform != "linux":
        return False
    import fcntl  # noqa: PLC0415 - not on Windows

    try:
        device = os.open(folder / f"video{number}", os.O_RDWR | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.ioctl(device, _SET_CONTROL, struct.pack("=Ii", _POWER_LINE_FREQUENCY, _HERTZ[hertz]))
    except OSError:
        return False
    finally:
        os.close(device)
    return True
