"""The API's own headers and their forms."""

from __future__ import annotations

from typing import Final

from flask import Response

CSRF: Final = "X-Perudo-CSRF"
"""A page's CSRF token, sent with every change."""
VERSION: Final = "X-Perudo-Version"
"""The version of the state that a change is based on."""
VERSION_PATTERN: Final = "[0-9]{1,18}"
IDEMPOTENCY_KEY: Final = "Idempotency-Key"
"""A different key for every tap; requests with the same key count once."""
KEY_PATTERN: Final = "[!-~]{8,64}"
REPEATED: Final = "X-Perudo-Again"
"""Marks a repeated answer."""
RUN: Final = "X-Perudo-Run"
"""Names this start of the program."""


def no_store(response: Response) -> Response:
    """`response`, marked not to be cached: it is true only now, or for one phone."""
    response.headers["Cache-Control"] = "no-store"
    return response
