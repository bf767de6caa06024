"""A card's first start in a network without the internet, by a clock that is late, with the Wi-Fi off as in the image.

    .venv/bin/python -m tests.pi.no_internet

Wants what tests/pi/card.py wants; about twenty minutes. The page and the status are there from the card alone; without
the cable the own Wi-Fi opens. Then the internet is there, but no time server: the rest is made up for.
"""

from __future__ import annotations

import argparse
import json
import time
from datetime import UTC, datetime
from pathlib import Path

from companion.box.first_start_report import REPORT_FILE
from companion.card.first_start import DONE, STATE
from companion.card.status_file import STATUS_FILE
from tests.pi.card import FIRST_LIMIT, FOLDER, LIMIT, make_card, release_key, up
from tests.pi.vm import VirtualMachine
from tests.pi.wifi import CABLE, check

LATE = ("-rtc", "base=2026-01-01T00:00:00")
STATUS = f"/boot/firmware/{STATUS_FILE}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.pi.no_internet")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--work", type=Path, default=Path("/var/tmp/perudo-card"))
    chosen = parser.parse_args()
    chosen.work.mkdir(parents=True, exist_ok=True)
    key = release_key(chosen.work)
    card = make_card(chosen.folder, chosen.work, "--ssh-key", f"{key}.pub")
    with VirtualMachine(chosen.folder, card, web=8185, ssh=8225, network=False, more=LATE) as vm:
        begun = vm.start()
        vm.wait(lambda: up(vm), FIRST_LIMIT, "the page")
        print(f"ok   from power to the page without the internet: {time.monotonic() - begun:.0f} s", flush=True)

        def shell(script: str, fails: bool = False) -> str:
            return vm.run(key, "sh", "-s", given=script, fails=fails)

        vm.wait(lambda: "not complete yet" in shell(f"cat {STATUS}", fails=True), LIMIT, "the status")
        print(shell(f"cat {STATUS}"))
        check("Avahi" in shell(f"cat {STATE / REPORT_FILE}"), "what lacks is told to the page")
        check("enabled" in shell("nmcli radio wifi"), "the radio is on")
        shell("systemctl disable --now systemd-timesyncd")
        shell(CABLE)

        def phase() -> str:
            return str((json.loads(vm.get("/api/v1/box") or b"{}").get("wifi") or {}).get("phase"))

        begun = time.monotonic()
        vm.wait(lambda: phase() == "own", LIMIT, "the own Wi-Fi")
        print(f"ok   the own Wi-Fi is open {time.monotonic() - begun:.0f} s after the cable was pulled", flush=True)
        shell("sync")
    with VirtualMachine(chosen.folder, card, web=8185, ssh=8225, more=LATE) as vm:
        begun = vm.start()
        vm.console.write_text("")
        vm.wait(lambda: "the box is ready" in vm.said(), FIRST_LIMIT, "the end of the first start")
        print(
            f"ok   with the internet, but no time server, complete after {time.monotonic() - begun:.0f} s", flush=True
        )
        check("has the mirror's time" in vm.said(), "the clock was set by the mirror's answer")
        there = float(shell("date +%s"))
        check(abs(there - datetime.now(UTC).timestamp()) < 60, "and is right")
        check("avahi" in shell("ls /etc/avahi/services /usr/sbin/avahi-daemon") and up(vm), "what lacked is installed")
        check(shell(f"ls {DONE} && ! ls {STATE / REPORT_FILE}"), "and it has come to its end")
        print(shell(f"cat {STATUS}"))


if __name__ == "__main__":
    main()
