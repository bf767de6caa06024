"""The public state, which every phone receives. docs/reference/api.md lists its fields."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from companion.engine import FACES, RULESETS, CallKind
from companion.engine.events import Direction
from companion.engine.rulebooks import RuleValue
from companion.messages.sentence import Sentence, Value
from companion.table.commands import WIDEST_PICTURE, BidCount, Count, DieColour, DieFace, Share
from companion.table.game.table_position import OpeningRolls, Phase, Series
from companion.table.game.table_reading import Problem
from hardware.panel.lamp_patterns import LampPattern

Names = tuple[str, ...]
Book = Annotated[str, Meta(extra_json_schema={"enum": list(RULESETS)})]
_Pixels = Annotated[float, Meta(ge=-WIDEST_PICTURE, le=WIDEST_PICTURE)]
Box = Annotated[
    tuple[_Pixels, _Pixels, _Pixels, _Pixels], Meta(description="x, y, width, height in pixels of the picture.")
]
Place = Annotated[
    tuple[Share, Share, Share, Share], Meta(description="x, y, width, height in shares of the picture's.")
]
Limits = Annotated[
    dict[int, int | None],
    Meta(extra_json_schema={"required": list(map(str, FACES)), "propertyNames": {"enum": list(map(str, FACES))}}),
]
"""A count for every face."""
Round = tuple[int, int]
"""The numbers of a game and of one of its rounds."""
WaitingCode = Literal["moving", "reading", "missing", "again", "given-up", "camera", "reader", "photo"]


class HouseRule(Sentence, frozen=True):
    """A rule that differs from the book's."""

    rule: str
    value: RuleValue


class FaceCount(Value, frozen=True):
    """A number of dice that show one face."""

    count: BidCount
    face: DieFace


class PublicBid(Value, frozen=True):
    """The bid that stands or was called."""

    player: str
    count: BidCount
    face: DieFace
    accepted: bool
    """True if everybody let it pass against the rules."""


class CompanySeat(Value, frozen=True):
    """A player who may play again."""

    name: str
    colour: DieColour


class PublicPlayer(Value, frozen=True):
    """A player of the game."""

    name: str
    colour: DieColour
    dice: Annotated[Count | None, Meta(description="Null while it is hidden.")]


class AwayPlayer(Value, frozen=True):
    """A player who left and may come back."""

    name: str
    dice: Count | None


class Company(Value, frozen=True, kw_only=True):
    """The players and rules of the last game."""

    players: tuple[CompanySeat, ...]
    ruleset: Book
    calza: bool
    open_lost: bool
    dice: dict[str, Count] | None
    roll: bool
    rules: dict[str, RuleValue]
    rules_name: str
    first_to: Count
    turn_seconds: Count


class May(Value, frozen=True):
    """Who may bid and call now."""

    bid: Names = ()
    dudo: Names = ()
    calza: Names = ()


class PublicCall(Value, frozen=True):
    """The call that is being judged."""

    kind: CallKind
    player: str


class Asking(Value, frozen=True):
    """The question which of `players` called."""

    players: Names
    kind: Literal["caller"] = "caller"
    call: CallKind = CallKind.CALZA


class Waiting(Sentence, frozen=True):
    """What a reveal waits for."""

    code: WaitingCode
    place: Place | None = None
    """Where something is still moving."""
    photo: str = ""
    """The set that a phone's refused pictures were sent in."""
    found: tuple[Place, ...] = ()
    """The dice found in a phone's only picture, which was refused."""


class PublicDie(Value, frozen=True, kw_only=True):
    """A die of the reading, and whether it counts for the bid."""

    id: Count
    face: DieFace
    colour: DieColour
    player: str | None
    box: Box
    confidence: Share
    uncertain: bool
    likeliest: tuple[tuple[DieFace, Share], ...]
    corrected: bool
    counts: bool


class Clip(Value, frozen=True, kw_only=True):
    """The seconds around the judged frame as one JPEG file: small frames, row by row."""

    picture: str
    frames: Count
    columns: Count
    width: Annotated[Count, Meta(description="Of one frame, in pixels.")]
    height: Count
    judged: Annotated[Count, Meta(description="The number of the frame nearest to the judged one, from 0.")]
    seconds: Annotated[float, Meta(description="From the first frame to the last.")]


class PublicReading(Value, frozen=True, kw_only=True):
    """The camera's reading with the players' corrections."""

    id: int
    picture: str | None
    width: Count
    height: Count
    dice: tuple[PublicDie, ...]
    problems: tuple[Problem, ...]
    clip: Annotated[Clip | None, Meta(description="Some seconds after the reading; null if there is none.")] = None


class FaceTally(Value, frozen=True):
    """How many dice show a face."""

    face: DieFace
    alone: Count
    with_pacos: Count


class PublicVerdict(Sentence, frozen=True):
    """How a call was judged, what follows, and how the next round begins."""

    call: CallKind
    caller: str
    bidder: str
    bid: FaceCount
    wild: bool
    faces: Count
    pacos: Count
    count: Count
    least: Annotated[Count, Meta(description="How many dice match if no uncertain one does.")]
    most: Annotated[Count, Meta(description="How many dice match if all uncertain ones do.")]
    correct: bool
    loses: str | None
    gains: str | None
    eliminated: str | None
    opener: str | None
    palifico: str | None
    winner: str | None
    lost: Count
    """How many dice `loses` loses."""
    accepted: bool
    """True if everybody let the bid pass against the rules."""


class PublicStep(Sentence, frozen=True):
    """A step that can be undone or redone."""

    step: int
    kind: str


class Notice(Sentence, frozen=True):
    """Something that players are shown once.

    Why a press on the panel was refused; after a start ("repaired"), that the journal was damaged; whose count by hand
    was wrong while numbers of dice are hidden ("miscount"); or who undid a step.
    """

    code: str
    number: Count
    """Unique: the version of the first state that contains the notice."""


class CameraStatus(Sentence, frozen=True, kw_only=True):
    """The state of the camera; if it does not answer, what is wrong and what to do."""

    ok: bool
    name: str
    sentence: str = ""
    phone: Annotated[bool, Meta(description="Whether the phones take the pictures.")] = False


class CalibrationNotice(Sentence, frozen=True):
    """Why the readings may be wrong."""

    code: Literal["moved", "other-camera", "picture"]


class CalibrationStatus(Value, frozen=True):
    """The name of the camera's profile, and why it may no longer fit."""

    profile: str | None = None
    notice: CalibrationNotice | None = None


class ClubAssignment(Value, frozen=True, kw_only=True):
    """The players who should play at this table next in a tournament of the club. Nothing starts by itself."""

    tournament: str
    round: str
    players: Names


class ClubStatus(Value, frozen=True, kw_only=True):
    """The club that this table has joined."""

    title: str
    online: Annotated[bool, Meta(description="Whether the club's hub is there. The game does not wait for it.")]
    assignment: ClubAssignment | None


class JournalStatus(Sentence, frozen=True):
    """The state of the journal; if events are not saved on disk, the reason."""

    ok: bool


class PanelStatus(Sentence, frozen=True):
    """The panel and its lamps; without a panel, the reason."""

    present: bool
    virtual: bool
    lamps: dict[str, LampPattern]
    status: LampPattern


RobotStrength = Literal["easy", "medium", "hard"]


class Turn(Value, frozen=True, kw_only=True):
    """The turn's clock at this moment."""

    version: Annotated[Count, Meta(description="That of the state it belongs to.")]
    seconds: Annotated[Count, Meta(description="How long a turn should take; 0 while no clock runs.")] = 0
    left: Annotated[float, Meta(description="Seconds left; 0 when the time is up, of which nothing comes.")] = 0.0


class State(Value, frozen=True, kw_only=True, omit_defaults=True):
    """The whole public state of the table. docs/reference/api.md explains the phases and when a part is null."""

    version: Annotated[Count, Meta(description="Grows with every change, also across restarts of the program.")]
    phase: Phase
    game: Annotated[Count, Meta(description="Counts the games of this journal.")]
    ruleset: Book
    rules: tuple[HouseRule, ...] = ()
    """The house rules. Left out of the JSON if there are none."""
    rules_name: str
    """The players' name for them."""
    calza: bool
    series: Annotated[Series | None, Meta(description="The series of games, with this one once it is won.")]
    turn_seconds: Annotated[Count, Meta(description="How long a turn should take; 0 if there is no clock.")]
    round: int | None
    turn: str | None
    starter: str | None
    palifico: str | None
    wild: bool | None
    bid: PublicBid | None
    bids: tuple[PublicBid, ...] = ()
    """All bids of this round in order; the last is `bid`. Left out of the JSON if there are none."""
    direction: Direction
    """The direction of the bids."""
    voided: Annotated[bool, Meta(description="Whether this round was voided, and is opened again.")]
    players: tuple[PublicPlayer, ...]
    away: tuple[AwayPlayer, ...]
    company: Company | None
    open_lost: bool
    opening: OpeningRolls | None
    paused: bool
    winner: str | None
    lowest: Annotated[Limits, Meta(description="The lowest count of each face that may be bid; null: not that face.")]
    highest: Annotated[Limits, Meta(description="The highest; null: there is no limit.")]
    may: May
    call: PublicCall | None
    counting: CallKind | None
    asking: Asking | None
    cups: Names
    waiting: Waiting | None
    reading: PublicReading | None
    byhand: dict[str, tuple[DieFace, ...]] | None
    tally: tuple[FaceTally, ...] | None
    verdict: PublicVerdict | None
    last: PublicVerdict | None
    undo: PublicStep | None
    redo: PublicStep | None
    undone: Notice | None
    """Who undid ("undone") or redid ("redone") which step, until the next step."""
    corrections: tuple[PublicStep, ...] = ()
    """The corrections in this round: who, what, and the consequences. Left out of the JSON if there are none."""
    notice: Notice | None
    camera: CameraStatus
    calibration: CalibrationStatus
    journal: JournalStatus
    panel: PanelStatus
    demo: bool
    robots: dict[str, RobotStrength] = field(default_factory=dict)
    """The players whom robots play, in the demo. Left out of the JSON if there are none."""
    club: ClubStatus | None = None
    """Left out of the JSON if the table is in no club."""
    learn: Annotated[bool, Meta(description="Whether pictures of judged dice are kept, to read better.")]

    @property
    def game_round(self) -> Round | None:
        """The round that is being played or was just judged; None in an opening roll."""
        return None if self.round is None else (self.game, self.round)

    @property
    def playing(self) -> bool:
        return self.phase not in {Phase.SEATING, Phase.OVER}

    @property
    def cups_down(self) -> bool:
        """True if dice may be under cups: during the bids, and after a verdict, when the players shake again."""
        return self.phase in (Phase.BIDDING, Phase.ASKING, Phase.VERDICT)

    @property
    def hides_dice(self) -> bool:
        """True if somebody's number of dice is hidden."""
        return any(player.dice is None for player in self.players)


def clock_runs(state: State) -> bool:
    """True if the clock of a turn is running in this state."""
    return bool(state.turn_seconds) and state.phase is Phase.BIDDING and state.turn is not None and not state.paused
