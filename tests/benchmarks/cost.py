"""What starting the box costs, and what it costs while nobody plays: processor time and memory of real processes.

Processor time, not time on the clock: a machine that is busy with something else spoils it less. The first process is
`perudo run` as the service starts it, with pictures from a folder for a camera, told ready as systemd would be.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

IMPORT_BAR: Final = 1.5
"""Seconds of the processor."""
IDLE_BAR: Final = 3.0
"""Percent of one core."""
MEMORY_BAR: Final = 250.0
"""Megabytes (10^6 bytes)."""

PI_4: Final = 158.3
"""Seconds that a Raspberry Pi 4 (1.5 GHz) took for five million steps of the n-body benchmark in Python:
https://chaitanyamehta.github.io/projects/performance-analysis-of-programming-languages. That Python was older than
ours and slower, so what is estimated from it is rather too much.
"""
STEPS: Final = 5_000_000
"""Of that benchmark."""

WINDOW: Final = 10.0
"""Seconds: longer than anything that is done again and again while nobody plays."""

READY_WITHIN: Final = 120.0
"""Seconds on the clock, of a machine that may be very busy."""

_IMPORT: Final = "import companion.cli.run, companion.station, time; print(time.process_time())"


class CostError(RuntimeError):
    """Something could not be measured here. The message says what."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What was measured."""

    machine: str
    import_s: float
    """Processor time until everything is imported, Python's own start included: the median."""
    ready_s: float
    """Processor time until the page answers."""
    idle_percent: float
    """Of one core, while nobody plays: the median of windows of `WINDOW` seconds."""
    idle_for: float
    """Seconds on the clock over which that was."""
    peak_mb: float
    idle_mb: float
    factor: float
    """How many times as long a Raspberry Pi 4 takes for the same work in Python, on the safe side."""

    @property
    def pi_ready_s(self) -> float:
        """Seconds until the page answers on a Raspberry Pi 4, from the processor alone."""
        return self.ready_s * self.factor

    def bars(self) -> tuple[tuple[str, float, float, str], ...]:
        """What was asked for: name, value, limit, unit."""
        return (
            ("import of the program", self.import_s, IMPORT_BAR, "s of processor time"),
            ("idle", self.idle_percent, IDLE_BAR, "% of one core"),
            ("memory", self.peak_mb, MEMORY_BAR, "MB at most"),
        )


def measure(pictures: Path, idle_for: float, rounds: int, tell: Callable[[str], None]) -> Cost:
    """Measure everything; `pictures` is the folder that stands for a camera. Raises `CostError`."""
    if not Path("/proc/self/stat").exists():
        raise CostError("processor time is read from /proc, which this system has not: measure on Linux")
    tell("Importing")
    imports = statistics.median(float(_python("-c", _IMPORT)) for _ in range(rounds))
    tell("The same work as a Pi's was measured by")
    factor = PI_4 / (n_body(STEPS // 50) * 50)
    tell(f"Starting, and {idle_for:.0f} s of nobody playing")
    ready, percent, peak, idle = _run(pictures, idle_for)
    return Cost(os.uname().machine, imports, ready, percent, idle_for, peak, idle, factor)


def n_body(steps: int) -> float:
    """Seconds of the processor that the sun and four planets take to move so many steps."""
    bodies = [
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 39.5],
        [4.8, -1.2, -0.1, 0.6, 2.8, 0.0, 0.038],
        [8.3, 4.1, -0.4, -1.0, 1.8, 0.0, 0.011],
        [12.9, -15.1, -0.2, 1.1, 0.9, 0.0, 0.0017],
        [15.4, -25.9, 0.2, 1.0, 0.6, 0.0, 0.002],
    ]
    pairs = [(one, other) for n, one in enumerate(bodies) for other in bodies[n + 1 :]]
    begin = time.process_time()
    for _ in range(steps):
        for one, other in pairs:
            x, y, z = one[0] - other[0], one[1] - other[1], one[2] - other[2]
            pull = 0.01 * (x * x + y * y + z * z) ** -1.5
            to_one, to_other = other[6] * pull, one[6] * pull
            one[3] -= x * to_one
            one[4] -= y * to_one
            one[5] -= z * to_one
            other[3] += x * to_other
            other[4] += y * to_other
            other[5] += z * to_other
        for body in bodies:
            body[0] += 0.01 * body[3]
            body[1] += 0.01 * body[4]
            body[2] += 0.01 * body[5]
    return time.process_time() - begin


def _python(*arguments: str) -> str:
    home = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, cwd=home)
    if done.returncode:
        raise CostError(f"a process that was to be measured failed: {done.stderr.strip()}")
    return done.stdout


def _run(pictures: Path, idle_for: float, more: Sequence[str] = ()) -> tuple[float, float, float, float]:
    """Processor seconds until ready, percent while idle, and megabytes: the peak and while idle.

    `more` options go to `perudo run`.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd,
        open(Path(folder) / "said", "w+", encoding="utf-8") as said,  # noqa: PTH123
    ):
        systemd.bind(f"{folder}/notify")
        systemd.settimeout(1.0)
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("PERUDO_")},
            "NOTIFY_SOCKET": f"{folder}/notify",
            "WATCHDOG_USEC": "30000000",
            "XDG_CONFIG_HOME": folder,
        }
        command = [sys.executable, "-m", "companion.cli", "run", "--host", "127.0.0.1", "--port", "0", "--no-panel"]
        process = subprocess.Popen(
            [*command, "--camera", f"folder:{pictures}", "--state", f"{folder}/state", *more],
            stdout=said, stderr=said, env=environment, cwd=Path(__file__).resolve().parents[2],
        )  # fmt: skip
        try:
            _wait_until_ready(process, systemd)
            ready = _processor(process.pid)
            time.sleep(min(5.0, idle_for / 4))  # what belongs to starting is over
            windows = max(1, round(idle_for / WINDOW))
            percent = statistics.median(_percent(process.pid, idle_for / windows) for _ in range(windows))
            peak, idle = _memory(process.pid, "VmHWM"), _memory(process.pid, "VmRSS")
        except OSError as error:
            said.seek(0)
            raise CostError(f"the program was not ready ({error}). It said: {said.read().strip()}") from error
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(20)
    return ready, percent, peak, idle


def _wait_until_ready(process: subprocess.Popen[bytes], systemd: socket.socket) -> None:
    """Raises `TimeoutError`, or `ChildProcessError` where it ended."""
    end = time.monotonic() + READY_WITHIN
    while time.monotonic() < end:
        if process.poll() is not None:
            raise ChildProcessError(f"exit status {process.returncode}")
        with contextlib.suppress(TimeoutError):
            if systemd.recv(4096).startswith(b"READY=1"):
                return
    raise TimeoutError(f"waited for {READY_WITHIN:.0f} s")


def _percent(pid: int, seconds: float) -> float:
    """How much of one core a process has in the next `seconds`."""
    before, begin = _processor(pid), time.monotonic()
    time.sleep(seconds)
    return 100 * (_processor(pid) - before) / (time.monotonic() - begin)


def _processor(pid: int) -> float:
    """Seconds of the processor that a process has had, proc(5)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory(pid: int, name: str) -> float:
    """Megabytes, proc(5)."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(name)).split()[1]) * 1024 / 1e6
