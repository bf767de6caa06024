"""The text of a configuration, with and without the table's code: a backup without secrets has none."""

from __future__ import annotations

import re

from companion.config import RANDOM_CODE, Config, ConfigError, parse
from companion.config.parser import key_lines

_CODE = ("access", "code")
_LOGIN = re.compile(r"(\bmqtts?://)[^\s@\"']+@|(\b(?:https?|rtsp)://)[^\s/@\"']+@")
"""Name and password in the address of a broker, and of a camera."""


def configuration_of(text: str) -> Config | None:
    """The configuration; None if this program finds a mistake in it."""
    try:
        return parse(text)
    except ConfigError:
        return None


def code_in(text: str) -> str | None:
    """The table's code in a configuration; None if it names none."""
    config = configuration_of(text)
    return None if config is None or config.access.code == RANDOM_CODE else config.access.code


def without_code(text: str) -> str | None:
    """The same configuration without the table's code and the passwords of broker and camera, its comments kept; None
    if that cannot be done."""
    without = _with_line(text, "") if code_in(text) is not None else text
    return None if without is None else _LOGIN.sub(r"\1\2", without)


def with_code(text: str, code: str) -> str | None:
    """The same configuration with this code; None if that cannot be done."""
    return _with_line(text, f'code = "{code}"')


def _with_line(text: str, line: str) -> str | None:
    """The text with `line` where the code is or may be."""
    wanted = configuration_of(text)
    if wanted is None:
        return None
    text = text.replace("\r\n", "\n")
    places, lines = key_lines(text), text.split("\n")
    if _CODE in places:
        lines[places[_CODE] - 1] = line
    elif line and _CODE[:1] in places:
        lines.insert(places[_CODE[:1]], line)
    elif line:
        lines += ["[access]", line, ""]
    written = "\n".join(lines)
    code = line.partition('"')[2].rstrip('"') or RANDOM_CODE
    # However unusually the text was written: nothing else has changed.
    return written if configuration_of(written) == wanted.with_value("access", "code", code) else None
