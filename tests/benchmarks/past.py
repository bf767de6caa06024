"""`python -m tests.benchmarks past`: what the games that were ever played cost a start, the list and the statistics.

Each folder is measured in a process of its own, as `perudo run` uses it: with the rows of its games, and once as an
older version has left it, without them.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from itertools import cycle, islice
from pathlib import Path
from typing import Final

import click

from companion.club.hub.books import ClubBooks
from companion.club.hub.store import Store
from companion.member.payloads import ClubPlayer, EventMessage, RecordEvent
from companion.messages.sentence import json_bytes
from companion.table import Journal, Table, commands
from companion.table.game.events import Events, to_json
from companion.table.game.history import standing_steps
from companion.table.game.table_position import Phase
from companion.table.journal.saved_games import journal_file
from companion.table.journal.schema import write_new
from companion.table.past import games as past_games
from tests.fakes.desk import FakeDesk
from tests.fakes.new_game import new_game
from tests.proof.box import memory_mb
from vision.evaluation.document_section import write_between
from web.past_games import PastGamesArchive

MARKS: Final = "<!-- past -->", "<!-- /past -->"
COMPANIES: Final = (("Ana", "Ben", "Cid", "Dora", "Eva"), ("Ana", "Ben", "Finn", "Gus"), ("Dora", "Eva", "Finn", "Ana"))
COLOURS: Final = ("red", "blue", "green", "yellow", "black")
DIFFERENT: Final = 30
"""Games that are played; the others are as these."""


def game_lines(seed: int) -> list[Events]:
    """A whole game of some 120 bids, counted by hand."""
    luck = random.Random(seed)
    names = COMPANIES[seed % len(COMPANIES)]
    desk = FakeDesk()
    desk.do(new_game(tuple(zip(names, COLOURS, strict=False)), starter=names[0]))
    while desk.position.phase is not Phase.OVER:
        for _ in range(luck.randint(4, 9)):
            game = desk.position.game
            assert game is not None
            bids = [(least, face) for face, least in game.lowest_bids().items() if least is not None]
            desk.do(commands.MakeBid(str(game.turn), *min(bids)))
        dice = {each.name: luck.choices(range(1, 7), k=each.dice) for each in desk.position.expected()}
        desk.do(commands.CallDudo(), commands.CountByHand(dice))
        if desk.position.phase is Phase.VERDICT:
            desk.do(commands.OpenRound())
    return desk.lines


def write_journal(folder: Path, count: int) -> float:
    """Write a journal of so many games, without rows of them. Returns the mean number of bids in a game."""
    played = [game_lines(seed) for seed in range(min(count, DIFFERENT))]
    seq, rows = itertools.count(1), []
    for lines in islice(cycle(played), count):
        for line in lines:
            numbers = [next(seq) for _ in line]
            for number, event in zip(numbers, line, strict=True):
                kind, values = to_json(event)
                rows.append((number, numbers[0], 1, "2026-11-01T20:00:00.000+00:00", kind, json.dumps(values)))
    write_new(journal_file(folder), [(1, "2026-11-01T20:00:00.000+00:00")], rows, [])
    return sum(row[4] == "bid" for row in rows) / max(1, count)


def measure(folder: Path, count: int, older: int = 0) -> dict[str, float]:
    """Seconds of processor time, and megabytes of this process afterwards. `older`: of a journal without rows."""
    found: dict[str, float] = {}

    def timed(name: str, work: Callable[[], object]) -> object:
        begun = time.process_time()
        result = work()
        found[name] = time.process_time() - begun
        return result

    table = timed("start", lambda: Table(Journal(folder)))
    assert isinstance(table, Table)
    with closing(table):
        archive = PastGamesArchive(table)
        if older:
            timed("rows", table.past.summaries)
            return found
        timed("list", lambda: json_bytes(archive.page(1)))
        timed("statistics", lambda: json_bytes(archive.statistics(None)))
        if count:
            timed("company", lambda: json_bytes(archive.statistics("1")))
            timed("game", lambda: json_bytes(archive.story(str(max(1, count // 2)))))
            timed("story", lambda: json_bytes(table.story()))
        found["mb"] = memory_mb(os.getpid())
    return found


def write_books(folder: Path, count: int) -> None:
    """Write a club's books of so many games."""
    found = [past_games.games(standing_steps(game_lines(seed)))[0] for seed in range(min(count, DIFFERENT))]
    store = Store(folder)
    messages: list[tuple[str, EventMessage]] = []
    for number, game in enumerate(islice(cycle(found), count), start=1):
        record = RecordEvent(
            game=f"t-1.1-a/{number}",
            began="2026-11-24T19:30:00Z",
            ended="2026-11-24T20:30:00Z",
            ending=game.ending,
            players=tuple(ClubPlayer(name, colour, None, True) for name, colour in game.colours.items()),
            places=(),
            rounds=game.round_count,
            ruleset=game.ruleset.id,
            rules={},
            calza=game.calza,
            record=game.record,
        )
        before = messages[-1][1].key if messages else None
        messages.append(("t-1", EventMessage(run="1-a", seq=number, before=before, at="", what=record)))
    store.take(messages)
    store.close()


def measure_books(folder: Path) -> dict[str, float]:
    """Seconds of processor time until a hub has its books, and megabytes."""
    memory, begun = memory_mb(os.getpid()), time.process_time()
    ClubBooks(Store(folder)).ranking()
    return {"start": time.process_time() - begun, "mb": memory_mb(os.getpid()) - memory}


def in_own_process(folder: Path, *games: int) -> dict[str, float]:
    """As `measure`; without a number as `measure_books`."""
    command = [sys.executable, "-m", "tests.benchmarks.past", str(folder), *map(str, games)]
    return dict(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def past_table(counts: list[int]) -> str:
    """The figures as a table in Markdown."""
    lines = [
        "| games | start | list | statistics | of a company | a game's page | the story of the last game | more memory "
        "than without games | an older version's journal, once: start, and all its rows "
        "| a club's hub: start, memory |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as none:
        memory = in_own_process(Path(none), 0)["mb"]
    for count in counts:
        with tempfile.TemporaryDirectory() as name:
            bids = write_journal(Path(name), count)
            click.echo(f"{count} games of {bids:.0f} bids", err=True)
            first, found = in_own_process(Path(name), count, 1), in_own_process(Path(name), count)
        with tempfile.TemporaryDirectory() as name:
            write_books(Path(name), count)
            _, books = (in_own_process(Path(name)) for _ in range(2))
        seconds = " | ".join(
            f"{found[each]:.2f} s" for each in ("start", "list", "statistics", "company", "game", "story")
        )
        lines.append(
            f"| {count} | {seconds} | {found['mb'] - memory:.0f} MB | {first['start']:.1f} s, {first['rows']:.1f} s | "
            f"{books['start']:.2f} s, {books['mb']:.0f} MB |"
        )
    return "\n".join(lines)


@click.command()
@click.option("--games", default="3,500,2000", show_default=True, metavar="NUMBERS", help="How many, each in turn.")
@click.option("--figures", type=click.Path(path_type=Path, dir_okay=False), help=f"Write the table between {MARKS[0]}.")
def past(games: str, figures: Path | None) -> None:
    """Measure what all games ever played cost.

    The list, the statistics and a page are worked out for the first time after the start.
    """
    table = past_table([int(each) for each in games.split(",")])
    click.echo(table)
    if figures is not None:
        write_between(figures, *MARKS, table)


if __name__ == "__main__":
    folder, *numbers = sys.argv[1:]
    print(json.dumps(measure(Path(folder), *map(int, numbers)) if numbers else measure_books(Path(folder))))
