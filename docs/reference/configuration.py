"""The reference of the configuration, from the declaration of its keys."""

from __future__ import annotations

from collections.abc import Iterator

from companion.config import SECTIONS, default_text

_SWITCH = "is true or false"


def markdown() -> str:
    """The file that `perudo config init` writes, and what the keys may be that are not true or false."""
    intro = "What a key may be; those that are not listed are true or false."
    return "\n\n".join([f"```toml\n{default_text()}```", intro, *_sections()])


def _sections() -> Iterator[str]:
    for section, keys in SECTIONS.items():
        rows = [
            f"- `{key.name}`: {key.kind.may_be.removeprefix('is ')}"
            for key in keys.values()
            if key.kind.may_be != _SWITCH
        ]
        yield "\n".join([f"`[{section}]`", "", *rows])
