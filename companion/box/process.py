"""A program that serves the page, in a process of its own on this machine."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit


class ServedProcess:
    """`perudo demo`, or another command that serves the page, until the end of a `with`."""

    def __init__(self, command: tuple[str, ...], state: Path, log: Path, *, timeout: float) -> None:
        """`command` with its options; its state is in the folder `state`, and the file `log` takes its standard error.

        Raises `RuntimeError`, with what the program said, if it does not print its address within `timeout` seconds.
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
        address, code = (self.process.stdout.readline().strip() for _ in range(2))  # two empty ones once it is killed
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
        """End it at once, as a power cut would. Can be called twice."""
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.communicate()

    def log(self) -> str:
        """The last line that the program logged."""
        return (self._log.read_text(errors="replace").strip().splitlines() or ["it said nothing"])[-1]
