"""How fast `perudo replay --json` is, and how much memory it takes. Not a test: figures depend on the machine.

    python tests/benchmarks/replay.py [LINES]

Writes a record of LINES lines (100,000 unless told) and one of a tenth of that, replays both in a process of its own
and prints processor seconds, lines a second and the most memory that process held.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from companion.engine import RULESETS, Calza, Dudo, Event, GameStarted, Phase, Position, Reveal
from companion.engine.record import to_line

PLAYERS = ("ana", "ben", "cid", "dora", "emil", "fay")


def lines(count: int, rng: random.Random) -> Iterator[str]:
    """The `count` lines of one game of six that never ends: every calza in it is right, so dice come back."""
    game = GameStarted(RULESETS["asmodee-fr"], PLAYERS, "ana")
    position = Position.start(game)
    yield to_line(game)
    for _ in range(count - 1):
        event = _event(position, rng)
        position = position.apply(event)
        yield to_line(event)


def _event(position: Position, rng: random.Random) -> Event:
    if position.phase is Phase.REVEAL:
        assert position.bid is not None
        # Just as many dice of the bid's face as were bid: calza is right every time, and nobody runs out of dice.
        left, dice = position.bid.count, {}
        for player, count in position.dice.items():
            shown = min(left, count)
            left -= shown
            other = 2 + position.bid.face % 5
            dice[player] = (position.bid.face,) * shown + (other,) * (count - shown)
        return Reveal(dice)
    if position.bid is not None and (position.bid.count > 8 or rng.random() < 0.2):
        caller = rng.choice(position.may_calza())
        return Calza(caller) if sum(position.left) >= position.bid.count else Dudo(str(position.turn))
    return rng.choice(list(position.legal_bids(most=12)))


def measure(count: int) -> None:
    """Replay a record of `count` lines and print what it took."""
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


if __name__ == "__main__":
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    measure(most // 10)
    measure(most)
