"""The ranking of a club's players, and a player's page. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from companion.club.books.books import Appearance, Books, Form, GameResult, ResultPlayer
from companion.member.payloads import GameId
from companion.messages.natural_order import natural_order
from companion.messages.sentence import Value
from companion.table.commands import Count, Share, ShortText


class RankedPlayer(Value, frozen=True, kw_only=True):
    """A player in the ranking."""

    place: Count
    """From 1; players who are level share one."""
    name: ShortText
    rating: int
    """A newcomer has 1500."""
    uncertainty: Count
    """The plus-minus: in two of three cases the player's strength is within it."""
    games: Count
    """Games that somebody won."""
    won: Count
    provisional: bool
    """Whether fewer than 15 games count: those within the group that games would link without any one player."""


def ranking(forms: Mapping[str, Form]) -> tuple[RankedPlayer, ...]:
    """The players of rated games by their rating, best first; those with a provisional one after all others, and last
    those none of whose games counts."""
    played = {name: form for name, form in forms.items() if form.games}
    best_first = sorted(played, key=lambda name: (_rank(played[name]), natural_order(name)))
    ranks = [_rank(played[name]) for name in best_first]
    places: dict[tuple[bool, bool, float], int] = {}
    for number, rank in enumerate(ranks, start=1):
        places.setdefault(rank, number)
    return tuple(_ranked(places[rank], name, played[name]) for name, rank in zip(best_first, ranks, strict=True))


def _rank(form: Form) -> tuple[bool, bool, float]:
    """The smaller, the better."""
    return form.provisional, not form.counted, -form.rating.mean


def _ranked(place: int, name: str, form: Form) -> RankedPlayer:
    return RankedPlayer(
        place=place,
        name=name,
        rating=form.rating.points,
        uncertainty=form.rating.plus_minus,
        games=form.games,
        won=form.won,
        provisional=form.provisional,
    )


PAGE_GAMES: Final = 100
"""The most games on a page: the latest."""
PAGE_CURVE_POINTS: Final = 500
"""The most points of a rating curve: the latest."""
PAGE_OPPONENTS: Final = 10
"""The most opponents on a page: those met most often."""
SHARE_DIGITS: Final = 3
"""Decimal places of shares."""


class PlayerGame(Value, frozen=True, kw_only=True):
    """A game of the player."""

    result: GameResult
    place: Count | None
    """None in a game that is not rated, which leaves the rating as it was."""
    before: int
    """The rating before it."""
    after: int


class RatingPoint(Value, frozen=True):
    """The rating after a rated game."""

    game: GameId
    rating: int
    uncertainty: Count


class Opponent(Value, frozen=True, kw_only=True):
    """Somebody whom the player met in rated games."""

    name: ShortText
    games: Count
    beaten: Count
    """Games in which the player had the better place."""
    lost: Count
    """Games in which the opponent had."""


class PlayerPage(Value, frozen=True, kw_only=True):
    """What a player did."""

    name: ShortText
    place: Count | None
    """In the ranking; None before the first rated game."""
    rating: int
    uncertainty: Count
    games: Count
    """Games that somebody won."""
    won: Count
    provisional: bool
    beaten: Share | None
    """The average share of the opponents left behind, over rated games; 0.5 is as good as chance. None before
    the first rated game."""
    curve: tuple[RatingPoint, ...]
    """Oldest first."""
    opponents: tuple[Opponent, ...]
    """Those met most often first."""
    played: tuple[PlayerGame, ...]
    """Newest first, by the order in which they came in, with those that are not rated."""


def player_page(books: Books, name: str) -> PlayerPage | None:
    """The page of the player called exactly `name`; None if nobody of that name is in a game."""
    played = list(books.appearances(name))
    if not played:
        return None
    form = played[-1].after
    rated = [each for each in played if each.result.rated]
    return PlayerPage(
        name=name,
        place=next((each.place for each in ranking(books.forms) if each.name == name), None),
        rating=form.rating.points,
        uncertainty=form.rating.plus_minus,
        games=form.games,
        won=form.won,
        provisional=form.provisional,
        beaten=round(sum(map(_share_beaten, rated)) / len(rated), SHARE_DIGITS) if rated else None,
        curve=tuple(map(_point, rated[-PAGE_CURVE_POINTS:])),
        opponents=_opponents(rated, name),
        played=tuple(map(_game, reversed(played[-PAGE_GAMES:]))),
    )


def _game(played: Appearance) -> PlayerGame:
    return PlayerGame(
        result=played.result,
        place=played.place,
        before=played.before.rating.points,
        after=played.after.rating.points,
    )


def _point(rated: Appearance) -> RatingPoint:
    return RatingPoint(rated.result.game, rated.after.rating.points, rated.after.rating.plus_minus)


def _share_beaten(rated: Appearance) -> float:
    return sum(_beat(rated, each) for each in rated.result.players) / (len(rated.result.players) - 1)


def _beat(rated: Appearance, other: ResultPlayer) -> bool:
    """Whether the player had a better place than `other`."""
    assert rated.place is not None, "everybody has a place in a rated game"
    assert other.place is not None
    return rated.place < other.place


def _opponents(rated: Sequence[Appearance], name: str) -> tuple[Opponent, ...]:
    """The named opponents who were met most often."""
    met: Counter[str] = Counter()
    beaten: Counter[str] = Counter()
    for game in rated:
        for other in game.result.players:
            if other.named and other.name != name:
                met[other.name] += 1
                beaten[other.name] += _beat(game, other)
    most = sorted(met, key=lambda other: (-met[other], other))[:PAGE_OPPONENTS]
    return tuple(
        Opponent(name=each, games=met[each], beaten=beaten[each], lost=met[each] - beaten[each]) for each in most
    )
