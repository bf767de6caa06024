"""The service's side: a request as a file, and the answer to it. Implements `RootRequests`."""

from __future__ import annotations

import json
import os
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from calibration.atomic_write import write_atomically
from companion.box.root_requests import RootRequestError

REQUEST_FILE: Final = "request.json"
ANSWER_FILE: Final = "answer.json"
ANSWERS: Final = Path("/run/perudo-caretaker")
"""Where the answers are; only root writes there."""
ANSWER_PATIENCE: Final = 120.0
"""Seconds that a request may take; a stick is slow."""


class RequestFile:
    """Asks the caretaker. Thread-safe."""

    def __init__(
        self,
        state: Path,
        answers: Path = ANSWERS,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        patience: float = ANSWER_PATIENCE,
    ) -> None:
        """`state`: the service's state folder, which systemd watches. `patience`: seconds to wait for an answer."""
        self._request = state / REQUEST_FILE
        self._answer = answers / ANSWER_FILE
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()
        self._patience = patience

    def ask(self, request: Mapping[str, str]) -> Mapping[str, object]:
        """Have `request` carried out, and wait for its answer. Raises `RootRequestError`."""
        with self._lock:
            name = self._write(request)
            until = self._clock() + self._patience
            while (answer := self._read(name)) is None:
                if self._clock() > until:
                    self._request.unlink(missing_ok=True)
                    raise RootRequestError("The box's caretaker does not answer. Switch the box off and on again.")
                self._sleep(0.1)
        if answer.get("ok") is not True:
            raise RootRequestError(str(answer.get("error", "")), str(answer.get("code", "")))
        return answer

    def _write(self, request: Mapping[str, str]) -> str:
        name = secrets.token_hex(8)
        try:
            write_atomically(self._request, json.dumps({**request, "id": name}).encode(), mode=0o600)
        except OSError as error:
            raise RootRequestError(f"The request cannot be written: {os.strerror(error.errno or 0)}.") from error
        return name

    def _read(self, name: str) -> Mapping[str, object] | None:
        """The answer to the request `name`, if it is there."""
        try:
            answer = json.loads(self._answer.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None  # not yet
        return answer if isinstance(answer, dict) and answer.get("id") == name else None
