"""Profile files: JSON, small enough to read and mend by hand."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NoReturn

from calibration.atomic_write import write_atomically
from calibration.profile import Lens, Measurements, Profile, ProfileError, TablePlane, UnreadableProfileError, shown

PROFILE_VERSION: Final = 2
"""Of the file; raised by any change that an older program would misread. Version 1, with only `name`, `made`, `lens`,
`table` and `palette`, is still read."""
JsonObject = dict[str, Any]
"""As JSON gives it, before it is checked."""
LARGEST_FILE: Final = 64 * 1024
"""Bytes; a larger file is refused."""


def load(path: Path) -> Profile:
    """Read the profile in `path`. Raises `ProfileError`, whose message begins with the file's name."""
    try:
        return from_json(_text_of(path))
    except ProfileError as error:
        raise type(error)(f"{path}: {error}") from error


def save(profile: Profile, path: Path) -> None:
    """Write it to `path` atomically. Raises `OSError`."""
    write_atomically(path, to_json(profile).encode())


def from_json(text: str) -> Profile:
    """Parse a profile. Raises `ProfileError`."""
    document = _document(text)
    version = _check_version(document.pop("version", None))
    later = () if version == 1 else ("camera", "lock", "die_mm", "measured", "reference")
    _check_keys(document, ("name", "made", "lens", "table", "palette", *later), "a profile", optional=3 + len(later))
    lens, table, measured = document.get("lens"), document.get("table"), document.get("measured")
    return Profile(
        name=document["name"],
        made=document["made"],
        lens=None if lens is None else Lens(**_part(lens, "lens", ("width", "height", "matrix", "distortion"))),
        table=None if table is None else TablePlane(**_part(table, "table", ("homography",))),
        palette=document.get("palette", {}),
        camera=document.get("camera", ""),
        lock=document.get("lock", {}),
        die_mm=document.get("die_mm"),
        measured=None if measured is None else Measurements(**_measures(measured)),
        reference=document.get("reference", ""),
    )


def to_json(profile: Profile) -> str:
    """The text that `from_json` reads, with a line end."""
    lens, table, measured = profile.lens, profile.table, profile.measured
    document = {
        "version": PROFILE_VERSION,
        "name": profile.name,
        "made": profile.made,
        "lens": None
        if lens is None
        else {
            "width": lens.width,
            "height": lens.height,
            "matrix": lens.matrix,
            "distortion": lens.distortion,
        },
        "table": None if table is None else {"homography": table.homography},
        "palette": dict(profile.palette),
        "camera": profile.camera,
        "lock": dict(profile.lock),
        "die_mm": profile.die_mm,
        "measured": None
        if measured is None
        else {each.name: getattr(measured, each.name) for each in fields(measured)},
        "reference": profile.reference,
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


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


def _document(text: str) -> JsonObject:
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
        raise UnreadableProfileError(
            f"this profile was made by a newer program: its version is {shown(version)}, "
            f"this program knows {PROFILE_VERSION}. Update the program, or calibrate again"
        )
    return version


def _check_keys(given: Mapping[str, Any], known: tuple[str, ...], what: str, optional: int = 0) -> None:
    for key in given:
        if key not in known:
            near = get_close_matches(key, known, n=1)
            hint = f"is {near[0]} meant?" if near else f"its keys are {', '.join(known)}"
            raise UnreadableProfileError(f"there is no key {shown(key)} in {what}; {hint}")
    for key in known[: len(known) - optional]:
        if key not in given:
            raise UnreadableProfileError(f"the key {shown(key)} of {what} is missing")


def _part(given: object, name: str, known: tuple[str, ...]) -> JsonObject:
    if not isinstance(given, dict):
        raise UnreadableProfileError(f"the {name} is an object with {' and '.join(known)}, or null, not {shown(given)}")
    _check_keys(given, known, f"a {name}")
    return given


def _measures(given: object) -> JsonObject:
    known = tuple(each.name for each in fields(Measurements))
    if not isinstance(given, dict):
        raise UnreadableProfileError(f"what was measured is an object or null, not {shown(given)}")
    _check_keys(given, known, "what was measured", optional=len(known))
    return given
