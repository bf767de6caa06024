"""The commands of the table, and who gives them.

A command declares its fields with their limits, the address it is posted to (`at`) and, in the first line of its
docstring, what it does. `web` parses and documents requests from these; `companion.table.game.decide` decides them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, NamedTuple

from msgspec import UNSET, Meta, Struct, UnsetType

from calibration.palette import COLOURS
from companion.engine import FACES, RULESETS
from companion.engine.events import Direction
from companion.engine.rulebooks import RULE_FIELDS, RuleValue
from companion.messages.message import Message
from companion.table.errors import NotYoursError, RobotsTurnError
from vision.reading import Reading

LONGEST_NAME: Final = 24
"""The longest name of a player, in characters: it fits beside the dice on a 320 px phone."""
HIGHEST_COUNT: Final = 999
"""The highest count of a bid. The rules set no limit; a higher one is a typing error."""
MOST_PLAYERS_SENT: Final = 12
"""The most players in a request; the engine decides how many may play."""
MOST_DICE_SENT: Final = 20
"""The most dice of one player in a request."""
WIDEST_PICTURE: Final = 20_000
"""Pixels."""

ShortText = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
PlayerName = Annotated[ShortText, Meta(description="A name: text, never markup. Trimmed, without control characters.")]
RuleName = Annotated[str, Meta(min_length=1, max_length=40, extra_json_schema={"enum": list(RULE_FIELDS)})]
BookId = Annotated[ShortText, Meta(extra_json_schema={"enum": list(RULESETS)})]
CallName = Annotated[ShortText, Meta(extra_json_schema={"enum": ["dudo", "calza"]})]
BidDirection = Annotated[ShortText, Meta(extra_json_schema={"enum": list(Direction)})]
Count = Annotated[int, Meta(ge=0)]
Share = Annotated[float, Meta(ge=0, le=1)]
PlayerDiceCount = Annotated[int, Meta(ge=1, le=MOST_DICE_SENT)]
SeriesLength = Annotated[int, Meta(ge=0, le=9)]
TurnSeconds = Annotated[int, Meta(ge=0, le=600)]
BidCount = Annotated[int, Meta(ge=1, le=HIGHEST_COUNT)]
DieFace = Annotated[int, Meta(ge=min(FACES), le=max(FACES))]
DieColour = Annotated[str, Meta(extra_json_schema={"enum": list(COLOURS)})]
KnownColour = Annotated[DieColour, Meta(pattern=f"^({'|'.join(COLOURS)})$")]
"""One of `COLOURS`, which is checked when it is decoded."""
StepNumber = Annotated[int, Meta(ge=1, le=10**9)]
_Pixel = Annotated[float, Meta(ge=-WIDEST_PICTURE, le=WIDEST_PICTURE)]
_Pixels = Annotated[float, Meta(gt=0, le=WIDEST_PICTURE)]
DieBox = Annotated[
    tuple[_Pixel, _Pixel, _Pixels, _Pixels],
    Meta(description="x, y, width, height in pixels of the picture."),
]


class NewPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """A player of a new game."""

    name: PlayerName
    colour: KnownColour


class Address(NamedTuple):
    """The address of a command, under `/api/v1/`."""

    path: str
    """Contains `{field}` for a field that is part of the path, not of the body."""
    topic: str
    name: str = ""
    """The operation's name, if it is not the path."""

    @property
    def operation(self) -> str:
        return self.name or self.path


class Command(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to the table."""

    at: ClassVar[Address | None] = None
    """None if it cannot be posted."""


def with_plain_names(value: Any) -> Any:
    """The value with every string in Unicode's composed form, with single spaces."""
    match value:
        case str():
            return " ".join(unicodedata.normalize("NFC", value).split())
        case list():
            return [with_plain_names(each) for each in value]
        case dict():
            return {with_plain_names(name): with_plain_names(each) for name, each in value.items()}
        case Struct():
            fields = {name: getattr(value, name) for name in value.__struct_fields__}
            return type(value)(**{name: with_plain_names(each) for name, each in fields.items()})
        case _:
            return value


class OpenGame(Command, frozen=True):
    """Open a new game. Needs `abandon` while another is being played."""

    at = Address("game", "company")

    players: Annotated[list[NewPlayer], Meta(min_length=1, max_length=MOST_PLAYERS_SENT)]
    """Clockwise."""
    ruleset: BookId
    """The table's own book includes its house rules."""
    calza: bool = True
    starter: PlayerName | None = None
    """None to draw the starter."""
    abandon: bool = False
    """True to end a game in progress."""
    roll: bool = False
    """True to roll for the opening; `starter` is then ignored."""
    dice: Annotated[dict[PlayerName, PlayerDiceCount], Meta(max_length=MOST_PLAYERS_SENT)] = {}
    """How many dice each player starts with; five if not given."""
    open_lost: bool | UnsetType = UNSET
    """True if everybody may see how many dice the others have; the table's setting if not given."""
    rules: Annotated[dict[RuleName, RuleValue], Meta(max_length=len(RULE_FIELDS))] | UnsetType = UNSET
    """House rules, as changes to the book; the table's own if not given."""
    rules_name: ShortText | UnsetType = UNSET
    """The players' name for their house rules, which then appear among the choices for a new game."""
    first_to: SeriesLength = 0
    """How many games win a series; 0 for none. Until somebody wins it, the same players and length continue it."""
    turn_seconds: TurnSeconds = 0
    """The seconds after which pages and the board show that a turn takes long; 0 for no clock. Nothing else happens."""


class MakeBid(Command, frozen=True):
    """Bid. Only from the player's own phone, if there is one, or the host's."""

    at = Address("bid", "game")

    player: PlayerName
    count: BidCount
    face: DieFace
    direction: BidDirection | None = None
    """The direction of the bids, for an opening bid if the house rules let the opener choose it."""
    accepted: bool = False
    """True if everybody let it pass although it was out of turn or illegal."""


class CallDudo(Command, frozen=True):
    """Say dudo, by default for the player on turn, or for whoever may if several may. From the same phones as a bid."""

    at = Address("dudo", "game")

    player: PlayerName | None = None


class CallCalza(Command, frozen=True):
    """Say calza. Without a player, the table may ask who called."""

    at = Address("calza", "game")

    player: PlayerName | None = None


class NameCaller(Command, frozen=True):
    """Say who called, if the table asks."""

    at = Address("caller", "game")

    player: PlayerName


class TellCall(Command, frozen=True):
    """Say, after the count, who called and on what bid."""

    at = Address("tell", "game")

    call: CallName
    caller: PlayerName
    bidder: PlayerName
    count: BidCount
    face: DieFace


class OpenRound(Command, frozen=True):
    """Go on to the next round."""

    at = Address("next", "game")


class Undo(Command, frozen=True):
    """Undo the last step, as named by the state's `undo`."""

    at = Address("undo", "game")

    step: StepNumber
    """The step's number, so that two taps do not undo two steps."""


class Redo(Command, frozen=True):
    """Redo the last step undone, as named by the state's `redo`."""

    at = Address("redo", "game")

    step: StepNumber


class AddDie(Command, frozen=True):
    """Add a die that the camera missed."""

    at = Address("dice", "dice")

    box: DieBox
    face: DieFace
    colour: KnownColour


class SetDie(Command, frozen=True):
    """Correct or confirm a die."""

    at = Address("dice/{die}", "dice", "set_die")

    die: int
    face: DieFace | UnsetType = UNSET
    colour: KnownColour | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.face is UNSET and self.colour is UNSET:
            raise ValueError('Say what the die is: "face", "colour" or both')


class StrikeDie(Command, frozen=True):
    """Remove something that is not a die."""

    at = Address("dice/{die}/strike", "dice", "strike_die")

    die: int


class AskReading(Command, frozen=True):
    """Read the dice again."""

    at = Address("again", "dice")


class TakeReading(Command, frozen=True):
    """Take a confirmed reading from the camera."""

    reveal: int
    """The number of the request. A reading for an older one is refused."""
    reading: Reading
    picture: bool
    """True if its picture is on disk."""


class CountByHand(Command, frozen=True):
    """Enter everybody's dice, counted by hand."""

    at = Address("byhand", "dice")

    dice: Annotated[
        dict[PlayerName, Annotated[list[DieFace], Meta(max_length=MOST_DICE_SENT)]], Meta(max_length=MOST_PLAYERS_SENT)
    ]


class AskCount(Command, frozen=True):
    """Count the dice now, and say who called on what bid afterwards."""

    at = Address("count", "dice")

    call: CallName


class AskCountInstead(Command, frozen=True):
    """Undo a call, and count the dice as with `AskCount`."""

    call: CallName
    step: StepNumber
    """The number of the call's step, which must be the last."""


class LeaveGame(Command, frozen=True):
    """Leave the table or give up."""

    at = Address("leave", "company")

    player: PlayerName
    concede: bool = False


class ComeBack(Command, frozen=True):
    """Come back after leaving, with the same number of dice."""

    at = Address("back", "company")

    player: PlayerName


class VoidRound(Command, frozen=True):
    """Void the round, which is opened again by the same player. Nobody loses a die."""

    at = Address("void", "company")


class SetPlayerDice(Command, frozen=True):
    """Put right how many dice a player has."""

    at = Address("player-dice", "company")

    player: PlayerName
    dice: PlayerDiceCount


class JoinGame(Command, frozen=True):
    """Join a game that is being played, in the seat to the left of another player."""

    at = Address("newcomer", "company")

    player: PlayerName
    colour: KnownColour
    dice: PlayerDiceCount
    after: PlayerName
    """The player to the right."""


class Pause(Command, frozen=True):
    """Take a break."""

    at = Address("pause", "company")


class Resume(Command, frozen=True):
    """End the break."""

    at = Address("resume", "company")


class EndGame(Command, frozen=True):
    """End the game without a winner."""

    at = Address("end", "company")


COMMANDS: Final = tuple(Command.__subclasses__())


@dataclass(frozen=True, slots=True)
class Actor:
    """A phone, the panel or the box."""

    id: str
    name: str
    """A player's name, or a `Message`."""
    version: int | None = None
    """The version of the state that the command was based on; None for the current one."""
    phone_players: frozenset[str] = frozenset()
    """The players who bid and call on other phones."""
    robot: bool = False
    """True if this is a robot, which plays its `name`."""
    host: bool = False
    """True if this is the host's phone."""

    def check_speaks_for(self, player: str | None, robots: Collection[str] = ()) -> None:
        """Raise `NotYoursError` if `player` acts on another phone, `RobotsTurnError` if a robot plays it."""
        if player is not None and player in self.phone_players:
            raise NotYoursError(player)
        if player in robots and not (self.robot and self.name == player):
            raise RobotsTurnError(str(player))


PANEL: Final = Actor("the panel", Message("the panel"))
BOX: Final = Actor("the box", Message("the box"))
SOMEBODY: Final = Actor("", Message("another phone"))
"""An unknown phone."""
TABLET: Final = Message("the tablet")
"""The name of a tablet on the table, which everybody taps."""
