"""What can be asked of the table, as values. Whether it is carried out, `companion.table.game.decide` says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from vision.reading import Box, Reading


@dataclass(frozen=True, slots=True)
class OpenGame:
    """Open a game."""

    players: Sequence[tuple[str, str]]
    """(name, colour), clockwise."""
    ruleset: str
    """The id of the book."""
    calza: bool
    starter: str
    abandon: bool = False
    """Whether a game that is being played may be ended by this."""
    rules: Mapping[str, object] = field(default_factory=dict)
    """The house rules: what is changed in the book, as `companion.engine.rulebooks.changed` takes it."""
    dice: Mapping[str, int] = field(default_factory=dict)
    """How many dice a player starts with, for those who have not five."""
    open_lost: bool = True
    roll: bool = False
    """Whether the players roll for the opening under the camera; `starter` is not looked at then."""


@dataclass(frozen=True, slots=True)
class MakeBid:
    """Bid."""

    player: str
    count: int
    face: int


@dataclass(frozen=True, slots=True)
class CallDudo:
    """Doubt. None is the player on turn, who alone may."""

    player: str | None = None


@dataclass(frozen=True, slots=True)
class CallCalza:
    """Say that the bid is exact. None is whoever may; several may: then it is asked who did."""

    player: str | None = None


@dataclass(frozen=True, slots=True)
class NameCaller:
    """Answer who said calza."""

    player: str


@dataclass(frozen=True, slots=True)
class AskCount:
    """Call without saying who and on what bid: that is told after the count."""

    call: str
    """"dudo" or "calza"."""


@dataclass(frozen=True, slots=True)
class TellCall:
    """Say, after the count, what was called, by whom, and on what bid."""

    call: str
    """"dudo" or "calza"."""
    caller: str
    bidder: str
    count: int
    face: int


@dataclass(frozen=True, slots=True)
class TakeReading:
    """Take a settled, confirmed reading of the camera's."""

    reveal: int
    """Which request to read it answers; a reading for another one is late, and refused."""
    reading: Reading
    picture: bool
    """Whether its picture is on disk."""


@dataclass(frozen=True, slots=True)
class SetDie:
    """Say what a die is."""

    die: int
    face: int | None = None
    colour: str | None = None


@dataclass(frozen=True, slots=True)
class AddDie:
    """Add a die the camera missed."""

    box: Box
    face: int
    colour: str


@dataclass(frozen=True, slots=True)
class StrikeDie:
    """Say that something is not a die."""

    die: int


@dataclass(frozen=True, slots=True)
class AskReading:
    """Read the dice once more."""


@dataclass(frozen=True, slots=True)
class CountByHand:
    """Say what the dice show, without the camera."""

    dice: Mapping[str, Sequence[int]]


@dataclass(frozen=True, slots=True)
class OpenRound:
    """The verdict was seen."""


@dataclass(frozen=True, slots=True)
class LeaveGame:
    """Leave the table, or concede."""

    player: str
    concede: bool = False


@dataclass(frozen=True, slots=True)
class ComeBack:
    """Play on after having left."""

    player: str


@dataclass(frozen=True, slots=True)
class Pause:
    """Have a break."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Play on."""


@dataclass(frozen=True, slots=True)
class EndGame:
    """End the game before anybody has won."""


Command = (
    OpenGame
    | MakeBid
    | CallDudo
    | CallCalza
    | NameCaller
    | TakeReading
    | SetDie
    | AddDie
    | StrikeDie
    | AskReading
    | CountByHand
    | OpenRound
    | AskCount
    | TellCall
    | LeaveGame
    | ComeBack
    | Pause
    | Resume
    | EndGame
)
