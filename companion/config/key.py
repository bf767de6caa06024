"""A key of the configuration: its default, its possible values, and its comment.

The package imports no library, so that the doctor can read the configuration even if one is broken.
"""

from __future__ import annotations

import dataclasses
import json
import sys
import tomllib
from collections.abc import Callable, Container, Mapping
from typing import Any, Final, NamedTuple, TypeVar

_T = TypeVar("_T")

LAST_PIN: Final = 27
"""The GPIO numbers (BCM) of the 40-pin header are 2 to 27; 0 and 1 belong to the memory of add-on boards."""

LONGEST_VALUE: Final = 60
"""Characters of a wrong value shown in an error."""


class NotAnOptionError(ValueError):
    """A key cannot have this value. The message follows the key's name."""

    def __init__(self, may_be: str, value: object, *, secret: bool = False) -> None:
        if secret and isinstance(value, str):
            super().__init__(may_be)
            return
        shown = str(value).lower() if isinstance(value, bool) else repr(value)
        shown = shown if len(shown) <= LONGEST_VALUE else shown[: LONGEST_VALUE - 3] + "..."
        super().__init__(f"{may_be}, not {shown}")


class Kind(NamedTuple):
    """The values that a key can take."""

    may_be: str
    """The part of the error message between the key's name and "not ..."."""
    fits: Callable[[Any], bool] = lambda _: True
    """Returns True if the TOML value has the right type to be converted."""
    convert: Callable[[Any], Any] = lambda value: value
    """Converts the TOML value to the key's. Raises `ValueError` with a sentence, without a full stop."""
    least: float | None = None
    most: float | None = None
    secret: bool = False
    """The value may contain a password, which no error repeats."""
    pins: bool = False
    """The value is a pin, or pins, of the header."""

    def read(self, value: object) -> Any:
        """Convert the TOML value to the key's. Raises `NotAnOptionError`, or whatever `convert` raises."""
        if not self.fits(value):
            raise NotAnOptionError(self.may_be, value, secret=self.secret)
        return self.convert(value)


class Key(NamedTuple):
    """One key of the file."""

    name: str
    default: Any
    kind: Kind
    note: str
    """The lines of the comment above it."""
    example: str = ""
    """The value that the file shows, commented out, for a key without a default."""

    @property
    def toml(self) -> str:
        """The value shown in the file."""
        return self.example or toml(self.default)

    def from_text(self, text: str) -> object:
        """The TOML value of an environment variable; the text itself if it is no TOML."""
        like = tomllib.loads(f"it = {self.toml}")["it"]
        if isinstance(like, bool):
            return {"true": True, "false": False}.get(text.strip().lower(), text)
        try:
            if isinstance(like, int | float):
                return type(like)(text)
            if isinstance(like, list):
                kind = str if like and isinstance(like[0], str) else int
                return [kind(part.strip()) for part in text.split(",")]
        except ValueError:
            pass  # `Kind.read` refuses the text
        return text


def key(default: _T, kind: Kind, note: str, example: str = "") -> _T:
    """Declare a field of a section as a key of the file."""
    made: _T = dataclasses.field(default=default, metadata={"kind": kind, "note": note, "example": example})
    return made


def keys_of(section: type[Any]) -> Mapping[str, Key]:
    """Name -> key, for the keys of a section."""
    return {each.name: Key(each.name, each.default, **each.metadata) for each in dataclasses.fields(section)}


def toml(value: object) -> str:
    """Format `value` as TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        text = json.dumps(str(value), ensure_ascii=False)
        return "".join(char if char.isprintable() else f"\\U{ord(char):08x}" for char in text)
    return f"[{', '.join(map(toml, value))}]" if isinstance(value, tuple) else repr(value)


# The kinds


FLAG: Final = Kind("is true or false", lambda value: isinstance(value, bool))


def whole(least: int, most: int, of: str = "") -> Kind:
    """A whole number; `of` names its unit."""
    may_be = f"is a whole number {f'of {of} ' if of else ''}from {least} to {most}"
    return Kind(may_be, lambda value: type(value) is int and least <= value <= most, least=least, most=most)


def number(may_be: str, least: float, most: float | None = None) -> Kind:
    """A number, whole or not."""
    highest = sys.float_info.max if most is None else most
    return Kind(may_be, lambda value: type(value) in {int, float} and least <= value <= highest, float, least, most)


def one_of(*options: str | int) -> Kind:
    """One of these options."""
    listed = ", ".join(map(toml, options[:-1])) + f" or {toml(options[-1])}"
    return Kind(f"is {listed}", lambda value: type(value) in map(type, options) and value in options)


PIN: Final = whole(2, LAST_PIN)._replace(may_be=f"is a GPIO number (BCM) from 2 to {LAST_PIN}", pins=True)
_LISTED_PIN: Final = PIN._replace(may_be=f"holds GPIO numbers (BCM) from 2 to {LAST_PIN}")


def pins(may_be: str, lengths: Container[int]) -> Kind:
    """A list of pins, of one of these lengths."""
    return Kind(
        may_be,
        lambda value: isinstance(value, list) and len(value) in lengths,
        lambda value: tuple(map(_LISTED_PIN.read, value)),
        pins=True,
    )
