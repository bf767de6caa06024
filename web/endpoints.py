"""Endpoints: each address of an API is declared once, at the method that answers it.

    class Lamps:
        @post("lamps/{lamp}", topic="lamps", who=Who.HOST)
        def switch(self, body: SwitchLamp, lamp: int) -> LampState:
            '''Switch a lamp on or off.'''

The method's name is the operation's name, its docstring describes it, `body` has the type of the request's body, and
the return value is the answer. `serve` adds the endpoints of a group to an application, and checks each request's
sender and body; `web.openapi` describes them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from enum import Enum, auto
from functools import cache, partial
from typing import Any, Final, TypeVar, get_type_hints

import msgspec
from flask import Flask, Response, request
from msgspec import Struct

from companion.messages.sentence import json_bytes
from web.errors import RequestError, no_store

Schema = dict[str, Any]
Method = TypeVar("Method", bound=Callable[..., object])
Body = TypeVar("Body", bound=Struct)

API: Final = "/api/v1/"
MAX_BYTES: Final = 16 * 1024
"""The longest body that is read; six players' dice counted by hand need a few hundred bytes."""
JSON: Final = "application/json"

_BIDI: Final = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}
_UNSHOWN: Final = {"Cc", "Cs", "Zl", "Zp"}
_LONGEST_REASON: Final = 200
"""The longest refusal in characters, since it may repeat what was sent."""


class Who(Enum):
    """Who may send a request."""

    ANYBODY = auto()
    JOINED = auto()
    """A phone that has joined, including one that only watches."""
    ACTING = auto()
    """A phone that has joined and does not only watch."""
    HOST = auto()
    """The host's phone. In a club's lobby, a manager's."""
    SETUP = auto()
    """Anybody on the box's own Wi-Fi while nobody plays, else the host's phone."""


# OpenAPI schemas and parameters

TEXT: Final[Schema] = {"type": "string"}
NUMBER: Final[Schema] = {"type": "number"}
COUNT: Final[Schema] = {"type": "integer", "minimum": 0}


def one_of(*words: str) -> Schema:
    """The schema of a text that is one of these words."""
    return {"type": "string", "enum": list(words)}


def query(name: str, schema: Schema, words: str) -> Schema:
    return {"name": name, "in": "query", "schema": schema, "description": words}


def header(name: str, schema: Schema, words: str, *, required: bool = True) -> Schema:
    return {"name": name, "in": "header", "required": required, "schema": schema, "description": words}


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """An empty body."""


class Endpoint(Struct, frozen=True, kw_only=True):
    """One operation of an API."""

    run: Callable[..., object]
    """The method. Its arguments are the group, the body if it takes one, and the fields of the address."""
    method: str
    path: str
    """The path as OpenAPI writes it, below `API`, or below the site's root if it starts with a slash."""
    name: str
    words: str
    """What the endpoint does, as a sentence."""
    topic: str
    who: Who = Who.ANYBODY
    takes: type[Struct] | str
    """The body of a POST: a type, or a file's content type."""
    reads: bool
    """True if the method reads the body itself: a file, or a body that is only read after a check of permissions."""
    answers: type[Struct] | str = JSON
    """A type, or a file's content type."""
    details: str = ""
    """Describes an answer that is a text."""
    versioned: bool = False
    """True if the change is based on a version of the state."""
    most: int = MAX_BYTES
    """The longest body in bytes."""
    fields: Mapping[str, Schema] = {}
    """The fields of the address that are not plain text or numbers."""
    parameters: tuple[Schema, ...] = ()
    """Further parameters as OpenAPI schemas."""
    headers: Mapping[str, Schema] = {}
    """Additional headers of the answer."""
    refuses: tuple[int, ...] = ()
    """The statuses of its own refusals."""
    responses: Mapping[str, str] = {}
    """The other statuses of its answer, and their meaning."""

    @property
    def rule(self) -> str:
        """The address as a Flask rule. Fields are texts, or the converter before a colon: `{int:die}`."""
        path = self.path if self.path.startswith("/") else API + self.path
        return path.replace("{", "<").replace("}", ">")

    @property
    def mimetype(self) -> str:
        return self.answers if isinstance(self.answers, str) else JSON


def get(path: str, **said: Any) -> Callable[[Method], Method]:
    """Decorator: the method answers GET at `path`. `said` are further fields of its `Endpoint`."""
    return partial(_declare, "GET", path, said)


def post(path: str, **said: Any) -> Callable[[Method], Method]:
    """Decorator: the method answers POST at `path`. `said` are further fields of its `Endpoint`."""
    return partial(_declare, "POST", path, said)


def _declare(method: str, path: str, said: Mapping[str, Any], run: Method) -> Method:
    run.__dict__.setdefault("endpoints", []).append({"method": method, "path": path, **said})
    return run


@cache
def endpoints_of(group: Any) -> tuple[Endpoint, ...]:
    """Every endpoint declared by the methods of the class `group`, in order."""
    return tuple(_endpoint(run, said) for run in vars(group).values() for said in getattr(run, "endpoints", ()))


def _endpoint(run: Callable[..., object], said: Mapping[str, Any]) -> Endpoint:
    hints = get_type_hints(run)
    answers = hints["return"]
    found = {
        "name": run.__name__,
        "words": (run.__doc__ or "").partition("\n")[0],
        "topic": "watch",
        "who": Who.ANYBODY if said["method"] == "GET" else Who.ACTING,
        "takes": hints.get("body", Nothing),
        "answers": answers if isinstance(answers, type) and issubclass(answers, Struct) else JSON,
    }
    found |= said
    return Endpoint(run=run, reads=found["takes"] is not Nothing and "body" not in hints, **found)


def serve(
    app: Flask,
    group: object,
    check: Callable[[Endpoint], Response | None],
    otherwise: Callable[[], object] = Nothing,
) -> None:
    """Add the endpoints of `group` to `app`.

    `check` raises `RequestError` unless the sender is allowed, and may return the answer itself. `otherwise` returns
    the answer of a method that returns None.
    """
    kind: Any = type(group)
    for endpoint in endpoints_of(kind):
        answer = partial(_answer, endpoint, group, check, otherwise)
        app.add_url_rule(endpoint.rule, endpoint.name, answer, methods=[endpoint.method])


def file_paths(groups: Iterable[object]) -> tuple[str, ...]:
    """The prefixes of the paths that take a file: bodies there may have `vision.image_file.LARGEST_PHOTO` bytes."""
    kinds: list[Any] = [type(group) for group in groups]
    endpoints = (each for kind in kinds for each in endpoints_of(kind))
    return tuple(each.rule.partition("<")[0] for each in endpoints if isinstance(each.takes, str))


def _answer(
    endpoint: Endpoint,
    group: object,
    check: Callable[[Endpoint], Response | None],
    otherwise: Callable[[], object],
    **fields: object,
) -> Response:
    if (known := check(endpoint)) is not None:
        return known
    if endpoint.method == "POST" and not endpoint.reads and isinstance(endpoint.takes, type):
        own = set(endpoint.takes.__struct_fields__)
        body = read(endpoint.takes, endpoint.most, {name: fields.pop(name) for name in own & fields.keys()})
        if endpoint.takes is not Nothing:
            fields["body"] = body
    found = endpoint.run(group, **fields)
    if isinstance(found, Response):
        return found
    found = otherwise() if found is None else found
    data = found if isinstance(found, bytes) else json_bytes(found)
    return no_store(Response(data, mimetype=endpoint.mimetype))


def read(kind: type[Body], most: int = MAX_BYTES, address: Mapping[str, object] | None = None) -> Body:
    """The body of this request with its texts stripped; the fields in `address` are taken from there.

    This checks only shapes, types and sizes: the table decides whether a bid is legal or a player is at the table.
    Raises `RequestError` for another content type, too many bytes, and anything but the JSON of a `kind`.
    """
    if not request.is_json:
        raise RequestError("Send JSON: the Content-Type must be application/json.", code="content_type")
    if (request.content_length or 0) > most:
        raise RequestError(f"The body is longer than {most} bytes.", code="too_large")
    try:
        data = _trimmed(msgspec.json.decode(request.get_data()))
        if address and isinstance(data, dict):
            if double := address.keys() & data.keys():
                raise ValueError(f"{min(double)} is in the address")  # noqa: TRY301 - refused like any other body
            data |= address
        return msgspec.convert(data, kind, str_keys=True)
    except (ValueError, RecursionError) as error:
        reason = "".join(letter if letter.isprintable() else "?" for letter in str(error)[:_LONGEST_REASON])
        raise RequestError(f"The body cannot be read: {reason.removesuffix('.')}.") from error


def _trimmed(value: Any) -> Any:
    """`value` with its texts stripped. Raises `ValueError` for characters that cannot be shown."""
    if isinstance(value, str):
        text = value.strip()
        if any(unicodedata.category(letter) in _UNSHOWN or ord(letter) in _BIDI for letter in text):
            raise ValueError("a text has characters in it that cannot be shown")
        return text
    if isinstance(value, list):
        return [_trimmed(each) for each in value]
    if isinstance(value, dict):
        found = {_trimmed(name): _trimmed(each) for name, each in value.items()}
        if len(found) < len(value):
            raise ValueError("a name is there twice")
        return found
    return value
