"""Let robots play against each other: `python -m companion.robots hard medium --games 400 --seed 1`."""

from __future__ import annotations

import argparse
import time
from collections import Counter

from companion.engine import RULESETS
from companion.robots import ROBOTS, Strength, play

arguments = argparse.ArgumentParser(prog="python -m companion.robots", description=__doc__)
arguments.add_argument("strength", nargs="+", choices=list(Strength), help="the players' strengths, clockwise")
arguments.add_argument("--games", type=int, default=400)
arguments.add_argument("--seed", type=int, default=1, help="of the first game; the next has the next one")
arguments.add_argument("--rules", choices=list(RULESETS), default="asmodee-fr")
arguments.add_argument("--records", action="store_true", help="print the games' records instead")
wanted = arguments.parse_args()

robots = {f"{each} {n}": ROBOTS[Strength(each)] for n, each in enumerate(wanted.strength, start=1)}
won: Counter[str] = Counter()
began = time.perf_counter()
for seed in range(wanted.seed, wanted.seed + wanted.games):
    game = play(robots, seed, ruleset=RULESETS[wanted.rules])
    won[game.winner] += 1
    if wanted.records:
        print(game.record, end="")
if not wanted.records:
    for name in robots:
        print(f"{name}: won {won[name]} of {wanted.games} games ({won[name] / wanted.games:.1%})")
    print(f"{(time.perf_counter() - began) / wanted.games * 1000:.0f} ms a game")
