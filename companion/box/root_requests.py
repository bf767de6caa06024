"""What the service asks of root: a closed list of requests, which `companion.box.root_helper` carries out.

The service is unprivileged. It writes `request.json` into its state folder; systemd sees the file and starts the
helper, which carries out the request and leaves the answer in a folder that only root may write.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from calibration.atomic_write import write_atomically
from companion.config.settings_file import SettingsError
from companion.messages.message import Message

HOST_NAME: Final = re.compile(r"[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?")
"""Valid names for a box; phones on the network find it as NAME.local."""

REQUEST_FILE: Final = "request.json"
ANSWER_FILE: Final = "answer.json"
ANSWERS: Final = Path("/run/perudo-caretaker")
"""The folder with the answers; only root writes there."""
ANSWER_PATIENCE: Final = 1800.0
"""Seconds that a request may take, such as installing a version."""


class RootRequestError(RuntimeError):
    """Root refused a request, or could not carry it out. The message is a sentence."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class RootRequests:
    """Sends requests to root. Thread-safe."""

    def __init__(
        self,
        state: Path,
        answers: Path = ANSWERS,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`state`: the service's state folder, which systemd watches."""
        self._request = state / REQUEST_FILE
        self._answer = answers / ANSWER_FILE
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()

    def ask(self, request: Mapping[str, str]) -> Mapping[str, object]:
        """Have `request` carried out, and return the answer. `do` names the request. Raises `RootRequestError`."""
        with self._lock:
            name = self._write(request)
            until = self._clock() + ANSWER_PATIENCE
            while (answer := self._read(name)) is None:
                if self._clock() > until:
                    self._request.unlink(missing_ok=True)
                    raise RootRequestError(
                        "What the box does as root does not answer. Switch the box off and on again."
                    )
                self._sleep(0.1)
        if answer.get("ok") is not True:
            raise RootRequestError(str(answer.get("error", "")))
        return answer

    def configure(self, text: str) -> None:
        """Replace the configuration, for `SettingsFile`. Raises `SettingsError`."""
        try:
            self.ask({"do": "configure", "text": text})
        except RootRequestError as error:
            raise SettingsError(Message("The box could not keep it: {reason}", reason=error.message)) from error

    def _write(self, request: Mapping[str, str]) -> str:
        name = secrets.token_hex(8)
        try:
            write_atomically(self._request, json.dumps({**request, "id": name}).encode(), mode=0o600)
        except OSError as error:
            raise RootRequestError(f"The request cannot be written: {os.strerror(error.errno or 0)}.") from error
        return name

    def _read(self, name: str) -> Mapping[str, object] | None:
        """The answer to the request `name`, or None if there is none yet."""
        try:
            answer = json.loads(self._answer.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return answer if isinstance(answer, dict) and answer.get("id") == name else None
