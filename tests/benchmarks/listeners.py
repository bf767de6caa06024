"""`python -m tests.benchmarks listeners`: how soon many phones hear of a change while a frame is being read.

Bids are played at a table with its journal on disk and a reader that reads one frame after the other, all in one
process as in `perudo run`. The phones are in a process of their own, on real sockets.
"""

from __future__ import annotations

import json
import re
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

import click

from companion.table import Journal, Table, commands
from tests.fakes.new_game import new_game
from vision.drawn.table_scene import SceneDie, TableScene, render_table
from vision.reader import Reader
from web import Parts, create_app
from web.stream.server import SWITCH_INTERVAL, make_server

CHANGE_COUNT = 60
CHANGE_PAUSE = 0.25
"""Seconds between two changes; changes that follow closely are sent to phones together."""
TABLE_DICE = tuple(
    SceneDie(-150 + 60 * column, -100 + 50 * row, 0.3 * (row + column), 1 + (row + column) % 6, colour)
    for row, colour in enumerate(("red", "blue", "green", "yellow", "black"))
    for column in range(5)
)


def phones(url: str, count: int) -> None:
    """Listen with `count` phones until every stream has ended, and print when each heard of which version."""
    at = urlsplit(url)
    watch = selectors.DefaultSelector()
    arrivals: list[tuple[int, float]] = []
    for number in range(count):
        # Each from its own address, like phones: one address gets few streams.
        phone = socket.create_connection((at.hostname, at.port), source_address=(f"127.0.1.{number + 1}", 0))
        phone.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        phone.setblocking(False)
        watch.register(phone, selectors.EVENT_READ, bytearray())
    while watch.get_map():
        for key, _ in watch.select():
            assert isinstance(key.fileobj, socket.socket)
            data = key.fileobj.recv(1 << 20)
            now = time.monotonic()
            if not data:
                watch.unregister(key.fileobj)
                key.fileobj.close()
                continue
            key.data.extend(data)
            *whole, rest = bytes(key.data).split(b"\n\n")
            key.data[:] = rest
            for block in whole:  # an event ends with a blank line
                arrivals += [(int(version), now) for version in re.findall(rb"^id: \w+-(\d+)$", block, re.MULTILINE)]
    json.dump(arrivals, sys.stdout)


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
    with tempfile.TemporaryDirectory() as folder, Table(Journal(Path(folder))) as table:
        table.do(new_game([("Ana", "red"), ("Ben", "blue"), ("Cid", "green")], starter="Ana"))
        app = create_app(Parts(table))
        with make_server(app, "127.0.0.1", 0) as server:
            command = [sys.executable, __file__, server.url, str(count)]
            listening = subprocess.Popen(command, stdout=subprocess.PIPE)
            reading = threading.Thread(target=read_on, args=(stop, took))
            if busy:
                reading.start()
            while server.feed.count < count or (busy and not took):
                time.sleep(0.05)
            for change in range(CHANGE_COUNT):
                time.sleep(CHANGE_PAUSE)
                begun = time.monotonic()
                state = table.do(commands.Pause()) if change % 2 == 0 else table.do(commands.Resume())
                tapped[state.version] = begun
                delays.append(1000 * (time.monotonic() - begun))
            time.sleep(1.0)
            stop.set()
            if busy:
                reading.join()
        out, _ = listening.communicate(timeout=30)
    times = [1000 * (at - tapped[version]) for version, at in json.loads(out) if version in tapped]
    assert len(times) == count * CHANGE_COUNT, f"{len(times)} of {count * CHANGE_COUNT} arrived"
    cuts = statistics.quantiles(times, n=100)
    print(f"{count} phones, {CHANGE_COUNT} changes, {'reading' if busy else 'idle'}")
    print(f"milliseconds from tap to phone: median {cuts[49]:.1f}, p95 {cuts[94]:.1f}, most {max(times):.1f}")
    print(f"of which until it is on the disk and told: median {statistics.median(delays):.1f}, most {max(delays):.1f}")
    if took:
        print(
            f"a frame of {len(TABLE_DICE)} dice: median {1000 * statistics.median(took):.0f} ms, {len(took)} were read"
        )


if __name__ == "__main__":  # the process of the phones
    phones(sys.argv[1], int(sys.argv[2]))
