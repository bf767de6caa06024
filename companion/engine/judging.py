"""Counting dice and judging a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from companion.engine.events import MOST_DICE, Bid, Calza, Dudo
from companion.messages.english import PACO


class CallKind(StrEnum):
    """The two calls on a bid."""

    DUDO = "dudo"
    """Fewer dice match than were bid."""
    CALZA = "calza"
    """Exactly as many dice match as were bid."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a call, and what it does to the players' dice."""

    call: CallKind
    caller: str
    bidder: str
    bid: Bid
    wild: bool
    """Whether pacos counted as the bid's face."""
    faces: int
    """The number of dice that show the bid's own face."""
    pacos: int
    """The number of wild pacos; 0 if pacos are not wild or the bid is on pacos."""
    correct: bool
    """Whether the caller was right."""
    loses: str | None
    gains: str | None
    eliminated: str | None

    @property
    def count(self) -> int:
        """The tally: how many dice match the bid."""
        return self.faces + self.pacos

    def to_json(self) -> dict[str, object]:
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
    """The dice that match `bid`, each as (player, index in that player's dice)."""
    counting = (bid.face, PACO) if wild else (bid.face,)
    return tuple(
        (player, index) for player, shown in dice.items() for index, face in enumerate(shown) if face in counting
    )


def judge(
    call: Dudo | Calza, bid: Bid, dice: Mapping[str, Sequence[int]], counts: Mapping[str, int], *, wild: bool
) -> Outcome:
    """Judge `call` on `bid`, given the faces revealed and how many dice each player has before the verdict."""
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
        elif counts[call.player] < MOST_DICE:
            gains = call.player
    eliminated = loses if loses is not None and counts[loses] == 1 else None
    return Outcome(kind, call.player, bid.player, bid, wild, faces, pacos, correct, loses, gains, eliminated)
