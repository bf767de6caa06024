"""Fetches the Debian packages that a card's image lacks, for a first start without any network.

apt itself works out which, in a private root with the image's sources and list of installed packages. debugfs(8) reads
those from the image without root.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from companion.card.boot_partition import CardError, partitions
from companion.card.first_start import box_needs

ARCHITECTURES: Final = {"aarch64": "arm64", "x86_64": "amd64"}
"""Machine -> Debian's name for it."""
OF_PROGRAM: Final = ("python3-evdev", "python3-picamera2", "python3-lgpio")
"""The program's packages under their Debian 13 names (companion.bootstrap.apt); the last two are Raspberry Pi OS'
own."""


def fetch_packages(image: Path, out: Path, machine: str, read_only: bool, say: Callable[[str], None]) -> None:
    """Fetch into `out` the packages that the box needs and `image` lacks. Raises `CardError`."""
    with tempfile.TemporaryDirectory(prefix="perudo-packages-") as folder:
        root = Path(folder)
        for name in ("etc", "usr/share", "var/lib/dpkg", "state/lists/partial", "cache/archives/partial"):
            (root / name).mkdir(parents=True)
        at = f"{image}?offset={partitions(image)[1]}"
        for source, target in (
            ("/etc/apt", root / "etc"),
            ("/usr/share/keyrings", root / "usr" / "share"),
            ("/var/lib/dpkg/status", root / "var" / "lib" / "dpkg"),
        ):
            _debugfs(at, source, target)
        for sources in (root / "etc" / "apt" / "sources.list.d").glob("*.sources"):
            text = sources.read_text(encoding="utf-8")
            sources.write_text(text.replace("/usr/share/keyrings/", f"{root}/usr/share/keyrings/"), encoding="utf-8")
        settings = (
            *("-o", f"Dir::Etc={root}/etc/apt", "-o", f"Dir::State={root}/state", "-o", f"Dir::Cache={root}/cache"),
            *("-o", f"Dir::State::status={root}/var/lib/dpkg/status", "-o", "APT::Sandbox::User=root"),
            *("-o", f"APT::Architecture={ARCHITECTURES[machine]}", "-o", "APT::Architectures::="),
            *("-o", "Dir::Etc::trustedparts=" + str(root / "etc" / "apt" / "trusted.gpg.d")),
        )
        say("fetching the lists of Debian's packages ...")
        _apt(settings, "update")
        wanted = [*OF_PROGRAM, *(need.packages[-1] for need in box_needs(read_only=read_only))]
        there = [name for name in wanted if _knows(settings, name)]
        if missing := sorted({*wanted} - {*there} - {"python3-picamera2", "python3-lgpio"}):
            raise CardError(f"The image's sources have no {' and no '.join(missing)}. Is it Debian 13?")
        say(f"fetching {' '.join(there)}, and what they depend on ...")
        _apt(settings, "install", "--yes", "--no-install-recommends", "--download-only", *there)
        out.mkdir()
        for package in sorted((root / "cache" / "archives").glob("*.deb")):
            package.rename(out / package.name.replace("%3a", "_"))
        size = sum(each.stat().st_size for each in out.iterdir())
        say(f"{len(list(out.iterdir()))} packages, {size / 1e6:.0f} MB")


def _debugfs(at: str, source: str, target: Path) -> None:
    try:
        done = subprocess.run(
            ["debugfs", "-R", f"rdump {source} {target}", at], stdin=subprocess.DEVNULL, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
    except FileNotFoundError as error:
        raise CardError("debugfs is needed for --offline: sudo apt install e2fsprogs") from error
    if not (target / Path(source).name).exists():
        raise CardError(f"{source} cannot be read from the image ({done.stderr.strip().splitlines()[-1:]}).")


def _apt(settings: Sequence[str], *arguments: str) -> None:
    command = ["apt-get", "--quiet", *settings, *arguments]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise CardError("--offline needs apt-get: make the card on Debian, Ubuntu or Raspberry Pi OS.") from error
    if done.returncode:
        raise CardError("apt-get could not fetch the packages. It said:\n" + "\n".join(done.stderr.splitlines()[-5:]))


def _knows(settings: Sequence[str], name: str) -> bool:
    done = subprocess.run(
        ["apt-cache", *settings, "show", "--no-all-versions", name], capture_output=True, text=True, check=False
    )
    return "Package:" in done.stdout
