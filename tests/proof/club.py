"""Kill tables, the broker and the hub of a club again and again: nothing may be lost, nothing be in the books twice."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import click

from companion.club.books.books import result_of
from companion.club.hub.store import Store
from companion.club.mosquitto import free_port
from companion.member.errors import ClubError
from companion.member.events import EventFold
from companion.member.membership import Membership, write_membership
from companion.member.outbox import journal_lines
from companion.member.payloads import EventMessage, RecordEvent
from companion.table.journal.saved_games import saved_games
from companion.table.past.games import Ending
from tests.fakes.club_store import stored_keys

DRAIN_SECONDS = 120.0


class ClubUnderAttack:
    """A real mosquitto, a real hub, and tables, each in a process of its own."""

    def __init__(self, folder: Path, tables: int, pace: float) -> None:
        self.folder, self.pace = folder, pace
        self.port, self.lobby = free_port("127.0.0.1"), free_port("127.0.0.1")
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        config = folder / "mosquitto.conf"
        config.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\n")
        self.names = ["broker", "hub", *(f"table-{n}" for n in range(1, tables + 1))]
        self._commands: dict[str, list[str]] = {
            "broker": [str(shutil.which("mosquitto") or "/usr/sbin/mosquitto"), "-c", str(config)],
            "hub": [
                *(sys.executable, "-m", "companion.cli", "club", "--broker", f"mqtt://127.0.0.1:{self.port}"),
                *("--state", str(folder / "hub"), "--host", "127.0.0.1", "--port", str(self.lobby)),
            ],
        }
        for n, name in enumerate(self.names[2:], start=1):
            command = ["-m", "tests.fakes.club_process", "--state", str(folder / name), "--seed", str(n)]
            self._commands[name] = [sys.executable, *command]

    def start(self, name: str, *, playing: bool = True) -> None:
        command = self._commands[name]
        if name.startswith("table"):
            command = [*command, "--pace", str(self.pace if playing else 0)]
        log = (self.folder / f"{name}.log").open("ab")
        self.processes[name] = subprocess.Popen(command, stdout=log, stderr=log)

    def kill(self, name: str) -> None:
        self.processes[name].send_signal(signal.SIGKILL)
        self.processes[name].wait()

    def stop(self) -> None:
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def ask(self, path: str) -> Any:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.lobby}/api/v1/{path}", timeout=5) as answer:
                return json.loads(answer.read())
        except OSError:
            return None


def wait(so: Callable[[], Any], seconds: float) -> Any:
    until = time.monotonic() + seconds
    while not (found := so()) and time.monotonic() < until:
        time.sleep(0.1)
    return found


def told(folder: Path, table: str, consent: tuple[str, ...]) -> list[EventMessage]:
    """What the journal in `folder` says to the club."""
    fold = EventFold(table)
    return list(chain.from_iterable(fold.step(line, consent) for line in journal_lines(folder, 0)))


@click.command()
@click.option("--kills", default=500, show_default=True)
@click.option("--tables", default=4, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--pace", default=0.05, show_default=True, help="Seconds between two commands at a table.")
def attack(kills: int, tables: int, seed: int, pace: float) -> None:
    """SIGKILL tables, broker and hub at random moments, several at once too; then compare books and journals."""
    from tests.fakes.club_process import NAMES

    rng = random.Random(seed)
    folder = Path(tempfile.mkdtemp(prefix="perudo-club-"))
    club = ClubUnderAttack(folder, tables, pace)
    killed = dict.fromkeys(("broker", "hub", "table"), 0)
    began = time.monotonic()
    try:
        club.start("broker")
        club.start("hub")
        answer = wait(lambda: club.ask("club"), 30)
        assert answer, (folder / "hub.log").read_text()
        for name in club.names[2:]:
            write_membership(
                folder / name,
                Membership(club=answer["club"], title="Club", table=name, name=name,
                           broker=f"mqtt://127.0.0.1:{club.port}", consent=NAMES),
            )  # fmt: skip
            club.start(name)
        while sum(killed.values()) < kills:
            time.sleep(rng.uniform(0.05, 1.2))
            victims = rng.sample(club.names, rng.choice((1, 1, 1, 2, 3)))
            for name in victims:
                club.kill(name)
                killed[name.partition("-")[0]] += 1
            time.sleep(rng.choice((0, 0, 0.3, 2.0)))
            for name in victims:
                club.start(name)
            if sum(killed.values()) % 50 < len(victims):
                click.echo(f"{sum(killed.values())} kills, {time.monotonic() - began:.0f} s", err=True)
        for name in club.names[2:]:
            club.kill(name)
            club.start(name, playing=False)
        events = {name: told(folder / name, name, NAMES) for name in club.names[2:]}

        def drained() -> bool:
            try:
                store = Store(folder / "hub", create=False)
            except ClubError:
                return False
            try:
                return all({*stored_keys(store, name)} >= {each.key for each in its} for name, its in events.items())
            finally:
                store.close()

        wait(drained, DRAIN_SECONDS)
    finally:
        club.stop()
    faults = compare(folder, events)
    total = sum(map(len, events.values()))
    click.echo(
        f"{sum(killed.values())} kills ({', '.join(f'{name} {count}' for name, count in killed.items())}), "
        f"{total} events of {tables} tables, {time.monotonic() - began:.0f} s: "
        f"{'nothing lost, nothing twice' if not faults else f'{len(faults)} faults'}"
    )
    for fault in faults:
        click.echo(fault)
    if faults:
        click.echo(f"Everything is in {folder}.")
        sys.exit(1)
    shutil.rmtree(folder)


def compare(folder: Path, events: dict[str, list[EventMessage]]) -> list[str]:
    """What the books and the journals do not agree about."""
    faults = []
    store = Store(folder / "hub", create=False)
    for name, its in events.items():
        keys, wanted = stored_keys(store, name), [each.key for each in its]
        if keys != wanted:
            lost, more = [key for key in wanted if key not in keys], [key for key in keys if key not in wanted]
            faults.append(f"{name}: {len(lost)} lost {lost[:3]}, {len(more)} too many {more[:3]}, or another order")
    last: dict[str, tuple[str, RecordEvent]] = {}
    for _, table, record in store.records():
        last[record.game] = (table, record)
    for name in events:
        booked = [result_of(*each) for each in last.values() if each[0] == name]
        games = [each for each in booked if each is not None]
        saved = [each.game for each in saved_games(folder / name) if each.game.ending is not Ending.PLAYING]
        if [each.rounds for each in games] != [game.round_count for game in saved]:
            faults.append(f"{name}: {len(games)} games in the books, {len(saved)} in the journal")
    store.close()
    return faults


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    attack()
