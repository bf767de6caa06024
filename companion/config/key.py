"""A key of the configuration: its default, the values it takes, and the words about it."""

from __future__ import annotations

import dataclasses
import json
import math
import tomllib
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar

_T = TypeVar("_T")

LAST_PIN: Final = 27
"""GPIO numbers (BCM) of the 40-pin header go from 2 to this; 0 and 1 belong to the memory of add-on boards."""

LONGEST_VALUE: Final = 60
"""Characters of a wrong value that are shown."""


class NotAnOptionError(ValueError):
    """A key cannot have this value. The message follows the key's name."""

    def __init__(self, may_be: str, value: object) -> None:
        shown = str(value).lower() if isinstance(value, bool) else repr(value)
        shown = shown if len(shown) <= LONGEST_VALUE else shown[: LONGEST_VALUE - 3] + "..."
        super().__init__(f"{may_be}, not {shown}")


@dataclasses.dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value."""

    may_be: str
    """What follows the key's name in a refusal, up to "not ..."."""
    accepts: Callable[[Any], bool] = lambda _: True
    convert: Callable[[Any], Any] = lambda value: value
    """What is made of a TOML value. Raises `NotAnOptionError`, or a `ValueError` with a sentence, both without a full
    stop."""
    least: float | None = None
    most: float | None = None
    pins: bool = False
    """Whether it takes pins of the header."""

    def read(self, value: object) -> Any:
        """The value of the key, from TOML's. Raises as `convert` does."""
        if not self.accepts(value):
            raise NotAnOptionError(self.may_be, value)
        return self.convert(value)


class Key(NamedTuple):
    """One key of the file."""

    name: str
    default: Any
    kind: Kind
    note: str
    """What it is for: the lines of the comment above it."""
    example: str = ""
    """What the file shows, commented out, where there is no default."""

    @property
    def toml(self) -> str:
        """What the file shows as its value."""
        return self.example or toml(self.default)

    def from_text(self, text: str) -> object:
        """An environment variable as the value TOML would have; the text itself where it is none."""
        like = tomllib.loads(f"it = {self.toml}")["it"]
        if isinstance(like, bool):
            return {"true": True, "false": False}.get(text.strip().lower(), text)
        try:
            if isinstance(like, int | float):
                return type(like)(text)
            if isinstance(like, list):
                return [int(part) for part in text.split(",")]
        except ValueError:
            pass  # `read` says what it should have been
        return text


def key(default: _T, kind: Kind, note: str, example: str = "") -> _T:
    """A field of a section, which is a key of the file."""
    made: _T = dataclasses.field(default=default, metadata={"kind": kind, "note": note, "example": example})
    return made


def keys_of(section: type[Any]) -> Mapping[str, Key]:
    """The keys of a section, by their names."""
    fields = dataclasses.fields(section)
    return MappingProxyType({each.name: Key(each.name, each.default, **each.metadata) for each in fields})


def toml(value: object) -> str:
    """`value` as TOML has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(str(value))
    return repr(list(value) if isinstance(value, tuple) else value)


# The kinds


FLAG: Final = Kind("is true or false", lambda value: isinstance(value, bool))


def whole(least: int, most: int, of: str = "") -> Kind:
    """A whole number, `of` something."""
    return Kind(
        f"is a whole number {f'of {of} ' if of else ''}from {least} to {most}",
        lambda value: type(value) is int and least <= value <= most,
        least=least,
        most=most,
    )


def number(may_be: str, least: float, most: float | None = None) -> Kind:
    """A number, whole or not."""

    def accepts(value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            return False
        return least <= value and (most is None or value <= most)

    return Kind(may_be, accepts, float, least, most)


def one_of(*options: str | int) -> Kind:
    """One of these."""
    listed = ", ".join(map(toml, options[:-1])) + f" or {toml(options[-1])}"
    return Kind(f"is {listed}", lambda value: not isinstance(value, bool) and value in options)


PIN: Final = Kind(
    f"is a GPIO number (BCM) from 2 to {LAST_PIN}",
    lambda value: type(value) is int and 2 <= value <= LAST_PIN,
    pins=True,
)
_LISTED_PIN: Final = dataclasses.replace(PIN, may_be=f"holds GPIO numbers (BCM) from 2 to {LAST_PIN}")


def pins(may_be: str, fits: Callable[[int], bool]) -> Kind:
    """A list of pins, of a length that `fits`."""
    return Kind(
        may_be,
        lambda value: isinstance(value, list) and fits(len(value)),
        lambda value: tuple(map(_LISTED_PIN.read, value)),
        pins=True,
    )
