"""A bid chosen by turning the dial, which changes either its count or its face. Pure.

Only allowed bids can be chosen, according to the state's `lowest` and `highest`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from companion.engine import MOST_DICE, MOST_PLAYERS
from companion.table.state.state import State

ALL_DICE: Final = MOST_DICE * MOST_PLAYERS
"""The most dice there can be: the count at which the dial stops if the rulebook has no highest."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A bid being chosen."""

    player: str
    """The player whose bid it is, on turn."""
    count: int
    face: int
    facing: bool = False
    """The dial changes the face; otherwise the count."""
    moment: tuple[object, ...] = field(default=(), compare=False)
    """The parts of the state that it depends on; when one of them changes, the choice is discarded."""

    @property
    def line(self) -> str:
        """The bid as displayed, with brackets round what the dial changes."""
        count, face = str(self.count), str(self.face)
        return f"{count} x [{face}]" if self.facing else f"[{count}] x {face}"

    def stands(self, state: State) -> bool:
        """True if the game is still where it was when this choice began."""
        return self.moment == _moment(state)


def first_choice(state: State) -> Choice | None:
    """The bid before the dial is turned: the lowest with the standing bid's face, or the lowest of all.

    None if nobody can bid now.
    """
    player, lowest = state.turn, _lowest(state)
    if player is None or state.paused or not lowest:
        return None
    standing = state.bid.face if state.bid is not None else None
    face = standing if standing in lowest else min(lowest, key=lambda each: (lowest[each], each))
    return Choice(player, lowest[face], face, moment=_moment(state))


def turn(choice: Choice, steps: int, state: State) -> Choice:
    """The bid after a turn by `steps`. A count stops at its limits; faces wrap round."""
    lowest = _lowest(state)
    if choice.facing:
        faces = list(lowest)
        at = faces.index(choice.face) if choice.face in faces else 0
        choice = replace(choice, face=faces[(at + steps) % len(faces)])
    else:
        choice = replace(choice, count=choice.count + steps)
    highest = state.highest[choice.face]
    return replace(choice, count=max(lowest[choice.face], min(choice.count, ALL_DICE if highest is None else highest)))


def switch(choice: Choice) -> Choice:
    """The bid after a long push, which switches between count and face."""
    return replace(choice, facing=not choice.facing)


def _lowest(state: State) -> dict[int, int]:
    """Face -> the lowest count that may be bid."""
    return {face: count for face, count in state.lowest.items() if count is not None}


def _moment(state: State) -> tuple[object, ...]:
    return state.phase, state.game, state.round, state.turn, state.bid, state.paused
