"""The page's modules that need no browser, tested by Node: `*.test.js` beside this file."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from web.page import STATIC

HERE = Path(__file__).parent


@pytest.mark.programs("npm")  # which comes with node
@pytest.mark.parametrize("name", sorted(file.name for file in HERE.glob("*.test.js")))
def test_a_module(name: str, tmp_path: Path) -> None:
    # Elsewhere: Node takes modules for such only under a package.json that says so, and pages are served without one.
    tests = tmp_path / "tests" / "page"
    tests.mkdir(parents=True)
    shutil.copy(HERE / name, tests)
    shutil.copy(HERE / "package.json", tmp_path)
    shutil.copytree(STATIC, tmp_path / "web" / "static")
    result = subprocess.run(["node", "--test", tests / name], capture_output=True, text=True, check=False, timeout=300)
    assert result.returncode == 0, result.stdout
