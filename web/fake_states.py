"""One example of every state a page can meet, as docs/api.md describes them. Names are long, short and not Latin."""

from __future__ import annotations

from typing import Any, Final

from companion.engine import DEFAULT_RULESET, Bid, CallKind, Outcome
from companion.engine.said import Said, to_json
from companion.table import events, sentences

_PLAYERS: Final = [
    {"name": "Ana", "colour": "red", "dice": 5},
    {"name": "Ben", "colour": "blue", "dice": 3},
    {"name": "Cid", "colour": "green", "dice": 1},
    {"name": "Dorothea-Valentina", "colour": "yellow", "dice": 4},
    {"name": "Élise", "colour": "purple", "dice": 5},
    {"name": "Ἑλένη", "colour": "orange", "dice": 0},
]

_LOWEST: Final = {"1": 3, "2": None, "3": None, "4": 6, "5": 5, "6": 5}


def _said(text: str) -> dict[str, Any]:
    """A sentence, and what it is made of."""
    return {"sentence": str(text), "said": to_json(text)}


def _step(number: int, *done: events.Event) -> dict[str, Any]:
    """A step that can be taken back, or done again."""
    return {"step": number, "kind": sentences.kind(done), **_said(sentences.step(done))}


_OPENED: Final = events.GameOpened(("Ana", "Ben"), ("red", "blue"), "asmodee-fr", True, "Ana")
_CUPS: Final = ("Cid", "Dorothea-Valentina", "Élise", "Ana", "Ben")
_NO_FRAMES: Final = sentences.camera_failed(
    Said("{camera} gives no frames. Is it still plugged in?", camera=Said("USB camera {number}", number=0))
)

_BASE: Final[dict[str, Any]] = {
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
    "players": _PLAYERS,
    "away": [],
    "company": None,
    "open_lost": True,
    "opening": None,
    "paused": False,
    "winner": None,
    "lowest": _LOWEST,
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
    "undo": _step(12, events.BidMade("Ana", 5, 4)),
    "redo": None,
    "notice": None,
    "camera": {"ok": True, "name": "fake camera", "sentence": ""},
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
    },
    "demo": True,
}

_NONE: Final[dict[str, int | None]] = dict.fromkeys("123456")
_NOBODY: Final[dict[str, list[str]]] = {"bid": [], "dudo": [], "calza": []}


def _die(number: int, face: int, colour: str, player: str, x: int, y: int, **more: Any) -> dict[str, Any]:
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


_DICE: Final = [
    _die(0, 4, "red", "Ana", 140, 150),
    _die(1, 4, "red", "Ana", 230, 180),
    _die(2, 1, "red", "Ana", 180, 250),
    _die(3, 6, "red", "Ana", 300, 260),
    _die(4, 2, "red", "Ana", 120, 330),
    _die(5, 4, "blue", "Ben", 980, 160),
    _die(6, 3, "blue", "Ben", 1060, 220),
    _die(7, 5, "blue", "Ben", 960, 270),
    _die(8, 6, "green", "Cid", 1080, 640),
    _die(9, 1, "yellow", "Dorothea-Valentina", 610, 740),
    _die(10, 2, "yellow", "Dorothea-Valentina", 700, 780),
    _die(11, 5, "yellow", "Dorothea-Valentina", 560, 820),
    _die(12, 3, "yellow", "Dorothea-Valentina", 660, 860),
    _die(13, 2, "purple", "Élise", 160, 620),
    _die(14, 6, "purple", "Élise", 250, 660),
    _die(15, 3, "purple", "Élise", 170, 730),
    _die(16, 5, "purple", "Élise", 290, 760),
    _die(17, 2, "purple", "Élise", 220, 820),
]

_READING: Final[dict[str, Any]] = {
    "id": 3,
    "picture": "/api/v1/pictures/3.jpg",
    "width": 1280,
    "height": 960,
    "dice": _DICE,
    "problems": [],
}


def _judged(**changes: Any) -> dict[str, Any]:
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
    return {**made, **_said(Said.joined(*said))}


_VERDICT: Final = _judged()

_CALL: Final = {"kind": "dudo", "player": "Ben"}


_CALLED: Final[dict[str, Any]] = {
    **_BASE,
    "turn": None,
    "lowest": _NONE,
    "highest": _NONE,
    "may": _NOBODY,
    "call": _CALL,
    "undo": _step(13, events.DudoCalled("Ben")),
}


def _tally(*alone: int) -> list[dict[str, int]]:
    """How many dice show 1, 2, ... 6."""
    return [
        {"face": face, "alone": count, "with_pacos": count + (alone[0] if face > 1 else 0)}
        for face, count in enumerate(alone, 1)
    ]


_OPENING: Final[dict[str, Any]] = {
    **_BASE,
    "round": 1,
    "turn": "Ana",
    "bid": None,
    "lowest": {"1": None, "2": 1, "3": 1, "4": 1, "5": 1, "6": 1},
    "highest": _NONE,
    "may": {"bid": ["Ana"], "dudo": [], "calza": []},
    "undo": _step(11, events.RoundOpened()),
}

_ROLLING: Final[dict[str, Any]] = {
    **_BASE,
    "phase": "rolling",
    "round": None,
    "turn": None,
    "starter": None,
    "palifico": None,
    "wild": None,
    "bid": None,
    "players": [{**player, "dice": dice} for player, dice in zip(_PLAYERS, (5, 5, 4, 5, 5, 5), strict=True)],
    "lowest": _NONE,
    "highest": _NONE,
    "may": _NOBODY,
    "opening": {"dice": 1, "rolling": [player["name"] for player in _PLAYERS], "rolls": []},
    "undo": _step(1, _OPENED),
}

_ROLLED: Final = {"Ana": [6], "Ben": [2], "Cid": [1], "Dorothea-Valentina": [6], "Élise": [4], "Ἑλένη": [6]}

_COUNTING: Final[dict[str, Any]] = {
    **_CALLED,
    "call": None,
    "counting": "dudo",
    "bid": None,
    "undo": _step(12, events.CountAsked("dudo")),
}

_COMPANY: Final[dict[str, Any]] = {
    "players": [{"name": player["name"], "colour": player["colour"]} for player in _PLAYERS],
    "ruleset": "asmodee-fr",
    "calza": True,
    "open_lost": True,
    "dice": None,
    "roll": False,
}


def _after(players: dict[str, int]) -> list[dict[str, Any]]:
    return [{**player, "dice": players.get(str(player["name"]), player["dice"])} for player in _PLAYERS]


def _lamps(**lamps: str) -> dict[str, Any]:
    off = dict.fromkeys(_BASE["panel"]["lamps"], "off")
    return {**_BASE["panel"], "lamps": {**off, **lamps}}


def _hidden(palifico: str | None = None) -> list[dict[str, Any]]:
    """The players as they are told of while the number of dice under the cups is hidden."""
    return [{**p, "dice": 0 if p["dice"] == 0 else 1 if p["name"] == palifico else None} for p in _PLAYERS]


STATES: Final[dict[str, dict[str, Any]]] = {
    "seating": {
        **_BASE,
        "phase": "seating",
        "round": 0,
        "turn": None,
        "starter": None,
        "bid": None,
        "players": [],
        "lowest": _NONE,
        "highest": _NONE,
        "may": _NOBODY,
        "undo": None,
        "panel": {**_BASE["panel"], "lamps": {"dudo": "off", "calza": "off"}},
    },
    "seating-again": {
        **_BASE,
        "phase": "seating",
        "round": None,
        "turn": None,
        "starter": None,
        "bid": None,
        "players": [],
        "company": _COMPANY,
        "lowest": _NONE,
        "highest": _NONE,
        "may": _NOBODY,
        "undo": None,
        "redo": _step(1, _OPENED),
        "panel": {**_BASE["panel"], "lamps": {"dudo": "off", "calza": "off"}},
    },
    "rolling": {**_ROLLING, "panel": _lamps(dudo="on", Ana="blink", Ben="blink", Cid="blink", Élise="blink")},
    "rolling-tie": {
        **_ROLLING,
        "opening": {"dice": 1, "rolling": ["Ana", "Dorothea-Valentina", "Ἑλένη"], "rolls": [_ROLLED]},
        "undo": _step(2, events.ReadAgain()),
        "panel": _lamps(dudo="on", Ana="blink", **{"Dorothea-Valentina": "blink"}),
    },
    "rolling-reading": {
        **_ROLLING,
        "phase": "reading",
        "waiting": {"code": "moving", **_said(sentences.MOVING)},
        "undo": _step(2, events.ReadAgain()),
    },
    "rolling-checking": {
        **_ROLLING,
        "phase": "checking",
        "reading": {
            **_READING,
            "dice": [_DICE[0], _DICE[5], _DICE[8], _DICE[9]],
            "problems": [
                {
                    "code": "missing",
                    "player": "Élise",
                    **_said(sentences.missing("Élise", "purple", 0, 1)),
                    "dice": [],
                },
                {
                    "code": "missing",
                    "player": "Ἑλένη",
                    **_said(sentences.missing("Ἑλένη", "orange", 0, 1)),
                    "dice": [],
                },
            ],
        },
        "undo": _step(2, events.ReadAgain()),
    },
    "opening": {**_OPENING, "panel": _lamps(Ana="on")},
    "opening-rolled": {
        **_OPENING,
        "opening": {
            "dice": 1,
            "rolling": [],
            "rolls": [_ROLLED, {"Ana": [6], "Dorothea-Valentina": [2], "Ἑλένη": [5]}],
        },
        "undo": _step(3, events.ReadAgain()),
        "panel": _lamps(Ana="on"),
    },
    "bidding": _BASE,
    "bidding-undone": {
        **_BASE,
        "turn": "Élise",
        "bid": {"player": "Dorothea-Valentina", "count": 5, "face": 4},
        "undo": _step(12, events.BidMade("Dorothea-Valentina", 5, 4)),
        "redo": _step(13, events.BidMade("Élise", 6, 4)),
        "panel": _lamps(dudo="on", calza="on", Élise="on"),
    },
    "bidding-away": {
        **_BASE,
        "players": _after({"Dorothea-Valentina": 0}),
        "away": [{"name": "Dorothea-Valentina", "dice": 4}],
        "bid": None,
        "lowest": {"1": None, "2": 1, "3": 1, "4": 1, "5": 1, "6": 1},
        "highest": _NONE,
        "may": {"bid": ["Ben"], "dudo": [], "calza": []},
        "starter": "Ben",
        "undo": _step(12, events.PlayerLeft("Dorothea-Valentina", False)),
        "panel": _lamps(Ben="on"),
    },
    "bidding-hidden": {**_BASE, "open_lost": False, "players": _hidden()},
    "palifico-hidden": {
        **_BASE,
        "open_lost": False,
        "players": _hidden("Cid"),
        "turn": "Cid",
        "starter": "Cid",
        "palifico": "Cid",
        "wild": False,
        "bid": None,
        "lowest": dict.fromkeys("123456", 1),
        "highest": _NONE,
        "may": {"bid": ["Cid"], "dudo": [], "calza": []},
        "undo": _step(11, events.RoundOpened()),
        "panel": _lamps(Cid="on"),
    },
    "break": {
        **_BASE,
        "paused": True,
        "undo": None,
        "panel": _lamps(),
    },
    "journal-full": {
        **_BASE,
        "journal": {
            "ok": False,
            **_said(sentences.unwritten(sentences.DISK_FULL)),
        },
    },
    "bidding-pacos": {
        **_BASE,
        "bid": {"player": "Ana", "count": 4, "face": 1},
        "lowest": {"1": 5, "2": 9, "3": 9, "4": 9, "5": 9, "6": 9},
        "highest": _NONE,
    },
    "palifico": {
        **_BASE,
        "turn": "Dorothea-Valentina",
        "starter": "Cid",
        "palifico": "Cid",
        "wild": False,
        "bid": {"player": "Cid", "count": 2, "face": 6},
        "lowest": {"1": None, "2": None, "3": None, "4": None, "5": None, "6": 3},
        "highest": _NONE,
        "may": {
            "bid": ["Dorothea-Valentina"],
            "dudo": ["Dorothea-Valentina"],
            "calza": ["Ana", "Ben", "Dorothea-Valentina", "Élise"],
        },
        "panel": _lamps(dudo="on", calza="on", **{"Dorothea-Valentina": "on"}),
    },
    "asking": {
        **_BASE,
        "phase": "asking",
        "may": {"bid": ["Ben"], "dudo": ["Ben"], "calza": []},
        "asking": {"kind": "caller", "players": ["Ben", "Cid", "Dorothea-Valentina", "Élise"]},
        "panel": _lamps(calza="blink"),
    },
    "reading": {
        **_CALLED,
        "phase": "reading",
        "may": _NOBODY,
        "call": _CALL,
        "waiting": {"code": "moving", **_said(sentences.MOVING)},
        "panel": _lamps(dudo="blink", Ben="on"),
    },
    "reading-no-camera": {
        **_CALLED,
        "phase": "reading",
        "may": _NOBODY,
        "call": _CALL,
        "waiting": {"code": "camera", **_said(_NO_FRAMES)},
        "camera": {
            "ok": False,
            "name": "fake camera",
            **_said(_NO_FRAMES),
        },
        "panel": _lamps(dudo="blink", Ben="on"),
    },
    "reading-given-up": {
        **_CALLED,
        "phase": "reading",
        "waiting": {
            "code": "given-up",
            **_said(sentences.GIVEN_UP),
        },
        "panel": _lamps(dudo="blink", Ben="on"),
    },
    "reading-in-order": {
        **_COUNTING,
        "phase": "reading",
        "cups": list(_CUPS),
        "waiting": {
            "code": "moving",
            **_said(sentences.in_order(_CUPS, sentences.MOVING)),
        },
        "panel": _lamps(dudo="blink"),
    },
    "checking": {
        **_CALLED,
        "phase": "checking",
        "may": _NOBODY,
        "call": _CALL,
        "reading": {
            **_READING,
            "dice": [
                *_DICE[:3],
                {
                    **_DICE[3],
                    "confidence": 0.41,
                    "uncertain": True,
                    "likeliest": [[6, 0.41], [4, 0.38], [5, 0.12]],
                },
                *_DICE[5:],
            ],
            "problems": [
                {
                    "code": "missing",
                    "player": "Ana",
                    **_said(sentences.missing("Ana", "red", 4, 5)),
                    "dice": [0, 1, 2, 3],
                },
                {
                    "code": "uncertain",
                    "player": "Ana",
                    **_said(sentences.uncertain("Ana", 6)),
                    "dice": [3],
                },
            ],
        },
        "panel": _lamps(dudo="blink", Ben="on"),
    },
    "telling": {
        **_COUNTING,
        "phase": "telling",
        "reading": {**_READING, "dice": [{**die, "counts": False} for die in _DICE]},
        "tally": _tally(2, 4, 3, 3, 3, 3),
        "redo": _step(13, events.BidMade("Ana", 5, 4), events.DudoCalled("Dorothea-Valentina"), events.Judged(())),
        "panel": _lamps(dudo="blink"),
    },
    "telling-calza": {
        **_COUNTING,
        "phase": "telling",
        "counting": "calza",
        "bid": {"player": "Ana", "count": 5, "face": 4},
        "reading": {**_READING, "dice": [{**die, "counts": False} for die in _DICE]},
        "tally": _tally(2, 4, 3, 3, 3, 3),
        "undo": _step(13, events.CountAsked("calza")),
        "panel": _lamps(calza="blink"),
    },
    "telling-palifico": {
        **_COUNTING,
        "phase": "telling",
        "palifico": "Cid",
        "wild": False,
        "bid": {"player": "Cid", "count": 2, "face": 6},
        "byhand": {
            "Ana": [4, 4, 1, 6, 2],
            "Ben": [4, 3, 5],
            "Cid": [6],
            "Dorothea-Valentina": [1, 2, 5, 3],
            "Élise": [2, 6, 3, 5, 2],
        },
        "tally": _tally(2, 4, 3, 3, 3, 3),
        "undo": _step(13, events.CountedByHand(())),
        "panel": _lamps(dudo="blink"),
    },
    "verdict-wrong": {
        **_CALLED,
        "phase": "verdict",
        "round": 5,
        "starter": "Ben",
        "players": _after({"Ben": 2}),
        "bid": _BASE["bid"],
        "lowest": _NONE,
        "highest": _NONE,
        "may": _NOBODY,
        "call": _CALL,
        "reading": _READING,
        "verdict": _VERDICT,
        "panel": _lamps(Ben="blink"),
    },
    "verdict-right": {
        **_CALLED,
        "phase": "verdict",
        "round": 5,
        "starter": "Ana",
        "players": _after({"Ana": 4}),
        "lowest": _NONE,
        "highest": _NONE,
        "may": _NOBODY,
        "call": _CALL,
        "reading": {
            **_READING,
            "dice": [
                *_DICE[:2],
                {**_DICE[2], "face": 3, "counts": False, "corrected": True, "confidence": 1.0},
                *_DICE[3:],
            ],
        },
        "verdict": _judged(
            pacos=1,
            count=4,
            correct=True,
            loses="Ana",
            opener="Ana",
        ),
        "panel": _lamps(Ana="blink"),
    },
    "verdict-calza": {
        **_CALLED,
        "phase": "verdict",
        "round": 5,
        "starter": "Cid",
        "players": _after({"Cid": 2}),
        "lowest": _NONE,
        "highest": _NONE,
        "may": _NOBODY,
        "call": {"kind": "calza", "player": "Cid"},
        "reading": _READING,
        "verdict": _judged(
            call="calza",
            caller="Cid",
            correct=True,
            loses=None,
            gains="Cid",
            opener="Cid",
        ),
        "panel": _lamps(Cid="blink"),
    },
    "verdict-palifico": {
        **_CALLED,
        "phase": "verdict",
        "round": 5,
        "starter": "Dorothea-Valentina",
        "palifico": "Dorothea-Valentina",
        "wild": False,
        "players": _after({"Cid": 0, "Dorothea-Valentina": 1}),
        "lowest": _NONE,
        "highest": _NONE,
        "may": _NOBODY,
        "call": {"kind": "dudo", "player": "Cid"},
        "reading": None,
        "byhand": {"Ana": [4, 4, 1, 6, 2], "Ben": [4, 3, 5], "Cid": [6], "Dorothea-Valentina": [1, 2, 5, 3]},
        "verdict": _judged(
            caller="Cid",
            bidder="Dorothea-Valentina",
            loses="Cid",
            eliminated="Cid",
            opener="Dorothea-Valentina",
            palifico="Dorothea-Valentina",
        ),
        "panel": _lamps(**{"Dorothea-Valentina": "blink"}),
    },
    "over": {
        **_CALLED,
        "phase": "over",
        "round": 19,
        "turn": None,
        "starter": None,
        "bid": {"player": "Ana", "count": 5, "face": 4},
        "players": _after({"Ana": 3, "Ben": 0, "Cid": 0, "Dorothea-Valentina": 0, "Élise": 0}),
        "winner": "Ana",
        "lowest": _NONE,
        "highest": _NONE,
        "may": _NOBODY,
        "call": _CALL,
        "reading": _READING,
        "verdict": _judged(
            eliminated="Ben",
            opener=None,
            winner="Ana",
        ),
        "panel": _lamps(),
    },
    "over-left": {
        **_CALLED,
        "phase": "over",
        "round": 7,
        "bid": None,
        "call": None,
        "players": _after({"Ana": 0, "Ben": 0, "Cid": 0, "Élise": 0}),
        "winner": "Dorothea-Valentina",
        "company": _COMPANY,
        "last": _VERDICT,
        "undo": _step(40, events.PlayerLeft("Ben", True)),
        "panel": _lamps(),
    },
    "over-ended": {
        **_CALLED,
        "phase": "over",
        "round": 7,
        "bid": None,
        "call": None,
        "company": _COMPANY,
        "last": _VERDICT,
        "undo": _step(40, events.GameEnded()),
        "panel": _lamps(),
    },
}
"""Name -> state. The names are those of the pictures that `tests/browser/pictures.py` makes."""
