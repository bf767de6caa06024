"""The rounds of a record, with everybody's dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from companion.engine import Bid, Calza, Dudo, GameStarted, Outcome, Position, Reveal, Together
from companion.engine.record import replay


@dataclass(frozen=True, slots=True)
class PlayedCall:
    """A bid or call that counted, and the position it was made in, with the dice that everybody knew about."""

    line: int
    """In the record, from 1."""
    position: Position
    call: Bid | Dudo | Calza


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round that was revealed."""

    start: Position
    seen: Position
    """`start` with the numbers of dice that everybody believed, which differ if hidden ones were later corrected."""
    decisions: tuple[PlayedCall, ...]
    dice: Mapping[str, tuple[int, ...]]
    """The faces of each player with dice."""
    outcome: Outcome
    end: Position
    """The next round's first position, or the final one."""


def played_rounds(lines: Iterable[bytes | str]) -> Iterator[PlayedRound]:
    """The revealed rounds of a record.

    Raises the `companion.engine.EngineError` of the first line that is refused.
    """
    start: Position | None = None
    seen: dict[str, int] = {}
    decisions: list[PlayedCall] = []
    for step in replay(lines, kept=True):
        if step.error is not None:
            raise step.error
        position = step.position
        assert position is not None  # it was accepted
        match step.event:
            case GameStarted():
                start, seen = position, dict(step.event.seen or {})
            case Reveal(dice):
                assert start is not None
                assert position.outcome is not None
                shown = {player: tuple(faces) for player, faces in dice.items() if faces}
                known = _with_dice(start, seen)
                calls = [replace(each, position=_with_dice(each.position, seen)) for each in decisions]
                yield PlayedRound(start, known, tuple(calls), shown, position.outcome, position)
                start, seen, decisions = position, {}, []  # the reveal showed everybody's dice
            case Together() | Bid() | Dudo() | Calza():
                call = position.call or position.bid
                assert call is not None
                before = decisions[-1].position.apply_kept(decisions[-1].call) if decisions else start
                assert before is not None
                decisions.append(PlayedCall(step.line, before, call))


def _with_dice(position: Position, dice: dict[str, int]) -> Position:
    return replace(position, dice_by_seat=tuple((position.dice | dice).values())) if dice else position
