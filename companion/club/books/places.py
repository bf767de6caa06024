"""The finishing order of a game. Pure."""

from __future__ import annotations

from companion.table.past.games import Departure, Game, Return, Round


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
            case Round() if entry.outcome is not None and entry.outcome.eliminated is not None:
                out.append(entry.outcome.eliminated)
    return ((game.winner,), *((player,) for player in reversed(out)))
