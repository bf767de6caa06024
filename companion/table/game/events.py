"""The events of the table, and their form in the journal.

An event is a fact: replaying it cannot fail, and depends on nothing else. Its tag is its kind in the journal. Kinds and
fields can be added but never changed, so that old journals stay readable. Fields added by later versions are ignored,
but unknown kinds are not, because a game without an event is another game.
"""

from __future__ import annotations

from typing import Final

import msgspec

from companion.engine import RULESETS, Bid, Reveal, Ruleset
from companion.engine.events import direction_of
from companion.engine.rulebooks import RuleValue, with_changes
from vision.reading import Box


class Event(msgspec.Struct, frozen=True, tag_field="kind"):
    """Something that happened at the table."""

    @property
    def kind(self) -> str:
        return str(self.__struct_config__.tag)


Events = tuple[Event, ...]
"""The events of one command."""


class GameOpened(Event, frozen=True, tag="game"):
    """A new game was opened, which ends any game in progress."""

    players: tuple[str, ...]
    """Clockwise."""
    colours: tuple[str, ...]
    """Each player's colour, in the same order."""
    ruleset: str
    """The id of the book."""
    calza: bool
    starter: str
    rules: tuple[tuple[str, RuleValue], ...] = ()
    """The house rules, as changes to the book. Absent from old journals."""
    dice: tuple[int, ...] = ()
    """How many dice each player starts with, in the same order; empty means five each."""
    open_lost: bool = True
    """True if everybody may see how many dice the others have."""
    roll: int = 0
    """How many dice each player rolls for the opening; 0 if `starter` was named or drawn."""
    rules_name: str = ""
    """The players' name for their house rules; empty if they have none."""
    first_to: int = 0
    """How many games win the series; 0 if there is none."""
    turn_seconds: int = 0
    """Seconds that a turn should take; 0 if there is no clock."""
    clock_set: bool = True
    """True if the box's clock had been set; otherwise the journal's time of the game is meaningless."""

    @property
    def rulebook(self) -> Ruleset:
        """The book with the house rules. Raises `companion.engine.BadRecordError` for unknown rules."""
        return with_changes(RULESETS[self.ruleset], dict(self.rules))


class Rolled(Event, frozen=True, tag="rolled"):
    """The players rolled for the opening. Tied players roll again."""

    dice: tuple[tuple[str, tuple[int, ...]], ...]


class BidMade(Event, frozen=True, tag="bid", omit_defaults=True):
    """A player bid."""

    player: str
    count: int
    face: int
    assumed: bool = False
    """Nobody entered this bid; it was needed between two that were entered."""
    direction: str | None = None
    """The direction of this round's bids, if the opener chose it."""
    accepted: bool = False
    """Everybody let it pass against the rules."""

    @property
    def bid(self) -> Bid:
        """This bid as the engine's event."""
        direction = None if self.direction is None else direction_of(self.direction)
        return Bid(self.player, self.count, self.face, direction, self.accepted)


class CountAsked(Event, frozen=True, tag="count"):
    """Somebody called; the caller and the bid are entered after the count."""

    call: str
    """"dudo" or "calza"."""


class CallerAsked(Event, frozen=True, tag="asked", omit_defaults=True):
    """A button was pressed, and several players may have pressed it."""

    players: tuple[str, ...]
    call: str = "calza"
    """"dudo" or "calza"."""


class DudoCalled(Event, frozen=True, tag="dudo", omit_defaults=True):
    """A player doubted the bid."""

    player: str
    by: str = ""
    """The actor who entered the call, as in a `Correction`, if it was entered after the count."""


class CalzaCalled(Event, frozen=True, tag="calza", omit_defaults=True):
    """A player said that the bid was exact."""

    player: str
    by: str = ""
    """See `DudoCalled`."""


class TableDie(msgspec.Struct, frozen=True):
    """One die of a reading, as read or corrected."""

    id: int
    """Stays the same if other dice are added or removed."""
    face: int
    colour: str
    box: Box
    """x, y, width, height in pixels of the picture."""
    confidence: float
    uncertain: bool
    likeliest: tuple[tuple[int, float], ...] = ()
    corrected: bool = False
    """A player has corrected or confirmed this die."""
    flagged: bool = False
    """It was uncertain for a reason other than its confidence."""


class ReadingTaken(Event, frozen=True, tag="reading"):
    """The camera read the dice. Their picture is saved under the reading's number before this event is written."""

    id: int
    dice: tuple[TableDie, ...]
    width: int
    height: int
    picture: bool = True
    unseen: bool = False
    """The table was not seen before the cups went up."""


class Correction(Event, frozen=True, kw_only=True, omit_defaults=True):
    """The players changed what counts."""

    by: str = ""
    """The player who uses the phone, or the name of an actor who is not a player, such as the tablet. Empty in old
    journals.
    """


class DieSet(Correction, frozen=True, tag="die-set", omit_defaults=True):
    """A player corrected or confirmed a die. None leaves the face or colour as it was."""

    die: int
    face: int | None
    colour: str | None


class DieAdded(Correction, frozen=True, tag="die-added", omit_defaults=True):
    """A player added a die that the camera missed."""

    face: int
    colour: str
    box: Box


class DieStruck(Correction, frozen=True, tag="die-struck", omit_defaults=True):
    """A player removed something that is not a die."""

    die: int


class ReadingAsked(Correction, frozen=True, tag="again", omit_defaults=True):
    """The players asked for another reading."""


class CountedByHand(Correction, frozen=True, tag="by-hand", omit_defaults=True):
    """The players counted the dice themselves."""

    dice: tuple[tuple[str, tuple[int, ...]], ...]
    """Player -> faces."""


class Judged(Event, frozen=True, tag="judged", omit_defaults=True):
    """The call was judged by these dice. After a correction it is judged again, which replaces the verdict."""

    dice: tuple[tuple[str, tuple[int, ...]], ...]
    uncertain: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """Those of the dice that may show other faces; they cannot change the verdict."""

    @property
    def reveal(self) -> Reveal:
        """These dice as the engine's event."""
        return Reveal(dict(self.dice), dict(self.uncertain))


class RoundOpened(Event, frozen=True, tag="round"):
    """The players went on to the next round."""


class GameLeft(Event, frozen=True, tag="left"):
    """A player left the table or gave up. The round is opened again."""

    player: str
    conceded: bool


class CameBack(Event, frozen=True, tag="back"):
    """A player who had left came back, with the same number of dice."""

    player: str


class RoundVoided(Event, frozen=True, tag="void"):
    """The players voided the round, which is opened again."""


class PlayerDiceSet(Correction, frozen=True, tag="player-dice", omit_defaults=True):
    """The players corrected one player's number of dice."""

    player: str
    dice: int
    palifico: bool = False
    """True if the number decides who is palifico. False in old journals, where it could only end a palifico round."""


class NewcomerSeated(Event, frozen=True, tag="newcomer"):
    """A player joined the game."""

    player: str
    colour: str
    dice: int
    seat: int
    """The place among the players, clockwise from 0."""


class Paused(Event, frozen=True, tag="paused"):
    """The players took a break."""


class Resumed(Event, frozen=True, tag="resumed"):
    """The break ended."""


class GameEnded(Event, frozen=True, tag="ended"):
    """The players ended the game before anybody won."""


class Undone(Event, frozen=True, tag="undone"):
    """The last step was undone. It stays in the journal and can be redone."""


class Redone(Event, frozen=True, tag="redone"):
    """The last step undone was redone."""


ROUND_BEGINS: Final = (GameOpened, Rolled, RoundOpened, GameLeft, CameBack, RoundVoided, NewcomerSeated)
"""The events that begin a round, unless nobody can open it yet or somebody has won."""

_ALL: Final = (*Event.__subclasses__(), *Correction.__subclasses__())
KINDS: Final = {str(event.__struct_config__.tag): event for event in _ALL if event is not Correction}


def to_json(event: Event) -> tuple[str, dict[str, object]]:
    """The event's kind, and its values."""
    values = msgspec.to_builtins(event)
    del values["kind"]
    return event.kind, values


def from_json(kind: str, values: object) -> Event:
    """The event of a row of the journal. Raises `ValueError` for an unknown kind or wrong values."""
    if kind not in KINDS:
        raise ValueError(f"there is no event {kind!r}")
    try:
        return msgspec.convert(values, KINDS[kind])
    except msgspec.ValidationError as error:
        raise ValueError(f"the event {kind!r} has other values than this program knows: {error}") from error
