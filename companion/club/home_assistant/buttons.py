"""The buttons that a table has in Home Assistant, if its configuration allows commands.

None of them calls or changes anybody's dice, and the table can take each of them back.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from companion.table.commands import Command, OpenRound, Pause, Resume

HOME_BUTTONS: Final[Mapping[str, Command]] = MappingProxyType(
    {"next": OpenRound(), "pause": Pause(), "resume": Resume()}
)
"""The payload of a button, which is also its id, and what it does."""


def button_command(payload: bytes) -> Command | None:
    """The command of the button in `payload`; None if there is no such button."""
    return HOME_BUTTONS.get(payload.decode("utf-8", "replace"))
