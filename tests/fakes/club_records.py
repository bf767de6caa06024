"""Records of games that were never played, as a club's tables send them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from calibration.palette import COLOURS
from companion.engine import Bid, Call, Dudo, Event, GameStarted, Position, Reveal
from companion.engine.record import to_line
from companion.engine.rulebooks import RULESETS
from companion.member.payloads import ClubPlayer, RecordEvent
from companion.table.past.games import Ending


def club_record(
    game: str,
    *places: str,
    ending: Ending | None = None,
    players: Sequence[str] | None = None,
    unnamed: Sequence[str] = (),
    began: str = "2026-11-24T19:30:00Z",
) -> RecordEvent:
    """The record of `game`, such as "a/10", which ended with these places.

    Without places nobody has won. `players` are clockwise; the default is by place.
    """
    names = places if players is None else tuple(players)
    return RecordEvent(
        game=game,
        began=began,
        ended=began,
        ending=ending or (Ending.WON if places else Ending.ENDED),
        players=tuple(
            ClubPlayer(name, COLOURS[seat % len(COLOURS)], None, name not in unnamed) for seat, name in enumerate(names)
        ),
        places=tuple((place,) for place in places),
        rounds=12,
        ruleset="asmodee-fr",
        rules={},
        calza=True,
        record=(won_lines(places),) if len(places) > 1 else (),
    )


@lru_cache
def won_lines(places: tuple[str, ...]) -> tuple[str, ...]:
    """The lines of a game in which each player has one die, and goes out where `places` says."""
    begin = GameStarted(RULESETS["asmodee-fr"], places, places[0], dice=dict.fromkeys(places, 1))
    position, events = Position.start(begin), [begin]
    for loser in reversed(places[1:]):
        for event in _lost_by(loser, position):
            position = position.apply(event)
            events.append(event)
    return tuple(map(to_line, events))


def _lost_by(loser: str, start: Position) -> list[Event]:
    """A round that `loser` loses: by the first bid of all, or by doubting one that holds."""
    position, calls = start, list[Call]()
    while not calls or isinstance(calls[-1], Bid):
        turn = position.turn
        assert turn is not None
        first_is_doubted = len(calls) == 1 and start.turn == loser
        doubts = calls and (turn == loser or first_is_doubted)
        calls.append(Dudo(turn) if doubts else Bid(turn, len(calls) + 1, 2))
        position = position.apply(calls[-1])
    face = 3 if start.turn == loser else 2
    return [*calls, Reveal({name: (face,) for name, dice in start.dice.items() if dice})]
