"""Fake past games: whole games by random players, as imported or played here."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import chain

from companion import engine
from companion.engine import RULESETS, Bid, Calza, Dudo, GameStarted, Position, Reveal
from companion.engine.record import to_line
from companion.table.journal.saved_games import SavedGame
from companion.table.past.games import Game, game_of_record


def random_game(number: int, players: Sequence[str], rng: random.Random, ruleset: str = "asmodee-fr") -> Game:
    """A whole game by players who know a little more than nothing."""
    begin = GameStarted(ruleset=RULESETS[ruleset], players=tuple(players), starter=rng.choice(players), calza=True)
    lines: list[engine.Event] = [begin]
    position = Position.start(begin)
    while position.winner is None:
        dice = {player: tuple(sorted(rng.choices(range(1, 7), k=count))) for player, count in position.dice.items()}
        shown = list(chain.from_iterable(dice.values()))
        event: engine.Event
        if position.call is not None:
            event = Reveal({player: faces for player, faces in dice.items() if faces})
        else:
            turn, bid = position.turn, position.bid
            assert turn is not None
            event = _raise(position, turn, rng)
            if bid is not None and (bid.count > len(shown) / 3 + rng.choice((-1, 0, 1)) or event.count > len(shown)):
                event = Calza(turn) if rng.random() < 0.25 and turn in position.may_calza() else Dudo(turn)
        position = position.apply(event)
        lines.append(event)
    return game_of_record(number, [to_line(line) for line in lines])


def _raise(position: Position, player: str, rng: random.Random) -> Bid:
    faces = list(range(2, 7))
    rng.shuffle(faces)
    bids = (Bid(player, count, face) for count in range(1, 64) for face in (*faces, 1))
    return next(bid for bid in bids if position.is_legal(bid))


def past_games(count: int, players: Sequence[str] = ("Ana", "Ben", "Cleo"), seed: int = 1) -> list[SavedGame]:
    """Games as if played here, oldest first."""
    rng = random.Random(seed)
    return [
        SavedGame(
            random_game(number, players, rng),
            f"2026-{1 + number % 12:02}-{1 + number % 28:02}T19:30:00+00:00",
            None,
        )
        for number in range(1, count + 1)
    ]
