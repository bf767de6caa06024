"""A game's record with other names for the players. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from companion.engine import Bid, Calza, Dudo, Event, GameStarted, Reveal, Together
from companion.engine.record import parse_line, to_line


def with_names(lines: Iterable[str], name: Callable[[str], str]) -> tuple[str, ...]:
    """The lines of a record in which each player is called by `name`."""
    return tuple(to_line(_renamed(parse_line(line), name)) for line in lines)


def _renamed(event: Event, name: Callable[[str], str]) -> Event:
    match event:
        case GameStarted():
            return replace(
                event,
                players=tuple(map(name, event.players)),
                starter=name(event.starter),
                dice=None if event.dice is None else {name(player): dice for player, dice in event.dice.items()},
                palifico=None if event.palifico is None else name(event.palifico),
                calza_said=frozenset(map(name, event.calza_said)),
                former_palificos=None
                if event.former_palificos is None
                else frozenset(map(name, event.former_palificos)),
            )
        case Bid() | Dudo() | Calza():
            return replace(event, player=name(event.player))
        case Together():
            return replace(event, calls=tuple(replace(call, player=name(call.player)) for call in event.calls))
        case Reveal():
            return replace(event, dice={name(player): faces for player, faces in event.dice.items()})
