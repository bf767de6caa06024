"""What docs/why/architecture.md promises of names and folders."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
PACKAGES = ("companion", "vision", "hardware", "web", "calibration")
MODULES = sorted(file for package in PACKAGES for file in (REPOSITORY / package).rglob("*.py"))
FOLDERS = sorted({file.parent for file in MODULES})
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


def test_no_file_is_named_by_a_participle() -> None:
    participle = re.compile(r"(told|said|seen|kept|held|known|found|made|left)|.+(ing|ed)")
    assert [dotted(file) for file in MODULES if participle.fullmatch(file.stem) and file.stem not in NOUNS] == []


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(REPOSITORY)))
def test_a_folder_has_few_floors(folder: Path) -> None:
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


def test_every_module_stands_in_a_layer() -> None:
    """import-linter asks that only of what is in one package."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    layers = project["tool"]["importlinter"]["contracts"][0]["layers"]
    placed = tuple(f"{name}." for layer in layers for name in re.split(" [|:] ", layer))
    loose = [dotted(file) for file in MODULES if not f"{dotted(file)}.".startswith(placed)]
    assert loose == ["companion"], "all but the package that has the others"


def test_values_are_typed() -> None:
    untyped = [
        dotted(file) for file in MODULES for _ in re.findall(r"dict\[str, Any\]", file.read_text(encoding="utf-8"))
    ]
    assert len(untyped) <= MOST_UNTYPED, untyped


FOLDERS_OF_ALL = (*PACKAGES, "tests", "docs")


@pytest.mark.parametrize(
    "document", sorted((REPOSITORY / "docs" / "why").glob("*.md")), ids=lambda document: document.name
)
def test_every_path_that_a_document_names_exists(document: Path) -> None:
    """A path begins at the repository's root, or is the end of one, such as `game/decide.py`."""
    there = [f"/{file.relative_to(REPOSITORY)}" for top in FOLDERS_OF_ALL for file in (REPOSITORY / top).rglob("*")]
    named = re.findall(r"`([\w.-]+(?:/[\w.-]+)*)`", document.read_text(encoding="utf-8"))
    paths = [
        path
        for path in named
        if path.endswith((".py", ".js")) or path.startswith(tuple(f"{top}/" for top in FOLDERS_OF_ALL))
    ]
    assert [path for path in paths if not any(each.endswith(f"/{path}") for each in there)] == []
