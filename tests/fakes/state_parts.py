"""What the fake states are made of: a company, whose names are long, short and not Latin, its dice and a verdict."""

from __future__ import annotations

from typing import Any, Final

from companion.engine import DEFAULT_RULESET, Bid, CallKind, Outcome
from companion.messages.message import Message
from companion.messages.sentence import Sentence
from companion.table.game import events, sentences
from companion.table.game.step_name import step_kind, step_name
from tests.fakes.public_state import in_json

PLAYERS: Final = [
    {"name": "Ana", "colour": "red", "dice": 5},
    {"name": "Ben", "colour": "blue", "dice": 3},
    {"name": "Cid", "colour": "green", "dice": 1},
    {"name": "Dorothea-Valentina", "colour": "yellow", "dice": 4},
    {"name": "Élise", "colour": "purple", "dice": 5},
    {"name": "Ἑλένη", "colour": "orange", "dice": 0},
]

LOWEST: Final = {"1": 3, "2": None, "3": None, "4": 6, "5": 5, "6": 5}


def sentence_json(text: str) -> dict[str, Any]:
    """`text` as a sentence, in JSON."""
    return dict(in_json(Sentence(sentence=text)))


def step(number: int, *done: events.Event) -> dict[str, Any]:
    """A step that can be taken back, or done again."""
    return {"step": number, "kind": step_kind(done), **sentence_json(step_name(done))}


OPENED: Final = events.GameOpened(("Ana", "Ben"), ("red", "blue"), "asmodee-fr", True, "Ana")
CUPS: Final = ("Cid", "Dorothea-Valentina", "Élise", "Ana", "Ben")
NO_FRAMES: Final = sentences.camera_failed(
    Message("{camera} gives no frames. Is it still plugged in?", camera=Message("USB camera {number}", number=0))
)

BASE: Final[dict[str, Any]] = {
    "version": 1,
    "phase": "bidding",
    "game": 1,
    "ruleset": "asmodee-fr",
    "calza": True,
    "round": 4,
    "turn": "Ben",
    "starter": "Ana",
    "palifico": None,
    "wild": True,
    "bid": {"player": "Ana", "count": 5, "face": 4},
    "players": PLAYERS,
    "away": [],
    "company": None,
    "open_lost": True,
    "opening": None,
    "paused": False,
    "winner": None,
    "lowest": LOWEST,
    "highest": {"1": None, "2": None, "3": None, "4": None, "5": 5, "6": 5},
    "may": {"bid": ["Ben"], "dudo": ["Ben"], "calza": ["Ben", "Cid", "Dorothea-Valentina", "Élise"]},
    "call": None,
    "counting": None,
    "asking": None,
    "cups": [],
    "waiting": None,
    "reading": None,
    "verdict": None,
    "byhand": None,
    "tally": None,
    "last": None,
    "undo": step(12, events.BidMade("Ana", 5, 4)),
    "redo": None,
    "notice": None,
    "camera": {"ok": True, "name": "fake camera", "sentence": ""},
    "calibration": {"profile": None, "notice": None},
    "journal": {"ok": True, "sentence": ""},
    "panel": {
        "present": True,
        "virtual": True,
        "sentence": "",
        "lamps": {
            "dudo": "on",
            "calza": "on",
            "Ana": "off",
            "Ben": "on",
            "Cid": "off",
            "Dorothea-Valentina": "off",
            "Élise": "off",
        },
        "status": "on",
    },
    "demo": True,
}

NONE: Final[dict[str, int | None]] = dict.fromkeys("123456")
NOBODY: Final[dict[str, list[str]]] = {"bid": [], "dudo": [], "calza": []}


def die(number: int, face: int, colour: str, player: str, x: int, y: int, **more: Any) -> dict[str, Any]:
    return {
        "id": number,
        "face": face,
        "colour": colour,
        "player": player,
        "box": [x, y, 56, 56],
        "confidence": 0.98,
        "uncertain": False,
        "likeliest": [[face, 0.98], [face % 6 + 1, 0.01]],
        "corrected": False,
        "counts": face in {1, 4},
        **more,
    }


DICE: Final = [
    die(0, 4, "red", "Ana", 140, 150),
    die(1, 4, "red", "Ana", 230, 180),
    die(2, 1, "red", "Ana", 180, 250),
    die(3, 6, "red", "Ana", 300, 260),
    die(4, 2, "red", "Ana", 120, 330),
    die(5, 4, "blue", "Ben", 980, 160),
    die(6, 3, "blue", "Ben", 1060, 220),
    die(7, 5, "blue", "Ben", 960, 270),
    die(8, 6, "green", "Cid", 1080, 640),
    die(9, 1, "yellow", "Dorothea-Valentina", 610, 740),
    die(10, 2, "yellow", "Dorothea-Valentina", 700, 780),
    die(11, 5, "yellow", "Dorothea-Valentina", 560, 820),
    die(12, 3, "yellow", "Dorothea-Valentina", 660, 860),
    die(13, 2, "purple", "Élise", 160, 620),
    die(14, 6, "purple", "Élise", 250, 660),
    die(15, 3, "purple", "Élise", 170, 730),
    die(16, 5, "purple", "Élise", 290, 760),
    die(17, 2, "purple", "Élise", 220, 820),
]

READING: Final[dict[str, Any]] = {
    "id": 3,
    "picture": "/api/v1/pictures/3.jpg",
    "width": 1280,
    "height": 960,
    "dice": DICE,
    "problems": [],
}


def judged(**changes: Any) -> dict[str, Any]:
    """Ben's dudo on Ana's five fours, which hold; or what else was judged."""
    made = {
        "call": "dudo",
        "caller": "Ben",
        "bidder": "Ana",
        "bid": {"count": 5, "face": 4},
        "wild": True,
        "faces": 3,
        "pacos": 2,
        "count": 5,
        "correct": False,
        "loses": "Ben",
        "gains": None,
        "eliminated": None,
        "opener": "Ben",
        "palifico": None,
        "winner": None,
        **changes,
    }
    caller, bidder, loses, gains, eliminated = (
        made[key] for key in ("caller", "bidder", "loses", "gains", "eliminated")
    )
    bid = Bid(bidder, **made["bid"])
    kind, faces, pacos, correct = CallKind(made["call"]), made["faces"], made["pacos"], made["correct"]
    outcome = Outcome(kind, caller, bidder, bid, made["wild"], faces, pacos, correct, loses, gains, eliminated)
    said = [sentences.verdict(outcome, made["opener"], made["palifico"], made["winner"])]
    if made["palifico"] is not None:
        said.append(sentences.palifico(DEFAULT_RULESET))
    return {**made, **sentence_json(Message.sequence(*said))}


VERDICT: Final = judged()

CALL: Final = {"kind": "dudo", "player": "Ben"}


CALLED: Final[dict[str, Any]] = {
    **BASE,
    "turn": None,
    "lowest": NONE,
    "highest": NONE,
    "may": NOBODY,
    "call": CALL,
    "undo": step(13, events.DudoCalled("Ben")),
}


def tally(*alone: int) -> list[dict[str, int]]:
    """How many dice show 1, 2, ... 6."""
    return [
        {"face": face, "alone": count, "with_pacos": count + (alone[0] if face > 1 else 0)}
        for face, count in enumerate(alone, 1)
    ]


OPENING: Final[dict[str, Any]] = {
    **BASE,
    "round": 1,
    "turn": "Ana",
    "bid": None,
    "lowest": {"1": None, "2": 1, "3": 1, "4": 1, "5": 1, "6": 1},
    "highest": NONE,
    "may": {"bid": ["Ana"], "dudo": [], "calza": []},
    "undo": step(11, events.RoundOpened()),
}

ROLLING: Final[dict[str, Any]] = {
    **BASE,
    "phase": "rolling",
    "round": None,
    "turn": None,
    "starter": None,
    "palifico": None,
    "wild": None,
    "bid": None,
    "players": [{**player, "dice": dice} for player, dice in zip(PLAYERS, (5, 5, 4, 5, 5, 5), strict=True)],
    "lowest": NONE,
    "highest": NONE,
    "may": NOBODY,
    "opening": {"dice": 1, "rolling": [player["name"] for player in PLAYERS], "rolls": []},
    "undo": step(1, OPENED),
}

ROLLED: Final = {"Ana": [6], "Ben": [2], "Cid": [1], "Dorothea-Valentina": [6], "Élise": [4], "Ἑλένη": [6]}

COUNTING: Final[dict[str, Any]] = {
    **CALLED,
    "call": None,
    "counting": "dudo",
    "bid": None,
    "undo": step(12, events.CountAsked("dudo")),
}

COMPANY: Final[dict[str, Any]] = {
    "players": [{"name": player["name"], "colour": player["colour"]} for player in PLAYERS],
    "ruleset": "asmodee-fr",
    "calza": True,
    "open_lost": True,
    "dice": None,
    "roll": False,
}


def after(players: dict[str, int]) -> list[dict[str, Any]]:
    return [{**player, "dice": players.get(str(player["name"]), player["dice"])} for player in PLAYERS]


def panel_with(**lamps: str) -> dict[str, Any]:
    off = dict.fromkeys(BASE["panel"]["lamps"], "off")
    return {**BASE["panel"], "lamps": {**off, **lamps}}


def hidden(palifico: str | None = None) -> list[dict[str, Any]]:
    """The players as they are told of while the number of dice under the cups is hidden."""
    return [{**p, "dice": 0 if p["dice"] == 0 else 1 if p["name"] == palifico else None} for p in PLAYERS]
