"""`python -m tests.benchmarks start`: what starting the box costs, and what it costs while nobody plays."""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Final

import click

from tests.benchmarks.reading_cost import table_case
from tests.benchmarks.start_cost import CostError, StartCost, measure_start
from tests.benchmarks.systemd_exposure import exposure
from tests.fakes.machine import unit
from vision.evaluation.figures import write_between
from vision.image_file import write_image

START, END = "<!-- start -->", "<!-- /start -->"

CARD_SPEED: Final = 10.0
"""Megabytes a second that a slow memory card gives when many small files are read."""
START_READS: Final = 60.0
"""Megabytes that a start reads from the card, with Python and OpenCV: less than the process then holds."""


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--rounds", type=click.IntRange(1, 1000), default=7, show_default=True,
              help="How often the import is measured; what is shown is the median.")  # fmt: skip
@click.option("--idle", "idle_for", type=click.FloatRange(min=1), default=60.0, show_default=True, metavar="SECONDS",
              help="How long nobody plays.")  # fmt: skip
@click.option("--figures", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help=f"Write the table between {START} and {END} of FILE.")  # fmt: skip
def start(as_json: bool, rounds: int, idle_for: float, figures: Path | None) -> None:
    """Measure what a start costs, and a minute in which nobody plays.

    Both in processor time and memory.
    """
    with tempfile.TemporaryDirectory() as folder:
        write_image(Path(folder) / "table.png", table_case().image)
        try:
            cost = measure_start(Path(folder), idle_for, rounds, lambda step: click.echo(f"{step} ...", err=True))
        except CostError as error:
            raise click.ClickException(str(error)) from error
    click.echo(json.dumps(asdict(cost)) if as_json else _text(cost))
    if figures is not None:
        with tempfile.TemporaryDirectory() as folder:
            exposed = exposure(unit(Path(folder)))
        write_between(figures, START, END, markdown(cost, exposed))


def _text(cost: StartCost) -> str:
    return "\n".join(
        (
            *(
                f"{name}: {value:.2f} {unit}, {_within(value, limit)} {limit:g}"
                for name, value, limit, unit in cost.bars()
            ),
            f"until the page answers: {cost.ready_s:.2f} s of processor time; a Pi 4 takes {cost.factor:.1f} times as "
            f"long, {cost.pi_ready_s:.0f} s",
            f"memory while idle: {cost.idle_mb:.0f} MB",
        )
    )


def _within(value: float, limit: float) -> str:
    return "within" if value <= limit else "OVER"


def markdown(cost: StartCost, exposed: float | None) -> str:
    """The table for the documentation, and the estimate under it."""
    rows = (
        ("import of the whole program", f"{cost.import_s:.2f} s of processor time", "1.5 s"),
        ("until the page answers, import included", f"{cost.ready_s:.2f} s of processor time", ""),
        (f"idle, over {cost.idle_for:.0f} s", f"{cost.idle_percent:.1f} % of one core", "3 %"),
        ("memory, at most", f"{cost.peak_mb:.0f} MB", "250 MB"),
        ("memory, idle", f"{cost.idle_mb:.0f} MB", ""),
    )
    card = START_READS / CARD_SPEED
    lines = [
        "| what | measured | at most |",
        "|---|---|---|",
        *(f"| {what} | {value} | {most} |" for what, value, most in rows),
        "",
        f"On {cost.machine}. The camera was a picture of 2304 x 1296 in a folder, looked at three times a second while "
        "nobody plays. The driver of a Pi's camera module has a cost of its own, which could not be measured here.",
        "",
        f"**On a Raspberry Pi 4, estimated:** it takes {cost.factor:.1f} times as long for the same work in Python "
        "(the n-body benchmark, [measured there](https://chaitanyamehta.github.io/projects/performance-analysis-of-"
        "programming-languages) and by this command here), so the page answers after "
        f"{cost.pi_ready_s:.0f} s of processor time, and about {card:.0f} s for reading {START_READS:.0f} MB from a "
        f"slow memory card at {CARD_SPEED:.0f} MB/s: {cost.pi_ready_s + card:.0f} s after systemd starts it. No Pi was "
        "there to measure it on.",
    ]
    if exposed is not None:
        lines += ["", f"`systemd-analyze security` gives the unit an exposure of {exposed:.1f} of 10."]
    return "\n".join(lines)
