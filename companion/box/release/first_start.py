"""The first start of a card that `perudo card` wrote: from a plain Raspberry Pi OS to a running box.

    PYTHONPATH=/boot/firmware/perudo/first-start python3 -m companion.box.release.first_start /boot/firmware/perudo

systemd starts it again until it has come to its end (perudo-first-start.service), so each step can be done twice.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from companion.box import apt
from companion.box.apt import Need, SetupError, say
from companion.box.release.release import SIGNERS_FILE, ReleaseError
from companion.box.release.state_partition import make_state_partition
from companion.box.release.versions import Versions

CARD_FILE: Final = "card.json"
"""What the card was made with."""
SECRETS: Final = ("access.json", "wifi.json")
"""What is on the printed cards: the table's code, and the key of the box's own Wi-Fi."""
PORT: Final = 80
"""A phone's browser asks this one when the address has no number."""


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
        _copy(folder / secret, Path("/var/lib/perudo") / secret, 0o600)
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
    say(f"the box is ready: http://{os.uname().nodename}.local/")


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
