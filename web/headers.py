"""The API's own headers and their forms."""

from __future__ import annotations

import re
from typing import Final

from flask import Response

CSRF: Final = "X-Perudo-CSRF"
"""A page's CSRF token, sent with every change."""
VERSION: Final = "X-Perudo-Version"
"""The version of the state that a change was made on."""
IDEMPOTENCY_KEY: Final = "Idempotency-Key"
"""Another key for every tap; under one key a tap counts once."""
REPEATED: Final = "X-Perudo-Again"
"""Marks an answer that was given before."""
RUN: Final = "X-Perudo-Run"
"""Names this start of the program."""

_IDEMPOTENCY_KEYS: Final = re.compile(r"[!-~]{8,64}")
_VERSIONS: Final = re.compile(r"[0-9]{1,18}")


def is_idempotency_key(text: str) -> bool:
    """Whether this is 8 to 64 letters, digits or signs of ASCII."""
    return _IDEMPOTENCY_KEYS.fullmatch(text) is not None


def is_version(text: str) -> bool:
    """Whether this is a number of 1 to 18 digits."""
    return _VERSIONS.fullmatch(text) is not None


def no_store(response: Response) -> Response:
    """`response`, marked not to be cached: it holds now only, or for one phone only."""
    response.headers["Cache-Control"] = "no-store"
    return response
