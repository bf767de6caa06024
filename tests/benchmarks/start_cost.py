"""What starting the box costs, and what it costs while nobody plays: processor time and memory of real processes.

Processor time, not wall time: other work on the machine affects it less. The process measured is `perudo run` as the
service starts it, with pictures from a folder for a camera, and it reports ready as to systemd.
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

from tests.proof.box import memory_mb, processor_s

IMPORT_BAR: Final = 1.5
"""Seconds of processor time."""
IDLE_BAR: Final = 3.0
"""Percent of one core."""
START_MEMORY_BAR: Final = 250.0
"""Megabytes (10^6 bytes)."""

PI_4_SECONDS: Final = 158.3
"""Seconds that a Raspberry Pi 4 (1.5 GHz) took for five million steps of the n-body benchmark in Python:
https://chaitanyamehta.github.io/projects/performance-analysis-of-programming-languages. That Python was older and
slower, so the estimate from it is on the safe side.
"""
PI_4_STEPS: Final = 5_000_000

IDLE_WINDOW: Final = 10.0
"""Seconds: longer than anything that repeats while nobody plays."""

READY_TIMEOUT: Final = 120.0
"""Seconds of wall time, generous for a busy machine."""

_IMPORT_ALL: Final = "import companion.cli.run, companion.station, time; print(time.process_time())"


class CostError(RuntimeError):
    """Something could not be measured here. The message says what."""


@dataclass(frozen=True, slots=True)
class StartCost:
    machine: str
    import_s: float
    """Processor time until everything is imported, Python's own start included: the median."""
    ready_s: float
    """Processor time until the page answers."""
    idle_percent: float
    """Of one core, while nobody plays: the median of windows of `IDLE_WINDOW` seconds."""
    idle_for: float
    """Wall time in seconds over which the idle cost was measured."""
    peak_mb: float
    idle_mb: float
    factor: float
    """How many times as long a Raspberry Pi 4 takes for the same work in Python."""

    @property
    def pi_ready_s(self) -> float:
        """Estimated processor time until the page answers on a Raspberry Pi 4."""
        return self.ready_s * self.factor

    def bars(self) -> tuple[tuple[str, float, float, str], ...]:
        """The limits: name, value, limit, unit."""
        return (
            ("import of the program", self.import_s, IMPORT_BAR, "s of processor time"),
            ("idle", self.idle_percent, IDLE_BAR, "% of one core"),
            ("memory", self.peak_mb, START_MEMORY_BAR, "MB at most"),
        )


def measure_start(pictures: Path, idle_for: float, rounds: int, tell: Callable[[str], None]) -> StartCost:
    """Measure everything with the folder `pictures` for a camera. Raises `CostError`."""
    if not Path("/proc/self/stat").exists():
        raise CostError("processor time is read from /proc, which this system has not: measure on Linux")
    tell("Importing")
    imports = statistics.median(float(_python("-c", _IMPORT_ALL)) for _ in range(rounds))
    tell("The same work as a Pi's was measured by")
    factor = PI_4_SECONDS / (n_body(PI_4_STEPS // 50) * 50)
    tell(f"Starting, and {idle_for:.0f} s of nobody playing")
    ready, percent, peak, idle = run_once(pictures, idle_for)
    return StartCost(os.uname().machine, imports, ready, percent, idle_for, peak, idle, factor)


def n_body(steps: int) -> float:
    """Processor time in seconds for `steps` steps of the sun and four planets."""
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
    result = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, cwd=home)
    if result.returncode:
        raise CostError(f"a process that was to be measured failed: {result.stderr.strip()}")
    return result.stdout


def run_once(pictures: Path, idle_for: float, more: Sequence[str] = ()) -> tuple[float, float, float, float]:
    """Processor seconds until ready, percent while idle, and megabytes: peak and idle.

    `more` options go to `perudo run`.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd,
        open(Path(folder) / "said", "w+", encoding="utf-8") as log,  # noqa: PTH123
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
            stdout=log, stderr=log, env=environment, cwd=Path(__file__).resolve().parents[2],
        )  # fmt: skip
        try:
            _wait_until_ready(process, systemd)
            ready = processor_s(process.pid)
            time.sleep(min(5.0, idle_for / 4))  # let the start finish
            windows = max(1, round(idle_for / IDLE_WINDOW))
            percent = statistics.median(_percent(process.pid, idle_for / windows) for _ in range(windows))
            peak, idle = memory_mb(process.pid, "VmHWM"), memory_mb(process.pid, "VmRSS")
        except OSError as error:
            log.seek(0)
            raise CostError(f"the program was not ready ({error}). It said: {log.read().strip()}") from error
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(20)
    return ready, percent, peak, idle


def _wait_until_ready(process: subprocess.Popen[bytes], systemd: socket.socket) -> None:
    """Raises `TimeoutError`, or `ChildProcessError` where the process ended."""
    end = time.monotonic() + READY_TIMEOUT
    while time.monotonic() < end:
        if process.poll() is not None:
            raise ChildProcessError(f"exit status {process.returncode}")
        with contextlib.suppress(TimeoutError):
            if systemd.recv(4096).startswith(b"READY=1"):
                return
    raise TimeoutError(f"waited for {READY_TIMEOUT:.0f} s")


def _percent(pid: int, seconds: float) -> float:
    """The share of one core that a process uses in the next `seconds`."""
    before, begin = processor_s(pid), time.monotonic()
    time.sleep(seconds)
    return 100 * (processor_s(pid) - before) / (time.monotonic() - begin)
