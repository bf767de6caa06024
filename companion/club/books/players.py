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
    """From 1; level players share one."""
    name: ShortText
    rating: int
    """1500 for a newcomer."""
    uncertainty: Count
    """Plus or minus: in two out of three cases the player's strength is within it."""
    games: Count
    """Games with a winner."""
    won: Count
    provisional: bool
    """Fewer than 15 of the player's games count: those within the pool of `companion.club.books.pool`."""


def ranking(forms: Mapping[str, Form]) -> tuple[RankedPlayer, ...]:
    """The players of rated games by rating, best first; then those with a provisional rating, and last those with no
    game that counts."""
    played = {name: form for name, form in forms.items() if form.games}
    best_first = sorted(played, key=lambda name: (_rank(played[name]), natural_order(name)))
    ranks = [_rank(played[name]) for name in best_first]
    places: dict[tuple[bool, bool, float], int] = {}
    for number, rank in enumerate(ranks, start=1):
        places.setdefault(rank, number)
    return tuple(_ranked(places[rank], name, played[name]) for name, rank in zip(best_first, ranks, strict=True))


def _rank(form: Form) -> tuple[bool, bool, float]:
    """Sort key: smaller is better."""
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
"""The most games on a page, the latest ones."""
PAGE_CURVE_POINTS: Final = 500
"""The most points of a rating curve, the latest ones."""
PAGE_OPPONENTS: Final = 10
"""The most opponents on a page, those met most often."""
SHARE_DIGITS: Final = 3
"""Decimal places of shares."""


class PlayerGame(Value, frozen=True, kw_only=True):
    """A game of the player."""

    result: GameResult
    place: Count | None
    """None in a game that is not rated; it leaves the rating unchanged."""
    before: int
    """The rating before the game."""
    after: int


class RatingPoint(Value, frozen=True):
    """The rating after a rated game."""

    game: GameId
    rating: int
    uncertainty: Count


class Opponent(Value, frozen=True, kw_only=True):
    """A player whom the player met in rated games."""

    name: ShortText
    games: Count
    beaten: Count
    """Games in which the player had the better place."""
    lost: Count
    """Games in which the opponent had the better place."""


class PlayerPage(Value, frozen=True, kw_only=True):
    """What a player has done."""

    name: ShortText
    place: Count | None
    """In the ranking; None before the first rated game."""
    rating: int
    uncertainty: Count
    games: Count
    """Games with a winner."""
    won: Count
    provisional: bool
    beaten: Share | None
    """The mean share of opponents beaten over rated games; 0.5 is chance. None before the first rated game."""
    curve: tuple[RatingPoint, ...]
    """Oldest first."""
    opponents: tuple[Opponent, ...]
    """Those met most often first."""
    played: tuple[PlayerGame, ...]
    """Newest first, in order of arrival, including games that are not rated."""


def player_page(books: Books, name: str) -> PlayerPage | None:
    """The page of the player called exactly `name`; None if no game has such a player."""
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
    """True if the player had a better place than `other`."""
    assert rated.place is not None, "everybody has a place in a rated game"
    assert other.place is not None
    return rated.place < other.place


def _opponents(rated: Sequence[Appearance], name: str) -> tuple[Opponent, ...]:
    """The named opponents met most often."""
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
