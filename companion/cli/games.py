"""`perudo games` and `perudo stats`: list saved games, and what the players did in them."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click

from companion.cli.options import journal_options
from companion.cli.output import complain, fail, local_time, say
from companion.messages.english import dice, faces
from companion.messages.printable import printable
from companion.messages.sentence import json_value
from companion.state_folder import as_owner_of
from companion.table.errors import REPAIR_HINT, TableError
from companion.table.journal.saved_games import SavedGame, saved_games
from companion.table.past.statistics import CallStatistics, CameraStatistics, PlayerStatistics, statistics

# Shared by the commands about saved games


@contextmanager
def table_errors() -> Iterator[None]:
    """End the command with a sentence and the status `UNUSABLE` if the table raises an error."""
    try:
        yield
    except TableError as error:
        fail(error.message)


def games_in_state(state: Path) -> list[SavedGame]:
    """The saved games. Complains about games that cannot be read; ends the command if none can."""
    damage: list[str] = []
    with table_errors(), as_owner_of(state):
        games = saved_games(state, damage.append)
    for each in damage:
        complain(each)
    if damage:
        complain(f"The journal was left as it is, and its other games are as they were. {REPAIR_HINT}")
    return games


def game_of(games: Sequence[SavedGame], key: str, state: Path) -> SavedGame:
    """The game with the number or id `key`. Ends the command if there is none."""
    for each in games:
        if each.key == key:
            return each
    hint = f"perudo games lists the {len(games)} there are." if games else no_games(state)
    return fail(f"There is no game {key}. {hint}")


def no_games(state: Path) -> str:
    """The sentence for a folder without games."""
    return f"There are no games in {state} yet."


# perudo games


@click.command()
@journal_options
def games(state: Path, as_json: bool) -> None:
    """List the games played here and those brought in from elsewhere, with the numbers the other commands take."""
    saved = games_in_state(state)
    if as_json:
        for each in saved:
            click.echo(json.dumps(_as_json(each)))
    elif saved:
        say(*_table([("game", "begun", "rounds", "won by", "players", ""), *(_row(each) for each in saved)]))
    else:
        complain(no_games(state))


def _as_json(saved: SavedGame) -> dict[str, object]:
    game = saved.game
    return {
        "game": saved.key,
        "begun": saved.at,
        "clock_set": saved.game.clock_set,
        "players": list(game.players),
        "ruleset": game.ruleset.id,
        "rounds": game.round_count,
        "ending": game.ending,
        "winner": game.winner,
        "parts": len(game.parts),
        "imported": saved.name,
    }


def _row(saved: SavedGame) -> tuple[str, ...]:
    game = saved.game
    return (
        saved.key,
        local_time(saved.at) if saved.game.clock_set else "no date",
        str(game.round_count),
        game.winner or f"({game.ending})",
        ", ".join(game.players),
        "" if saved.name is None else f"imported from {saved.name}",
    )


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    shown = [tuple(map(printable, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    for row in shown:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


# perudo stats


@click.command()
@click.option("--player", metavar="NAME", help="Only this player.")
@click.option("--company", metavar="NAME,NAME", help="Only games of exactly these players, in any order.")
@click.option("--game", metavar="NUMBER", help="Only this game (see `perudo games`).")
@journal_options
def stats(player: str | None, company: str | None, game: str | None, state: Path, as_json: bool) -> None:
    """Show what the players did over all games: bids, calls, dice, and luck compared with expectation.

    Players with the same name count as one.
    """
    saved = games_in_state(state)
    if game is not None:
        saved = [game_of(saved, game, state)]
    games = [each.game for each in saved]
    if company is not None:
        games = [each for each in games if _names(_composed(company), frozenset(map(_composed, each.players)))]
        if not games:
            fail(f"No game was played by just these: {company}.")
    if player is not None:
        player = next((name for each in games for name in each.players if _composed(name) == _composed(player)), player)
        games = [each for each in games if player in each.players]
        if not games:
            fail(f"{player} plays in none of these games.")
    counted = statistics(games)
    if player is not None:
        counted = replace(counted, players=tuple(each for each in counted.players if each.name == player))
    if as_json:
        click.echo(json.dumps(json_value(counted)))
    elif not games:
        complain(no_games(state))
    elif player is not None:
        say(*_player(*counted.players))
    else:
        say(f"{_many(counted.games, 'game')}, {counted.won} played to the end, {_many(counted.rounds, 'round')}")
        for each in counted.players:
            say("", *_player(each))
        if counted.camera.readings + counted.camera.by_hand:
            say("", *_camera(counted.camera))


def _composed(name: str) -> str:
    """A form that is the same for every encoding of a name's accents."""
    return unicodedata.normalize("NFC", name)


def _names(text: str, players: frozenset[str]) -> bool:
    """True if `text` lists exactly these players, separated by commas; a name may contain commas too."""
    text = text.strip()
    if not players:
        return not text
    for player in players:
        rest = text.removeprefix(player).lstrip()
        if text.startswith(player) and (not rest or rest[0] == ",") and _names(rest[1:], players - {player}):
            return True
    return False


def _player(player: PlayerStatistics) -> Iterator[str]:
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


def _calls(kind: str, calls: CallStatistics) -> Iterator[str]:
    if calls.called:
        yield f"  {kind:<9} called {_times(calls.called)}: {calls.right} right, {calls.expected:.1f} expected"


def _camera(camera: CameraStatistics) -> Iterator[str]:
    yield f"Camera: {_many(camera.readings, 'reading')} with {dice(camera.dice)}, {camera.untouched} needed nothing"
    yield f"  asked     about {dice(camera.asked)}; {camera.confirmed} confirmed as read"
    yield (
        f"  corrected {_many(camera.face, 'face')}, {_many(camera.colour, 'colour')}; "
        f"{dice(camera.added)} added, {camera.struck} struck out"
    )
    yield f"  by hand   counted {_times(camera.by_hand)}"


def _many(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")
