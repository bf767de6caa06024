"""`perudo stats`: what the players did in their games, beside what chance would have given."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.saved_games import chosen, complain, fail, failing, nothing_yet, say, stated

if TYPE_CHECKING:
    from companion.table.past.statistics import Calls, Camera, Player, Statistics


@click.command()
@click.option("--player", metavar="NAME", help="One player alone.")
@click.option("--company", metavar="NAME,NAME", help="The games of exactly these players alone, in any order.")
@click.option("--game", metavar="NUMBER", help="One game alone (see `perudo games`).")
@stated
@click.pass_context
def stats(
    context: click.Context, player: str | None, company: str | None, game: str | None, state: Path, as_json: bool
) -> None:
    """Count what the players did, over all games: bids, calls, dice, and luck against expectation.

    Players are the same when their name is. It can be asked while the table is playing. The exit status is 2 when the
    journal could not be read, or there is no such player, company or game.
    """
    from companion.table.journal.saved_games import saved_games
    from companion.table.past.statistics import of_company, statistics

    with failing(context):
        found = saved_games(state)
    if game is not None:
        found = [chosen(context, found, game, state)]
    games = [each.game for each in found]
    if company is not None:
        names = [name.strip() for name in company.split(",")]
        games = of_company(games, names)
        if not games:
            fail(context, f"No game was played by just these: {', '.join(names)}.")
    if player is not None:
        games = [each for each in games if player in each.players]
        if not games:
            fail(context, f"{player} plays in none of these games.")
    counted = statistics(games)
    if as_json:
        values = counted.to_json()
        if player is not None:
            values["players"] = [each for each in values["players"] if each["name"] == player]
        click.echo(json.dumps(values))
    elif not games:
        complain(context, nothing_yet(state))
    else:
        say(*_told(counted, player))


def _told(counted: Statistics, only: str | None) -> Iterator[str]:
    if only is not None:
        for player in counted.players:
            if player.name == only:
                yield from _player(player)
        return
    yield f"{_many(counted.games, 'game')}, {counted.won} played to the end, {_many(counted.rounds, 'round')}"
    for player in counted.players:
        yield ""
        yield from _player(player)
    if counted.camera.readings + counted.camera.by_hand:
        yield ""
        yield from _camera(counted.camera)


def _player(player: Player) -> Iterator[str]:
    from companion.messages.english import faces

    yield f"{player.name}: {_many(player.games, 'game')}, {player.won} won, {_many(player.rounds, 'round')}"
    highest = "" if player.highest is None else f", the highest {faces(*player.highest)}"
    yield f"  bids      {player.bids} made{highest}"
    called = player.called
    if called.times:
        yield f"  called on {_times(called.times)}: {called.held} held, {called.held_expected:.1f} expected"
        yield (
            f"  luck      {called.luck:+.1f} dice: {called.matched} matched the bids called on, "
            f"{called.matched_expected:.1f} expected"
        )
    yield from _calls("dudo", player.dudos)
    yield from _calls("calza", player.calzas)
    yield f"  dice      {player.lost} lost, {player.regained} taken back; palifico {_times(player.palifico)}"


def _calls(kind: str, calls: Calls) -> Iterator[str]:
    if calls.called:
        yield f"  {kind:<9} called {_times(calls.called)}: {calls.right} right, {calls.expected:.1f} expected"


def _camera(camera: Camera) -> Iterator[str]:
    yield f"Camera: {_many(camera.readings, 'reading')} with {_dice(camera.dice)}, {camera.untouched} needed nothing"
    yield f"  asked     about {_dice(camera.asked)}; {camera.confirmed} confirmed as read"
    yield (
        f"  corrected {_many(camera.face, 'face')}, {_many(camera.colour, 'colour')}; "
        f"{_dice(camera.added)} added, {camera.struck} struck out"
    )
    yield f"  by hand   counted {_times(camera.by_hand)}"


def _dice(count: int) -> str:
    return f"{count} {'die' if count == 1 else 'dice'}"


def _many(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")
