"""Changes some keys of a configuration and leaves everything else, including comments, as it is."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping

from companion.config.key import toml
from companion.config.parser import key_lines


def with_keys(text: str, section: str, values: Mapping[str, object]) -> str:
    """The TOML `text` with these values for keys of a section.

    Raises `ValueError` if the section is not a [section], but an inline table or dotted keys.
    """
    for name, value in reversed(list(values.items())):  # new keys go to the top of the section
        text = _with_key(text, section, name, f"{name} = {toml(value)}")
    read = tomllib.loads(text).get(section, {})
    wanted = tomllib.loads("\n".join(f"{name} = {toml(value)}" for name, value in values.items()))
    if {name: read.get(name) for name in values} != wanted:
        raise ValueError(section)
    return text


def _with_key(text: str, section: str, name: str, statement: str) -> str:
    lines, places = text.removesuffix("\n").split("\n") if text else [], key_lines(text)
    if (section,) not in places:
        return "\n".join([*lines, *([""] if lines else []), f"[{section}]", statement, ""])
    if (section, name) in places:
        begin = places[section, name] - 1
        end = next(end for end in range(begin + 1, len(lines) + 1) if _whole("\n".join(lines[begin:end])))
    else:
        # Below its commented example, if the file has one, else at the section's top.
        examples = [n for n, line in enumerate(lines) if line.startswith(f"# {name} = ") and n >= places[section,]]
        begin = end = examples[0] + 1 if examples else places[section,]
    return "\n".join([*lines[:begin], statement, *lines[end:], ""])


def _whole(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True
