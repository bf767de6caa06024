"""What the table can be asked to do: one value for each action, and all that is to be said of it.

A command declares its fields with their bounds, the address it is posted to (`at`) and, in its first line, what it
does; by that `web` reads its requests and describes them. Whether it is carried out, `companion.table.game.decide`
says.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Final, NamedTuple

from msgspec import UNSET, Meta, Struct, UnsetType

from calibration.palette import COLOURS
from companion.engine import FACES, RULESETS
from vision.reading import Reading

LONGEST_NAME: Final = 24
"""Characters of a player's name: what fits on a 320 px phone beside the dice."""
HIGHEST_COUNT: Final = 999
"""Of a bid. The rules set no limit; a number this long is a slip of the finger."""
MOST_PLAYERS_SENT: Final = 12
"""Players that a request may name; how many may play, the engine says."""
MOST_DICE_SENT: Final = 20
"""Dice that a request may name for one player."""
WIDEST_PICTURE: Final = 20_000
"""Pixels."""

# `extra` is for `web.body`: what a value `must` be, what `each` of its items is called, and whether names that are the
# same once trimmed are refused.
ShortText = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
PlayerName = Annotated[ShortText, Meta(description="A name: text, never markup. Trimmed, without control characters.")]
BookId = Annotated[ShortText, Meta(extra_json_schema={"enum": list(RULESETS)})]
CallName = Annotated[ShortText, Meta(extra_json_schema={"enum": ["dudo", "calza"]})]
BidCount = Annotated[int, Meta(ge=1, le=HIGHEST_COUNT)]
DieFace = Annotated[int, Meta(ge=min(FACES), le=max(FACES))]
DieColour = Annotated[str, Meta(extra={"one_of": COLOURS}, extra_json_schema={"enum": list(COLOURS)})]
StepNumber = Annotated[int, Meta(ge=1, le=10**9)]
_Pixel = Annotated[float, Meta(ge=-WIDEST_PICTURE, le=WIDEST_PICTURE)]
_Pixels = Annotated[float, Meta(gt=0, le=WIDEST_PICTURE)]
DieBox = Annotated[
    tuple[_Pixel, _Pixel, _Pixels, _Pixels],
    Meta(
        description="x, y, width, height in pixels of the picture.",
        extra={"must": "be [x, y, width, height] in pixels, with a size above 0"},
    ),
]


class NewPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who sits down to play."""

    name: PlayerName
    colour: DieColour


class Address(NamedTuple):
    """Where a command is posted, under `/api/v1/`."""

    path: str
    """`{field}` is a field that the address has, and not the body."""
    topic: str
    takes: str = "Nothing"
    """The name of the body's schema; bodies of one shape share it."""
    name: str = ""
    """The operation's, where the path is not."""
    empty: str = ""
    """Why a body without any field is refused."""

    @property
    def operation(self) -> str:
        """The name for programs."""
        return self.name or self.path


class Command(Struct, frozen=True, forbid_unknown_fields=True):
    """Something the table is asked to do."""

    at: ClassVar[Address | None] = None
    """None: only this program asks for it."""


class OpenGame(Command, frozen=True):
    """A new game; while one is played only with `abandon`."""

    at = Address("game", "company", "Game")

    players: Annotated[
        list[NewPlayer],
        Meta(min_length=1, max_length=MOST_PLAYERS_SENT, extra={"must": "be a list of players", "each": "Each player"}),
    ]
    """Clockwise."""
    ruleset: BookId
    """This table's own book is played with its house rules."""
    calza: bool = True
    starter: PlayerName | None = None
    """None draws one."""
    abandon: bool = False
    """Whether this may end a game that is being played."""
    roll: bool = False
    """Whether the players roll for the opening under the camera; `starter` does not matter then."""
    dice: Annotated[
        dict[PlayerName, Annotated[int, Meta(ge=1, le=MOST_DICE_SENT)]],
        Meta(
            max_length=MOST_PLAYERS_SENT,
            extra={"must": "be an object with each player's number of dice", "each": '"the dice"'},
        ),
    ] = {}
    """How many dice a player starts with, for those who have not five."""
    open_lost: bool | UnsetType = UNSET
    """Whether everybody may see how many dice the others have left; as this table is set up where it is not said."""


class MakeBid(Command, frozen=True):
    """Bid. For the player's own phone, where there is one, and the host's."""

    at = Address("bid", "game", "Bid")

    player: PlayerName
    count: BidCount
    face: DieFace


class CallDudo(Command, frozen=True):
    """Doubt; without a player the one on turn does. Whose as for a bid."""

    at = Address("dudo", "game", "MaybePlayer")

    player: PlayerName | None = None


class CallCalza(Command, frozen=True):
    """Say that the bid is exact; without a player it may be asked who did."""

    at = Address("calza", "game", "MaybePlayer")

    player: PlayerName | None = None


class NameCaller(Command, frozen=True):
    """Answer who said calza."""

    at = Address("caller", "game", "Caller")

    player: PlayerName


class TellCall(Command, frozen=True):
    """Say, after the count, who called on what bid."""

    at = Address("tell", "game", "Tell")

    call: CallName
    caller: PlayerName
    bidder: PlayerName
    count: BidCount
    face: DieFace


class OpenRound(Command, frozen=True):
    """On to the next round."""

    at = Address("next", "game")


class Undo(Command, frozen=True):
    """Take back the last step; `undo` of the state names it."""

    at = Address("undo", "game", "WhichStep")

    step: StepNumber
    """Its number: two taps shall not take back two."""


class Redo(Command, frozen=True):
    """Do it again; `redo` of the state names it."""

    at = Address("redo", "game", "WhichStep")

    step: StepNumber


class AddDie(Command, frozen=True):
    """Add a die that the camera missed."""

    at = Address("dice", "dice", "NewDie")

    box: DieBox
    face: DieFace
    colour: DieColour


class SetDie(Command, frozen=True):
    """Say what a die is."""

    at = Address("dice/{die}", "dice", "SetDie", "set_die", 'Say what the die is: "face", "colour" or both.')

    die: int
    face: DieFace | UnsetType = UNSET
    colour: DieColour | UnsetType = UNSET


class StrikeDie(Command, frozen=True):
    """Say that it is none."""

    at = Address("dice/{die}/strike", "dice", name="strike_die")

    die: int


class AskReading(Command, frozen=True):
    """Have the dice read again."""

    at = Address("again", "dice")


class TakeReading(Command, frozen=True):
    """Take a settled, confirmed reading of the camera's."""

    reveal: int
    """Which request to read it answers; a reading for another one is late, and refused."""
    reading: Reading
    picture: bool
    """Whether its picture is on disk."""


class CountByHand(Command, frozen=True):
    """Count by hand: all of everybody's dice."""

    at = Address("byhand", "dice", "ByHand")

    dice: Annotated[
        dict[PlayerName, Annotated[list[DieFace], Meta(max_length=MOST_DICE_SENT, extra={"each": '"a face"'})]],
        Meta(
            max_length=MOST_PLAYERS_SENT,
            extra={"must": "be an object with each player's faces", "each": "The faces of {}", "once": True},
        ),
    ]


class AskCount(Command, frozen=True):
    """Count the dice now; who called, and on what bid, is told after."""

    at = Address("count", "dice", "Count")

    call: CallName


class AskCountInstead(Command, frozen=True):
    """Take back a call, and have the dice counted as `AskCount` does."""

    call: CallName
    step: StepNumber
    """The call's, which must be the last."""


class LeaveGame(Command, frozen=True):
    """A player leaves the table, or gives the game up."""

    at = Address("leave", "company", "Leave")

    player: PlayerName
    concede: bool = False


class ComeBack(Command, frozen=True):
    """Who left plays on with the dice of then."""

    at = Address("back", "company", "Caller")

    player: PlayerName


class Pause(Command, frozen=True):
    """A break."""

    at = Address("pause", "company")


class Resume(Command, frozen=True):
    """Its end."""

    at = Address("resume", "company")


class EndGame(Command, frozen=True):
    """End the game before anybody has won."""

    at = Address("end", "company")


COMMANDS: Final = tuple(Command.__subclasses__())
"""All of them."""
