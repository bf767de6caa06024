"""The record of a game as a club has it: its finishing order, and other names for its players. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache

from companion.engine import Bid, Calza, Dudo, Event, GameStarted, Reveal, Together
from companion.engine.record import replay, to_line
from companion.table.past.games import Adjustment, Departure, Game, Return, Round


def places_of(game: Game) -> tuple[tuple[str, ...], ...]:
    """The players of each place, the winner first; empty if nobody has won.

    The later a player went out of the game, the better the place, whether by a verdict or by leaving; a player who
    came back has not left. Nobody shares a place: a verdict takes the last die of one player at most.
    """
    if game.winner is None:
        return ()
    out: list[str] = []
    for entry in game.entries:
        match entry:
            case Departure(player):
                out.append(player)
            case Return(player):
                out.remove(player)
            case Adjustment(player) if player in out:  # they were not out after all
                out.remove(player)
            case Round() if entry.outcome is not None and entry.outcome.eliminated is not None:
                out.append(entry.outcome.eliminated)
    return ((game.winner,), *((player,) for player in reversed(out)))


@lru_cache(maxsize=64)
def places_in(record: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """The players of each place, as `places_of`, by what the lines of a game's record prove.

    Empty if they prove no winner: they cannot be replayed, or the others gave up.
    """
    out: list[str] = []
    playing: list[str] = []
    winner: str | None = None
    for part in record:
        before, playing = playing, []
        for step in replay(part, kept=True):
            if step.error is not None or step.position is None:
                return ()
            if not playing:
                begin = [name for name, dice in step.position.dice.items() if dice]
                out = [name for name in out if name not in begin]
                out += [name for name in before if name not in begin]  # no line says who left
            outcome = step.position.outcome
            if outcome is not None and outcome.eliminated is not None and outcome.eliminated not in out:
                out.append(outcome.eliminated)
            playing = [name for name, dice in step.position.dice.items() if dice]
            winner = step.position.winner
    return () if winner is None else ((winner,), *((player,) for player in reversed(out)))


def with_names(part: Iterable[Event], name: Callable[[str], str]) -> tuple[str, ...]:
    """The lines of a record of these events in which each player is called by `name`."""
    return tuple(to_line(_renamed(event, name)) for event in part)


def _renamed(event: Event, name: Callable[[str], str]) -> Event:
    match event:
        case GameStarted():
            dice, seen = (
                None if counts is None else {name(player): count for player, count in counts.items()}
                for counts in (event.dice, event.seen)
            )
            return replace(
                event,
                players=tuple(map(name, event.players)),
                starter=name(event.starter),
                dice=dice,
                seen=seen,
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
            return Reveal(
                *({name(player): faces for player, faces in dice.items()} for dice in (event.dice, event.uncertain))
            )
