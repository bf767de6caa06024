"""The OpenAPI document of the API: every address, what it takes, what it answers, and every way in which it refuses.

`GET /api/v1/openapi.json` answers `document()`. The schemas come from the types; the rest is written by hand, as a
promise. The tests check every address and every answer against it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from companion.calibrating.changes import CHANGES, IgnoreNotice
from web.access.access import cookie
from web.headers import CSRF, IDEMPOTENCY_KEY, REPEATED, RUN, VERSION
from web.openapi import requests
from web.openapi.json_schema import NUMBER, TEXT, Schema, one_of, ref
from web.openapi.schemas import COUNT, answer_schemas

VERSION_OF_API: Final = "1.0.0"
API: Final = "/api/v1"

REFUSALS: Final[Mapping[str, tuple[int, str]]] = {
    "unreadable": (400, "The body or a field of it cannot be read."),
    "idempotency-key": (400, f"{IDEMPOTENCY_KEY} is missing, or was sent with another change before."),
    "version": (400, f"{VERSION} is missing, or is still to come."),
    "bad-player": (
        400,
        "Or `bad-colour`, `bad-die`, `bad-ruleset`, `bad-call`, `bad-record`: it cannot be that.",
    ),
    "unknown-die": (400, "There is no such die in the picture."),
    "refused": (400, "The request is none."),
    "join-first": (401, "The phone has not joined."),
    "host": (403, "The Host header names another machine."),
    "origin": (403, "Another page sent it."),
    "wrong-code": (403, "This is not the table's code."),
    "csrf": (403, f"{CSRF} is missing or another phone's. A bearer needs none."),
    "watching": (403, "A phone that only watches changes nothing."),
    "not-yours": (403, "It is a player's to say, whose phone is at the table."),
    "not-host": (403, "Only the host's phone does that."),
    "hidden": (403, "How many dice lie under the cups is hidden now, and the picture shows it."),
    "not_found": (404, "There is nothing at this address."),
    "method": (405, "This address answers other requests."),
    "stale": (409, "Somebody else has decided something since that version."),
    "seat-taken": (409, "Another phone has this seat."),
    "unknown-phone": (409, "There is no such phone."),
    "wrong-phase": (
        409,
        "It is not allowed now; or `paused`, `not-paused`, `together`, `game-on`, `no-reading`, `ended`, `not-away`, "
        "`unknown-player`, `not-your-turn`, `no-bid`, `illegal-bid`, `calza-not-allowed`, `eliminated-player`, "
        "`dice-mismatch`, `closed`. The message says why.",
    ),
    "calibrating": (409, "Another phone calibrates; or nobody does: `not-calibrating`."),
    "dice-read": (409, "The dice are being read: what they are read by does not change now."),
    "wrong-step": (409, "The calibration is not that far; or `nothing-found`, `bad-length`, `bad-profile`."),
    "bad-step": (400, "There is no such step."),
    "too_large": (413, "More than 16 KiB."),
    "content_type": (415, "The Content-Type must be application/json."),
    "slow-down": (429, "Too many wrong codes, or new phones, from this address or in all."),
    "internal": (500, "A fault of the program."),
    "busy": (503, "Too many streams; or the program is stopping: `closed`."),
    "under-way": (503, "The same tap is still being carried out."),
    "camera": (503, "`camera` or `no_camera`: there is no picture."),
    "journal": (503, "It cannot be kept."),
}
"""The word of each refusal -> its status, and when it comes."""

_ALWAYS: Final = (400, 403, 405, 500)
_CHANGE: Final = (*_ALWAYS, 401, 409, 413, 415, 503)

_HEADERS: Final[Mapping[int, Mapping[str, Schema]]] = {
    401: {"WWW-Authenticate": {"schema": TEXT}},
    405: {"Allow": {"schema": TEXT}},
    429: {"Retry-After": {"schema": COUNT, "description": "Seconds.", "required": True}},
    503: {"Retry-After": {"schema": COUNT, "description": "Seconds."}},
}


@cache  # made when it is first asked for: the start of a Pi is slow enough
def document() -> Schema:
    """The whole document, OpenAPI 3.1."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Perudo companion",
            "version": VERSION_OF_API,
            "summary": "The table of a real Perudo game, with a camera that reads the dice.",
            "description": _DESCRIPTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [
            {"name": "watch", "description": "Open to everybody on the network."},
            {"name": "join", "description": "Who a phone is, and whose seat it has."},
            {"name": "game", "description": "Bids, calls and what follows. Each answers the new state."},
            {"name": "dice", "description": "What the dice show."},
            {"name": "company", "description": "Who plays, and whether."},
            {"name": "camera", "description": "Calibrating it. Each answers how the calibration stands."},
        ],
        "paths": {**_reading(), **_pictures(), **_joining(), **_game(), **_calibration()},
        "components": {
            "schemas": {**answer_schemas(), **requests.schemas()},
            "responses": {f"Refused{status}": _refused(status) for status in sorted({s for s, _ in REFUSALS.values()})},
            "headers": {
                "Run": {"schema": TEXT, "description": "Names this start of the program."},
                "Again": {"schema": one_of("1"), "description": "This is the answer given before to the same key."},
            },
            "parameters": {
                "Csrf": _header(CSRF, TEXT, "The `csrf` of `/me`. Wanted with the cookie; a bearer needs none.", False),
                "Key": _header(
                    IDEMPOTENCY_KEY,
                    {"type": "string", "pattern": "^[!-~]{8,64}$"},
                    "Another one for every tap. Sent again with the same key a change counts once, and the answer is "
                    "the one given before.",
                ),
                "Version": _header(
                    VERSION, {"type": "string", "pattern": "^[0-9]{1,18}$"}, "The version of the state it was made on."
                ),
            },
            "securitySchemes": {
                "cookie": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": cookie("8000"),
                    "description": "Set by `/join`; HttpOnly, SameSite=Lax, for a year. 8000 is the table's port.",
                },
                "bearer": {"type": "http", "scheme": "bearer", "description": "The `token` of `/join`."},
            },
        },
    }


_DESCRIPTION: Final = f"""\
Watching is open. Whoever acts joins with the table's code first, which gives a token: as the cookie
`perudo_phone_PORT` for a page, in the answer for a program, which sends it as `Authorization: Bearer`. A change is a
POST of JSON with `{IDEMPOTENCY_KEY}` and, where it changes the game, `{VERSION}`; a page adds `{CSRF}`. A field that
nobody knows is refused. The box answers only to its own addresses and names, and never to another page.
docs/reference/api.md tells the same with an example.
"""


# What the paths are made of


def _header(name: str, schema: Schema, says: str, required: bool = True) -> Schema:
    return {"name": name, "in": "header", "required": required, "schema": schema, "description": says}


def _refused(status: int) -> Schema:
    lines = [f"- `{code}`: {says}" for code, (at, says) in REFUSALS.items() if at == status]
    response: Schema = {
        "description": "\n".join(lines),
        "content": {"application/json": {"schema": ref("Refusal")}},
    }
    return {**response, "headers": dict(_HEADERS[status])} if status in _HEADERS else response


def _refusals(statuses: Sequence[int]) -> Schema:
    return {str(status): {"$ref": f"#/components/responses/Refused{status}"} for status in sorted(set(statuses))}


def _json(schema: Schema, says: str, **more: Any) -> Schema:
    return {"description": says, "content": {"application/json": {"schema": schema}}, **more}


def _get(name: str, says: str, answer: Schema, refuses: Sequence[int] = (), **more: Any) -> Schema:
    return {
        "get": {
            "operationId": name,
            "tags": ["watch"],
            "summary": says,
            "responses": {"200": answer, **_refusals((*_ALWAYS, *refuses))},
            **more,
        }
    }


def _post(
    name: str,
    tag: str,
    says: str,
    takes: str,
    *,
    answers: str = "State",
    version: bool = True,
    parameters: Sequence[Schema] = (),
    refuses: Sequence[int] = (),
) -> Schema:
    wanted = ["Csrf", "Key", *(["Version"] if version else [])]
    answer = _json(ref(answers), "It is done: what is so now.")
    answer["headers"] = {REPEATED: {"$ref": "#/components/headers/Again"}}
    return {
        "post": {
            "operationId": name,
            "tags": [tag],
            "summary": says,
            "security": [{"cookie": []}, {"bearer": []}],
            "parameters": [*parameters, *({"$ref": f"#/components/parameters/{each}"} for each in wanted)],
            "requestBody": {"required": True, "content": {"application/json": {"schema": ref(takes)}}},
            "responses": {"200": answer, **_refusals((*_CHANGE, *refuses))},
        }
    }


def _in_path(name: str, schema: Schema) -> Schema:
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _query(name: str, schema: Schema, says: str) -> Schema:
    return {"name": name, "in": "query", "schema": schema, "description": says}


# The paths

_JPEG: Final = {"image/jpeg": {"schema": {"type": "string", "contentMediaType": "image/jpeg"}}}


def _reading() -> Schema:
    run = {RUN: {"$ref": "#/components/headers/Run"}}
    stream = {
        "description": "Server-sent events. `event: state` with `id: RUN-VERSION` and the whole State: one at once, "
        "one at every change. `event: seats` with a Presence whenever somebody sits elsewhere. A comment every 10 s. "
        "Whoever reads nothing for 20 s is cut off.",
        "headers": run,
        "content": {"text/event-stream": {"schema": TEXT}},
    }
    last = _header(
        "Last-Event-ID",
        TEXT,
        "The id that was told last: what was missed since is told, up to 64 states; the whole state where it is not "
        "known any more.",
        False,
    )
    code = _query("code", one_of("1"), "With the table's code in it, for who has joined.")
    return {
        f"{API}/state": _get("state", "The whole public state.", _json(ref("State"), "What is so now.")),
        f"{API}/events": _get("events", "The same at every change.", stream, (503,), parameters=[last]),
        f"{API}/story": _get("story", "How the game went, and its figures.", _json(ref("Story"), "Told and counted.")),
        f"{API}/choices": _get("choices", "What a new game may be.", _json(ref("Choices"), "The choices.")),
        f"{API}/rules": _get(
            "rules",
            "The rules in play, in words.",
            _json(ref("Rules"), "Rule by rule."),
            (404,),
            parameters=[_query("compare", TEXT, "The id of a book to tell the differences to.")],
        ),
        f"{API}/me": _get("me", "Who asks, and who sits where.", _json(ref("Me"), "Who this phone is.")),
        f"{API}/qr.svg": _get(
            "qr",
            "The page's address as a QR code.",
            {"description": "Black on white.", "content": {"image/svg+xml": {"schema": TEXT}}},
            parameters=[code],
        ),
        f"{API}/openapi.json": _get("openapi", "This document.", _json({"type": "object"}, "OpenAPI 3.1.")),
        "/healthz": {
            "get": {
                "operationId": "healthz",
                "tags": ["watch"],
                "summary": "Whether a game can be judged and kept now.",
                "responses": {
                    "200": _json(ref("Health"), "It can."),
                    "503": _json(ref("Health"), "It cannot: the camera gives no pictures, or the journal is not kept."),
                    **_refusals(_ALWAYS),
                },
            }
        },
    }


def _pictures() -> Schema:
    return {
        f"{API}/pictures/{{name}}.jpg": _get(
            "picture",
            "The picture that was judged.",
            {"description": "As it was read; no boxes are drawn.", "content": _JPEG},
            (404,),
            parameters=[
                _in_path("name", TEXT),
                _query("run", TEXT, f"The stream's {RUN}: then a browser may keep it for ever."),
            ],
        ),
        f"{API}/frame.jpg": _get(
            "frame",
            "What the camera sees now.",
            {"description": "At most 960 pixels wide.", "content": _JPEG},
            (503,),
        ),
    }


def _joining() -> Schema:
    joined = _json(
        ref("Me"),
        "The phone has joined. `token` is for programs, not for what sends an `Origin` or `Sec-Fetch-Site`.",
    )
    joined["headers"] = {"Set-Cookie": {"schema": TEXT}}
    return {
        f"{API}/join": {
            "post": {
                "operationId": "join",
                "tags": ["join"],
                "summary": "Join by the table's code. After wrong codes it takes ever longer.",
                "parameters": [
                    _header(IDEMPOTENCY_KEY, TEXT, "Within a minute, the same key is the same phone.", False)
                ],
                "requestBody": {"required": True, "content": {"application/json": {"schema": ref("Join")}}},
                "responses": {"200": joined, **_refusals((*_ALWAYS, 413, 415, 429))},
            }
        },
        f"{API}/seat": _post("seat", "join", "Say whose phone this is.", "Seat", answers="Me", version=False),
        f"{API}/seat/hand": _post(
            "hand", "join", "The host gives a seat to another phone.", "Hand", answers="Me", version=False
        ),
        f"{API}/host": _post(
            "host",
            "join",
            "The host makes another phone the host; any phone itself, when the host's is away for two minutes.",
            "Host",
            answers="Me",
            version=False,
        ),
    }


def _calibration() -> Schema:
    base = f"{API}/calibration"
    pdf = {"application/pdf": {"schema": {"type": "string", "contentMediaType": "application/pdf"}}}
    return {
        base: _get(
            "calibration",
            "How the calibration stands. Whoever asks keeps it looking.",
            _json(ref("Calibration"), "It."),
            (503,),
        ),
        f"{base}/picture.jpg": _get(
            "calibration_picture",
            "What the calibration sees.",
            {"description": "At most 960 pixels wide.", "content": _JPEG},
            (404, 503),
            parameters=[_query("number", COUNT, "Of the state; one that is gone gives the latest.")],
        ),
        f"{base}/compared/{{which}}.jpg": _get(
            "calibration_compared",
            "The picture as the camera gives it, and as it is read.",
            {"description": "At most 960 pixels wide.", "content": _JPEG},
            (404, 503),
            parameters=[_in_path("which", one_of("before", "after"))],
        ),
        f"{base}/sheet.pdf": _get(
            "calibration_sheet",
            "The sheet to print.",
            {"description": "One page, to scale.", "content": pdf},
            parameters=[
                _query("paper", one_of("a4", "letter"), "The paper."),
                _query("language", one_of("en", "fr", "nl", "it", "es"), "Of what is written on it."),
            ],
        ),
        f"{base}/sheet.svg": _get(
            "calibration_screen",
            "The sheet for a screen.",
            {"description": "7 x 9 squares with its white border.", "content": {"image/svg+xml": {"schema": TEXT}}},
            parameters=[_query("square", NUMBER, "Pixels that a square is wide: 8 to 400.")],
        ),
        **{
            f"{API}/{kind.address.path}": _post(
                kind.address.operation,
                kind.address.topic,
                (kind.__doc__ or "").partition("\n")[0],
                kind.address.takes,
                answers="State" if kind is IgnoreNotice else "Calibration",
                version=False,
            )
            for kind in CHANGES
        },
    }


def _game() -> Schema:
    paths = {}
    for kind, address in requests.posted():
        fields = requests.in_address(address)
        paths[f"{API}/{address.path}"] = _post(
            address.operation,
            address.topic,
            (kind.__doc__ or "").partition("\n")[0],
            address.takes,
            parameters=[_in_path(field, COUNT) for field in fields],
            refuses=(404,) if fields else (),
        )
    return {
        **paths,
        f"{API}/panel/{{button}}/{{action}}": _post(
            "press",
            "game",
            "Press the virtual panel. A press that is refused answers 200 too, and `notice` says why.",
            "Nothing",
            version=False,
            parameters=[_in_path("button", one_of("dudo", "calza")), _in_path("action", one_of("press", "release"))],
            refuses=(404,),
        ),
    }
