"""The events of the table and their form in the journal.

An event is a fact: replaying it cannot fail, and depends on nothing else.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Final

from companion.table.game.table_reading import TableDie
from vision.reading import Box


@dataclass(frozen=True, slots=True)
class GameOpened:
    """A new game was opened, which ends any game in progress."""

    players: tuple[str, ...]
    """Clockwise."""
    colours: tuple[str, ...]
    """Each player's colour, in the same order."""
    ruleset: str
    """The id of the book."""
    calza: bool
    starter: str
    rules: tuple[tuple[str, str | bool], ...] = ()
    """The house rules, as changes to the book. Absent from old journals."""
    dice: tuple[int, ...] = ()
    """How many dice each player starts with, in the same order; empty means five each."""
    open_lost: bool = True
    """Whether everybody may see how many dice the others have."""
    roll: int = 0
    """How many dice each player rolls for the opening; 0 if `starter` was named or drawn."""


@dataclass(frozen=True, slots=True)
class Rolled:
    """The players rolled for the opening. Tied players roll again."""

    dice: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class BidMade:
    """A player bid."""

    player: str
    count: int
    face: int
    assumed: bool = False
    """Whether nobody entered this bid: one was needed between two that were."""


@dataclass(frozen=True, slots=True)
class CountAsked:
    """Somebody called; the caller and the bid are entered after the count."""

    call: str
    """"dudo" or "calza"."""


@dataclass(frozen=True, slots=True)
class CallerAsked:
    """The CALZA button was pressed, and several players may have pressed it."""

    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DudoCalled:
    """A player doubted the bid."""

    player: str


@dataclass(frozen=True, slots=True)
class CalzaCalled:
    """A player said that the bid was exact."""

    player: str


@dataclass(frozen=True, slots=True)
class ReadingTaken:
    """The camera read the dice. Their picture is saved under the reading's number before this event is."""

    id: int
    dice: tuple[TableDie, ...]
    width: int
    height: int
    picture: bool = True


@dataclass(frozen=True, slots=True)
class DieSet:
    """A player corrected or confirmed a die. None leaves the face or colour as it was."""

    die: int
    face: int | None
    colour: str | None


@dataclass(frozen=True, slots=True)
class DieAdded:
    """A player added a die that the camera missed."""

    face: int
    colour: str
    box: Box


@dataclass(frozen=True, slots=True)
class DieStruck:
    """A player removed something that is not a die."""

    die: int


@dataclass(frozen=True, slots=True)
class ReadingAsked:
    """The players asked for another reading."""


@dataclass(frozen=True, slots=True)
class CountedByHand:
    """The players counted the dice themselves."""

    dice: tuple[tuple[str, tuple[int, ...]], ...]
    """Each player's faces."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The call was judged by these dice. After a correction it is judged again, which replaces the verdict."""

    dice: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class RoundOpened:
    """The players went on to the next round."""


@dataclass(frozen=True, slots=True)
class GameLeft:
    """A player left the table or gave up. The round is opened again."""

    player: str
    conceded: bool


@dataclass(frozen=True, slots=True)
class CameBack:
    """A player who had left came back, with the same number of dice."""

    player: str


@dataclass(frozen=True, slots=True)
class Paused:
    """The players took a break."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """The break ended."""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The players ended the game before anybody won."""


@dataclass(frozen=True, slots=True)
class Undone:
    """The last step was undone. It stays in the journal and can be redone."""


@dataclass(frozen=True, slots=True)
class Redone:
    """The last step undone was redone."""


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
"""The events by their names in the journal. Names can be added but never changed: old journals must stay readable."""

_NAMES: Final = {kind: name for name, kind in KINDS.items()}


def to_json(event: Event) -> tuple[str, dict[str, object]]:
    """The event's name in the journal, and its values."""
    return _NAMES[type(event)], dataclasses.asdict(event)


def from_json(name: str, values: Any) -> Event:
    """The event of a line of the journal. Raises `ValueError` for an unknown name or wrong values."""
    if name not in KINDS:
        raise ValueError(f"there is no event {name!r}")
    if not isinstance(values, dict):
        raise ValueError(f"the event {name!r} has no values by name")  # noqa: TRY004 (what was read is wrong, not the call)
    values = {key: _tuples(value) for key, value in values.items()}
    try:
        if name == "reading":
            values["dice"] = tuple(_die(die) for die in values["dice"])
        if name == "game":
            values["rules"] = tuple((str(rule), value) for rule, value in values.get("rules", ()))
        return KINDS[name](**values)
    except (TypeError, KeyError) as error:
        raise ValueError(f"the event {name!r} has other values than this program knows: {error}") from error


def _die(values: dict[str, object]) -> TableDie:
    return TableDie(**{key: _tuples(value) for key, value in values.items()})


def _tuples(value: Any) -> Any:
    """`value` with tuples for JSON's lists."""
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value
