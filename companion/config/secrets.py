"""The text of a configuration, with and without its secrets: the table's code, and what stands in addresses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.config import RANDOM_CODE, Config, ConfigError, parse
from companion.config.edit import with_keys
from companion.config.parser import key_lines
from companion.config.sections import ADDRESSES
from companion.messages.shown_address import shown_address, without_addresses

_CODE = ("access", "code")
_PLACE = (("web", "host"), ("web", "port"))


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


def without_secrets(text: str) -> str | None:
    """The same configuration without the table's code, and of its addresses scheme and host alone, its comments kept;
    None if that cannot be done."""
    config = configuration_of(text)
    without = _with_line(text, "") if code_in(text) is not None else text
    if config is None or without is None:
        return None
    shown = {place: shown_address(value) for place in ADDRESSES if (value := _value(config, place))}
    changed = {place: value for place, value in shown.items() if value != _value(config, place)}
    written = _with_values(without, changed)
    bare = None if written is None else without_addresses(written)  # in comments, too
    return bare if bare is not None and configuration_of(bare) == configuration_of(written or "") else None


def shortened_addresses(text: str, bare: str) -> tuple[str, ...]:
    """The addresses in `bare` of which the same configuration `text` says more."""
    whole, short = configuration_of(text), configuration_of(bare)
    if whole is None or short is None:
        return ()
    return tuple(value for place in ADDRESSES if (value := _value(short, place)) != _value(whole, place))


def for_this_box(text: str, own: str, *, secrets: bool) -> str:
    """The configuration `text` of a backup with the address and the port of this box's `own`, where its phones find
    it; and with its secrets, as far as they fit, if the backup was made without `secrets`. What cannot be done is left.
    """
    config, mine, code = configuration_of(text), configuration_of(own), code_in(own)
    if config is None or mine is None:
        return text
    here = {place: value for place in _PLACE if (value := _value(mine, place)) != _value(config, place)}
    text = _with_values(text, here) or text
    if secrets:
        return text
    known = {place: value for place in ADDRESSES if (value := _value(mine, place))}
    fitting = {place: value for place, value in known.items() if shown_address(value) == _value(config, place)}
    text = _with_values(text, fitting) or text
    return text if code is None else with_code(text, code) or text


def with_code(text: str, code: str) -> str | None:
    """The same configuration with this code; None if that cannot be done."""
    return _with_line(text, f'code = "{code}"')


def _value(config: Config, place: tuple[str, str]) -> Any:
    section, key = place
    return getattr(getattr(config, section), key)


def _with_values(text: str, values: Mapping[tuple[str, str], object]) -> str | None:
    """The text with these values of keys; None if it is written in another way."""
    wanted = configuration_of(text)
    try:
        for (section, key), value in values.items():
            text = with_keys(text, section, {key: value})
            wanted = wanted and wanted.with_value(section, key, value)
    except ValueError:
        return None
    return text if configuration_of(text) == wanted else None


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
