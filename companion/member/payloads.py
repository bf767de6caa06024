"""The messages between tables and the hub, each declared once for JSON, checks and schemas.

Unknown fields are ignored, so that an older program understands a newer one: fields are added, never changed. A player
without consent to be named is called by their colour, such as "(red)".
"""

from __future__ import annotations

from typing import Annotated, Final, TypeVar

import msgspec
from msgspec import Meta, Struct

from companion.engine import CallKind
from companion.engine.rulebooks import RuleValue
from companion.messages.message import Part
from companion.messages.sentence import TEXT_END, json_bytes, read_json
from companion.table.commands import BidCount, DieColour, DieFace, ShortText
from companion.table.game.new_game import JOINERS, is_name
from companion.table.game.table_position import Phase
from companion.table.past.games import Ending

RunId = Annotated[str, Meta(min_length=1, max_length=64, pattern=rf"^[0-9A-Za-z.-]+{TEXT_END}")]
GameId = Annotated[str, Meta(min_length=3, max_length=128, pattern=rf"^[0-9A-Za-z.-]+/[0-9]+{TEXT_END}")]
"""The table, the run and the number of the event that began the game: unique within the club."""
Moment = Annotated[str, Meta(max_length=40, description="ISO 8601, UTC, by the table's clock, which may be wrong.")]
Names = Annotated[tuple[ShortText, ...], Meta(max_length=12)]

Whole = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""A number that every program and database can store."""
DiceCount = Annotated[int, Meta(ge=0, le=60)]
"""A player's number of dice; a lobby draws each."""
RulesId = Annotated[str, Meta(max_length=64)]
HouseRules = Annotated[dict[str, RuleValue], Meta(max_length=64)]
PlayersDice = Annotated[dict[ShortText, Annotated[tuple[DieFace, ...], Meta(max_length=60)]], Meta(max_length=12)]
"""Player -> faces."""

LARGEST_PAYLOAD: Final = 256 * 1024
"""In bytes. The record of a game of many hours takes a tenth of it; a broker with a lower limit still takes other
events."""


class PayloadError(ValueError):
    """The message cannot be read."""


class Payload(Struct, frozen=True):
    """A message on the broker, or a part of one. All its texts can be shown: pages and terminals do."""

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            if not _can_be_shown(getattr(self, name)):
                raise ValueError(f"`{name}` has a character that cannot be shown")


PayloadKind = TypeVar("PayloadKind", bound=Payload)


class EventKey(Payload, frozen=True):
    """The name of an event of one table. `seq` grows within a run, with holes."""

    run: RunId
    """A start of the table's program."""
    seq: Whole


class Online(Payload, frozen=True, kw_only=True):
    """`online`: whether a table or the hub is there."""

    online: bool
    name: Annotated[str, Meta(max_length=60)] = ""
    """The table's name for people; for the hub, the club's."""
    program: Annotated[str, Meta(max_length=40)] = ""
    """The version of the program."""
    session: Annotated[str, Meta(max_length=64)] = ""
    """Drawn at each start of the table's program. A session that returns after another one is of a second box."""
    taken_over: bool = False
    """The table noticed another box in its place within the last minutes."""


class ClubPlayer(Payload, frozen=True):
    """A player at a table."""

    name: ShortText
    colour: DieColour
    dice: DiceCount | None
    """None while hidden."""
    named: bool = True
    """The player has a name, rather than "(red)": only named players get into the books."""

    def __post_init__(self) -> None:
        if not is_name(self.name):
            raise ValueError(f"{self.name!r} is no name")


ClubPlayers = Annotated[tuple[ClubPlayer, ...], Meta(max_length=12)]


class ClubBid(Payload, frozen=True):
    """A bid."""

    player: ShortText
    count: BidCount
    face: DieFace


class ClubVerdict(Payload, frozen=True, kw_only=True):
    """How a call was judged, and what follows."""

    call: CallKind
    caller: ShortText
    bid: ClubBid
    wild: bool
    count: Whole
    """The number of dice that matched the bid."""
    least: Whole = 0
    """The number that matched if no uncertain die did; missing from older tables."""
    most: Whole = 0
    """The number that matched if all uncertain dice did; missing from older tables."""
    correct: bool
    loses: ShortText | None
    lost: DiceCount
    """The number of dice that `loses` loses."""
    gains: ShortText | None
    eliminated: ShortText | None
    palifico: ShortText | None
    """The player who opens the next round as palifico."""
    winner: ShortText | None
    sentence: Annotated[str, Meta(max_length=1000)]
    """The same in English."""
    said: Annotated[tuple[Part, ...], Meta(max_length=20)] = ()
    """The sentence in translatable parts, to be joined with spaces."""


class TableState(Payload, frozen=True, kw_only=True):
    """`state`: what a phone that only watches may see of a table. No dice while the cups are down."""

    version: Whole
    phase: Phase
    paused: bool
    game: Whole
    """The number of the game at this table."""
    ruleset: RulesId
    rules_name: Annotated[str, Meta(max_length=200)]
    calza: bool
    round: Whole | None
    turn: ShortText | None
    opener: ShortText | None
    palifico: ShortText | None
    wild: bool | None
    bid: ClubBid | None
    players: ClubPlayers
    verdict: ClubVerdict | None
    """This round's verdict; while the next round is played, the previous round's."""
    winner: ShortText | None
    journal_ok: bool
    camera_ok: bool


class GameEvent(Payload, frozen=True, kw_only=True, tag_field="event", tag="game"):
    """A game began."""

    game: GameId
    number: Whole
    players: ClubPlayers
    """Clockwise."""
    ruleset: RulesId
    rules: HouseRules
    """The house rules that differ from the book."""
    calza: bool


class RoundEvent(Payload, frozen=True, kw_only=True, tag_field="event", tag="round"):
    """A round was opened, or opened again."""

    game: GameId
    round: Whole
    opener: ShortText
    palifico: ShortText | None
    players: ClubPlayers


class VerdictEvent(Payload, frozen=True, kw_only=True, tag_field="event", tag="verdict"):
    """A call was judged."""

    game: GameId
    round: Whole
    verdict: ClubVerdict
    dice: PlayersDice


class CorrectionEvent(Payload, frozen=True, kw_only=True, tag_field="event", tag="corrected"):
    """A verdict that was sent is another one, or was taken back (None)."""

    game: GameId
    round: Whole
    verdict: ClubVerdict | None
    dice: PlayersDice


class VoidEvent(Payload, frozen=True, kw_only=True, tag_field="event", tag="void"):
    """A round was voided, or a whole game taken back (`round` is None)."""

    game: GameId
    round: Whole | None


class RecordEvent(Payload, frozen=True, kw_only=True, tag_field="event", tag="record"):
    """A game ended; the books are made from this alone. A later one of the same game replaces it."""

    game: GameId
    began: Moment
    ended: Moment
    ending: Ending
    """"playing" if the end was undone: then the game is not in the books."""
    players: ClubPlayers
    """Everybody who played, clockwise."""
    places: Annotated[tuple[Names, ...], Meta(max_length=12)]
    """The winner first; players who share a place together. Empty if nobody has won."""
    rounds: Whole
    ruleset: RulesId
    rules: HouseRules
    calza: bool
    record: tuple[tuple[str, ...], ...]
    """The lines of each part of the game's record."""
    clock_set: bool = True
    """The table's clock was set when the game began; otherwise `began` and `ended` are meaningless."""


TableEvent = GameEvent | RoundEvent | VerdictEvent | CorrectionEvent | VoidEvent | RecordEvent


class EventMessage(Payload, frozen=True, kw_only=True):
    """`event`: an event, its name, and the name of the one before it."""

    run: RunId
    seq: Whole
    before: EventKey | None
    """None for a table's first event. The hub requests again what is missing between the two."""
    at: Moment
    what: TableEvent

    @property
    def key(self) -> EventKey:
        return EventKey(self.run, self.seq)


class Acknowledgement(Payload, frozen=True, kw_only=True):
    """`ack`: what the hub has on disk of a table's events."""

    key: EventKey | None
    """The hub has this event and all before it; None: it has none."""
    missing: bool = False
    """The hub received an event that it cannot add, and wants all after `key` again."""
    taken_over: bool = False
    """Two boxes alternate in claiming to be this table."""


class Assignment(Payload, frozen=True, kw_only=True):
    """`assign`: who plays at this table next. A table only shows it. An empty payload takes it back."""

    tournament: Annotated[str, Meta(max_length=60)]
    round: Annotated[str, Meta(max_length=40)]
    """As people call it: "Round 2", "Final"."""
    players: Names


def _can_be_shown(value: object) -> bool:
    """True if no text in `value` contains control characters or characters that change the direction of a line."""
    match value:
        case str():
            return value.isprintable() or all(letter.isprintable() or letter in JOINERS for letter in value)
        case dict():
            return all(_can_be_shown(each) for each in (*value, *value.values()))
        case list() | tuple():
            return all(map(_can_be_shown, value))
    return True


def encode(payload: Payload) -> bytes:
    """The payload's JSON."""
    return json_bytes(payload)


def decode(data: bytes, kind: type[PayloadKind]) -> PayloadKind:
    """The payload in `data`. Raises `PayloadError` for anything else, or if it is too large."""
    if len(data) > LARGEST_PAYLOAD:
        raise PayloadError(f"{len(data)} bytes are too many for a payload")
    try:
        return read_json(data, kind)
    except ValueError as error:
        raise PayloadError(str(error)) from error


PAYLOADS: Final[dict[str, type[Payload]]] = {
    "online": Online,
    "state": TableState,
    "event": EventMessage,
    "ack": Acknowledgement,
    "assign": Assignment,
}
"""Kind of a table's topic -> its payload. The hub's own topic has an `Online`, too."""


def payload_schemas() -> dict[str, object]:
    """The JSON schema of every topic's payload, and of the parts they share."""
    topics, parts = msgspec.json.schema_components(
        PAYLOADS.values(), ref_template="#/$defs/{name}", schema_hook=lambda _: {"title": "Param"}
    )
    return {"topics": dict(zip(PAYLOADS, topics, strict=True)), "$defs": parts}
