"""The OpenAPI document of an API, generated from its endpoints. Pure.

msgspec generates the schemas of bodies and answers from their types. The tests check every address and every answer
against the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, get_args

from msgspec import Struct
from msgspec.json import schema_components

from companion.messages.message import Param
from companion.table.commands import PlayerName, SetDie
from web.access.access import cookie
from web.access.join import Seat
from web.access.phones import Presence
from web.endpoints import COUNT, JSON, TEXT, Endpoint, Nothing, Schema, Who, header, one_of
from web.errors import CSRF, IDEMPOTENCY_KEY, KEY_PATTERN, REFUSALS, REPEATED, VERSION, VERSION_PATTERN, Refusal

VERSION_OF_API: Final = "1.0.0"

_ALWAYS: Final = (400, 403, 405, 500)
_CHANGE: Final = (*_ALWAYS, 401, 409, 413, 415, 429, 503)
_REFERENCE: Final = "#/components/schemas/{name}"

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

_TAGS: Final = {
    "watch": "Open to everybody on the network.",
    "join": "Who a phone is, and whose seat it has.",
    "game": "Bids, calls and what follows. Each answers the new state.",
    "dice": "What the dice show.",
    "company": "Who plays, and whether.",
    "demo": "Only in `perudo demo`; a box answers 404.",
    "camera": "Calibrating it. Each answers the state of the calibration.",
    "box": "Looking after the box: for the host's phone.",
}


def table_document(endpoints: Iterable[Endpoint]) -> Schema:
    """The OpenAPI 3.1 document of a table's API."""
    endpoints = tuple(endpoints)
    paths: dict[str, Schema] = {}
    for each in endpoints:
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", each.rule)
        paths.setdefault(path, {})[each.method.lower()] = _operation(each)
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
        "tags": [{"name": name, "description": words} for name, words in _TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": {**_answers(endpoints), **_requests(endpoints)},
            "responses": {f"Refused{status}": _refused(status) for status in sorted({s for s, _ in REFUSALS.values()})},
            "headers": {
                "Run": {"schema": TEXT, "description": "Names this start of the program."},
                "Again": {"schema": one_of("1"), "description": "This answer was given to the same key before."},
            },
            "parameters": {
                "Csrf": header(
                    CSRF, TEXT, "The `csrf` of `/me`. Needed with the cookie, not by a bearer.", required=False
                ),
                "Key": key_parameter(
                    "A different one for every tap. A change that is sent again with the same key counts once and gets "
                    "the first answer again.",
                    required=True,
                ),
                "Version": header(
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


def key_parameter(words: str, *, required: bool) -> Schema:
    """The parameter for the idempotency key."""
    return header(IDEMPOTENCY_KEY, {"type": "string", "pattern": f"^{KEY_PATTERN}$"}, words, required=required)


def content(kind: type[Struct] | str, words: str = "") -> Schema:
    """The content of a body: a type, or a file with a content type. `words` describe a text."""
    if isinstance(kind, type):
        return {JSON: {"schema": {"$ref": _REFERENCE.format(name=kind.__name__)}}}
    if kind == JSON:
        return {JSON: {"schema": {"type": "object"}}}
    if kind.startswith("text/") or kind.endswith("+xml"):
        return {kind: {"schema": {**TEXT, **({"description": words} if words else {})}}}
    return {kind: {"schema": {**TEXT, "contentMediaType": kind}}}


def _operation(each: Endpoint) -> Schema:
    posted, change = each.method == "POST", each.who is not Who.ANYBODY and each.method == "POST"
    fields = [_field(kind, name, each) for kind, name in re.findall(r"<(?:(\w+):)?(\w+)>", each.rule)]
    wanted = ["Csrf", "Key", *(["Version"] if each.versioned else [])] if change else []
    refuses = {*(_CHANGE if change else _ALWAYS), *each.refuses}
    refuses |= {404} if change and fields else {401} if each.who is Who.HOST else set()
    answer = {
        "description": "It is done." if posted else each.words,
        "content": content(each.answers, each.details),
        "headers": {**each.headers, **({REPEATED: {"$ref": "#/components/headers/Again"}} if change else {})},
    }
    return {
        "operationId": each.name,
        "tags": [each.topic],
        "summary": each.words,
        "parameters": [
            *fields,
            *each.parameters,
            *({"$ref": f"#/components/parameters/{name}"} for name in wanted),
        ],
        **({"requestBody": {"required": True, "content": content(_body(each))}} if posted else {}),
        "responses": {
            "200": answer,
            **{str(status): {"$ref": f"#/components/responses/Refused{status}"} for status in sorted(refuses)},
            **{
                status: {"description": words, "content": answer["content"]} for status, words in each.responses.items()
            },
        },
        **({"security": [{"cookie": []}, {"bearer": []}]} if change else {}),
    }


def _field(kind: str, name: str, each: Endpoint) -> Schema:
    schema = dict(each.fields.get(name, COUNT if kind == "int" else TEXT))
    words = schema.pop("description", "")
    return {
        "name": name, "in": "path", "required": True, "schema": schema, **({"description": words} if words else {})
    }  # fmt: skip


def _body(each: Endpoint) -> type[Struct] | str:
    """The type of the body without the fields that are in the address."""
    if isinstance(each.takes, type) and all(f"{name}}}" in each.path for name in each.takes.__struct_fields__):
        return Nothing
    return each.takes


def _refused(status: int) -> Schema:
    lines = [f"- `{code}`: {when}" for code, (at, when) in REFUSALS.items() if at == status]
    return {
        "description": "\n".join(lines),
        "content": content(Refusal),
        "headers": dict(_HEADERS.get(status, {})),
    }


# Schemas


def _types(kinds: Iterable[object]) -> list[type[Struct]]:
    return list(dict.fromkeys(each for each in kinds if isinstance(each, type)))


def _answers(endpoints: Iterable[Endpoint]) -> dict[str, Schema]:
    param = get_args(Param)
    kinds = _types([*(each.answers for each in endpoints), Presence, Refusal])  # a Presence occurs only in the stream
    references, found = components([*param, *kinds])
    for schema in found.values():
        if "properties" in schema:  # an answer has all fields, except those that may be `UNSET`
            required, fields = schema["required"], schema["properties"].items()
            schema["required"] = [name for name, field in fields if name in required or "default" in field]
            schema["additionalProperties"] = False
    for name in ("rules", "bids", "corrections", "robots", "club"):
        found["State"]["required"].remove(name)
    # `Part` declares its parameters as objects: msgspec knows no union of dataclasses.
    found["Part"]["properties"]["params"]["additionalProperties"] = {"anyOf": list(references[: len(param)])}
    return found


def components(kinds: Iterable[Any]) -> tuple[tuple[Schema, ...], dict[str, Schema]]:
    """A reference to each type, and the schemas by name."""
    return schema_components(kinds, ref_template=_REFERENCE, schema_hook=lambda _: {"title": "Param"})


def _requests(endpoints: Iterable[Endpoint]) -> dict[str, Schema]:
    bodies = {each.takes: each for each in endpoints if each.method == "POST" and isinstance(_body(each), type)}
    taken = _types(_body(each) for each in bodies.values())
    (name, *_), found = components([PlayerName, *taken])
    for kind in taken:
        schema = found[kind.__name__]
        for field in re.findall(r"(\w+)}", bodies[kind].path) if kind in bodies else ():
            if field in schema["properties"]:
                del schema["properties"][field]
                schema["required"].remove(field)
    found[SetDie.__name__]["minProperties"] = 1
    found[Seat.__name__] = {"oneOf": [_seat({"const": "player"}, player=name), _seat(one_of("table", "watching"))]}
    return found


def _seat(role: Schema, **player: Schema) -> Schema:
    fields = {"role": role, **player}
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
