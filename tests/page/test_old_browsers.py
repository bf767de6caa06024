"""Whether browsers of the page's age limit would understand its files: Safari 15, Android phones of four years ago."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from web.page import STATIC

HERE = Path(__file__).parent

pytestmark = pytest.mark.programs("npm")


@pytest.fixture
def lint(node_modules: Path, tmp_path: Path) -> Callable[..., str]:
    """Lints the page's files, or those given as name -> text; what ESLint says, nothing when all is well."""
    node = shutil.which("node")
    assert node is not None, "npm is here without node"

    def found(texts: Mapping[str, str] | None = None) -> str:
        folder = tmp_path / "web" / "static"
        if texts:
            folder.mkdir(parents=True)
            for name, text in texts.items():
                (folder / name).write_text(text)
        else:
            shutil.copytree(STATIC, folder)
        # The configuration belongs to the folder it is run in: names of files are looked for from there.
        for name in ("eslint.config.js", "package.json"):
            shutil.copy(HERE / name, tmp_path)
        (tmp_path / "node_modules").symlink_to(node_modules)
        result = subprocess.run(
            [node, str(node_modules / "eslint" / "bin" / "eslint.js"), "--no-color", "web/static"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert result.returncode in {0, 1}, result.stderr
        return result.stdout.strip()

    return found


def test_every_module_and_style_is_understood_by_the_oldest_browsers(lint: Callable[..., str]) -> None:
    assert lint() == ""


TOO_NEW = {
    "private.js": ("export class A { #x = 1; get() { return this.#x; } }", "Parsing error"),
    "waiting.js": ("await fetch('/'); export const x = 1;", "Parsing error"),
    "at.js": ("export const x = [1].at(-1);", "Safari before 15.4"),
    "last.js": ("export const x = [1].findLast((y) => y);", "findLast"),
    "clone.js": ("export const x = structuredClone({});", "structuredClone"),
    "key.js": ("export const x = crypto.randomUUID();", "plain http"),
    "unknown.js": ("export const x = y;", "'y' is not defined"),
    "has.css": (".a:has(.b) { color: red; }", "has"),
    "nested.css": (".a { & .b { color: red; } }", "nesting"),
    "unit.css": (".a { height: 100dvh; }", "dvh"),
    "layer.css": ("@layer a { .a { color: red; } }", "@layer"),
}
"""A file, its text, and what should be said of it."""


def test_what_is_too_new_is_found(lint: Callable[..., str]) -> None:
    said = lint({name: text for name, (text, _) in TOO_NEW.items()})
    by_file = {block.splitlines()[0].rsplit("/", 1)[1]: block for block in said.split("\n\n") if "/" in block}
    for name, (_, complaint) in TOO_NEW.items():
        assert complaint in by_file.get(name, ""), f"{name}: {said}"
