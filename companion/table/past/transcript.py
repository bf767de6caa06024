"""The transcript of a record for a terminal. Without colours, brackets mark the dice that match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from companion.engine import (
    Bid,
    Calza,
    Dudo,
    Event,
    GamePhase,
    GameStarted,
    Outcome,
    Position,
    Reveal,
    Together,
)
from companion.engine.record import ReplayStep
from companion.engine.rules_in_words import describe
from companion.messages.english import in_words
from companion.messages.printable import printable
from companion.table.game import sentences


def transcript(step: ReplayStep, before: Position | None) -> Iterator[str]:
    """The lines about one line of a record, played in the position `before`: styled, without line breaks.

    Names in them are safe to print.
    """
    if step.error is not None or step.event is None or step.position is None:
        yield click.style(printable(f"  line {step.line} refused: {step.error}"), fg="red")
    else:
        yield from _lines(step.event, before, step.position)


def _lines(event: Event, before: Position | None, after: Position) -> Iterator[str]:
    match event:
        case GameStarted():
            yield _game(event)
            yield from (f"  {rule.label}: {rule.value}" for rule in describe(event.ruleset) if rule.changed)
            yield from _round(after)
        case Bid() | Dudo() | Calza():
            yield f"  {_call(event)}"
        case Together():
            stands = after.bid if after.call is None else after.call
            assert stands is not None  # an accepted together line has a call that stands
            calls = ", ".join(_call(call) for call in event.calls)
            yield f"  at the same instant: {calls}; heard: {_call(stands)}"
        case Reveal():
            assert before is not None  # there is no reveal before the game
            assert after.outcome is not None
            yield from _dice(event, before.reveal_order() or before.players, after.outcome)
            verdict = sentences.verdict(after.outcome, after.ruleset, after.starter, after.palifico, after.winner)
            yield f"  {printable(verdict)}"
            yield from _round(after)


def _game(game: GameStarted) -> str:
    calza = "with calza" if game.calza else "without calza"
    return click.style(f"{game.ruleset.title}, {calza}: {printable(', '.join(game.players))}", bold=True)


def _round(position: Position) -> Iterator[str]:
    if position.phase is GamePhase.OVER:  # the verdict names the winner
        return
    dice = ", ".join(f"{printable(player)} {count}" for player, count in position.dice.items())
    kind = " (palifico: pacos are not wild)" if position.palifico else ""
    yield ""
    yield click.style(f"Round {position.round}{kind}", bold=True) + click.style(f"  dice: {dice}", dim=True)


def _call(call: Bid | Dudo | Calza) -> str:
    if isinstance(call, Bid):
        way = "" if call.direction is None else f", {call.direction}"
        passed = ", which everybody let pass" if call.accepted else ""
        return f"{printable(call.player)}: {in_words(call.count, call.face)}{way}{passed}"
    return f"{printable(call.player)}: {click.style(call.kind, fg='yellow', bold=True)}"


def _dice(reveal: Reveal, order: Iterable[str], outcome: Outcome) -> Iterator[str]:
    width = max(len(printable(player)) for player in reveal.dice)
    for player in order:
        if shown := reveal.dice.get(player, ()):
            dice = "".join(_die(face, outcome.bid.matches(face, wild=outcome.wild)) for face in shown)
            yield f"    {printable(player):{width}} {dice}".rstrip()


def _die(face: int, counts: bool) -> str:
    return click.style(f"[{face}]", fg="green", bold=True) if counts else f" {face} "
