"""The program in a separate process, and a client that talks to it: for the self-test and for tests."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import urlsplit

Answer = dict[str, Any]
"""The JSON of the program's answer."""

_KEYS: Final = itertools.count(10_000_000)


class Refused(RuntimeError):
    """The program refused a request. The message is the program's."""


class ServedProcess:
    """Context manager: `perudo demo`, or another command that serves the page, running until the block ends."""

    def __init__(self, command: tuple[str, ...], state: Path, log: Path, *, timeout: float) -> None:
        """Start `command` with the state folder `state`; its standard error goes to the file `log`.

        Raises `RuntimeError` with the program's last words if it does not print its address within `timeout` seconds.
        """
        self._log = log
        line = [sys.executable, "-m", "companion.cli", *command, "--host", "127.0.0.1", "--port", "0"]
        with log.open("w") as errors:
            self.process = subprocess.Popen(
                [*line, "--state", str(state)], stdout=subprocess.PIPE, stderr=errors, text=True
            )
        assert self.process.stdout is not None
        timer = threading.Timer(timeout, self.process.kill)
        timer.start()
        address, code = (self.process.stdout.readline().strip() for _ in range(2))  # two empty lines if it was killed
        timer.cancel()
        if not address.startswith("http"):
            self.kill()
            raise RuntimeError(f"the program did not start: {self.log()}")
        at = urlsplit(address)
        self.host, self.port = str(at.hostname), int(at.port or 80)
        self.code = code.rpartition(" ")[2]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        """Kill the process at once, like a power cut. Can be called twice."""
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.communicate()

    def log(self) -> str:
        """The last line of the program's log."""
        return (self._log.read_text(errors="replace").strip().splitlines() or ["it said nothing"])[-1]


class Phone:
    """A client at the table, with one persistent connection."""

    def __init__(self, box: ServedProcess, address: str = "127.0.0.1", timeout: float = 10.0) -> None:
        """`address`: the local address to connect from."""
        self.token: str | None = None
        self._http = http.client.HTTPConnection(box.host, box.port, timeout=timeout, source_address=(address, 0))

    def join(self, code: str) -> None:
        """Join the table with its code. Raises `Refused`."""
        self.token = str(self.ok("POST", "join", {"code": code})["token"])

    def request(
        self, method: str, path: str, body: object = None, **headers: str
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        """Status, headers and body of the answer. `path` is below `/api/v1/`. Raises `OSError`, `HTTPException`."""
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
        """The JSON of an answer with status 200. Raises `Refused`, and the errors of `request`."""
        status, _, answer = self.request(method, path, body, **headers)
        if status != http.HTTPStatus.OK:
            text = answer[:200].decode(errors="replace")
            with contextlib.suppress(ValueError, LookupError, TypeError):
                text = str(json.loads(answer)["message"])
            raise Refused(f"{text} (status {status})")
        return json.loads(answer)

    def state(self) -> Answer:
        """The table's public state."""
        return dict(self.ok("GET", "state"))

    def change(self, path: str, body: object, version: int | None = None) -> Answer:
        """Make a change based on `version` of the state, by default the current one."""
        version = self.state()["version"] if version is None else version
        return dict(self.ok("POST", path, body, Idempotency_Key=str(next(_KEYS)), X_Perudo_Version=str(version)))

    def close(self) -> None:
        self._http.close()
