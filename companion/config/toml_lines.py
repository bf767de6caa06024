"""The line of each key in a TOML text, which tomllib does not give."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any


def key_lines(text: str) -> dict[tuple[str, ...], int]:
    """The line, from 1, on which each key and section of a valid TOML text is first set, by its path of names.

    A statement ends with the first line at which the text since the last statement is TOML by itself. So the grammar
    is tomllib's: long strings and lists, quoted and dotted keys need no special care.
    """
    lines: dict[tuple[str, ...], int] = {}
    section: tuple[str, ...] = ()
    statement, begin = "", 1
    for number, line in enumerate(text.split("\n"), start=1):
        statement += f"{line}\n"
        try:
            read = tomllib.loads(statement)
        except tomllib.TOMLDecodeError:
            continue
        if statement.lstrip().startswith("["):
            section = ()
        paths = [(*section, *path) for path in _paths(read)]
        for path in paths:
            lines.setdefault(path, begin)
        if statement.lstrip().startswith("["):
            section = paths[-1]
        statement, begin = "", number + 1
    return lines


def _paths(table: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for key, value in table.items():
        yield (key,)
        if isinstance(value, dict):
            yield from ((key, *path) for path in _paths(value))
