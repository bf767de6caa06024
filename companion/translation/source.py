"""Finds every message for players in the source code, so that no catalog can miss one."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from companion import engine
from companion.messages.message import PLAIN_TEXT

REPOSITORY = Path(__file__).resolve().parents[2]
FOLDERS = ("calibration", "companion", "hardware", "web")

_REFUSALS = frozenset(
    name
    for name in engine.__all__
    if isinstance(kind := getattr(engine, name), type) and issubclass(kind, engine.NotAllowedError)
)
"""The engine's errors that players can see; only programs see `BadRecordError`."""


@dataclass(frozen=True, slots=True)
class Place:
    """A call in the source code."""

    file: str
    """Relative to the repository."""
    line: int
    call: ast.Call

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {ast.unparse(self.call)}"


def sources() -> list[Path]:
    """Every file that may contain messages for players."""
    return [path for folder in FOLDERS for path in sorted((REPOSITORY / folder).rglob("*.py"))]


def places(*names: str) -> Iterator[Place]:
    """Every call of a function with one of these names."""
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and _name(node) in names:
                yield Place(path.relative_to(REPOSITORY).as_posix(), node.lineno, node)


def messages() -> dict[str, frozenset[str]]:
    """msgid -> the names of its parameters, for every message. Raises `ValueError` if a msgid is not a literal."""
    parameters = {PLAIN_TEXT: frozenset({"text"})}
    for place in (*places("Message"), *places(*_REFUSALS)):
        names = frozenset(str(keyword.arg) for keyword in place.call.keywords)
        for msgid in _literals(place):
            if placeholders(msgid) != names:
                raise ValueError(f"{place}: the parameters are not those of the message")
            if parameters.setdefault(msgid, names) != names:
                raise ValueError(f"{place}: the same message has other parameters elsewhere")
    return parameters


def placeholders(msgid: str) -> frozenset[str]:
    """The names in braces."""
    return frozenset(name for _, name, _, _ in string.Formatter().parse(msgid) if name is not None)


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _literals(place: Place) -> Iterator[str]:
    """The message: a literal, or any of a table of literals in the same module."""
    first = place.call.args[0] if place.call.args else None
    match first:
        case ast.Constant(str(msgid)):
            yield msgid
        case ast.Subscript(ast.Name(table)):
            yield from _table(ast.parse((REPOSITORY / place.file).read_text()), table)
        case _:
            raise ValueError(f"{place}: the message is no literal")


def _table(tree: ast.Module, name: str) -> Iterator[str]:
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        value = getattr(node, "value", None)
        if any(isinstance(each, ast.Name) and each.id == name for each in targets) and isinstance(value, ast.Dict):
            yield from map(ast.literal_eval, value.values)
