"""The service under a real systemd: installed, ready, watched, killed, stopped, removed; nothing of it is left here.

    sudo .venv/bin/python tests/pi/real_systemd.py

Wants Linux, root, systemd and util-linux; changes nothing of the machine. systemd runs as process 1 of namespaces of
its own, on an overlay of this root whose changes lie in memory; what is tested is the last commit, laid over the
clone. About two minutes, most of them the watchdog's. What it cannot show: a Pi's camera and pins, udev, a reboot.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CLONE = Path(__file__).resolve().parents[2]
PERUDO = Path(sys.prefix) / "bin" / "perudo"
CGROUP = Path("/sys/fs/cgroup/unified" if Path("/sys/fs/cgroup/unified").is_dir() else "/sys/fs/cgroup")
PATH = "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

BOOT = r"""
set -eu
W=$1 CLONE=$2 R=$1/root
mount --make-rprivate /
mount -t tmpfs none "$W/memory"
mkdir "$W/memory/up" "$W/memory/work"
mount -t overlay overlay -o "lowerdir=/,upperdir=$W/memory/up,workdir=$W/memory/work" "$R"
mount --bind "$W/tree" "$R$CLONE"
mount -t proc proc "$R/proc"
mount -t sysfs sysfs "$R/sys"
mount -t cgroup2 none "$R/sys/fs/cgroup"
for each in run tmp dev; do mount -t tmpfs -o mode=755 none "$R/$each"; done
chmod 1777 "$R/tmp"
for each in null zero full random urandom tty; do touch "$R/dev/$each"; mount --bind "/dev/$each" "$R/dev/$each"; done
mkdir "$R/dev/shm"
mount -t tmpfs none "$R/dev/shm"
touch "$R/dev/console"
mount --bind "$W/console" "$R/dev/console"
ip link set lo up
hostname perudo-check
# Nothing is started but what a service rests on.
rm -rf "$R"/etc/systemd/system/*.wants
for each in systemd-udevd systemd-timesyncd systemd-networkd systemd-resolved; do
    ln -sf /dev/null "$R/etc/systemd/system/$each.service"
done
printf '[Unit]\nRequires=basic.target\nAfter=basic.target\n' > "$R/etc/systemd/system/check.target"
echo 0123456789abcdef0123456789abcdef > "$R/etc/machine-id"
cd "$R"
mkdir -p old
pivot_root . old
umount -l /old
exec env -i container=perudo-check PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --unit=check.target
"""


class Box:
    """A machine with systemd on it, of which this process is outside."""

    def __init__(self, first: int) -> None:
        self.first = first
        """The process that is number 1 in there."""

    def ask(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command in there."""
        inside = ["nsenter", "-t", str(self.first), "-m", "-p", "-u", "-i", "-n", "-C", "-r", "-w"]
        return subprocess.run(
            [*inside, "env", "-i", "HOME=/root", f"PATH={PATH}", *command],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip

    def show(self, what: str, unit: str = "perudo") -> str:
        """A property of the service."""
        return self.ask("systemctl", "show", "--value", f"--property={what}", unit).stdout.strip()

    def log(self, unit: str = "perudo") -> str:
        """What the service wrote."""
        return self.ask("journalctl", "--no-pager", "--output=cat", f"--unit={unit}").stdout

    def page(self, port: int, what: str = "state") -> str:
        """The first bytes of the page's state, as somebody in there gets them."""
        fetch = (
            f"import urllib.request as u; print(u.urlopen('http://127.0.0.1:{port}/api/v1/{what}', timeout=5).read(90))"
        )
        return self.ask(sys.executable, "-c", fetch).stdout


@contextmanager
def box() -> Iterator[Box]:
    """Start one; take it away in the end with everything in it."""
    group = CGROUP / f"perudo-check-{os.getpid()}"
    with tempfile.TemporaryDirectory(prefix="perudo-check-", dir="/var/tmp") as folder:
        work = Path(folder)
        work.chmod(0o755)
        for name in ("memory", "root", "tree"):
            (work / name).mkdir()
        (work / "console").touch()
        subprocess.run(f"git -C '{CLONE}' archive HEAD | tar -x -C '{work / 'tree'}'", shell=True, check=True)
        keep_environment(work / "tree")
        group.mkdir()
        command = ["unshare", "-m", "-p", "-f", "-u", "-i", "-n", "-C", "/bin/sh", "-c", BOOT, "sh", folder, str(CLONE)]
        enter = f"echo $$ > '{group}/cgroup.procs'; exec \"$@\""
        process = subprocess.Popen(
            ["/bin/sh", "-c", enter, "sh", *command], stdin=subprocess.DEVNULL, start_new_session=True
        )
        try:
            first = wait(lambda: process_one(process.pid), 10, "systemd to start")
            machine = Box(first)
            wait(
                lambda: machine.ask("systemctl", "is-system-running").stdout.strip() in ("running", "degraded"),
                60,
                "boot",
            )
            yield machine
        finally:
            for each in children(process.pid):
                os.kill(each, signal.SIGKILL)
            process.wait(20)
            for each in sorted(group.rglob("*/"), reverse=True):
                each.rmdir()
            group.rmdir()


def keep_environment(tree: Path) -> None:
    """Where the virtual environment lies in the clone, it has to be there under the commit too."""
    venv = Path(sys.prefix)
    if CLONE in venv.parents:
        shutil.copytree(venv, tree / venv.relative_to(CLONE), symlinks=True)


def children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(each) for each in found.read_text().split()] if found.exists() else []


def process_one(pid: int) -> int | None:
    """The systemd below `pid`, once it is one."""
    for each in children(pid):
        if Path(f"/proc/{each}/comm").read_text().strip() == "systemd":
            return each
    return None


def wait(what: Callable[[], Any], seconds: float, name: str) -> Any:
    end = time.monotonic() + seconds
    while not (found := what()):
        if time.monotonic() > end:
            raise SystemExit(f"waited {seconds:.0f} s in vain for {name}")
        time.sleep(0.2)
    return found


def check(so: bool, sentence: str, machine: Box) -> None:
    print(f"{'ok ' if so else 'NOT'}  {sentence}", flush=True)
    if not so:
        print(machine.ask("systemctl", "--no-pager", "status", "perudo").stdout, machine.log()[-3000:])
        raise SystemExit(1)


def main(arguments: Sequence[str]) -> None:
    """Everything, one after the other."""
    if os.geteuid() != 0:
        raise SystemExit("This has to be run by root.")
    with box() as machine:
        installed = machine.ask(str(PERUDO), "install-service", "--port", "80", *arguments)
        print(installed.stdout, installed.stderr)
        check(installed.returncode == 0, "installed; systemctl restart came back, so READY=1 was told", machine)
        check(machine.show("ActiveState") == "active", "the service is active", machine)
        check('"version"' in machine.page(80), "the page answers on port 80, to a program that is not root", machine)
        print(f"     status: {machine.show('StatusText')}")
        check("http://" in machine.show("StatusText"), "its status has the address", machine)
        command = machine.ask("perudo", "--help")
        check(command.returncode == 0 and "install-service" in command.stdout, "perudo is a command", machine)
        owner = machine.ask("stat", "-c", "%U:%G %a", "/var/lib/perudo").stdout.strip()
        check(owner == "perudo:perudo 750", f"the state folder is {owner}", machine)
        kept = machine.ask("ls", "/var/lib/perudo").stdout.split()
        check("journal.sqlite3" in kept, f"in it are {', '.join(kept)}", machine)
        pid = machine.show("MainPID")
        denied = machine.ask("nsenter", "-t", pid, "-m", "ls", "/home", "/root")
        print(f"     of the homes it sees: {denied.stdout.split()}")
        groups = machine.ask("grep", "^Groups", f"/proc/{pid}/status").stdout.split()[1:]
        check(len(groups) >= 2, f"it runs in {len(groups)} groups", machine)

        if shutil.which("avahi-browse") is not None:
            machine.ask("systemctl", "start", "dbus.socket", "avahi-daemon")
            found = wait(lambda: machine.ask("avahi-browse", "-rpt", "_http._tcp").stdout, 30, "Avahi")
            check(";80;" in found and "Perudo" in found, "Avahi tells the network of the page on port 80", machine)

        again = machine.ask(str(PERUDO), "install-service", "--port", "80")
        check(again.stdout.count("already so") >= 5, "installed again, it finds most so already", machine)

        pid = machine.show("MainPID")
        machine.ask("kill", "-STOP", pid)
        print("     stopped like a program that hangs; waiting for the watchdog ...", flush=True)
        wait(
            lambda: machine.show("MainPID") not in (pid, "0") and machine.show("ActiveState") == "active",
            120,
            "restart",
        )
        journal = machine.ask("journalctl", "--no-pager", "-u", "perudo").stdout.lower()
        check("watchdog" in journal, "the watchdog killed it, and it came back", machine)
        check('"version"' in machine.page(80), "the page answers again", machine)

        pid = machine.show("MainPID")
        machine.ask("kill", "-SEGV", pid)
        wait(
            lambda: machine.show("MainPID") not in (pid, "0") and machine.show("ActiveState") == "active", 60, "restart"
        )
        check(True, "crashed, it came back", machine)

        begun = time.monotonic()
        machine.ask("systemctl", "stop", "perudo")
        took = time.monotonic() - begun
        check(machine.show("Result") == "success" and took < 15, f"it stopped cleanly in {took:.1f} s", machine)
        code = re.search(r"Table code: (\d{4})", machine.log())
        check(code is not None and "▀" not in machine.log(), "the log has the code, and no picture of it", machine)

        removed = machine.ask(str(PERUDO), "install-service", "--remove")
        print(removed.stdout, removed.stderr)
        check(removed.returncode == 0 and machine.show("LoadState") == "not-found", "removed: no such service", machine)
        left = (
            machine.ask("find", "/etc", "-name", "*perudo*").stdout.split() + machine.ask("id", "perudo").stdout.split()
        )
        check(left == ["/etc/perudo", "/etc/perudo/perudo.toml"], f"of /etc and the users is left: {left}", machine)
        link = machine.ask("ls", "/usr/local/bin/perudo")
        check(link.returncode != 0, "perudo is no command any more", machine)
        owner = machine.ask("stat", "-c", "%U:%G", "/var/lib/perudo/journal.sqlite3").stdout.strip()
        check(owner == "root:root", "the games stay, and are root's", machine)

        machine.ask(str(PERUDO), "install-service")
        owner = machine.ask("stat", "-c", "%U", "/var/lib/perudo/journal.sqlite3").stdout.strip()
        check(
            owner == "perudo" and '"version"' in machine.page(8000), "installed anew, it has its games again", machine
        )
        machine.ask(str(PERUDO), "install-service", "--remove", "--purge")
        left = machine.ask("find", "/etc", "/var/lib", "-name", "perudo*").stdout.split()
        check(left == [], "purged, nothing is left", machine)

        if shutil.which("mosquitto", path=PATH) is not None:
            club(machine)
        if Path("/etc/polkit-1/rules.d").is_dir():
            switched_off(machine)


def club(machine: Box) -> None:
    """The hub of a club with its mosquitto, in the unit's sandbox; and with a broker whose password nobody may see."""
    unit = "perudo-club"
    machine.ask(str(PERUDO), "install-service", "--club", "--", "--port", "80", "--broker-port", "883")
    wait(lambda: '"connected":true' in machine.page(80, "club"), 30, "the hub and its mosquitto")
    print(machine.log(unit))
    pid = machine.ask("pidof", "mosquitto").stdout.strip()
    limit = machine.ask("grep", "open files", f"/proc/{pid}/limits").stdout.split()[3:5]
    check(limit[0] == limit[1], f"mosquitto may open {limit[0]} files", machine)
    machine.ask("kill", "-KILL", pid)
    wait(lambda: machine.ask("pidof", "mosquitto").stdout.strip() not in ("", pid), 30, "another mosquitto")
    wait(lambda: '"connected":true' in machine.page(80, "club"), 30, "the hub's connection")
    check(True, "killed, it came back, and the hub connected again", machine)
    invitation = machine.ask(str(PERUDO), "club", "invite", "--state", f"/var/lib/{unit}")
    check("/join/" in invitation.stdout, "it invites tables", machine)

    given = "mqtts://hub:it's a \"s$ecret\\@127.0.0.1".replace(" ", "%20")
    machine.ask("env", f"PERUDO_BROKER={given}", str(PERUDO), "install-service", "--club")
    wait(lambda: machine.show("ActiveState", unit) == "active", 30, "the hub")
    seen = machine.ask("runuser", "-u", "nobody", "--", "systemctl", "show", unit).stdout
    seen += machine.ask("runuser", "-u", "nobody", "--", "cat", f"/etc/default/{unit}").stdout
    seen += machine.ask("ps", "-eo", "args").stdout
    check("ecret" not in seen and "club --state" in seen, "nobody sees its broker's password", machine)
    environ = machine.ask("cat", f"/proc/{machine.show('MainPID', unit)}/environ").stdout.split("\0")
    check(f"PERUDO_BROKER={given}" in environ, "and the hub has it", machine)
    machine.ask(str(PERUDO), "install-service", "--club", "--remove", "--purge")
    left = machine.ask("find", "/etc", "/var/lib", "-name", f"{unit}*").stdout.split()
    check(left == [], "removed and purged, nothing is left", machine)


def switched_off(machine: Box) -> None:
    """The service may switch the machine off, by the command that it uses and from where it runs; another may not."""
    machine.ask("systemctl", "start", "dbus.socket", "systemd-logind", "polkit")
    machine.ask(str(PERUDO), "install-service")
    # As the unit, but for the program: what it may not do, this may not do either.
    machine.ask("mkdir", "-p", "/etc/systemd/system/perudo.service.d")
    command = "from companion.panel.power import switch_off; switch_off()"
    override = f"[Service]\nType=oneshot\nRestart=no\nExecStart=\nExecStart={sys.executable} -c '{command}'\n"
    machine.ask("sh", "-c", 'printf %s "$1" > /etc/systemd/system/perudo.service.d/off.conf', "sh", override)
    machine.ask("systemctl", "daemon-reload")
    refused = machine.ask("runuser", "-u", "nobody", "--", "systemctl", "--no-ask-password", "poweroff")
    check(refused.returncode != 0, f"nobody else may switch it off: {refused.stderr.strip()}", machine)
    asked = machine.ask("systemctl", "restart", "perudo")
    off = wait(lambda: not Path(f"/proc/{machine.first}").exists() or "poweroff" in jobs(machine), 60, "the end")
    check(bool(off), f"the service switched the machine off {asked.stderr.strip()}", machine)


def jobs(machine: Box) -> str:
    """What systemd is at."""
    return machine.ask("systemctl", "list-jobs", "--no-pager").stdout


if __name__ == "__main__":
    main(sys.argv[1:])
