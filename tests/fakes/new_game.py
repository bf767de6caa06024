"""A command for a new game, with players as (name, colour), clockwise."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.table.commands import NewPlayer, OpenGame


def new_game(players: Iterable[tuple[str, str]], ruleset: str = "asmodee-fr", *more: Any, **rest: Any) -> OpenGame:
    """The command that opens it."""
    return OpenGame([NewPlayer(name, colour) for name, colour in players], ruleset, *more, **rest)
