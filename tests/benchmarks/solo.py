"""`python -m tests.benchmarks solo`: how long the demo's game of one person against three robots takes."""

from __future__ import annotations

import random
import statistics
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from companion.demo.virtual_table import LIFT_SECONDS, VirtualTable
from companion.features.robots.robot_players import STEP_EVERY, RobotPlayers, as_command
from companion.robots import ROBOTS, PlayerView, Strength
from companion.table import Journal, Table, commands
from companion.table.commands import Actor
from companion.table.game.history import times_voided
from companion.table.game.new_game import GameDefaults
from companion.table.game.table_position import Phase
from companion.table.state.state import RobotStrength
from tests.fakes.clock import FakeClock
from tests.fakes.new_game import new_game
from vision.evaluation.document_section import write_between

PLAYERS: Final = (("Ana", "red"), ("Ben", "blue"), ("Cid", "green"), ("Dora", "yellow"))
PERSON: Final = "Ana"
DECISION_TIME: Final = 4.0
"""Seconds that the person takes for a bid or a call, and to tap "Next round"."""
REVEAL_TIME: Final = LIFT_SECONDS + 1.2
"""Seconds from a call to the verdict: hands lift the cups, then the figures' "table still to verdict"."""
MARKS: Final = "<!-- solo -->", "<!-- /solo -->"
OPPONENTS: Final[Mapping[str, tuple[RobotStrength, ...]]] = {
    "three easy": ("easy",) * 3,
    "three medium": ("medium",) * 3,
    "three hard": ("hard",) * 3,
    "one of each": ("easy", "medium", "hard"),
}


@dataclass(frozen=True, slots=True)
class GameTime:
    """Seconds."""

    person: float
    """Until the person was out or had won."""
    whole: float
    rounds: int


class SoloGame:
    """The real robots at the real table, by a fake clock. The person plays as the medium robot would."""

    def __init__(self, table: Table, clock: FakeClock, robots: tuple[RobotStrength, ...], seed: int) -> None:
        """`clock` is the clock of `table`."""
        self._table = table
        self._clock = clock
        self._luck = random.Random(seed)
        table.do(new_game(PLAYERS, open_lost=True))
        self._dice = VirtualTable(
            table.state_with_all_dice, seed, times_voided=lambda: times_voided(table.history()[0]), clock=clock
        )
        names = [name for name, _ in PLAYERS if name != PERSON]
        self._robots = RobotPlayers(
            table, self._dice.peek, lambda: {PERSON: "k3f9"}, luck=random.Random(seed), clock=clock
        )
        self._robots.give_seats(dict(zip(names, robots, strict=True)))

    def play(self) -> GameTime:
        """Play it to its end."""
        began = changed = self._clock.now
        out: float | None = None
        version = rounds = 0
        hands: dict[str, tuple[int, ...]] = {}
        while True:
            self._clock.sleep(STEP_EVERY)
            self._robots.step()
            state = self._table.state()
            if state.version != version:
                version, changed = state.version, self._clock.now
            plays = any(player.name == PERSON and player.dice for player in state.players)
            if out is None and not plays:
                out = self._clock.now - began
            if state.phase is Phase.OVER:
                whole = self._clock.now - began
                return GameTime(whole if out is None else out, whole, rounds)
            if state.phase is Phase.BIDDING:
                hands = {player.name: self._dice.peek(player.name) for player in state.players if player.dice}
            waited = self._clock.now - changed
            if state.phase is Phase.READING and waited >= REVEAL_TIME:
                rounds += 1
                self._table.do(commands.CountByHand({name: list(dice) for name, dice in hands.items()}))
            elif waited >= DECISION_TIME and (plays or state.phase is Phase.VERDICT):  # who is out goes on, too
                self._person_acts(state.phase)

    def _person_acts(self, phase: Phase) -> None:
        if phase is Phase.VERDICT:
            self._table.do(commands.OpenRound())
            return
        history, state = self._table.history()
        game, dice = history.position.game, self._dice.peek(PERSON)
        if phase is not Phase.BIDDING or game is None or game.turn != PERSON or not dice:
            return
        call = ROBOTS[Strength.MEDIUM].decide(PlayerView(PERSON, dice, game, history.position.bids), self._luck)
        self._table.do(as_command(call), Actor("k3f9", PERSON, state.version))


def play_solo(robots: tuple[RobotStrength, ...], seed: int) -> GameTime:
    """One game. The same arguments give the same game."""
    clock = FakeClock()
    draw = random.Random(seed).choice
    with (
        tempfile.TemporaryDirectory() as folder,
        Table(Journal(Path(folder)), defaults=GameDefaults(draw=draw), clock=clock) as table,
    ):
        return SoloGame(table, clock, robots, seed).play()


def solo_table(games: int) -> str:
    """The figures as a table in Markdown."""
    lines = [
        "| against | games | rounds | minutes until you are out or have won | until the game is over | the longest |",
        "|---|---|---|---|---|---|",
    ]
    for name, robots in OPPONENTS.items():
        played = [play_solo(robots, seed) for seed in range(games)]
        rounds, person, whole = (
            statistics.median(values)
            for values in (
                [game.rounds for game in played],
                [game.person / 60 for game in played],
                [game.whole / 60 for game in played],
            )
        )
        longest = max(game.whole for game in played) / 60
        lines.append(f"| {name} | {games} | {rounds:.0f} | {person:.1f} | {whole:.1f} | {longest:.1f} |")
    return "\n".join(lines)


@click.command()
@click.option("--games", type=click.IntRange(min=1), default=40, show_default=True, help="Of each kind.")
@click.option("--figures", type=click.Path(path_type=Path, dir_okay=False), help=f"Write the table between {MARKS[0]}.")
def solo(games: int, figures: Path | None) -> None:
    """Measure how long a game alone against robots takes.

    The medians of games at the demo's pace, by a clock that is not waited for.
    """
    table = solo_table(games)
    click.echo(table)
    if figures is not None:
        write_between(figures, *MARKS, table)
