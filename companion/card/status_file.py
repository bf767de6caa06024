"""`perudo-status.txt` on the card's first partition, readable on any computer: the progress of the first start."""

from __future__ import annotations

import json
import os
import subprocess
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

STATUS_FILE: Final = "perudo-status.txt"
WIDTH: Final = 78


class StatusFile:
    """The status file. Each new status is also printed on the console, once."""

    def __init__(self, path: Path, say: Callable[[str], None]) -> None:
        self._path = path
        self._say = say
        self._told: set[str] = set()

    def tell(self, *lines: str) -> None:
        """Write the lines, in plain words, with the time; empty ones are omitted. Windows can read them, too."""
        text = "\n".join(filter(None, lines))
        if text not in self._told:
            self._say(text)
        self._told.add(text)
        wrapped = "\n\n".join(
            "\n".join(textwrap.fill(line, WIDTH, break_on_hyphens=False) for line in part.splitlines())
            for part in filter(None, lines)
        )
        written = f"Perudo box, {time.strftime('%Y-%m-%d %H:%M', time.gmtime())} UTC by its own clock\n\n{wrapped}\n"
        new = self._path.with_name(f".{self._path.name}.new")
        try:
            new.write_text(written, encoding="utf-8", newline="\r\n")
            new.replace(self._path)
            os.sync()  # FAT does not survive a power cut during a write
        except OSError as error:
            self._say(f"{self._path} cannot be written: {error}")


def page_lines(state: Path) -> tuple[str, ...]:
    """The addresses of the page. `state`: the state folder, which contains the name of the box's own Wi-Fi."""
    try:
        own = f", {json.loads((state / 'wifi.json').read_text(encoding='utf-8'))['name']}"
    except (OSError, ValueError, LookupError):
        own = ""
    ways = [f"http://{os.uname().nodename}.local/"] if Path("/etc/avahi").is_dir() else []
    ways += [f"http://{each}/" for each in _said("hostname", "--all-ip-addresses").split() if ":" not in each]
    return (
        f"It is on: {networks()}.",
        *([f"Its page, for phones in the same network: {' or '.join(ways)}"] if ways else []),
        f"Where it is on no network it opens a Wi-Fi of its own{own}, after a minute. Its password is on the cards for "
        "the seats; the page there is at http://10.42.0.1/.",
    )


def networks() -> str:
    """The local networks that the box is connected to, according to NetworkManager."""
    kinds = {"802-3-ethernet": "a cable", "802-11-wireless": "the Wi-Fi "}
    found = []
    for line in _said("nmcli", "--terse", "--fields", "TYPE,NAME", "connection", "show", "--active").splitlines():
        kind, _, name = line.partition(":")
        if kind in kinds and name != "perudo-hotspot":
            found.append(kinds[kind] + (name if kind == "802-11-wireless" else ""))
    return " and ".join(found) or "no network"


def _said(*command: str) -> str:
    """The output of a command; empty if there is no such command."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""
