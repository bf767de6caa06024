"""Profile files: JSON, small enough to read and edit by hand."""

from __future__ import annotations

from codecs import BOM_UTF8
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct, convert

from calibration.atomic_write import write_atomically
from calibration.profile import NewerProfileError, Profile, ProfileError
from companion.messages.sentence import read_json

PROFILE_VERSION: Final = 2
"""Version of the file format, raised by any change that an older program would misread. Version 1, with only `name`,
`made`, `lens`, `table` and `palette`, can still be read."""


class _Version(Struct):
    version: Annotated[int, Meta(ge=1)]


def load(path: Path) -> Profile:
    """Read the profile in `path`. Raises `ProfileError`, whose message begins with the file's name."""
    try:
        return from_json(path.read_bytes().removeprefix(BOM_UTF8))  # some editors put one before the text
    except OSError as error:
        raise ProfileError(f"{path}: it could not be opened: {(error.strerror or str(error)).lower()}") from error
    except ProfileError as error:
        raise type(error)(f"{path}: {error}") from error


def save(profile: Profile, path: Path) -> None:
    """Write the profile to `path` atomically. Raises `OSError`."""
    write_atomically(path, to_json(profile).encode())


def from_json(text: str | bytes) -> Profile:
    """Parse a profile. Raises `ProfileError`, which names the place of a wrong value."""
    try:
        document = read_json(text, dict[str, Any])
        version = convert(document, _Version).version
        if version > PROFILE_VERSION:
            raise NewerProfileError(
                f"this profile was made by a newer program: its version is {version}, "
                f"this program knows {PROFILE_VERSION}. Update the program, or calibrate again"
            )
        del document["version"]
        return convert(document, Profile)
    except ProfileError:
        raise
    except ValueError as error:
        raise ProfileError(str(error)) from error


def to_json(profile: Profile) -> str:
    """The text that `from_json` reads, ending in a newline."""
    document = {"version": PROFILE_VERSION, **msgspec.structs.asdict(profile)}
    return msgspec.json.format(msgspec.json.encode(document, enc_hook=float)).decode() + "\n"
