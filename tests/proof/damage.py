"""Journals with a spoilt byte, page or end: each opens, or is repaired and kept aside as it was; what is lost."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import click

from companion.table import Journal, Table, commands
from companion.table.errors import DamagedJournalError
from companion.table.journal.repair import repair_journal
from companion.table.journal.saved_games import saved_games
from tests.fakes.new_game import new_game
from tests.proof.report import Report

GAMES = 60
WAYS = ("byte", "byte", "bit", "page of zeros", "page of nonsense", "cut")


def played(folder: Path) -> bytes:
    """A journal of `GAMES` games, one round each."""
    with Table(Journal(folder)) as table:
        for _ in range(GAMES):
            table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana", abandon=True))
            table.do(commands.MakeBid("Ana", 3, 4))
            table.do(commands.CallDudo())
            table.do(commands.CountByHand({"Ana": [4] * 5, "Ben": [1] * 5}))
    return (folder / "journal.sqlite3").read_bytes()


def spoilt(content: bytes, how: str, luck: random.Random) -> bytes:
    """`content` with damage somewhere."""
    damaged = bytearray(content)
    at = luck.randrange(len(content))
    page = at - at % 4096
    match how:
        case "byte":
            damaged[at] = luck.randrange(256)
        case "bit":
            damaged[at] ^= 1 << luck.randrange(8)
        case "page of zeros":
            damaged[page : page + 4096] = bytes(4096)
        case "page of nonsense":
            damaged[page : page + 4096] = luck.randbytes(4096)
        case _:
            del damaged[at:]
    return bytes(damaged)


@click.command()
@click.option("--times", default=300, show_default=True, help="How many journals to spoil.")
@click.option("--seed", default=1, show_default=True, help="Of what is spoilt.")
def attack(times: int, seed: int) -> None:
    """Spoil journals, and open or repair each of them."""
    luck, report = random.Random(seed), Report()
    sound, refused, kept = 0, 0, []
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as place:
        content = played(Path(place) / "whole")
        for number in range(times):
            folder = Path(place) / str(number)
            folder.mkdir()
            path = folder / "journal.sqlite3"
            how = luck.choice(WAYS)
            path.write_bytes(spoilt(content, how, luck))
            before = path.read_bytes()
            name = f"journal {number}, {how}"
            try:
                Journal(folder).close()
                sound += 1
            except DamagedJournalError:
                if path.read_bytes() != before:
                    report.check(f"{name}: left as it was", good=False)
                repair = repair_journal(folder)
                if repair is None or repair.aside.read_bytes() != before:
                    report.check(f"{name}: kept aside byte for byte", good=False)
                with Table(Journal(folder)):
                    kept.append(len(saved_games(folder)))
            except Exception as error:  # noqa: BLE001 - whatever it is, a user would meet it
                refused += 1
                click.echo(f"     {name}: {type(error).__name__}: {error}")
    report.check("opened as they were", good=True, figures=sound)
    report.check("repaired", good=bool(kept), figures=len(kept))
    report.check("refused for another reason", good=refused <= times // 20, figures=refused)
    some = sorted(kept) or [0]
    report.check(
        f"games left of {GAMES} after a repair", good=True, figures=f"median {some[len(some) // 2]}, least {some[0]}"
    )
    report.end()
