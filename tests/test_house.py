"""One word for one thing, one room for one job: what docs/why/architecture.md promises of names and folders."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from companion.cli import CLI_COMMANDS

REPOSITORY = Path(__file__).resolve().parent.parent
PACKAGES = ("companion", "vision", "hardware", "web", "calibration")
MODULES = sorted(file for package in PACKAGES for file in (REPOSITORY / package).rglob("*.py"))
FOLDERS = sorted({file.parent for file in MODULES})
MOST_FILES = 13
CLI_HELPERS = frozenset({"__main__", "options", "output"})
"""The modules of companion/cli that are no command."""
MOST_FLOORS = 6
MOST_UNTYPED = 10

NOUNS = frozenset(
    {
        "bidding",
        "opening",
        "judging",
        "training",
        "wiring",
        "reading",
        "table_reading",
        "drawing",
        "calibrating",
        "evening",
        "sighting",
    }
)
"""What ends as a participle does, and is a noun of the field."""


@cache
def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def dotted(file: Path) -> str:
    return ".".join(file.relative_to(REPOSITORY).with_suffix("").parts).removesuffix(".__init__")


def public_names(file: Path) -> Iterator[str]:
    """The classes and constants a module defines for others."""
    for node in tree(file).body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        yield from (each.id for each in targets if isinstance(each, ast.Name) and each.id.isupper())


def test_no_class_and_no_constant_has_the_name_of_another() -> None:
    """Training, which no box runs, has a vocabulary of its own."""
    places = defaultdict(set)
    for file in MODULES:
        if "training" not in file.parts:
            for name in public_names(file):
                if not name.startswith("_"):
                    places[name].add(dotted(file))
    assert {name: sorted(where) for name, where in places.items() if len(where) > 1} == {}


def test_no_file_is_named_by_a_participle() -> None:
    participle = re.compile(r"(told|said|seen|kept|held|known|found|made|left)|.+(ing|ed)")
    assert [dotted(file) for file in MODULES if participle.fullmatch(file.stem) and file.stem not in NOUNS] == []


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(REPOSITORY)))
def test_a_folder_is_seen_at_a_glance(folder: Path) -> None:
    most = len(CLI_COMMANDS) + len(CLI_HELPERS) if folder.name == "cli" else MOST_FILES  # one file for each command
    assert len([file for file in folder.glob("*.py") if file.name != "__init__.py"]) <= most
    assert floors(folder) <= MOST_FLOORS


def floors(folder: Path) -> int:
    """The longest chain of imports among the files of one folder."""
    here = {dotted(file): file for file in folder.glob("*.py") if file.name != "__init__.py"}

    def below(name: str) -> set[str]:
        found = set()
        for node in ast.walk(tree(here[name])):
            if isinstance(node, ast.ImportFrom) and node.module:
                found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        return (found & here.keys()) - {name}

    @cache
    def height(name: str) -> int:
        return 1 + max(map(height, below(name)), default=0)

    return max(map(height, here), default=0)


def test_values_are_typed() -> None:
    untyped = [
        dotted(file) for file in MODULES for _ in re.findall(r"dict\[str, Any\]", file.read_text(encoding="utf-8"))
    ]
    assert len(untyped) <= MOST_UNTYPED, untyped
