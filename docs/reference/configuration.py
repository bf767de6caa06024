"""The reference of the configuration, from the declaration of its keys."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.config import SECTIONS, Key, default_text
from companion.config.key import FLAG


def markdown() -> str:
    """The file that `perudo config init` writes, without the house rules, which the reference of the rules has, and
    what a key may be where its comment does not say it.
    """
    text = default_text().partition("\n[rules]")[0]
    intro = "What a key may be, where its comment does not say it."
    return "\n\n".join([f"```toml\n{text}```", intro, *_sections()])


def _sections() -> Iterator[str]:
    for section, keys in SECTIONS.items():
        if section == "rules":
            continue
        names: dict[str, list[str]] = {}
        for key in keys.values():
            if not _in_comment(key):
                names.setdefault(key.kind.may_be.removeprefix("is "), []).append(f"`{key.name}`")
        if names:
            yield "\n".join([f"`[{section}]`", "", *(f"- {', '.join(those)}: {kind}" for kind, those in names.items())])


def _in_comment(key: Key) -> bool:
    """Whether the comment of a key names all that it may be. A switch needs no list."""
    values = re.findall(r'"[^"]+"|-?[0-9]+', key.kind.may_be)
    return key.kind.may_be == FLAG.may_be or (len(values) > 1 and all(each.strip('"') in key.note for each in values))
