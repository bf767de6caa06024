"""Buttons by USB over Linux' own evdev and uinput, in a virtual machine: containers and most servers have neither.

    python -m tests.pi.buttons [FOLDER]

Needs Debian on x86-64 with qemu-system-x86 and dpkg. Fetches Debian's kernel and busybox into FOLDER (a temporary one
if none is named), starts them with this machine's files to read, and there makes buttons by uinput: pressed, held,
pulled out, plugged in again, learned. Half a minute; ends with status 0 if all of it is as it should be.
"""

from __future__ import annotations

import gzip
import logging
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.wait import wait_until

if TYPE_CHECKING:
    from evdev import UInput

REPOSITORY: Final = Path(__file__).resolve().parents[2]
MODULES: Final = ("virtio_pci", "9pnet_virtio", "9p", "evdev", "uinput")
PASSED: Final = "every button did what it should"
INIT: Final = """#!/bin/busybox sh
for each in {modules}; do /bin/busybox insmod /$each.ko; done
/bin/busybox mount -t 9p -o trans=virtio,version=9p2000.L,msize=131072,ro,cache=loose root /host
/bin/busybox mount -t devtmpfs dev /host/dev
/bin/busybox mount -t proc proc /host/proc
/bin/busybox mkdir -p /host/dev/shm
/bin/busybox mount -t tmpfs tmpfs /host/dev/shm
/bin/busybox chroot /host /bin/sh -c 'cd {repository}; HOME=/dev/shm {python} -B -m tests.pi.buttons --inside'
/bin/busybox poweroff -f
"""


# On this machine


def main(folder: Path) -> int:
    """Make the machine in `folder`, and run the checks there."""
    for package in (kernel_package(), "busybox-static"):
        if not any(folder.glob(f"{package}_*.deb")):
            subprocess.run(["apt-get", "download", package], cwd=folder, check=True)
            subprocess.run(["dpkg-deb", "-x", next(folder.glob(f"{package}_*.deb")), folder / "files"], check=True)
    kernel = next((folder / "files" / "boot").glob("vmlinuz-*"))
    (folder / "initrd").write_bytes(gzip.compress(archive(contents(folder / "files")), 1))
    done = subprocess.run(
        ["qemu-system-x86_64", "-cpu", "max", "-m", "768", "-nographic", "-no-reboot", "-monitor", "none",
         "-serial", "stdio", "-kernel", kernel, "-initrd", folder / "initrd", "-append", "console=ttyS0 quiet panic=-1",
         "-virtfs", "local,path=/,mount_tag=root,security_model=none,readonly=on,multidevs=remap"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, check=False,
    )  # fmt: skip
    said = done.stdout.decode(errors="replace")
    print(said)
    return 0 if PASSED in said else 1


def kernel_package() -> str:
    """The newest kernel of this Debian."""
    said = subprocess.run(["apt-cache", "depends", "linux-image-amd64"], capture_output=True, text=True, check=True)
    return re.findall(r"Depends: (linux-image-\S+)", said.stdout)[0]


def contents(files: Path) -> dict[str, bytes]:
    """The files of the first root: busybox, what starts, and modules with those that they need, in their order."""
    found = {path.stem.replace("-", "_"): path for path in (files / "lib" / "modules").rglob("*.ko")}
    modules: list[str] = []

    def add(name: str) -> None:
        if name in found and name not in modules:
            depends = re.search(rb"\0depends=([^\0]*)\0", found[name].read_bytes())
            for each in depends[1].decode().split(",") if depends else ():
                add(each)
            modules.append(name)

    for name in MODULES:
        add(name)
    init = INIT.format(modules=" ".join(modules), repository=REPOSITORY, python=sys.executable)
    return {
        "init": init.encode(),
        "bin/busybox": (files / "bin" / "busybox").read_bytes(),
        **{f"{name}.ko": found[name].read_bytes() for name in modules},
    }


def archive(files: dict[str, bytes]) -> bytes:
    """A cpio archive as the kernel unpacks it (its Documentation, early-userspace/buffer-format.rst)."""
    whole = bytearray()
    entries = [("bin", 0o40755, b""), ("host", 0o40755, b"")]
    entries += [(name, 0o100755, data) for name, data in files.items()]
    for number, (name, mode, data) in enumerate([*entries, ("TRAILER!!!", 0, b"")], 1):
        fields = (number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
        whole += b"070701" + b"".join(b"%08x" % field for field in fields) + name.encode() + b"\0"
        whole += b"\0" * (-len(whole) % 4) + data
        whole += b"\0" * (-len(whole) % 4)
    return bytes(whole)


# In the virtual one


def inside() -> None:
    """Make buttons, and press them."""
    from evdev import InputDevice, UInput, ecodes, list_devices

    from companion.panel.learned_keys import learn_keys
    from hardware.panel.debounce import LONG_PRESS
    from hardware.panel.usb_panel import UsbPanel, open_devices
    from hardware.panel.wiring import Key

    links = Path("/dev/input/by-id")
    links.mkdir(parents=True)

    def plug() -> tuple[UInput, str]:
        """A button of two keys, with the link that udev would make."""
        button = UInput({ecodes.EV_KEY: [ecodes.KEY_B, ecodes.KEY_C]}, name="ABC Button")
        node = wait_until(
            lambda: next((path for path in list_devices() if InputDevice(path).name == button.name), None)
        )
        (links / "usb-ABC").unlink(missing_ok=True)
        (links / "usb-ABC").symlink_to(node)
        return button, node

    def send(button: UInput, code: int, value: int) -> None:
        button.write(ecodes.EV_KEY, code, value)
        button.syn()

    def tap(button: UInput, code: int, seconds: float = 0.05) -> None:
        send(button, code, 1)
        threading.Event().wait(seconds)
        send(button, code, 0)

    button, node = plug()
    panel = UsbPanel({"dudo": [Key("KEY_B", "usb-ABC")], "calza": [Key("KEY_C", "ABC Button")]})
    felt: list[str] = []
    panel.when_pushed = lambda name, push: felt.append(f"{name} {push.name.lower()}")
    tap(button, ecodes.KEY_B)
    wait_until(lambda: felt == ["dudo down"])
    try:
        InputDevice(node).grab()
    except OSError as error:
        print("taken for the table alone:", error)
    else:
        raise AssertionError("another program could take it")
    tap(button, ecodes.KEY_C, LONG_PRESS + 0.4)  # the kernel repeats the key meanwhile
    wait_until(lambda: felt[1:] == ["calza down", "calza long"])
    button.close()
    wait_until(lambda: "is not there" in panel.sentence)
    print(panel.sentence)
    button, _ = plug()
    wait_until(lambda: not panel.sentence)
    tap(button, ecodes.KEY_B)
    wait_until(lambda: felt[3:] == ["dudo down"])
    panel.close()

    def say(line: str) -> None:
        print(line)
        if line.startswith("Press"):
            code = ecodes.KEY_B if "DUDO" in line else ecodes.KEY_C
            threading.Timer(0.3, tap, (button, code)).start()

    send(button, ecodes.KEY_B, 1)  # Enter, of whoever typed the command, is down as it begins
    devices = open_devices(None)
    plugged = next(each for each in devices.plugged if each.device.name == "ABC Button")
    assert not plugged.grabbed
    send(button, ecodes.KEY_B, 0)
    wait_until(lambda: not devices.strokes(0.1) and plugged.grabbed)
    learned = learn_keys(devices, say)
    devices.close()
    assert learned == {"dudo": Key("KEY_B", "usb-ABC"), "calza": Key("KEY_C", "usb-ABC")}, learned
    print(PASSED)


if __name__ == "__main__":
    if "--inside" in sys.argv:
        logging.basicConfig(level=logging.INFO)
        inside()
    elif missing := [each for each in ("qemu-system-x86_64", "dpkg-deb", "apt-get") if shutil.which(each) is None]:
        sys.exit(f"{', '.join(missing)}: not here (apt-get install qemu-system-x86 dpkg)")
    elif sys.argv[1:]:
        Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
        sys.exit(main(Path(sys.argv[1])))
    else:
        with tempfile.TemporaryDirectory(prefix="perudo-buttons-") as folder:
            sys.exit(main(Path(folder)))
