"""Request bodies: JSON in, a typed value out, or a refusal that says what was wrong.

The types declare each field's type, bounds and words (`companion.table.commands` explains those). Only shapes, types
and sizes are checked here. Whether a bid is legal or a player is at the table is up to the table.
"""

from __future__ import annotations

import json
import math
import operator
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final, NoReturn, TypeVar

from flask import Request
from msgspec import Struct, inspect

from companion.table.commands import LONGEST_NAME
from web.errors import RequestError

MAX_BYTES: Final = 16 * 1024
"""The longest body that is read; six players' dice counted by hand need a few hundred bytes."""

_BIDI: Final = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}

Body = TypeVar("Body", bound=Struct)


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request without fields."""


def read(request: Request, kind: type[Body], *, empty: str = "", **address: int) -> Body:
    """The body of `request` as a `kind`; the fields in `address` come from the address instead.

    Raises `RequestError` for another content type, too many bytes, anything but a JSON object, and a field that is
    missing, unknown or not of its type. `empty` is the refusal of a body without any field.
    """
    if not request.is_json:
        raise RequestError("Send JSON: the Content-Type must be application/json.", code="content_type")
    if request.content_length is not None and request.content_length > MAX_BYTES:
        raise RequestError(f"The body is longer than {MAX_BYTES} bytes.", code="too_large")
    try:
        data = json.loads(request.get_data(), parse_constant=_no_constant)
    except RecursionError:
        raise RequestError("The JSON is nested too deeply.") from None
    except ValueError:
        raise RequestError("The body is not JSON that can be read.") from None
    fields = [field for field in _fields(kind) if field.name not in address]
    body = _object(data, "The body", fields)
    if empty and not body:
        raise RequestError(empty)
    return kind(**_values(body, fields), **address)


def field(value: object, kind: Any, name: str) -> Any:
    """`value` as a field of that type and name. Raises `RequestError`."""
    return _value(value, inspect.type_info(kind), _show(name))


@cache
def _fields(kind: type[Struct]) -> Sequence[inspect.Field]:
    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType)
    return described.fields


def _object(value: object, what: str, fields: Sequence[inspect.Field]) -> Mapping[str, object]:
    """`value` as an object with all the required `fields`, and no unknown ones."""
    if not isinstance(value, dict):
        raise RequestError(f"{what} must be a JSON object.")
    required = [field.name for field in fields if field.required]
    names = [*required, *(field.name for field in fields if not field.required)]
    for name in value:
        if name not in names:
            hint = f"it may have {_list(names)}" if names else "it must be empty: {}"
            raise RequestError(f"{what} has a field nobody knows, {_show(name)}; {hint}.")
    for name in required:
        if name not in value:
            raise RequestError(f"{what} must have {_list(required)}; {_show(name)} is missing.")
    return value


def _values(body: Mapping[str, object], fields: Iterable[inspect.Field]) -> dict[str, object]:
    return {
        field.name: _value(body[field.name], field.type, _show(field.name)) for field in fields if field.name in body
    }


def _value(value: object, kind: inspect.Type, what: str, extra: Mapping[str, Any] | None = None) -> object:
    """`value` as a `kind`; `what` is its name in a refusal, `extra` that of its `Meta`."""
    extra = extra or {}
    match kind:
        case inspect.Metadata():
            return _value(value, kind.type, what, kind.extra)
        case inspect.UnionType(types) if kind.includes_none:
            other = next(each for each in types if not isinstance(each, inspect.NoneType))
            return None if value is None else _value(value, other, what)
        case inspect.UnionType():
            if not isinstance(value, bool | int | str):
                raise RequestError(f"{what} must be text, a whole number, true or false.")
            return value
        case inspect.StrType() if "one_of" in extra:
            if value not in extra["one_of"]:
                raise RequestError(f"{what} must be one of {_list(extra['one_of'])}.")
            return value
        case inspect.StrType():
            return _text(value, kind, what)
        case inspect.IntType(ge=low, le=high):
            if type(value) is not int or not _within(value, kind):
                raise RequestError(f"{what} must be a whole number from {low} to {high}.")
            return value
        case inspect.BoolType():
            if not isinstance(value, bool):
                raise RequestError(f"{what} must be true or false.")
            return value
        case inspect.FloatType():
            if not _is_number(value, kind):
                raise RequestError(f"{what} must {extra['must']}.")
            return float(value)  # type: ignore[arg-type]
        case inspect.TupleType(types):
            if not isinstance(value, list) or len(value) != len(types) or not all(map(_is_number, value, types)):
                raise RequestError(f"{what} must {extra['must']}.")
            return tuple(map(_as_float, value))
        case inspect.ListType():
            return _items(value, kind, what, extra)
        case inspect.DictType():
            return _by_player(value, kind, what, extra)
        case inspect.AnyType():
            return value
    raise AssertionError(f"no way to read {kind}")


def _text(value: object, kind: inspect.StrType, what: str) -> str:
    """A short line of text without control characters, trimmed. It is a name, never markup."""
    if not isinstance(value, str):
        raise RequestError(f"{what} must be text.")
    value = value.strip()
    if not _sized(value, kind):
        raise RequestError(f"{what} must have between {kind.min_length} and {kind.max_length} characters.")
    if kind.pattern and not re.search(kind.pattern, value):
        raise RequestError(f"{what} must look like {kind.pattern}.")
    if any(unicodedata.category(letter) in {"Cc", "Cs", "Zl", "Zp"} or ord(letter) in _BIDI for letter in value):
        raise RequestError(f"{what} has characters in it that cannot be shown.")
    return value


def _items(value: object, kind: inspect.ListType, what: str, extra: Mapping[str, Any]) -> list[object]:
    if not isinstance(value, list) or not _sized(value, kind):
        raise RequestError(f"{what} must {extra.get('must', 'be a list')}.")
    item, each = kind.item_type, extra["each"]
    if isinstance(item, inspect.StructType):
        objects = [_object(one, each, item.fields) for one in value]
        return [item.cls(**_values(one, item.fields)) for one in objects]
    return [_value(one, item, each) for one in value]


def _by_player(value: object, kind: inspect.DictType, what: str, extra: Mapping[str, Any]) -> dict[object, object]:
    if not isinstance(value, dict) or not _sized(value, kind):
        raise RequestError(f"{what} must {extra['must']}.")
    found: dict[object, object] = {}
    for name, one in value.items():
        player = _value(name, kind.key_type, '"player"')
        if player in found and "once" in extra:
            raise RequestError(f"{_show(str(player))} is there twice.")
        found[player] = _value(one, kind.value_type, extra["each"].format(_show(str(player))))
    return found


def _sized(value: Collection[object], kind: inspect.StrType | inspect.ListType | inspect.DictType) -> bool:
    return (kind.min_length or 0) <= len(value) and (kind.max_length is None or len(value) <= kind.max_length)


def _is_number(value: object, kind: inspect.Type) -> bool:
    assert isinstance(kind, inspect.FloatType)
    return isinstance(value, int | float) and not isinstance(value, bool) and _within(value, kind)


def _within(value: float, kind: inspect.IntType | inspect.FloatType) -> bool:
    bounds = ((operator.ge, kind.ge), (operator.gt, kind.gt), (operator.le, kind.le), (operator.lt, kind.lt))
    return all(bound is None or holds(value, bound) for holds, bound in bounds)


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:  # a whole number too large for a float
        return math.inf if value > 0 else -math.inf


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _show(name: str) -> str:
    """A name from outside, short and harmless enough to repeat."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in name[: LONGEST_NAME + 1])
    return f'"{shown}"' if len(name) <= LONGEST_NAME else f'"{shown}…"'


def _list(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
