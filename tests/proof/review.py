"""The review held against games of robots of all strengths, whose every hand is known: is 70 % right 70 times in 100?

The games are not those that the review's weights were fitted to. Each is reviewed by itself, as `perudo review` does.
Games of simulated people (`tests.proof.people`), to whom no weight was fitted, tell whether it holds for others too.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import click
import numpy as np

from companion.evaluation.review_fit import mixed_game
from companion.review.review import review
from companion.robots import ROBOTS, Strength, play
from tests.proof.people import PEOPLE, game
from tests.proof.report import Report
from vision.evaluation.document_section import write_between

FIRST_SEED = 10_000_000
"""Far from the games of `companion.evaluation.review_fit`."""
OFF = 0.03
"""How far what is foretold may be from what happened, in each tenth."""
OFF_PEOPLE = 0.05
"""The same for people who bid otherwise than robots do."""
FEWEST = 300
"""Decisions in a tenth that say something: with fewer, chance alone may be 3 points."""
WORSE = 0.002
"""By how much the bids may be worse than the own dice alone (Brier), where bids say nothing of the dice."""
SECONDS = 1.0
"""Processor time of a review."""
GAMES_OF_ROBOTS = 300
MARKS = "<!-- calibration -->", "<!-- /calibration -->"
PEOPLE_MARKS = "<!-- people -->", "<!-- /people -->"


@dataclass(frozen=True, slots=True)
class Foretold:
    """A decision: the chance by the own dice alone and by the bids too, and whether it was so."""

    own: float
    bids: float
    true: bool


def foretell(seed: int, sort: str | None = None) -> tuple[list[Foretold], float]:
    """The decisions of one game, and the seconds of processor time of its review. `sort`: of people; else robots."""
    record = (mixed_game(seed) if sort is None else game(sort, seed)).splitlines()
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


def worst(found: Sequence[tuple[Sequence[float], Sequence[bool]]], fewest: int = FEWEST) -> tuple[float, float]:
    """By how much the tenth that is off most is off, and the standard error of that.

    `found`: of each game the chances and whether it was so. What happens in one game hangs together, so that the error
    is reckoned from game to game.
    """
    chances, true = (np.concatenate([each[n] for each in found]).astype(float) for n in (0, 1))
    game = np.repeat(np.arange(len(found)), [len(each[0]) for each in found])
    place = np.minimum((chances * 10).astype(int), 9)
    tenths_off = [(0.0, 0.0)]
    for tenth in np.flatnonzero(np.bincount(place) >= fewest):
        here = place == tenth
        by_game = np.bincount(game[here], (true - chances)[here])
        tenths_off.append((float(by_game.sum() / here.sum()), float(np.sqrt((by_game**2).sum()) / here.sum())))
    return max(tenths_off, key=lambda each: abs(each[0]))


def foretell_people(report: Report, pool: ProcessPoolExecutor, games: int) -> list[str]:
    """The lines of a table: how right the review is on so many games of each sort of people."""
    lines = [
        "| players | decisions | Brier, own dice alone | and the bids | worst tenth, in points | standard error |",
        "|---|---|---|---|---|---|",
    ]
    for sort in PEOPLE:
        seeds = range(FIRST_SEED, FIRST_SEED + games)
        by_game = [each for each, _ in pool.map(foretell, seeds, [sort] * games, chunksize=10)]
        found = list(chain.from_iterable(by_game))
        own, bids = (np.array([getattr(each, name) for each in found]) for name in ("own", "bids"))
        true = np.array([each.true for each in found], np.float64)
        off, error = worst([([each.bids for each in game], [each.true for each in game]) for game in by_game])
        before, after = (float(((chances - true) ** 2).mean()) for chances in (own, bids))
        lines.append(f"| {sort} | {len(found):,} | {before:.3f} | {after:.3f} | {off * 100:+.1f} | {error * 100:.1f} |")
        report.check(f"{sort}: every tenth", abs(off) <= OFF_PEOPLE, f"{off * 100:+.1f} points")
        report.check(f"{sort}: the bids", after <= before + WORSE, f"Brier {before:.3f}, {after:.3f}")
    return lines


def win_share(others: int) -> float:
    """The share of games that a strong robot wins among so many that know the odds."""
    robots = {"hard": ROBOTS[Strength.HARD]} | {f"medium {n}": ROBOTS[Strength.MEDIUM] for n in range(others)}
    return sum(play(robots, seed).winner == "hard" for seed in range(GAMES_OF_ROBOTS)) / GAMES_OF_ROBOTS


@click.command()
@click.option("--games", default=3000, show_default=True)
@click.option("--people", default=1000, show_default=True, help="Games of each sort of simulated people.")
@click.option("--processes", type=int, help="All cores by default.")
@click.option("--figures", type=click.Path(path_type=Path), help="Write the figures into this document.")
def attack(games: int, people: int, processes: int | None, figures: Path | None) -> None:
    """Review games of robots, and compare what it foretells with what happened."""
    with ProcessPoolExecutor(processes) as pool:
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
    with ProcessPoolExecutor(processes) as pool:
        of_people = foretell_people(report, pool, people)
    slowest = max(seconds for _, seconds in results)
    report.check("a review", slowest <= SECONDS, f"{slowest:.2f} s at most")
    two, five = win_share(1), win_share(4)
    report.check("a strong robot beats one that knows the odds", two >= 0.6, f"{two:.0%}")
    report.check("and four of them", five >= 1.5 / 5, f"{five:.0%}, {five * 5:.1f} times its share")
    if figures is not None:
        score = f"{games:,} games. Brier score: {scores[0]:.3f} by the own dice alone, {scores[1]:.3f} by the bids too."
        robots = f"The strong robot wins {two:.0%} against a robot that knows the odds, {five:.0%} against four."
        write_between(figures, *MARKS, "\n".join([*lines, "", score, robots]))
        told = f"{people:,} games each. A tenth of fewer than {FEWEST} decisions is left out."
        write_between(figures, *PEOPLE_MARKS, "\n".join([*of_people, "", told]))
    report.end()
