"""`python -m tests.benchmarks suite`: what the tests cost, by file and by what they start.

It is a plugin of pytest too, which notes of every test the wall time, the processor time of this process and all it
started, and what was started meanwhile.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import click
import pytest

from companion.bootstrap.set_up import WORKERS
from vision.evaluation.figures import write_between

START, END = "<!-- suite -->", "<!-- /suite -->"
OUT: Final = "PERUDO_SUITE_COSTS"
"""Names the file that the plugin appends to: a line of JSON a test."""
SHOWN_FILES: Final = 15
TICKS: Final = os.sysconf("SC_CLK_TCK")
PROGRAMS: Final = {"chromedriver": "browser", "mosquitto": "broker", "debootstrap": "other program"}
"""A program -> its kind."""


@dataclass
class TestCost:
    """One test with its fixtures."""

    __test__ = False
    name: str
    wall: float
    """Seconds."""
    processor: float
    """Seconds, of the test and of every program that it started."""
    started: dict[str, int] = field(default_factory=dict)
    """A kind -> how many."""

    @property
    def file(self) -> str:
        return self.name.partition("::")[0]

    @property
    def kind(self) -> str:
        """The dearest thing that it started."""
        return next((kind for kind in KINDS if self.started.get(kind)), KINDS[-1])


KINDS: Final = ("demo", "box", "broker", "browser", "page", "other program", "nothing of these")
"""What a test may start, the dearest first; "box": another command of perudo."""


class _Watch:
    """Counts what this process starts, from Python's audit events."""

    def __init__(self) -> None:
        self.started: Counter[str] = Counter()
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "subprocess.Popen":
            self.started[_kind(str(arguments[0]), [str(each) for each in arguments[1]])] += 1


def _kind(program: str, arguments: Sequence[str]) -> str:
    name = Path(program).name
    if any(each in ("companion.cli", "companion.club") or Path(each).name == "perudo" for each in arguments):
        return "demo" if "demo" in arguments else "box"
    return PROGRAMS.get(name, "other program")


def _processor_time() -> float:
    """Seconds of this process and of all that it started, those that have ended included."""
    children: dict[int, list[int]] = {}
    ticks: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            text = (folder / "stat").read_text()
        except OSError:  # it has ended
            continue
        fields = text[text.rindex(")") + 2 :].split()
        ticks[int(folder.name)] = sum(map(int, fields[11:15]))
        children.setdefault(int(fields[1]), []).append(int(folder.name))
    total, left = 0, [os.getpid()]
    while left:
        process = left.pop()
        total += ticks.get(process, 0)
        left += children.get(process, [])
    return total / TICKS


_watch: _Watch | None = None


def pytest_configure() -> None:
    """Begin to count, where the command asked for it."""
    if os.environ.get(OUT):
        from selenium.webdriver.remote.webdriver import WebDriver

        global _watch  # noqa: PLW0603  (pytest knows plugins as modules)
        watch = _watch = _Watch()
        get, refresh = WebDriver.get, WebDriver.refresh

        def counted_get(self: WebDriver, url: str) -> None:
            watch.started["page"] += url != "about:blank"
            get(self, url)

        def counted_refresh(self: WebDriver) -> None:
            watch.started["page"] += 1
            refresh(self)

        WebDriver.get, WebDriver.refresh = counted_get, counted_refresh  # type: ignore[method-assign]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note what the test cost."""
    if _watch is None:
        return (yield)
    _watch.started.clear()
    processor, wall = _processor_time(), time.monotonic()
    result = yield
    cost = TestCost(item.nodeid, time.monotonic() - wall, max(0.0, _processor_time() - processor), dict(_watch.started))
    with Path(os.environ[OUT]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(vars(cost)) + "\n")
    return result


def read_costs(file: Path) -> list[TestCost]:
    """What the plugin wrote."""
    return [TestCost(**json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]


def markdown(costs: Sequence[TestCost], wall: float) -> str:
    """The tables for the documentation."""
    kinds = [(kind, [cost for cost in costs if cost.kind == kind]) for kind in KINDS]
    by_file: dict[str, list[TestCost]] = {}
    for cost in costs:
        by_file.setdefault(cost.file, []).append(cost)
    files = sorted(by_file.items(), key=lambda each: -sum(cost.processor for cost in each[1]))
    return "\n".join(
        [
            f"{len(costs):,} tests in {wall / 60:.1f} minutes on {os.cpu_count()} cores, "
            f"{sum(cost.processor for cost in costs) / 60:.1f} minutes of processor time.",
            "",
            "| the dearest thing that it starts | tests | processor s | wall s |",
            "|---|---|---|---|",
            *(_row(kind, some) for kind, some in kinds if some),
            "",
            "| file | tests | processor s | wall s |",
            "|---|---|---|---|",
            *(_row(f"`{file}`", some) for file, some in files[:SHOWN_FILES]),
            _row("all others", [cost for _, some in files[SHOWN_FILES:] for cost in some]),
        ]
    )


def _row(name: str, costs: Sequence[TestCost]) -> str:
    processor, wall = sum(cost.processor for cost in costs), sum(cost.wall for cost in costs)
    return f"| {name} | {len(costs):,} | {processor:.0f} | {wall:.0f} |"


@click.command()
@click.option("--figures", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help=f"Write the tables between {START} and {END} of FILE.")  # fmt: skip
@click.option("--keep", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Write a line of JSON a test to FILE.")  # fmt: skip
@click.argument("arguments", nargs=-1)
def suite(figures: Path | None, keep: Path | None, arguments: tuple[str, ...]) -> None:
    """Run the tests and say what they cost. ARGUMENTS go to pytest."""
    with tempfile.TemporaryDirectory() as folder:
        out = keep or Path(folder) / "costs"
        begun = time.monotonic()
        subprocess.run(
            [sys.executable, "-m", "pytest", *WORKERS, "-p", "tests.benchmarks.suite", *arguments],
            env={**os.environ, OUT: str(out)},
            check=False,
        )
        table = markdown(read_costs(out), time.monotonic() - begun)
    click.echo(table)
    if figures is not None:
        write_between(figures, START, END, table)
