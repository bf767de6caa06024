"""`python -m tests.benchmarks running`: what the box costs, from its start to its tenth reveal.

Processor time, not wall time: other work on the machine affects it less. It is that of `perudo run` in a process of its
own with a picture for a camera.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import click
import msgspec

from calibration.palette import COLOURS
from companion.box.process import Answer, Phone
from companion.engine import DEFAULT_RULESET
from tests.benchmarks.reading_cost import DICE_COUNT, forward_pass, one_thread, seen_from, spread_dice
from tests.benchmarks.systemd_exposure import exposure
from tests.fakes.machine import unit
from tests.proof.box import Box, memory_mb
from vision.drawn.table_scene import TableScene
from vision.evaluation.document_section import write_between
from vision.image_file import write_image

START, END = "<!-- running -->", "<!-- /running -->"
SIZES: Final = ((2304, 1296), (1280, 960))
"""Of the frames, in pixels: what a Camera Module 3 gives, and a webcam."""
REVEALS: Final = 10
SETTLE_TIME: Final = 6.0
"""Seconds from the beginning of a state until it is measured."""
VERDICT_TIMEOUT: Final = 120.0
PLAYERS: Final = dict(zip(COLOURS[:6], ("Ana", "Ben", "Cid", "Dora", "Eva", "Finn"), strict=True))
CONFIGURATION: Final = "[table]\npatience = 3600.0\ngive_up = 7200.0\n"
"""Whoever is missing a die is waited for as long as it takes to measure it."""

PI_4_SECONDS: Final = 158.3
"""Seconds that a Raspberry Pi 4 (1.5 GHz) took for five million steps of the n-body benchmark in Python:
https://chaitanyamehta.github.io/projects/performance-analysis-of-programming-languages. That Python was older and
slower, so the estimate from it is on the safe side.
"""
PI_4_STEPS: Final = 5_000_000
CARD_SPEED: Final = 10.0
"""Megabytes a second that a slow memory card gives when many small files are read."""
START_READS: Final = 60.0
"""Megabytes that a start reads from the card, with Python and OpenCV: less than the process then holds."""


class CostError(RuntimeError):
    """Something could not be measured here. The message says what."""


@dataclass(frozen=True, slots=True)
class RunningCost:
    """With frames of one size. Seconds are of processor time, megabytes are 10^6 bytes."""

    width: int
    height: int
    ready_s: float
    """Until the page answers."""
    no_game: float
    """Seconds a minute, as the next three."""
    cups_down: float
    waiting: float
    """For a die that lies under a cup."""
    between: float
    """With the verdict on the page, until "Next round" is tapped."""
    idle_mb: float
    """Before the first game."""
    reveals_mb: float
    """After `REVEALS` reveals."""
    most_mb: float


@dataclass(frozen=True, slots=True)
class Costs:
    """Everything measured in one run."""

    machine: str
    """As `uname -m` names it."""
    pass_s: float
    """A forward pass of the yardstick on one thread: seconds of processor time."""
    pi_factor: float
    """How many times as long a Raspberry Pi 4 takes for the same work in Python."""
    sizes: tuple[RunningCost, ...]

    @property
    def pi_ready_s(self) -> float:
        """Estimated processor time until the page answers on a Raspberry Pi 4."""
        return self.sizes[0].ready_s * self.pi_factor


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: what is measured, in what unit, and what it should be at most."""

    what: str
    value: Callable[[RunningCost], float]
    unit: str
    aim: float | None = None


ROWS: Final = (
    Row("start, until the page answers", lambda cost: cost.ready_s, "s", 2),
    Row("a minute without a game", lambda cost: cost.no_game, "passes"),
    Row("a minute with the cups down", lambda cost: cost.cups_down, "passes", 8),
    Row("a minute of waiting for a missing die", lambda cost: cost.waiting, "passes", 15),
    Row("a minute between two rounds", lambda cost: cost.between, "passes"),
    Row("memory before the first game", lambda cost: cost.idle_mb, "MB"),
    Row(f"memory after {REVEALS} reveals", lambda cost: cost.reveals_mb, "MB", 260),
    Row("memory, at most", lambda cost: cost.most_mb, "MB"),
)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--seconds", type=click.FloatRange(min=1), default=30.0, show_default=True,
              help="How long each state is measured.")  # fmt: skip
@click.option("--figures", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help=f"Write the table between {START} and {END} of FILE.")  # fmt: skip
def running(as_json: bool, seconds: float, figures: Path | None) -> None:
    """Measure what the box costs, from its start to its tenth reveal."""
    try:
        costs = measure(seconds, lambda step: click.echo(f"{step} ...", err=True))
    except CostError as error:
        raise click.ClickException(str(error)) from error
    click.echo(msgspec.json.encode(costs).decode() if as_json else _text(costs))
    if figures is not None:
        with tempfile.TemporaryDirectory() as folder:
            exposed = exposure(unit(Path(folder)))
        write_between(figures, START, END, markdown(costs, exposed))


def _told(row: Row, cost: RunningCost, costs: Costs) -> str:
    """What was measured of `row`: "12.3 passes (3.9 s)"."""
    value = row.value(cost)
    match row.unit:
        case "passes":
            return f"{value / costs.pass_s:.1f} passes ({value:.1f} s)"
        case "MB":
            return f"{value:.0f} MB"
    return f"{value:.2f} s"


def _judged(row: Row, costs: Costs) -> str:
    """What is said of the aim: ", within 2 s"."""
    if row.aim is None:
        return ""
    unit = costs.pass_s if row.unit == "passes" else 1
    within = all(row.value(cost) / unit <= row.aim for cost in costs.sizes)
    return f", {'within' if within else 'OVER'} {row.aim:g} {row.unit}"


def _text(costs: Costs) -> str:
    lines = [
        f"{row.what}: {', '.join(_told(row, cost, costs) for cost in costs.sizes)}{_judged(row, costs)}" for row in ROWS
    ]
    return "\n".join([f"frames of {', '.join(f'{cost.width} x {cost.height}' for cost in costs.sizes)}", *lines])


def markdown(costs: Costs, exposed: float | None) -> str:
    """The table for the documentation, and the estimate under it."""
    card = START_READS / CARD_SPEED
    lines = [
        f"| | {' | '.join(f'{cost.width} x {cost.height}' for cost in costs.sizes)} | aim |",
        f"|---|{'---|' * len(costs.sizes)}---|",
        *(
            f"| {row.what} | {' | '.join(_told(row, cost, costs) for cost in costs.sizes)} | "
            f"{'' if row.aim is None else f'{row.aim:g} {row.unit}'} |"
            for row in ROWS
        ),
        "",
        f"Seconds are of processor time, on {costs.machine}; a pass is that of a network of YOLOv8n's size, here "
        f"{1000 * costs.pass_s:.0f} ms. Six players, thirty dice; the camera was a picture; [what "
        "others cost](../why/figures.md#cameras).",
        "",
        f"**On a Raspberry Pi 4, estimated:** it takes {costs.pi_factor:.1f} times as long for the same work in Python "
        "(the n-body benchmark, [measured there](https://chaitanyamehta.github.io/projects/performance-analysis-of-"
        "programming-languages) and by this command here), so the page answers after "
        f"{costs.pi_ready_s:.0f} s of processor time, and about {card:.0f} s for reading {START_READS:.0f} MB from a "
        f"slow card at {CARD_SPEED:.0f} MB/s: {costs.pi_ready_s + card:.0f} s after systemd starts it. No Pi was "
        "there to measure it on.",
    ]
    if exposed is not None:
        lines += ["", f"`systemd-analyze security` gives the unit an exposure of {exposed:.1f} of 10."]
    return "\n".join(lines)


def measure(seconds: float, tell: Callable[[str], None]) -> Costs:
    """Measure everything, each state for so many seconds. Raises `CostError`."""
    if not Path("/proc/self/stat").exists():
        raise CostError("processor time is read from /proc, which this system has not: measure on Linux")
    tell("The same work as a Pi's was measured by")
    factor = PI_4_SECONDS / (n_body(PI_4_STEPS // 50) * 50)
    sizes, passes = [], [pass_time()]
    for size in SIZES:
        sizes.append(measure_game(size, seconds, REVEALS, tell))
        passes.append(pass_time())
    return Costs(os.uname().machine, statistics.mean(passes), factor, tuple(sizes))


def measure_game(size: tuple[int, int], seconds: float, reveals: int, tell: Callable[[str], None]) -> RunningCost:
    """Play `reveals` rounds with frames of `size` = (width, height) pixels. Raises `CostError`."""
    scene = spread_dice(DICE_COUNT)
    with tempfile.TemporaryDirectory() as folder:
        picture, configuration = Path(folder) / "table.bmp", Path(folder) / "perudo.toml"
        configuration.write_text(CONFIGURATION)

        def show(table: TableScene) -> None:
            write_image(picture.with_suffix(".new.bmp"), seen_from(table, size))
            picture.with_suffix(".new.bmp").replace(picture)

        show(TableScene())
        options = ("--no-panel", "--camera", f"folder:{picture}", "--config", str(configuration))
        try:
            box = Box(*options, command=("run",))
        except RuntimeError as error:
            raise CostError(str(error)) from error
        ready = box.processor_s
        with box, contextlib.closing(box.phone(role="table")) as phone:

            def minute(state: str) -> float:
                tell(f"{size[0]} x {size[1]}, {state}")
                time.sleep(min(SETTLE_TIME, seconds))
                before, begun = box.processor_s, time.monotonic()
                time.sleep(seconds)
                return 60 * (box.processor_s - before) / (time.monotonic() - begun)

            no_game, idle_mb = minute("no game"), box.memory_mb
            players = [{"name": name, "colour": colour} for colour, name in PLAYERS.items()]
            phone.change("game", {"players": players, "ruleset": DEFAULT_RULESET.id})
            cups_down = minute("cups down")
            call(phone)
            show(replace(scene, dice=scene.dice[1:]))
            waiting = minute("waiting for a die")
            if phone.state()["phase"] != "reading":
                raise CostError(f"a die is missing, but the box does not wait for it ({phone.state()['phase']})")
            show(scene)
            state = verdict(phone)
            between = minute("between rounds")
            for _ in range(1, reveals):
                loser = next(each for each in state["players"] if each["name"] == state["verdict"]["loses"])
                lost = next(n for n, die in enumerate(scene.dice) if die.colour == loser["colour"])
                scene = replace(scene, dice=scene.dice[:lost] + scene.dice[lost + 1 :])
                show(TableScene())
                phone.change("next", {})
                time.sleep(min(SETTLE_TIME, seconds))  # the empty table is seen
                call(phone)
                show(scene)
                state = verdict(phone)
            return RunningCost(
                *size, ready, no_game, cups_down, waiting, between, idle_mb, box.memory_mb,
                memory_mb(box.process.pid, "VmHWM"),
            )  # fmt: skip


def call(phone: Phone) -> Answer:
    """A bid that surely holds, and a dudo on it."""
    state = phone.state()
    caller = phone.change("bid", {"player": state["turn"], "count": 1, "face": 2})["turn"]
    return phone.change("dudo", {"player": caller})


def verdict(phone: Phone) -> Answer:
    """The state once the dice are judged. Raises `CostError` where they are not."""
    begun = time.monotonic()
    while (state := phone.state())["verdict"] is None:
        if state["phase"] != "reading" or time.monotonic() - begun > VERDICT_TIMEOUT:
            raise CostError(f"the dice were not judged: {state['phase']}, {state['waiting']}")
        time.sleep(0.1)
    return state


def pass_time() -> float:
    """Seconds of processor time that the yardstick takes for a picture, on one thread: the median of five."""
    _, forward = forward_pass(seen_from(spread_dice(DICE_COUNT), SIZES[0]))
    taken = []
    with one_thread():
        forward()
        for _ in range(5):
            begun = time.process_time()
            forward()
            taken.append(time.process_time() - begun)
    return statistics.median(taken)


def n_body(steps: int) -> float:
    """Processor time in seconds for `steps` steps of the sun and four planets."""
    bodies = [
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 39.5],
        [4.8, -1.2, -0.1, 0.6, 2.8, 0.0, 0.038],
        [8.3, 4.1, -0.4, -1.0, 1.8, 0.0, 0.011],
        [12.9, -15.1, -0.2, 1.1, 0.9, 0.0, 0.0017],
        [15.4, -25.9, 0.2, 1.0, 0.6, 0.0, 0.002],
    ]
    pairs = [(one, other) for n, one in enumerate(bodies) for other in bodies[n + 1 :]]
    begin = time.process_time()
    for _ in range(steps):
        for one, other in pairs:
            x, y, z = one[0] - other[0], one[1] - other[1], one[2] - other[2]
            pull = 0.01 * (x * x + y * y + z * z) ** -1.5
            to_one, to_other = other[6] * pull, one[6] * pull
            one[3] -= x * to_one
            one[4] -= y * to_one
            one[5] -= z * to_one
            other[3] += x * to_other
            other[4] += y * to_other
            other[5] += z * to_other
        for body in bodies:
            body[0] += 0.01 * body[3]
            body[1] += 0.01 * body[4]
            body[2] += 0.01 * body[5]
    return time.process_time() - begin
