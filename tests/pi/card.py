"""A card from `perudo card` in a virtual machine: its first start, and power cuts.

    .venv/bin/python -m tests.pi.card first [--read-only] [--offline]     from power to the page, timed
    .venv/bin/python -m tests.pi.card zip        the same with the archive, on a card as Raspberry Pi Imager writes it
    .venv/bin/python -m tests.pi.card cuts --starts 100       power cuts at any moment of a start or of a game

Wants the folder that tests/pi/debian_card.sh makes, qemu-system-x86 and mtools; no root. The machine is an x86_64 with
Debian 13 laid out as Raspberry Pi OS 13, without its firmware, camera and pins; translated, not accelerated, so that
it takes ten times as long. `cuts` goes on where it was ended, and writes what it saw to results.json.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import shutil
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from companion.box.process import Phone
from companion.card.first_start import CARDS_FILE
from tests.pi.vm import VirtualMachine, boot_partition, command_line, copy

CODE = "1234"
FOLDER = Path("/var/cache/perudo-card")
FIRST_LIMIT, LIMIT = 1500.0, 400.0
"""Seconds for the first start, and for every other one."""
CUTS_IN_A_START = 4
"""Of five starts, four are cut at any moment; the fifth is waited for, played on, and cut in the middle of a game."""
HIGHEST_BID = 9
"""After this a new game begins."""


def make_card(folder: Path, work: Path, *options: str) -> Path:
    """A card for this machine, with a table's code that the test knows."""
    card = copy(folder / "card.img", work / "card.img")
    command = [sys.executable, "-m", "companion.cli", "card", "--out", str(card), "--machine", "x86_64"]
    command += ["--country", "FR", "--key", str(work / "release-key"), "--cards", str(work / "cards.html")]
    subprocess.run([*command, *options], check=True)
    keys = work / "access.json"
    keys.write_text(json.dumps({"code": CODE, "secret": "0" * 64, "invitation": "0" * 32}))
    subprocess.run(["mcopy", "-o", "-i", boot_partition(card), str(keys), "::perudo/access.json"], check=True)
    return card


INSTANCE: Final = "rpi-imager-1764000000000"
IMAGER: Final = {
    "meta-data": f"instance-id: {INSTANCE}\n",
    "network-config": "network:\n  version: 2\n  ethernets:\n    eth0:\n      dhcp4: true\n      optional: true\n",
    "user-data": """#cloud-config
hostname: perudo
manage_etc_hosts: true
packages:
- avahi-daemon
apt:
  preserve_sources_list: true
  conf: |
    Acquire {
      Check-Date "false";
    };
timezone: Europe/Paris
ssh_pwauth: false
users:
- name: perudo-admin
  groups: users,adm,dialout,audio,netdev,video,plugdev,cdrom,games,input,sudo
  shell: /bin/bash
  lock_passwd: true
  sudo: ALL=(ALL) NOPASSWD:ALL
  ssh_authorized_keys:
  - KEY
runcmd:
- systemctl enable --now ssh
""",
}
"""What Raspberry Pi Imager 2 writes for a Raspberry Pi OS 13 with a name, a user who has a key, and ssh; but for the
keyboard, whose console is not in `debian_card.sh`."""


def make_card_of_archive(folder: Path, work: Path) -> Path:
    """A card as Imager writes it, with what is in the archive copied beside it."""
    card = copy(folder / "card.img", work / "card.img")
    archive, files = work / "perudo.zip", work / "files"
    command = [sys.executable, "-m", "companion.cli", "card", "--zip", str(archive), "--machine", "x86_64"]
    subprocess.run([*command, "--key", str(work / "release-key")], check=True)
    shutil.rmtree(files, ignore_errors=True)
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(files)
    public = (work / "release-key.pub").read_text().strip()
    for name, text in IMAGER.items():
        (files / name).write_text(text.replace("KEY", public))
    (files / "cmdline.txt").write_text(f"{command_line(card)} ds=nocloud;i={INSTANCE}\n")
    subprocess.run(["mcopy", "-s", "-o", "-i", boot_partition(card), *map(str, files.iterdir()), "::"], check=True)
    return card


def first_of_archive(folder: Path, work: Path) -> float:
    """The first start of such a card: the seconds from power to page. Raises `SystemExit` if something is not well."""
    key = release_key(work)
    card = make_card_of_archive(folder, work)
    with VirtualMachine(folder, card, web=8181, ssh=8122) as vm:
        begun = vm.start()
        vm.wait(lambda: up(vm), FIRST_LIMIT, "the page")
        seconds = time.monotonic() - begun
        vm.wait(lambda: "the box is ready" in vm.said(), 200, "the end of the first start")
        print(vm.run(key, "cloud-init", "status", "--wait", "--long"))
        print(vm.run(key, "cloud-init", "schema", "--system"))
        if CARDS_FILE not in vm.run(key, "ls", "/boot/firmware"):
            raise SystemExit(f"{CARDS_FILE} is not on the card")
    return seconds


def up(vm: VirtualMachine) -> dict[str, Any] | None:
    """The table's state, once the page answers."""
    answer = vm.get("/api/v1/state")
    return dict(json.loads(answer)) if answer and answer.startswith(b"{") else None


def release_key(work: Path) -> Path:
    """The private key that signs what is on the card; made if there is none."""
    key = work / "release-key"
    if not key.exists():
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    return key


def first(folder: Path, work: Path, *options: str) -> tuple[Path, float]:
    """Make a card and let it start for the first time. Returns it and the seconds from power to page."""
    release_key(work)
    card = make_card(folder, work, *options)
    with VirtualMachine(folder, card, web=8181, network="--offline" not in options) as vm:
        begun = vm.start()
        vm.wait(lambda: up(vm), FIRST_LIMIT, "the page")
        seconds = time.monotonic() - begun
        # The first start ends a little after the page answers; a read-only card is set up then.
        vm.wait(lambda: "the box is ready" in vm.said(), 200, "the end of the first start")
        time.sleep(10)
    return card, seconds


def phone(vm: VirtualMachine) -> Phone:
    """The table's tablet."""
    there = Phone(SimpleNamespace(host="127.0.0.1", port=vm.web), timeout=30.0)  # type: ignore[arg-type]
    there.token = there.ok("POST", "join", {"code": CODE}, Idempotency_Key=f"join-{time.time_ns()}")["token"]
    there.change("seat", {"role": "table"})
    return there


Move = tuple[int, int]
"""How far the table has come: the game, and the count of the bid that stands, or 0."""


def move_of(state: dict[str, Any]) -> Move:
    return state["game"], state["bid"]["count"] if state["bid"] else 0


def play(vm: VirtualMachine, rng: random.Random) -> Move:
    """Bid, and begin anew, until the power is cut; the last move that the box has acknowledged."""
    there = phone(vm)
    last = move_of(there.state())
    try:
        while True:
            state = there.state()
            if state["phase"] == "bidding" and last[1] < HIGHEST_BID:
                count, face = (
                    (state["bid"]["count"] + 1, state["bid"]["face"]) if state["bid"] else (1, rng.randint(2, 6))
                )
                state = there.change("bid", {"player": state["turn"], "count": count, "face": face})
            else:
                players = [{"name": name, "colour": colour} for name, colour in (("Ana", "red"), ("Ben", "blue"))]
                game = {"players": players, "ruleset": "asmodee-fr", "abandon": True}
                state = there.change("game", game)
            last = move_of(state)
    except (OSError, http.client.HTTPException):
        return last


def cuts(folder: Path, work: Path, starts: int, seed: int) -> None:
    """Power cuts until there were `starts` starts."""
    results = work / "results.json"
    found: dict[str, Any] = json.loads(results.read_text()) if results.exists() else {"starts": 0, "checked": 0}
    card = work / "card.img"
    if not found["starts"]:
        card, found["first_s"] = first(folder, work, "--read-only")
        print(f"first start: {found['first_s']:.0f} s", flush=True)
    rng = random.Random(seed + found["starts"])
    acknowledged = tuple(found.get("move", (0, 0)))
    usual = found.get("usual_s", 60.0)
    while found["starts"] < starts:
        with VirtualMachine(folder, card, web=8181) as vm:
            begun = vm.start()
            found["starts"] += 1
            if found["starts"] % (CUTS_IN_A_START + 1):
                at = rng.uniform(1, usual)
                while time.monotonic() < begun + at and not up(vm):
                    time.sleep(0.5)
            else:
                state = vm.wait(lambda: up(vm), LIMIT, f"start {found['starts']}")
                usual = found["usual_s"] = time.monotonic() - begun
                if move_of(state) < acknowledged:
                    raise SystemExit(
                        f"start {found['starts']}: {acknowledged} was acknowledged, {move_of(state)} is there"
                    )
                broken = [line for line in vm.said().splitlines() if "EXT4-fs error" in line or "damaged" in line]
                if broken or not state["journal"]["ok"]:
                    raise SystemExit(f"start {found['starts']}: {broken or state['journal']}")
                cut = threading.Timer(rng.uniform(2, 12), vm.cut)
                cut.start()
                acknowledged = found["move"] = play(vm, rng)
                cut.join()
                found["checked"] += 1
                print(
                    f"{found['starts']} starts, {found['checked']} checked, {acknowledged}; up after {usual:.0f} s",
                    flush=True,
                )
        results.write_text(json.dumps(found, indent=1))
    print(f"{found['starts']} starts, none broken")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.pi.card", description=__doc__.split("\n")[0] if __doc__ else ""
    )
    parser.add_argument("what", choices=["first", "zip", "cuts"])
    parser.add_argument("--folder", type=Path, default=FOLDER, help="what debian_card.sh made")
    parser.add_argument("--work", type=Path, default=Path("/var/tmp/perudo-card"), help="where the card is kept")
    parser.add_argument("--starts", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--read-only", action="store_true")
    parser.add_argument("--offline", action="store_true", help="the first start without any network")
    parser.add_argument("--ssh-key", type=Path, help="a public key, for tests.pi.wifi and tests.pi.update")
    chosen = parser.parse_args()
    chosen.work.mkdir(parents=True, exist_ok=True)
    if chosen.what == "first":
        options = [f"--{name}" for name in ("read-only", "offline") if vars(chosen)[name.replace("-", "_")]]
        options += ["--ssh-key", str(chosen.ssh_key)] if chosen.ssh_key else []
        _, seconds = first(chosen.folder, chosen.work, *options)
        print(f"from power to the page: {seconds:.0f} s")
    elif chosen.what == "zip":
        print(f"from power to the page: {first_of_archive(chosen.folder, chosen.work):.0f} s")
    else:
        cuts(chosen.folder, chosen.work, chosen.starts, chosen.seed)


if __name__ == "__main__":
    main()
