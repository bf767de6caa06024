"""The shapes of what the API answers: JSON Schema 2020-12, for the OpenAPI document. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from calibration.palette import COLOURS
from companion.engine import RULESETS
from companion.table.commands import HIGHEST_COUNT, LONGEST_NAME, WIDEST_PICTURE
from companion.table.game.position import Phase
from web.access.join import LONGEST_PHONE_ID
from web.access.phones import ROLES

Schema = dict[str, Any]

NULL: Final[Schema] = {"type": "null"}
TEXT: Final[Schema] = {"type": "string"}
YES_NO: Final[Schema] = {"type": "boolean"}
NUMBER: Final[Schema] = {"type": "number"}
WHOLE: Final[Schema] = {"type": "integer"}
COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
FACE: Final[Schema] = {"type": "integer", "minimum": 1, "maximum": 6}
SHARE: Final[Schema] = {"type": "number", "minimum": 0, "maximum": 1}


def ref(name: str) -> Schema:
    """The schema of that name."""
    return {"$ref": f"#/components/schemas/{name}"}


def obj(wanted: Mapping[str, Schema], more: Mapping[str, Schema] | None = None, says: str = "") -> Schema:
    """An object that has all of `wanted`, may have `more`, and nothing else."""
    schema: Schema = {"type": "object", "properties": {**wanted, **(more or {})}, "additionalProperties": False}
    if wanted:
        schema["required"] = list(wanted)
    return {**schema, "description": says} if says else schema


def arr(item: Schema, **limits: Any) -> Schema:
    """A list of `item`."""
    return {"type": "array", "items": item, **limits}


def null(schema: Schema) -> Schema:
    """`schema`, or null."""
    return {"anyOf": [schema, NULL]}


def by_name(value: Schema, **limits: Any) -> Schema:
    """An object with a `value` for each player, say, whose names nobody knows beforehand."""
    return {"type": "object", "additionalProperties": value, **limits}


def one_of(*values: str) -> Schema:
    """One of these words."""
    return {"type": "string", "enum": list(values)}


def told(wanted: Mapping[str, Schema] | None = None, **more: Schema) -> Schema:
    """An object that is said to people as well, in English and as what it was made of."""
    return obj({**(wanted or {}), "sentence": TEXT}, {"said": ref("Messages"), **more})


_NAME: Final[Schema] = {
    "type": "string",
    "minLength": 1,
    "maxLength": LONGEST_NAME,
    "description": "A name: text, never markup. Trimmed, without control characters.",
}
_COLOUR: Final = one_of(*COLOURS)
_BOOK: Final = one_of(*RULESETS)
_BOX: Final[Schema] = {
    "type": "array",
    "items": {"type": "number", "minimum": -WIDEST_PICTURE, "maximum": WIDEST_PICTURE},
    "minItems": 4,
    "maxItems": 4,
    "description": "x, y, width, height in pixels of the picture.",
}
_BID_COUNT: Final[Schema] = {"type": "integer", "minimum": 1, "maximum": HIGHEST_COUNT}
_CALL: Final = one_of("dudo", "calza")
_NAMES: Final = arr(TEXT)
_LIMITS: Final = obj({str(face): null(WHOLE) for face in range(1, 7)})
_PHONE: Final[Schema] = {
    "type": "string",
    "minLength": 1,
    "maxLength": LONGEST_PHONE_ID,
    "description": "The id of a phone, as k3f9.",
}
_LAMP: Final = one_of("off", "on", "blink", "double", "pulse", "flicker")

_VERDICT: Final = obj(
    {
        "call": _CALL,
        "caller": TEXT,
        "bidder": TEXT,
        "bid": obj({"count": _BID_COUNT, "face": FACE}),
        "wild": YES_NO,
        "faces": COUNT,
        "pacos": COUNT,
        "count": COUNT,
        "correct": YES_NO,
        "loses": null(TEXT),
        "gains": null(TEXT),
        "eliminated": null(TEXT),
        "opener": null(TEXT),
        "palifico": null(TEXT),
        "winner": null(TEXT),
        "sentence": TEXT,
    },
    {"said": ref("Messages")},
)

_DIE: Final = obj(
    {
        "id": COUNT,
        "face": FACE,
        "colour": _COLOUR,
        "player": null(TEXT),
        "box": _BOX,
        "confidence": SHARE,
        "uncertain": YES_NO,
        "likeliest": arr({"type": "array", "prefixItems": [FACE, SHARE], "items": False, "minItems": 2}),
        "corrected": YES_NO,
        "counts": YES_NO,
    }
)

_READING: Final = obj(
    {
        "id": WHOLE,
        "picture": null(TEXT),
        "width": COUNT,
        "height": COUNT,
        "dice": arr(ref("Die")),
        "problems": arr(
            told(
                {
                    "code": one_of("missing", "extra", "foreign", "uncertain"),
                    "player": null(TEXT),
                    "dice": arr(COUNT),
                }
            )
        ),
    }
)

_STATE: Final = obj(
    {
        "version": {**COUNT, "description": "Grows with every change, over a restart of the program too."},
        "phase": one_of(*(phase.value for phase in Phase)),
        "game": {**COUNT, "description": "Counts the games of this journal."},
        "ruleset": _BOOK,
        "calza": YES_NO,
        "round": null(WHOLE),
        "turn": null(TEXT),
        "starter": null(TEXT),
        "palifico": null(TEXT),
        "wild": null(YES_NO),
        "bid": null(obj({"player": TEXT, "count": _BID_COUNT, "face": FACE})),
        "players": arr(
            obj(
                {
                    "name": TEXT,
                    "colour": _COLOUR,
                    "dice": {**null(COUNT), "description": "Null while it is hidden."},
                }
            )
        ),
        "away": arr(obj({"name": TEXT, "dice": null(COUNT)})),
        "company": null(
            obj(
                {
                    "players": arr(obj({"name": TEXT, "colour": _COLOUR})),
                    "ruleset": _BOOK,
                    "calza": YES_NO,
                    "open_lost": YES_NO,
                    "dice": null(by_name(COUNT)),
                    "roll": YES_NO,
                }
            )
        ),
        "open_lost": YES_NO,
        "opening": null(obj({"dice": COUNT, "rolling": _NAMES, "rolls": arr(by_name(arr(FACE)))})),
        "paused": YES_NO,
        "winner": null(TEXT),
        "lowest": {**_LIMITS, "description": "The lowest count of each face that may be bid; null: not that face."},
        "highest": {**_LIMITS, "description": "The highest; null: there is no limit."},
        "may": obj({"bid": _NAMES, "dudo": _NAMES, "calza": _NAMES}),
        "call": null(obj({"kind": _CALL, "player": TEXT})),
        "counting": null(_CALL),
        "asking": null(obj({"kind": one_of("caller"), "players": _NAMES})),
        "cups": _NAMES,
        "waiting": null(
            told({"code": one_of("moving", "reading", "missing", "again", "given-up", "camera", "reader")})
        ),
        "reading": null(ref("Reading")),
        "byhand": null(by_name(arr(FACE))),
        "tally": null(arr(obj({"face": FACE, "alone": COUNT, "with_pacos": COUNT}))),
        "verdict": null(ref("Verdict")),
        "last": null(ref("Verdict")),
        "undo": null(ref("Step")),
        "redo": null(ref("Step")),
        "notice": null(told({"code": TEXT, "number": COUNT})),
        "camera": told({"ok": YES_NO, "name": TEXT}),
        "calibration": obj(
            {"profile": null(TEXT), "notice": null(told({"code": one_of("moved", "other-camera")}))},
            says="The name of the camera's profile, and whether the camera still is as it was then.",
        ),
        "journal": told({"ok": YES_NO}),
        "panel": told({"present": YES_NO, "virtual": YES_NO, "lamps": by_name(_LAMP), "status": _LAMP}),
        "demo": YES_NO,
    },
    {"rules": arr(told({"rule": TEXT, "value": {"type": ["string", "boolean"]}}))},
    "Everything that is so at the table. docs/reference/api.md says what the phases mean and when a part is null.",
)

_CALLS: Final = obj({"called": COUNT, "right": COUNT, "expected": NUMBER})
_STATISTICS: Final = obj(
    {
        "games": COUNT,
        "won": COUNT,
        "rounds": COUNT,
        "players": arr(
            obj(
                {
                    "name": TEXT,
                    "games": COUNT,
                    "won": COUNT,
                    "rounds": COUNT,
                    "bids": COUNT,
                    "highest": null(arr(WHOLE, minItems=2, maxItems=2)),
                    "called": obj(
                        {
                            "times": COUNT,
                            "held": COUNT,
                            "held_expected": NUMBER,
                            "matched": COUNT,
                            "matched_expected": NUMBER,
                            "luck": NUMBER,
                        }
                    ),
                    "dudos": _CALLS,
                    "calzas": _CALLS,
                    "lost": COUNT,
                    "regained": COUNT,
                    "palifico": COUNT,
                }
            )
        ),
        "camera": by_name(COUNT),
    },
    says="As `perudo stats --json` gives them: docs/reference/games.md.",
)

_ROLE: Final = one_of(*ROLES)
_SEATS: Final = by_name(null(_PHONE), description="Player -> the phone on that seat.")
_PHONES: Final = arr(obj({"phone": _PHONE, "role": null(_ROLE), "player": null(TEXT), "host": YES_NO}))
_ME: Final = obj(
    {
        "phone": null(_PHONE),
        "joined": YES_NO,
        "role": null(_ROLE),
        "player": null(TEXT),
        "host": YES_NO,
        "csrf": null(TEXT),
        "code": null(TEXT),
        "seats": _SEATS,
        "phones": {**_PHONES, "description": "Empty for who has not joined."},
        "addresses": arr(TEXT, description="Where other phones reach the page, the best first."),
    },
    {"token": {"type": "string", "description": "Only in the answer to `join`: what a program sends as a bearer."}},
)

_BOOK_SAID: Final = obj({"id": _BOOK, "title": ref("Told"), "edition": ref("Told")})
_RULES: Final = obj(
    {
        "book": _BOOK_SAID,
        "shared": arr(ref("Told")),
        "rules": arr(
            obj(
                {
                    "rule": TEXT,
                    "value": {"type": ["string", "boolean"]},
                    "label": ref("Told"),
                    "says": ref("Told"),
                    "note": null(ref("Told")),
                    "changed": YES_NO,
                    "written": ref("Told"),
                    "theirs": null(ref("Told")),
                    "differs": YES_NO,
                }
            )
        ),
        "compare": null(_BOOK_SAID),
        "books": arr(_BOOK_SAID),
    }
)

_MESSAGE: Final = obj(
    {
        "msgid": TEXT,
        "params": by_name(
            {
                "anyOf": [
                    TEXT,
                    NUMBER,
                    ref("Message"),
                    obj({"count": WHOLE, "face": WHOLE}),
                    obj({"face": WHOLE}),
                    obj({"dice": WHOLE, "colour": null(TEXT)}),
                    obj({"die": TEXT}),
                    obj({"colour": TEXT}),
                    obj({"rounds": WHOLE}),
                    obj({"names": arr({"anyOf": [TEXT, ref("Message")]})}),
                ]
            }
        ),
    },
    says="One message: the English with {names} in it, and what they stand for. A text is a name, in every language.",
)

SCHEMAS: Final[Mapping[str, Schema]] = {
    "State": _STATE,
    "Reading": _READING,
    "Die": _DIE,
    "Verdict": _VERDICT,
    "Step": told({"step": WHOLE, "kind": TEXT}),
    "Me": _ME,
    "Presence": obj({"seats": _SEATS, "phones": _PHONES}),
    "Story": obj(
        {
            "game": null(WHOLE),
            "story": arr(TEXT),
            "said": arr(ref("Messages")),
            "statistics": null(ref("Statistics")),
            "company": null(ref("Statistics")),
        }
    ),
    "Statistics": _STATISTICS,
    "Choices": obj(
        {
            "rulesets": arr(told({"id": _BOOK, "title": TEXT, "edition": TEXT})),
            "ruleset": _BOOK,
            "colours": arr(_COLOUR),
            "players": arr(WHOLE, minItems=2, maxItems=2),
        }
    ),
    "Rules": _RULES,
    "Told": told(),
    "Message": _MESSAGE,
    "Messages": arr(ref("Message"), description="What a sentence was made of, one after the other, parted by spaces."),
    "Health": obj(
        {
            "ok": YES_NO,
            "reasons": arr(TEXT),
            "version": COUNT,
            "phase": TEXT,
            "camera": null(TEXT),
            "listeners": COUNT,
        }
    ),
    "Refusal": obj(
        {"error": TEXT, "message": TEXT},
        {"said": ref("Messages")},
        "Why it was not done: a word for programs and a sentence for people. Nothing has changed.",
    ),
    "Seat": {
        "oneOf": [
            obj({"role": {"const": "player"}, "player": _NAME}),
            obj({"role": one_of("table", "watching")}),
        ]
    },
}
"""Every shape by its name."""
