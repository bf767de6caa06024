"""`python -m tests.benchmarks listeners`: how soon many phones hear of a change while a frame is being read.

Bids are played at a table with its journal on disk and a reader that reads one frame after the other, all in one
process as in `perudo run`. The phones are in a process of their own, on real sockets.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import click

from companion.table import Journal, Table, commands
from tests.fakes.new_game import new_game
from tests.proof.audience import Audience
from tests.proof.report import spread
from vision.drawn.table_scene import SceneDie, TableScene, render_table
from vision.reader import Reader
from web.app import create_app
from web.parts import Parts
from web.stream.server import SWITCH_INTERVAL, make_server

CHANGE_COUNT = 60
CHANGE_PAUSE = 0.25
"""Seconds between two changes; changes that follow closely are sent to phones together."""
TABLE_DICE = tuple(
    SceneDie(-150 + 60 * column, -100 + 50 * row, 0.3 * (row + column), 1 + (row + column) % 6, colour)
    for row, colour in enumerate(("red", "blue", "green", "yellow", "black"))
    for column in range(5)
)


HOST = commands.Actor("k3f9", "Ana", host=True)
"""Whose breaks may follow each other closely."""


def read_on(stop: threading.Event, took: list[float]) -> None:
    reader, frame = Reader.load(), render_table(TableScene(TABLE_DICE))
    reader.read(frame)
    while not stop.is_set():
        begun = time.monotonic()
        reader.read(frame)
        took.append(time.monotonic() - begun)


@click.command()
@click.option("--phones", "count", type=click.IntRange(min=1), default=40, show_default=True, help="How many listen.")
@click.option("--idle", is_flag=True, help="Read no frames meanwhile.")
def listeners(count: int, idle: bool) -> None:
    """Time each change from the tap until every phone has it."""
    busy = not idle
    sys.setswitchinterval(SWITCH_INTERVAL)  # as `perudo run` does
    stop = threading.Event()
    took: list[float] = []
    tapped: dict[int, float] = {}
    delays: list[float] = []
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        table = stack.enter_context(Table(Journal(Path(folder))))
        table.do(new_game([("Ana", "red"), ("Ben", "blue"), ("Cid", "green")], starter="Ana"))
        app = create_app(Parts(table))
        with make_server(app, "127.0.0.1", 0) as server:
            at = urlsplit(server.url)
            audience = stack.enter_context(Audience(str(at.hostname), int(at.port or 0), [None] * count))
            reading = threading.Thread(target=read_on, args=(stop, took))
            if busy:
                reading.start()
            while busy and not took:
                time.sleep(0.05)
            for change in range(CHANGE_COUNT):
                time.sleep(CHANGE_PAUSE)
                begun = time.monotonic()
                state = table.do(commands.Pause() if change % 2 == 0 else commands.Resume(), HOST)
                tapped[state.version] = begun
                delays.append(time.monotonic() - begun)
            heard = audience.heard()
            stop.set()
            if busy:
                reading.join()
    times = [at - tapped[version] for version, at in heard.times if version in tapped]
    assert len(times) == count * CHANGE_COUNT, f"{len(times)} of {count * CHANGE_COUNT} arrived"
    print(f"{count} phones, {CHANGE_COUNT} changes, {'reading' if busy else 'idle'}")
    print(f"from tap to phone: {spread(times)}")
    print(f"of which until it is on the disk and told: {spread(delays)}")
    if took:
        print(
            f"a frame of {len(TABLE_DICE)} dice: median {1000 * statistics.median(took):.0f} ms, {len(took)} were read"
        )
