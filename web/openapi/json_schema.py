"""JSON Schema 2020-12, made by hand or of the types of what is answered. Pure."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, UnsetType

Schema = dict[str, Any]

NULL: Final[Schema] = {"type": "null"}
TEXT: Final[Schema] = {"type": "string"}
YES_NO: Final[Schema] = {"type": "boolean"}
NUMBER: Final[Schema] = {"type": "number"}
WHOLE: Final[Schema] = {"type": "integer"}

_PLAIN: Final[Mapping[object, Schema]] = {
    str: TEXT,
    bool: YES_NO,
    float: NUMBER,
    int: WHOLE,
    NoneType: NULL,
    object: {},
}
_LIMITS: Final = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "min_length": "minLength",
    "max_length": "maxLength",
    "pattern": "pattern",
    "description": "description",
}
"""What `msgspec.Meta` says of a type -> the key of JSON Schema."""


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


def schemas(names: Mapping[object, str]) -> dict[str, Schema]:
    """The schema of every type of `names`, by its name. One of them within another is a reference to it."""
    return {name: _made(kind, names) for kind, name in names.items()}


def schema_of(kind: Any, names: Mapping[object, str]) -> Schema:
    """The schema of a type. Types of `names` are references."""
    named = get_origin(kind) is not Annotated and kind in names  # what is annotated cannot always be hashed
    return ref(names[kind]) if named else _made(kind, names)


def _made(kind: Any, names: Mapping[object, str]) -> Schema:
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return {**schema_of(parts[0], names), **_limits(parts[1:])}
    if kind in _PLAIN:
        return _PLAIN[kind]
    if origin in (Union, UnionType):
        return _either([schema_of(part, names) for part in parts if part is not UnsetType])
    if origin is Literal:
        return one_of(*parts)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return one_of(*(word.value for word in kind))
    if origin is tuple and parts[-1] is not Ellipsis:
        items = [schema_of(part, names) for part in parts]
        return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}
    if origin in (tuple, Sequence):
        return arr(schema_of(parts[0], names))
    if origin in (dict, Mapping):
        return by_name(schema_of(parts[1], names))
    return _object(kind, names)


def _object(kind: type, names: Mapping[object, str]) -> Schema:
    hints = get_type_hints(kind, include_extras=True)
    if dataclasses.is_dataclass(kind):
        always = set(hints)
    else:
        left_out = kind.__struct_config__.omit_defaults  # type: ignore[attr-defined]
        fields = msgspec.structs.fields(kind)
        always = {field.name for field in fields if field.required or (not left_out and not _may_be_unset(field.type))}
    wanted = {name: schema_of(hint, names) for name, hint in hints.items() if name in always}
    more = {name: schema_of(hint, names) for name, hint in hints.items() if name not in always}
    return obj(wanted, more, says=(kind.__doc__ or "").partition("\n")[0] if kind in names else "")


def _may_be_unset(kind: Any) -> bool:
    inner = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    return UnsetType in get_args(inner)


def _either(schemas: Sequence[Schema]) -> Schema:
    return schemas[0] if len(schemas) == 1 else {"anyOf": list(schemas)}


def _limits(said: Sequence[Meta]) -> Schema:
    found: Schema = {}
    for meta in said:
        found |= {key: value for name, key in _LIMITS.items() if (value := getattr(meta, name)) is not None}
        found |= meta.extra_json_schema or {}
    return found
