"""Plays a game among robots to its end."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from companion.engine import (
    DEFAULT_RULESET,
    MOST_PLAYERS,
    RULESETS,
    Bid,
    Call,
    Event,
    GamePhase,
    GameStarted,
    Position,
    Reveal,
    Ruleset,
)
from companion.engine.record import to_line
from companion.engine.rulebooks import RULE_FIELDS, values_of, with_changes
from companion.robots.robot import PlayerView, Robot


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game and its winner."""

    events: tuple[Event, ...]
    """Each round's reveal contains everybody's dice."""
    winner: str

    @property
    def record(self) -> str:
        return "".join(f"{to_line(event)}\n" for event in self.events)


def play(
    robots: Mapping[str, Robot],
    seed: int,
    *,
    ruleset: Ruleset = DEFAULT_RULESET,
    calza: bool = True,
    dice: Mapping[str, int] | None = None,
) -> PlayedGame:
    """Play a game among `robots`, given by the players' names clockwise. The same arguments give the same game.

    `dice`: the number of dice that each player starts with, by default all. Dice, opener and robots have separate
    random numbers from `seed`, so that players of other strengths get the same first throw.

    Raises `companion.engine.EngineError` if a robot returns an illegal call.
    """
    throws, chances = random.Random(f"{seed}/dice"), random.Random(f"{seed}/robots")
    players = tuple(robots)
    started = GameStarted(ruleset, players, random.Random(f"{seed}/opener").choice(players), calza, dice)
    events: list[Event] = [started]
    position = Position.start(started)
    while position.phase is not GamePhase.OVER:
        thrown = {name: tuple(throws.choices(range(1, 7), k=count)) for name, count in position.dice.items() if count}
        bids: list[Bid] = []
        while position.phase is GamePhase.BIDDING:
            call = next_call(robots, position, thrown, tuple(bids), chances)
            position = position.apply(call)
            events.append(call)
            if isinstance(call, Bid):
                bids.append(call)
        events.append(Reveal(thrown))
        position = position.apply(events[-1])
    assert position.winner is not None
    return PlayedGame(tuple(events), position.winner)


def next_call(
    robots: Mapping[str, Robot],
    position: Position,
    dice: Mapping[str, tuple[int, ...]],
    bids: tuple[Bid, ...],
    luck: random.Random,
) -> Call:
    """The next call: the first out of turn, in playing order, else that of the player on turn."""
    assert position.turn is not None
    for player in dict.fromkeys((*position.may_dudo(), *position.may_calza())):
        if player != position.turn:
            view = PlayerView(player, dice[player], position, bids)
            if (call := robots[player].interject(view, luck)) is not None:
                return call
    return robots[position.turn].decide(PlayerView(position.turn, dice[position.turn], position, bids), luck)


def random_rules(luck: random.Random) -> Ruleset:
    """A book's rules with up to six of them changed, for any number of players."""
    changed = luck.sample([rule for rule in RULE_FIELDS if rule != "most_players"], luck.randint(0, 6))
    book = luck.choice(list(RULESETS.values()))
    return with_changes(book, {"most_players": MOST_PLAYERS} | {rule: luck.choice(values_of(rule)) for rule in changed})
