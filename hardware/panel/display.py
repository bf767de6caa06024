"""The display on the panel, and the characters it has.

    HardwareError (RuntimeError)
    └── DisplayError                  there is no display here, or its driver is missing

The real ones are in `hardware.panel.luma_display`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final, Protocol

from hardware.camera.protocol import HardwareError

ENCODING: Final = "cp437"
"""The characters of the first PCs: ASCII and the accents of Western Europe."""


class DisplayError(HardwareError):
    """The display cannot be used. The panel and the game go on without it."""


class Display(Protocol):
    """Shows a few lines of text."""

    def show(self, lines: Sequence[str]) -> None:
        """Show these lines, the most important one first. Never waits for the display."""

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
