"""A key of the configuration: its default, the values it takes, and its comment."""

from __future__ import annotations

import dataclasses
import json
import math
import tomllib
from collections.abc import Callable, Container, Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Meta

_T = TypeVar("_T")

LAST_PIN: Final = 27
"""The GPIO numbers (BCM) of the 40-pin header are 2 to 27; 0 and 1 are for the memory of add-on boards."""

LONGEST_VALUE: Final = 60
"""Characters of a wrong value that a refusal shows."""


class NotAnOptionError(ValueError):
    """A key cannot have this value. The message follows the key's name."""

    def __init__(self, may_be: str, value: object) -> None:
        shown = str(value).lower() if isinstance(value, bool) else repr(value)
        shown = shown if len(shown) <= LONGEST_VALUE else shown[: LONGEST_VALUE - 3] + "..."
        super().__init__(f"{may_be}, not {shown}")


class Kind(NamedTuple):
    """The values that a key takes."""

    may_be: str
    """What follows the key's name in a refusal, up to "not ..."."""
    type: Any = Any
    """The type of TOML's value, checked by msgspec."""
    bounds: Meta = Meta()
    fits: Callable[[Any], bool] = lambda _: True
    convert: Callable[[Any], Any] = lambda value: value
    """Turns TOML's value into the key's. Raises `ValueError` with a sentence, without a full stop."""
    pins: bool = False
    """Whether the value is a pin or pins of the header."""

    def read(self, value: object) -> Any:
        """The key's value, from TOML's. Raises `NotAnOptionError`, or what `convert` raises."""
        try:
            read = msgspec.convert(value, Annotated[self.type, self.bounds])
        except msgspec.ValidationError as error:
            raise NotAnOptionError(self.may_be, value) from error
        if read == math.inf or not self.fits(read):
            raise NotAnOptionError(self.may_be, value)
        return self.convert(read)


class Key(NamedTuple):
    """One key of the file."""

    name: str
    default: Any
    kind: Kind
    note: str
    """The lines of the comment above it."""
    example: str = ""
    """What the file shows, commented out, for a key without a default."""

    @property
    def toml(self) -> str:
        """The value that the file shows."""
        return self.example or toml(self.default)

    def from_text(self, text: str) -> object:
        """The TOML value of an environment variable; the text itself if it has none."""
        like = tomllib.loads(f"it = {self.toml}")["it"]
        if isinstance(like, bool):
            return {"true": True, "false": False}.get(text.strip().lower(), text)
        try:
            if isinstance(like, int | float):
                return type(like)(text)
            if isinstance(like, list):
                return [int(part) for part in text.split(",")]
        except ValueError:
            pass  # `Kind.read` refuses the text
        return text


def key(default: _T, kind: Kind, note: str, example: str = "") -> _T:
    """A field of a section, which is a key of the file."""
    made: _T = dataclasses.field(default=default, metadata={"kind": kind, "note": note, "example": example})
    return made


def keys_of(section: type[Any]) -> Mapping[str, Key]:
    """The keys of a section, by name."""
    return {each.name: Key(each.name, each.default, **each.metadata) for each in dataclasses.fields(section)}


def toml(value: object) -> str:
    """`value` in TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(str(value))
    return repr(list(value) if isinstance(value, tuple) else value)


# The kinds


FLAG: Final = Kind("is true or false", bool)

PIN: Final = Kind(f"is a GPIO number (BCM) from 2 to {LAST_PIN}", int, Meta(ge=2, le=LAST_PIN), pins=True)
_LISTED_PIN: Final = PIN._replace(may_be=f"holds GPIO numbers (BCM) from 2 to {LAST_PIN}")


def pins(may_be: str, lengths: Container[int]) -> Kind:
    """A list of pins, of one of these lengths."""
    return Kind(
        may_be,
        list,
        fits=lambda value: len(value) in lengths,
        convert=lambda value: tuple(map(_LISTED_PIN.read, value)),
        pins=True,
    )


def whole(least: int, most: int, of: str = "") -> Kind:
    """A whole number, `of` something."""
    return Kind(f"is a whole number {f'of {of} ' if of else ''}from {least} to {most}", int, Meta(ge=least, le=most))


def one_of(*options: str | int) -> Kind:
    """One of these."""
    listed = ", ".join(map(toml, options[:-1])) + f" or {toml(options[-1])}"
    return Kind(f"is {listed}", Literal[options])
