"""The review held against games of robots of all strengths, whose every hand is known: is 70 % right 70 times in 100?

The games are not those that the review's weights were fitted to. Each is reviewed by itself, as `perudo review` does.
"""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import click
import numpy as np

from companion.review.review import review
from companion.robots import ROBOTS, Strength, play
from companion.robots.fit import mixed_game
from tests.proof.report import Report
from vision.evaluation.figures import write_between

FIRST_SEED = 10_000_000
"""Far from the games of `companion.robots.fit`."""
OFF = 0.03
"""How far what is foretold may be from what happened, in each tenth."""
FEWEST = 300
"""Decisions in a tenth that say something: with fewer, chance alone may be 3 points."""
SECONDS = 1.0
"""Processor time of a review."""
GAMES_OF_ROBOTS = 300
MARKS = "<!-- calibration -->", "<!-- /calibration -->"


@dataclass(frozen=True, slots=True)
class Foretold:
    """A decision: the chance by the own dice alone and by the bids too, and whether it was so."""

    own: float
    bids: float
    true: bool


def foretell(seed: int) -> tuple[list[Foretold], float]:
    """The decisions of one game, and the seconds of processor time of its review."""
    record = mixed_game(seed).splitlines()
    began = time.process_time()
    found = review(record).decisions
    seconds = time.process_time() - began
    return [Foretold(each.own, each.bids, each.true) for each in found], seconds


def tenths(chances: np.ndarray, true: np.ndarray) -> list[tuple[int, float, float]]:
    """Of each tenth the number of decisions, the mean chance and the share that was so."""
    place = np.minimum((chances * 10).astype(int), 9)
    return [
        (int((place == n).sum()), float(chances[place == n].mean()), float(true[place == n].mean()))
        for n in range(10)
        if (place == n).any()
    ]


def win_share(others: int) -> float:
    """The share of games that a strong robot wins among so many that know the odds."""
    robots = {"hard": ROBOTS[Strength.HARD]} | {f"medium {n}": ROBOTS[Strength.MEDIUM] for n in range(others)}
    return sum(play(robots, seed).winner == "hard" for seed in range(GAMES_OF_ROBOTS)) / GAMES_OF_ROBOTS


@click.command()
@click.option("--games", default=10_000, show_default=True)
@click.option("--figures", type=click.Path(path_type=Path), help="Write the figures into this document.")
def attack(games: int, figures: Path | None) -> None:
    """Review games of robots, and compare what it foretells with what happened."""
    with ProcessPoolExecutor() as pool:
        results = list(pool.map(foretell, range(FIRST_SEED, FIRST_SEED + games), chunksize=10))
    decisions = list(chain.from_iterable(found for found, _ in results))
    own, bids = (np.array([getattr(each, name) for each in decisions]) for name in ("own", "bids"))
    true = np.array([each.true for each in decisions], np.float64)
    report = Report()
    lines = ["| foretold by the bids | decisions | it was so | off, in points |", "|---|---|---|---|"]
    for count, chance, share in tenths(bids, true):
        off = share - chance
        lines.append(f"| {chance:.1%} | {count:,} | {share:.1%} | {off * 100:+.1f} |")
        report.check(f"about {chance:.0%}", abs(off) <= OFF or count < FEWEST, f"{share:.1%} of {count}")
    scores = [float(((chances - true) ** 2).mean()) for chances in (own, bids)]
    report.check(
        "the bids say more than the own dice alone", scores[1] < scores[0], "Brier {:.3f}, {:.3f}".format(*scores)
    )
    slowest = max(seconds for _, seconds in results)
    report.check("a review", slowest <= SECONDS, f"{slowest:.2f} s at most")
    two, five = win_share(1), win_share(4)
    report.check("a strong robot beats one that knows the odds", two >= 0.6, f"{two:.0%}")
    report.check("and four of them", five >= 1.5 / 5, f"{five:.0%}, {five * 5:.1f} times its share")
    if figures is not None:
        score = f"{games:,} games. Brier score: {scores[0]:.3f} by the own dice alone, {scores[1]:.3f} by the bids too."
        robots = f"The strong robot wins {two:.0%} against a robot that knows the odds, {five:.0%} against four."
        write_between(figures, *MARKS, "\n".join([*lines, "", score, robots]))
    report.end()
