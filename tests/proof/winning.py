"""The chances of winning held against games of the strongest robots under house rules: is 70 % right 70 times in 100?

The games are not those that the weights were fitted to.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

import click

from companion.engine import MOST_PLAYERS, house_rules
from companion.review.models import fitted_models
from companion.review.rounds import played_rounds
from companion.review.win_chance import chances_of_winning
from companion.robots import ROBOTS, Strength, play
from companion.robots.self_play import random_rules
from tests.proof.report import Report
from tests.proof.review import FEWEST, worst
from vision.evaluation.document_section import write_between

FIRST_SEED: Final = 90_000_000
"""Far from the games of `companion.evaluation.review_fit`."""
OFF: Final = 0.03
"""How far a chance may be from what happened, in each tenth."""
MARKS: Final = "<!-- winning -->", "<!-- /winning -->"
RULES: Final[Mapping[str, Mapping[str, object] | None]] = {
    "`asmodee-fr`": {},
    "without calza": {"calza": False},
    "`asmodee-it`": {"ruleset": "asmodee-it"},
    "`hasbro-1994`": {"ruleset": "hasbro-1994"},
    "`web-fr`": {"ruleset": "web-fr"},
    "`pacos_wild = false`": {"pacos_wild": False},
    '`dudo_costs = "difference"`': {"dudo_costs": "difference"},
    '`right_calza = "bidder-loses"`': {"right_calza": "bidder-loses"},
    '`opens_after_dudo = "winner"`': {"opens_after_dudo": "winner"},
    '`dudo_by = "anyone"`': {"dudo_by": "anyone"},
    '`palifico_rounds = "never"`': {"palifico_rounds": "never"},
    "`calza_to_half = true`": {"calza_to_half": True},
    "`calza_once = true`": {"calza_once": True},
    "`dice_each = 3`": {"dice_each": 3},
    "`dice_each = 6`": {"dice_each": 6},
    "any book with up to six rules changed": None,
}
"""What is held against games; None: others in each."""


def foretell(name: str, seed: int) -> tuple[list[float], list[bool]]:
    """Each player's chance at the start of each round of a game, and whether they won it."""
    luck = random.Random(f"{seed}/{name}")
    changes = RULES[name]
    rules = random_rules(luck)
    calza = changes is not None or luck.random() < 0.8
    if changes is not None:
        calza = bool(changes.get("calza", True))
        changed = {rule: value for rule, value in changes.items() if rule != "calza"}
        rules = house_rules({"most_players": MOST_PLAYERS} | changed)
    names = "ABCDEF"[: luck.choice([2, 2, 2, 3, 3, 4, 4, 5, 6])]
    dice = {player: luck.randint(1, rules.dice_each) for player in names} if luck.random() < 0.5 else None
    game = play(dict.fromkeys(names, ROBOTS[Strength.HARD]), seed, ruleset=rules, calza=calza, dice=dice)
    chances: list[float] = []
    won: list[bool] = []
    for played in played_rounds(game.record.splitlines()):
        foretold = chances_of_winning(fitted_models().winning, played.start)
        for player, chance in zip(played.start.players, foretold, strict=True):
            if played.start.dice[player]:
                chances.append(float(chance))
                won.append(player == game.winner)
    return chances, won


@click.command()
@click.option("--games", default=2000, show_default=True, help="Under each of the rules.")
@click.option("--rule", "rules", multiple=True, type=click.Choice(list(RULES)), help="Only these; by default all.")
@click.option("--processes", type=int, help="All cores by default.")
@click.option("--figures", type=click.Path(path_type=Path), help="Write the figures into this document.")
def attack(games: int, rules: Sequence[str], processes: int | None, figures: Path | None) -> None:
    """Play games of the strongest robots under house rules, and compare the chances of winning with who won."""
    report = Report()
    lines = ["| rules | worst tenth, in points | standard error |", "|---|---|---|"]
    seeds = range(FIRST_SEED, FIRST_SEED + games)
    with ProcessPoolExecutor(processes) as pool:
        for name in rules or RULES:
            off, error = worst(list(pool.map(foretell, [name] * games, seeds, chunksize=5)))
            lines.append(f"| {name} | {off * 100:+.1f} | {error * 100:.1f} |")
            report.check(name, abs(off) <= OFF, f"{off * 100:+.1f} points, standard error {error * 100:.1f}")
    if figures is not None:
        told = f"{games:,} games each. A tenth of fewer than {FEWEST} chances is left out."
        write_between(figures, *MARKS, "\n".join([*lines, "", told]))
    report.end()
