"""A box in a process of its own, and phones that speak to it over real sockets."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import os
import signal
import tempfile
from pathlib import Path
from typing import Any, Self

from companion.box.process import ServedProcess

START_TIMEOUT = 60.0
"""Seconds of wall time, as the next, generous for a busy machine."""
STOP_TIMEOUT = 30.0
DEMO = ("demo", "--seed", "7")


def processor_s(pid: int) -> float:
    """Seconds of processor time that a process has used, proc(5)."""
    times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


def memory_mb(pid: int, name: str = "VmRSS") -> float:
    """Megabytes (10^6 bytes) that a process holds, proc(5); "VmHWM" is the most that it held."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(name)).split()[1]) * 1024 / 1e6


class Box:
    """`perudo demo`, or another command that serves the page, in a process of its own until the end of a `with`."""

    def __init__(self, *options: str, command: tuple[str, ...] = DEMO, state: Path | None = None) -> None:
        """`options` of `command`; its state is in `state`, by default in a temporary folder."""
        self._stack = contextlib.ExitStack()
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory()))
        self.state = state or folder / "state"
        self._log = folder / "log"
        served = ServedProcess((*command, *options), self.state, self._log, timeout=START_TIMEOUT)
        self.process, self.host, self.port, self.code = served.process, served.host, served.port, served.code

    def __enter__(self) -> Self:
        return self

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
        phone.token = phone.ok("POST", "join", {"code": self.code})["token"]
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


class Phone:
    """A program at the table, over one connection that it keeps open."""

    _keys = itertools.count(10_000_000)

    def __init__(self, box: Box, address: str = "127.0.0.1", timeout: float = 10.0) -> None:
        self.token: str | None = None
        self._http = http.client.HTTPConnection(box.host, box.port, timeout=timeout, source_address=(address, 0))

    def request(
        self, method: str, path: str, body: object = None, **headers: str
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        """Status, headers and body of the answer. `path` is under `/api/v1/`."""
        all_headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token is not None:
            all_headers["Authorization"] = f"Bearer {self.token}"
        data = None
        if method == "POST":
            data = json.dumps(body).encode()
            all_headers["Content-Type"] = "application/json"
        try:
            self._http.request(method, f"/api/v1/{path}", data, all_headers)
            answer = self._http.getresponse()
            return answer.status, answer.headers, answer.read()
        except (OSError, http.client.HTTPException):
            self.close()  # the next request opens another connection
            raise

    def ok(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        """The JSON of an answer with status 200. Raises `Refused`."""
        status, _, answer = self.request(method, path, body, **headers)
        if status != 200:
            raise Refused(f"{status} {answer[:200]!r}")
        return json.loads(answer)

    def state(self) -> dict[str, Any]:
        return dict(self.ok("GET", "state"))

    def change(self, path: str, body: object, version: int | None = None) -> dict[str, Any]:
        """Make a change on that version of the state, by default on the present one."""
        version = self.state()["version"] if version is None else version
        return dict(self.ok("POST", path, body, Idempotency_Key=str(next(self._keys)), X_Perudo_Version=str(version)))

    def close(self) -> None:
        self._http.close()


class Refused(Exception):
    """The box refused a request. The message is its answer."""
