"""The games of a journal and their records. Pure.

Undone steps are left out, and a call that was judged again has only its last verdict. A record has no lines for players
who leave or come back: the game's record then continues in another part, a separate record whose `game` line gives the
remaining players and their dice.

Every part replays without errors and ends in the table's position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain

from companion import engine
from companion.engine import Outcome, Ruleset
from companion.engine.record import ReplayStep, replay, to_line
from companion.messages.message import Message
from companion.table.game import events
from companion.table.game.corrections import correction
from companion.table.game.events import Events
from companion.table.game.history import History, Step, by_round
from companion.table.game.table_position import Phase, Series, TablePosition, evolve

Dice = Mapping[str, tuple[int, ...]]
"""Player -> faces."""


class Ending(StrEnum):
    """How a game ended."""

    WON = "won"
    ENDED = "ended"
    """The players ended it before anybody won, or opened another game."""
    PLAYING = "playing"
    """It has not ended."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round, up to its verdict or its last event."""

    start: engine.Position
    """The position before the first bid."""
    bids: tuple[events.BidMade, ...] = ()
    call: engine.Dudo | engine.Calza | None = None
    dice: Dice | None = None
    """The dice by which the call was judged; None if it was not."""
    uncertain: Dice = field(default_factory=dict)
    """The uncertain ones among them."""
    outcome: Outcome | None = None
    seen: Mapping[str, int] | None = None
    """The numbers of dice that everybody knew, if they were hidden and then corrected."""
    corrections: tuple[Message, ...] = ()
    """The corrections of the dice after they were counted, and who made them."""

    @property
    def wild(self) -> bool:
        """True if pacos counted as the face that was bid."""
        return self.start.wild and not (self.bids and self.start.tamed_by(self.bids[0].bid))


@dataclass(frozen=True, slots=True)
class Departure:
    """A player left or gave up, which voids the bids of the round."""

    player: str
    dice: int
    """How many dice the player had."""
    conceded: bool


@dataclass(frozen=True, slots=True)
class Return:
    """A player who had left came back."""

    player: str
    dice: int


@dataclass(frozen=True, slots=True)
class Arrival:
    """A player joined the game."""

    player: str
    dice: int


@dataclass(frozen=True, slots=True)
class Adjustment:
    """The players corrected somebody's number of dice."""

    player: str
    dice: int


@dataclass(frozen=True, slots=True)
class Voiding:
    """The players voided a round."""

    round: int


Entry = Round | Departure | Return | Arrival | Adjustment | Voiding


@dataclass(frozen=True, slots=True)
class Game:
    """One game, finished or not."""

    number: int
    """From 1; imported records are numbered separately."""
    players: tuple[str, ...]
    """Clockwise."""
    ruleset: Ruleset
    calza: bool
    entries: tuple[Entry, ...]
    """In order. The last round may have no bid yet."""
    ending: Ending
    winner: str | None
    parts: tuple[tuple[engine.Event, ...], ...]
    """The events of each part of the record; none while the players roll for the opening."""
    rolls: tuple[Dice, ...] = ()
    """The rolls for the opening: everybody's, then those of the tied players."""
    series: Series | None = None
    """The series to which the game belongs, including this game."""
    colours: Mapping[str, str] = field(default_factory=dict)
    """Player -> colour; empty in an imported record."""
    steps: tuple[Events, ...] = field(default=(), repr=False)
    """Empty for an imported record."""

    @property
    def opened(self) -> events.GameOpened | None:
        """Its opening; None for an imported record."""
        if not self.steps:
            return None
        opened = self.steps[0][0]
        assert isinstance(opened, events.GameOpened), "a game begins with its opening"
        return opened

    @property
    def record(self) -> tuple[tuple[str, ...], ...]:
        """The lines of each part, without line breaks."""
        return tuple(tuple(map(to_line, part)) for part in self.parts)

    @property
    def clock_set(self) -> bool:
        """True if the box's clock had been set when it was opened; otherwise its time is meaningless."""
        return self.opened is None or self.opened.clock_set

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The rounds with bids. A round that was opened again, because somebody left or it was voided, occurs twice."""
        return tuple(entry for entry in self.entries if isinstance(entry, Round) and entry.bids)

    @property
    def round_count(self) -> int:
        return count_rounds(self.rounds)

    @property
    def abandoned(self) -> bool:
        """True if it ended before the first bid: it is then not listed or counted."""
        return self.ending is Ending.ENDED and not self.rounds


def count_rounds(rounds: Iterable[Round]) -> int:
    """The number of rounds of one game; a round that was opened again counts once."""
    return len({each.start.round for each in rounds})


def games(steps: Iterable[Events]) -> list[Game]:
    """The games in a journal's `companion.table.game.history.standing_steps`, oldest first.

    Raises `AssertionError` or an `EngineError` for events that `decide` never returns.
    """
    steps_by_game: list[list[Events]] = []
    position = TablePosition()
    found: list[Game] = []
    for step in steps:
        if isinstance(step[0], events.GameOpened):
            steps_by_game.append([])
        assert steps_by_game, "something was done before the first game"
        steps_by_game[-1].append(step)
    last = len(steps_by_game)
    for number, its_steps in enumerate(steps_by_game, start=1):
        game, position = _game(its_steps, position, last=number == last)
        found.append(game)
    return found


def games_back(history: History) -> Iterator[tuple[Step, list[Events]]]:
    """The games that an undo can still change, latest first: the opening of each, and its steps."""
    steps: list[Events] = []
    step = history.last
    while step is not None:
        steps.append(step.events)
        if isinstance(step.events[0], events.GameOpened):
            yield step, steps[::-1]
            steps = []
        step = step.earlier


def latest_game(history: History, *, last: bool = True) -> Game | None:
    """The game that `history` is in; None before the first one. `last`: True if no other game follows it."""
    for opening, steps in games_back(history):
        return game_of_steps(steps, opening.before, last=last)
    return None


def open_games(history: History) -> list[Game]:
    """The games that an undo can still change, oldest first."""
    found = [
        game_of_steps(steps, opening.before, last=n == 0) for n, (opening, steps) in enumerate(games_back(history))
    ]
    return found[::-1]


def game_of_steps(steps: Sequence[Events], before: TablePosition, *, last: bool) -> Game:
    """The game of these steps, which follows the position `before`. `last`: True if no other game follows it."""
    return _game(steps, before, last=last)[0]


def game_of_record(number: int, lines: Sequence[str]) -> Game:
    """The game of a saved record.

    Raises an `EngineError` for a line that cannot be replayed, and `ValueError` if there are no lines.
    """
    steps = list(replay(lines, kept=True))
    for step in steps:
        if step.error is not None:
            raise step.error
    if not steps:
        raise ValueError("a record has at least one line")
    first, final = _position(steps[0]), _position(steps[-1])
    return Game(
        number=number,
        players=first.players,
        ruleset=first.ruleset,
        calza=first.calza,
        entries=tuple(_record_rounds(steps)),
        ending=Ending.ENDED if final.winner is None else Ending.WON,
        winner=final.winner,
        parts=(tuple(step.event for step in steps if step.event is not None),),
    )


def _position(step: ReplayStep) -> engine.Position:
    assert step.position is not None, "a record begins with a game"
    return step.position


def _game(steps: Sequence[Events], position: TablePosition, *, last: bool) -> tuple[Game, TablePosition]:
    """The game of these steps, which follows `position`, and the position in which it ends."""
    opened = steps[0][0]
    assert isinstance(opened, events.GameOpened), "a game begins with its opening"
    rolls: list[Dice] = []
    entries: list[Entry] = []
    current: Round | None = None
    for opens, *more in by_round(chain.from_iterable(steps)):
        if current is not None and current.bids:
            entries.append(current)
        before, position = position, evolve(position, opens)
        match opens:
            case events.Rolled(dice):
                rolls.append(dict(dice))
            case events.GameLeft(player, conceded) if before.game is not None:
                entries.append(Departure(player, before.game.dice[player], conceded))
            case events.CameBack(player):
                entries.append(Return(player, before.away[player]))
            case events.NewcomerSeated(player, _, dice):
                entries.append(Arrival(player, dice))
            case events.RoundVoided() if before.game is not None:
                entries.append(Voiding(before.game.round))
            case events.PlayerDiceSet(player, dice):
                entries.append(Adjustment(player, dice))
        seen = current.seen if current is not None and before.hides_dice else None  # no reveal has shown them since
        playing = position.game is not None and position.game.winner is None
        current = Round(position.game, seen=seen) if position.game is not None and playing else None
        for event in more:
            before, position = position, evolve(position, event)
            told = None
            if isinstance(event, events.PlayerDiceSet):
                entries.append(Adjustment(event.player, event.dice))
            else:
                told = correction((event,), before)
            current = current and _with_event(current, event, position, () if told is None else (told,))
    if current is not None:
        entries.append(current)
    winner = None if position.game is None else position.game.winner
    ended = position.phase is Phase.OVER or not last
    game = Game(
        number=position.games,
        players=tuple(position.colours),
        ruleset=opened.rulebook,
        calza=opened.calza,
        entries=tuple(entries),
        ending=Ending.WON if winner is not None else Ending.ENDED if ended else Ending.PLAYING,
        winner=winner,
        parts=tuple(_parts(entries)),
        rolls=tuple(rolls),
        series=position.series,
        colours=dict(position.colours),
        steps=tuple(steps),
    )
    return game, position


def _with_event(current: Round, event: events.Event, after: TablePosition, corrections: tuple[Message, ...]) -> Round:
    """The round after `event`, which leads to the position `after` and is described by `corrections`."""
    current = replace(current, corrections=(*current.corrections, *corrections))
    match event:
        case events.PlayerDiceSet() if (game := after.game_at_call or after.game) is not None:
            start = replace(game.reopened(), direction=current.start.direction)
            hidden = after.opened is not None and not after.opened.open_lost
            current = replace(current, start=start, seen=current.seen or current.start.dice if hidden else None)
        case events.BidMade():
            return replace(current, bids=(*current.bids, event))
        case events.DudoCalled() | events.CalzaCalled() if after.game_at_call is not None:
            return replace(current, call=after.game_at_call.call)
        case events.Judged() if after.verdict is not None:
            return _judged(current, event.reveal, after.verdict)
    if after.verdict is None:  # voided by a correction, until the call is judged again
        return replace(current, dice=None, uncertain={}, outcome=None)
    return current


def _judged(current: Round, reveal: engine.Reveal, after: engine.Position) -> Round:
    """The round after its reveal, which leads to the position `after`."""
    shown = {player: faces for player, faces in reveal.dice.items() if faces}
    return replace(current, dice=shown, uncertain=dict(reveal.uncertain), outcome=after.outcome)


def _parts(entries: Iterable[Entry]) -> Iterator[tuple[engine.Event, ...]]:
    """The parts of the record. A part ends where the record cannot continue the way the table did."""
    part: list[engine.Event] = []
    position: engine.Position | None = None
    for entry in entries:
        if not isinstance(entry, Round):
            continue
        if position is None or not _same_start(position, entry.start):
            if part:
                yield tuple(part)
            begin = _game_line(entry)
            part, position = [begin], engine.Position.start(begin)
        lines: list[engine.Event] = [bid.bid for bid in entry.bids]
        if entry.call is not None:
            lines.append(entry.call)
        if entry.dice is not None:
            lines.append(engine.Reveal(entry.dice, entry.uncertain))
        for line in lines:
            if isinstance(line, engine.Bid) and not position.is_legal(line):
                # It was legal when it was made: the dice were corrected later in this round.
                line = replace(line, accepted=True)  # noqa: PLW2901
            position = position.apply(line)
            part.append(line)
    if part:
        yield tuple(part)


def _same_start(record: engine.Position, table: engine.Position) -> bool:
    """True if the next round starts alike in the record and at the table, apart from players without dice."""
    return (
        record.bid is None
        and record.phase is engine.GamePhase.BIDDING
        and (record.starter, record.palifico, record.direction) == (table.starter, table.palifico, table.direction)
        and (not table.ruleset.calza_once or record.calza_said == table.calza_said)
        and (table.ruleset.palifico_again or _former(record) == _former(table))
        and (not table.ruleset.calza_to_half or record.all_dice == table.all_dice)
        and _alive(record) == _alive(table)
    )


def _alive(position: engine.Position) -> dict[str, int]:
    return {player: count for player, count in position.dice.items() if count}


def _former(position: engine.Position) -> frozenset[str]:
    """The remaining players who have been palifico."""
    return position.former_palificos & set(_alive(position))


def _game_line(begins: Round) -> engine.GameStarted:
    """The first line of a part that begins with this round."""
    start = begins.start
    dice = _alive(start)
    seen = {name: (begins.seen or {}).get(name) or count for name, count in dice.items()}
    with_one = {player for player, count in dice.items() if count == 1}
    full = len(dice) == len(start.players) and set(dice.values()) == {start.ruleset.dice_each}
    return engine.GameStarted(
        ruleset=start.ruleset,
        players=tuple(dice),
        starter=start.starter,
        calza=start.calza,
        dice=None if full else dice,
        palifico=start.palifico,
        direction=start.direction,
        calza_said=start.calza_said & set(dice) if start.ruleset.calza_once else frozenset(),
        first_round=start.round,
        all_dice=start.all_dice
        if start.ruleset.calza_to_half and start.all_dice != len(dice) * start.ruleset.dice_each
        else None,
        former_palificos=None if start.ruleset.palifico_again or _former(start) == with_one else _former(start),
        seen=None if seen == dice else seen,
    )


def _record_rounds(steps: Sequence[ReplayStep]) -> Iterator[Round]:
    """The rounds of a record without refused lines."""
    current = Round(_position(steps[0]))
    for step in steps[1:]:
        after = _position(step)
        if isinstance(step.event, engine.Reveal):
            yield _judged(current, step.event, after)
            current = Round(after)
        elif after.call is not None:
            current = replace(current, call=after.call)
        elif after.bid is not None:
            bid = after.bid
            current = replace(
                current,
                bids=(
                    *current.bids,
                    events.BidMade(bid.player, bid.count, bid.face, direction=bid.direction, accepted=bid.accepted),
                ),
            )
    if current.start.winner is None:
        yield current
