"""The story of a game in short sentences, without undone steps. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from companion.engine import PACO, CallKind, Dudo, Outcome
from companion.messages.message import Dice, Faces, Message, Names, Part, Rounds
from companion.messages.sentence import Value
from companion.table.game.events import BidMade
from companion.table.game.history import History
from companion.table.game.table_position import Series
from companion.table.past.game_summary import GameSummary, game_summary, of_company
from companion.table.past.games import (
    Adjustment,
    Arrival,
    Departure,
    Ending,
    Entry,
    Game,
    Return,
    Round,
    Voiding,
    open_games,
)
from companion.table.past.games import Dice as Shown
from companion.table.past.highlights import Highlights, highlights
from companion.table.past.statistics import Statistics, statistics, totals


class Story(Value, frozen=True):
    """The current or last game, its highlights and its statistics."""

    game: int | None = None
    story: tuple[str, ...] = ()
    said: tuple[tuple[Part, ...], ...] = ()
    """The parts of each line of the story."""
    highlights: Highlights | None = None
    statistics: Statistics | None = None
    company: Statistics | None = None
    """The statistics of all games of the same players."""


def latest_story(history: History, past: Iterable[GameSummary] | None, hidden: Collection[int] = ()) -> Story:
    """The story of the game that `history` is in, omitting `hidden` games, since it shows how many dice were lost.

    `past`: the table's games; None if they cannot be read, which leaves out the company's statistics.
    """
    played = open_games(history)
    if not played:
        return Story()
    last = played[-1]
    company = None
    if past is not None:
        earlier = [each for each in past if not each.imported and each.number < played[0].number]
        found = of_company([*earlier, *(game_summary(game, "") for game in played)], last.players)
        company = totals([each.figures for each in found if not each.abandoned and each.number not in hidden])
    if last.number in hidden:
        return Story(game=last.number, company=company)
    paragraphs = story(last)
    return Story(
        game=last.number,
        story=tuple(map(str, paragraphs)),
        said=tuple(paragraph.parts for paragraph in paragraphs),
        highlights=highlights(last),
        statistics=statistics([last]),
        company=company,
    )


def story(game: Game) -> tuple[Message, ...]:
    """The paragraphs of the story: the players, the opening, each round, the end, and the series."""
    return (
        _company(game),
        *_rolls(game.rolls),
        *(_paragraph(entry) for entry in game.entries if not isinstance(entry, Round) or entry.bids),
        _end(game),
        *_series(game.series),
    )


def _company(game: Game) -> Message:
    players, book = Names(game.players), game.ruleset.name
    if game.calza:
        return Message("{players} played by the rules of {book}, with calza.", players=players, book=book)
    return Message("{players} played by the rules of {book}, without calza.", players=players, book=book)


def _paragraph(entry: Entry) -> Message:
    match entry:
        case Arrival(player, have):
            return Message("{player} joined with {dice}.", player=player, dice=Dice(have))
        case Adjustment(player, have):
            return Message("It was put right that {player} had {dice}.", player=player, dice=Dice(have))
        case Voiding(number):
            return Message("Round {round} was void, and was played again.", round=number)
        case Departure(player, have, True):
            return Message("{player} gave the game up with {dice}.", player=player, dice=Dice(have))
        case Departure(player, have):
            return Message("{player} left the table with {dice}.", player=player, dice=Dice(have))
        case Return(player, have):
            return Message("{player} came back with {dice}.", player=player, dice=Dice(have))
        case Round():
            return _round(entry)


# The opening


def _rolls(rolls: tuple[Shown, ...]) -> Iterator[Message]:
    if not rolls:
        return
    each = [Names(tuple(_rolled(player, shown) for player, shown in roll.items())) for roll in rolls]
    yield Message.sequence(
        Message("For the opening they rolled: {rolls}.", rolls=each[0]),
        *(Message("Again, for the tied: {rolls}.", rolls=roll) for roll in each[1:]),
    )


def _rolled(player: str, shown: tuple[int, ...]) -> Message:
    """ "Ana 5", "Ana 4 and 6 (10)"."""
    if len(shown) == 1:
        return Message("{player} {face}", player=player, face=shown[0])
    return Message("{player} {faces} ({sum})", player=player, faces=Names(tuple(map(str, shown))), sum=sum(shown))


# A round


def _round(entry: Round) -> Message:
    number, bids, call = entry.start.round, _bids(entry.bids), _call(entry)
    if entry.start.palifico is None:
        if call is None:
            bidding = Message("Round {round}: {bids}.", round=number, bids=bids)
        else:
            bidding = Message("Round {round}: {bids}; {call}.", round=number, bids=bids, call=call)
    elif call is None:
        bidding = Message("Round {round}, palifico: {bids}.", round=number, bids=bids)
    else:
        bidding = Message("Round {round}, palifico: {bids}; {call}.", round=number, bids=bids, call=call)
    passed = [
        Message("Everybody let {player}'s bid of {bid} pass, against the rules.", player=bid.player, bid=_bid(bid))
        for bid in entry.bids
        if bid.accepted
    ]
    verdict = () if entry.outcome is None else (_verdict(entry.outcome),)
    return Message.sequence(bidding, *passed, *entry.corrections, *verdict)


def _bids(bids: tuple[BidMade, ...]) -> Message:
    first, last = bids[0], bids[-1]
    # Assumed bids are left out.
    if len(bids) == 1:
        if first.assumed:
            return Message("{player} opened", player=first.player)
        return Message("{player} opened with {bid}", player=first.player, bid=_bid(first))
    if first.assumed:
        return Message(
            "{player} opened, and it went up to {last}'s {higher}",
            player=first.player,
            last=last.player,
            higher=_bid(last),
        )
    return Message(
        "{player} opened with {bid}, and it went up to {last}'s {higher}",
        player=first.player,
        bid=_bid(first),
        last=last.player,
        higher=_bid(last),
    )


def _bid(bid: BidMade) -> Faces:
    return Faces(bid.count, bid.face)


def _call(entry: Round) -> Message | None:
    if entry.call is None:
        return None
    player = entry.call.player
    if isinstance(entry.call, Dudo):
        if entry.outcome is None:
            return Message("{player} called dudo, which was not judged", player=player)
        return Message("{player} called dudo", player=player)
    if entry.outcome is None:
        return Message("{player} called calza, which was not judged", player=player)
    return Message("{player} called calza", player=player)


def _verdict(outcome: Outcome) -> Message:
    tally, consequence = _tally(outcome), _consequence(outcome)
    if outcome.call is CallKind.DUDO:
        if outcome.correct:
            return Message("{tally}: the bid was wrong, and {consequence}.", tally=tally, consequence=consequence)
        return Message("{tally}: the bid was right, and {consequence}.", tally=tally, consequence=consequence)
    if outcome.correct:
        return Message("{tally}: the bid was exact, and {consequence}.", tally=tally, consequence=consequence)
    return Message("{tally}: the bid was not exact, and {consequence}.", tally=tally, consequence=consequence)


def _tally(outcome: Outcome) -> Message:
    """ "3 fours and 1 paco made 4", "there were 2 pacos"."""
    if outcome.uncertain:
        return Message("the count was from {least} to {most}", least=outcome.least, most=outcome.most)
    faces = Faces(outcome.faces, outcome.bid.face)
    if outcome.wild and outcome.bid.face != PACO:
        pacos = Faces(outcome.pacos, PACO)
        if outcome.count == 0:
            return Message("there were {faces} and {pacos}", faces=faces, pacos=pacos)
        return Message("{faces} and {pacos} made {count}", faces=faces, pacos=pacos, count=outcome.count)
    return (
        Message("there was {faces}", faces=faces) if outcome.count == 1 else Message("there were {faces}", faces=faces)
    )


def _consequence(outcome: Outcome) -> Message:
    if outcome.eliminated is not None:
        if outcome.lost > 1:
            return Message("{player} lost {dice} and was out", player=outcome.eliminated, dice=Dice(outcome.lost))
        return Message("{player} lost the last die and was out", player=outcome.eliminated)
    if outcome.loses is not None and outcome.lost > 1:
        return Message("{player} lost {dice}", player=outcome.loses, dice=Dice(outcome.lost))
    if outcome.loses is not None:
        return Message("{player} lost a die", player=outcome.loses)
    if outcome.gains is not None:
        return Message("{player} took back a die", player=outcome.gains)
    return Message("{player} had not lost a die", player=outcome.caller)


# The end


def _end(game: Game) -> Message:
    rounds = Rounds(game.round_count)
    if game.winner is not None:
        return Message("{player} won the game after {rounds}.", player=game.winner, rounds=rounds)
    if game.ending is Ending.PLAYING:
        return Message("The game is still being played, after {rounds} so far.", rounds=rounds)
    return Message("The game was ended after {rounds}, before anybody had won.", rounds=rounds)


def _series(series: Series | None) -> Iterator[Message]:
    if series is None:
        return
    score = Names(tuple(Message("{player} {games}", player=player, games=won) for player, won in series.wins.items()))
    if series.winner is None:
        yield Message("In the series, first to {games}, it stood: {score}.", games=series.first_to, score=score)
    else:
        yield Message(
            "{player} won the series, first to {games}: {score}.",
            player=series.winner,
            games=series.first_to,
            score=score,
        )
