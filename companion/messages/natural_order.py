"""Sorts names in the order that people expect: "2" before "10"."""

from __future__ import annotations

import re


def natural_order(name: str) -> tuple[list[str | int], str]:
    """A key to sort names by: numbers in them count by value."""
    # Text and numbers alternate, so that like is compared with like.
    parts = [int(part) if n % 2 else part.casefold() for n, part in enumerate(re.split(r"(\d{1,99})", name))]
    return parts, name
