"""A table of a club as a process of its own: `ClubTable`, published as `perudo run` publishes it.

    python -m tests.fakes.club_process --state DIR --seed N --pace SECONDS

It plays until SIGTERM, and prints a line once it has begun. What was written survives SIGKILL, as at a box.
"""

from __future__ import annotations

import argparse
import logging
import random
from pathlib import Path

from companion.config.sections import ClubConfig
from companion.features.club.service import TableClub
from companion.stop_signals import stop_signals
from tests.fakes.club_table import ClubTable

NAMES = ("Ana", "Ben", "Cid", "Dora", "Eve", "Finn", "Gil", "Hana", "Ivo", "Jana", "Kim", "Lea")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--state", type=Path, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--pace", type=float, default=0.05, help="seconds between two commands; 0 plays nothing")
    chosen = parser.parse_args()
    logging.basicConfig(level=logging.WARNING)
    rng = random.Random()  # another game after each start: nothing is to be learnt from repetition
    names = random.Random(chosen.seed).sample(NAMES, 4)
    with stop_signals() as stop:
        table = ClubTable(chosen.state, tuple(names), rng)
        club = TableClub(chosen.state, table.table, ClubConfig(), rng)
        club.follow()
        print("playing", flush=True)
        while not stop.wait(chosen.pace or 1.0):
            if chosen.pace:
                table.act()
        club.close()
        table.close()


if __name__ == "__main__":
    main()
