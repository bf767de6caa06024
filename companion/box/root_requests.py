"""What the service asks root for: a closed list of requests, which another program carries out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Protocol

HOST_NAME: Final = re.compile(r"[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?")
"""A name that a box may have; phones on the network find it as NAME.local."""


class RootRequestError(RuntimeError):
    """Root refused a request, or could not carry it out. The message is a sentence."""

    def __init__(self, message: str, code: str = "") -> None:
        """`code`: a word for programs, for example of `companion.box.stick.STICK_PROBLEMS`."""
        super().__init__(message)
        self.message = message
        self.code = code


class RootRequests(Protocol):
    """Asks root. A request is an object whose `do` says which it is."""

    def ask(self, request: Mapping[str, str]) -> Mapping[str, object]:
        """Have a request carried out, and wait for its answer. Raises `RootRequestError`."""
        ...
