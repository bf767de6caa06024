"""`python -m tests.benchmarks replay`: how fast `perudo replay --json` is, and how much memory it takes."""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from companion.engine import RULESETS, Calza, Dudo, Event, GamePhase, GameStarted, Position, Reveal
from companion.engine.record import to_line
from tests.companion.engine.legal_bids import legal_bids

PLAYER_NAMES = ("ana", "ben", "cid", "dora", "emil", "fay")


def lines(count: int, rng: random.Random) -> Iterator[str]:
    """The `count` lines of one game of six that never ends: every calza in it is right, so dice come back."""
    game = GameStarted(RULESETS["asmodee-fr"], PLAYER_NAMES, "ana")
    position = Position.start(game)
    yield to_line(game)
    for _ in range(count - 1):
        event = _event(position, rng)
        position = position.apply(event)
        yield to_line(event)


def _event(position: Position, rng: random.Random) -> Event:
    if position.phase is GamePhase.REVEAL:
        assert position.bid is not None
        # Exactly the bid's dice: every calza is right, and nobody runs out of dice.
        remaining, dice = position.bid.count, {}
        for player, count in position.dice.items():
            matching = min(remaining, count)
            remaining -= matching
            other = 2 + position.bid.face % 5
            dice[player] = (position.bid.face,) * matching + (other,) * (count - matching)
        return Reveal(dice)
    if position.bid is not None and (position.bid.count > 8 or rng.random() < 0.2):
        caller = rng.choice(position.may_calza())
        return Calza(caller) if sum(position.dice_by_seat) >= position.bid.count else Dudo(str(position.turn))
    return rng.choice(list(legal_bids(position, most=12)))


def measure_replay(count: int) -> None:
    """Replay a record of `count` lines; print processor seconds, lines a second and peak memory."""
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "record.jsonl"
        with record.open("w", encoding="utf-8") as out:
            out.writelines(line + "\n" for line in lines(count, random.Random(1)))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-c", "from companion.cli.replay import replay; replay()", str(record), "--json"]
        with (Path(folder) / "out").open("wb") as out:
            subprocess.run(command, stdout=out, check=True, env=dict(os.environ))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime - before.ru_utime
        print(
            f"{count:>9,} lines  {seconds:6.2f} s user  {count / seconds:>9,.0f} lines/s  "
            f"{after.ru_maxrss / 1024:6.1f} MiB at most"
        )


@click.command()
@click.option("--lines", "count", type=click.IntRange(min=1000), default=100_000, show_default=True)
def replay(count: int) -> None:
    """Measure what replaying a long record costs.

    It is compared with one of a tenth of its lines, each in a process of its own.
    """
    measure_replay(count // 10)
    measure_replay(count)
