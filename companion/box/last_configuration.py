"""The last configuration with which the page answered. A new one is on trial until the page answers with it.

A restored backup, a change on the page or an edit of the file may name an address that this machine does not have, or
a port that is in use. A box then starts with the last configuration, and asks root to restore it.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

from calibration.atomic_write import write_atomically
from companion.config import parse
from companion.kept_file import read_kept

log = logging.getLogger(__name__)

LAST_CONFIGURATION: Final = "answered.toml"
"""In the state folder; as secret as the configuration."""
REFUSED_CONFIGURATION: Final = "refused.toml"
"""The last configuration that was rejected, for whoever wrote it. Also in the state folder."""


def last_configuration(state: Path) -> str | None:
    """The text of the file; None if it is missing or damaged."""
    try:
        return read_kept(state / LAST_CONFIGURATION, _text, "There is no configuration to go back to.")
    except OSError as error:
        log.warning("the last configuration cannot be read: %s", error)
        return None


def keep_configuration(state: Path, text: str) -> None:
    """Keep the configuration with which the page has answered. A failure is logged."""
    if last_configuration(state) != text:
        _write(state / LAST_CONFIGURATION, text)


def keep_refused(state: Path, text: str) -> None:
    """Keep the configuration that was rejected. A failure is logged."""
    if _write(state / REFUSED_CONFIGURATION, text):
        log.warning("The configuration that does not work is kept as %s.", state / REFUSED_CONFIGURATION)


def _write(path: Path, text: str) -> bool:
    try:
        write_atomically(path, text.encode(), mode=0o600)
    except OSError as error:
        log.warning("%s cannot be written: %s", path, error)
        return False
    return True


def _text(content: bytes) -> str:
    text = content.decode()
    parse(text)
    return text
