"""Accessibility barriers in the page, found by axe-core: all rules of WCAG 2.0 to 2.2 at the levels A and AA,
and those of best practice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver

TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice")
THEMES = ("dark", "light")
OF_A_THEME = ("color-contrast", "link-in-text-block")
"""The rules that depend on the theme; the others are checked once."""

_RUN = """
    const [runOnly, done] = arguments;
    const stuck = [...document.querySelectorAll("body *")].filter((e) => getComputedStyle(e).position === "sticky");
    for (const each of stuck) each.style.position = "relative";
    const ground = document.body.style;
    ground.background = "var(--bg)";
    axe.run(document, { runOnly, resultTypes: ["violations"] })
       .then((found) => found.violations, (error) => [{ id: "axe", help: String(error), nodes: [] }])
       .then((found) => {
         for (const each of stuck) each.style.position = "";
         ground.background = "";
         done(found);
       });
"""
"""What stays in sight covers what can be scrolled from under it; axe would take that for a target that is too small. It
tells no contrast on a gradient.
"""
_NAMELESS = r"""
    const shown = (each) => each.getClientRects().length && !each.closest("[aria-hidden='true']");
    const named = (each) => ["aria-label", "aria-labelledby", "title"].some((name) => each.getAttribute(name));
    const bars = [...document.querySelectorAll("progress, meter")].filter((each) => !each.labels.length);
    const buttons = [...document.querySelectorAll("button")].filter((each) => !/[\p{L}\p{N}]/u.test(each.textContent));
    return [...bars, ...buttons].filter((each) => shown(each) && !named(each))
      .map((each) => `nameless: ${each.localName}.${each.className}: ${each.textContent}`);"""
"""Buttons that would be read as a sign alone, and bars without a name, which axe lets pass."""


@pytest.fixture(scope="session")
def axe(node_modules: Path) -> Callable[..., list[str]]:
    """Looks for barriers in what a browser (or a `Page`) shows. Returns a line for each.

    `rules` limits the check to these of axe's rules; the default is all of them.
    """
    source = (node_modules / "axe-core" / "axe.min.js").read_text()

    def violations(page: Any, rules: Sequence[str] = ()) -> list[str]:
        driver: webdriver.Chrome = getattr(page, "driver", page)
        if not driver.execute_script("return Boolean(window.axe)"):
            driver.execute_script(source)
        selection = {"type": "rule", "values": list(rules)} if rules else {"type": "tag", "values": list(TAGS)}
        result = driver.execute_async_script(_RUN, selection)
        nameless = [] if rules else driver.execute_script(_NAMELESS)
        return [*nameless, *(line for violation in result for line in _lines(violation))]

    return violations


def barriers(page: Any, axe: Callable[..., list[str]], where: str) -> list[str]:
    """The barriers of what a `Screen` shows, in both themes."""
    lines = []
    for theme in THEMES:
        page.wear(theme)
        lines += [f"{where}, {theme}: {line}" for line in axe(page, () if theme == "dark" else OF_A_THEME)]
    return lines


def _lines(violation: dict[str, Any]) -> list[str]:
    """`color-contrast: .note.turn: Element has insufficient color contrast of 3.1 ...`, one for each element."""
    nodes = violation["nodes"] or [{"target": ["?"], "failureSummary": violation["help"]}]
    return [
        f"{violation['id']}: {' '.join(map(str, node['target']))}: {' '.join(node['failureSummary'].split())}"
        for node in nodes
    ]
