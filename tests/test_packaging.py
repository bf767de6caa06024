"""One distribution, five packages: everything is listed, nothing is shadowed, and the README names what exists."""

from __future__ import annotations

import ast
import importlib
import importlib.metadata
import importlib.util
import json
import os
import re
import runpy
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from PIL import Image

from companion.cli import main

REPOSITORY = Path(__file__).resolve().parent.parent
PACKAGES = ("companion", "vision", "hardware", "web", "calibration")
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
TEXTS = sorted(
    each.relative_to(REPOSITORY) for each in (*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").rglob("*.md"))
)
"""What is written for people."""

IMPORTED_AS = {
    "paho": "paho-mqtt",
    "cv2": "opencv-python",
    "PIL": "pillow",
    "luma": "luma.core",
    "prometheus_client": "prometheus-client",
}
"""Import names that differ from the name of the distribution they come from."""

NOT_FROM_PIP = {"picamera2", "libcamera"}
"""Import names that only apt brings."""


def modules() -> list[str]:
    """Every module of ours, by its dotted name."""
    files = sorted(file for package in PACKAGES for file in (REPOSITORY / package).rglob("*.py"))
    return [".".join(file.relative_to(REPOSITORY).with_suffix("").parts).removesuffix(".__init__") for file in files]


def importable() -> list[str]:
    """Every module that imports with what the extra `test` installs; training wants torch."""
    return [name for name in modules() if not name.startswith("vision.training.") and not name.endswith("__main__")]


def third_party(file: Path) -> set[str]:
    """The top-level names, neither ours nor Python's, that a module imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found - {*PACKAGES, *sys.stdlib_module_names}


def required(requirements: list[str]) -> set[str]:
    """The names of the distributions in a list of requirements."""
    return {re.split(r"[^\w.-]", requirement)[0].lower() for requirement in requirements}


@pytest.mark.parametrize("package", PACKAGES)
def test_the_package_that_is_imported_is_ours(package: str) -> None:
    file = importlib.import_module(package).__file__
    assert file is not None
    assert Path(file).resolve().parent == REPOSITORY / package


@pytest.mark.parametrize("package", PACKAGES)
def test_no_other_distribution_here_has_a_package_of_that_name(package: str) -> None:
    assert package not in sys.stdlib_module_names
    assert set(importlib.metadata.packages_distributions().get(package, [])) <= {"perudo-companion"}


@pytest.mark.parametrize("name", importable())
def test_every_module_imports_and_what_it_offers_is_there(name: str) -> None:
    module = importlib.import_module(name)
    offered = getattr(module, "__all__", [])
    assert len(offered) == len(set(offered))
    assert [each for each in offered if not hasattr(module, each)] == []


def test_every_folder_of_modules_is_listed_in_pyproject() -> None:
    """All but what makes the box rather than runs it: set-up, cards, training and evaluation stay in the repository."""
    found = {file.parent for package in PACKAGES for file in (REPOSITORY / package).rglob("*.py")}
    folders = {
        folder
        for folder in found
        if not {"bootstrap", "card", "training", "evaluation", "translation"} & {*folder.relative_to(REPOSITORY).parts}
    }
    assert sorted(PROJECT["tool"]["setuptools"]["packages"]) == sorted(
        ".".join(folder.relative_to(REPOSITORY).parts) for folder in folders
    )
    assert [folder for folder in folders if not (folder / "__init__.py").exists()] == []


def test_every_other_file_in_a_package_is_package_data() -> None:
    """All but the ONNX files, of which the converted ones are run."""
    patterns = PROJECT["tool"]["setuptools"]["package-data"]
    assert [
        str(file.relative_to(REPOSITORY))
        for package in PACKAGES
        for file in sorted((REPOSITORY / package).rglob("*"))
        if file.suffix != ".onnx"
        and file.is_file()
        and file.suffix != ".py"
        and "__pycache__" not in file.parts
        and not any(
            fnmatch(str(file.relative_to(REPOSITORY / package)), pattern) or fnmatch(file.name, pattern)
            for pattern in [*patterns.get(package, []), *patterns.get("*", [])]
        )
    ] == []


def test_what_is_imported_is_declared() -> None:
    declared = required(PROJECT["project"]["dependencies"])
    training = required(PROJECT["project"]["optional-dependencies"]["train"])
    display = required(PROJECT["project"]["optional-dependencies"]["display"])
    usb = required(PROJECT["project"]["optional-dependencies"]["usb"])
    club = required(PROJECT["project"]["optional-dependencies"]["club"])
    undeclared = {
        f"{name} imports {wanted}"
        for name in modules()
        for file in [REPOSITORY.joinpath(*name.split("."))]
        for wanted in third_party(file / "__init__.py" if file.is_dir() else file.with_suffix(".py")) - NOT_FROM_PIP
        if IMPORTED_AS.get(wanted, wanted).lower()
        not in declared
        | (training if name.startswith("vision.training") else set())
        | (display if name == "hardware.panel.luma_display" else set())
        | (usb if name == "hardware.panel.input_devices" else set())
        | (club if name.startswith(("companion.club.", "companion.member.")) else set())
    }
    assert sorted(undeclared) == []


def test_what_the_tests_import_is_declared() -> None:
    declared = required(PROJECT["project"]["dependencies"]).union(
        *map(required, PROJECT["project"]["optional-dependencies"].values())
    )
    undeclared = {
        f"{file.relative_to(REPOSITORY)} imports {wanted}"
        for file in (REPOSITORY / "tests").rglob("*.py")
        if "node_modules" not in file.parts
        for wanted in third_party(file) - NOT_FROM_PIP - {"tests", "docs"}
        if IMPORTED_AS.get(wanted, wanted).lower() not in declared
    }
    assert sorted(undeclared) == []


def test_every_dependency_says_what_it_is_for() -> None:
    lines = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    extras = PROJECT["project"]["optional-dependencies"]
    wanted = [*PROJECT["project"]["dependencies"], *(each for extra in extras.values() for each in extra)]
    silent = [
        requirement
        for requirement in wanted
        if not requirement.startswith("perudo-companion")
        and not any(re.search(r'",?\s+# \w', line) for line in lines if f'"{requirement}"' in line)
    ]
    assert silent == []


def test_the_container_has_every_package_and_its_command_is_one() -> None:
    text = (REPOSITORY / "docs" / "Containerfile").read_text(encoding="utf-8")
    copied = [source for line in re.findall(r"^COPY (.*) \S+$", text, re.M) for source in line.split()]
    assert set(PACKAGES) <= set(copied)
    assert set(PROJECT["tool"]["setuptools"]["data-files"]["share/man/man1"]) <= set(copied)
    assert [source for source in copied if not (REPOSITORY / source).exists()] == []
    name, *options = json.loads(re.findall(r"^CMD (.*)$", text, re.M)[0])
    command = main.get_command(click.Context(main), name)
    assert command.make_context(name, options).params["camera"] == "phone"


# The README


def test_the_commands_of_the_readme_set_up_what_they_need() -> None:
    typed = [line for line in README.splitlines() if line.startswith("python3 -m companion.bootstrap")]
    assert [line.split()[-1] for line in typed] == ["demo", "setup", "test"]


def test_the_readme_begins_with_a_round_that_moves() -> None:
    before, picture = README.split("](docs/round.webp)")[0], REPOSITORY / "docs" / "round.webp"
    assert len(before.split()) < 90, "only what it is stands before it"
    assert picture.stat().st_size < 3_000_000
    with Image.open(picture) as frames:
        assert frames.n_frames > 20
        frames.seek(frames.n_frames - 1)
        frames.load()
        assert 10 < frames.info["timestamp"] / 1000 < 30, "seconds"


def commands() -> set[str]:
    """Every command of `perudo`."""
    return set(main.list_commands(click.Context(main)))


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_tells_of_itself_and_is_in_the_docs(name: str) -> None:
    told = CliRunner().invoke(main, [name, "--help"])
    assert told.exit_code == 0, told.output
    assert f"`perudo {name}" in (REPOSITORY / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", TEXTS, ids=str)
def test_every_command_a_text_names_exists(text: Path) -> None:
    said = (REPOSITORY / text).read_text(encoding="utf-8")
    assert sorted(set(re.findall(r"(?:`|bin/)perudo ([a-z-]+)", said)) - commands()) == []


@pytest.mark.parametrize("text", TEXTS, ids=str)
def test_every_file_a_text_points_to_is_there(text: Path) -> None:
    said = (REPOSITORY / text).read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", said)
    assert [link for link in links if not (REPOSITORY / text.parent / link).exists()] == []


def test_the_source_distribution_is_the_same_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pytest.importorskip("setuptools"), "setup", lambda **_: None)
    make = runpy.run_path(str(REPOSITORY / "setup.py"))["SteadySdist"].make_archive
    monkeypatch.chdir(tmp_path)
    archives = []
    for at, mode in ((1_000_000_000, 0o600), (1_700_000_000, 0o664)):
        for name in ("b", "a") if archives else ("a", "b"):
            file = Path("perudo-1", name)
            file.parent.mkdir(exist_ok=True)
            file.unlink(missing_ok=True)
            file.write_text(name)
            file.chmod(mode)
            os.utime(file, (at, at))
        archives.append(Path(make(None, "perudo-1", "gztar", base_dir="perudo-1")).read_bytes())
    assert archives[0] == archives[1]


def test_the_metadata_names_the_licence_of_the_font_too() -> None:
    assert PROJECT["project"]["license"] == "MIT AND OFL-1.1"
    assert all((REPOSITORY / each).is_file() for each in PROJECT["project"]["license-files"])
