"""The first start of a card that `perudo card` wrote: from a plain Raspberry Pi OS to a running box.

    PYTHONPATH=/boot/firmware/perudo/first-start python3 -m companion.card.first_start /boot/firmware/perudo

systemd starts it again until it has come to its end (perudo-first-start.service), so each step can be done twice.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from companion.bootstrap import apt
from companion.bootstrap.apt import Need, SetupError, say, tail
from companion.box.release.release import SIGNERS_FILE, ReleaseError
from companion.box.release.versions import Versions

CARD_FILE: Final = "card.json"
"""What the card was made with."""
SECRETS: Final = ("access.json", "wifi.json")
"""What is on the printed cards: the table's code, and the key of the box's own Wi-Fi."""
CARDS_FILE: Final = "perudo-cards.html"
"""The cards to print. Who made a card has it; where the card came from an archive, the first start writes it there."""
STATE: Final = Path("/var/lib/perudo")
PORT: Final = 80
"""A phone's browser asks this one when the address has no number."""

LABEL: Final = "perudo-state"
MOUNT: Final = Path("/srv/perudo")
ROOT_BYTES: Final = 6 * 2**30
"""What the system keeps. Raspberry Pi OS Lite takes 3 GB, and its updates need room."""
LEAST_BYTES: Final = 2**30
"""What is left for the games at least."""

FOLDERS: Final = {
    "var": "/var/lib/perudo",
    "opt": "/opt/perudo",
    "etc": "/etc/perudo",
    "network": "/etc/NetworkManager/system-connections",
    "netplan": "/etc/netplan",
}
"""Folder on the partition -> where it is mounted."""

_FSTAB: Final = Path("/etc/fstab")


def box_needs(*, read_only: bool) -> list[Need]:
    """What a box needs of Debian beside what the program itself needs."""

    def command(name: str) -> bool:
        return shutil.which(name, path="/usr/sbin:/usr/bin:/sbin:/bin") is not None

    found = [
        Need("Avahi", "phones find the box by its name", ("avahi-daemon",), lambda: command("avahi-daemon")),
        Need("polkit", "the panel switches the box off", ("polkitd",), lambda: Path("/etc/polkit-1").is_dir()),
        Need("dnsmasq", "the box's own Wi-Fi", ("dnsmasq-base",), lambda: command("dnsmasq")),
        Need("OpenSSL", "certificates", ("openssl",), lambda: command("openssl")),
    ]
    if read_only:
        found.append(
            Need("overlayroot", "the card is only read", ("overlayroot",), lambda: command("overlayroot-chroot"))
        )
    return found


def first_start(folder: Path, versions: Versions) -> None:
    """Set the box up from the card's `folder`. Raises `SetupError`, `ReleaseError`, `OSError`."""
    card = json.loads((folder / CARD_FILE).read_text(encoding="utf-8"))
    read_only = bool(card.get("read_only"))
    if read_only:
        make_state_partition(say)
    _install_packages(folder / "packages")
    apt.provide([*apt.needs(), *apt.pi_needs(), *box_needs(read_only=read_only)])
    _copy(folder / "release-signers", Path(SIGNERS_FILE), 0o644)
    _copy(folder / "perudo.toml", Path("/etc/perudo/perudo.toml"), 0o640)
    for secret in SECRETS:
        _copy(folder / secret, STATE / secret, 0o600)
    name = versions.install(folder / "release", Path(SIGNERS_FILE), say)
    versions.use(name)
    if shutil.which("rfkill"):
        subprocess.run(["rfkill", "unblock", "wifi"], check=False, capture_output=True)
    say("starting the service ...")
    done, output = apt.quietly(
        [str(versions.place / "current" / "bin" / "perudo"), "install-service", "--port", str(PORT)]
    )
    if not done:
        raise SetupError(f"the service did not start. It said:\n{apt.tail(output)}")
    if read_only:
        Path("/etc/overlayroot.local.conf").write_text('overlayroot="tmpfs:recurse=0"\n', encoding="utf-8")
        say("from the next start on, the card is only read.")
    for secret in SECRETS:  # whoever reads the card could join with them
        (folder / secret).unlink(missing_ok=True)
    if card.get("made_for", "") is None:
        _write_cards(versions.place / "current" / "bin" / "perudo", folder.parent / CARDS_FILE)
    say(f"the box is ready: http://{os.uname().nodename}.local/")


def _write_cards(perudo: Path, out: Path) -> None:
    """The cards to print, with the code and the Wi-Fi that this box drew itself. Raises `SetupError`."""
    command = [str(perudo), "cards", "--out", str(out), "--address", f"http://{os.uname().nodename}.local/"]
    done, output = apt.quietly(["env", f"STATE_DIRECTORY={STATE}", *command])
    if not done:
        raise SetupError(f"the cards could not be written. perudo said:\n{apt.tail(output)}")
    say(f"{out.name}, on the memory card, is to be printed. {output.splitlines()[0] if output else ''}")


def _install_packages(folder: Path) -> None:
    """Install the Debian packages on the card, if it has any: then the network is not needed."""
    files = sorted(map(str, folder.glob("*.deb")))
    if files:
        say(f"installing {len(files)} packages from the card ...")
        # Not --no-download: apt then loses the path of packages from files (Debian 13's, 3.0.3).
        done, output = apt.apt_get([], "install", "--no-install-recommends", *files)
        if not done:
            raise SetupError(f"the packages on the card could not be installed. apt-get said:\n{apt.tail(output)}")


def _copy(source: Path, target: Path, mode: int) -> None:
    """Copy a file of the card, unless there is none or the target is there already."""
    if source.is_file() and not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        new = target.with_name(f".{target.name}.new")
        shutil.copyfile(source, new)
        new.chmod(mode)
        new.replace(target)


# A partition of its own for all that a box writes, so that the rest of the card is only read. The folders that are
# written to are bind-mounted from it: the games, the versions of the program, the configuration, and the Wi-Fi networks
# that the page has joined. overlayroot(8) then keeps every other change in memory.


def make_state_partition(say: Callable[[str], None]) -> None:
    """Make the partition behind the system's, unless it is there, and mount it now and at every start.

    Raises `SetupError`.
    """
    if not _said("blkid", "--label", LABEL, fails=True):
        say("making a partition for the games ...")
        _partition()
    MOUNT.mkdir(parents=True, exist_ok=True)
    if not MOUNT.is_mount():
        _said("mount", f"LABEL={LABEL}", str(MOUNT))
    lines = [f"LABEL={LABEL} {MOUNT} ext4 defaults,noatime 0 2"]
    for name, at in FOLDERS.items():
        ours, there = MOUNT / name, Path(at)
        there.mkdir(parents=True, exist_ok=True)
        if not ours.is_dir():
            new = MOUNT / f".{name}.new"
            shutil.rmtree(new, ignore_errors=True)
            shutil.copytree(there, new)
            shutil.copystat(there, new)
            new.rename(ours)
        if not there.is_mount():
            _said("mount", "--bind", str(ours), at)
        lines.append(f"{ours} {at} none bind,x-systemd.requires-mounts-for={MOUNT} 0 0")
    _write_fstab(lines)


def _partition() -> None:
    root = _said("findmnt", "--noheadings", "--output", "SOURCE", "/").strip()
    disk = "/dev/" + _said("lsblk", "--noheadings", "--output", "PKNAME", root).strip()
    table = json.loads(_said("sfdisk", "--json", disk))["partitiontable"]
    parts = table["partitions"]
    number = next(n for n, each in enumerate(parts, 1) if each["node"] == root)
    sector = int(table.get("sectorsize", 512))
    whole = int(_said("blockdev", "--getsize64", disk))
    begin = int(parts[number - 1]["start"]) * sector
    size = max(ROOT_BYTES, int(parts[number - 1]["size"]) * sector)
    if number != len(parts) or whole - begin - size < LEAST_BYTES:
        raise SetupError(
            f"there is no room on {disk} for a partition of its own: take a card of 16 GB or more, or make it without "
            "--read-only."
        )
    _said("sfdisk", "--force", "--no-reread", "--partno", str(number), disk, given=f",{size // sector}\n")
    _said("sfdisk", "--force", "--no-reread", "--append", disk, given=f"{begin // sector + size // sector},,L\n")
    _said("partx", "--update", disk)
    _said("resize2fs", root)
    new = json.loads(_said("sfdisk", "--json", disk))["partitiontable"]["partitions"][-1]["node"]
    _said("udevadm", "settle", fails=True)
    _said("mkfs.ext4", "-q", "-F", "-L", LABEL, "-m", "0", new)
    _said("udevadm", "settle", fails=True)


def _write_fstab(lines: list[str]) -> None:
    kept = [line for line in _FSTAB.read_text(encoding="utf-8").splitlines() if str(MOUNT) not in line]
    new = _FSTAB.with_name(".fstab.new")
    new.write_text("\n".join([*map(_only_read, kept), *lines]) + "\n", encoding="utf-8")
    new.replace(_FSTAB)


def _only_read(line: str) -> str:
    """The firmware's partition is only read from the next start on: FAT does not stand a power cut during a write."""
    fields = line.split()
    if len(fields) > 3 and fields[1] == "/boot/firmware" and "ro" not in fields[3].split(","):
        fields[3] += ",ro"
        return " ".join(fields)
    return line


def _said(*command: str, given: str | None = None, fails: bool = False) -> str:
    """What a command prints. Raises `SetupError` if it fails, unless it may."""
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    if done.returncode and not fails:
        raise SetupError(f"{' '.join(command)} failed. It said:\n{tail(done.stderr or done.stdout)}")
    return done.stdout


def main() -> int:
    """Set the box up; 1 if something is missing yet, so that systemd tries again."""
    os.environ.pop("PYTHONPATH", None)  # what is started from here has modules of its own
    try:
        first_start(Path(sys.argv[1]), Versions())
    except (SetupError, ReleaseError, OSError) as error:
        say(f"{error}\nTrying again soon.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
