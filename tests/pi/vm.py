"""A virtual machine that starts from the image of a card as a Pi does: the kernel's command line is on the card.

By qemu's own translation, which needs nothing of the machine it runs on, and is ten times as slow as it. `cut` is a
power cut.
"""

from __future__ import annotations

import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

GIB = 2**30


class VirtualMachine:
    """A machine with one card."""

    def __init__(
        self,
        folder: Path,
        card: Path,
        *,
        web: int,
        size: int = 16 * GIB,
        network: bool = True,
        ssh: int | None = None,
        more: Sequence[str] = (),
    ) -> None:
        """`folder` has vmlinuz and initrd.img; `card` is a raw image, enlarged to `size` bytes here, as a card is.

        `web` and `ssh`: the ports of 127.0.0.1 that lead to the machine's 80 and 22. `more`: options for qemu.
        """
        self.folder, self.card, self.web, self.ssh = folder, card, web, ssh
        self.console = card.with_suffix(".console")
        self.process: subprocess.Popen[bytes] | None = None
        self._more = more
        self._network = network
        self.starts = 0
        with card.open("r+b") as file:
            if file.seek(0, 2) < size:
                file.truncate(size)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()

    def start(self) -> float:
        """Power on. Returns the time of it."""
        assert self.process is None
        self.starts += 1
        shell = "" if self.ssh is None else f",hostfwd=tcp:127.0.0.1:{self.ssh}-:22"
        restrict = "" if self._network else ",restrict=on"
        command = [
            *("qemu-system-x86_64", "-accel", "tcg,thread=multi,tb-size=512", "-cpu", "max", "-m", "1024", "-smp", "2"),
            *("-kernel", str(self.folder / "vmlinuz"), "-initrd", str(self.folder / "initrd.img")),
            # A translated machine on busy cores may miss the ticks by which Linux checks its timer, and then panics.
            *(
                "-append",
                f"{command_line(self.card)} no_timer_check",
                "-drive",
                f"file={self.card},if=virtio,format=raw,cache=writeback",
            ),
            *("-netdev", f"user,id=net{restrict},hostfwd=tcp:127.0.0.1:{self.web}-:80{shell}"),
            *("-device", "virtio-net-pci,netdev=net", "-device", "virtio-rng-pci"),
            *("-serial", f"file:{self.console}", "-display", "none", "-no-reboot", *self._more),
        ]
        begun = time.monotonic()
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        return begun

    def cut(self) -> None:
        """Pull the plug."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def run(self, key: Path, *command: str, given: str = "", fails: bool = False) -> str:
        """What a command prints there, as root, by ssh with a private key; `given` is its standard input.

        Raises `SystemExit` if it fails.
        """
        options = ("-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR")
        line = ["ssh", *options, "-i", str(key), "-p", str(self.ssh), "perudo-admin@127.0.0.1", "sudo", *command]
        done = subprocess.run(line, input=given, capture_output=True, text=True, check=False)
        if done.returncode and not fails:
            raise SystemExit(f"{' '.join(command)} failed there:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    def get(self, path: str, timeout: float = 5.0) -> bytes | None:
        """What the page answers at an address, whatever the status; None if there is no answer."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.web}{path}", timeout=timeout) as answer:
                return bytes(answer.read())
        except urllib.error.HTTPError as error:
            return error.read()
        except (OSError, ValueError):
            return None

    def wait(self, so: Callable[[], Any], seconds: float, what: str) -> Any:
        """The result of `so` once it is true."""
        until = time.monotonic() + seconds
        while not (found := so()):
            assert self.process is not None
            if time.monotonic() > until or self.process.poll() is not None:
                raise SystemExit(f"waited in vain for {what}; the console says:\n{self.said()[-3000:]}")
            time.sleep(0.25)
        return found

    def said(self) -> str:
        """What was written on the console."""
        return self.console.read_text(errors="replace") if self.console.exists() else ""


def boot_partition(card: Path) -> str:
    """The first partition, which begins at sector 2048, as mtools name it."""
    return f"{card}@@{2048 * 512}"


def command_line(card: Path) -> str:
    """The kernel's command line, from the card."""
    read = subprocess.run(
        ["mtype", "-i", boot_partition(card), "::cmdline.txt"], capture_output=True, text=True, check=True
    )
    return read.stdout.strip()


def copy(card: Path, to: Path) -> Path:
    """A copy of an image that takes no more room than what is in it."""
    subprocess.run(["cp", "--sparse=always", "--reflink=auto", str(card), str(to)], check=True)
    return to


def qemu_here() -> bool:
    return shutil.which("qemu-system-x86_64") is not None
