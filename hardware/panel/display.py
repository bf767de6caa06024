"""The display on the panel: what it shows, and how a line that is too long scrolls.

    HardwareError (RuntimeError)
    └── DisplayError                  there is no display here, or what drives it is missing

`hardware.panel.luma_display` has the real ones.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final, Protocol

from hardware.camera.protocol import HardwareError

SCROLL_REST: Final = 1.2
"""Seconds a scrolling line stands still at either end."""

SCROLL_SPEED: Final = 30.0
"""Dots a second."""

ENCODING: Final = "cp437"
"""The characters a display has, those of the first PCs: ASCII and the accents of Western Europe."""


class DisplayError(HardwareError):
    """The display cannot be used. The panel and the game go on without it."""


class Display(Protocol):
    """Something that shows a few lines of text."""

    def show(self, lines: Sequence[str]) -> None:
        """Show these lines, the most important one first, in place of those before. Never waits for the display."""

    def close(self) -> None:
        """Go dark. Safe to call twice."""


def displayable(text: str) -> str:
    """`text` in characters a display has: accents are dropped where it lacks them, and "?" stands for the rest."""
    return "".join(map(_displayable, unicodedata.normalize("NFC", text)))


def _displayable(letter: str) -> str:
    bare = unicodedata.normalize("NFKD", letter)[0]
    for each in (letter, bare):
        try:
            each.encode(ENCODING)
        except UnicodeEncodeError:
            continue
        return each if each.isprintable() else " "
    return "?"


def scroll_offset(width: int, room: int, since: float) -> int:
    """How many dots to the left a line of `width` dots has scrolled, `since` seconds after it was shown first.

    On a display of `room` dots it rests, scrolls, rests at its end and begins again; a line that fits never moves.
    """
    over = width - room
    if over <= 0:
        return 0
    into = since % (SCROLL_REST + over / SCROLL_SPEED + SCROLL_REST)
    return min(over, max(0, round((into - SCROLL_REST) * SCROLL_SPEED)))
