"""Text from strangers, made safe to print."""

from __future__ import annotations


def printable(text: str) -> str:
    """`text` with everything that could steer a terminal, or not be written at all, as an escape."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)
