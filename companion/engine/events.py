"""The events of a game. Constructing one checks its values; `Position` decides whether it is allowed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import ClassVar

from companion.engine.errors import BadRecordError
from companion.engine.ruleset import BOUNDS, Ruleset
from companion.messages.english import PACO

FEWEST_PLAYERS = 2
MOST_PLAYERS, MOST_DICE = max(BOUNDS["most_players"]), max(BOUNDS["dice_each"])
"""The most players, and the most dice of each, under any house rules. A game's own limits are in its ruleset."""


class Direction(StrEnum):
    """The direction of bidding round the table, seen from above."""

    CLOCKWISE = "clockwise"
    COUNTERCLOCKWISE = "counterclockwise"


def direction_of(value: object) -> Direction:
    """The direction with this name. Raises `BadRecordError`."""
    if value not in tuple(Direction):
        raise BadRecordError("a direction is one of {choices}", choices=", ".join(Direction))
    return Direction(str(value))


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game begins. Raises `BadRecordError` if the values contradict each other."""

    ruleset: Ruleset
    players: tuple[str, ...]
    """2 to `ruleset.most_players` distinct names, clockwise."""
    starter: str
    """The opener of the first round."""
    calza: bool = True
    """This game is played with calza."""
    dice: Mapping[str, int] | None = None
    """The number of dice that each player starts with, 1 to `ruleset.dice_each`; None means `dice_each`."""
    palifico: str | None = None
    """The palifico of the first round; must be the starter, with one die."""
    direction: Direction = Direction.CLOCKWISE
    """The direction of bidding until an opener chooses another one."""
    calza_said: frozenset[str] = frozenset()
    """Players who said calza before these rounds of a game, if everybody may only once."""
    former_palificos: frozenset[str] | None = None
    """Players who were palifico before these rounds of a game, if nobody is palifico twice; None: those with one
    die."""
    first_round: int = 1
    """The number of the first of these rounds in the game, from 1."""
    all_dice: int | None = None
    """The most dice that all players so far could have; None: `ruleset.dice_each` for each player."""
    seen: Mapping[str, int] | None = None
    """The number of dice that everybody believed each player to have in the first round, if hidden; None: `dice`."""

    def __post_init__(self) -> None:
        players = tuple(self.players)
        most = self.ruleset.most_players
        if not FEWEST_PLAYERS <= len(players) <= most:
            raise BadRecordError("a game has two to {most} players, not {count}", most=most, count=len(players))
        if not all(players):
            raise BadRecordError("every player must have a name")
        if len(set(players)) != len(players):
            raise BadRecordError("every player must have a different name")
        if self.starter not in players:
            raise BadRecordError("the starter must be one of the players")
        object.__setattr__(self, "players", players)
        object.__setattr__(self, "direction", direction_of(self.direction))
        if not set(self.calza_said) <= set(players):
            raise BadRecordError("who has said calza must be one of the players")
        if not set(self.former_palificos or ()) <= set(players):
            raise BadRecordError("who has been palifico must be one of the players")
        if self.first_round < 1:
            raise BadRecordError("the number of the first round must be one or more")
        full = len(players) * self.ruleset.dice_each
        if self.all_dice is not None and self.all_dice < full:
            raise BadRecordError("all dice must be {full} or more", full=full)
        for name in ("dice", "seen"):
            self._check_dice(name)
        if self.palifico is not None and (
            self.palifico != self.starter or self.dice is None or self.dice[self.palifico] != 1
        ):
            raise BadRecordError("the palifico must be the starter and have one die")
        # With two players left it may be a round that three began.
        if self.palifico is not None and not self.ruleset.has_palifico_rounds(max(3, len(players))):
            raise BadRecordError("under these rules there is no palifico round now")

    def _check_dice(self, name: str) -> None:
        dice = getattr(self, name)
        if dice is None:
            return
        if set(dice) != set(self.players):
            raise BadRecordError("dice must name every player and nobody else")
        most = self.ruleset.dice_each
        if not all(1 <= count <= most for count in dice.values()):
            raise BadRecordError("every player starts with one to {most} dice", most=most)
        object.__setattr__(self, name, MappingProxyType({player: dice[player] for player in self.players}))


@dataclass(frozen=True, slots=True)
class Bid:
    """`player` claims that at least `count` dice on the table show `face`."""

    player: str
    count: int
    """1 or more; no rulebook limits it to the dice in play."""
    face: int
    """1 to 6; 1 is the paco."""
    direction: Direction | None = None
    """The direction of this round's bids, if the opener chooses it."""
    accepted: bool = False
    """Everybody let it pass, although it was out of turn or against the rules."""

    def __post_init__(self) -> None:
        if self.count < 1:
            raise BadRecordError("the count of a bid must be one or more")
        if not PACO <= self.face <= 6:
            raise BadRecordError("the face of a bid must be from one to six")
        if self.direction is not None:
            object.__setattr__(self, "direction", direction_of(self.direction))

    def matches(self, face: int, *, wild: bool) -> bool:
        """True if a die that shows `face` counts for this bid. `wild`: pacos count as any face."""
        return face == self.face or (wild and face == PACO)


class CallKind(StrEnum):
    """The two calls on a bid."""

    DUDO = "dudo"
    CALZA = "calza"


@dataclass(frozen=True, slots=True)
class Dudo:
    """`player` claims that fewer dice match the last bid than were bid."""

    player: str
    kind: ClassVar[CallKind] = CallKind.DUDO


@dataclass(frozen=True, slots=True)
class Calza:
    """`player` claims that exactly as many dice match as were bid."""

    player: str
    kind: ClassVar[CallKind] = CallKind.CALZA


Call = Bid | Dudo | Calza


@dataclass(frozen=True, slots=True)
class Together:
    """Calls made at the same instant. The rules decide which one counts."""

    calls: tuple[Call, ...]

    def __post_init__(self) -> None:
        if not self.calls:
            raise BadRecordError("calls made together must be one or more")


@dataclass(frozen=True, slots=True)
class Reveal:
    """The cups are lifted."""

    dice: Mapping[str, tuple[int, ...]]
    """The faces of each player's dice. Eliminated players are absent or have no faces."""
    uncertain: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Those of the dice that may show other faces; they cannot change the verdict."""

    def __post_init__(self) -> None:
        for name in ("dice", "uncertain"):
            object.__setattr__(self, name, MappingProxyType(_checked_faces(getattr(self, name))))
        for player, shown in self.uncertain.items():
            if Counter(shown) - Counter(self.dice.get(player, ())):
                raise BadRecordError("the uncertain dice must be among those shown")


def _checked_faces(dice: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
    if not all(PACO <= face <= 6 for shown in dice.values() for face in shown):
        raise BadRecordError("every die must show one to six")
    return {player: tuple(shown) for player, shown in dice.items()}


Event = GameStarted | Bid | Dudo | Calza | Together | Reveal
