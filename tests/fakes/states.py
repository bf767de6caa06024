"""The states of the table for tests and pictures of the page, each reached by playing.

All have the same players, with long, short and non-Latin names, and most belong to one game.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from msgspec import structs

from companion.messages.message import Message
from companion.table.commands import (
    AskCount,
    AskReading,
    CallCalza,
    CallDudo,
    Command,
    CountByHand,
    EndGame,
    LeaveGame,
    MakeBid,
    OpenRound,
    Pause,
    SetDie,
    TakeReading,
    TellCall,
    Undo,
    VoidRound,
)
from companion.table.game import sentences
from companion.table.game.history import History
from companion.table.state.public_state import RuntimeStatus, public_state
from companion.table.state.state import (
    CalibrationNotice,
    CalibrationStatus,
    CameraStatus,
    ClubAssignment,
    ClubStatus,
    State,
    Waiting,
)
from tests.fakes.desk import FakeDesk
from tests.fakes.new_game import new_game
from vision.reading import Die, Reading

ANA, BEN, CID, DOROTHEA, ELISE, HELENE = "Ana", "Ben", "Cid", "Dorothea-Valentina", "Élise", "Ἑλένη"
COLOURS: Final = {ANA: "red", BEN: "blue", CID: "green", DOROTHEA: "yellow", ELISE: "purple", HELENE: "orange"}

BY_PHONE: Final = CameraStatus(ok=True, name="phone", phone=True)
PLACES: Final = {
    "red": ((140, 150), (230, 180), (180, 250), (300, 260), (120, 330)),
    "blue": ((980, 160), (1060, 220), (960, 270)),
    "green": ((1080, 640),),
    "yellow": ((610, 740), (700, 780), (560, 820), (660, 860)),
    "purple": ((160, 620), (250, 660), (170, 730), (290, 760), (220, 820)),
    "orange": ((1090, 420),),
}
"""Where the dice of each colour lie in the picture."""
FACES: Final = {
    "red": (4, 4, 1, 6, 2),
    "blue": (4, 3, 5),
    "green": (6,),
    "yellow": (1, 2, 5, 3),
    "purple": (2, 6, 3, 5, 2),
}
"""Their faces in the judged round: three fours and two pacos."""

LIVE: Final = RuntimeStatus(
    camera=CameraStatus(ok=True, name="fake camera"),
    waiting=Waiting(code="moving", sentence=sentences.MOVING),
    panel=True,
    demo=True,
)
NO_FRAMES: Final = sentences.camera_failed(
    Message("{camera} gives no frames. Is it still plugged in?", camera=Message("USB camera {number}", number=0))
)

CLUB: Final = ClubStatus(
    title="Zur Kanne",
    online=True,
    assignment=ClubAssignment(tournament="Summer Cup", round="Round 2", players=(ANA, CID, "Fritz", DOROTHEA)),
)
"""A club in whose tournament Fritz plays here for the first time."""


def after(history: History, *given: Command) -> History:
    """The history once these commands are carried out."""
    desk = FakeDesk(history)
    desk.do(*given)
    return desk.history


def opened(ruleset: str = "asmodee-fr", **more: Any) -> History:
    return after(History(), new_game(COLOURS.items(), ruleset, starter=ANA, **more))


def lost(history: History, *losers: str) -> History:
    """One round for each of these players to lose a die: all dice show threes, and sixes are bid."""
    for loser in losers:
        game = history.position.game
        call = CallDudo() if game.turn == loser else CallCalza(loser)
        threes = {player: [3] * dice for player, dice in game.dice.items()}
        history = after(history, MakeBid(game.turn, 2, 6), call, CountByHand(threes), OpenRound())
    return history


def undone(history: History) -> History:
    return after(history, Undo(history.last.number))


def lying(**faces: tuple[int, ...]) -> tuple[Die, ...]:
    """The dice of these colours, as read by the camera."""
    return tuple(
        Die(face, colour, (*place, 56, 56), 0.98, ((face, 0.98), (face % 6 + 1, 0.01)))
        for colour, shown in faces.items()
        for face, place in zip(shown, PLACES[colour], strict=False)
    )


def read(history: History, dice: tuple[Die, ...] = lying(**FACES)) -> History:
    """The camera reads these dice."""
    return after(history, TakeReading(history.position.reveals, Reading(dice, 1280, 960), picture=True))


def by_hand(**other: tuple[int, ...]) -> CountByHand:
    """The same dice counted by hand, except those of these colours."""
    faces = FACES | other
    return CountByHand({player: faces[colour] for player, colour in COLOURS.items() if colour in faces})


# The game

ROLLING = opened(roll=True)
TIED = read(after(ROLLING, AskReading()), lying(red=(6,), blue=(2,), green=(1,), yellow=(6,), purple=(4,), orange=(6,)))
ROLLED = read(after(TIED, AskReading()), lying(red=(6,), yellow=(2,), orange=(5,)))
LATE = lost(ROLLED, *[HELENE] * 5, *[CID] * 3, BEN, BEN)
LAST_DIE = after(LATE, MakeBid(BEN, 5, 4), CallDudo(CID), by_hand(green=(6, 6), yellow=(1, 2, 5, 3, 3)))
PALIFICO = after(LAST_DIE, OpenRound(), MakeBid(CID, 2, 6))
ROUND = lost(after(LAST_DIE, OpenRound()), DOROTHEA)
BIDS = (MakeBid(DOROTHEA, 3, 4), MakeBid(ELISE, 4, 4), MakeBid(ANA, 5, 4))
BIDDING = after(ROUND, *BIDS)
CALLED = after(BIDDING, CallDudo(BEN))
JUDGED = read(CALLED)
THIRTY = read(
    after(ROLLED, new_game(COLOURS.items(), starter=ANA, abandon=True), MakeBid(ANA, 14, 4), CallDudo(BEN)),
    tuple(
        Die(face, colour, (120.0 + 180 * column, 100.0 + 140 * row, 56, 56), 0.98, ((face, 0.98),))
        for row, colour in enumerate(COLOURS.values())
        for column, face in enumerate((4, 1 + row, 4, 1, 6 - row))
    ),
)
COUNTED = read(after(ROUND, AskCount("dudo")))
TWO_LEFT = lost(ROUND, BEN, BEN, *[DOROTHEA] * 4, CID, *[ELISE] * 5)
WON = read(after(TWO_LEFT, MakeBid(ANA, 4, 4), CallDudo(BEN)), lying(red=(4, 4, 1, 6, 2), blue=(4,)))
HIDDEN = lost(opened(open_lost=False), *[HELENE] * 5, BEN, BEN, *[CID] * 4)
EIGHT = after(
    History(),
    new_game(
        [*COLOURS.items(), ("Gil", "black"), ("Ida", "white")],
        starter=ANA,
        rules={"most_players": 8, "opener_chooses_direction": True},
    ),
)
EIGHT_BID = after(EIGHT, MakeBid(ANA, 9, 4, "counterclockwise"))
MISREAD = tuple(
    replace(die, confidence=0.41, likeliest=((6, 0.41), (4, 0.38), (5, 0.12)))
    if die.colour == "red" and die.face == 6
    else die
    for die in lying(**FACES | {"red": (4, 3, 1, 6)})
)
"""One of Ana's dice is missing, and one uncertain that decides."""
UNCERTAIN = tuple(
    replace(die, confidence=0.41, likeliest=((die.face, 0.41), (4, 0.3))) if die.face in (3, 6) else die
    for die in lying(**FACES)
)
"""Six dice are uncertain."""


TOO_DARK: Final = Message.sequence(sentences.POOR_PICTURES, Message("It is too dark: bring a lamp nearer."))


def state(history: History, **live: Any) -> State:
    """The public state, with these live values."""
    return public_state(history, replace(LIVE, **live), version=1)


STATES: Final[dict[str, State]] = {
    "seating": state(History()),
    "seating-again": state(undone(opened())),
    "seating-dark": state(
        undone(opened()), calibration=CalibrationStatus(None, CalibrationNotice(code="picture", sentence=TOO_DARK))
    ),
    "seating-assigned": state(undone(opened()), club=CLUB),
    "rolling": state(ROLLING),
    "rolling-tie": state(TIED),
    "rolling-reading": state(after(ROLLING, AskReading())),
    "rolling-checking": state(
        # After two readings that were taken back: its picture is the third, as everywhere.
        read(after(undone(undone(ROLLED)), AskReading()), lying(red=(4,), blue=(4,), green=(6,), yellow=(1,)))
    ),
    "opening": state(opened()),
    "opening-rolled": state(ROLLED),
    "bidding": state(BIDDING),
    "robots": state(BIDDING, robots={BEN: "easy", CID: "hard"}),
    "bidding-undone": state(undone(after(ROUND, MakeBid(DOROTHEA, 5, 4), MakeBid(ELISE, 6, 4)))),
    "bidding-away": state(after(ROUND, LeaveGame(DOROTHEA)), club=structs.replace(CLUB, online=False)),
    "bidding-hidden": state(after(lost(HIDDEN, DOROTHEA), *BIDS)),
    "palifico-hidden": state(HIDDEN),
    "break": state(after(BIDDING, Pause())),
    "journal-full": state(BIDDING, journal=sentences.unwritten(sentences.DISK_FULL)),
    "bidding-pacos": state(after(ROUND, *BIDS[:2], MakeBid(ANA, 4, 1))),
    "palifico": state(PALIFICO),
    "passed": state(after(ROUND, *BIDS[:2], MakeBid(ANA, 3, 3, accepted=True))),
    "verdict-passed": state(read(after(ROUND, *BIDS[:2], MakeBid(ANA, 3, 3, accepted=True), CallDudo(BEN)))),
    "eight-opening": state(EIGHT),
    "eight": state(EIGHT_BID),
    "eight-verdict": state(
        after(
            EIGHT_BID,
            CallDudo("Ida"),
            CountByHand(dict.fromkeys((*COLOURS, "Gil", "Ida"), (1, 2, 4, 4, 6))),
        )
    ),
    "void": state(after(BIDDING, VoidRound())),
    "asking": state(after(BIDDING, CallCalza())),
    "reading": state(CALLED),
    "moved": state(
        BIDDING,
        calibration=CalibrationStatus("Kitchen", CalibrationNotice(code="moved", sentence=sentences.MOVED)),
    ),
    "reading-no-camera": state(
        CALLED,
        camera=CameraStatus(ok=False, name="fake camera", sentence=NO_FRAMES),
        waiting=Waiting(code="camera", sentence=NO_FRAMES),
    ),
    "reading-given-up": state(CALLED, waiting=Waiting(code="given-up", sentence=sentences.GIVEN_UP)),
    "reading-in-order": state(after(opened("hasbro-1994"), MakeBid(ANA, 5, 4), CallDudo(BEN))),
    "checking": state(read(CALLED, MISREAD)),
    "checking-many": state(after(read(CALLED, UNCERTAIN), SetDie(0, face=5))),
    "telling": state(undone(after(COUNTED, TellCall("dudo", BEN, ANA, 5, 4)))),
    "telling-calza": state(read(after(BIDDING, AskCount("calza")))),
    "telling-palifico": state(after(PALIFICO, AskCount("dudo"), by_hand(yellow=(1, 2, 5, 3, 3)))),
    "verdict-wrong": state(JUDGED),
    "verdict-right": state(after(JUDGED, SetDie(2, face=3))),
    "verdict-thirty": state(THIRTY),
    "verdict-uncertain": state(read(CALLED, UNCERTAIN)),
    "verdict-calza": state(read(after(BIDDING, CallCalza(CID)))),
    "verdict-palifico": state(LAST_DIE),
    "verdict-out": state(read(after(ROUND, *BIDS[:2], CallCalza(CID)))),
    "over": state(WON),
    "over-assigned": state(WON, club=CLUB),
    "over-left": state(
        after(JUDGED, OpenRound(), *(LeaveGame(player) for player in (ANA, CID, ELISE)), LeaveGame(BEN, concede=True))
    ),
    "over-ended": state(after(JUDGED, OpenRound(), EndGame())),
}
"""Name -> state. The names are those of the pictures that `tests.browser.pictures` takes."""
