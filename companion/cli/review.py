"""`perudo review`: what could be known at each decision of a game, what it was worth, and luck and skill."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.cli.games import game_of, games_in_state
from companion.cli.options import journal_options
from companion.cli.output import fail, say
from companion.engine import Bid, Call, Calza, EngineError
from companion.engine.record import LONGEST_LINE
from companion.messages.english import in_words
from companion.messages.printable import printable

if TYPE_CHECKING:
    from companion.review.review import Review, ReviewedDecision

MOST_TOLD: Final = 3
"""The number of decisions that are described, the most costly ones."""


@click.command()
@click.argument("game", metavar="FILE|GAME")
@journal_options
def review(game: str, state: Path, as_json: bool) -> None:
    """Review a game: a record's FILE, "-" for standard input, or the number of a GAME (see `perudo games`).

    For each decision: the chance that the bid held, given the player's own dice and given the bids too, and what was
    lost against the best decision, in chance of winning among players of one strength. Rounds that were never revealed
    are left out.

    With --json one object a decision, and then one with the players' luck and skill; of a game in several parts,
    these of each part.
    """
    from companion.review.review import review as review_of  # imports numpy

    found = []
    for lines in _records(game, state):
        try:
            found.append(review_of(lines))
        except EngineError as error:
            fail(f"{game} is no whole record: {error.message}.")
    if as_json:
        for each in found:
            for line in each.to_json():
                click.echo(json.dumps(line))
        return
    if not any(each.decisions for each in found):
        fail(f"No round of {game} was revealed: there is nothing to review.")
    for each in found:
        say(*_told(each))


def _records(game: str, state: Path) -> Sequence[Iterable[bytes | str]]:
    """The lines of each part."""
    if game != "-" and not Path(game).is_file() and (game.isdigit() or (game[:1] == "r" and game[1:].isdigit())):
        return game_of(games_in_state(state), game, state).game.record
    try:
        with click.open_file(game, "rb") as stream:
            lines = []
            while line := stream.readline(LONGEST_LINE + 1):
                lines.append(line)
            return [lines]
    except OSError as error:
        return fail(f"{game}: {error.strerror or type(error).__name__}.")


def _told(found: Review) -> list[str]:
    told = []
    if found.unweighed:
        told += ["Rounds of more than six players are not weighed: luck and skill are those of the others.", ""]
    costly = sorted(found.decisions, key=lambda each: -each.loss)[:MOST_TOLD]
    for each in (each for each in costly if each.grade != "fine"):
        told += [*_decision(each), ""]
    for player, game in found.players.items():
        won = ", won" if game.won else ""
        bluffs = f"bluffs {game.bluffs} of {game.bids}"
        told.append(f"{printable(player)}: luck {_points(game.luck)}, skill {_points(game.skill)}, {bluffs}{won}")
    return told


def _decision(each: ReviewedDecision) -> list[str]:
    player, standing = printable(each.decision.call.player), each.decision.position.bid
    best = each.options[0]
    return [
        f"Round {each.decision.position.round}, {player}: {_call(each.decision.call, standing)} ({each.grade})",
        f"  {_chance(each)}",
        f"  better: {_call(best.call, standing)} (chance of winning {best.wins:.0%} instead of {each.made.wins:.0%})",
    ]


def _chance(each: ReviewedDecision) -> str:
    calza = isinstance(each.decision.call, Calza)
    would, was, was_not = ("be exact", "was", "was not") if calza else ("hold", "did", "did not")
    own, bids = f"{each.own:.0%} by the player's own dice", f"{each.bids:.0%} by the bids too"
    return f"The bid would {would} with {own}, and with {bids}. It {was if each.true else was_not}."


def _call(call: Call | None, bid: Bid | None) -> str:
    """`bid`: the one before the call."""
    if isinstance(call, Bid):
        return in_words(call.count, call.face)
    if call is None or bid is None:  # dudo and calza need a bid
        return "nothing"
    return f"{call.kind} on {in_words(bid.count, bid.face)}"


def _points(chance: float) -> str:
    """ "+12 points"."""
    return f"{chance * 100:+.0f} points"
