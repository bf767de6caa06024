"""Counting dice and judging a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from companion.engine.events import MOST_DICE, Bid, Calza, Dudo
from companion.messages.english import PACO


class CallKind(StrEnum):
    """What was said of the bid."""

    DUDO = "dudo"
    """There are fewer dice than the bid says."""
    CALZA = "calza"
    """There are exactly as many dice as the bid says."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call was judged, and what follows for the dice."""

    call: CallKind
    caller: str
    bidder: str
    bid: Bid
    wild: bool
    """Whether pacos counted as the bid's face."""
    faces: int
    """Dice that show the bid's face itself."""
    pacos: int
    """Pacos that counted besides; 0 when they are not wild and when the bid is on pacos."""
    correct: bool
    """Whether the call was right."""
    loses: str | None
    gains: str | None
    eliminated: str | None

    @property
    def count(self) -> int:
        """The tally: dice that match the bid."""
        return self.faces + self.pacos

    def to_json(self) -> dict[str, Any]:
        """The `outcome` of the record."""
        return {
            "call": self.call,
            "caller": self.caller,
            "count": self.count,
            "correct": self.correct,
            "loses": self.loses,
            "gains": self.gains,
            "eliminated": self.eliminated,
        }


def matches(bid: Bid, dice: Mapping[str, Sequence[int]], wild: bool) -> tuple[tuple[str, int], ...]:
    """The dice that count for `bid`, each as (player, index among that player's dice)."""
    counting = (bid.face, PACO) if wild else (bid.face,)
    return tuple(
        (player, index) for player, shown in dice.items() for index, face in enumerate(shown) if face in counting
    )


def judge(
    call: Dudo | Calza, bid: Bid, dice: Mapping[str, Sequence[int]], left: Mapping[str, int], *, wild: bool
) -> Outcome:
    """Judge `call` on `bid`, with `dice` as revealed and `left` the number of dice each player has before it."""
    faces = sum(shown.count(bid.face) for shown in dice.values())
    pacos = sum(shown.count(PACO) for shown in dice.values()) if wild and bid.face != PACO else 0
    count = faces + pacos
    loses = gains = None
    if isinstance(call, Dudo):
        kind, correct = CallKind.DUDO, count < bid.count
        loses = bid.player if correct else call.player
    else:
        kind, correct = CallKind.CALZA, count == bid.count
        if not correct:
            loses = call.player
        elif left[call.player] < MOST_DICE:
            gains = call.player
    eliminated = loses if loses is not None and left[loses] == 1 else None
    return Outcome(kind, call.player, bid.player, bid, wild, faces, pacos, correct, loses, gains, eliminated)
