"""Makes untrusted text safe to print."""

from __future__ import annotations


def printable(text: str) -> str:
    """`text` with control and other unprintable characters escaped."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
