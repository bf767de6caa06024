"""The machine: interpreter, processor, disk, clock, power, port, service."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime
from functools import reduce
from pathlib import Path
from typing import Final

from companion.box.doctor import Diagnosis, absent, bad, good, poor
from companion.box.doctor.configuration import is_private
from companion.box.first_start_report import REPORT_FILE, Hindrance, parse_report
from companion.box.service import NAME, is_installed
from companion.kept_file import read_kept
from companion.listening_socket import listen
from companion.messages.message import Message, Names
from companion.state_folder import as_owner_of

TRIED: Final = ("x86_64", "aarch64")
"""Processors for which OpenCV has wheels and on which the tests have run."""

FULL: Final = 100 * 2**20
"""Bytes. With less free space the journal may not last an evening."""
NEARLY_FULL: Final = 1024 * 2**20

PROGRAM_YEAR: Final = 2025
"""A clock that shows an earlier year is wrong."""

THROTTLED: Final = {
    0: (Message("the voltage is too low now"), "power"),
    1: (Message("low voltage is slowing the processor down"), "power"),
    2: (Message("the processor is throttled now"), "heat"),
    3: (Message("the processor is hot now"), "heat"),
    16: (Message("the voltage was too low since it was switched on"), "power"),
    17: (Message("low voltage has slowed the processor down since then"), "power"),
    18: (Message("the processor was throttled since then"), "heat"),
    19: (Message("the processor was hot since then"), "heat"),
}
"""The bits of `vcgencmd get_throttled`, each with a remedy:
https://www.raspberrypi.com/documentation/computers/os.html#get_throttled.
"""

PLATFORM: Final = Path("/sys/devices/platform")
THROTTLED_FILE: Final = "soc*/soc*:firmware/get_throttled"
"""The kernel's file with these bits, in hexadecimal. The service may read it; it may not read vcgencmd's /dev/vcio."""

CURES: Final = {
    "power": Message("Use the power supply made for this Pi, with its own cable: phone chargers are too weak."),
    "heat": Message("Give it a heat sink or a fan, and air round its case."),
}

COMMAND_TIMEOUT: Final = 60
"""Seconds."""


def command_output(*command: str) -> str | None:
    """The output of a command; None if it failed or is not installed."""
    try:
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            errors="replace",
            check=True,
            timeout=COMMAND_TIMEOUT,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None


def python() -> Diagnosis:
    return good("Python", f"{'.'.join(map(str, sys.version_info[:3]))}, {sys.executable}")


def processor(machine: str, bits: int) -> Diagnosis:
    """Check that OpenCV has packages for this processor and system."""
    if bits == 32:
        return poor(
            "processor",
            f"{machine}, but a system of 32 bits, for which OpenCV has no packages of its own. Take the 64-bit "
            "Raspberry Pi OS; every Pi from the 3 on runs it.",
        )
    if machine not in TRIED:
        return poor("processor", f"{machine}: the program was tried on {' and '.join(TRIED)} only.")
    return good("processor", f"{machine}, {bits} bits")


def disk(state: Path) -> Diagnosis:
    """Check the free space for games in `state`, or in its nearest parent folder that exists."""
    try:
        nearest = next(folder for folder in (state, *state.parents) if folder.exists())
        free = shutil.disk_usage(nearest).free
        gigabytes = f"{free / 2**30:.1f}"
        try:
            with as_owner_of(nearest), tempfile.TemporaryFile(dir=nearest):
                pass
        except OSError:
            if is_private(state):
                return absent("disk", f"Only the service and root may look into {state}: `sudo perudo doctor` does.")
            raise
    except OSError as error:
        reason = error.strerror or error
        return bad(
            "disk",
            Message(
                "Nothing can be written to the memory card ({reason}): what is played is lost when the box is switched "
                "off. Try another card.",
                reason=str(reason),
            ),
            f"This is {state}: name another with --state, or use sudo.",
        )
    if free < FULL:
        said = Message(
            "Only {free} GB are free on the memory card, too little for an evening: make room.", free=gigabytes
        )
        return bad("disk", said, str(state))
    if free < NEARLY_FULL:
        said = Message("Only {free} GB are free on the memory card: make room soon.", free=gigabytes)
        return poor("disk", said, f"{state}; pictures in [table] says how much the judged pictures take.")
    return good("disk", Message("{free} GB are free on the memory card.", free=gigabytes), str(state))


def clock(now: datetime) -> Diagnosis:
    """Check that games will get the right date."""
    date = now.strftime("%Y-%m-%d %H:%M")
    synced = (command_output("timedatectl", "show", "--property=NTPSynchronized", "--value") or "").strip()
    if now.year < PROGRAM_YEAR:
        return poor(
            "clock",
            Message(
                "The clock says {date}, so games get a wrong date. Connect the box to the internet once after "
                "switching it on.",
                date=date,
            ),
            'Or set it: `sudo date -s "2026-01-31 20:15"`.',
        )
    if synced == "no":
        return poor(
            "clock",
            Message(
                "The clock says {date}, and was not set since the start. If the dates of games matter, connect the "
                "box to the internet once.",
                date=date,
            ),
        )
    set_by = "It was set by the network." if synced == "yes" else ""
    return good("clock", Message("The clock says {date}.", date=date), set_by)


def _throttled(platform: Path) -> str | None:
    for file in sorted(platform.glob(THROTTLED_FILE)):
        with contextlib.suppress(OSError):  # then ask vcgencmd
            return file.read_text(encoding="ascii", errors="replace")
    return command_output("vcgencmd", "get_throttled")


def power(platform: Path = PLATFORM) -> Diagnosis:
    """Check voltage and temperature. `platform` is the folder of the kernel's platform devices."""
    answer = _throttled(platform)
    if answer is None:
        return absent("power", Message("Only a Raspberry Pi knows whether it has enough voltage."))
    match = re.fullmatch(r"(?:throttled=0x)?([0-9a-fA-F]+)", answer.strip())
    if match is None:
        return poor("power", f"the answer about voltage and heat cannot be understood: {answer.strip() or 'nothing'}")
    bits = int(match[1], 16)
    set_bits = [bit for bit in THROTTLED if bits >> bit & 1]
    if not set_bits:
        return good("power", Message("The box has enough voltage, and is not too hot."))
    # A problem that exists now has also occurred since the start: report it once.
    troubles = [THROTTLED[bit] for bit in set_bits if bit < 16 or bit - 16 not in set_bits]
    cures = dict.fromkeys(CURES[cure] for _, cure in troubles)
    said = reduce(
        lambda one, other: Message("{one}; {other}", one=one, other=other), (trouble for trouble, _ in troubles)
    )
    return poor("power", Message.sequence(Message("{troubles}.", troubles=said), *cures), f"(0x{bits:x})")


def wifi(bus: str = "SYSTEM") -> Diagnosis:
    """Check that NetworkManager has Wi-Fi switched on. `bus`: see `NetworkManager`."""
    try:
        from companion.box.network_manager import NetworkManager, WifiError
    except ImportError as error:  # jeepney is missing, which is reported as a package
        return absent("wifi", f"NetworkManager cannot be asked: {error}.")
    try:
        manager = NetworkManager(bus)
        on, name = manager.radio_on(), manager.interface
        manager.close()
    except WifiError as error:
        return absent("wifi", f"{error}")
    if not on:
        return poor(
            "wifi",
            f"{name} is switched off (Raspberry Pi OS does that until it is told a country). The service switches it "
            "on where it has no other network; by hand: `sudo nmcli radio wifi on`.",
        )
    return good("wifi", f"{name} is switched on")


NOT_INSTALLED: Final = {
    "picamera2": Message("the Pi's own camera"),
    "lgpio": Message("buttons and lamps"),
    "evdev": Message("buttons by USB"),
    "Avahi": Message("the box's name in the network"),
    "polkit": Message("choosing a Wi-Fi"),
    "dnsmasq": Message("the box's own Wi-Fi"),
    "OpenSSL": Message("the page over https"),
    "overlayroot": Message("protection of the memory card when the plug is pulled"),
}
"""What works once each `Need` is installed."""
HINDRANCES: Final = {
    Hindrance.OFFLINE: Message("The box has to be on the internet for that, once."),
    Hindrance.LOGIN: Message(
        "Its network wants a login on a page, which the box cannot do: connect it to another one once."
    ),
    Hindrance.APT: Message("Debian's packages could not be installed; perudo-status.txt on the memory card says why."),
}


def first_start(state: Path) -> Iterator[Diagnosis]:
    """What the card's first start has not installed yet. Yields nothing if it finished, or if there was none."""
    try:
        with as_owner_of(state):
            report = read_kept(state / REPORT_FILE, parse_report, "The page does not say what is not installed yet.")
    except OSError as error:
        report = None
        if not is_private(state):
            yield poor("first-start", f"{state / REPORT_FILE} cannot be read: {error.strerror}.")
    if report is not None and report.missing:
        parts = Names([NOT_INSTALLED.get(each, each) for each in report.missing])
        said = Message.sequence(
            Message("Not installed yet: {parts}.", parts=parts),
            HINDRANCES[report.hindrance],
            Message("The box keeps trying."),
        )
        yield poor("first-start", said, report.said)


def port(host: str, number: int, refusal: str, box_runs: bool) -> Diagnosis:
    """Check that the page can be served on the configured port. `refusal` comes from `port_refusal`."""
    where = f"{host} port {number}"
    if not refusal:
        return good("port", f"{where} is free")
    if box_runs:
        return good("port", f"{where}: the box is running, and answers")
    holder = port_holder(number)
    by = f" It is taken by {holder}." if holder else ""
    return bad("port", f"{where}: {refusal}.{by} Stop that, or name another port in [web] of the configuration.")


def port_refusal(host: str, number: int) -> str:
    """Why nothing can listen on a port; empty if it is free."""
    if number == 0:
        return ""
    try:
        listen(host, number).close()
    except OSError as error:
        return error.strerror or str(error)
    return ""


def page_answers(number: int) -> bool:
    """True if this program's page answers on a port."""
    connection = http.client.HTTPConnection("127.0.0.1", number, timeout=2.0)
    try:
        connection.request("GET", "/healthz")
        health = json.loads(connection.getresponse().read())
    except (OSError, http.client.HTTPException, ValueError):
        return False
    else:
        return isinstance(health, dict) and {"ok", "reasons", "phase"} <= health.keys()
    finally:
        connection.close()


def port_holder(number: int) -> str:
    """The process that listens on a TCP port, read from /proc; empty if it cannot be determined."""
    inodes = set()
    for name in ("tcp", "tcp6"):
        with contextlib.suppress(OSError):
            for line in Path("/proc/net", name).read_text().splitlines()[1:]:
                fields = line.split()
                if fields[3] == "0A" and int(fields[1].rpartition(":")[2], 16) == number:
                    inodes.add(f"socket:[{fields[9]}]")
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # another user's process, or one that has ended
            if any(str(each.readlink()) in inodes for each in (process / "fd").iterdir()):
                return f"{(process / 'comm').read_text().strip()} (process {process.name})"
    return ""


def service() -> Diagnosis:
    """Check that the service is installed and running."""
    if not is_installed():
        return absent(
            "service",
            Message("The box does not start by itself when it is switched on. Whoever set it up can change that."),
            "`sudo .venv/bin/perudo install-service` does.",
        )
    state, status = _service_property("ActiveState"), _service_property("StatusText")
    if state == "active":
        return good("service", Message("The box starts by itself when it is switched on."), status)
    return poor("service", f"It is {state or 'unknown'}. `journalctl -u perudo -n 50` says why.")


def _service_property(name: str) -> str:
    return (command_output("systemctl", "show", "--value", f"--property={name}", f"{NAME}.service") or "").strip()


TIMESYNC: Final = "run/systemd/timesync"
"""systemd-timesyncd's folder while it runs. It contains `synchronized` once the clock has been set."""
HARDWARE_CLOCK: Final = "sys/class/rtc/rtc0/since_epoch"
AGREES: Final = 3600
"""Seconds by which a battery-backed clock may be wrong. Without a battery the clock starts in 1970."""


def clock_set(root: Path = Path("/"), now: float | None = None) -> bool:
    """True if the network or a battery-backed clock has set the time since the machine started.

    `now` is in seconds since 1970. Without systemd-timesyncd something else keeps the time: the clock counts as set.
    """
    timesync = root / TIMESYNC
    if not timesync.is_dir() or (timesync / "synchronized").exists():
        return True
    try:
        kept = int((root / HARDWARE_CLOCK).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return False
    return abs((time.time() if now is None else now) - kept) < AGREES


THERMAL_ZONES: Final = Path("/sys/class/thermal")

_PROCESSOR: Final = re.compile(r"cpu|soc|x86_pkg_temp")
"""How the processor's thermal zone begins its `type`: `cpu-thermal` on a Raspberry Pi."""


def processor_temperature(zones: Path = THERMAL_ZONES) -> float | None:
    """Degrees Celsius; None if the kernel has no sensor for it, as in a container."""
    for zone in sorted(zones.glob("thermal_zone*")):
        try:
            if _PROCESSOR.match((zone / "type").read_text(encoding="utf-8")):
                return int((zone / "temp").read_text(encoding="utf-8")) / 1000
        except (OSError, ValueError):  # a sensor that is switched off cannot be read
            continue
    return None
