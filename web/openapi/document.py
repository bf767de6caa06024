"""The OpenAPI document of the API: every address, its parameters, its answers and its refusals.

`GET /api/v1/openapi.json` returns `document()`. The schemas come from the types; the rest is written by hand, as a
promise. The tests check every address and every answer against it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from companion.box.backup.desk import MOST_PIECES
from companion.calibrating.changes import Change, IgnoreNotice
from companion.camera.photos import MOST_PHOTOS
from web.access.access import cookie
from web.errors import REFUSALS
from web.headers import CSRF, IDEMPOTENCY_KEY, KEY_PATTERN, REPEATED, RUN, VERSION, VERSION_PATTERN
from web.openapi.schemas import Schema, body_name, one_of, posted, ref, schemas
from web.photos import SET_PATTERN

VERSION_OF_API: Final = "1.0.0"
API: Final = "/api/v1"

TEXT: Final[Schema] = {"type": "string"}
NUMBER: Final[Schema] = {"type": "number"}
COUNT: Final[Schema] = {"type": "integer", "minimum": 0}

_ALWAYS: Final = (400, 403, 405, 500)
_CHANGE: Final = (*_ALWAYS, 401, 409, 413, 415, 503)

_HEADERS: Final[Mapping[int, Mapping[str, Schema]]] = {
    401: {"WWW-Authenticate": {"schema": TEXT}},
    405: {"Allow": {"schema": TEXT}},
    429: {"Retry-After": {"schema": COUNT, "description": "Seconds.", "required": True}},
    503: {"Retry-After": {"schema": COUNT, "description": "Seconds."}},
}

_DESCRIPTION: Final = f"""\
Everybody may watch. A phone that acts joins with the table's code first, which gives it a token: a page as the cookie
`perudo_phone_PORT`, a program in the answer, to be sent as `Authorization: Bearer`. A change is a POST of JSON with
`{IDEMPOTENCY_KEY}` and, if it changes the game, `{VERSION}`; a page adds `{CSRF}`. Unknown fields are refused. The box
answers only to its own addresses and names, and to no page of another site. docs/reference/api.md has an example.
"""


@cache  # made at the first request: the start of a Pi is slow enough
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
            {"name": "demo", "description": "Only in `perudo demo`; a box answers 404."},
            {"name": "camera", "description": "Calibrating it. Each answers the state of the calibration."},
            {"name": "box", "description": "Looking after the box: for the host's phone."},
        ],
        "paths": {**_watching(), **_calibration(), **_joining(), **_commands(), **_photos(), **_demo(), **_box()},
        "components": {
            "schemas": schemas(),
            "responses": {f"Refused{status}": _refused(status) for status in sorted({s for s, _ in REFUSALS.values()})},
            "headers": {
                "Run": {"schema": TEXT, "description": "Names this start of the program."},
                "Again": {"schema": one_of("1"), "description": "This answer was given to the same key before."},
            },
            "parameters": {
                "Csrf": _header(CSRF, TEXT, "The `csrf` of `/me`. Needed with the cookie, not by a bearer.", False),
                "Key": _header(
                    IDEMPOTENCY_KEY,
                    {"type": "string", "pattern": f"^{KEY_PATTERN}$"},
                    "A different one for every tap. A change that is sent again with the same key counts once and gets "
                    "the first answer again.",
                ),
                "Version": _header(
                    VERSION,
                    {"type": "string", "pattern": f"^{VERSION_PATTERN}$"},
                    "The version of the state that the change is based on.",
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


# What the paths are made of


def _json(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}


def _file(mimetype: str) -> Schema:
    return {mimetype: {"schema": {"type": "string", "contentMediaType": mimetype}}}


def _header(name: str, schema: Schema, description: str, required: bool = True) -> Schema:
    return {"name": name, "in": "header", "required": required, "schema": schema, "description": description}


def _in_path(name: str, schema: Schema) -> Schema:
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _query(name: str, schema: Schema, description: str) -> Schema:
    return {"name": name, "in": "query", "schema": schema, "description": description}


def _refused(status: int) -> Schema:
    lines = [f"- `{code}`: {when}" for code, (at, when) in REFUSALS.items() if at == status]
    return {
        "description": "\n".join(lines),
        "content": _json(ref("Refusal")),
        "headers": dict(_HEADERS.get(status, {})),
    }


def _responses(description: str, content: Schema, headers: Schema, refuses: Sequence[int]) -> Schema:
    refused = {str(status): {"$ref": f"#/components/responses/Refused{status}"} for status in sorted({*refuses})}
    return {"200": {"description": description, "content": content, "headers": headers}, **refused}


def _get(
    name: str,
    summary: str,
    content: Schema,
    *parameters: Schema,
    headers: Mapping[str, Schema] | None = None,
    refuses: Sequence[int] = (),
) -> Schema:
    return {
        "get": {
            "operationId": name,
            "tags": ["watch"],
            "summary": summary,
            "parameters": list(parameters),
            "responses": _responses(summary, content, dict(headers or {}), (*_ALWAYS, *refuses)),
        }
    }


def _post(
    name: str,
    tag: str,
    summary: str,
    takes: str,
    answers: str,
    *parameters: Schema,
    headers: Mapping[str, Schema],
    refuses: Sequence[int],
) -> Schema:
    return {
        "operationId": name,
        "tags": [tag],
        "summary": summary,
        "parameters": list(parameters),
        "requestBody": {"required": True, "content": _json(ref(takes))},
        "responses": _responses("It is done.", _json(ref(answers)), dict(headers), refuses),
    }


def _change(
    name: str,
    tag: str,
    summary: str,
    takes: str,
    *in_path: Schema,
    answers: str = "State",
    version: bool = True,
) -> Schema:
    """A POST from a phone that has joined, which counts once."""
    wanted = ["Csrf", "Key", *(["Version"] if version else [])]
    post = _post(
        name,
        tag,
        summary,
        takes,
        answers,
        *in_path,
        *({"$ref": f"#/components/parameters/{each}"} for each in wanted),
        headers={REPEATED: {"$ref": "#/components/headers/Again"}},
        refuses=(*_CHANGE, 404) if in_path else _CHANGE,
    )
    return {"post": {**post, "security": [{"cookie": []}, {"bearer": []}]}}


# The paths


def _watching() -> Schema:
    healthz = _get("healthz", "Whether a game can be judged and saved now.", _json(ref("Health")))
    healthz["get"]["responses"]["503"] = {
        "description": "It cannot: the camera gives no pictures, or the journal cannot be written.",
        "content": _json(ref("Health")),
    }
    return {
        f"{API}/state": _get("state", "The whole public state.", _json(ref("State"))),
        f"{API}/events": _get(
            "events",
            "The state at every change, as server-sent events.",
            {"text/event-stream": {"schema": {**TEXT, "description": _EVENTS}}},
            _header(
                "Last-Event-ID",
                TEXT,
                "The id of the last event received. Up to 64 states missed since are sent; the whole state if there "
                "were more, or the id is unknown.",
                False,
            ),
            headers={RUN: {"$ref": "#/components/headers/Run"}},
            refuses=(503,),
        ),
        f"{API}/story": _get(
            "story", "The story of the game, and its statistics.", _json(ref("Story")), refuses=(503,)
        ),
        f"{API}/turn": _get(
            "turn", "How many seconds of the turn are left, in a game with a clock.", _json(ref("Turn"))
        ),
        f"{API}/games": _get(
            "games",
            "The past games, the newest first, without the one that is being played.",
            _json(ref("PastGames")),
            _query("page", {"type": "integer", "minimum": 1}, "The page of the list; 20 games are on each."),
            refuses=(404, 503),
        ),
        f"{API}/games/{{game}}": _get(
            "past_game",
            "A past game: its story, statistics and record.",
            _json(ref("PastGameStory")),
            _in_path("game", TEXT),
            refuses=(404, 503),
        ),
        f"{API}/games/{{game}}/review": _get(
            "review",
            "What could have been known and done in a past game. Not while a game is being played.",
            _json(ref("GameReview")),
            _in_path("game", TEXT),
            refuses=(404, 409, 503),
        ),
        f"{API}/statistics": _get(
            "statistics",
            "What the players did in the past games, compared with chance, and their totals from game to game.",
            _json(ref("PastStatistics")),
            _query("company", TEXT, "A past game: only games of exactly its players. Without it, all."),
            refuses=(404, 503),
        ),
        f"{API}/choices": _get("choices", "The choices for a new game.", _json(ref("Choices"))),
        f"{API}/rules": _get(
            "rules",
            "The rules in play, in words.",
            _json(ref("Rules")),
            _query("compare", TEXT, "The id of a book to compare with."),
            refuses=(404,),
        ),
        f"{API}/me": _get("me", "Who this phone is, and who sits where.", _json(ref("Me"))),
        f"{API}/qr.svg": _get(
            "qr",
            "The page's address as a QR code.",
            {"image/svg+xml": {"schema": TEXT}},
            _query("code", one_of("1"), "1 puts the table's invitation into it, for phones that have joined."),
            refuses=(503,),
        ),
        f"{API}/openapi.json": _get("openapi", "This document.", _json({"type": "object"}), refuses=(503,)),
        "/healthz": healthz,
        "/metrics": _get(
            "metrics",
            "Figures for Prometheus: readings, dice asked about and corrected, seconds to a verdict, the machine.",
            {"text/plain": {"schema": TEXT}},
        ),
        f"{API}/pictures/{{name}}.jpg": _get(
            "picture",
            "The picture that was judged.",
            _file("image/jpeg"),
            _in_path("name", TEXT),
            _query("run", TEXT, f"The stream's {RUN}: a browser may then keep it for ever."),
            refuses=(404,),
        ),
        f"{API}/frame.jpg": _get(
            "frame",
            "What the camera sees now, at most 960 pixels wide. While dice may lie under cups, for the host's phone.",
            _file("image/jpeg"),
            refuses=(503,),
        ),
    }


_EVENTS: Final = """\
`event: state` with `id: RUN-VERSION` and the whole State: one at once, one at every change. `event: seats` with a
Presence at every change of seats. A comment every 10 s. A phone that reads nothing for 20 s is cut off.\
"""


def _calibration() -> Schema:
    base = f"{API}/calibration"
    return {
        base: _get(
            "calibration",
            "The state of the calibration, which looks at frames as long as a phone that has joined asks.",
            _json(ref("CalibrationState")),
            refuses=(503,),
        ),
        f"{base}/picture.jpg": _get(
            "calibration_picture",
            "What the calibration sees, at most 960 pixels wide.",
            _file("image/jpeg"),
            _query("number", COUNT, "The number in the state; the latest picture if that one is no longer there."),
            refuses=(404, 503),
        ),
        f"{base}/compared/{{which}}.jpg": _get(
            "calibration_compared",
            "The camera's picture before and after it is straightened.",
            _file("image/jpeg"),
            _in_path("which", one_of("before", "after")),
            refuses=(404, 503),
        ),
        f"{base}/sheet.pdf": _get(
            "calibration_sheet",
            "The sheet to print: one page, to scale.",
            _file("application/pdf"),
            _query("paper", one_of("a4", "letter"), "The paper."),
            _query("language", one_of("en", "fr", "nl", "it", "es"), "The language of its text."),
        ),
        f"{base}/sheet.svg": _get(
            "calibration_screen",
            "The sheet for a screen: 7 x 9 squares with a white border.",
            {"image/svg+xml": {"schema": TEXT}},
            _query("square", NUMBER, "The width of a square in pixels, 8 to 400."),
        ),
    }


def _joining() -> Schema:
    join = _post(
        "join",
        "join",
        "Join with the table's code or QR code. Each wrong code makes the next wait longer.",
        "Join",
        "Me",
        _header(IDEMPOTENCY_KEY, TEXT, "Requests with the same key within a minute join as one phone.", False),
        headers={"Set-Cookie": {"schema": TEXT}},
        refuses=(*_ALWAYS, 413, 415, 429),
    )
    hosts = "The host makes another phone the host; any phone itself, once the host's has been away for two minutes."
    return {
        f"{API}/join": {"post": join},
        **{
            f"{API}/{path}": _change(name, "join", summary, takes, answers="Me", version=False)
            for path, name, takes, summary in (
                ("seat", "seat", "Seat", "Say whose phone this is."),
                ("seat/hand", "hand", "Hand", "The host gives a seat to another phone."),
                ("host", "host", "Host", hosts),
            )
        },
    }


def _commands() -> Schema:
    paths = {
        f"{API}/{address.path}": _change(
            address.operation,
            address.topic,
            (kind.__doc__ or "").partition("\n")[0],
            body_name(kind, address),
            *(_in_path(field, COUNT) for field in address.fields),
            answers="CalibrationState" if issubclass(kind, Change) and kind is not IgnoreNotice else "State",
            version=not issubclass(kind, Change),
        )
        for kind, address in posted()
    }
    press = _change(
        "press",
        "game",
        "Press the virtual panel. A press that is refused answers 200 too, and `notice` says why.",
        "Nothing",
        _in_path("button", one_of("dudo", "calza")),
        _in_path("action", one_of("press", "release")),
        version=False,
    )
    return {**paths, f"{API}/panel/{{button}}/{{action}}": press}


def _photos() -> Schema:
    paths = {
        "dice": (
            "photo",
            "A phone's picture of the dice, while they are to be read. It is read once its set is there.",
        ),
        "before": ("photo_before", "The same of the table before the cups go up: what lies there is not in play."),
    }
    some: Schema = {"type": "integer", "minimum": 1, "maximum": MOST_PHOTOS}
    query = (
        _query("round", COUNT, "The round of the state; 0 if it has none."),
        _query("set", {"type": "string", "pattern": f"^{SET_PATTERN}$"}, "Names the pictures of one table."),
        _query("of", some, "How many they are; 1 if left out."),
        _query("number", some, "Which of them this is; 1 if left out."),
    )
    described = {
        f"{API}/photos/{what}": _change(name, "dice", summary, "Nothing", *query, version=False)
        for what, (name, summary) in paths.items()
    }
    for change in described.values():
        change["post"]["requestBody"] = {"required": True, "content": _file("image/jpeg")}
    return described


def _demo() -> Schema:
    own_dice = _get(
        "own_dice",
        "The dice under the cup of the player whose phone asks, and nobody else's.",
        _json(ref("OwnDice")),
        refuses=(401, 404),
    )
    own_dice["get"]["tags"] = ["demo"]
    changes = {
        "robots": ("robots", "Robots", "Say whom robots play. They play from then on."),
        "hurry": ("hurry", "Nothing", "Let the robot that thinks act at once; after an undo, let the robots go on."),
    }
    described = {
        f"{API}/demo/{path}": _change(name, "demo", summary, takes, version=False)
        for path, (name, takes, summary) in changes.items()
    }
    for change in described.values():
        change["post"]["responses"]["404"] = {"$ref": "#/components/responses/Refused404"}
    return {f"{API}/demo/dice": own_dice, **described}


_CHOOSE: Final = """\
Have the box join a Wi-Fi. On the box's own Wi-Fi any phone may, while nobody plays, and needs no token.\
"""


def _box() -> Schema:
    log = _get("box_log", "The last 500 lines of the log, without secrets.", _json(ref("LogLines")), refuses=(401,))
    health = _get("box_health", "Whether the box is well, in words.", _json(ref("BoxHealth")), refuses=(401, 404))
    bundle = _get("box_bundle", "The report for a bug, without secrets.", _file("application/zip"), refuses=(401, 404))
    changes = {
        "camera": "Look for the camera at once, even if it failed a moment ago.",
        "restart": "Start the program anew. Not while a game is going on.",
        "repair": "Start it anew, and set the journal aside if it is damaged. Not while a game is going on.",
        "second": "Start it anew as another box than the one whose memory card was copied: in no club, without "
        "certificates, its own Wi-Fi under another name. Not while a game is going on.",
    }
    for described in (log, health, bundle):
        described["get"]["tags"] = ["box"]
    posts = {
        f"{API}/box/{path}": _change(f"box_{path}", "box", summary, "Nothing", answers="BoxState", version=False)
        for path, summary in changes.items()
    }
    for described in posts.values():
        described["post"]["responses"]["404"] = {"$ref": "#/components/responses/Refused404"}
    return {
        f"{API}/box": _get("box", "What the box is: its version, its name.", _json(ref("BoxState"))),
        f"{API}/box/health": health,
        f"{API}/box/log": log,
        f"{API}/box/bundle.zip": bundle,
        **posts,
        **_backup(),
        **{
            f"{API}/box/{path}": _change(name, "box", summary, takes, answers="BoxState", version=False)
            for path, name, takes, summary in (
                ("wifi", "choose_wifi", "ChooseWifi", _CHOOSE),
                ("club", "join_club", "JoinByInvitation", "Join a club by an invitation of its hub."),
                ("club/leave", "leave_club", "Nothing", "Leave the club. What is in its books stays there."),
                ("club/names", "club_names", "ClubNames", "Who may be named in the club, from now on."),
                ("wifi/own", "open_own_wifi", "Nothing", "Open the box's own Wi-Fi."),
                ("update/look", "look_for_update", "Nothing", "Look for a newer version."),
                ("update", "update", "Nothing", "Fetch the newer version and try it. The program starts anew."),
                ("update/back", "go_back", "Nothing", "Use the version before again. The program starts anew."),
            )
        },
        f"{API}/box/certificate": _change(
            "make_certificate",
            "box",
            "Make the box's own certificate, so that the page is there over https too.",
            "Nothing",
            answers="BoxState",
            version=False,
        ),
    }


def _backup() -> Schema:
    file = _get(
        "backup",
        "The box as one file: the one that is ready, or one made now.",
        _file("application/zip"),
        _query("secrets", one_of("1"), "1 adds the table's code and the phones: whoever has the file can then join."),
        refuses=(401, 404, 409),
    )
    file["get"]["tags"] = ["box"]
    changes = {
        "backup": ("make_backup", "WantedBackup", "Begin to write a backup, for `backup.zip` or to the USB stick."),
        "backup/cancel": ("cancel_restore", "Nothing", "Forget the backup that was sent."),
        "backup/back": ("undo_restore", "Nothing", "Put back what was here before. The program starts anew."),
        "restore": ("restore", "ReplaceBox", "Put the backup that was sent in place. The program starts anew."),
        "stick": ("stick", "Nothing", "Begin to look which backups are on the USB stick."),
        "stick/restore": ("restore_from_stick", "StickChoice", "Begin to take a backup from the USB stick."),
    }
    pieces: Schema = {"type": "integer", "minimum": 1, "maximum": MOST_PIECES}
    piece = _change(
        "restore_piece",
        "box",
        "A piece of a backup, 4 MiB at most. They come in order; after the last one the whole is checked.",
        "Nothing",
        {**_in_path("together", {"type": "string", "pattern": f"^{SET_PATTERN}$"}), "description": "Names the file."},
        _query("of", pieces, "How many pieces there are."),
        _query("number", pieces, "Which of them this is."),
        answers="BoxState",
        version=False,
    )
    piece["post"]["requestBody"] = {"required": True, "content": _file("application/octet-stream")}
    described = {
        f"{API}/box/{path}": _change(name, "box", summary, takes, answers="BoxState", version=False)
        for path, (name, takes, summary) in changes.items()
    }
    for change in described.values():
        change["post"]["responses"]["404"] = {"$ref": "#/components/responses/Refused404"}
    return {f"{API}/box/backup.zip": file, f"{API}/box/restore/{{together}}": piece, **described}
