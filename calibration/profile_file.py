"""Profile files: JSON, small enough to read and edit by hand."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NoReturn

from calibration.atomic_write import write_atomically
from calibration.profile import (
    Lens,
    Measurements,
    NewerProfileError,
    Profile,
    ProfileError,
    TablePlane,
    UnreadableProfileError,
    shown,
)

PROFILE_VERSION: Final = 2
"""Version of the file format, raised by any change that an older program would misread. Version 1, with only `name`,
`made`, `lens`, `table` and `palette`, can still be read."""
LARGEST_FILE: Final = 64 * 1024
"""In bytes; a larger file is refused."""
_KEYS_OF_VERSION_1: Final = 5
"""The first fields of a profile are the keys of version 1."""

_Part = Lens | TablePlane | Measurements
_PARTS: Final[dict[str, type[_Part]]] = {"lens": Lens, "table": TablePlane, "measured": Measurements}


def load(path: Path) -> Profile:
    """Read the profile in `path`. Raises `ProfileError`, whose message begins with the file's name."""
    try:
        return from_json(_text_of(path))
    except ProfileError as error:
        raise type(error)(f"{path}: {error}") from error


def save(profile: Profile, path: Path) -> None:
    """Write the profile to `path` atomically. Raises `OSError`."""
    write_atomically(path, to_json(profile).encode())


def from_json(text: str) -> Profile:
    """Parse a profile. Raises `ProfileError`."""
    document = _document(text)
    version = _check_version(document.pop("version", None))
    names = _names(Profile)
    _check_keys(document, names[:_KEYS_OF_VERSION_1] if version == 1 else names, ("name", "made"), "a profile")
    for name, kind in _PARTS.items():
        if document.get(name) is not None:
            document[name] = _part(document[name], name, kind)
    return Profile(**document)


def to_json(profile: Profile) -> str:
    """The text that `from_json` reads, ending in a newline."""
    document = {"version": PROFILE_VERSION, **_plain(profile)}
    return json.dumps(document, ensure_ascii=False, indent=2, default=_plain) + "\n"


def _plain(value: Any) -> dict[str, object]:
    return dict(value) if isinstance(value, Mapping) else {name: getattr(value, name) for name in _names(type(value))}


def _names(kind: type[Profile | _Part]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


def _text_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UnreadableProfileError("there is no such file") from error
    except (OSError, ValueError) as error:  # ValueError: a name with a null byte
        reason = os.strerror(error.errno).lower() if isinstance(error, OSError) and error.errno else str(error)
        raise UnreadableProfileError(f"it could not be opened: {reason}") from error
    if len(content) > LARGEST_FILE:
        raise UnreadableProfileError(f"it is larger than {LARGEST_FILE} bytes: no profile is")
    try:
        return content.decode("utf-8-sig")  # some editors put a byte order mark before the text
    except UnicodeDecodeError as error:
        raise UnreadableProfileError("this is not UTF-8 text") from error


# Its form


def _document(text: str) -> dict[str, Any]:
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise UnreadableProfileError(
            f"this is not JSON (at line {error.lineno}, character {error.colno}): {error.msg.lower()}"
        ) from error
    except RecursionError as error:
        raise UnreadableProfileError("this is nested too deeply to be read") from error
    except ProfileError:
        raise
    except ValueError as error:  # Python's limit on the digits of a number
        raise UnreadableProfileError("this holds a number too long to be read") from error
    if not isinstance(value, dict):
        raise UnreadableProfileError("this is not a profile: a profile stands in braces")
    return value


def _no_constant(name: str) -> NoReturn:
    raise UnreadableProfileError(f"this is not JSON: {name} is no number")


_DECODER: Final = json.JSONDecoder(parse_constant=_no_constant)


def _check_version(version: object) -> int:
    if version is None:
        raise UnreadableProfileError('this is not a profile: it has no "version"')
    if type(version) is not int or version < 1:
        raise UnreadableProfileError(f"the version of a profile is a whole number from 1, not {shown(version)}")
    if version > PROFILE_VERSION:
        raise NewerProfileError(
            f"this profile was made by a newer program: its version is {shown(version)}, "
            f"this program knows {PROFILE_VERSION}. Update the program, or calibrate again"
        )
    return version


def _check_keys(values: Mapping[str, object], names: Sequence[str], required: Sequence[str], what: str) -> None:
    for key in values:
        if key not in names:
            near = get_close_matches(key, names, n=1)
            hint = f"is {near[0]} meant?" if near else f"its keys are {', '.join(names)}"
            raise UnreadableProfileError(f"there is no key {shown(key)} in {what}; {hint}")
    for key in required:
        if key not in values:
            raise UnreadableProfileError(f"the key {shown(key)} of {what} is missing")


def _part(value: object, name: str, kind: type[_Part]) -> _Part:
    names = _names(kind)
    if kind is Measurements:
        what, form = "what was measured", "what was measured is an object or null"
    else:
        what, form = f"a {name}", f"the {name} is an object with {' and '.join(names)}, or null"
    if not isinstance(value, dict):
        raise UnreadableProfileError(f"{form}, not {shown(value)}")
    _check_keys(value, names, () if kind is Measurements else names, what)
    return kind(**value)
