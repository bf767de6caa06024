"""The reference of the configuration, from the declaration of its keys."""

from __future__ import annotations

from collections.abc import Iterator

from companion.config import SECTIONS, Key, default_text, variable


def markdown() -> str:
    """The file that `perudo config init` writes, and a table of every key."""
    return "\n\n".join([f"```toml\n{default_text()}```", "\n".join(_table())])


def _table() -> Iterator[str]:
    yield "| section | key | value | default | environment variable |"
    yield "|---|---|---|---|---|"
    for section, keys in SECTIONS.items():
        for key in keys.values():
            value, name = key.kind.may_be.removeprefix("is "), variable(section, key.name)
            yield f"| `[{section}]` | `{key.name}` | {value} | {_default(key)} | `{name}` |"


def _default(key: Key) -> str:
    return f"none; for example `{key.toml}`" if key.example else f"`{key.toml}`"
