"""`python -m tests.benchmarks suite`: what the tests cost, by file and by what they start.

This module is the plugin of pytest too that measures each test.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import click
import pytest

from companion.bootstrap.set_up import THREADS, WORKERS
from tests.proof.box import processor_s
from vision.evaluation.document_section import write_between

START, END = "<!-- suite -->", "<!-- /suite -->"
OUT: Final = "PERUDO_SUITE_COSTS"
"""Names the file that the plugin appends to: a line of JSON a test."""
SHOWN_FILES: Final = 15
KINDS: Final = ("demo", "box", "mosquitto", "chromedriver", "page", "program", "nothing of these")
"""What a test may start, the dearest first. "box": any other command of perudo; "page": a page loaded in a browser."""


@dataclass(frozen=True)
class Cost:
    """Of one test with its fixtures."""

    test: str
    wall: float
    """Seconds."""
    processor: float
    """Seconds, of the test and of every program that it started."""
    kind: str
    """The dearest thing of `KINDS` that it started."""


started: Counter[str] = Counter()
"""What the present test has started."""


def pytest_configure() -> None:
    """Count what is started, where the command asked for it."""
    if os.environ.get(OUT):
        from selenium.webdriver.remote.webdriver import WebDriver

        def loads(real: Callable[..., None]) -> Callable[..., None]:
            def load(driver: WebDriver, *address: str) -> None:
                started["page"] += 1
                real(driver, *address)

            return load

        WebDriver.get, WebDriver.refresh = loads(WebDriver.get), loads(WebDriver.refresh)  # type: ignore[method-assign]
        sys.addaudithook(lambda event, given: _hear(given) if event == "subprocess.Popen" else None)


def _hear(popen: tuple[Any, ...]) -> None:
    arguments = [str(each) for each in popen[1]]
    name = Path(str(popen[0])).name
    if any(each == "companion.cli" or Path(each).name == "perudo" for each in arguments):
        name = "demo" if "demo" in arguments else "box"
    started[name if name in KINDS else "program"] += 1


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note what the test cost."""
    if not os.environ.get(OUT):
        return (yield)
    started.clear()
    processor, wall = processor_s(os.getpid()), time.monotonic()
    result = yield
    # A browser that ends takes what it used before along.
    spent = max(0.0, processor_s(os.getpid()) - processor)
    kind = next((kind for kind in KINDS if started[kind]), KINDS[-1])
    with Path(os.environ[OUT]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(Cost(item.nodeid, time.monotonic() - wall, spent, kind))) + "\n")
    return result


def markdown(costs: Sequence[Cost], wall: float) -> str:
    """The tables for the documentation. `wall`: seconds of the whole run."""
    by_file: dict[str, list[Cost]] = {}
    for cost in costs:
        by_file.setdefault(cost.test.partition("::")[0], []).append(cost)
    files = sorted(by_file.items(), key=lambda each: -sum(cost.processor for cost in each[1]))
    heads = "tests | processor s | wall s |\n|---|---|---|---|"
    return "\n".join(
        [
            f"{len(costs):,} tests in {wall / 60:.1f} minutes on {os.cpu_count()} cores.",
            f"\n| the dearest that it starts | {heads}",
            *(_row(kind, [cost for cost in costs if cost.kind == kind]) for kind in KINDS),
            f"\n| file | {heads}",
            *(_row(f"`{file}`", some) for file, some in files[:SHOWN_FILES]),
            _row("all others", [cost for _, some in files[SHOWN_FILES:] for cost in some]),
        ]
    )


def _row(name: str, costs: Sequence[Cost]) -> str:
    processor, wall = sum(cost.processor for cost in costs), sum(cost.wall for cost in costs)
    return f"| {name} | {len(costs):,} | {processor:.0f} | {wall:.0f} |"


@click.command()
@click.option("--figures", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help=f"Write the tables between {START} and {END} of FILE.")  # fmt: skip
@click.argument("arguments", nargs=-1)
def suite(figures: Path | None, arguments: tuple[str, ...]) -> None:
    """Run the tests and say what they cost. ARGUMENTS go to pytest."""
    with tempfile.TemporaryDirectory() as folder:
        out, begun = Path(folder) / "costs", time.monotonic()
        command = [sys.executable, "-m", "pytest", *WORKERS, "-p", "tests.benchmarks.suite", *arguments]
        subprocess.run(command, env={**THREADS, **os.environ, OUT: str(out)}, check=False)
        costs = [Cost(**json.loads(line)) for line in out.read_text(encoding="utf-8").splitlines()]
        table = markdown(costs, time.monotonic() - begun)
    click.echo(table)
    if figures is not None:
        write_between(figures, START, END, table)
