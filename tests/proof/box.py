"""A box in a process of its own, and phones that speak to it over real sockets."""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
from pathlib import Path

from companion.box.process import Phone, ServedProcess

START_TIMEOUT = 60.0
"""Seconds of wall time, as the next, generous for a busy machine."""
STOP_TIMEOUT = 30.0
DEMO = ("demo", "--seed", "7")


def processor_s(pid: int) -> float:
    """Seconds of processor time of a process and all that it started, those that ended too: proc_pid_stat(5)."""
    children: dict[int, list[int]] = {}
    ticks: dict[int, int] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        process = int(file.parent.name)
        ticks[process] = sum(map(int, fields[11:15]))
        children.setdefault(int(fields[1]), []).append(process)
    total, left = 0, [pid]
    while left:
        process = left.pop()
        total += ticks.get(process, 0)
        left += children.get(process, [])
    return total / os.sysconf("SC_CLK_TCK")


def memory_mb(pid: int, name: str = "VmRSS") -> float:
    """Megabytes (10^6 bytes) that a process holds, proc(5); "VmHWM" is the most that it held."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(name)).split()[1]) * 1024 / 1e6


class Box(ServedProcess):
    """It ends as when it is switched off, and is measured."""

    def __init__(self, *options: str, command: tuple[str, ...] = DEMO, state: Path | None = None) -> None:
        """`options` of `command`; its state is in `state`, by default in a temporary folder."""
        self._stack = contextlib.ExitStack()
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory()))
        self.state = state or folder / "state"
        with contextlib.ExitStack() as failed:
            failed.push(self._stack)
            super().__init__((*command, *options), self.state, folder / "log", timeout=START_TIMEOUT)
            failed.pop_all()

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._stack.close()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """End the process by a signal, and give its exit status."""
        self.process.send_signal(number)
        self.process.communicate(timeout=STOP_TIMEOUT)
        return self.process.returncode

    def errors(self) -> str:
        """What the box has written to standard error."""
        return self._log.read_text(errors="replace")

    def phone(self, address: str = "127.0.0.1", *, role: str | None = None, player: str | None = None) -> Phone:
        """A phone at `address` that has joined, and has taken a seat if `role` says which."""
        phone = Phone(self, address)
        phone.join(self.code)
        if role is not None:
            phone.change("seat", {"role": role} | ({"player": player} if player else {}))
        return phone

    # Measured

    @property
    def memory_mb(self) -> float:
        return memory_mb(self.process.pid)

    @property
    def processor_s(self) -> float:
        return processor_s(self.process.pid)

    @property
    def threads(self) -> int:
        return len(list(Path(f"/proc/{self.process.pid}/task").iterdir()))

    @property
    def descriptors(self) -> int:
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))
