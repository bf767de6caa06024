"""`perudo games`: the games that are kept, one a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.cli.saved_games import complain, failing, nothing_yet, say, stated, when
from companion.messages.printable import printable

if TYPE_CHECKING:
    from companion.table.journal.saved_games import SavedGame


@click.command()
@stated
@click.pass_context
def games(context: click.Context, state: Path, as_json: bool) -> None:
    """List the games played here and those brought in from elsewhere, with the numbers the other commands take.

    It can be asked while the table is playing. The exit status is 2 when the journal could not be read.
    """
    from companion.table.journal.saved_games import saved_games

    with failing(context):
        found = saved_games(state)
    if as_json:
        for each in found:
            click.echo(json.dumps(_as_json(each)))
    elif found:
        say(*_table([("game", "begun", "rounds", "won by", "players", ""), *(_row(each) for each in found)]))
    else:
        complain(context, nothing_yet(state))


def _as_json(kept: SavedGame) -> dict[str, Any]:
    game = kept.game
    return {
        "game": kept.key,
        "begun": kept.at,
        "players": list(game.players),
        "ruleset": game.ruleset.id,
        "rounds": game.round_count,
        "ending": game.ending,
        "winner": game.winner,
        "parts": len(game.record),
        "imported": kept.name,
    }


def _row(kept: SavedGame) -> tuple[str, ...]:
    game = kept.game
    return (
        kept.key,
        when(kept.at),
        str(game.round_count),
        game.winner or f"({game.ending})",
        ", ".join(game.players),
        "" if kept.name is None else f"imported from {kept.name}",
    )


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    shown = [tuple(map(printable, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    for row in shown:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
