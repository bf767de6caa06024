"""Barriers in the page as it stands, found by axe-core: everything WCAG 2.0 to 2.2 ask for at the levels A and AA."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver

TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa")

_RUN = """
    const [runOnly, done] = arguments;
    axe.run(document, { runOnly, resultTypes: ["violations"] })
       .then((found) => done(found.violations), (error) => done([{ id: "axe", help: String(error), nodes: [] }]));
"""


@pytest.fixture
def axe(node_modules: Path) -> Callable[..., list[str]]:
    """Looks for barriers in what a browser (or a `Page`) shows now; a line for each, empty when there is none.

    `rules` names those of axe's rules that are asked; without it all of WCAG's are.
    """
    source = (node_modules / "axe-core" / "axe.min.js").read_text()

    def violations(page: Any, rules: Sequence[str] = ()) -> list[str]:
        driver: webdriver.Chrome = getattr(page, "driver", page)
        if not driver.execute_script("return Boolean(window.axe)"):
            driver.execute_script(source)
        asked = {"type": "rule", "values": list(rules)} if rules else {"type": "tag", "values": list(TAGS)}
        found = driver.execute_async_script(_RUN, asked)
        return [line for violation in found for line in _lines(violation)]

    return violations


def _lines(violation: dict[str, Any]) -> list[str]:
    """`color-contrast: .note.turn: Element has insufficient color contrast of 3.1 ...`, one for each element."""
    nodes = violation["nodes"] or [{"target": ["?"], "failureSummary": violation["help"]}]
    return [
        f"{violation['id']}: {' '.join(map(str, node['target']))}: {' '.join(node['failureSummary'].split())}"
        for node in nodes
    ]
