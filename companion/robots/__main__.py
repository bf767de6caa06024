"""Let robots play against each other: `python -m companion.robots hard medium --games 400 --seed 1`.

`module:Class` names a robot of your own. `--rules web-fr pacos_wild=false` names a book and its changes, and `--rules
random` draws other rules for each game. It prints how often each robot won, how long its decisions took, and how many
of an easy robot's decisions would have taken as long.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from companion.engine import DEFAULT_RULESET, RULESETS, Call, Calza, Dudo, EngineError, Ruleset, house_rules
from companion.robots import ROBOTS, PlayerView, Strength, play
from companion.robots.robot import Robot
from companion.robots.self_play import random_rules

RANDOM: Final = "random"


class TimedRobot:
    """Wraps a robot and times its decisions on its turn, together with an easy robot's on the same views."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        self._luck = random.Random(1)  # for the easy robot, so that it does not change the game
        self.decisions = 0
        self.seconds = 0.0
        self.easy_seconds = 0.0

    def decide(self, view: PlayerView, luck: random.Random) -> Call:
        self.decisions += 1
        began = time.process_time()
        call = self._robot.decide(view, luck)
        decided = time.process_time()
        ROBOTS[Strength.EASY].decide(view, self._luck)
        self.seconds += decided - began
        self.easy_seconds += time.process_time() - decided
        return call

    def interject(self, view: PlayerView, luck: random.Random) -> Dudo | Calza | None:
        return self._robot.interject(view, luck)


def robot_of(name: str) -> Robot:
    """The robot with this strength, or of `module:Class`. Raises `argparse.ArgumentTypeError`."""
    if name in list(Strength):
        return ROBOTS[Strength(name)]
    module, _, cls = name.partition(":")
    try:
        robot: Robot = getattr(import_module(module), cls)()
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise argparse.ArgumentTypeError(
            f"{name} is neither {', '.join(Strength)} nor module:Class of a robot ({error})"
        ) from None
    if not (callable(getattr(robot, "decide", None)) and callable(getattr(robot, "interject", None))):
        raise argparse.ArgumentTypeError(f"{name} has no `decide` and `interject`")
    return robot


def rules_of(words: Sequence[str]) -> Ruleset | None:
    """The rules for a book's id and `rule=value`; None for random ones. Raises `BadRecordError`."""
    if list(words) == [RANDOM]:
        return None
    changes: dict[str, object] = {}
    for word in words:
        rule, given, value = word.partition("=")
        if not given:
            rule, value = "ruleset", word
        changes[rule] = json.loads(value) if value in ("true", "false") or value.isdecimal() else value
    return house_rules(changes)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m companion.robots", description=__doc__)
    parser.add_argument(
        "robot", nargs="+", help=f"the players clockwise: {', '.join(Strength)}, or module:Class of your own"
    )
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1, help="of the first game; the next has the next one")
    parser.add_argument(
        "--rules",
        nargs="+",
        default=[DEFAULT_RULESET.id],
        help=f"{', '.join(RULESETS)}, and house rules as in the configuration: rule=value; or {RANDOM}",
    )
    parser.add_argument("--records", action="store_true", help="print the games' records instead")
    wanted = parser.parse_args()
    if len(wanted.robot) < 2:
        parser.error("a game needs two players")
    sys.path.insert(0, "")  # for robots in the working folder
    try:
        robots = {f"{name} {n}": TimedRobot(robot_of(name)) for n, name in enumerate(wanted.robot, start=1)}
        rules = rules_of(wanted.rules)
    except (argparse.ArgumentTypeError, EngineError) as error:
        parser.error(str(error))
    won: Counter[str] = Counter()
    for seed in range(wanted.seed, wanted.seed + wanted.games):
        try:
            game = play(robots, seed, ruleset=rules or random_rules(random.Random(f"{seed}/rules")))
        except EngineError as error:
            parser.exit(1, f"The game of seed {seed}: {error}\n")
        won[game.winner] += 1
        if wanted.records:
            print(game.record, end="")
    if wanted.records:
        return
    for name, robot in robots.items():
        print(
            f"{name}: won {won[name]} of {wanted.games} games ({won[name] / wanted.games:.1%}); "
            f"{robot.seconds / max(robot.decisions, 1) * 1000:.2f} ms a decision, "
            f"{robot.seconds / max(robot.easy_seconds, 1e-9):.1f} times an easy robot's"
        )


if __name__ == "__main__":
    main()
