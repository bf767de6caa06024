"""A bid made by turning the dial, which changes either its count or its face. Pure.

Only allowed bids can be chosen, by the state's `lowest` and `highest`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from companion.engine import FACES, MOST_DICE, MOST_PLAYERS

HIGHEST_COUNT: Final = MOST_DICE * MOST_PLAYERS
"""The count at which the dial stops where the rulebook has no highest: all the dice there can be."""

State = Mapping[str, Any]
"""The public state, as in docs/reference/api.md."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A bid that is being chosen."""

    player: str
    """Whose bid it is: the player on turn."""
    count: int
    face: int
    facing: bool = False
    """Whether the dial changes the face, otherwise the count."""

    @property
    def line(self) -> str:
        """As the display shows it, with what the dial changes in brackets."""
        count, face = str(self.count), str(self.face)
        return f"{count} x [{face}]" if self.facing else f"[{count}] x {face}"


def first_choice(state: State) -> Choice | None:
    """The bid before the dial is turned: the lowest of the standing bid's face, or the lowest of all.

    None where nobody can bid now.
    """
    player, faces = state["turn"], _faces(state)
    if player is None or state["paused"] or not faces:
        return None
    standing = state["bid"]["face"] if state["bid"] is not None else None
    face = standing if standing in faces else min(faces, key=lambda each: (state["lowest"][str(each)], each))
    return Choice(player, state["lowest"][str(face)], face)


def turn(choice: Choice, steps: int, state: State) -> Choice:
    """The bid after a turn by `steps`. A count stops at its lowest and highest; faces go round."""
    if choice.facing:
        faces = _faces(state)
        at = faces.index(choice.face) if choice.face in faces else 0
        choice = replace(choice, face=faces[(at + steps) % len(faces)])
    else:
        choice = replace(choice, count=choice.count + steps)
    lowest, highest = (state[limit][str(choice.face)] for limit in ("lowest", "highest"))
    return replace(choice, count=max(lowest, min(choice.count, HIGHEST_COUNT if highest is None else highest)))


def switch(choice: Choice) -> Choice:
    """The bid after a long push: the dial changes the other of count and face."""
    return replace(choice, facing=not choice.facing)


def _faces(state: State) -> list[int]:
    """The faces that may be bid."""
    return [face for face in FACES if state["lowest"][str(face)] is not None]
