"""The display on the panel: what it is asked to show, and how a line that is too long passes by.

    HardwareError (RuntimeError)
    └── DisplayError                  there is no display here, or what drives it is missing

`hardware.panel.luma_display` has the real ones; `VirtualDisplay` keeps what it is told.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final, Protocol

from hardware.camera.protocol import HardwareError

REST: Final = 1.2
"""Seconds a line that is too long stands still at either end."""

SPEED: Final = 30.0
"""Dots a second at which it passes by."""

ENCODING: Final = "cp437"
"""The characters a display has, those of the first PCs: all of ASCII, and the accents of Western Europe."""


class DisplayError(HardwareError):
    """The display cannot be used. The panel and the game go on without it."""


class Display(Protocol):
    """Something that shows a few lines of text."""

    def show(self, lines: Sequence[str]) -> None:
        """Show these lines, the most important one first, in place of those before. Never waits for the display."""

    def close(self) -> None:
        """Go dark. Safe to call twice."""


class VirtualDisplay:
    """A display that is not there. It is public: the drawing of a virtual panel shows what it shows."""

    def __init__(self) -> None:
        self.lines: tuple[str, ...] = ()

    def show(self, lines: Sequence[str]) -> None:
        """Keep the lines, as the real ones would show them."""
        self.lines = tuple(map(plain, lines))

    def close(self) -> None:
        """Go dark."""
        self.lines = ()


def plain(text: str) -> str:
    """`text` in characters a display has: without an accent it lacks, "?" for what it cannot say at all."""
    return "".join(map(_plain, unicodedata.normalize("NFC", text)))


def _plain(letter: str) -> str:
    bare = unicodedata.normalize("NFKD", letter)[0]
    for each in (letter, bare):
        try:
            each.encode(ENCODING)
        except UnicodeEncodeError:
            continue
        return each if each.isprintable() else " "
    return "?"


def passed(width: int, room: int, since: float) -> int:
    """By how many dots a line of `width` has passed to the left in a display of `room` dots, `since` seconds after it
    was shown first. It stands, passes, stands at its end and begins again; one that fits never moves."""
    over = width - room
    if over <= 0:
        return 0
    into = since % (REST + over / SPEED + REST)
    return min(over, max(0, round((into - REST) * SPEED)))
