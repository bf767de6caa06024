"""The devices: cameras, the panel's pins, and permissions."""

from __future__ import annotations

import os
import pwd
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.box.doctor import Diagnosis, absent, bad, good, poor

if TYPE_CHECKING:
    from companion.config import PanelConfig

BOX_HAS_IT: Final = " The box is running, and may have it: `sudo systemctl stop perudo`, and ask again."


def camera(name: str, box_runs: bool) -> Diagnosis:
    """Open a camera and take a frame. If `box_runs`, a camera that does not answer may simply be in use."""
    hint = BOX_HAS_IT if box_runs else ""
    stream = "://" in name
    part = "stream" if stream else name  # an address may contain a password
    try:
        from calibration.quality.picture_quality import faults
        from hardware.camera.camera_choice import open_camera
        from hardware.camera.picamera import PiCamera
        from hardware.camera.protocol import CameraError, small_picture
    except ImportError as error:  # numpy or cv2 is broken, which is reported separately
        return absent(part, f"No camera can be asked for: {error}.{hint}")
    try:
        opened = open_camera(name)
    except CameraError as error:
        return bad(part, str(error)) if stream else absent(part, f"{error}{hint}")
    try:
        frame = opened.frame()
        (height, width), (low, narrow) = frame.image.shape[:2], small_picture(frame).shape[:2]
        modes = opened.modes if isinstance(opened, PiCamera) else ()
        sensor = ", ".join(f"{mode.size[0]} x {mode.size[1]} ({mode.bits} bits)" for mode in modes)
        found = f"{opened.name}: pictures of {width} x {height}, previews of {narrow} x {low}" + (
            f"; its sensor has {sensor}" if sensor else ""
        )
        fault = next(iter(faults(frame.image)), None)
        return good(part, found) if fault is None else poor(part, f"{found}. {fault}")
    except CameraError as error:
        return bad(part, str(error))
    finally:
        opened.close()


def pins(box_runs: bool, chip: bool) -> Diagnosis:
    """Open the panel. `box_runs`: see `camera`. `chip`: True if there is a GPIO chip."""
    try:
        from hardware.panel.panel import Panel, PanelError
    except ImportError as error:
        trouble = f"The pins cannot be asked for: {error}."
    else:
        try:
            panel = Panel()
        except PanelError as error:
            trouble = str(error)
        else:
            panel.close()
            from gpiozero import Device

            chip_number = getattr(Device.pin_factory, "chip", None)  # of lgpio's factory
            where = "" if chip_number is None else f", on /dev/gpiochip{chip_number}"
            return good("pins", f"gpiozero reaches them by {type(Device.pin_factory).__name__}{where}")
    if box_runs:
        return absent("pins", f"{trouble}{BOX_HAS_IT}")
    if chip:
        return poor(
            "pins",
            f"{trouble} There is a GPIO chip, and lgpio reaches it: `sudo apt install python3-lgpio`, then the set-up "
            "again.",
        )
    return absent("pins", trouble)


def buttons(config: PanelConfig, box_runs: bool) -> Diagnosis:
    """Open a panel of keys. `box_runs`: see `camera`."""
    try:
        from companion.panel.panel_choice import open_panel
        from hardware.panel.panel import PanelError
    except ImportError as error:
        return absent("buttons", f"They cannot be asked for: {error}.")
    try:
        panel = open_panel(config)
    except PanelError as error:
        return poor("buttons", str(error))
    sentence, places = panel.sentence, panel.places
    panel.close()
    if sentence:
        return absent("buttons", f"{sentence}{BOX_HAS_IT}") if box_runs else poor("buttons", sentence)
    return good("buttons", "; ".join(f"{name.upper()} is {place}" for name, place in places.items()))


def access(part: str, devices: Sequence[Path], user: str, otherwise: str) -> Diagnosis:
    """Check that `user` may use these devices. `otherwise`: the sentence if there are none."""
    if not devices:
        return absent(part, otherwise)
    shut = [device for device in devices if not may_use(user, device)]
    if not shut:
        return good(part, f"{', '.join(map(str, devices))}: {user} may use them")
    groups = ",".join(sorted({group_of(device) for device in shut}))
    return poor(
        part,
        f"{', '.join(map(str, shut))}: {user} may not use them. "
        + (
            "Only root may, so no group helps: is this Raspberry Pi OS?"
            if groups == "root"
            else f"`sudo usermod -aG {groups} {user}`, then log in again."
        ),
    )


def may_use(user: str, device: Path) -> bool:
    """True if `user` may read and write a device."""
    account = account_of(user)
    if account is None:
        return False
    status = device.stat()
    if account.pw_uid == 0:
        return True
    allowed = [stat.S_IROTH | stat.S_IWOTH]
    if status.st_uid == account.pw_uid:
        allowed.append(stat.S_IRUSR | stat.S_IWUSR)
    if status.st_gid in os.getgrouplist(user, account.pw_gid):
        allowed.append(stat.S_IRGRP | stat.S_IWGRP)
    return any(status.st_mode & both == both for both in allowed)


def group_of(device: Path) -> str:
    """The name of a device's group, or its number."""
    try:
        return device.group()
    except KeyError:
        return str(device.stat().st_gid)


def account_of(user: str) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(user)
    except KeyError:
        return None
