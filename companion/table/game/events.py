"""What has happened at the table, as values and as lines of the journal.

An event is a fact: replaying it never refuses it and never asks anything outside of it.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Final

from companion.table.game.table_reading import TableDie
from vision.reading import Box


@dataclass(frozen=True, slots=True)
class GameOpened:
    """A new game. One that was being played is over with it."""

    players: tuple[str, ...]
    """Clockwise."""
    colours: tuple[str, ...]
    """Each player's, in the same order."""
    ruleset: str
    """The id of the book."""
    calza: bool
    starter: str
    rules: tuple[tuple[str, str | bool], ...] = ()
    """The house rules: what is changed in the book. Journals from before there were any do not name them."""
    dice: tuple[int, ...] = ()
    """How many dice each player starts with, in the same order; five each when empty."""
    open_lost: bool = True
    """Whether everybody may see how many dice the others have left."""
    roll: int = 0
    """How many dice each player rolls for the opening under the camera; 0 when `starter` was named or drawn."""


@dataclass(frozen=True, slots=True)
class Rolled:
    """What the players rolled for the opening. The tied ones roll again."""

    dice: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class BidMade:
    """A player has bid."""

    player: str
    count: int
    face: int
    assumed: bool = False
    """Whether nobody said so: a bid that must lie between two that were told."""


@dataclass(frozen=True, slots=True)
class CountAsked:
    """Somebody called without saying who and on what bid: the cups go up, and it is told after the count."""

    call: str
    """"dudo" or "calza"."""


@dataclass(frozen=True, slots=True)
class CallerAsked:
    """The CALZA button was pressed, and several players may have done it."""

    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DudoCalled:
    """A player doubts the bid. The cups go up."""

    player: str


@dataclass(frozen=True, slots=True)
class CalzaCalled:
    """A player says that the bid is exact. The cups go up."""

    player: str


@dataclass(frozen=True, slots=True)
class ReadingTaken:
    """The camera has read the dice. Its picture is on disk, under the reading's number, before this event is."""

    id: int
    dice: tuple[TableDie, ...]
    width: int
    height: int
    picture: bool = True


@dataclass(frozen=True, slots=True)
class DieSet:
    """A player has said what a die is. None: as it was."""

    die: int
    face: int | None
    colour: str | None


@dataclass(frozen=True, slots=True)
class DieAdded:
    """A player has added a die the camera missed."""

    face: int
    colour: str
    box: Box


@dataclass(frozen=True, slots=True)
class DieStruck:
    """A player has said that something is not a die."""

    die: int


@dataclass(frozen=True, slots=True)
class ReadingAsked:
    """The players want the dice read once more."""


@dataclass(frozen=True, slots=True)
class CountedByHand:
    """The players have counted the dice themselves."""

    dice: tuple[tuple[str, tuple[int, ...]], ...]
    """Each player's faces."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The call was judged on these dice. Judging again after a correction replaces the verdict."""

    dice: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class RoundOpened:
    """The players have seen the verdict; on to the next round."""


@dataclass(frozen=True, slots=True)
class GameLeft:
    """A player has left the table, or given the game up. The round is opened again."""

    player: str
    conceded: bool


@dataclass(frozen=True, slots=True)
class CameBack:
    """A player who had left is back, with the dice of then."""

    player: str


@dataclass(frozen=True, slots=True)
class Paused:
    """The players have a break."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """The break is over."""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The players have ended the game before anybody won."""


@dataclass(frozen=True, slots=True)
class Undone:
    """The last step that stands was taken back. It stays in the journal, and may be done again."""


@dataclass(frozen=True, slots=True)
class Redone:
    """The last step taken back was done again."""


Event = (
    GameOpened
    | BidMade
    | CallerAsked
    | DudoCalled
    | CalzaCalled
    | ReadingTaken
    | DieSet
    | DieAdded
    | DieStruck
    | ReadingAsked
    | CountedByHand
    | Judged
    | RoundOpened
    | Rolled
    | CountAsked
    | GameLeft
    | CameBack
    | Paused
    | Resumed
    | GameEnded
    | Undone
    | Redone
)

KINDS: Final[dict[str, type[Event]]] = {
    "game": GameOpened,
    "bid": BidMade,
    "asked": CallerAsked,
    "dudo": DudoCalled,
    "calza": CalzaCalled,
    "reading": ReadingTaken,
    "die-set": DieSet,
    "die-added": DieAdded,
    "die-struck": DieStruck,
    "again": ReadingAsked,
    "by-hand": CountedByHand,
    "judged": Judged,
    "round": RoundOpened,
    "rolled": Rolled,
    "count": CountAsked,
    "left": GameLeft,
    "back": CameBack,
    "paused": Paused,
    "resumed": Resumed,
    "ended": GameEnded,
    "undone": Undone,
    "redone": Redone,
}
"""The names of events in the journal. They may be added to, never changed: old journals must stay readable."""

_NAMES: Final = {kind: name for name, kind in KINDS.items()}


def to_json(event: Event) -> tuple[str, dict[str, Any]]:
    """The name of the event in the journal, and its values."""
    return _NAMES[type(event)], dataclasses.asdict(event)


def from_json(name: str, values: Any) -> Event:
    """The event a line of the journal tells of. Raises `ValueError` when there is none of that name and values."""
    if name not in KINDS:
        raise ValueError(f"there is no event {name!r}")
    if not isinstance(values, dict):
        raise ValueError(f"the event {name!r} has no values by name")  # noqa: TRY004 (what was read is wrong, not the call)
    values = {key: _frozen(value) for key, value in values.items()}
    try:
        if name == "reading":
            values["dice"] = tuple(_die(die) for die in values["dice"])
        if name == "game":
            values["rules"] = tuple((str(rule), value) for rule, value in values.get("rules", ()))
        return KINDS[name](**values)
    except (TypeError, KeyError) as error:
        raise ValueError(f"the event {name!r} has other values than this program knows: {error}") from error


def _die(values: dict[str, Any]) -> TableDie:
    return TableDie(**{key: _frozen(value) for key, value in values.items()})


def _frozen(value: Any) -> Any:
    """JSON's lists as tuples."""
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value
