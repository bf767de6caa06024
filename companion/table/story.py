"""The story of a game, in short sentences. Pure.

It tells what was decided, round by round; what was corrected or taken back on the way is not told.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine import PACO, CallKind, Outcome
from companion.table.events import BidMade
from companion.table.games import Back, Dice, Ending, Game, Left, Round
from companion.table.sentences import dice, faces, listed


def story(game: Game) -> tuple[str, ...]:
    """The game told, a paragraph a line: who played, the opening, every round, and the end."""
    calza = "with" if game.calza else "without"
    return (
        f"{listed(game.players)} played by the rules of {game.ruleset.title}, {calza} calza.",
        *_rolls(game.rolls),
        *(_told(entry) for entry in game.course if not isinstance(entry, Round) or entry.bids),
        _end(game),
    )


def _told(entry: Round | Left | Back) -> str:
    match entry:
        case Left(player, have, conceded):
            return f"{player} {'gave the game up' if conceded else 'left the table'} with {dice(have)}."
        case Back(player, have):
            return f"{player} came back with {dice(have)}."
        case Round():
            return _round(entry)


# The opening


def _rolls(rolls: tuple[Dice, ...]) -> Iterator[str]:
    if not rolls:
        return
    said = []
    for number, roll in enumerate(rolls):
        each = listed([f"{player} {_sum(shown)}" for player, shown in roll.items()])
        said.append(f"For the opening they rolled: {each}." if number == 0 else f"Again, for the tied: {each}.")
    yield " ".join(said)


def _sum(shown: tuple[int, ...]) -> str:
    """ "5", "4 and 6, 10 together"."""
    return str(shown[0]) if len(shown) == 1 else f"{listed(list(map(str, shown)))} ({sum(shown)})"


# A round


def _round(told: Round) -> str:
    kind = "" if told.opened.palifico is None else ", palifico"
    said = [f"Round {told.opened.round}{kind}: {_bids(told.bids)}{_call(told)}."]
    if told.outcome is not None:
        said.append(_judged(told.outcome))
    return " ".join(said)


def _bids(bids: tuple[BidMade, ...]) -> str:
    first, last = bids[0], bids[-1]
    # What is only assumed to have been bid is no part of the story.
    opening = f"{first.player} opened" if first.assumed else f"{first.player} opened with {_bid(first)}"
    return opening if len(bids) == 1 else f"{opening}, and it went up to {last.player}'s {_bid(last)}"


def _bid(bid: BidMade) -> str:
    return faces(bid.count, bid.face)


def _call(told: Round) -> str:
    if told.call is None:
        return ""
    call = type(told.call).__name__.lower()
    unjudged = "" if told.outcome is not None else ", which was not judged"
    return f"; {told.call.player} called {call}{unjudged}"


def _judged(outcome: Outcome) -> str:
    if outcome.call is CallKind.DUDO:
        held = "the bid did not hold" if outcome.correct else "the bid held"
    else:
        held = "the bid was exact" if outcome.correct else "the bid was not exact"
    said = f"{_tally(outcome)}: {held}, and {_consequence(outcome)}."
    return f"{said[0].upper()}{said[1:]}"


def _tally(outcome: Outcome) -> str:
    """ "3 fours and 1 paco made 4", "there were 2 pacos"."""
    bid = outcome.bid
    if outcome.wild and bid.face != PACO:
        both = f"{faces(outcome.faces, bid.face)} and {faces(outcome.pacos, PACO)}"
        return f"{both} made {outcome.count}" if outcome.count else f"there were {both}"
    return f"there {'was' if outcome.count == 1 else 'were'} {faces(outcome.count, bid.face)}"


def _consequence(outcome: Outcome) -> str:
    if outcome.eliminated is not None:
        return f"{outcome.eliminated} lost the last die and was out"
    if outcome.loses is not None:
        return f"{outcome.loses} lost a die"
    if outcome.gains is not None:
        return f"{outcome.gains} took back a die"
    return f"{outcome.caller} had all five dice already"


# The end


def _end(game: Game) -> str:
    rounds = f"{game.round_count} {'round' if game.round_count == 1 else 'rounds'}"
    if game.winner is not None:
        return f"{game.winner} won the game after {rounds}."
    if game.ending is Ending.PLAYING:
        return f"The game is still being played, after {rounds} so far."
    return f"The game was ended after {rounds}, before anybody had won."
