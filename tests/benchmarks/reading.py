"""`python -m tests.benchmarks reading`: what reading the dice for a verdict costs."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from tests.benchmarks.pi_estimate import pi_markdown
from tests.benchmarks.reading_cost import (
    DICE_COUNT,
    Bar,
    BenchmarkError,
    ReadingBenchmark,
    ReadingCost,
    benchmark_reader,
)
from vision.evaluation.document_section import write_between
from vision.models.network import ModelError
from vision.reader import Reader

PI_DICE = (10, DICE_COUNT)
"""The tables for which the figures say what a verdict takes on a Pi."""

START, END = "<!-- cost -->", "<!-- /cost -->"


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--rounds", type=click.IntRange(1, 1000), default=7, show_default=True,
              help="How often everything is measured; what is shown are medians.")  # fmt: skip
@click.option("--figures", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help=f"Write the tables between {START} and {END} of FILE.")  # fmt: skip
def reading(as_json: bool, rounds: int, figures: Path | None) -> None:
    """Measure what a verdict costs, in forward passes of YOLOv8n.

    A verdict takes a frame that is read, and another one that confirms it. The passes are those of a network of
    YOLOv8n's size on the same thread.

    Times are processor time, which other work on the machine affects less. Between machines, compare the ratio to the
    network's forward pass.
    """
    try:
        measured = benchmark_reader(Reader.load(), rounds, lambda step: click.echo(f"{step} ...", err=True))
    except (ModelError, BenchmarkError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(json.dumps(_json(measured)) if as_json else _text(measured))
    if figures is not None:
        write_between(figures, START, END, _markdown(measured))


def _json(b: ReadingBenchmark) -> dict[str, object]:
    bars = [{**asdict(bar), "within": bar.within} for bar in b.bars()]
    return {**asdict(b), "bars": bars}


def _bar(bar: Bar) -> str:
    return f"{bar.name}: {bar.value:.2f} {bar.unit}, {'within' if bar.within else 'OVER'} {bar.limit:g} {bar.unit}"


def _row(cost: ReadingCost) -> str:
    return (
        f"  {f'{cost.width}x{cost.height}':>10} {cost.dice:>5} {cost.seen:>5} {cost.die_px:>6.0f} {cost.ms:>7.0f} "
        f"{cost.ratio:>6.2f}  {cost.low:.2f}-{cost.high:.2f}"
    )


def _text(b: ReadingBenchmark) -> str:
    head = f"  {'frame':>10} {'dice':>5} {'seen':>5} {'die px':>6} {'ms':>7} {'ratio':>6}  of all rounds"
    lines = [
        f"OpenCV {b.opencv} on {b.machine}, one thread of {b.cores} cores; medians of {b.rounds} rounds",
        f"Forward pass of a network of YOLOv8n's size ({b.weights:,} weights, {b.gflop:.2f} GFLOP): {b.yard_ms:.0f} ms",
        "A frame, as a camera 50, 75 and 110 cm above the table sees it; ratio to that forward pass",
        head, *map(_row, b.heights),
        "As dice grow more", head, *map(_row, b.dice),
        "As pixels grow more", head, *map(_row, b.pixels),
        "Settle check: " + ", ".join(f"{c.ms:.2f} ms at {c.width}x{c.height}" for c in b.checks),
        f"Memory of a process that reads one frame: {b.memory_mb:.0f} MB at most",
        *map(_bar, b.bars()),
    ]  # fmt: skip
    return "\n".join(lines)


def _markdown(b: ReadingBenchmark) -> str:
    def row(cost: ReadingCost) -> str:
        return (
            f"| {cost.width} x {cost.height} | {cost.dice} | {cost.die_px:.0f} px | {cost.seen} "
            f"| {cost.ms:.0f} ms | {cost.ratio:.2f} |"
        )

    lines = [
        "| frame | dice | width of a die | seen | processor time | forward passes |",
        "|---|---|---|---|---|---|",
        *dict.fromkeys(map(row, (*b.heights, *b.dice, *b.pixels))),
        "",
        f"A forward pass is that of a network of YOLOv8n's size ({b.gflop:.1f} GFLOP at 640 x 640), {b.yard_ms:.0f} ms "
        f"on one thread of the same machine ({b.machine}), by the same engine; medians of {b.rounds} rounds. The "
        "settle check takes "
        + " and ".join(f"{c.ms:.1f} ms on {c.width} x {c.height}" for c in b.checks)
        + f". A process that loads the reader and reads a frame takes {b.memory_mb:.0f} MB at most.",
        "",
        pi_markdown([cost for cost in b.dice if cost.dice in PI_DICE], b.yard_ms),
    ]
    return "\n".join(lines)
