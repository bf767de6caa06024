"""The display on the panel, and its character set.

    HardwareError (RuntimeError)
    └── DisplayError                  there is no display, or its driver is missing

Real displays are in `hardware.panel.luma_display`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final, Protocol

from hardware.camera.protocol import HardwareError

ENCODING: Final = "cp437"
"""The character set of the first PCs: ASCII and the accents of Western Europe."""


class DisplayError(HardwareError):
    """The display cannot be used. The panel and the game go on without it."""


class Display(Protocol):
    """Shows a few lines of text."""

    def show(self, lines: Sequence[str]) -> None:
        """Show these lines, the most important one first. Never blocks."""

    def close(self) -> None:
        """Switch off. Safe to call twice."""


def displayable(text: str) -> str:
    """`text` in the display's characters: missing accents are dropped, and any other character becomes "?"."""
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
