"""The story of a game, in short sentences. Pure.

It tells what was decided, round by round; what was corrected or taken back on the way is not told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from companion.engine import PACO, CallKind, Dudo, Outcome
from companion.engine.said import Dice, Faces, Names, Rounds, Said, to_json
from companion.table.events import BidMade, Event
from companion.table.games import Back, Ending, Game, Left, Round, games
from companion.table.games import Dice as Shown
from companion.table.history import standing
from companion.table.statistics import of_company, statistics


def told_and_counted(lines: Iterable[Sequence[Event]], *, hidden: bool) -> dict[str, Any]:
    """The last game of a journal's lines, and all of its company, as docs/api.md has them.

    `hidden` tells nothing of that game: who lost how many dice is in it.
    """
    played = games(standing(lines))
    if not played:
        return {"game": None, "story": [], "said": [], "statistics": None, "company": None}
    last = played[-1]
    if hidden:
        before = statistics(of_company(played[:-1], last.players)).to_json()
        return {"game": last.number, "story": [], "said": [], "statistics": None, "company": before}
    told = story(last)
    return {
        "game": last.number,
        "story": list(map(str, told)),
        "said": list(map(to_json, told)),
        "statistics": statistics([last]).to_json(),
        "company": statistics(of_company(played, last.players)).to_json(),
    }


def story(game: Game) -> tuple[Said, ...]:
    """The game told, a paragraph a line: who played, the opening, every round, and the end."""
    return (
        _company(game),
        *_rolls(game.rolls),
        *(_told(entry) for entry in game.course if not isinstance(entry, Round) or entry.bids),
        _end(game),
    )


def _company(game: Game) -> Said:
    players, book = Names(game.players), game.ruleset.title
    if game.calza:
        return Said("{players} played by the rules of {book}, with calza.", players=players, book=book)
    return Said("{players} played by the rules of {book}, without calza.", players=players, book=book)


def _told(entry: Round | Left | Back) -> Said:
    match entry:
        case Left(player, have, True):
            return Said("{player} gave the game up with {dice}.", player=player, dice=Dice(have))
        case Left(player, have):
            return Said("{player} left the table with {dice}.", player=player, dice=Dice(have))
        case Back(player, have):
            return Said("{player} came back with {dice}.", player=player, dice=Dice(have))
        case Round():
            return _round(entry)


# The opening


def _rolls(rolls: tuple[Shown, ...]) -> Iterator[Said]:
    if not rolls:
        return
    each = [Names(tuple(_rolled(player, shown) for player, shown in roll.items())) for roll in rolls]
    yield Said.joined(
        Said("For the opening they rolled: {rolls}.", rolls=each[0]),
        *(Said("Again, for the tied: {rolls}.", rolls=roll) for roll in each[1:]),
    )


def _rolled(player: str, shown: tuple[int, ...]) -> Said:
    """ "Ana 5", "Ana 4 and 6 (10)"."""
    if len(shown) == 1:
        return Said("{player} {face}", player=player, face=shown[0])
    return Said("{player} {faces} ({sum})", player=player, faces=Names(tuple(map(str, shown))), sum=sum(shown))


# A round


def _round(told: Round) -> Said:
    number, bids, call = told.opened.round, _bids(told.bids), _call(told)
    if told.opened.palifico is None:
        if call is None:
            said = Said("Round {round}: {bids}.", round=number, bids=bids)
        else:
            said = Said("Round {round}: {bids}; {call}.", round=number, bids=bids, call=call)
    elif call is None:
        said = Said("Round {round}, palifico: {bids}.", round=number, bids=bids)
    else:
        said = Said("Round {round}, palifico: {bids}; {call}.", round=number, bids=bids, call=call)
    return said if told.outcome is None else Said.joined(said, _judged(told.outcome))


def _bids(bids: tuple[BidMade, ...]) -> Said:
    first, last = bids[0], bids[-1]
    # What is only assumed to have been bid is no part of the story.
    if len(bids) == 1:
        if first.assumed:
            return Said("{player} opened", player=first.player)
        return Said("{player} opened with {bid}", player=first.player, bid=_bid(first))
    if first.assumed:
        return Said(
            "{player} opened, and it went up to {last}'s {higher}",
            player=first.player,
            last=last.player,
            higher=_bid(last),
        )
    return Said(
        "{player} opened with {bid}, and it went up to {last}'s {higher}",
        player=first.player,
        bid=_bid(first),
        last=last.player,
        higher=_bid(last),
    )


def _bid(bid: BidMade) -> Faces:
    return Faces(bid.count, bid.face)


def _call(told: Round) -> Said | None:
    if told.call is None:
        return None
    player = told.call.player
    if isinstance(told.call, Dudo):
        if told.outcome is None:
            return Said("{player} called dudo, which was not judged", player=player)
        return Said("{player} called dudo", player=player)
    if told.outcome is None:
        return Said("{player} called calza, which was not judged", player=player)
    return Said("{player} called calza", player=player)


def _judged(outcome: Outcome) -> Said:
    tally, consequence = _tally(outcome), _consequence(outcome)
    if outcome.call is CallKind.DUDO:
        if outcome.correct:
            return Said("{tally}: the bid did not hold, and {consequence}.", tally=tally, consequence=consequence)
        return Said("{tally}: the bid held, and {consequence}.", tally=tally, consequence=consequence)
    if outcome.correct:
        return Said("{tally}: the bid was exact, and {consequence}.", tally=tally, consequence=consequence)
    return Said("{tally}: the bid was not exact, and {consequence}.", tally=tally, consequence=consequence)


def _tally(outcome: Outcome) -> Said:
    """ "3 fours and 1 paco made 4", "there were 2 pacos"."""
    faces = Faces(outcome.faces, outcome.bid.face)
    if outcome.wild and outcome.bid.face != PACO:
        pacos = Faces(outcome.pacos, PACO)
        if outcome.count == 0:
            return Said("there were {faces} and {pacos}", faces=faces, pacos=pacos)
        return Said("{faces} and {pacos} made {count}", faces=faces, pacos=pacos, count=outcome.count)
    return Said("there was {faces}", faces=faces) if outcome.count == 1 else Said("there were {faces}", faces=faces)


def _consequence(outcome: Outcome) -> Said:
    if outcome.eliminated is not None:
        return Said("{player} lost the last die and was out", player=outcome.eliminated)
    if outcome.loses is not None:
        return Said("{player} lost a die", player=outcome.loses)
    if outcome.gains is not None:
        return Said("{player} took back a die", player=outcome.gains)
    return Said("{player} had all five dice already", player=outcome.caller)


# The end


def _end(game: Game) -> Said:
    rounds = Rounds(game.round_count)
    if game.winner is not None:
        return Said("{player} won the game after {rounds}.", player=game.winner, rounds=rounds)
    if game.ending is Ending.PLAYING:
        return Said("The game is still being played, after {rounds} so far.", rounds=rounds)
    return Said("The game was ended after {rounds}, before anybody had won.", rounds=rounds)
