"""The games of a journal: what was played in each of them, and its record. Pure.

Only what stands is told: what was taken back is not in it, and a call judged again after a correction has the last
verdict alone. The record has no line for players who leave, give up or come back. There a game's record is in several
parts, each a record of its own whose `game` line says who plays on with how many dice.

One thing a part cannot say: that a player with two dice or more was palifico before. Only `hasbro-1994` asks (its
palifico is one once a game), and where a part would go on with a palifico round that was none at the table, a new
part begins as well. So every part replays without a refused line, and ends where the table was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain, pairwise

from companion import engine
from companion.engine import Outcome, Ruleset
from companion.engine.record import ReplayStep, replay, to_line
from companion.engine.rulebooks import with_changes
from companion.table.game import events
from companion.table.game.history import Events
from companion.table.game.position import Phase, TablePosition, evolve

Dice = Mapping[str, tuple[int, ...]]
"""Each player's faces."""


class Ending(StrEnum):
    """How a game came to its end."""

    WON = "won"
    """One player is left."""
    ENDED = "ended"
    """The players ended it before anybody had won, or opened another."""
    PLAYING = "playing"
    """It has not: it can be gone on with."""


@dataclass(frozen=True, slots=True)
class Round:
    """From an opening bid to a verdict, or as far as it came."""

    opened: engine.Position
    """Where the game stood before the first bid."""
    bids: tuple[events.BidMade, ...] = ()
    call: engine.Dudo | engine.Calza | None = None
    dice: Dice | None = None
    """What the call was judged on; None while it is not judged."""
    outcome: Outcome | None = None
    """How the call was judged; None while it is not."""

    @property
    def dice_in_play(self) -> int:
        """How many dice were on the table."""
        return sum(self.opened.dice_by_seat)


@dataclass(frozen=True, slots=True)
class Departure:
    """A player has left, or given the game up. The bids of the round are void."""

    player: str
    dice: int
    """How many the player had."""
    conceded: bool


@dataclass(frozen=True, slots=True)
class Return:
    """A player who had left plays on."""

    player: str
    dice: int


@dataclass(frozen=True, slots=True)
class Game:
    """One game, as far as it was played."""

    number: int
    """From 1. Of a record brought in from elsewhere, its own number among those."""
    players: tuple[str, ...]
    """Clockwise."""
    ruleset: Ruleset
    calza: bool
    course: tuple[Round | Departure | Return, ...]
    """What was played, in order. The last round may have no bid yet."""
    ending: Ending
    winner: str | None
    record: tuple[tuple[str, ...], ...]
    """Its parts, each the lines of a record without line ends; none while the players roll for the opening."""
    rolls: tuple[Dice, ...] = ()
    """What was rolled for the opening: everybody's roll, then those of the tied."""
    opened: events.GameOpened | None = None
    """None for a record brought in from elsewhere."""
    steps: tuple[Events, ...] = field(default=(), repr=False)
    """What was done at the table; nothing for a record brought in from elsewhere."""

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The rounds in which somebody bid. One that was opened again, because somebody left, is here twice."""
        return tuple(entry for entry in self.course if isinstance(entry, Round) and entry.bids)

    @property
    def round_count(self) -> int:
        """How many rounds there were; one that was opened again is one."""
        return distinct(self.rounds)


def distinct(rounds: Iterable[Round]) -> int:
    """How many rounds of one game these are; one that was opened again is one."""
    return len({each.opened.round for each in rounds})


def games(standing: Iterable[Events]) -> list[Game]:
    """The games in what stands of a journal (`companion.table.game.history.standing`), the first one first.

    Raises `AssertionError` or an `EngineError` only for events that were never decided upon.
    """
    played: list[list[Events]] = []
    for step in standing:
        if isinstance(step[0], events.GameOpened):
            played.append([])
        assert played, "something was done before the first game"
        played[-1].append(step)
    last = len(played)
    return [_game(number, steps, last=number == last) for number, steps in enumerate(played, start=1)]


def game_of_record(number: int, lines: Sequence[str]) -> Game:
    """The game in the lines of a record.

    Raises `companion.engine.EngineError` for a line that replay refuses, and `ValueError` when there is none.
    """
    steps = list(replay(lines))
    for step in steps:
        if step.error is not None:
            raise step.error
    if not steps or steps[0].position is None or steps[-1].position is None:
        raise ValueError("a record has at least one line")
    first, final = steps[0].position, steps[-1].position
    return Game(
        number=number,
        players=first.players,
        ruleset=first.ruleset,
        calza=first.calza,
        course=tuple(_replayed(first, steps)),
        ending=Ending.ENDED if final.winner is None else Ending.WON,
        winner=final.winner,
        record=(tuple(lines),),
    )


def _game(number: int, steps: Sequence[Events], *, last: bool) -> Game:
    opened = steps[0][0]
    assert isinstance(opened, events.GameOpened), "a game begins with its opening"
    position = TablePosition()
    rolls: list[Dice] = []
    course: list[Round | Departure | Return] = []
    here: Round | None = None
    for event in chain.from_iterable(steps):
        before, position = position, evolve(position, event)
        match event:
            case events.Rolled(dice):
                rolls.append(dict(dice))
                here = _begun(position)
            case events.GameOpened():
                here = _begun(position)
            case events.RoundOpened() | events.GameLeft() | events.CameBack():
                if here is not None and here.bids:
                    course.append(here)
                course += _came(before, event)
                here = _begun(position)
            case _:
                here = here and _gone_on(here, event, position)
    if here is not None:
        course.append(here)
    winner = None if position.game is None else position.game.winner
    ended = position.phase is Phase.OVER or not last
    return Game(
        number=number,
        players=opened.players,
        ruleset=with_changes(engine.RULESETS[opened.ruleset], dict(opened.rules)),
        calza=opened.calza,
        course=tuple(course),
        ending=Ending.WON if winner is not None else Ending.ENDED if ended else Ending.PLAYING,
        winner=winner,
        record=tuple(tuple(map(to_line, part)) for part in _parts(course)),
        rolls=tuple(rolls),
        opened=opened,
        steps=tuple(steps),
    )


def _begun(position: TablePosition) -> Round | None:
    """The round that begins at `position`; None while the opener is not found, and once somebody has won."""
    game = position.game
    return None if game is None or game.winner is not None else Round(game)


def _came(before: TablePosition, event: events.Event) -> Iterator[Departure | Return]:
    """What `event` tells of players who leave and come back."""
    match event:
        case events.GameLeft(player, conceded) if before.game is not None:
            yield Departure(player, before.game.dice[player], conceded)
        case events.CameBack(player):
            yield Return(player, before.away[player])


def _gone_on(here: Round, event: events.Event, after: TablePosition) -> Round:
    """The round with `event` in it, after which the table is as in `after`."""
    match event:
        case events.BidMade():
            return replace(here, bids=(*here.bids, event))
        case events.DudoCalled(player):
            return replace(here, call=engine.Dudo(player))
        case events.CalzaCalled(player):
            return replace(here, call=engine.Calza(player))
        case events.Judged(dice) if after.verdict is not None:
            shown = {player: faces for player, faces in dice if faces}
            return replace(here, dice=shown, outcome=after.verdict.outcome)
    if after.verdict is None:  # a correction has taken the verdict back, until the call is judged again
        return replace(here, dice=None, outcome=None)
    return here


def _parts(course: Iterable[Round | Departure | Return]) -> Iterator[list[engine.Event]]:
    """The record of what was played. A part ends where a record could not go on to where the table went on."""
    part: list[engine.Event] = []
    position: engine.Position | None = None
    for entry in course:
        if not isinstance(entry, Round):
            continue
        if position is None or not _same(position, entry.opened):
            if part:
                yield part
            begin = _game_line(entry.opened)
            part, position = [begin], engine.Position.start(begin)
        lines: list[engine.Event] = [engine.Bid(bid.player, bid.count, bid.face) for bid in entry.bids]
        if entry.call is not None:
            lines.append(entry.call)
        if entry.dice is not None:
            lines.append(engine.Reveal(entry.dice))
        for line in lines:
            position = position.apply(line)
        part += lines
    if part:
        yield part


def _same(record: engine.Position, table: engine.Position) -> bool:
    """Whether the next round begins in the record as it does at the table. Who has no dice left is nobody there."""
    return (
        record.bid is None
        and record.phase is engine.GamePhase.BIDDING
        and (record.starter, record.palifico) == (table.starter, table.palifico)
        and _alive(record) == _alive(table)
    )


def _alive(position: engine.Position) -> dict[str, int]:
    return {player: count for player, count in position.dice.items() if count}


def _game_line(opened: engine.Position) -> engine.GameStarted:
    """The first line of a record that begins with this round."""
    dice = _alive(opened)
    full = len(dice) == len(opened.players) and set(dice.values()) == {engine.MOST_DICE}
    return engine.GameStarted(
        ruleset=opened.ruleset,
        players=tuple(dice),
        starter=opened.starter,
        calza=opened.calza,
        dice=None if full else dice,
        palifico=opened.palifico,
    )


def _replayed(first: engine.Position, steps: Sequence[ReplayStep]) -> Iterator[Round]:
    """The rounds of a record without refused lines, whose first line led to `first`."""
    here = Round(first)
    for before, step in pairwise(steps):
        after = step.position
        assert before.position is not None, "a record begins with a game"
        assert after is not None, "a record begins with a game"
        if isinstance(step.event, engine.Reveal):
            shown = {player: faces for player, faces in step.event.dice.items() if faces}
            yield replace(here, dice=shown, outcome=after.outcome)
            here = Round(after)
        elif after.call is not None:
            here = replace(here, call=after.call)
        elif after.bid is not None:
            bid = after.bid
            here = replace(here, bids=(*here.bids, events.BidMade(bid.player, bid.count, bid.face)))
    if here.opened.winner is None:
        yield here
