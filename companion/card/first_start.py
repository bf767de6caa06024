"""Runs the first start of a card that `perudo card` wrote: from a plain Raspberry Pi OS to a running box.

    PYTHONPATH=/boot/firmware/perudo/first-start python3 -m companion.card.first_start /boot/firmware/perudo

First come the page and the box's own Wi-Fi, from the card alone. Then it installs what only the internet has, retrying;
the page and `perudo-status.txt` on the card say what is missing. systemd runs it at every start until it has finished
(perudo-first-start.service), so each step can be repeated.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from typing import Final

from companion.bootstrap import apt
from companion.bootstrap.apt import Need, SetupError, say
from companion.box.first_start_report import FIRST_START_DONE, REPORT_FILE, FirstStartReport, Hindrance, write_report
from companion.box.release.release import SIGNERS_FILE, ReleaseError
from companion.box.release.versions import Versions
from companion.card import mirror
from companion.card.state_partition import NoRoomError, make_state_partition, read_only_from_now_on
from companion.card.status_file import STATUS_FILE, StatusFile, page_lines

CARD_FILE: Final = "card.json"
"""The options that the card was made with."""
SECRETS: Final = ("access.json", "wifi.json")
"""The secrets on the printed cards: the table's code, and the key of the box's own Wi-Fi."""
CARDS_FILE: Final = "perudo-cards.html"
"""The cards to print. Whoever made the card has them; if it was made from an archive, the first start writes them."""
STATE: Final = Path("/var/lib/perudo")
DONE: Final = Path(FIRST_START_DONE)
PORT: Final = 80
"""The port that browsers use for an address without one."""
AGAIN: Final = 20.0
"""Seconds until a failed step is tried again; doubles each time, up to `AGAIN_AT_MOST`."""
AGAIN_AT_MOST: Final = 600.0

HINDRANCES: Final = {
    Hindrance.OFFLINE: "Debian's servers do not answer: the box is not on the internet. Are the Wi-Fi's name and "
    "password right, or is a cable plugged in? Another Wi-Fi can be chosen on the page.",
    Hindrance.LOGIN: "Something else answers in the place of Debian's servers: this network wants a login on a page "
    "of its own, which the box cannot do. Connect it to another one once.",
    Hindrance.APT: "Debian's packages could not be installed.",
}


def box_needs(*, read_only: bool) -> list[Need]:
    """Debian packages that a box needs in addition to the program's own."""

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


def first_start(folder: Path, versions: Versions, status: StatusFile, sleep: Callable[[float], None]) -> None:
    """Set the box up from the card's `folder`. Raises `SetupError`, `ReleaseError`, `OSError`."""
    card = json.loads((folder / CARD_FILE).read_text(encoding="utf-8"))
    read_only = bool(card.get("read_only"))
    perudo = versions.place / "current" / "bin" / "perudo"
    if not (STATE / REPORT_FILE).exists():  # otherwise an earlier start has done this
        status.tell("The box is being set up. That takes some minutes: leave the plug in.")
        _start_page(folder, versions, perudo, read_only=read_only)
        for secret in SECRETS:  # anybody who reads the card could join with them
            (folder / secret).unlink(missing_ok=True)
        if card.get("made_for", "") is None:
            _write_cards(perudo, folder.parent / CARDS_FILE)
        else:
            _forget_wifi(folder.parent / "network-config")
        lacking = tuple(need.what for need in _missing(read_only=read_only))
        write_report(STATE, FirstStartReport(lacking, Hindrance.OFFLINE))
        say(f"the page is there: http://{os.uname().nodename}.local/")
    _provide_rest(lambda: _missing(read_only=read_only), perudo, status, sleep)
    if read_only:
        read_only_from_now_on()
        say("from the next start on, the card is only read.")
    status.tell("The box is ready.", *page_lines(STATE))
    write_report(STATE, FirstStartReport((), Hindrance.OFFLINE))
    DONE.touch()
    (STATE / REPORT_FILE).unlink()
    say(f"the box is ready: http://{os.uname().nodename}.local/")


def _start_page(folder: Path, versions: Versions, perudo: Path, *, read_only: bool) -> None:
    """Set up what needs only the card: the program, its page, and the box's own Wi-Fi."""
    if read_only:
        make_state_partition(say)
    try:
        _install_packages(folder / "packages")
    except SetupError as error:
        say(f"{error}\nGoing on without them.")
    _copy(folder / "release-signers", Path(SIGNERS_FILE), 0o644)
    _copy(folder / "perudo.toml", Path("/etc/perudo/perudo.toml"), 0o640)
    for secret in SECRETS:
        _copy(folder / secret, STATE / secret, 0o600)
    if not any((folder / "release").glob("pip-*.whl")):  # an older release, without pip
        apt.provide(apt.needs())
    name = versions.install(folder / "release", Path(SIGNERS_FILE), say)
    versions.use(name)
    # Raspberry Pi OS keeps Wi-Fi off until it has a country, both in the kernel and in NetworkManager.
    for switch_on in (("rfkill", "unblock", "wifi"), ("nmcli", "radio", "wifi", "on")):
        if shutil.which(switch_on[0]):
            subprocess.run(switch_on, check=False, capture_output=True)
    _start_service(perudo)


def _start_service(perudo: Path) -> None:
    """Install the service, and the files for Avahi and polkit if present, and restart it."""
    say("starting the service ...")
    done, output = apt.quietly([str(perudo), "install-service", "--port", str(PORT)])
    if not done:
        raise SetupError(f"the service did not start. It said:\n{apt.tail(output)}")


def _missing(*, read_only: bool) -> list[Need]:
    return [need for need in (*apt.pi_needs(), *box_needs(read_only=read_only)) if not need.present()]


def _provide_rest(
    missing: Callable[[], list[Need]], perudo: Path, status: StatusFile, sleep: Callable[[float], None]
) -> None:
    """Install what the box lacks, retrying until it succeeds."""
    lists = mirror.lists()
    again = AGAIN
    while lacking := missing():
        said = ""
        hindrance = mirror.set_clock(lists, say, sleep)
        if hindrance is None:
            try:
                apt.provide(lacking)
            except SetupError as error:
                hindrance, said = Hindrance.APT, str(error)
            if len(missing()) < len(lacking):
                while _playing():
                    sleep(AGAIN)
                _start_service(perudo)
                again = AGAIN
                continue
        lacking = missing()
        hindrance = hindrance or Hindrance.APT
        write_report(STATE, FirstStartReport(tuple(need.what for need in lacking), hindrance, said))
        status.tell(
            "The box runs, and is not complete yet.",
            *page_lines(STATE),
            "Not installed yet:",
            *(f"- {need.what}: {need.why}" for need in lacking),
            f"{HINDRANCES[hindrance]} It is tried again and again by itself; nobody has to do anything else.",
            said,
        )
        sleep(again)
        again = min(2 * again, AGAIN_AT_MOST)


def _playing() -> bool:
    """True if a game is going on, which restarting the service would interrupt."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/api/v1/box", timeout=5) as answer:
            return bool(json.load(answer)["playing"])
    except (OSError, HTTPException, ValueError, LookupError):
        return False


def _write_cards(perudo: Path, out: Path) -> None:
    """Write the cards to print, with the code and the Wi-Fi that this box created. Raises `SetupError`."""
    command = [str(perudo), "cards", "--out", str(out), "--address", f"http://{os.uname().nodename}.local/"]
    done, output = apt.quietly(["env", f"STATE_DIRECTORY={STATE}", *command])
    if not done:
        raise SetupError(f"the cards could not be written. perudo said:\n{apt.tail(output)}")
    say(f"{out.name}, on the memory card, is to be printed. {output.splitlines()[0] if output else ''}")


def _forget_wifi(seed: Path) -> None:
    """Remove the Wi-Fi password from the first partition, which anybody can read; netplan keeps it."""
    new = seed.with_name(f".{seed.name}.new")
    new.write_text('{"network": {"version": 2}}\n', encoding="utf-8")
    new.replace(seed)


def _install_packages(folder: Path) -> None:
    """Install the Debian packages on the card, if any, so that no network is needed."""
    files = sorted(map(str, folder.glob("*.deb")))
    if files:
        say(f"installing {len(files)} packages from the card ...")
        # Not --no-download: with it, apt loses the path of packages from files (Debian 13's, 3.0.3).
        done, output = apt.apt_get([], "install", "--no-install-recommends", *files)
        if not done:
            raise SetupError(f"the packages on the card could not be installed. apt-get said:\n{apt.tail(output)}")


def _copy(source: Path, target: Path, mode: int) -> None:
    """Copy a file of the card, if it exists and the target does not."""
    if source.is_file() and not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        new = target.with_name(f".{target.name}.new")
        shutil.copyfile(source, new)
        new.chmod(mode)
        new.replace(target)


def main() -> int:
    """Set the box up, retrying until it succeeds."""
    os.environ.pop("PYTHONPATH", None)  # programs started from here have their own modules
    folder = Path(sys.argv[1])
    status = StatusFile(folder.parent / STATUS_FILE, say)
    again = AGAIN
    while True:
        try:
            first_start(folder, Versions(), status, time.sleep)
        except NoRoomError as error:
            status.tell("The box cannot be set up.", str(error))
            return 0  # systemd tries again
        except (SetupError, ReleaseError, OSError) as error:
            status.tell("The box could not be set up. It is tried again and again by itself.", str(error))
            time.sleep(again)
            again = min(2 * again, AGAIN_AT_MOST)
        else:
            return 0


if __name__ == "__main__":
    sys.exit(main())
