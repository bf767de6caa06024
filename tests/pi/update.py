"""Updates of a box with a way back, in a virtual machine: a new version is tried, and a broken one is taken back.

    .venv/bin/python -m tests.pi.update --card CARD.img --signer RELEASE_KEY --key KEY

CARD.img is a card that tests/pi/card.py has started once, made with --ssh-key and signed by RELEASE_KEY; it is copied.
A newer release is packed of the last commit, and a broken one of it: its `perudo run` never answers. Both are served to
the machine, which systemd has to take back from the broken one after three minutes. About twenty minutes.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import http.server
import json
import shutil
import threading
import time
import zipfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from companion.box.release.release import MANIFEST, parse_release, sign
from companion.card.pack import pack
from tests.pi.card import FOLDER, LIMIT, phone, up
from tests.pi.vm import VirtualMachine, copy
from tests.pi.wifi import check

WEB = 8790
"""The port of 127.0.0.1 where the releases are; the machine sees it as 10.0.2.2."""


def break_release(good: Path, bad: Path, signer: Path) -> None:
    """A newer release whose service starts and never answers."""
    shutil.copytree(good, bad)
    release = parse_release((bad / MANIFEST).read_text())
    path = bad / release.program.name
    with zipfile.ZipFile(good / release.program.name) as whole, zipfile.ZipFile(path, "w") as broken:
        for each in whole.infolist():
            data = whole.read(each)
            if each.filename == "companion/app.py":
                data += b"\n\ndef run(setup: Setup) -> int:\n    time.sleep(1e6)\n    return 0\n"
            broken.writestr(each, data)
    data = path.read_bytes()
    wheel = replace(release.program, sha256=hashlib.sha256(data).hexdigest(), size=len(data))
    wheels = tuple(wheel if each.name == wheel.name else each for each in release.wheels)
    made = (datetime.fromisoformat(release.made) + timedelta(hours=1)).astimezone(UTC).isoformat()
    (bad / MANIFEST).write_text(replace(release, name=f"{release.name}-broken", made=made, wheels=wheels).text())
    sign(bad / MANIFEST, signer)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.pi.update")
    parser.add_argument("--card", type=Path, required=True)
    parser.add_argument("--signer", type=Path, required=True, help="the private key that signed the card's release")
    parser.add_argument("--key", type=Path, required=True, help="the private key of perudo-admin")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    chosen = parser.parse_args()
    place = chosen.card.with_name("releases")
    shutil.rmtree(place, ignore_errors=True)
    good = pack(place / "good", chosen.signer, "x86_64", print)
    break_release(place / "good", place / "bad", chosen.signer)
    served = place / "served"
    served.symlink_to("good")
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(served))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", WEB), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    card = copy(chosen.card, chosen.card.with_name("update.img"))
    with VirtualMachine(chosen.folder, card, web=8185, ssh=8225) as vm:
        vm.start()
        vm.wait(lambda: up(vm), LIMIT, "the page")
        text = f'[update]\naddress = "http://10.0.2.2:{WEB}/"\n'
        vm.run(chosen.key, "tee", "/etc/perudo/perudo.toml", given=text)
        vm.run(chosen.key, "systemctl", "restart", "perudo")

        def update() -> dict[str, Any]:
            return dict(json.loads(vm.get("/api/v1/box") or b"{}").get("update") or {})

        def current() -> str:
            return str((update().get("current") or {}).get("name"))

        vm.wait(update, LIMIT, "the page again")
        before = current()
        host = phone(vm)
        found = host.change("box/update/look", {})["update"]
        check(found["newer"]["name"] == good.name, f"{before} is in use, and there is {good.name}")
        begun = time.monotonic()
        host.change("box/update", {})
        vm.wait(lambda: current() == good.name and update()["last"], 1500, f"the update; {update()}")
        check(update()["last"]["passed"], f"{good.name} answers after {time.monotonic() - begun:.0f} s, and has passed")
        check(update()["before"]["name"] == before, f"{before} is there to go back to")

        served.unlink()
        served.symlink_to("bad")
        host.close()  # the box was started anew; the phone is still the host's
        found = host.change("box/update/look", {})["update"]
        check("broken" in found["newer"]["name"], f"there is {found['newer']['name']}")
        begun = time.monotonic()
        host.change("box/update", {})
        vm.wait(lambda: (update().get("last") or {}).get("passed") is False, 1500, f"the way back; {update()}")
        check(current() == good.name, f"taken back to {current()} after {time.monotonic() - begun:.0f} s")
        check("broken" in update()["last"]["release"], "and the page says which one failed")
        print(vm.run(chosen.key, "journalctl", "--no-pager", "-q", "-o", "cat", "-u", "perudo-roll-back")[-400:])


if __name__ == "__main__":
    main()
