"""A program that runs as long as this one does: started again when it ends, and ended with its parent."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

log = logging.getLogger(__name__)

SHORTEST_RESTART_PAUSE: Final = 0.5
LONGEST_RESTART_PAUSE: Final = 30.0
"""Seconds before the program is started again: doubled each time, up to this."""
STEADY_SECONDS: Final = 60.0
"""A program that ran this long begins with the shortest pause again."""
END_SECONDS: Final = 5.0
"""How long it may take to end before it is killed."""
LAST_LINES: Final = 8

_LAUNCHER: Final = (sys.executable, "-I", "-S", str(Path(__file__).with_name("launcher.py")))
"""A program of its own: code between fork and exec is not safe in a process with threads."""


class Child:
    """A program, from `start` to `stop`. Its lines go to `heard`, in a thread of its own."""

    def __init__(self, command: Sequence[str], heard: Callable[[str], None], *, folder: Path | None = None) -> None:
        """`folder` is where it runs; None: where this program does."""
        self._command, self._heard, self._folder = tuple(command), heard, folder
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
        self.ended = threading.Event()
        """Set when the program has ended for the first time, or could not be started."""
        self.lines: deque[str] = deque(maxlen=LAST_LINES)
        """What it wrote last."""

    @property
    def name(self) -> str:
        """The name of the program."""
        return self._command[0].rpartition("/")[2]

    @property
    def pid(self) -> int | None:
        """The process; None while there is none."""
        with self._lock:
            return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start it, and keep it running until `stop`."""
        self._thread.start()

    def stop(self) -> None:
        """End it. Safe to call twice."""
        self._stopping.set()
        self.signal(signal.SIGTERM)
        if self._thread.ident is not None:
            self._thread.join(END_SECONDS)
            if self._thread.is_alive():
                self.signal(signal.SIGKILL)
                self._thread.join()

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal, if it is there."""
        with self._lock:
            if self._process is not None:
                self._process.send_signal(number)

    def _run(self) -> None:
        """One thread starts it always: Linux ends a child with the thread that started it."""
        pause = SHORTEST_RESTART_PAUSE
        while True:
            began = time.monotonic()
            end = self._run_once()
            self.ended.set()
            if self._stopping.is_set():
                return
            if time.monotonic() - began >= STEADY_SECONDS:
                pause = SHORTEST_RESTART_PAUSE
            log.warning("%s has ended (%s). It is started again in %g seconds.", self.name, end, pause)
            if self._stopping.wait(pause):
                return
            pause = min(2 * pause, LONGEST_RESTART_PAUSE)

    def _run_once(self) -> str:
        """Run it until it ends; how it did."""
        try:
            with self._lock:
                if self._stopping.is_set():
                    return "stopped"
                process = self._process = self._spawn()
        except OSError as error:
            self.lines.append(str(error))
            return str(error)
        with process:
            assert process.stdout is not None
            for line in process.stdout:
                self.lines.append(line.rstrip())
                self._heard(line.rstrip())
        with self._lock:
            self._process = None
        code = process.returncode
        return signal.Signals(-code).name if code < 0 else f"exit status {code}"

    def _spawn(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            (*_LAUNCHER, str(os.getpid()), *self._command),
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,  # Ctrl-C is for the parent, which ends it in order
        )
